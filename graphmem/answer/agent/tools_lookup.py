"""``entity_lookup``: from a name to the candidates that bear it, and of the best one its facts, their history, conflicts and events."""

from __future__ import annotations

import asyncio
import difflib
from collections.abc import Sequence
from datetime import datetime

from graphmem.answer.agent.arguments import LookupArguments
from graphmem.answer.agent.observing import Found, Mistake, RowText, heading
from graphmem.answer.agent.rows import cut, day, held, name, quoted, span
from graphmem.answer.agent.scope import Scope
from graphmem.answer.agent.sources import Sources
from graphmem.answer.words import alike, content, stem_set, stems_of, witnesses, words_of
from graphmem.graph import read, read_changes, read_events
from graphmem.graph.read import EntityView, FactsResult
from graphmem.graph.read_changes import Conflict
from graphmem.records import Citation, EventView, FactView

MOST_EVENTS = 12
NEAR = 0.6
"""Least cosine (as the index gives it, from 0 to 1) at which another name is offered as meant."""


async def lookup(asked: LookupArguments, scope: Scope, sources: Sources) -> Found:
    """Runs the tool."""
    known = sources.find(asked.name)
    by_id = [known.id] if known is not None and known.kind == "entity" else []
    views = await read.entities(
        scope.graph, scope.namespace, () if by_id else (asked.name,), ids=by_id, known_at=scope.known_at
    )
    if not views:
        return await _nearest(asked.name, scope)
    view = views[0]
    await _known_properties(asked.properties, scope)
    as_of = scope.moment(asked.as_of, "as_of") or scope.as_of
    subjects = (
        [each for other in views if other.name == view.name for each in other.ids] if len(views) > 1 else view.ids
    )
    facts, periods, denied, conflicts, events = await asyncio.gather(
        _facts(scope, view.ids, asked.properties, as_of),
        read.periods(
            scope.graph, scope.namespace, view.ids, asked.properties, said_by=scope.until, known_at=scope.known_at
        ),
        read_changes.denials(
            scope.graph,
            scope.namespace,
            view.ids,
            asked.properties,
            as_of=as_of,
            said_by=scope.until,
            known_at=scope.known_at,
        ),
        read_changes.conflicts(
            scope.graph, scope.namespace, view.ids, asked.properties, said_by=scope.until, known_at=scope.known_at
        ),
        read_events.events(scope.graph, scope.namespace, subjects, said_by=scope.until, known_at=scope.known_at),
    )
    current = facts.facts
    shown = {fact.id for fact in current}
    earlier = [one.fact for one in periods if one.fact.id not in shown]
    wanted = _stems(scope.question)
    rows: list[RowText] = [*(_other(each) for each in views[1:4])]
    rows += _group(f"Holds{_at(as_of)}:", [_fact(each, scope) for each in _ranked_facts(current, wanted)[:_HALF]])
    rows += _group("Conflicts:", [_conflict(each, scope) for each in conflicts[:4]])
    rows += _group("History:", [_fact(each, scope) for each in _ranked_facts(earlier, wanted)])
    rows += _group("Said not to be so (any more):", [_denied(each, scope) for each in denied[:4]])
    rows += _group(
        "Not known at that time, only from later on:",
        [_later(one.subject, one.property, one.value, one.since) for one in facts.not_known_before[:4]],
    )
    rows += _group("More that holds:", [_fact(each, scope) for each in _ranked_facts(current, wanted)[_HALF:]])
    rows += _group("Events:", [event_row(each, scope) for each in _ranked_events(events, wanted)[:MOST_EVENTS]])
    handle = sources.entity(view.id)
    also = ", ".join(quoted(each) for each in view.aliases if each != view.name)
    head = f"{handle} {quoted(view.name)} ({name(view.type)}{'; also ' + also if also else ''}); {len(current)} facts hold, {len(events)} events"
    if asked.properties and not (current or earlier or denied):
        hint = "It has no such property; call entity_lookup without properties, or search."
        return Found(head, tuple(rows), len(events), hint, _MORE)
    return Found(head, tuple(rows), len(current) + len(earlier) + len(events), None, _MORE)


_HALF = 8
_MORE = "give properties, or search_events with words"


async def _facts(scope: Scope, ids: Sequence[str], properties: Sequence[str], as_of: datetime | None) -> FactsResult:
    return await read.facts(
        scope.graph,
        scope.namespace,
        ids,
        properties,
        as_of=as_of,
        said_by=scope.until,
        known_at=scope.known_at,
        precision="day" if as_of is not None else "instant",
    )


async def _nearest(asked: str, scope: Scope) -> Found:
    """No entity of this name: those that it may have meant."""
    rows = [row for row in await scope.similar_names(asked) if row["score"] >= NEAR]

    def candidate(identifier: str, text: str, kind: str) -> RowText:
        return lambda sources: f"{sources.entity(identifier)} {quoted(text)} ({name(kind)})"

    head = f"Nobody and nothing is called {quoted(asked)}."
    if not rows:
        return Found(head, (), 0, "Search for it: it may be spoken of without being an entity.")
    found = tuple(candidate(row["id"], row["entity"], row["type"]) for row in rows)
    return Found(head + " Nearest names:", found, 0, "Look one of these up by its handle if it is meant; else search.")


