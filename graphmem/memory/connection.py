"""Opening and closing a memory, and what its methods share: the connection, the embedder, and how a user's names and times are read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from datetime import datetime
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypedDict

from graphmem import server
from graphmem.errors import ConfigurationError, QuestionError
from graphmem.extract.protocol import Extractor
from graphmem.graph import read
from graphmem.graph.connection import Graph
from graphmem.graph.schema import open_store
from graphmem.memory.arguments import text
from graphmem.memory.services import chat_of, embedder_of, extractor_of, reranker_of
from graphmem.moments import Moment, as_moment
from graphmem.providers.protocols import Embedder, Reranker
from graphmem.search import SearchSettings
from graphmem.settings import Settings, from_environment
from graphmem.temporal import Policy

if TYPE_CHECKING:
    from graphmem.providers.local_embedder import LocalEmbedder
    from graphmem.providers.openai_chat import OpenAIChat
    from graphmem.providers.openai_embedder import OpenAIEmbedder

Fetching = Callable[[int, int], None]
"""Told (bytes done, bytes in total) while something is fetched for the first time."""


class Seen(TypedDict):
    """What a query is to count: what was said, and what was known, by these times."""

    said_by: datetime | None
    known_at: datetime | None


class Opened:
    """A memory that can be opened and closed. Raises StoreUnavailable, StoreMismatch or ServerError on opening."""

    def __init__(self, settings: Settings, fetching: Fetching | None = None) -> None:
        self.settings = settings
        self._fetching = fetching
        self._graph: Graph | None = None
        self._closed = False
        self._embedder: LocalEmbedder | OpenAIEmbedder | None = None
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
            self._graph, self._closed = None, True
        if self._embedder is not None:
            await asyncio.to_thread(self._embedder.close)
            self._embedder = None
        reranker = self.__dict__.pop("reranker", None)
        if reranker is not None:
            await reranker.close()

    @cached_property
    def chat(self) -> OpenAIChat | None:
        """The chat service that the settings name, None without one."""
        return chat_of(self.settings)

    @cached_property
    def extractor(self) -> Extractor:
        """What reads the turns: a model or the rules, by the settings."""
        return extractor_of(self.settings, self.chat)

    @cached_property
    def reranker(self) -> Reranker | None:
        """What puts found turns in their final order, by the settings; None without one."""
        return reranker_of(self.settings)

    @property
    def policy(self) -> Policy:
        """How times are read on which people differ, by the settings. Raises ConfigurationError for what is no policy."""
        return Policy.parse(self.settings.time_policy)

    @property
    def weights(self) -> SearchSettings:
        """What search weighs, and how it reads the time in a question."""
        return SearchSettings(time_policy=self.policy)

    @property
    def graph(self) -> Graph:
        """The open connection. Raises ConfigurationError before opening or after closing."""
        if self._graph is None:
            raise ConfigurationError(self._not_open)
        return self._graph

    @property
    def embedder(self) -> Embedder:
        """The embedding model that the store is written with."""
        if self._embedder is None:
            raise ConfigurationError(self._not_open)
        return self._embedder

    @property
    def _not_open(self) -> str:
        if self._closed:
            return "this memory is closed; open another one with AsyncMemory.open()"
        return "this memory is not open; use `async with AsyncMemory.open() as memory`"

    async def _subjects(self, name: str | None, namespace: str | None, known_at: Moment = None) -> tuple[str, ...]:
        """Whom a name means, with all that were decided, by the time asked for, to be the same."""
        if name is None:
            return ()
        text(name, "subject")
        space = self._namespace(namespace)
        found = await read.entities(self.graph, space, (name,), known_at=self._moment(known_at, "known_at"))
        if not found and known_at is not None:
            found = await read.entities(self.graph, space, (name,))  # known now, and then nothing was known of it
        if not found:
            raise QuestionError(
                f"nobody and nothing in namespace {self._namespace(namespace)!r} is called {name!r}; "
                "`graphmem search` finds where it is spoken of"
            )
        return tuple(identifier for each in found for identifier in each.ids)

    def _moment(self, value: Moment, name: str) -> datetime | None:
        return as_moment(value, self.settings.tzinfo, name)

    def _seen(self, said_by: Moment, known_at: Moment) -> Seen:
        return {"said_by": self._moment(said_by, "said_by"), "known_at": self._moment(known_at, "known_at")}

    def _namespace(self, given: str | None) -> str:
        return self.settings.namespace if given is None else text(given, "namespace")

    async def _connect(self) -> None:
        graph, embedder = await self._reach()
        try:
            await open_store(graph, embedder.name, embedder.dimensions)
        except BaseException:
            await graph.close()
            embedder.close()
            raise
        self._graph, self._embedder, self._closed = graph, embedder, False

    async def _reach(self) -> tuple[Graph, LocalEmbedder | OpenAIEmbedder]:
        """The database, whatever it was written with, and the embedder of the settings."""
        loading = asyncio.to_thread(embedder_of, self.settings, self._fetching)
        (uri, user, password), embedder = await asyncio.gather(self._address(), loading)
        try:
            return await Graph.connect(uri, user, password, self.settings.neo4j_database), embedder
        except BaseException:
            embedder.close()
            raise

    async def _address(self) -> tuple[str, str, str]:
        """Address, user and password: those of the settings, else those of the managed server, which is started if need be."""
        settings = self.settings
        if settings.neo4j_uri is not None:
            if settings.neo4j_password is None:
                raise ConfigurationError(
                    f"no password for {settings.neo4j_uri}: set GRAPHMEM_NEO4J_PASSWORD, or give one to open()"
                )
            return settings.neo4j_uri, settings.neo4j_user, settings.neo4j_password
        own = server.ServerSettings(heap_mb=settings.heap_mb)
        self.server = await asyncio.to_thread(
            server.up, settings.home, own, cache=settings.cache, progress=self._fetching
        )
        return self.server.uri, self.server.user, self.server.password
