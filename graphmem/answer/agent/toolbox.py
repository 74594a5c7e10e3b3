"""The tools as the model sees them, and how a call of one is carried out."""

from __future__ import annotations

import asyncio
import difflib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from graphmem.answer.agent import tools_cypher, tools_grep, tools_lookup, tools_search
from graphmem.answer.agent.arguments import (
    Arguments,
    CypherArguments,
    GrepArguments,
    LookupArguments,
    NoArguments,
    SearchArguments,
    TurnArguments,
    read_arguments,
    spec,
)
from graphmem.answer.agent.observing import Found, Mistake
from graphmem.answer.agent.rows import quoted
from graphmem.answer.agent.scope import Scope
from graphmem.answer.agent.sources import Sources
from graphmem.answer.agent.switches import ToolName
from graphmem.errors import InputError, StoreUnavailable
from graphmem.providers.chat import ToolCall, ToolSpec

FIRST_WAIT = 0.2
"""Seconds before a call is tried again; doubled each time."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: what the model is told of it, its arguments, and what carries it out."""

    about: str
    arguments: type[Arguments]
    run: Callable[[Any, Scope, Sources], Awaitable[Found]]


TABLE: Final[Mapping[ToolName, Tool]] = {
    "schema_viewer": Tool(
        "The graph, worked queries, and what this memory holds. Before the first cypher.", NoArguments, tools_cypher.view_schema
    ),
    "entity_lookup": Tool(
        "A person or thing by name: what holds, history with dates, conflicts, events.", LookupArguments, tools_lookup.lookup
    ),
    "cypher": Tool(
        "Read-only Cypher within this memory; counts, order, durations. $n1 is the id of n1; $since, $until: the time filter; $asked_at.",
        CypherArguments,
        tools_cypher.run,
    ),
    "search": Tool("Names, properties, events and turns for a question or words.", SearchArguments, tools_search.search),
    "search_turns": Tool("Turns by meaning and words; since and until are when it was said.", TurnArguments, tools_search.find_turns),
    "search_events": Tool("Events by meaning and words; since and until are when it happened.", SearchArguments, tools_search.find_events),
    "grep_turns": Tool("All turns that hold an exact text.", GrepArguments, tools_grep.turns),
    "grep_events": Tool("All events that hold an exact text.", GrepArguments, tools_grep.events),
}  # fmt: skip


def specs(offered: Sequence[ToolName]) -> tuple[ToolSpec, ...]:
    """The offered tools as the model sees them."""
    return tuple(spec(name, TABLE[name].about, TABLE[name].arguments) for name in offered)


async def carry_out(call: ToolCall, offered: Sequence[ToolName], scope: Scope, sources: Sources) -> Found | Mistake:
    """What a call finds, or the mistake in it. Tried again while the database cannot be reached.

    What the model did wrong (a tool that is not there, arguments, a query, a time) comes back as a Mistake. Raises StoreError and
    ProviderError: those are ours.
    """
    try:
        tool = _tool(call.name, offered)
        asked = read_arguments(call.name, call.arguments, tool.arguments)
        return await tried(lambda: tool.run(asked, scope, sources), scope.settings.attempts)
    except Mistake as mistake:
        return mistake
    except InputError as exc:
        return Mistake(f"{exc}.")


def _tool(name: str, offered: Sequence[ToolName]) -> Tool:
    for each in offered:
        if each == name:
            return TABLE[each]
    words = set(name.lower().split("_"))
    same = [each for each in offered if set(each.split("_")) == words]
    near = same or difflib.get_close_matches(name, offered, n=1, cutoff=0.5)
    told = f"Did you mean {near[0]}? " if near else ""
    raise Mistake(f"There is no tool {quoted(name[:60])}. {told}There are: {', '.join((*offered, 'answer'))}.")


async def tried(run: Callable[[], Awaitable[Found]], attempts: int) -> Found:
    """What a call finds, tried again while the database cannot be reached. Raises StoreUnavailable after the last attempt."""
    for attempt in range(attempts - 1):
        try:
            return await run()
        except StoreUnavailable:
            await asyncio.sleep(FIRST_WAIT * 2**attempt)
    return await run()
