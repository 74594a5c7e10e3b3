"""The real Neo4j that tests run on, chosen in this order: GRAPHMEM_TEST_NEO4J_URI, a container where a Docker engine answers, the managed
local server in a folder that goes away afterwards. Which one it was stands in the header of the test run.

Tests share the server and keep apart by namespace: the fixture ``namespace`` gives each a fresh one. Where several processes run the tests
(``-n`` of pytest-xdist), the one that hands them out starts the server, and the others find it in their environment. No test can reach a
model service of the world: connections leave this machine for nobody (``only_loopback``), and ``service`` is a local one that answers as
scripted.
"""

from __future__ import annotations

import os
import tempfile
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
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
GIVEN = "GRAPHMEM_TEST_NEO4J_URI"
KIND = pytest.StashKey[str]()


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
    if os.environ.get(GIVEN):
        return GIVEN
    return "container" if docker_answers() else "managed"


def pytest_configure(config: pytest.Config) -> None:
    """Where this process only hands out the tests to others, starts one for all of them."""
    config.stash[KIND] = server_kind()
    if getattr(config.option, "numprocesses", None) and config.stash[KIND] != GIVEN:
        serving = running(config.stash[KIND])
        server = serving.__enter__()
        config.add_cleanup(lambda: serving.__exit__(None, None, None))
        variables = {"URI": server.uri, "USER": server.user, "PASSWORD": server.password}
        os.environ.update({f"{GIVEN.removesuffix('URI')}{name}": value for name, value in variables.items()})


def pytest_report_header(config: pytest.Config) -> str:
    """Names the server in the header."""
    return f"neo4j: {config.stash[KIND]}"


@contextmanager
def running(kind: str) -> Iterator[TestServer]:
    """A server of this kind for the length of the block; started if need be, stopped at the end."""
    if kind == GIVEN:
        yield TestServer(
            os.environ[GIVEN],
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
def neo4j_server() -> Iterator[TestServer]:
    """The server of this run."""
    with running(server_kind()) as server:
        yield server


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
