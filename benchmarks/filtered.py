"""Filtered search at size: does a filter that keeps one turn in a hundred still find the nearest ones, and what does a search take?

    python benchmarks/filtered.py [--turns 100000] [--questions 100] [--namespace bench-filtered]

Stores synthetic turns (Zipf-distributed words; clustered unit vectors in a narrow cone, as embedding models make them; a fixed seed), first
a tenth and then the rest, and measures at both sizes in one run:

- recall: of the exact first ten (brute force in numpy over all that a filter keeps: a speaker, a stretch of time or a few sessions, each
  one in a hundred), the share that the vector search finds;
- a memory of five turns beside it: how many of the five a search finds;
- latency: of a whole search, the question's vector given, and of the bare database queries that it needs, sent one after the other where
  one has to wait for the other and together where it does not. The two take turns, so that whatever else the machine does weighs on both.

What is stored stays for the next run; a namespace that holds more than a tenth already cannot be measured at a tenth, so name a new one
for the whole table. The server is chosen as in benchmarks/recall.py.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent))

from recall import connect

from graphmem import settings as configuration
from graphmem.graph.batch import Batch
from graphmem.graph.connection import Graph
from graphmem.graph.queries import Query, load
from graphmem.graph.rows_said import add_session, add_turn
from graphmem.graph.write import append, read_head
from graphmem.ids import digest
from graphmem.providers import LocalEmbedder
from graphmem.records import Session, Turn
from graphmem.search import SearchSettings, search_turns
from graphmem.search.filters import Filter

DIMENSIONS = 384
SESSION_TURNS = 200
SPEAKERS = 100
CLUSTERS = 300
WORDS = 20_000
START = datetime(2020, 1, 1, tzinfo=UTC)
MINUTES_APART = 25


@dataclass(frozen=True)
class Synthetic:
    """The turns of a run, as arrays, and questions to them."""

    turns: Sequence[Turn]
    texts: Sequence[str]
    vectors: NDArray[np.float32]
    questions: Sequence[str]
    asked: NDArray[np.float32]


def unit(rows: NDArray[np.float64]) -> NDArray[np.float32]:
    """Rows scaled to length 1."""
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def make(namespace: str, count: int, questions: int) -> Synthetic:
    """Synthetic turns, the same for a count however many questions there are."""
    rng, apart = np.random.default_rng(11), np.random.default_rng(12)
    cone = rng.standard_normal(DIMENSIONS)
    centres = cone + 0.8 * rng.standard_normal((CLUSTERS, DIMENSIONS))
    vectors = unit(centres[rng.integers(0, CLUSTERS, count)] + 0.7 * rng.standard_normal((count, DIMENSIONS)))
    lengths = rng.integers(4, 40, count)
    speakers = rng.integers(0, SPEAKERS, count)
    words = (rng.zipf(1.3, int(lengths.sum())) - 1) % WORDS
    ends = np.cumsum(lengths)
    texts = [" ".join(f"word{w}" for w in words[end - length : end]) for end, length in zip(ends, lengths, strict=True)]
    asked = unit(centres[apart.integers(0, CLUSTERS, questions)] + 0.7 * apart.standard_normal((questions, DIMENSIONS)))
    asked_words = (apart.zipf(1.3, (questions, 8)) - 1) % WORDS
    turns = [
        Turn(
            id=digest("turn", namespace, place),
            namespace=namespace,
            session_id=digest("session", namespace, f"s{place // SESSION_TURNS}"),
            source_id=f"t{place}",
            position=place % SESSION_TURNS,
            speaker=f"Speaker {speakers[place]}",
            text=texts[place],
            said_at=START + timedelta(minutes=MINUTES_APART * place),
        )
        for place in range(count)
    ]
    return Synthetic(turns, texts, vectors, [" ".join(f"word{w}" for w in row) for row in asked_words], asked)


class Given:
    """An embedder whose vectors are known beforehand: what a question costs without embedding it."""

    name = "given"
    dimensions = DIMENSIONS

    def __init__(self, vectors: dict[str, list[float]]) -> None:
        self._vectors = vectors

    def embed_query(self, text: str) -> list[float]:
        """The vector that belongs to the question."""
        return self._vectors[text]

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """Not asked for here."""
        raise NotImplementedError


async def store(graph: Graph, namespace: str, data: Synthetic, first: int, last: int) -> None:
    """Stores the turns of ``[first, last)``, a thousand a transaction."""
    for begin in range(first, last, 1000):
        batch = Batch(namespace)
        for place in range(begin, min(begin + 1000, last)):
            turn = data.turns[place]
            if turn.position == 0:
                name = f"s{place // SESSION_TURNS}"
                add_session(batch, Session(turn.session_id, namespace, name, "synthetic", turn.said_at, ()))
            add_turn(batch, turn, f"{turn.speaker}: {data.texts[place]}", data.vectors[place].tolist())
        await append(graph, batch, await read_head(graph, namespace))


def filters(namespace: str, data: Synthetic, count: int) -> dict[str, tuple[Filter, NDArray[np.bool_]]]:
    """Filters that keep about one turn in a hundred of the first ``count``, and which turns each keeps."""
    turns = data.turns[:count]
    begin, end = turns[count // 2].said_at, turns[count // 2 + count // 100].said_at
    session = turns[count // 3].session_id
    return {
        "speaker": (Filter(namespace, speaker="Speaker 7"), np.array([turn.speaker == "Speaker 7" for turn in turns])),
        "time": (Filter(namespace, begin, end), np.array([begin <= turn.said_at < end for turn in turns])),
        "session": (Filter(namespace, session_id=session), np.array([turn.session_id == session for turn in turns])),
    }


async def recall(graph: Graph, data: Synthetic, chosen: Filter, kept: NDArray[np.bool_]) -> float:
    """Of the exact first ten that a filter keeps, the share among the first ten that a search gets from the index; the mean."""
    places = np.flatnonzero(kept)
    at = {(data.turns[place].session_id, data.turns[place].position): place for place in places}
    limit = SearchSettings().dense_candidates
    shares = []
    for vector in data.asked:
        exact = places[np.argsort(-(data.vectors[places] @ vector))[:10]]
        rows = await graph.read(load("search/turns_dense"), vector=vector.tolist(), limit=limit, **chosen.ranges)
        found = {at[row["session_id"], row["position"]] for row in rows[:10]}
        shares.append(len(found & {int(place) for place in exact}) / len(exact))
    return float(np.mean(shares))


async def latencies(
    graph: Graph, embedder: Given, namespace: str, questions: Sequence[str]
) -> tuple[list[float], list[float]]:
    """Milliseconds of each search, and of the bare queries that the same search sends."""
    whole, bare = [], []
    for question in questions:
        recorder = Recorder(graph)
        await search_turns(recorder, embedder, question, namespace=namespace)  # type: ignore[arg-type]
        began = time.perf_counter()
        await search_turns(graph, embedder, question, namespace=namespace)
        whole.append((time.perf_counter() - began) * 1000)
        began = time.perf_counter()
        for together in recorder.waves():
            await asyncio.gather(*(graph.read(query, **parameters) for query, parameters in together))
        bare.append((time.perf_counter() - began) * 1000)
    return whole, bare


class Recorder:
    """Passes reads on and keeps them, with when each began and ended, so that they can be sent again."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._reads: list[tuple[float, float, Query, dict[str, Any]]] = []

    async def read(self, query: Query, **parameters: Any) -> list[dict[str, Any]]:
        """As ``Graph.read``."""
        began = time.perf_counter()
        rows = await self._graph.read(query, **parameters)
        self._reads.append((began, time.perf_counter(), query, parameters))
        return rows

    def __getattr__(self, name: str) -> Any:
        return getattr(self._graph, name)

    def waves(self) -> list[list[tuple[Query, dict[str, Any]]]]:
        """The reads in groups: those of a group ran at the same time, and each group after the one before."""
        found: list[list[tuple[Query, dict[str, Any]]]] = []
        over = 0.0
        for began, ended, query, parameters in sorted(self._reads, key=lambda one: one[0]):
            if not found or began >= over:
                found.append([])
            found[-1].append((query, parameters))
            over = max(over, ended)
        return found


