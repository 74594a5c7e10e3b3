"""Candidates for a question: what the indexes and the graph find, and the turns beside it, as one pool."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.graph.connection import Graph, Row
from graphmem.graph.queries import load
from graphmem.providers.protocols import Embedder
from graphmem.search import question
from graphmem.search.filters import Filter
from graphmem.search.names import names_meant
from graphmem.search.nearest import near_properties, near_turns, turns_of_near_events
from graphmem.search.pool import Pool, pool_of
from graphmem.search.question import Reading
from graphmem.search.ranking import Counts
from graphmem.search.settings import SearchSettings
from graphmem.search.words import any_of, has_cjk

TEXT_INDEX, CJK_INDEX = "turn_text", "turn_text_cjk"


@dataclass(frozen=True, slots=True)
class Candidates:
    """What the indexes gave for a question, with the question as it was read and how frequent its words are: all that ranking needs."""

    pool: Pool
    reading: Reading
    counts: Counts


async def candidates(
    graph: Graph,
    embedder: Embedder,
    query: str,
    chosen: Filter,
    settings: SearchSettings,
    asked_at: datetime | None = None,
) -> Candidates:
    """What the indexes and the graph find, and the turns beside it."""
    names = await names_meant(graph, query, chosen.namespace)
    reading = question.read(query, names.speakers, settings.first_person, asked_at, settings.time_policy)

    async def by_meaning() -> tuple[list[float], list[Row], list[Row], list[Row], list[Row]]:
        vector = await asyncio.to_thread(embedder.embed_query, reading.meaning)
        found = await asyncio.gather(
            near_turns(graph, vector, chosen, settings.dense_candidates),
            of_the_time(graph, vector, reading, chosen, settings),
            by_events(graph, vector, chosen, settings),
            by_links(graph, vector, names.entities, chosen, settings),
        )
        return vector, *found

    (vector, near, dated, told, linked), worded, counts = await asyncio.gather(
        by_meaning(),
        by_words(graph, reading.words, chosen, settings),
        count_words(graph, reading.words, chosen, settings),
    )
    places: dict[str, set[int]] = {}
    for row in (*near, *dated, *told, *linked, *worded):
        position = row["position"]
        places.setdefault(row["session_id"], set()).update((position - 1, position, position + 1))
    asked_from, asked_until = reading.time or (None, None)
    rows = await graph.read(
        load("search/turns_around"),
        vector=vector,
        places=[{"session_id": name, "positions": sorted(own)} for name, own in places.items()],
        asked_from=asked_from,
        asked_until=asked_until,
        **chosen.ranges,
    )
    events = {row["id"]: float(row["score"]) for row in told}
    return Candidates(pool_of(rows, events, {row["id"] for row in linked}), reading, counts)


async def of_the_time(
    graph: Graph, vector: Sequence[float], reading: Reading, chosen: Filter, settings: SearchSettings
) -> list[Row]:
    """Where the nearest turns stand that were said in the time that the question asks about: in a large memory others crowd them out."""
    within = None if reading.time is None or settings.dated_weight == 0 else chosen.within(*reading.time)
    return [] if within is None else await near_turns(graph, vector, within, settings.dated_candidates)


async def by_links(
    graph: Graph, vector: Sequence[float], entities: Sequence[str], chosen: Filter, settings: SearchSettings
) -> list[Row]:
    """Where the turns stand that the graph links to the entities that the question names."""
    if not entities or settings.link_weight == 0:
        return []
    properties = await near_properties(graph, vector, chosen.namespace, settings.link_properties)
    return await graph.read(
        load("search/turns_linked"),
        entities=list(entities),
        properties=[row["name"] for row in properties],
        seldom=settings.seldom,
        **chosen.ranges,
    )


async def by_events(graph: Graph, vector: Sequence[float], chosen: Filter, settings: SearchSettings) -> list[Row]:
    """Where the turns stand that the events nearest to the question rest on, with how near those are."""
    if settings.event_weight == 0:
        return []
    return await turns_of_near_events(graph, vector, chosen, settings.event_candidates)


async def by_words(graph: Graph, words: Sequence[str], chosen: Filter, settings: SearchSettings) -> list[Row]:
    """Where the turns stand that full text finds, best first; none where words weigh nothing."""
    if not settings.weighs_words:
        return []

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
    if not settings.weighs_words:
        return Counts(0, {})
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
