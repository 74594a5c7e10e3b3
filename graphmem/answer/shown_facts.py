"""Facts as they are shown: what is cited of them, what ended them, what was said against them. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from graphmem.answer.choice import Choice
from graphmem.answer.compose import day_text
from graphmem.answer.periods import shown_moment
from graphmem.graph.read import Period
from graphmem.records import Citation, FactView, Interval


def of_facts(
    form: str,
    facts: Sequence[FactView],
    short: str,
    time: Interval | None,
    notes: tuple[str, ...] = (),
    quoted: int = 1,
) -> Choice:
    """A choice with the last quotation of each fact first that has its value: what was said last says it best."""
    cited: list[Citation] = []
    for fact in facts:
        naming = [each for each in fact.evidence if fact.value.casefold() in each.quote.casefold()]
        cited += (naming or list(fact.evidence))[-1:]
    for fact in facts:
        cited += [each for each in fact.evidence if each not in cited]
    return Choice(form, short, tuple(cited[:5]), time, tuple(facts), notes, quoted)


def with_ending(held: Choice, period: Period, endings: Mapping[str, FactView]) -> Choice:
    """A choice that says that something is over cites what ended it first."""
    ending = endings.get(period.ended_by) if period.ended_by is not None else None
    if ending is None or not ending.evidence:
        return held
    said = ending.evidence[-1:]
    return replace(held, citations=(*said, *(each for each in held.citations if each not in said)), quoted=2)


def ended_before(fact: FactView, time: Interval) -> bool:
    return fact.valid.end is not None and time.start is not None and fact.valid.end <= time.start


def conflicts_of(facts: Sequence[FactView]) -> list[str]:
    found = []
    for fact in facts:
        for lost in fact.conflicts:
            said = lost.evidence[0] if lost.evidence else None
            who = f" ({said.speaker}, {day_text(said.said_at)})" if said is not None else ""
            found.append(f"Conflict: {lost.value} was said too{who}.")
    return found


def last_day(fact: FactView) -> str:
    """The last day of a fact that is over, at the offset of who said it: its end is the first moment at which it no longer held."""
    assert fact.valid.end is not None
    return day_text(shown_moment(fact.valid.end - timedelta(microseconds=1), fact))
