"""``search``, ``search_turns``, ``search_events``: what was said and what happened, by meaning and by words."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

from graphmem.answer.agent.arguments import SearchArguments, TurnArguments
from graphmem.answer.agent.observing import Found, Mistake, RowText, heading
from graphmem.answer.agent.rows import cut, day, name, quoted
from graphmem.answer.agent.scope import Scope
from graphmem.answer.agent.sources import Sources
from graphmem.answer.agent.tools_lookup import NEAR, event_row
from graphmem.answer.plan import plan as rule_plan
from graphmem.answer.plan import properties_asked
from graphmem.answer.reads import Reads
from graphmem.graph.queries import load
from graphmem.ids import digest
from graphmem.records import Hit
from graphmem.search import EventHit, search_events, search_turns

_OTHER_WORDS = "Try other words for it, leave since and until out, or grep an exact word."
_FEWER = 4
_LONG = 4


async def search(asked: SearchArguments, scope: Scope, sources: Sources) -> Found:
    """Names, properties, events with their evidence, and turns, in one reply."""
    since, until = scope.moment(asked.since, "since"), scope.moment(asked.until, "until")
    hits, events, names, contents = await asyncio.gather(
        turns(asked.query, scope, asked.limit, since, until),
        happened(asked.query, scope, min(asked.limit, _FEWER + 1), since, until),
        scope.similar_names(asked.query, 3),
        scope.contents(),
    )
    known = {each for each, _ in contents.properties}
    made = rule_plan(asked.query, scope.asked_at)
    properties = [each for each in properties_asked(made.terms, made.want, made.form) if each in known][:3]
    near = [row for row in names if row["score"] >= NEAR]
    rows: list[RowText] = []
    if near:
        rows.append(
            lambda s: (
                "names: " + ", ".join(f"{s.entity(r['id'])} {quoted(r['entity'])} ({name(r['type'])})" for r in near)
            )
        )
    if properties:
        rows.append(heading("properties: " + ", ".join(name(each) for each in properties)))
    rows += [turn_row(hit, scope) for hit in hits[:_FEWER]]
    rows += [event_row(hit.event, scope) for hit in events]
    rows += [turn_row(hit, scope) for hit in hits[_FEWER:]]
    found = len(hits) + len(events)
    return Found(f"{len(hits)} turns, {len(events)} events", tuple(rows), found, None if found else _OTHER_WORDS)


async def find_turns(asked: TurnArguments, scope: Scope, sources: Sources) -> Found:
    """Turns by meaning and words, or turns in full."""
    if asked.read:
        return await read_turns(asked.read, scope, sources)
    if not asked.query.strip():
        raise Mistake('search_turns needs query, or read with the handles of turns, as in {"query": "Ana\'s new job"}')
    hits = await turns(
        asked.query,
        scope,
        asked.limit,
        scope.moment(asked.since, "since"),
        scope.moment(asked.until, "until"),
        asked.speaker,
    )
    rows = tuple(turn_row(hit, scope) for hit in hits)
    return Found(f"{len(hits)} turns, best first", rows, len(hits), None if hits else _OTHER_WORDS)


async def find_events(asked: SearchArguments, scope: Scope, sources: Sources) -> Found:
    """Events by meaning and words; since and until are about when they happened."""
    found = await happened(
        asked.query, scope, asked.limit, scope.moment(asked.since, "since"), scope.moment(asked.until, "until")
    )
    rows = tuple(event_row(hit.event, scope) for hit in found)
    return Found(f"{len(found)} events, best first", rows, len(found), None if found else _OTHER_WORDS)


async def turns(
    query: str, scope: Scope, limit: int, since: datetime | None, until: datetime | None, speaker: str | None = None
) -> list[Hit]:
    """The turns that a search finds among those that count."""
    last = scope.before(until)
    if since is not None and since >= last:
        raise Mistake(f"since must lie before until, and nothing after {day(scope.until)} counts; widen the time")
    return await search_turns(
        scope.graph,
        scope.embedder,
        query,
        namespace=scope.namespace,
        limit=limit,
        since=since,
        until=last,
        speaker=speaker,
        settings=scope.searching,
    )


async def happened(
    query: str, scope: Scope, limit: int, since: datetime | None, until: datetime | None
) -> list[EventHit]:
    """The events that a search finds among those told by when it counts."""
    found = await search_events(
        scope.graph,
        scope.embedder,
        query,
        namespace=scope.namespace,
        limit=limit,
        since=since,
        until=until,
        settings=scope.searching,
    )
    return [hit for hit in found if any(words.said_at <= scope.until for words in hit.event.evidence)]


async def read_turns(handles: Sequence[str], scope: Scope, sources: Sources) -> Found:
    """Turns in full with the turn before and after each, in the order in which they were said."""
    wanted = []
    for handle in handles[:_LONG]:
        source = sources.find(handle)
        if source is None or not source.words:
            raise Mistake(f"No tool has returned {quoted(handle[:40])} yet; read takes handles such as t1, v2 or q3.")
        wanted += (
            [await _hit_of(source.id, scope)]
            if source.kind == "turn"
            else await _hits_of(source.words[0].turn_id, source.words[0].session_id, scope)
        )
    reads = Reads(scope.graph, scope.embedder, scope.namespace, scope.until, scope.known_at)
    chosen = [hit for hit in wanted if hit is not None]
    beside, places = await reads.around(chosen)
    every = {hit.id: hit for hit in (*chosen, *beside)}
    ordered = sorted(every.values(), key=lambda hit: places.get(hit.id, ("", 0)))
    full = {hit.id for hit in chosen}
    rows = tuple(turn_row(hit, scope, longest=4000 if hit.id in full else None) for hit in ordered)
    return Found(f"{len(rows)} turns in order", rows, len(rows))


def turn_row(hit: Hit, scope: Scope, longest: int | None = None) -> RowText:
    """A turn in one line: handle, day, speaker, words, and what was shown with it."""
    return lambda sources: turn_line(hit, sources, scope.settings.quote_characters if longest is None else longest)


def turn_line(hit: Hit, sources: Sources, longest: int, *, dated: bool = True) -> str:
    """The same as text."""
    handle = sources.turn(hit)
    shown = "".join(f" [{name(each.kind)}: {cut(each.caption, 80)}]" for each in hit.attachments if each.caption)
    when = f"{day(hit.said_at)} " if dated else ""
    return f"{handle} {when}{quoted(hit.speaker)}: {cut(hit.text, longest, handle)}{shown}"


async def _hit_of(identifier: str, scope: Scope) -> Hit | None:
    rows = await scope.graph.read(load("search/turns_shown"), ids=[identifier])
    if not rows or rows[0]["said_at"] > scope.until.astimezone(UTC):
        return None
    row = rows[0]
    return Hit(row["id"], row["turn_id"], row["session_id"], row["speaker"], row["said_at"], row["text"], 1.0)


async def _hits_of(turn_id: str, session_id: str, scope: Scope) -> list[Hit | None]:
    rows = await scope.graph.read(
        load("read/turns_of_sessions"), session_ids=[digest("session", scope.namespace, session_id)]
    )
    found = [row["id"] for row in rows if row["source_id"] == turn_id]
    return [await _hit_of(found[-1], scope)] if found else []
