"""The fixture ``world``: import it in the test module. The transcript is ingested once for each module."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from graphmem.graph.connection import Graph
from graphmem.providers.local_embedder import LocalEmbedder
from tests.end_to_end.agent_world import World, ingest
from tests.service import serve


@pytest.fixture(scope="module")
async def world(
    graph: Graph, embedder: LocalEmbedder, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[World]:
    """Mara's and Idris' conversations in a namespace of their own, and a model service on loopback."""
    namespace = f"agent-{uuid.uuid4().hex[:12]}"
    folder: Path = tmp_path_factory.mktemp("agent")
    await ingest(graph, embedder, namespace, folder)
    with serve() as service:
        yield World(graph, embedder, namespace, service)
