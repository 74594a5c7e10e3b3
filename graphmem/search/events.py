"""Search over events: what was told to have happened, with the words each rests on."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np

from graphmem.errors import QuestionError
from graphmem.graph.connection import Graph, Row
from graphmem.graph.queries import load
from graphmem.graph.read_rows import event
from graphmem.providers.protocols import Embedder
from graphmem.records import EventView
from graphmem.search.filters import Filter
from graphmem.search.fusion import Scores, convex, reciprocal_rank
from graphmem.search.nearest import near_events
from graphmem.search.settings import SearchSettings
from graphmem.search.words import any_of, content_words

_DEFAULT = SearchSettings()


@dataclass(frozen=True, slots=True)
class EventHit:
    """An event that a search found; ``parts`` are the pieces of the score."""

    event: EventView
    score: float
    parts: Mapping[str, float] = field(default_factory=dict)


async def search_events(
    graph: Graph,
    embedder: Embedder,
    query: str,
    *,
    namespace: str,
    limit: int = 10,
    since: datetime | None = None,
    until: datetime | None = None,
    settings: SearchSettings = _DEFAULT,
) -> list[EventHit]:
    """The events that bear on a question, best first, each with the quotations it rests on.

    Args:
        query: A question or a few words, in any script, with any punctuation.
        namespace: The memory to search; nothing of another is ever returned.
        limit: How many events at most.
        since, until: Only events that overlap ``[since, until)`` in the world (not: that were told then); aware datetimes.
        settings: Weights and numbers of candidates.

    Raises:
        QuestionError: the question is empty, or a filter cannot be used.
        StoreError: the database failed. ProviderError: the embedder did.
    """
    if not query.strip():
        raise QuestionError("the question is empty; ask something, or give a few words to look for")
    if limit < 1:
        raise QuestionError(f"limit is {limit}; it must be at least 1")
    chosen = Filter(namespace, since, until)
    near, worded = await asyncio.gather(
        _by_meaning(graph, embedder, query, chosen, settings), _by_words(graph, query, chosen, settings)
    )
    ids = sorted({row["id"] for row in (*near, *worded)})
    if not ids:
        return []
    meaning = _scores(near, ids, min((float(row["score"]) for row in near), default=0.0))
    words = _scores(worded, ids, 0.0)
    if settings.fusion == "reciprocal_rank":
        scores = reciprocal_rank([meaning, words], settings.rank_constant)
        parts = {"fused": scores}
    else:
        of_meaning, of_words = convex(meaning, words, settings.text_weight)
        scores, parts = of_meaning + of_words, {"meaning": of_meaning, "words": of_words}
    order = [int(place) for place in np.argsort(-scores, kind="stable")[:limit]]
    rows = await graph.read(load("search/events_shown"), ids=[ids[place] for place in order])
    shown = {row["event"]["id"]: event(row["event"]) for row in rows}
    return [
        EventHit(
            shown[ids[place]],
            float(scores[place]),
            {name: round(float(each[place]), 6) for name, each in parts.items()},
        )
        for place in order
        if ids[place] in shown
    ]


def _scores(rows: list[Row], ids: list[str], missing: float) -> Scores:
    found = {row["id"]: float(row["score"]) for row in rows}
    return np.array([found.get(each, missing) for each in ids], dtype=np.float64)


async def _by_meaning(
    graph: Graph, embedder: Embedder, query: str, chosen: Filter, settings: SearchSettings
) -> list[Row]:
    vector = await asyncio.to_thread(embedder.embed_query, query)
    return await near_events(graph, vector, chosen, settings.dense_candidates)


async def _by_words(graph: Graph, query: str, chosen: Filter, settings: SearchSettings) -> list[Row]:
    words = content_words(query)
    if not words or not settings.weighs_words:
        return []
    timed = chosen.since is not None or chosen.until is not None
    return await graph.read(
        load("search/events_text"),
        lucene=f"{chosen.until_day} {any_of(words)}",
        limit=settings.text_candidates * (2 if timed else 1),
        since=chosen.since,
        until=chosen.until,
    )
