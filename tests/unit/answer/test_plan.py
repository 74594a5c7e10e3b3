"""A question becomes a plan by rules alone: what it wants, of whom, for when, and which words its evidence has to cover."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graphmem.answer.plan import Name, Plan, plan
from graphmem.answer.reads import runs_of

ASKED_AT = datetime(2025, 3, 10, 12, tzinfo=UTC)
NAMES = (
    Name("Noor", "Noor", "Person"),
    Name("Elias", "Elias", "Person"),
    Name("Viola", "Viola", "Person"),
    Name("Malmö", "Malmö", "Place"),
    Name("Utrecht", "Utrecht", "Place"),
    Name("Sundvik Boats", "Sundvik Boats", "Organization"),
)


def planned(question: str) -> Plan:
    return plan(question, ASKED_AT, [name for name in NAMES if name.text.casefold() in question.casefold()])


FORMS = (
    ("Where does Noor live?", "current", "place"),
    ("where does noor live now", "current", "place"),
    ("Where is Noor living these days?", "current", "place"),
    ("Do you know where Noor lives?", "current", "place"),
    ("Which city does Noor live in at the moment?", "current", "place"),
    ("Where was Noor living in spring 2023?", "at_time", "place"),
    ("Where did Noor work in May 2022?", "at_time", "place"),
    ("What did Noor do last weekend?", "at_time", "thing"),
    ("While Noor was in Utrecht, who did she live with?", "at_time", "person"),
    ("Was Elias in Utrecht on 3 June 2024?", "at_time", "yes_no"),
    ("Where did Noor live before Malmö?", "before_event", "place"),
    ("Before moving to Malmö, where did Noor work?", "before_event", "place"),
    ("What was Noor's previous job?", "before_event", "thing"),
    ("Who was Noor's boss before Viola?", "before_event", "person"),
    ("What did Noor do after leaving the bakery?", "after_event", "thing"),
    ("When did Noor first go kayaking?", "first", "time"),
    ("What was the first instrument that Noor played?", "first", "thing"),
    ("When was the last time Elias saw his brother?", "last", "time"),
    ("What is the latest version of the app?", "last", "thing"),
    ("When did Noor buy the kayak?", "when", "time"),
    ("What year did Elias graduate?", "when", "time"),
    ("On which day was the concert?", "when", "time"),
    ("What time does the choir start?", "when", "time"),
    ("Since when has Noor been vegan?", "when", "time"),
    ("Can you tell me when Elias moved?", "when", "time"),
    ("How long has Noor lived in Malmö?", "how_long", "duration"),
    ("How long did the repair take?", "how_long", "duration"),
    ("How many hens does Elias have?", "how_many", "count"),
    ("How many concerts did the choir give in 2024?", "how_many", "count"),
    ("Who else sings in the choir besides Noor?", "who_else", "person"),
    ("Who else is allergic to nuts?", "who_else", "person"),
    ("How has Noor's taste in music changed?", "changed", "manner"),
    ("What has changed in Elias's diet since January 2024?", "changed", "thing"),
    ("How much did the kayak cost?", "attribute", "amount"),
    ("How old is Viola?", "attribute", "age"),
    ("How often does Noor rehearse?", "attribute", "frequency"),
    ("What is the name of Elias's dog?", "attribute", "name"),
    ("What is Elias' dog called?", "attribute", "name"),
    ("Is Noor allergic to nuts?", "attribute", "yes_no"),
    ("Why did Noor leave the bakery?", "attribute", "reason"),
    ("How did Elias hurt his knee?", "attribute", "manner"),
    ("Who gave Noor the kayak?", "attribute", "person"),
    ("Tell me about Noor's choir", "search", "thing"),
    ("kayak", "search", "thing"),
)


@pytest.mark.parametrize(("question", "form", "want"), FORMS, ids=[q for q, _, _ in FORMS])
def test_a_question_has_its_form_and_what_it_wants(question: str, form: str, want: str) -> None:
    made = planned(question)
    assert (made.form, made.want) == (form, want)


TARGETS = (
    ("Where does Noor live?", ("Noor",), {"live"}),
    ("where does noor live now", ("Noor",), {"live"}),
    ("When did Noor move to Malmö?", ("Noor",), {"move", "Malmö"}),
    ("Who gave Noor the kayak?", (), {"gave", "Noor", "kayak"}),
    ("Where do Noor and Elias rehearse?", ("Noor", "Elias"), {"rehearse"}),
    ("When was the last time Elias saw his brother?", ("Elias",), {"saw", "brother"}),
    ("While Noor was in Utrecht, who did she live with?", ("Noor",), {"live"}),
    ("What is Noor's sister's job?", ("Noor",), {"sister", "job"}),
    ("When did Elias get ticket AB-4711?", ("Elias",), {"ticket", "AB-4711"}),
    ("What did support say about the Grumbach printer?", (), {"Grumbach", "printer"}),
    ("Where is the whole group going to stay?", (), {"stay"}),
    ("What is the correct price of the kayak?", (), {"price", "kayak"}),
)


@pytest.mark.parametrize(("question", "subjects", "terms"), TARGETS, ids=[q for q, _, _ in TARGETS])
def test_subjects_and_the_words_that_evidence_has_to_cover(
    question: str, subjects: tuple[str, ...], terms: set[str]
) -> None:
    made = planned(question)
    assert made.subjects == subjects
    assert {term.text for term in made.terms} == terms


def test_names_numbers_and_ordinals_have_to_be_covered_exactly() -> None:
    kinds = {
        term.text: term.kind for term in planned("When did the fifth printer get firmware 2.4.1 from Grumbach?").terms
    }
    assert kinds == {"fifth": "number", "printer": "word", "firmware": "word", "2.4.1": "number", "Grumbach": "name"}


def test_a_word_that_only_says_in_what_connection_is_aside() -> None:
    aside = {term.text: term.aside for term in planned("How much did Noor spend on the trip?").terms}
    assert aside == {"spend": False, "trip": True}


def test_a_time_in_the_question_becomes_an_interval_read_from_the_moment_of_asking() -> None:
    made = planned("What did Noor buy last year?")
    assert made.time is not None
    assert (made.time.start, made.time.end) == (datetime(2024, 1, 1, tzinfo=UTC), datetime(2025, 1, 1, tzinfo=UTC))
    assert {term.text for term in made.terms} == {"buy"}


def test_the_event_of_before_and_after_is_an_anchor_and_no_term() -> None:
    made = planned("Where did Noor work after she left Sundvik Boats?")
    assert made.anchor is not None
    assert made.anchor.relation == "after"
    assert {term.text for term in made.anchor.terms} == {"left", "Sundvik Boats"}
    assert {term.text for term in made.terms} == {"work"}


def test_besides_names_what_does_not_count() -> None:
    made = planned("Apart from Elias, who plays the cello?")
    assert [term.text for term in made.excluded] == ["Elias"]
    assert {term.text for term in made.terms} == {"plays", "cello"}


PROPERTIES = (
    ("Where does Noor live?", "lives_in"),
    ("Where does Noor work?", "works_at"),
    ("What is Noor's job?", "works_as"),
    ("What is Noor allergic to?", "allergic_to"),
    ("What is Elias's dog called?", "has_pet"),
    ("What is Noor's budget?", "budget"),
    ("What is Elias's phone number?", "phone_number"),
    ("Is Noor a vegetarian?", "diet"),
    ("Who is Noor's sister?", "has_sister"),
)


@pytest.mark.parametrize(("question", "name"), PROPERTIES, ids=[q for q, _ in PROPERTIES])
def test_words_ask_for_a_known_property(question: str, name: str) -> None:
    assert name in planned(question).properties


def test_a_plan_is_shown_in_one_to_five_lines_that_name_targets_time_and_operations() -> None:
    made = planned("Where did Noor live in May 2022?")
    assert 1 <= len(made.bullets) <= 5
    shown = "\n".join(made.bullets)
    assert "Noor" in shown
    assert "[2022-05-01, 2022-06-01)" in shown
    assert "value at a time" in shown


@pytest.mark.parametrize(
    "question", ["", "?", "C++ (v2): AND/OR?", "wo wohnt Noor?", "before after before", "Who else besides?"]
)
def test_any_text_makes_a_plan(question: str) -> None:
    assert planned(question).bullets


RUNS = (
    ("Where does Dr. Vale live?", "Dr. Vale", True),
    ("Where is J. Holm?", "J. Holm", True),
    ("I saw Otto. Ida left.", "Otto. Ida", False),
)


@pytest.mark.parametrize(("question", "run", "whole"), RUNS, ids=[question for question, _, _ in RUNS])
def test_a_title_belongs_to_a_name_and_the_end_of_a_sentence_ends_one(question: str, run: str, whole: bool) -> None:
    assert (run in runs_of(question).values()) is whole