async def _known_properties(asked: Sequence[str], scope: Scope) -> None:
    """Raises Mistake for properties that the namespace does not have, with the nearest ones."""
    if not asked:
        return
    known = [each for each, _ in (await scope.contents()).properties]
    for each in asked:
        if each not in known and len(known) < 60:
            near = difflib.get_close_matches(each, known, n=3, cutoff=0.5) or _by_words(each, known)
            told = (
                f"the nearest are {', '.join(map(name, near))}"
                if near
                else f"there are {', '.join(map(name, known[:20]))}"
            )
            raise Mistake(f"No fact has the property {quoted(each)}; {told}. Or leave properties out.")


def _by_words(asked: str, known: Sequence[str]) -> list[str]:
    stems = set(stems_of(asked.replace("_", " ")))
    stems |= {other for each in stems for other in witnesses(each) | alike(each)}
    return [each for each in known if stems & set(stems_of(each.replace("_", " ")))][:3]


def _group(title: str, rows: Sequence[RowText]) -> list[RowText]:
    return [heading(title), *rows] if rows else []


def _at(as_of: datetime | None) -> str:
    return "" if as_of is None else f" on {as_of.date().isoformat()}"


def _other(view: EntityView) -> RowText:
    return lambda sources: (
        f"another of that name: {sources.entity(view.id)} {quoted(view.name)} ({name(view.type)}), {view.facts} facts"
    )


def _fact(fact: FactView, scope: Scope) -> RowText:
    return lambda sources: fact_line(fact, sources, scope.settings.quote_characters)


def fact_line(fact: FactView, sources: Sources, longest: int) -> str:
    """A fact in one line: handle, property, value, when it held, and the words it rests on last said."""
    zone = fact.evidence[-1].said_at.tzinfo if fact.evidence else None
    unit = f" {quoted(fact.unit)}" if fact.unit else ""
    when = held(fact.valid.start, fact.valid.end, start_stated=fact.valid.start_stated, zone=zone)
    doubt = " possibly" if fact.possibly else ""
    handle = sources.fact(fact)
    return f"{handle} {name(fact.property)} {quoted(fact.value)}{unit} {when}{doubt}{words_of_evidence(fact.evidence, sources, longest)}"


def words_of_evidence(evidence: Sequence[Citation], sources: Sources, longest: int) -> str:
    """The last of the quotations that something rests on, and how many there are besides."""
    if not evidence:
        return ""
    last = max(evidence, key=lambda each: each.said_at)
    more = f" +{len(evidence) - 1}" if len(evidence) > 1 else ""
    return f" | {sources.quotation(last)}{more} {quoted(last.speaker)} {day(last.said_at)} {cut(last.quote, longest)}"


def _denied(fact: FactView, scope: Scope) -> RowText:
    return lambda sources: f"{fact.polarity}: {fact_line(fact, sources, scope.settings.quote_characters)}"


def _later(subject: str, property_: str, value: str, since: datetime) -> RowText:
    return lambda _: f"{quoted(subject)} {name(property_)} {quoted(value)}, known from {day(since)}"


def _conflict(conflict: Conflict, scope: Scope) -> RowText:
    def write(sources: Sources) -> str:
        sources.conflict(conflict)
        won, lost = conflict.preferred, conflict.other
        return (
            f"{sources.fact(won)} {name(won.property)} {quoted(won.value)} counts, not {fact_line(lost, sources, scope.settings.quote_characters)}"
            f" (because: {conflict.because})"
        )

    return write


def event_row(event: EventView, scope: Scope) -> RowText:
    """An event in one line, as a row."""
    return lambda sources: event_line(event, sources, scope.settings.quote_characters)


def event_line(event: EventView, sources: Sources, longest: int) -> str:
    """An event in one line: handle, when, what, and the words it rests on."""
    zone = event.evidence[-1].said_at.tzinfo if event.evidence else None
    when = span(event.starts_at, event.ends_at, event.granularity, zone)
    vague = "" if event.time_expression else " (day it was told)" if event.starts_at is not None else ""
    kind = f" [{name(event.kind)}]" if event.kind not in ("event", "movement") else ""
    evidence = words_of_evidence(event.evidence, sources, longest)
    return f"{sources.event(event)} {when}{vague}{kind} {cut(event.summary, longest)}{evidence}"


def _ranked_facts(facts: Sequence[FactView], wanted: frozenset[str]) -> list[FactView]:
    """Facts that share words with the question first, then the latest."""
    return sorted(
        facts,
        key=lambda fact: (-_shared(wanted, fact.property.replace("_", " "), fact.value), -_time(fact.valid.start)),
    )


def _ranked_events(events: Sequence[EventView], wanted: frozenset[str]) -> list[EventView]:
    """The events nearest to the question in words, in the order in which they happened."""
    best = sorted(events, key=lambda event: (-_shared(wanted, event.summary), -_time(event.starts_at)))[:MOST_EVENTS]
    return sorted(best, key=lambda event: (-min(_shared(wanted, event.summary), 1), _time(event.starts_at)))


def _shared(wanted: frozenset[str], *texts: str) -> int:
    return len(wanted & {stem for text in texts for stem in stems_of(text)})


def _stems(question: str) -> frozenset[str]:
    """The stems of a question's content words and of what may stand for them, names of the asked-about left in."""
    own = {word.stem for word in content(words_of(question))} - stem_set("function_words")
    return frozenset(own | {other for each in own for other in alike(each) | witnesses(each)})


def _time(moment: datetime | None) -> float:
    return 0.0 if moment is None else (moment.toordinal() * 86400.0 + moment.hour * 3600 + moment.minute * 60)
