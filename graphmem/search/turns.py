"""Search over turns: candidates, one ranking, hits. Start reading at ``search_turns``."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np

from graphmem.errors import QuestionError
from graphmem.graph.connection import Graph
from graphmem.graph.queries import load
from graphmem.ids import digest
from graphmem.providers.protocols import Embedder, Reranker
from graphmem.search.candidates import candidates
from graphmem.search.filters import Filter
from graphmem.search.hits import shown
from graphmem.search.pool import Pool
from graphmem.search.ranking import Ranked, rank
from graphmem.search.reranking import Hits, rerank
from graphmem.search.settings import SearchSettings

DEFAULT = SearchSettings()


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
    said_by: datetime | None = None,
    asked_at: datetime | None = None,
    settings: SearchSettings = DEFAULT,
    reranker: Reranker | None = None,
    question: str | None = None,
) -> Hits:
    """The turns that bear on a question, best first.

    Args:
        query: A question or a few words, in any script, with any punctuation.
        namespace: The memory to search; nothing of another is ever returned.
        limit: How many turns at most.
        since, until: Only turns said in ``[since, until)``; aware datetimes.
        speaker: Only turns of this speaker. A name in the question merely counts in favour of its bearer.
        session: Only turns of this session, by its name in the source or its identifier in the graph.
        said_by: Only turns said by then, that moment included; aware.
        asked_at: When the question is asked, aware: what "last month" in it is counted from. A time in the question counts in favour of
            turns of that time, and is no filter.
        settings: Weights and numbers of candidates.
        reranker: Puts the best ``settings.rerank_candidates`` in their final order. If it fails, the result says so and is not reranked.
        question: What the user asked, where ``query`` is another wording of it: the reranker reads this.

    Raises:
        QuestionError: the question is empty, or a filter cannot be used.
        StoreError: the database failed. ProviderError: the embedder did.
    """
    if not query.strip():
        raise QuestionError("the question is empty; ask something, or give a few words to look for")
    if limit < 1:
        raise QuestionError(f"limit is {limit}; it must be at least 1")
    chosen = await filter_of(graph, namespace, since, earlier(until, said_by), speaker, session)
    if chosen is None:
        return Hits()
    found = await candidates(graph, embedder, query, chosen, settings, asked_at)
    ranked = rank(found.pool, found.reading, found.counts, settings)
    order = in_order(found.pool, ranked)[: limit if reranker is None else max(limit, settings.rerank_candidates)]
    hits = await shown(graph, [found.pool.ids[place] for place in order])
    fused = [
        replace(
            hits[found.pool.ids[place]],
            score=float(ranked.scores[place]),
            parts={name: round(float(scores[place]), 6) for name, scores in ranked.parts.items()},
        )
        for place in order
        if found.pool.ids[place] in hits
    ]
    return await rerank(question or query, fused, reranker, limit)


def earlier(until: datetime | None, said_by: datetime | None) -> datetime | None:
    """The end, excluded, of what was said before ``until`` and by ``said_by``, included."""
    if said_by is None:
        return until
    after = said_by + timedelta(microseconds=1)
    return after if until is None else min(until, after)


def in_order(pool: Pool, ranked: Ranked) -> list[int]:
    """The places of a pool's turns that pass the filter, best first; equal scores in order of session and position."""
    return [int(place) for place in np.argsort(-ranked.scores, kind="stable") if pool.allowed[place]]


async def filter_of(
    graph: Graph,
    namespace: str,
    since: datetime | None,
    until: datetime | None,
    speaker: str | None,
    session: str | None,
) -> Filter | None:
    """The filter with the session's identifier looked up; None if there is no such session. Raises QuestionError."""
    chosen = Filter(namespace, since, until, speaker)
    if session is None:
        return chosen
    ids = [session, digest("session", namespace, session)]
    rows = await graph.read(load("search/session_named"), namespace=namespace, ids=ids)
    return Filter(namespace, since, until, speaker, rows[0]["id"]) if rows else None
