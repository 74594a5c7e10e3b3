"""Search over turns: candidates from both indexes and their neighbours, ranked together. Start reading at ``search_turns``."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from graphmem.errors import QuestionError
from graphmem.graph.connection import Graph, Row
from graphmem.graph.queries import load
from graphmem.graph.rows import speaker_key
from graphmem.ids import digest
from graphmem.providers.protocols import Embedder
from graphmem.records import Hit
from graphmem.search import question
from graphmem.search.filters import Filter
from graphmem.search.hits import shown
from graphmem.search.nearest import near_turns, turns_of_near_events
from graphmem.search.pool import Pool, pool_of
from graphmem.search.question import Reading
from graphmem.search.ranking import Counts, Ranked, rank
from graphmem.search.settings import SearchSettings
from graphmem.search.words import any_of, has_cjk

DEFAULT = SearchSettings()
TEXT_INDEX, CJK_INDEX = "turn_text", "turn_text_cjk"


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
    settings: SearchSettings = DEFAULT,
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
    chosen = await filter_of(graph, namespace, since, until, speaker, session)
    if chosen is None:
        return []
    found = await candidates(graph, embedder, query, chosen, settings)
    ranked = rank(found.pool, found.reading, found.counts, settings)
    order = in_order(found.pool, ranked)[:limit]
    hits = await shown(graph, [found.pool.ids[place] for place in order])
    return [
        replace(
            hits[found.pool.ids[place]],
            score=float(ranked.scores[place]),
            parts={name: round(float(scores[place]), 6) for name, scores in ranked.parts.items()},
        )
        for place in order
        if found.pool.ids[place] in hits
    ]


@dataclass(frozen=True, slots=True)
class Candidates:
    """What the indexes gave for a question, with the question as it was read and how frequent its words are: all that ranking needs."""

    pool: Pool
    reading: Reading
    counts: Counts


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


async def candidates(
    graph: Graph, embedder: Embedder, query: str, chosen: Filter, settings: SearchSettings
) -> Candidates:
    """What both indexes find, and the turns beside it."""
    speakers = await speakers_named(graph, query, chosen.namespace)
    reading = question.read(query, speakers, settings.first_person)

    async def by_meaning() -> tuple[list[float], list[Row], list[Row]]:
        vector = await asyncio.to_thread(embedder.embed_query, reading.meaning)
        near, told = await asyncio.gather(
            near_turns(graph, vector, chosen, settings.dense_candidates),
            by_events(graph, vector, chosen, settings),
        )
        return vector, near, told

    (vector, near, told), worded, counts = await asyncio.gather(
        by_meaning(),
        by_words(graph, reading.words, chosen, settings),
        count_words(graph, reading.words, chosen, settings),
    )
    places: dict[str, set[int]] = {}
    for row in (*near, *told, *worded):
        position = row["position"]
        places.setdefault(row["session_id"], set()).update((position - 1, position, position + 1))
    rows = await graph.read(
        load("search/turns_around"),
        vector=vector,
        places=[{"session_id": name, "positions": sorted(own)} for name, own in places.items()],
        **chosen.ranges,
    )
    return Candidates(pool_of(rows, {row["id"]: float(row["score"]) for row in told}), reading, counts)


async def by_events(graph: Graph, vector: Sequence[float], chosen: Filter, settings: SearchSettings) -> list[Row]:
    """Where the turns stand that the events nearest to the question rest on, with how near those are."""
    if settings.event_weight == 0:
        return []
    return await turns_of_near_events(graph, vector, chosen, settings.event_candidates)


async def by_words(graph: Graph, words: Sequence[str], chosen: Filter, settings: SearchSettings) -> list[Row]:
    """Where the turns stand that full text finds, best first."""

    async def ask(index: str, own: Sequence[str]) -> list[Row]:
        # Days are whole in the index, times are checked after it: where a bound lies within a day, some of what it returns falls away.
        return await graph.read(
            load("search/turns_text"),
            index=index,
            lucene=f"{chosen.clauses} {any_of(own)}",
            limit=settings.text_candidates * (2 if chosen.cuts_a_day else 1),
            **chosen.times,
        )

    found = await asyncio.gather(*(ask(index, own) for index, own in by_index(words).items()))
    return [row for rows in found for row in rows]


async def count_words(graph: Graph, words: Sequence[str], chosen: Filter, settings: SearchSettings) -> Counts:
    """How many turns of the namespace hold each word, and how many there are: what makes a word weigh much or little."""
    everything = Filter(chosen.namespace).clauses

    async def ask(index: str, own: Sequence[str]) -> dict[str, int]:
        queries = {f"{everything} {any_of([word])}": word for word in own}
        rows = await graph.read(
            load("search/word_counts"), index=index, queries=list(queries), limit=settings.counted_words
        )
        return {queries[row["words"]]: int(row["turns"]) for row in rows}

    total, found = await asyncio.gather(
        graph.read(load("search/turn_count"), namespace=chosen.namespace, limit=settings.counted_turns),
        asyncio.gather(*(ask(index, own) for index, own in by_index(words).items())),
    )
    return Counts(int(total[0]["turns"]), {word: turns for counts in found for word, turns in counts.items()})


def by_index(words: Sequence[str]) -> dict[str, list[str]]:
    """The words by the full-text index whose analyzer knows their script."""
    found: dict[str, list[str]] = {}
    for word in words:
        found.setdefault(CJK_INDEX if has_cjk(word) else TEXT_INDEX, []).append(word)
    return found


async def speakers_named(graph: Graph, query: str, namespace: str) -> dict[str, str]:
    """Which names in a question are speakers' in this namespace: the normalised name, and the speaker's name as it is stored.

    Through the names that the memory knows: "Liz" finds turns of Elizabeth once the two are one entity. A name that two speakers
    bear stands for neither.
    """
    names = question.possible_names(query)
    rows = await graph.read(load("search/people_named"), namespace=namespace, names=names) if names else []
    if not rows:
        return {}
    everything = Filter(namespace).clauses
    query_of = {row["text"]: f"{everything} +speaker_key:{speaker_key(row['text'])}^0" for row in rows}
    heard = await graph.read(load("search/speakers_of_keys"), queries=sorted(set(query_of.values())))
    speaker_of = {row["words"]: str(row["speaker"]) for row in heard}
    meant: dict[str, dict[bool, set[str]]] = {}
    for row in rows:
        speaker = speaker_of.get(query_of[row["text"]])
        if speaker is not None:
            meant.setdefault(row["name"], {}).setdefault(bool(row["whole"]), set()).add(speaker)
    best = {name: kinds.get(True) or kinds[False] for name, kinds in meant.items()}
    return {name: next(iter(speakers)) for name, speakers in best.items() if len(speakers) == 1}
