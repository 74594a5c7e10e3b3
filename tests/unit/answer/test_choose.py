"""Among statements the one that answers is chosen by the question's form; what is not said is refused."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from graphmem.answer.choice import Choice
from graphmem.answer.choose import choose
from graphmem.answer.compose import answer_text
from graphmem.answer.plan import Name, plan
from graphmem.answer.reading import statements_of
from graphmem.records import Hit

NAMES = tuple(Name(name, name, "Person") for name in ("Noor", "Elias", "Viola"))
START = datetime.fromisoformat("2023-05-10T12:00:00+02:00")

Turn = tuple[str, str]


def chosen(question: str, *turns: Turn, days: int = 7) -> Choice | None:
    """The choice among turns that are said a week apart, each in a session of its own."""
    hits = [
        Hit(f"t{n}", f"k{n}:1", f"k{n}", speaker, START + timedelta(days=days * n), text, 1.0)
        for n, (speaker, text) in enumerate(turns)
    ]
    at = START + timedelta(days=days * (len(turns) + 1))
    named = [name for name in NAMES if name.text in question]
    return choose(plan(question, at, named), statements_of(hits), at)


def short(question: str, *turns: Turn) -> str | None:
    found = chosen(question, *turns)
    return None if found is None else found.short


def test_when_gives_the_day_that_the_words_mean() -> None:
    assert short("When did Noor buy the kayak?", ("Noor", "I bought a kayak yesterday!")) == "9 May 2023"


def test_when_takes_what_happened_before_what_was_planned() -> None:
    turns = (("Noor", "I'm moving to Malmö on 12 May."), ("Noor", "I moved to Malmö on 14 May in the end."))
    assert short("When did Noor move to Malmö?", *turns) == "14 May 2023"


def test_when_follows_what_was_put_off() -> None:
    turns = (("Elias", "The concert is on 20 May."), ("Elias", "The concert was postponed to 3 June."))
    assert short("When was the concert?", *turns) == "3 June 2023"


def test_what_happened_without_a_date_had_happened_when_it_was_told() -> None:
    found = chosen("When did Noor sell the kayak?", ("Noor", "I sold the kayak, finally."))
    assert found is not None
    assert found.short == "by 10 May 2023"
    assert "not said" in answer_text(found)


def test_the_later_value_is_current_and_the_earlier_one_first() -> None:
    turns = (("Noor", "The engine runs on firmware 2.3.0."), ("Noor", "The engine runs on firmware 2.4.1 now."))
    assert short("Which firmware does the engine run on now?", *turns) == "2.4.1"
    assert short("Which firmware did the engine run on first?", *turns) == "2.3.0"


def test_a_value_that_was_taken_back_gives_way_to_its_correction() -> None:
    turns = (
        ("Noor", "The train to the concert takes three hours."),
        ("Noor", "I was wrong, it doesn't take three hours. It takes five hours."),
    )
    found = chosen("How long does the train to the concert take?", *turns)
    assert found is not None
    assert found.short == "five hours"
    assert any("three hours" in note for note in found.notes)
    assert [citation.turn_id for citation in found.citations] == ["k1:1", "k0:1"]


def test_a_denial_answers_no() -> None:
    assert short("Is Elias allergic to walnuts?", ("Elias", "I'm not allergic to walnuts.")) == "No"


def test_who_else_leaves_out_whom_the_question_names() -> None:
    turns = (("Elias", "Viola sings bass."), ("Noor", "I sing bass too!"))
    assert short("Who else sings bass besides Viola?", *turns) == "Noor"


REFUSED = (
    ("When did Noor move to Oslo?", (("Noor", "If I ever leave Utrecht, I'll move to Oslo."),)),
    ("When did Noor move to Oslo?", (("Noor", "A firm in Oslo offered me a job in June."),)),
    ("What is Viola allergic to?", (("Elias", "I'm allergic to walnuts."),)),
    ("How much did the boat cost?", (("Noor", "I bought a boat."),)),
    ("What is the serial number of the fifth engine?", (("Noor", "The serial number of the engine is AB-4711."),)),
    ("Which ticket is about the login?", (("Noor", "The login fails on device AB-4711."),)),
    ("When did Elias visit Noor?", (("Elias", "Did I ever visit you, Noor?"),)),
)


@pytest.mark.parametrize(("question", "turns"), REFUSED, ids=[f"{q} {t[0][1]}" for q, t in REFUSED])
def test_near_matches_are_no_answer(question: str, turns: tuple[Turn, ...]) -> None:
    assert chosen(question, *turns) is None


def test_a_longer_name_is_another_thing() -> None:
    turns = (("Noor", "The X2 Pro has three years of warranty."),)
    assert chosen("How long is the warranty on the X2?", *turns) is None


def test_what_fits_best_but_is_said_of_somebody_else_is_refused() -> None:
    turns = (
        ("Elias", "I learned to bake bread with seeds at a course in Lund."),
        ("Noor", "Sounds like fun, I like bread."),
    )
    assert chosen("Where did Noor learn to bake bread with seeds?", *turns) is None


NEAREST = "not said in so many words"


def test_what_is_said_in_other_words_is_quoted_and_said_to_be_no_more_than_near() -> None:
    found = chosen("What is the reason Noor left?", ("Noor", "The commute wore me out, so I handed in my notice."))
    assert found is not None
    assert found.short is None
    assert any(NEAREST in note for note in found.notes)


def test_a_price_of_another_thing_is_not_even_near() -> None:
    assert chosen("How much did Noor's kayak cost?", ("Noor", "The bicycle cost 300 euros.")) is None


BEFORE = (
    ("Noor", "Let's say a budget of 900 euros."),
    ("Noor", "The budget is 1,050 euros now."),
)


def test_before_it_was_raised_asks_for_the_value_before() -> None:
    assert short("What was the budget before it was raised?", *BEFORE) == "900 euros"


def test_versions_before_another_are_those_told_before_it() -> None:
    turns = (
        ("Noor", "The engine is on firmware 2.3.0."),
        ("Noor", "We installed firmware 2.4.1 on the engine."),
        ("Noor", "Firmware 3.0.0 is on the engine now."),
    )
    assert short("Which firmware was on the engine before 3.0.0?", *turns) == "2.4.1"
    assert short("Which firmware was on the engine after 2.3.0?", *turns) == "2.4.1"


QUANTITIES = (
    ("How much does Tulip weigh?", "My dog Tulip weighs 11 kilos and costs me 40 euros a month.", "11 kilos"),
    ("How many times did Noor fail the test?", "I failed the test twice.", "twice"),
    ("How many millimetres of the label are cut off?", "It cuts 4 mm off the label.", "4 mm"),
    ("How long did Noor stay in Lund?", "I stayed in Lund three days a week, for two years.", "two years"),
    ("What did the kayak cost?", "The kayak cost 700 euros.", "700 euros"),
)


@pytest.mark.parametrize(("question", "said", "wanted"), QUANTITIES, ids=[q for q, _, _ in QUANTITIES])
def test_a_quantity_is_told_by_what_it_measures_or_counts(question: str, said: str, wanted: str) -> None:
    assert short(question, ("Noor", said)) == wanted


def test_a_reply_answers_the_question_it_was_given_to() -> None:
    said = (("Elias", "How much was the tyre?"), ("Noor", "85 euros."), ("Noor", "I spent 940 euros, tyre included."))
    hits = [
        Hit(f"t{n}", f"k0:{n}", "k0", who, START + timedelta(minutes=n), text, 1.0)
        for n, (who, text) in enumerate(said)
    ]
    statements = statements_of(hits, {hit.id: ("k0", n) for n, hit in enumerate(hits)})
    found = choose(plan("What did the tyre cost?", START + timedelta(days=1)), statements, START + timedelta(days=1))
    assert found is not None
    assert found.short == "85 euros"
