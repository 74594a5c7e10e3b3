"""``grep_turns`` and ``grep_events``: every turn or event that holds an exact text or matches an expression, oldest first."""

from __future__ import annotations

from graphmem.answer.agent.arguments import GrepArguments
from graphmem.answer.agent.lines import event_row, turn_row
from graphmem.answer.agent.observing import Found
from graphmem.answer.agent.rows import quoted
from graphmem.answer.agent.scope import Scope
from graphmem.answer.agent.sources import Sources
from graphmem.search import grep_events, grep_turns

_NOTHING = "Grep is exact: try a shorter or another word, or search by meaning."


async def turns(asked: GrepArguments, scope: Scope, sources: Sources) -> Found:
    """Turns whose words hold the text, cut to what stands around it."""
    found = await grep_turns(
        scope.graph,
        asked.text,
        namespace=scope.namespace,
        regular=asked.regex,
        limit=scope.wider(asked.limit),
        since=scope.moment(asked.since, "since"),
        until=scope.before(scope.moment(asked.until, "until")),
    )
    longest = scope.settings.quote_characters
    counting = await scope.counting([each.turn.id for each in found.matches])
    held = [each for each in found.matches if each.turn.id in counting]
    rows = tuple(turn_row(each.turn, longest, at=each.spans[0][0]) for each in held[: asked.limit])
    return Found(
        _head(len(rows), found.complete and len(held) <= asked.limit, "turns", asked),
        rows,
        None,
        None if rows else _NOTHING,
    )


async def events(asked: GrepArguments, scope: Scope, sources: Sources) -> Found:
    """Events whose summary or quotation holds the text, of those told by when it counts."""
    found = await grep_events(
        scope.graph,
        asked.text,
        namespace=scope.namespace,
        regular=asked.regex,
        limit=scope.wider(asked.limit),
        since=scope.moment(asked.since, "since"),
        until=scope.moment(asked.until, "until"),
    )
    counting = await scope.counting([each.id for each in found.events])
    told = [
        each
        for each in found.events
        if each.id in counting and any(words.said_at <= scope.until for words in each.evidence)
    ]
    rows = tuple(event_row(each, scope.settings.quote_characters) for each in told[: asked.limit])
    return Found(
        _head(len(rows), found.complete and len(told) <= asked.limit, "events", asked),
        rows,
        None,
        None if rows else _NOTHING,
    )


def _head(count: int, complete: bool, what: str, asked: GrepArguments) -> str:
    return f"{count}{'' if complete else ' or more'} {what} hold {quoted(asked.text)}, oldest first"
