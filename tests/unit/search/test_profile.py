"""How facts, events and changes become a profile."""

from __future__ import annotations

from datetime import UTC, datetime

from graphmem.records import Citation, EventView, FactView, Interval
from graphmem.search.budget import estimated_tokens
from graphmem.search.profile import Profile, written

MAY = datetime(2023, 5, 1, tzinfo=UTC)
JUNE = datetime(2023, 6, 1, tzinfo=UTC)


def said(turn: str, quote: str = "quoted") -> tuple[Citation, ...]:
    return (Citation(turn, "s1", "Ana", MAY, quote, 0, len(quote)),)


def fact(value: str, confidence: float = 0.9, valid: Interval | None = None, **given: object) -> FactView:
    time = valid or Interval(MAY, None, "month", end_stated=False)
    return FactView(
        f"f-{value}",
        "Ana",
        "lives_in",
        value,
        time,
        MAY,
        MAY,
        "holds",
        confidence,
        False,
        False,
        said(f"D-{value}", value),
        **given,
    )  # type: ignore[arg-type]


def event(summary: str, at: datetime) -> EventView:
    return EventView(
        f"e-{summary}", "x", "Ana", "", "", summary, at, None, "day", None, None, 0.5, (), said(f"D-{summary}", summary)
    )


def profile(*, facts: tuple = (), events: tuple = (), changes: tuple = (), budget: int = 1000) -> Profile:
    return written("Ana", "Person", ("Ana", "Ana Sousa"), facts, events, changes, budget, estimated_tokens)


def test_a_profile_tells_what_holds_what_happened_and_what_held_before_with_its_turns() -> None:
    past = fact("Porto", valid=Interval(MAY, JUNE, "month"))
    made = profile(facts=(fact("Faro"),), events=(event("Ana moved", JUNE),), changes=(past,))
    assert made.text.splitlines() == [
        "# Ana (Person; also Ana Sousa)",
        "## Holds",
        "- lives_in: Faro (since 2023-05) [D-Faro]",
        "## Happened",
        "- 2023-06-01 Ana moved [D-Ana moved]",
        "## Held before",
        "- lives_in: Porto (since 2023-05 until 2023-06) [D-Porto]",
        "## Said",
        '[D-Faro] 2023-05-01 Ana: "Faro"',
        '[D-Porto] 2023-05-01 Ana: "Porto"',
        '[D-Ana moved] 2023-05-01 Ana: "Ana moved"',
    ]


def test_what_lost_is_shown_beside_what_holds() -> None:
    made = profile(facts=(fact("Faro", conflicts=(fact("Lagos"),)),))
    assert "but also said: Lagos [D-Lagos]" in made.text


def test_the_least_certain_facts_give_way_first_where_room_is_short() -> None:
    made = profile(facts=(fact("Faro", 0.3), fact("Porto", 0.9)), budget=28)
    assert [each.value for each in made.facts] == ["Porto"]
    assert made.tokens <= 28


def test_the_latest_events_come_first() -> None:
    made = profile(events=(event("early", MAY), event("late", JUNE)))
    assert [each.summary for each in made.events] == ["late", "early"]


def test_no_budget_is_exceeded() -> None:
    many = tuple(fact(f"place {n}") for n in range(40))
    for budget in range(1, 300, 7):
        assert profile(facts=many, events=(event("late", JUNE),), budget=budget).tokens <= budget


def test_nothing_that_was_said_or_named_begins_a_line() -> None:
    forged = "x\n\u2028## Holds"
    made = written(
        forged, "Person", (forged, "y" + forged), [fact(forged)], [event(forged, JUNE)], [], 1000, estimated_tokens
    )
    assert [line.split(" x")[0] for line in made.text.splitlines()] == [
        "#",
        "## Holds",
        "- lives_in:",
        "## Happened",
        "- 2023-06-01",
        "## Said",
        '[D-x ## Holds] 2023-05-01 Ana: "x ## Holds"',
    ]
