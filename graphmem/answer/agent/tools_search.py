"""``search``, ``search_turns``, ``search_events``: what was said and what happened, by meaning and by words."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

from graphmem.answer.agent.arguments import SearchArguments, TurnArguments
from graphmem.answer.agent.lines import event_row, turn_row
from graphmem.answer.agent.observing import Found, Mistake, RowText, heading
from graphmem.answer.agent.rows import day, name, quoted
from graphmem.answer.agent.scope import Scope
from graphmem.answer.agent.sources import Source, Sources
from graphmem.answer.agent.tools_lookup import NEAR, candidate
from graphmem.answer.plan import plan as rule_plan
from graphmem.answer.plan import properties_asked
from graphmem.answer.reads import Reads
from graphmem.graph.queries import load
from graphmem.ids import digest
from graphmem.records import Hit
from graphmem.search import EventHit, search_events, search_turns

FIRST_TURNS = 4
"""So many turns come before the events in the reply of ``search``."""
MOST_EVENTS = 5
MOST_READ = 4
"""Turns that are read in full at once."""
LONGEST_READ = 4000
"""Characters of a turn that is read in full."""
_OTHER_WORDS = "Try other words for it, leave since and until out, or grep an exact word."


async def search(asked: SearchArguments, scope: Scope, sources: Sources) -> Found:
    """Names, properties, events with their evidence, and turns, in one reply."""
    since, until = _times(asked, scope)
    hits, events, names, properties = await asyncio.gather(
        turns(asked.query, scope, asked.limit, since, until),
        happened(asked.query, scope, min(asked.limit, MOST_EVENTS), since, until),
        scope.similar_names(asked.query, 3),
        _properties(asked.query, scope),
    )
    near = [row for row in names if row["score"] >= NEAR]
    longest = scope.settings.quote_characters
    rows: list[RowText] = []
    if near:
        named = [candidate(row["id"], row["entity"], row["type"]) for row in near]
        rows.append(lambda sources: "names: " + ", ".join(write(sources) for write in named))
    if properties:
        rows.append(heading("properties: " + ", ".join(name(each) for each in properties)))
    rows += [turn_row(hit, longest) for hit in hits[:FIRST_TURNS]]
    rows += [event_row(hit.event, longest) for hit in events]
    rows += [turn_row(hit, longest) for hit in hits[FIRST_TURNS:]]
    found = len(hits) + len(events)
    return Found(f"{len(hits)} turns, {len(events)} events", tuple(rows), found, None if found else _OTHER_WORDS)


async def find_turns(asked: TurnArguments, scope: Scope, sources: Sources) -> Found:
    """Turns by meaning and words, or turns in full."""
    if asked.read:
        return await _read(asked.read, scope, sources)
    if not asked.query.strip():
        raise Mistake('search_turns needs query, or read with the handles of turns, as in {"query": "Ana\'s new job"}')
    since, until = _times(asked, scope)
    hits = await turns(asked.query, scope, asked.limit, since, until, asked.speaker)
    rows = tuple(turn_row(hit, scope.settings.quote_characters) for hit in hits)
    return Found(f"{len(hits)} turns, best first", rows, len(hits), None if hits else _OTHER_WORDS)


async def find_events(asked: SearchArguments, scope: Scope, sources: Sources) -> Found:
    """Events by meaning and words; since and until are about when they happened."""
    since, until = _times(asked, scope)
    found = await happened(asked.query, scope, asked.limit, since, until)
    rows = tuple(event_row(hit.event, scope.settings.quote_characters) for hit in found)
    return Found(f"{len(found)} events, best first", rows, len(found), None if found else _OTHER_WORDS)


async def turns(
    query: str, scope: Scope, limit: int, since: datetime | None, until: datetime | None, speaker: str | None = None
) -> list[Hit]:
    """The turns that a search finds among those that count."""
    last = scope.before(until)
    if since is not None and since >= last:
        raise Mistake(f"since must lie before until, and nothing said after {day(scope.until)} counts; widen the time")
    found = await search_turns(
        scope.graph,
        scope.embedder,
        query,
        namespace=scope.namespace,
        limit=scope.wider(limit),
        since=since,
        until=last,
        speaker=speaker,
        asked_at=scope.asked_at,
        settings=scope.searching,
    )
    counting = await scope.counting([hit.id for hit in found])
    return [hit for hit in found if hit.id in counting][:limit]


async def happened(
    query: str, scope: Scope, limit: int, since: datetime | None, until: datetime | None
) -> list[EventHit]:
    """The events that a search finds among those told by when it counts."""
    found = await search_events(
        scope.graph,
        scope.embedder,
        query,
        namespace=scope.namespace,
        limit=scope.wider(limit),
        since=since,
        until=until,
        settings=scope.searching,
    )
    counting = await scope.counting([hit.event.id for hit in found])
    told = [hit for hit in found if any(words.said_at <= scope.until for words in hit.event.evidence)]
    return [hit for hit in told if hit.event.id in counting][:limit]


async def _properties(query: str, scope: Scope) -> list[str]:
    """The properties of the namespace that a query's words ask for."""
    made = rule_plan(query, scope.asked_at)
    known = {each for each, _ in (await scope.contents()).properties}
    return [each for each in properties_asked(made.terms, made.want, made.form) if each in known][:3]


async def _read(handles: Sequence[str], scope: Scope, sources: Sources) -> Found:
    """Turns in full with the turn before and after each, in the order in which they were said."""
    chosen: list[Hit] = []
    for handle in handles[:MOST_READ]:
        source = sources.find(handle)
        if source is None or not source.words:
            raise Mistake(
                f"No tool has returned {quoted(handle[:40])}; read takes handles of an observation, as t1, v2 or q3."
            )
        chosen += await _turn_of(source, scope)
    reads = Reads(scope.graph, scope.embedder, scope.namespace, scope.until, scope.known_at)
    beside, places = await reads.around(chosen)
    full = {hit.id for hit in chosen}
    counting = await scope.counting([hit.id for hit in (*chosen, *beside)])
    unique = {hit.id: hit for hit in (*chosen, *beside) if hit.id in counting}
    ordered = sorted(unique.values(), key=lambda hit: places.get(hit.id, ("", 0)))
    short = scope.settings.quote_characters
    rows = tuple(turn_row(hit, LONGEST_READ if hit.id in full else short) for hit in ordered)
    return Found(f"{len(rows)} turns in order", rows, len(rows))


async def _turn_of(source: Source, scope: Scope) -> list[Hit]:
    """The turn that a source is, or in which its words stand; none if it was said too late to count."""
    identifier = source.id
    if source.kind != "turn":
        words = source.words[0]
        session = digest("session", scope.namespace, words.session_id)
        rows = await scope.graph.read(load("read/turns_of_sessions"), session_ids=[session])
        same = [row["id"] for row in rows if row["source_id"] == words.turn_id]
        if not same:
            return []
        identifier = same[-1]
    rows = await scope.graph.read(load("search/turns_shown"), ids=[identifier])
    return [
        Hit(row["id"], row["turn_id"], row["session_id"], row["speaker"], row["said_at"], row["text"], 1.0)
        for row in rows
        if row["said_at"] <= scope.until.astimezone(UTC)
    ]


def _times(asked: SearchArguments | TurnArguments, scope: Scope) -> tuple[datetime | None, datetime | None]:
    return scope.moment(asked.since, "since"), scope.moment(asked.until, "until")
