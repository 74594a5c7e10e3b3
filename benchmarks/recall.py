"""Turn-level recall of graphmem's search on LoCoMo, through a real Neo4j.

    python benchmarks/recall.py PATH/locomo10.json PATH/locomo_recall.py [--conversations 6-10] [--turns-only] [--namespace NAME]

Ingests by rules what is not there yet (with --turns-only just the turns), then lets the scorer call ``find``. The server
is the one that GRAPHMEM_NEO4J_URI names, with GRAPHMEM_NEO4J_USER and GRAPHMEM_NEO4J_PASSWORD, else the managed one, which is started.
LoCoMo is not part of this project; its licence (CC BY-NC 4.0) allows measuring.
"""

from __future__ import annotations

import argparse
import asyncio
import runpy
import sys
import time
from pathlib import Path

from graphmem import settings as configuration
from graphmem import transcripts
from graphmem.extract import RuleExtractor
from graphmem.graph.connection import Graph
from graphmem.graph.schema import open_store
from graphmem.ingest import Ingestion
from graphmem.ingest.report import Tally
from graphmem.ingest.run import in_order
from graphmem.ingest.turns import store_turns
from graphmem.providers import Embedder, LocalEmbedder
from graphmem.search import search_turns

LIMIT = 50
NAMESPACE = "bench-locomo"


class Bench:
    """A connection and an event loop that outlive one question."""

    def __init__(self, namespace: str = NAMESPACE) -> None:
        self.namespace = namespace
        self.settings = configuration.from_environment()
        self.embedder = LocalEmbedder(self.settings.cache)
        self.loop = asyncio.new_event_loop()
        self.graph = self.loop.run_until_complete(connect(self.settings, self.embedder))

    def find(self, conversation: str, question: str) -> list[str]:
        """The turns found for a question, best first, by their names in the source."""
        namespace = f"{self.namespace}-{conversation}"
        search = search_turns(self.graph, self.embedder, question, namespace=namespace, limit=LIMIT)
        return [hit.turn_id for hit in self.loop.run_until_complete(search)]


async def connect(settings: configuration.Settings, embedder: Embedder) -> Graph:
    """The server that the settings name, else the managed one, which is started; with the schema."""
    uri, user, password = settings.neo4j_uri, settings.neo4j_user, settings.neo4j_password
    if uri is None:
        from graphmem.server import up

        info = await asyncio.to_thread(up, settings.home)
        uri, user, password = info.uri, info.user, info.password
    graph = await Graph.connect(uri, user, password or "", settings.neo4j_database)
    await open_store(graph, embedder.name, embedder.dimensions)
    return graph


async def store(bench: Bench, path: Path, turns_only: bool) -> None:
    """Ingests a LoCoMo file; adds nothing where it is there."""
    sessions = transcripts.read(path, namespace=bench.namespace).sessions
    if not turns_only:
        await Ingestion(bench.graph, bench.embedder, RuleExtractor(), bench.settings).run(sessions)
        return
    for namespace, own in in_order(sessions).items():
        await store_turns(bench.graph, bench.embedder, namespace, own, bench.settings.write_batch, Tally((), None))


_benches: list[Bench] = []


def find(conversation: str, question: str) -> list[str]:
    """What a scorer calls; without ``main`` it searches what an earlier run has stored."""
    if not _benches:
        _benches.append(Bench())
    return _benches[0].find(conversation, question)


def main() -> None:
    """Stores, then scores."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="locomo10.json")
    parser.add_argument("scorer", type=Path, help="locomo_recall.py")
    parser.add_argument("--conversations", default="1-10", help="by position, such as 6-10")
    parser.add_argument("--turns-only", action="store_true", help="store turns, extract nothing")
    parser.add_argument("--namespace", default=NAMESPACE)
    args = parser.parse_args()
    began = time.perf_counter()
    bench = Bench(args.namespace)
    _benches.append(bench)
    bench.loop.run_until_complete(store(bench, args.data, args.turns_only))
    print(f"ingested in {time.perf_counter() - began:.1f} s", file=sys.stderr)
    sys.argv = [str(args.scorer), "recall:find", str(args.data), "--conversations", args.conversations]
    sys.modules["recall"] = sys.modules["__main__"]
    runpy.run_path(str(args.scorer), run_name="__main__")
    print(f"and scored {time.perf_counter() - began:.1f} s after the start", file=sys.stderr)


if __name__ == "__main__":
    main()
