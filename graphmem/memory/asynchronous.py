"""``AsyncMemory``: wiring only. Each method hands over to the part that does the work."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from graphmem import answer, search, server, transcripts
from graphmem.errors import ConfigurationError, QuestionError
from graphmem.extract.with_rules import RuleExtractor
from graphmem.graph import read
from graphmem.graph import verify as ledger
from graphmem.graph.connection import Graph
from graphmem.graph.guard import GuardedResult, run_guarded
from graphmem.graph.namespaces import NamespaceView, list_namespaces
from graphmem.graph.read import EntityView, FactsResult, TimelineEntry
from graphmem.graph.schema import open_store
from graphmem.ingest import Ingestion, IngestReport, Progress
from graphmem.moments import Moment, as_moment
from graphmem.providers.local_embedder import LocalEmbedder
from graphmem.providers.protocols import Embedder
from graphmem.records import Answer, FactView, Hit, Session
from graphmem.settings import Settings, from_environment

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

    async def ask(
        self,
        question: str,
        *,
        namespace: str | None = None,
        asked_at: Moment = None,
        as_of: Moment = None,
        said_by: Moment = None,
        known_at: Moment = None,
    ) -> Answer:
        """Answers a question with citations, or says that the memory does not say and what was looked for.

        ``asked_at`` is when it is asked, from which "now" and "a year ago" are read; None: now. The other times as in ``facts``.
        """
        return await answer.ask(
            self.graph,
            self.embedder,
            question,
            namespace=self._namespace(namespace),
            asked_at=self._moment(asked_at, "asked_at"),
            as_of=self._moment(as_of, "as_of"),
            said_by=self._moment(said_by, "said_by"),
            known_at=self._moment(known_at, "known_at"),
        )

    async def search_turns(
        self,
        query: str,
        limit: int = 10,
        *,
        namespace: str | None = None,
        since: Moment = None,
        until: Moment = None,
        speaker: str | None = None,
        session: str | None = None,
    ) -> list[Hit]:
        """The turns that bear on a question, best first; only those said in ``[since, until)``, by this speaker, in this session."""
        return await search.search_turns(
            self.graph,
            self.embedder,
            query,
            namespace=self._namespace(namespace),
            limit=limit,
            since=self._moment(since, "since"),
            until=self._moment(until, "until"),
            speaker=speaker,
            session=session,
        )

    async def cypher(
        self, query: str, parameters: Mapping[str, Any] | None = None, *, namespace: str | None = None
    ) -> GuardedResult:
        """Runs a reading Cypher query within one namespace, up to a limit of time, rows and bytes. Values go in ``parameters``.

        Raises CypherRefused, with the reason, for a query that could write, reach another namespace or run without bound.
        """
        return await run_guarded(self.graph, query, parameters or {}, self._namespace(namespace))

    async def entities(self, name: str | None = None, *, namespace: str | None = None) -> tuple[EntityView, ...]:
        """The entities of this name, whichever of their names it is; without one, all of them. Most mentioned first."""
        return await read.entities(self.graph, self._namespace(namespace), () if name is None else (name,))

    async def facts(
        self,
        subject: str | None = None,
        property: str | None = None,
        *,
        namespace: str | None = None,
        as_of: Moment = None,
        said_by: Moment = None,
        known_at: Moment = None,
    ) -> FactsResult:
        """What holds of a subject, or of a property for everyone: at ``as_of`` in the world (None: the latest), counting what was said
        by ``said_by`` and known at ``known_at`` (None: all).

        Raises QuestionError for a name that the memory does not know.
        """
        return await read.facts(
            self.graph,
            self._namespace(namespace),
            await self._subjects(subject, namespace),
            () if property is None else (property,),
            as_of=self._moment(as_of, "as_of"),
            said_by=self._moment(said_by, "said_by"),
            known_at=self._moment(known_at, "known_at"),
        )

    async def history(
        self,
        subject: str | None = None,
        property: str | None = None,
        *,
        namespace: str | None = None,
        said_by: Moment = None,
        known_at: Moment = None,
    ) -> tuple[FactView, ...]:
        """Every period of every value, in order, with its effective interval. Raises QuestionError for a name that is not known."""
        return await read.history(
            self.graph,
            self._namespace(namespace),
            await self._subjects(subject, namespace),
            () if property is None else (property,),
            said_by=self._moment(said_by, "said_by"),
            known_at=self._moment(known_at, "known_at"),
        )

    async def timeline(
        self,
        subject: str | None = None,
        *,
        namespace: str | None = None,
        since: Moment = None,
        until: Moment = None,
        said_by: Moment = None,
        known_at: Moment = None,
    ) -> tuple[TimelineEntry, ...]:
        """Facts and events in order of time, of a subject or of everyone. Raises QuestionError for a name that is not known."""
        return await read.timeline(
            self.graph,
            self._namespace(namespace),
            await self._subjects(subject, namespace),
            since=self._moment(since, "since"),
            until=self._moment(until, "until"),
            said_by=self._moment(said_by, "said_by"),
            known_at=self._moment(known_at, "known_at"),
        )

    async def _subjects(self, name: str | None, namespace: str | None) -> tuple[str, ...]:
        if name is None:
            return ()
        found = await self.entities(name, namespace=namespace)
        if not found:
            raise QuestionError(
                f"nobody and nothing in namespace {self._namespace(namespace)!r} is called {name!r}; "
                "`graphmem search` finds where it is spoken of"
            )
        return tuple(identifier for each in found for identifier in each.ids)

    def _moment(self, value: Moment, name: str) -> datetime | None:
        return as_moment(value, self.settings.tzinfo, name)

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
