"""Turn-level recall of graphmem's search on LoCoMo, through a real Neo4j.

    python benchmarks/recall.py PATH/locomo10.json PATH/locomo_recall.py [--conversations 6-10]

Ingests the turns where they are not there yet (the transcripts only: nothing is extracted), then lets the scorer call ``find``. The server
is the one that GRAPHMEM_NEO4J_URI names, with GRAPHMEM_NEO4J_USER and GRAPHMEM_NEO4J_PASSWORD, else the managed one, which is started.
LoCoMo is not part of this project; its licence (CC BY-NC 4.0) allows measuring.
"""

from __future__ import annotations

import argparse
import asyncio
import runpy
import sys
import time
from functools import cache
from pathlib import Path

from graphmem import settings as configuration
from graphmem import transcripts
from graphmem.graph.connection import Graph
from graphmem.graph.schema import open_store
from graphmem.ingest.report import Tally
from graphmem.ingest.run import in_order
from graphmem.ingest.turns import store_turns
from graphmem.providers import LocalEmbedder
from graphmem.search import SearchSettings, search_turns

LIMIT = 50
NAMESPACE = "bench-locomo"


class Bench:
    """A connection and an event loop that outlive one question."""

    def __init__(self, namespace: str = NAMESPACE) -> None:
        self.namespace = namespace
        self.settings = configuration.from_environment()
        self.embedder = LocalEmbedder(self.settings.cache)
        self.loop = asyncio.new_event_loop()
        self.graph = self.loop.run_until_complete(self._connect())

    async def _connect(self) -> Graph:
        uri, user, password = self.settings.neo4j_uri, self.settings.neo4j_user, self.settings.neo4j_password
        if uri is None:
            from graphmem.server import up

            info = await asyncio.to_thread(up, self.settings.home)
            uri, user, password = info.uri, info.user, info.password
        graph = await Graph.connect(uri, user, password or "", self.settings.neo4j_database)
        await open_store(graph, self.embedder.name, self.embedder.dimensions)
        return graph

    def find(self, conversation: str, question: str, settings: SearchSettings | None = None) -> list[str]:
        """The turns found for a question, best first, by their names in the source."""
        hits = self.loop.run_until_complete(
            search_turns(
                self.graph,
                self.embedder,
                question,
                namespace=f"{self.namespace}-{conversation}",
                limit=LIMIT,
                settings=SearchSettings() if settings is None else settings,
            )
        )
        return [hit.turn_id for hit in hits]


@cache
def bench() -> Bench:
    """The one of this process."""
    return Bench()


def find(conversation: str, question: str) -> list[str]:
    """What the scorer calls."""
    return bench().find(conversation, question)


async def store(bench: Bench, path: Path) -> None:
    """Stores and embeds the turns of a LoCoMo file, without extraction. Adds nothing where they are there."""
    read = transcripts.read(path, namespace=bench.namespace)
    for namespace, sessions in in_order(read.sessions).items():
        await store_turns(bench.graph, bench.embedder, namespace, sessions, bench.settings.write_batch, Tally((), None))


def main() -> None:
    """Stores, then scores."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="locomo10.json")
    parser.add_argument("scorer", type=Path, help="locomo_recall.py")
    parser.add_argument("--conversations", default="1-10", help="by position, such as 6-10")
    args = parser.parse_args()
    began = time.perf_counter()
    here = bench()
    here.loop.run_until_complete(store(here, args.data))
    print(f"turns stored and embedded in {time.perf_counter() - began:.1f} s", file=sys.stderr)
    sys.argv = [str(args.scorer), "recall:find", str(args.data), "--conversations", args.conversations]
    sys.modules["recall"] = sys.modules["__main__"]
    runpy.run_path(str(args.scorer), run_name="__main__")
    print(f"and scored {time.perf_counter() - began:.1f} s after the start", file=sys.stderr)


if __name__ == "__main__":
    main()
