"""The real Neo4j that tests run on, chosen in this order: GRAPHMEM_TEST_NEO4J_URI, a container where a Docker engine answers, the managed
local server in a folder that goes away afterwards. Which one it was stands in the header of the test run.

Tests share the server and keep apart by namespace: the fixture ``namespace`` gives each a fresh one. No test can reach a model service
of the world: connections leave this machine for nobody (``only_loopback``), and ``service`` is a local one that answers as scripted.
"""

from __future__ import annotations

import os
import tempfile
import uuid
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from graphmem.graph.connection import Graph
from graphmem.graph.schema import open_store
from graphmem.providers.local_embedder import LocalEmbedder
from graphmem.server import NEO4J_VERSION, ServerSettings, down, up
from graphmem.server.config import container_environment
from graphmem.settings import Settings
from tests.service.fixture import service
from tests.service.guard import only_loopback

__all__ = ["only_loopback", "service"]

NEO4J_IMAGE = f"neo4j:{NEO4J_VERSION}-community"


@dataclass(frozen=True)
class TestServer:
    """Where the server of this run is, and what it is."""

    __test__ = False

    uri: str
    user: str
    password: str
    kind: str


def docker_answers() -> bool:
    """Whether a Docker engine runs here. Asks it once, for at most two seconds."""
    import docker

    try:
        client = docker.from_env(timeout=2)
        return bool(client.ping())
    except Exception:
        return False


def server_kind() -> str:
    """Which server this run uses."""
    if os.environ.get("GRAPHMEM_TEST_NEO4J_URI"):
        return "GRAPHMEM_TEST_NEO4J_URI"
    return "container" if docker_answers() else "managed"


def pytest_report_header() -> str:
    """Names the server in the header."""
    return f"neo4j: {server_kind()}"


@pytest.fixture(scope="session")
def neo4j_server() -> Iterator[TestServer]:
    """The server of this run; started if need be, stopped at the end."""
    kind = server_kind()
    if kind == "GRAPHMEM_TEST_NEO4J_URI":
        yield TestServer(
            os.environ["GRAPHMEM_TEST_NEO4J_URI"],
            os.environ.get("GRAPHMEM_TEST_NEO4J_USER", "neo4j"),
            os.environ.get("GRAPHMEM_TEST_NEO4J_PASSWORD", ""),
            kind,
        )
    elif kind == "container":
        from testcontainers.neo4j import Neo4jContainer

        container = Neo4jContainer(NEO4J_IMAGE)
        for name, value in container_environment(ServerSettings()).items():
            container = container.with_env(name, value)
        with container:
            yield TestServer(container.get_connection_url(), container.username, container.password, kind)
    else:
        with tempfile.TemporaryDirectory(prefix="graphmem-test-") as folder:
            home = Path(folder) / "neo4j"
            info = up(home, settings=ServerSettings())
            try:
                yield TestServer(info.uri, info.user, info.password, kind)
            finally:
                down(home)


@pytest.fixture(scope="session")
def embedder() -> LocalEmbedder:
    """The real local embedder; loading it takes a second."""
    return LocalEmbedder(Settings().cache)


@pytest.fixture(scope="session")
async def graph(neo4j_server: TestServer, embedder: LocalEmbedder) -> AsyncIterator[Graph]:
    """A connection to the server, with the schema applied."""
    connected = await Graph.connect(neo4j_server.uri, neo4j_server.user, neo4j_server.password)
    await open_store(connected, embedder.name, embedder.dimensions)
    yield connected
    await connected.close()


@pytest.fixture
def namespace() -> str:
    """A namespace that no other test uses."""
    return f"test-{uuid.uuid4().hex[:12]}"


@pytest.fixture
def settings(neo4j_server: TestServer) -> Settings:
    """Settings for a memory on this run's server."""
    return Settings(neo4j_uri=neo4j_server.uri, neo4j_user=neo4j_server.user, neo4j_password=neo4j_server.password)
