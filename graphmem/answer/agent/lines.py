"""Facts, events and turns in one line each, with their handles and the words they rest on: what tools' rows are made of."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.answer.agent.observing import RowText
from graphmem.answer.agent.rows import cut, day, held, name, quoted, span
from graphmem.answer.agent.sources import Sources
from graphmem.graph.read_changes import Conflict
from graphmem.records import Citation, EventView, FactView, Hit

CAPTION = 80
"""Characters of what was shown with a turn."""
REPEATED = 1000
"""A turn that was shown before is only named, unless more of it than so many characters is asked for."""


def fact_line(fact: FactView, sources: Sources, longest: int) -> str:
    """A fact: handle, property, value, when it held, and the words it rests on, those said last."""
    zone = fact.evidence[-1].said_at.tzinfo if fact.evidence else None
    unit = f" {quoted(fact.unit)}" if fact.unit else ""
    when = held(fact.valid.start, fact.valid.end, start_stated=fact.valid.start_stated, zone=zone)
    doubt = " possibly" if fact.possibly else ""
    evidence = words_of_evidence(fact.evidence, sources, longest)
    return f"{sources.fact(fact)} {name(fact.property)} {quoted(fact.value)}{unit} {when}{doubt}{evidence}"


def _conflict(conflict: Conflict, sources: Sources, longest: int) -> str:
    """Two facts that disagree: which one counts, which does not, and why."""
    sources.conflict(conflict)
    won, lost = conflict.preferred, conflict.other
    return (
        f"{sources.fact(won)} {name(won.property)} {quoted(won.value)} counts, not {fact_line(lost, sources, longest)}"
        f" (because: {conflict.because})"
    )


def _event(event: EventView, sources: Sources, longest: int) -> str:
    """An event: handle, when, what, and the words it rests on. A time that nobody stated is that of the telling, and says so."""
    zone = event.evidence[-1].said_at.tzinfo if event.evidence else None
    when = span(event.starts_at, event.ends_at, event.granularity, zone)
    told = " (told then)" if event.starts_at is not None and not event.time_expression else ""
    kind = "" if event.kind in ("event", "movement") else f" [{name(event.kind)}]"
    evidence = words_of_evidence(event.evidence, sources, longest)
    return f"{sources.event(event)} {when}{told}{kind} {cut(event.summary, longest)}{evidence}"


def words_of_evidence(evidence: Sequence[Citation], sources: Sources, longest: int) -> str:
    """The last of the quotations that something rests on, and how many there are besides. Words that stand above are not repeated."""
    if not evidence:
        return ""
    last = max(evidence, key=lambda each: each.said_at)
    more = f" +{len(evidence) - 1}" if len(evidence) > 1 else ""
    before = sources.shown("quotation", last.evidence_id)
    if before is not None:
        return f" | {before}{more}"
    return f" | {sources.quotation(last)}{more} {quoted(last.speaker)} {day(last.said_at)} {cut(last.quote, longest)}"


def _turn(hit: Hit, sources: Sources, longest: int, *, dated: bool = True, at: int = 0) -> str:
    """A turn: handle, day, speaker, words (those around ``at`` where they are cut), and captions of what was shown with it."""
    before = sources.shown("turn", hit.id)
    if before is not None and longest <= REPEATED:
        return f"{before} {day(hit.said_at)} {quoted(hit.speaker)}: (as above)"
    handle = sources.turn(hit)
    shown = "".join(f" [{name(each.kind)}: {cut(each.caption, CAPTION)}]" for each in hit.attachments if each.caption)
    when = f"{day(hit.said_at)} " if dated else ""
    return f"{handle} {when}{quoted(hit.speaker)}: {cut(hit.text, longest, handle, at)}{shown}"


def fact_row(fact: FactView, longest: int) -> RowText:
    """``fact_line`` as a row."""
    return lambda sources: fact_line(fact, sources, longest)


def denied_row(fact: FactView, longest: int) -> RowText:
    """An ending or a denial as a row."""
    return lambda sources: f"{fact.polarity}: {fact_line(fact, sources, longest)}"


def conflict_row(conflict: Conflict, longest: int) -> RowText:
    """Two facts that disagree as a row."""
    return lambda sources: _conflict(conflict, sources, longest)


def event_row(event: EventView, longest: int) -> RowText:
    """An event as a row."""
    return lambda sources: _event(event, sources, longest)


def turn_row(hit: Hit, longest: int, *, dated: bool = True, at: int = 0) -> RowText:
    """A turn as a row; the session's heading can give its day (``dated`` False), and ``at`` is where it is kept when it is cut."""
    return lambda sources: _turn(hit, sources, longest, dated=dated, at=at)
