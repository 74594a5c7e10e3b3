"""Invented turns, quotations, facts and events for the tests of the answering loop without a database."""

from __future__ import annotations

from datetime import UTC, datetime

from graphmem.records import Citation, EventView, FactView, Hit, Interval

SAID = datetime(2023, 5, 20, 9, tzinfo=UTC)


def a_turn(text: str, number: int = 1, speaker: str = "Mara", said_at: datetime = SAID) -> Hit:
    """A turn."""
    return Hit(f"{number:032x}", f"s1:{number}", "s1", speaker, said_at, text, 1.0)


def a_quotation(
    words: str, number: int = 1, speaker: str = "Mara", start: int = 0, said_at: datetime = SAID
) -> Citation:
    """A quotation of the turn of that number."""
    return Citation(f"s1:{number}", "s1", speaker, said_at, words, start, start + len(words), f"e{number}")


def a_fact(
    value: str, *evidence: Citation, subject: str = "Mara", property: str = "lives_in", start: datetime | None = SAID
) -> FactView:
    """A fact that rests on these quotations."""
    valid = Interval(start, None, "day", True, False)
    return FactView(
        f"fact-{subject}-{value}", subject, property, value, valid, SAID, SAID, "holds", 0.8, False, False, evidence
    )


def an_event(summary: str, *evidence: Citation, at: datetime = SAID) -> EventView:
    """An event that rests on these quotations."""
    return EventView(
        f"event-{summary}", "event", "Mara", "do", "it", summary, at, at, "day", "on that day", "rule", 0.8, ("Mara",), evidence
    )  # fmt: skip
