"""Search over all four kinds at once: entities, properties, events with their evidence, and turns, in one reply."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.graph.connection import Graph, Row
from graphmem.graph.read import EntityView, entities
from graphmem.ids import normalise_name
from graphmem.providers.protocols import Embedder, Reranker
from graphmem.records import Hit
from graphmem.search.events import EventHit, search_events
from graphmem.search.nearest import near_names, near_properties
from graphmem.search.question import possible_names
from graphmem.search.settings import SearchSettings
from graphmem.search.turns import DEFAULT, search_turns

NAMED_BONUS = 1.0
"""What a name counts that stands in the question itself, beside a nearness of at most 1."""


@dataclass(frozen=True, slots=True)
class EntityHit:
    """An entity that a search found. ``score`` is above 1 where one of its names stands in the question, else the nearness of a name."""

    entity: EntityView
    score: float


@dataclass(frozen=True, slots=True)
class PropertyHit:
    """A property that a search found, with its nearness to the question."""

    name: str
    cardinality: str
    value_type: str
    score: float


@dataclass(frozen=True, slots=True)
class Everything:
    """What a search found, each kind best first. ``reranked_by`` and ``rerank_problem`` are about the turns, as in ``Hits``."""

    entities: tuple[EntityHit, ...]
    properties: tuple[PropertyHit, ...]
    events: tuple[EventHit, ...]
    turns: tuple[Hit, ...]
    reranked_by: str | None = None
    rerank_problem: str | None = None


async def search_everything(
    graph: Graph,
    embedder: Embedder,
    query: str,
    *,
    namespace: str,
    limit: int = 10,
    few: int = 5,
    since: datetime | None = None,
    until: datetime | None = None,
    asked_at: datetime | None = None,
    settings: SearchSettings = DEFAULT,
    reranker: Reranker | None = None,
) -> Everything:
    """Entities, properties, events and turns that bear on a question.

    Args:
        query: A question or a few words.
        namespace: The memory to search.
        limit: How many turns at most; ``few`` is how many of each other kind.
        since, until: Turns said, and events that overlap, ``[since, until)``; entities and properties have no time.
        asked_at, reranker: As for ``search_turns``.

    Raises:
        QuestionError: the question is empty, or a filter cannot be used. StoreError, ProviderError.
    """
    turns, events, (named, properties) = await asyncio.gather(
        search_turns(
            graph,
            embedder,
            query,
            namespace=namespace,
            limit=limit,
            since=since,
            until=until,
            asked_at=asked_at,
            settings=settings,
            reranker=reranker,
        ),
        search_events(
            graph, embedder, query, namespace=namespace, limit=few, since=since, until=until, settings=settings
        ),
        _named(graph, embedder, query, namespace, few),
    )
    return Everything(named, properties, tuple(events), tuple(turns), **turns.report)


async def _named(
    graph: Graph, embedder: Embedder, query: str, namespace: str, few: int
) -> tuple[tuple[EntityHit, ...], tuple[PropertyHit, ...]]:
    vector = await asyncio.to_thread(embedder.embed_query, query)
    names = possible_names(query)

    async def borne() -> tuple[EntityView, ...]:
        return await entities(graph, namespace, names) if names else ()

    exact, near, properties = await asyncio.gather(
        borne(), near_names(graph, vector, namespace, few * 3), near_properties(graph, vector, namespace, few)
    )
    missing = {row["id"] for row in near} - {identifier for view in exact for identifier in view.ids}
    others = await entities(graph, namespace, ids=sorted(missing)) if missing else ()
    return (
        best_entities(query, (*exact, *others), near, few),
        tuple(
            PropertyHit(row["name"], row["cardinality"], row["value_type"], float(row["score"])) for row in properties
        ),
    )


def best_entities(query: str, views: Sequence[EntityView], near: Sequence[Row], few: int) -> tuple[EntityHit, ...]:
    """The entities by how near the nearest of their names is; before all those with a name that stands in the question."""
    asked = set(possible_names(query))
    nearness: dict[str, float] = {}
    for row in near:
        nearness[row["id"]] = max(nearness.get(row["id"], 0.0), float(row["score"]))
    hits = []
    for view in views:
        stands = any(normalise_name(alias) in asked for alias in (view.name, *view.aliases))
        score = max((nearness.get(identifier, 0.0) for identifier in view.ids), default=0.0)
        hits.append(EntityHit(view, score + (NAMED_BONUS if stands else 0.0)))
    return tuple(sorted(hits, key=lambda hit: (-hit.score, -hit.entity.events, hit.entity.id))[:few])
