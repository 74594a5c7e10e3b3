"""``AsyncMemory``: wiring only. Each method hands over to the part that does the work."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Sequence
from datetime import date, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from graphmem import server, transcripts
from graphmem.errors import ConfigurationError
from graphmem.extract.with_rules import RuleExtractor
from graphmem.graph import verify as ledger
from graphmem.graph.connection import Graph
from graphmem.graph.namespaces import NamespaceView, list_namespaces
from graphmem.graph.schema import open_store
from graphmem.ingest import Ingestion, IngestReport, Progress
from graphmem.providers.local_embedder import LocalEmbedder
from graphmem.providers.protocols import Embedder
from graphmem.records import Session
from graphmem.settings import Settings, from_environment

T = TypeVar("T")
Moment = datetime | date | str | None
"""A time as a user gives it: an ISO text, a date (its first instant) or a datetime; without an offset it is in the memory's zone."""

Fetching = Callable[[int, int], None]


class AsyncMemory:
    """A memory on a Neo4j database.

        async with AsyncMemory.open() as memory:        # or: memory = await AsyncMemory.open()
            await memory.ingest("transcripts/")
            answer = await memory.ask("Where does Ana live?")

    Raises StoreUnavailable, StoreMismatch or ServerError on opening.
    """

    def __init__(self, settings: Settings, fetching: Fetching | None = None) -> None:
        self.settings = settings
        self._fetching = fetching
        self._graph: Graph | None = None
        self._embedder: Embedder | None = None
        self.server: server.ServerInfo | None = None

    @classmethod
    def open(
        cls,
        uri: str | None = None,
        *,
        user: str | None = None,
        password: str | None = None,
        database: str | None = None,
        namespace: str | None = None,
        settings: Settings | None = None,
        fetching: Fetching | None = None,
    ) -> Self:
        """A memory on this database; without an address, here or in the settings, on the managed local Neo4j, started if need be.

        ``settings`` None reads them from the environment. ``fetching`` is told (bytes done, bytes in total) while the local Neo4j and
        the embedding model are fetched for the first time.
        """
        base = from_environment() if settings is None else settings
        chosen = base.with_changes(
            neo4j_uri=uri, neo4j_user=user, neo4j_password=password, neo4j_database=database, namespace=namespace
        )
        return cls(chosen, fetching)

    def __await__(self) -> Generator[Any, None, Self]:
        return self.__aenter__().__await__()

    async def __aenter__(self) -> Self:
        if self._graph is None:
            await self._connect()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connection. The managed server goes on running, for the next command to attach to."""
        if self._graph is not None:
            await self._graph.close()
            self._graph = None

    @property
    def graph(self) -> Graph:
        """The open connection. Raises ConfigurationError before opening or after closing."""
        if self._graph is None:
            raise ConfigurationError("this memory is not open; use `async with AsyncMemory.open() as memory`")
        return self._graph

    @property
    def embedder(self) -> Embedder:
        """The embedding model that the store is written with."""
        if self._embedder is None:
            raise ConfigurationError("this memory is not open; use `async with AsyncMemory.open() as memory`")
        return self._embedder

    async def ingest(
        self,
        source: str | Path | Sequence[Session],
        *,
        namespace: str | None = None,
        progress: Progress | None = None,
    ) -> IngestReport:
        """Reads transcripts (a file, a folder, or sessions already read) and appends what is new of them. Safe to repeat.

        A file of several conversations makes a namespace of each, ``namespace-conversation``. Raises TranscriptError for a path that
        cannot be read at all; what is malformed inside is in the report's ``skipped``, windows that failed in its ``failed``.
        """
        if isinstance(source, str | Path):
            read = await asyncio.to_thread(transcripts.read, source, self._namespace(namespace), self.settings.tzinfo)
            sessions, problems = read.sessions, read.problems
        else:
            sessions, problems = tuple(source), ()
        ingestion = Ingestion(self.graph, self.embedder, RuleExtractor(), self.settings)
        return await ingestion.run(sessions, problems, progress)

    async def namespaces(self) -> list[NamespaceView]:
        """The namespaces of this database, with their size and the time they cover."""
        return await list_namespaces(self.graph)

    async def verify(self, namespace: str | None = None) -> ledger.Verification:
        """Re-reads every quotation of a namespace against its turn, and the chain of digests of its commits."""
        return await ledger.verify(self.graph, self._namespace(namespace))

    def _namespace(self, given: str | None) -> str:
        return self.settings.namespace if given is None else given

    async def _connect(self) -> None:
        settings = self.settings
        uri, user, password = settings.neo4j_uri, settings.neo4j_user, settings.neo4j_password
        if uri is None:
            own = server.ServerSettings(heap_mb=settings.heap_mb)
            self.server = await asyncio.to_thread(
                server.up, settings.home, own, cache=settings.cache, progress=self._fetching
            )
            uri, user, password = self.server.uri, self.server.user, self.server.password
        if password is None:
            raise ConfigurationError(f"no password for {uri}: set GRAPHMEM_NEO4J_PASSWORD, or give one to open()")
        embedder = await asyncio.to_thread(
            LocalEmbedder, settings.cache, workers=settings.embed_workers, progress=self._fetching
        )
        graph = await Graph.connect(uri, user, password, settings.neo4j_database)
        try:
            await open_store(graph, embedder.name, embedder.dimensions)
        except BaseException:
            await graph.close()
            raise
        self._graph, self._embedder = graph, embedder
