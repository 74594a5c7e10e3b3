"""``grep_turns`` and ``grep_events``: every turn or event that holds an exact text, in any case, oldest first. Read through the guard."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from graphmem.answer.agent.arguments import GrepArguments
from graphmem.answer.agent.lines import event_row, turn_row
from graphmem.answer.agent.observing import Found
from graphmem.answer.agent.rows import quoted
from graphmem.answer.agent.scope import Scope
from graphmem.answer.agent.sources import Sources
from graphmem.graph.guard import GuardLimits, run_guarded
from graphmem.graph.queries import load
from graphmem.graph.read_rows import event
from graphmem.records import Hit

_TURNS = """
MATCH (s:Session)-[:HAS_TURN]->(t:Turn)
WHERE (toLower(t.text) CONTAINS toLower($text) OR toLower(t.attachments) CONTAINS toLower($text))
  AND t.said_at >= $since AND t.said_at < $until AND NOT EXISTS { (t)<-[:REPLACES]-(:Turn) }
RETURN t.id, t.source_id, s.source_id AS session, t.speaker, t.said_at, t.text
ORDER BY t.said_at, t.position
"""
_EVENTS = """
MATCH (v:Event)-[:SUPPORTED_BY]->(q:Evidence)-[:QUOTES]->(t:Turn)
WHERE (toLower(v.summary) CONTAINS toLower($text) OR toLower(q.quote) CONTAINS toLower($text))
  AND t.said_at <= $told AND NOT EXISTS { (v)<-[:REPLACES]-(:Event) }
  AND (v.starts_at IS NULL OR (v.starts_at < $until AND coalesce(v.ends_at, v.starts_at) >= $since))
RETURN DISTINCT v.id AS id, v.starts_at AS starts ORDER BY starts, id
"""
_EARLIEST = datetime(1, 1, 1, tzinfo=UTC)
_LATEST = datetime(9999, 12, 31, tzinfo=UTC)
_NOTHING = "Grep is exact: try a shorter or another word, or search by meaning."


async def grep_turns(asked: GrepArguments, scope: Scope, sources: Sources) -> Found:
    """Turns whose words, or what was shown with them, hold the text."""
    since = scope.moment(asked.since, "since") or _EARLIEST
    until = scope.before(scope.moment(asked.until, "until"))
    rows, more = await _rows(_TURNS, asked, scope, since=since.astimezone(UTC), until=until.astimezone(UTC))
    hits = [Hit(row[0], row[1], row[2], row[3], row[4], row[5], 0.0) for row in rows]
    return Found(
        _head(len(hits), more, "turns", asked),
        tuple(turn_row(hit, scope.settings.quote_characters) for hit in hits),
        None,
        None if hits else _NOTHING,
    )


async def grep_events(asked: GrepArguments, scope: Scope, sources: Sources) -> Found:
    """Events whose summary or quotation holds the text."""
    since = scope.moment(asked.since, "since") or _EARLIEST
    until = scope.moment(asked.until, "until") or _LATEST
    told = scope.until.astimezone(UTC)
    rows, more = await _rows(_EVENTS, asked, scope, since=since.astimezone(UTC), until=until.astimezone(UTC), told=told)
    shown = await scope.graph.read(load("search/events_shown"), ids=[row[0] for row in rows]) if rows else []
    found = [event(row["event"]) for row in shown]
    return Found(
        _head(len(found), more, "events", asked),
        tuple(event_row(each, scope.settings.quote_characters) for each in found),
        None,
        None if found else _NOTHING,
    )


async def _rows(
    query: str, asked: GrepArguments, scope: Scope, **times: datetime
) -> tuple[tuple[tuple[Any, ...], ...], bool]:
    limits = GuardLimits(seconds=10.0, rows=asked.limit, bytes=1_000_000)
    result = await run_guarded(scope.graph, query, {"text": asked.text, **times}, scope.namespace, limits)
    return result.rows, result.truncated


def _head(count: int, more: bool, what: str, asked: GrepArguments) -> str:
    return f"{count}{' or more' if more else ''} {what} hold {quoted(asked.text)}, oldest first"
