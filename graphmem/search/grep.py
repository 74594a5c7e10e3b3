"""Grep: turns and events that hold a text, or match a regular expression, letter by letter.

Turns are taken from the full-text index by the runs of letters and digits that a match must hold, and then checked; only where there is no
such run are all turns read that the filter keeps. Either way at most ``MOST_READ`` texts and ``SECONDS`` are spent, and the result says
whether that was enough to see everything.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from graphmem.errors import QuestionError
from graphmem.graph.connection import Graph, Row
from graphmem.graph.queries import load
from graphmem.graph.read_rows import event
from graphmem.records import EventView, Hit
from graphmem.search.filters import Filter
from graphmem.search.hits import shown
from graphmem.search.pattern import Pattern, expression, literal
from graphmem.search.turns import filter_of
from graphmem.search.words import has_cjk

MOST_READ = 20_000
SECONDS = 3.0

Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class TurnMatch:
    """A turn that holds what was looked for; ``spans`` are where: ``[start, end)`` in code points of its text."""

    turn: Hit
    spans: Spans


@dataclass(frozen=True, slots=True)
class TurnMatches:
    """The turns that hold what was looked for, oldest first. ``complete`` is False if there are more, or not all could be looked at."""

    matches: tuple[TurnMatch, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class EventMatches:
    """The events whose summary or quotation holds what was looked for, in the order in which they were told; ``complete`` as for turns."""

    events: tuple[EventView, ...]
    complete: bool


async def grep_turns(
    graph: Graph,
    text: str,
    *,
    namespace: str,
    regular: bool = False,
    case: bool = False,
    limit: int = 50,
    since: datetime | None = None,
    until: datetime | None = None,
    speaker: str | None = None,
    session: str | None = None,
) -> TurnMatches:
    """Turns whose text holds ``text`` word for word, or matches it as a regular expression (``regular``).

    Args:
        text: What to look for. As a literal, white space stands for any white space; as an expression it is in Python's syntax.
        namespace: The memory to look through.
        regular: Whether ``text`` is a regular expression.
        case: Whether upper and lower case differ.
        limit: How many turns at most, the oldest first.
        since, until, speaker, session: The filter, as for ``search_turns``.

    Raises:
        QuestionError: the text is empty or too long, or an expression is malformed, could take for ever, or does on a text at hand.
    """
    pattern = _pattern(text, regular, case, limit)
    chosen = await filter_of(graph, namespace, since, until, speaker, session)
    if chosen is None:
        return TurnMatches((), True)
    found: list[tuple[datetime, int, str, Spans]] = []
    complete = True
    ordered = not pattern.fragments
    async with aclosing(_bounded(_turns(graph, pattern, chosen))) as rows:
        async for row in rows:
            if row is None:
                complete = False
                break
            spans = pattern.spans(row["text"])
            if spans:
                found.append((row["at"], row["position"], row["id"], spans))
                if ordered and len(found) > limit:
                    break
    found.sort()
    hits = await shown(graph, [identifier for *_, identifier, _ in found[:limit]])
    matches = tuple(TurnMatch(hits[identifier], spans) for *_, identifier, spans in found[:limit] if identifier in hits)
    return TurnMatches(matches, complete and len(found) <= limit)


async def grep_events(
    graph: Graph,
    text: str,
    *,
    namespace: str,
    regular: bool = False,
    case: bool = False,
    limit: int = 50,
    since: datetime | None = None,
    until: datetime | None = None,
) -> EventMatches:
    """Events whose summary or quotation holds ``text``, or matches it as a regular expression.

    ``since`` and ``until`` keep events that overlap ``[since, until)`` in the world. Otherwise as ``grep_turns``.
    """
    pattern = _pattern(text, regular, case, limit)
    chosen = Filter(namespace, since, until)
    events = graph.stream(
        load("search/grep_events_all"),
        namespace=namespace,
        since=chosen.since,
        until=chosen.until,
        limit=MOST_READ + 1,
    )
    found: list[str] = []
    complete = True
    async with aclosing(_bounded(events)) as rows:
        async for row in rows:
            if row is None:
                complete = False
                break
            if any(pattern.spans(each) for each in (row["summary"], *row["quotes"])):
                found.append(row["id"])
                if len(found) > limit:
                    complete = False
                    break
    kept = found[:limit]
    shown_rows = await graph.read(load("search/events_shown"), ids=kept) if kept else []
    views = {row["event"]["id"]: event(row["event"]) for row in shown_rows}
    return EventMatches(tuple(views[each] for each in kept if each in views), complete)


def _pattern(text: str, regular: bool, case: bool, limit: int) -> Pattern:
    if limit < 1:
        raise QuestionError(f"limit is {limit}; it must be at least 1")
    return expression(text, case) if regular else literal(text, case)


def _turns(graph: Graph, pattern: Pattern, chosen: Filter) -> AsyncIterator[Row]:
    if not pattern.fragments:
        return graph.stream(load("search/grep_turns_all"), limit=MOST_READ + 1, **chosen.ranges)
    # An index term holds a fragment: the analyzer of this index does not stem. Pairs of CJK characters are terms themselves.
    held = (f"+searchable:{each if has_cjk(each) and len(each) == 2 else f'*{each}*'}" for each in pattern.fragments)
    lucene = " ".join((chosen.clauses, *held))
    return graph.stream(load("search/grep_turns_text"), lucene=lucene, limit=MOST_READ + 1, **chosen.times)


async def _bounded(rows: AsyncIterator[Row]) -> AsyncGenerator[Row | None, None]:
    """The rows, then None in place of what the bounds on texts and time leave unread."""
    deadline = time.monotonic() + SECONDS
    read = 0
    async with aclosing(
        cast("AsyncGenerator[Row, None]", rows)
    ) as closing:  # else its connection stays open when this ends early
        async for row in closing:
            read += 1
            if read > MOST_READ or time.monotonic() > deadline:
                yield None
                return
            yield row
            if read % 500 == 0:
                await asyncio.sleep(0)
