"""Values with their periods answer by form: what holds, what held, what came before and after, since when and how many."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graphmem.answer.choice import Choice
from graphmem.answer.compose import answer_text
from graphmem.answer.from_facts import from_facts
from graphmem.answer.hops import hopped
from graphmem.answer.plan import Name, plan
from graphmem.graph.read import Period
from graphmem.records import Citation, FactView, Interval

NOW = datetime(2024, 6, 1, tzinfo=UTC)
NAMES = tuple(Name(name, name, "Person") for name in ("Noor", "Elias"))


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def period(
    subject: str,
    name: str,
    value: str,
    start: str,
    end: str | None = None,
    quote: str = "",
    cardinality: str = "one",
    stated: bool = True,
    conflicts: tuple[FactView, ...] = (),
) -> Period:
    words = quote or f"{value}."
    said_at = day(start)
    cited = Citation(f"turn {value}", "k1", subject, said_at, words, 0, len(words))
    valid = Interval(day(start), None if end is None else day(end), "day", stated, end is not None)
    fact = FactView(
        f"fact {value}", subject, name, value, valid, said_at, said_at, "holds", 0.8, False, False, (cited,), conflicts
    )
    return Period(fact, subject, cardinality, value.casefold(), (fact.id,), None, said_at)


HOMES = (
    period("Noor", "lives_in", "Utrecht", "2022-02-05", "2023-05-03", stated=False),
    period("Noor", "lives_in", "Malmö", "2023-05-03", "2024-02-01"),
    period("Noor", "lives_in", "Lund", "2024-02-01"),
)
PETS = (
    period("Noor", "has_pet", "Tulip", "2023-01-01", quote="My dog Tulip sleeps.", cardinality="many"),
    period("Noor", "has_pet", "Mist", "2023-02-01", quote="My cat Mist does not.", cardinality="many"),
    period("Noor", "has_pet", "dog", "2023-01-01", quote="I have a dog.", cardinality="many"),
)
KINDS = {"tulip": "dog", "mist": "cat"}
DIETS = (
    period("Noor", "diet", "vegan", "2022-01-01", "2024-01-01"),
    period("Elias", "diet", "vegan", "2023-01-01"),
)


def found(question: str, periods: tuple[Period, ...], anchor_at: datetime | None = None) -> Choice | None:
    made = plan(question, NOW, [name for name in NAMES if name.text in question])
    return from_facts(made, periods, KINDS, NOW, anchor_at)


CASES = (
    ("Where does Noor live?", HOMES, "Lund"),
    ("Where did Noor live in June 2023?", HOMES, "Malmö"),
    ("Where did Noor live before Lund?", HOMES, "Malmö"),
    ("Where did Noor live after Utrecht?", HOMES, "Malmö"),
    ("Where did Noor live first?", HOMES, "Utrecht"),
    ("How many pets does Noor have?", PETS, "Two (2): Tulip and Mist"),
    ("What is the name of Noor's dog?", PETS, "Tulip"),
    ("Who else is vegan besides Noor?", DIETS, "Elias"),
)


@pytest.mark.parametrize(("question", "periods", "short"), CASES, ids=[q for q, _, _ in CASES])
def test_a_form_reads_the_row_of_values(question: str, periods: tuple[Period, ...], short: str) -> None:
    choice = found(question, periods)
    assert choice is not None
    assert choice.short == short
    assert choice.citations


def test_the_answer_shows_its_interval_with_years() -> None:
    choice = found("Where did Noor live in June 2023?", HOMES)
    assert choice is not None
    assert answer_text(choice).startswith("Malmö (3 May 2023 to 31 January 2024) — Noor, 3 May 2023: “Malmö.”")


def test_a_time_before_anything_known_is_said_to_be_unknown() -> None:
    choice = found("Where did Noor live in 2020?", HOMES)
    assert choice is not None
    assert "not known before 5 February 2022" in answer_text(choice)


def test_what_holds_no_more_is_said_to_be_over() -> None:
    choice = found("Is Noor vegan?", DIETS)
    assert choice is not None
    assert choice.short is not None
    assert choice.short.startswith("No")
    assert "31 December 2023" in answer_text(choice)


def test_before_an_event_is_what_held_when_it_happened() -> None:
    choice = found("Where did Noor live before the concert?", HOMES, anchor_at=day("2024-01-15"))
    assert choice is not None
    assert choice.short == "Malmö"


def test_how_long_counts_from_a_stated_start() -> None:
    choice = found("How long has Elias been vegan?", DIETS)
    assert choice is not None
    assert choice.short is not None
    assert "since 1 January 2023" in choice.short


def test_a_conflict_is_said() -> None:
    lost = period("Noor", "salary", "2,000 euros", "2024-01-01").fact
    choice = found(
        "What is Noor's salary?", (period("Noor", "salary", "2,600 euros", "2024-02-01", conflicts=(lost,)),)
    )
    assert choice is not None
    assert "Conflict: 2,000 euros" in answer_text(choice)


def test_facts_of_somebody_else_or_of_another_kind_do_not_answer() -> None:
    assert found("Where does Elias live?", HOMES) is None
    assert found("What is the name of Noor's parrot?", PETS) is None


BROTHER = (period("Noor", "has_brother", "Edda", "2023-01-01", quote="My brother Edda came.", cardinality="many"),)
THROUGH = (
    ("Where does Noor's brother work?", "Where does Edda work?"),
    ("When did Noor's brother move?", "When did Edda move?"),
    ("What does Noor's little brother eat?", "What does Edda eat?"),
)


@pytest.mark.parametrize(("question", "goes_on"), THROUGH, ids=[question for question, _ in THROUGH])
def test_a_question_about_somebodys_kin_goes_on_about_whoever_that_is(question: str, goes_on: str) -> None:
    further = hopped(plan(question, NOW, [NAMES[0]]), BROTHER, {}, NOW)
    assert further is not None
    assert (further.question, further.subjects) == (goes_on, ("Edda",))


def test_of_two_brothers_nobody_is_meant() -> None:
    two = (*BROTHER, period("Noor", "has_brother", "Runo", "2023-01-01", quote="My brother Runo.", cardinality="many"))
    assert hopped(plan("Where does Noor's brother work?", NOW, [NAMES[0]]), two, {}, NOW) is None
