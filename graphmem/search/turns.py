"""Search over turns: candidates from both indexes, their neighbours, one ranking."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

import numpy as np

from graphmem.errors import QuestionError
from graphmem.graph.connection import Graph, Row
from graphmem.graph.queries import load
from graphmem.graph.rows import attachments_of
from graphmem.ids import digest
from graphmem.providers.protocols import Embedder
from graphmem.records import Hit
from graphmem.search.filters import Filter
from graphmem.search.pool import Pool, pool_of
from graphmem.search.ranking import Ranked, rank
from graphmem.search.settings import SearchSettings
from graphmem.search.words import any_of, content_words, has_cjk

_DEFAULT = SearchSettings()


async def search_turns(
    graph: Graph,
    embedder: Embedder,
    query: str,
    *,
    namespace: str,
    limit: int = 10,
    since: datetime | None = None,
    until: datetime | None = None,
    speaker: str | None = None,
    session: str | None = None,
    settings: SearchSettings = _DEFAULT,
) -> list[Hit]:
    """The turns that bear on a question, best first.

    Args:
        query: A question or a few words, in any script, with any punctuation.
        namespace: The memory to search; nothing of another is ever returned.
        limit: How many turns at most.
        since, until: Only turns said in ``[since, until)``; aware datetimes.
        speaker: Only turns of this speaker. A name in the question merely counts in favour of its bearer.
        session: Only turns of this session, by its name in the source or its identifier in the graph.
        settings: Weights and numbers of candidates.

    Raises:
        QuestionError: the question is empty, or a filter cannot be used.
        StoreError: the database failed. ProviderError: the embedder did.
    """
    if not query.strip():
        raise QuestionError("the question is empty; ask something, or give a few words to look for")
    if limit < 1:
        raise QuestionError(f"limit is {limit}; it must be at least 1")
    chosen = Filter(namespace, since, until, speaker)
    if session is not None:
        found = await graph.read(
            load("search/session_named"), namespace=namespace, ids=[session, digest("session", namespace, session)]
        )
        if not found:
            return []
        chosen = Filter(namespace, since, until, speaker, found[0]["id"])
    vector = await asyncio.to_thread(embedder.embed_query, query)
    pool, wanted = await candidates(graph, query, vector, chosen, settings)
    ranked = rank(pool, query, settings)
    order = [place for place in np.argsort(-ranked.scores, kind="stable") if pool.ids[place] in wanted or chosen.free][
        :limit
    ]
    return await _shown(graph, pool, ranked, order)


async def candidates(
    graph: Graph, query: str, vector: Sequence[float], chosen: Filter, settings: SearchSettings
) -> tuple[Pool, set[str]]:
    """The nearest turns in meaning and in words with their neighbours, and the identifiers of those that the indexes found."""
    words = content_words(query)
    limit = settings.text_candidates
    dense, text = await asyncio.gather(
        graph.read(load("search/turns_dense"), vector=list(vector), limit=settings.dense_candidates, **chosen.ranges),
        _by_words(graph, words, chosen, limit),
    )
    places: dict[str, set[int]] = {}
    for row in (*dense, *text):
        places.setdefault(row["session_id"], set()).update((row["position"] - 1, row["position"], row["position"] + 1))
    rows = await graph.read(
        load("search/turns_around"),
        namespace=chosen.namespace,
        places=[{"session_id": name, "positions": sorted(own)} for name, own in sorted(places.items())],
    )
    scores = {row["id"]: float(row["score"]) for row in text}
    return pool_of(rows, vector, scores), {row["id"] for row in (*dense, *text)}


async def _by_words(graph: Graph, words: list[str], chosen: Filter, limit: int) -> list[Row]:
    if not words:
        return []
    index = "turn_text_cjk" if any(has_cjk(word) for word in words) else "turn_text"
    query = f"{chosen.clauses} {any_of(words)}"
    return await graph.read(load("search/turns_text"), index=index, words=query, limit=limit, **chosen.times)


async def _shown(graph: Graph, pool: Pool, ranked: Ranked, order: Sequence[Any]) -> list[Hit]:
    ids = [pool.ids[place] for place in order]
    rows = {row["id"]: row for row in await graph.read(load("search/turns_shown"), ids=ids)}
    return [
        _hit(
            rows[pool.ids[place]],
            float(ranked.scores[place]),
            {k: round(float(v[place]), 6) for k, v in ranked.parts.items()},
        )
        for place in order
        if pool.ids[place] in rows
    ]


def _hit(row: Row, score: float, parts: Mapping[str, float]) -> Hit:
    hours, minutes = row["offset"][1:].split(":")
    shift = timedelta(hours=int(hours), minutes=int(minutes)) * (-1 if row["offset"][0] == "-" else 1)
    return Hit(
        id=row["id"],
        turn_id=row["turn_id"],
        session_id=row["session_id"],
        speaker=row["speaker"],
        said_at=row["said_at"].astimezone(timezone(shift)),
        text=row["text"],
        score=score,
        parts=parts,
        attachments=attachments_of(row["attachments"]),
    )
