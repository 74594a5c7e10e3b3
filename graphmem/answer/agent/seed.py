"""The first retrieval: what the model begins with. Facts of the names in the question, the turns nearest to it by date, and events."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import timedelta

from graphmem.answer.agent.lines import event_row, fact_line, turn_row
from graphmem.answer.agent.observing import Found, Observation, RowText, heading, observe
from graphmem.answer.agent.plan import AgentPlan
from graphmem.answer.agent.rows import day, quoted, tokens_of
from graphmem.answer.agent.scope import Scope
from graphmem.answer.agent.sources import Sources
from graphmem.answer.agent.tools_search import happened, turns
from graphmem.answer.reads import Reads
from graphmem.graph import read
from graphmem.graph.read import EntityView
from graphmem.records import EventView, FactView, Hit
from graphmem.search import rerank

MOST_FACTS = 6
MOST_EVENTS = 4
NEIGHBOURED = 4
"""So many of the best turns come with the turns beside them."""
TOLD_WITHIN = timedelta(days=60)
"""How long after a time things of it are still told, for the search of turns in the question's time."""


async def first_retrieval(scope: Scope, plan: AgentPlan, named: Sequence[EntityView], sources: Sources) -> Observation:
    """What a search for the question finds, within the budget of the seed."""
    hits, events, facts = await asyncio.gather(_turns(scope, plan), _events(scope, plan), _facts(scope, plan, named))
    beside = await _beside(scope, hits)
    rows: list[RowText] = [_entity(view) for view in named[:4]]
    rows += [_fact(fact, scope) for fact in facts]
    rows += _by_session(hits, beside, scope)
    rows += [event_row(event, scope.settings.quote_characters) for event in events]
    count = len(hits) + len(events) + len(facts)
    return observe(
        Found("First retrieval:", tuple(rows), count, None, "search for more"), sources, scope.settings.seed_tokens
    )


async def _turns(scope: Scope, plan: AgentPlan) -> list[Hit]:
    """The best turns: those near the question's time before others, reranked where there is a reranker."""
    settings = scope.settings
    reranker = scope.reranker if settings.rerank else None
    limit = settings.seed_turns if reranker is None else settings.candidates
    searches = [turns(scope.question, scope, limit, None, None)]
    time = plan.time
    if time is not None and time.start is not None and time.start < scope.until:
        until = None if time.end is None else time.end + TOLD_WITHIN
        searches.insert(0, turns(scope.question, scope, max(limit // 2, 1), time.start, until))
    found = await asyncio.gather(*searches)
    hits = list({hit.id: hit for some in found for hit in some}.values())
    scope.reranked = await rerank(scope.question, hits, reranker, settings.seed_turns)
    return scope.reranked


async def _beside(scope: Scope, hits: Sequence[Hit]) -> dict[str, list[Hit]]:
    """The turns right before and after each of the best: what answers them, or what they answer."""
    reads = Reads(scope.graph, scope.embedder, scope.namespace, scope.until, scope.known_at)
    best = hits[:NEIGHBOURED]
    around, places = await reads.around(best)
    counting = await scope.counting([each.id for each in around])
    found = [each for each in around if each.id in counting]
    return {hit.id: [each for each in found if _adjacent(places.get(each.id), places.get(hit.id))] for hit in best}


def _adjacent(one: tuple[str, int] | None, other: tuple[str, int] | None) -> bool:
    return one is not None and other is not None and one[0] == other[0] and abs(one[1] - other[1]) == 1


async def _events(scope: Scope, plan: AgentPlan) -> list[EventView]:
    if scope.settings.turns_only:
        return []
    time = plan.time
    since, until = (None, None) if time is None else (time.start, time.end)
    return [hit.event for hit in await happened(scope.question, scope, MOST_EVENTS, since, until)]


async def _facts(scope: Scope, plan: AgentPlan, named: Sequence[EntityView]) -> list[FactView]:
    """All periods of what the rules see asked of the names in the question."""
    ids = [each for view in named for each in view.ids]
    if not ids or not plan.attributes or scope.settings.turns_only:
        return []
    found = await read.history(
        scope.graph, scope.namespace, ids, plan.attributes, said_by=scope.until, known_at=scope.known_at
    )
    return sorted(found, key=lambda fact: fact.asserted_at)[-MOST_FACTS:]


def _entity(view: EntityView) -> RowText:
    return lambda sources: f"{sources.entity(view.id)} {quoted(view.name)}"


def _fact(fact: FactView, scope: Scope) -> RowText:
    return lambda sources: f"{quoted(fact.subject)} {fact_line(fact, sources, scope.settings.quote_characters)}"


def _by_session(hits: Sequence[Hit], beside: Mapping[str, Sequence[Hit]], scope: Scope) -> list[RowText]:
    """As many of the best turns as will fit, each with its neighbours, under their sessions in order of time."""
    longest = scope.settings.quote_characters
    left = scope.settings.seed_tokens * 3 // 4
    chosen: dict[str, Hit] = {}
    for hit in hits:
        for each in (hit, *beside.get(hit.id, ())):
            if each.id not in chosen:
                left -= tokens_of(each.text[:longest]) + 12
                if not chosen or left >= 0:
                    chosen[each.id] = each
        if left < 0:
            break
    rows: list[RowText] = []
    current = None
    for hit in sorted(chosen.values(), key=lambda each: (each.said_at, each.turn_id)):
        if hit.session_id != current:
            current = hit.session_id
            rows.append(heading(f"{day(hit.said_at)}, session {quoted(hit.session_id)}:"))
        rows.append(turn_row(hit, longest, dated=False))
    return rows
