"""Wordings that plans have to read through: names with codes, verbs with particles, new values, kin by name, what is told first."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graphmem.answer.plan import Name, Plan, plan
from graphmem.answer.words import stem

ASKED_AT = datetime(2025, 3, 10, 12, tzinfo=UTC)
NAMES = (
    Name("Ida", "Ida", "Person"),
    Name("Otto", "Otto", "Person"),
    Name("Pelle", "Pelle", "Person"),
    Name("Dr. Vale", "Dr. Vale", "Person"),
    Name("Momo", "Momo", "Animal"),
    Name("Brixel", "Brixel", "Organization"),
)


def planned(question: str, names: tuple[Name, ...] = NAMES) -> Plan:
    return plan(question, ASKED_AT, [name for name in names if name.text in question])


def kinds(made: Plan) -> dict[str, str]:
    return {term.text: term.kind for term in made.terms}


CODED = (
    ("How long is the warranty on the Brixel K4?", "Brixel K4"),
    ("Who repaired the Brixel K4 in the cellar?", "Brixel K4"),
    ("What does the Brixel TX-90 weigh?", "Brixel TX-90"),
)


@pytest.mark.parametrize(("question", "thing"), CODED, ids=[q for q, _ in CODED])
def test_a_name_and_the_code_beside_it_are_one_term(question: str, thing: str) -> None:
    named = {text: kind for text, kind in kinds(planned(question)).items() if kind != "word"}
    assert named == {thing: "name"}


def test_the_name_of_a_person_and_a_code_are_two_things() -> None:
    made = planned("Did Otto K4 unpack?")
    assert made.subjects == ("Otto",)
    assert kinds(made) == {"K4": "number", "unpack": "word"}


def test_whether_a_name_takes_its_code_in_hangs_on_the_type_that_the_memory_knows() -> None:
    person = (Name("Brixel", "Brixel", "Person"),)
    assert kinds(planned("How long is the warranty on the Brixel K4?", person)) == {
        "warranty": "word",
        "Brixel": "name",
        "K4": "number",
    }


def test_after_that_belongs_to_looking_names_no_event() -> None:
    made = planned("Who looked after Momo during the trip?")
    assert made.anchor is None or made.anchor.relation != "after"
    assert made.form != "after_event"
    assert {"looked", "Momo"} <= kinds(made).keys()


def test_after_that_belongs_to_no_verb_still_names_an_event() -> None:
    made = planned("Who fed Momo after the trip?")
    assert made.anchor is not None
    assert (made.form, made.anchor.relation) == ("after_event", "after")


def test_which_number_of_a_thing_asks_for_that_thing_and_counts_nothing() -> None:
    made = planned("Which ticket number is for the Wi-Fi?")
    assert (made.form, made.want, made.asked) == ("attribute", "thing", "ticket")


BECAME = (
    ("What was the rent raised to?", "thing", {"rent"}),
    ("What did Ida correct the price to?", "thing", {"price"}),
    ("What dates was the course moved to?", "time", {"course"}),
)


@pytest.mark.parametrize(("question", "want", "terms"), BECAME, ids=[q for q, _, _ in BECAME])
def test_what_something_was_made_to_be_asks_for_a_change(question: str, want: str, terms: set[str]) -> None:
    made = planned(question)
    assert (made.form, made.want) == ("changed", want)
    assert kinds(made).keys() == terms


NEGATED = (
    ("How long has Ida heard nothing?", {"heard"}),
    ("Who brought nothing to the picnic?", {"brought", "picnic"}),
    ("Which room does nobody use?", {"room", "use"}),
)


@pytest.mark.parametrize(("question", "terms"), NEGATED, ids=[q for q, _ in NEGATED])
def test_nothing_and_nobody_negate_a_question_and_need_no_evidence(question: str, terms: set[str]) -> None:
    made = planned(question)
    assert made.negated
    assert kinds(made).keys() == terms


def test_a_question_without_such_a_word_is_not_negated() -> None:
    assert not planned("How long has Ida heard noises?").negated


KIN = (
    ("How old is Ida's brother Pelle?", ("Pelle",)),
    ("How old is Ida's little sister Runa?", ("Runa",)),
    ("How old is Ida's brother?", ("Ida",)),
)


@pytest.mark.parametrize(("question", "subjects"), KIN, ids=[q for q, _ in KIN])
def test_kin_with_a_name_is_whom_the_question_is_about(question: str, subjects: tuple[str, ...]) -> None:
    assert planned(question).subjects == subjects


def test_what_is_told_before_the_question_is_only_said_in_what_connection() -> None:
    made = planned("Otto said three days. How long did Ida say it takes?")
    assert made.form == "how_long"
    assert made.subjects == ("Ida",)
    aside = {term.text: term.aside for term in made.terms}
    assert {text: aside.get(text) for text in ("Otto", "three", "days")} == {"Otto": True, "three": True, "days": True}


TITLES = ("When did Ida see Dr. Vale about her knee?", "When did Ida see Mrs. Vale about her knee?")


@pytest.mark.parametrize("question", TITLES)
def test_a_title_does_not_end_a_sentence(question: str) -> None:
    made = planned(question)
    assert (made.form, made.want, made.subjects) == ("when", "time", ("Ida",))
    assert {term.text for term in made.terms if not term.aside} >= {"see", "knee"}


def test_the_verb_is_that_of_the_question_and_not_of_who_does_not_count() -> None:
    made = planned("Besides Ida, who can sign for the parcel?")
    assert made.verb == stem("sign")
    assert made.form == "who_else"
    assert [term.text for term in made.excluded] == ["Ida"]


TRYING = ("What habit is Ida trying to change?", "What does Ida want to change in the kitchen?")


@pytest.mark.parametrize("question", TRYING)
def test_what_somebody_tries_to_change_has_not_changed(question: str) -> None:
    assert planned(question).form != "changed"
    assert planned("What did Ida change in the kitchen?").form == "changed"


def test_what_only_says_what_a_name_is_need_not_be_told() -> None:
    assert kinds(planned("Where did Ida find Momo, one of her goats?")) == {"find": "word", "Momo": "name"}


WITH = ("What did Ida and her family see in the marsh?", "When did Ida's family see the marsh?")


@pytest.mark.parametrize("question", WITH)
def test_whom_one_is_with_may_be_we_in_the_answer(question: str) -> None:
    names = (*NAMES, Name("family", "family", "Person"))
    family = next(term for term in planned(question, names).terms if term.text == "family")
    assert (family.kind, family.aside) == ("word", True)


def test_the_year_belongs_to_the_date_by_which_an_event_is_told() -> None:
    made = planned("What did Ida buy during her trip to Otto on 30 August, 2023?")
    assert "2023" not in kinds(made)


STILL_WITH = ("Is Ida still with Otto?", "Has Ida been with Otto for long?", "Was Ida with Otto?")


@pytest.mark.parametrize("question", STILL_WITH)
def test_being_with_somebody_is_being_together(question: str) -> None:
    assert "together" in kinds(planned(question))