async def small_beside(graph: Graph, namespace: str, data: Synthetic) -> int:
    """Of the five turns of a small memory in the same database, how many a search finds, at the least."""
    small = f"{namespace}-small"
    copies = [
        replace(turn, namespace=small, id=digest("turn", small, place), session_id=digest("session", small, "s0"))
        for place, turn in enumerate(data.turns[:5])
    ]
    await store(graph, small, replace(data, turns=copies), 0, 5)
    embedder = Given({question: vector.tolist() for question, vector in zip(data.questions, data.asked, strict=True)})
    return min(
        [len(await search_turns(graph, embedder, question, namespace=small)) for question in data.questions[:20]]
    )


def share(values: Sequence[float], part: float) -> float:
    """A percentile."""
    return float(np.percentile(values, part * 100))


async def measure(graph: Graph, namespace: str, data: Synthetic, count: int) -> tuple[float, float]:
    """Prints a row of the table; returns the 95th percentiles of the search and of its bare queries."""
    vectors = {question: vector.tolist() for question, vector in zip(data.questions, data.asked, strict=True)}
    embedder = Given(vectors)
    await latencies(graph, embedder, namespace, data.questions[:10])
    whole, bare = await latencies(graph, embedder, namespace, data.questions)
    recalls = {name: await recall(graph, data, *each) for name, each in filters(namespace, data, count).items()}
    shown = " | ".join(f"{value:.3f}" for value in recalls.values())
    print(
        f"| {count:,} | {shown} | {share(whole, 0.5):.0f} / {share(whole, 0.95):.0f} | {share(bare, 0.5):.0f} / {share(bare, 0.95):.0f} "
        f"| {share(whole, 0.95) / share(bare, 0.95):.2f} |",
        flush=True,
    )
    return share(whole, 0.95), share(bare, 0.95)


async def run(args: argparse.Namespace) -> None:
    """Stores and measures at both sizes."""
    settings = configuration.from_environment()
    data = make(args.namespace, args.turns, args.questions)
    graph = await connect(settings, LocalEmbedder(settings.cache))
    stored = (await graph.read(load("search/turn_count"), namespace=args.namespace, limit=args.turns))[0]["turns"]
    print(
        "| turns | recall by speaker | by time | by session | search, ms p50 / p95 | bare queries | search to bare at p95 |"
    )
    print("|" + "---|" * 7, flush=True)
    at_a_tenth = None
    if stored <= args.turns // 10:
        await store(graph, args.namespace, data, stored, args.turns // 10)
        at_a_tenth, _ = await measure(graph, args.namespace, data, args.turns // 10)
    await store(graph, args.namespace, data, max(stored, args.turns // 10), args.turns)
    at_full, _ = await measure(graph, args.namespace, data, args.turns)
    print(f"of 5 turns beside {args.turns:,} a search finds {await small_beside(graph, args.namespace, data)}")
    if at_a_tenth is not None:
        print(f"p95 at {args.turns:,} turns is {at_full / at_a_tenth:.2f} times that at {args.turns // 10:,}")
    await graph.close()


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--namespace", default="bench-filtered")
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
