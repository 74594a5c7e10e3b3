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
        limit=asked.limit,
        since=scope.moment(asked.since, "since"),
        until=scope.before(scope.moment(asked.until, "until")),
    )
    longest = scope.settings.quote_characters
    rows = tuple(turn_row(each.turn, longest, at=each.spans[0][0]) for each in found.matches)
    return Found(_head(len(rows), found.complete, "turns", asked), rows, None, None if rows else _NOTHING)


async def events(asked: GrepArguments, scope: Scope, sources: Sources) -> Found:
    """Events whose summary or quotation holds the text, of those told by when it counts."""
    found = await grep_events(
        scope.graph,
        asked.text,
        namespace=scope.namespace,
        regular=asked.regex,
        limit=asked.limit,
        since=scope.moment(asked.since, "since"),
        until=scope.moment(asked.until, "until"),
    )
    told = [each for each in found.events if any(words.said_at <= scope.until for words in each.evidence)]
    rows = tuple(event_row(each, scope.settings.quote_characters) for each in told)
    return Found(_head(len(rows), found.complete, "events", asked), rows, None, None if rows else _NOTHING)


def _head(count: int, complete: bool, what: str, asked: GrepArguments) -> str:
    return f"{count}{'' if complete else ' or more'} {what} hold {quoted(asked.text)}, oldest first"
