"""``Memory``: the same methods as ``AsyncMemory``, for code that does not await. No logic of its own.

Each memory has an event loop in a thread of its own, so it works in a script, in a notebook and inside a running loop.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from graphmem.graph.guard import GuardedResult
from graphmem.graph.namespaces import NamespaceView
from graphmem.graph.read import EntityView, FactsResult, TimelineEntry
from graphmem.graph.verify import Verification
from graphmem.ingest import IngestReport, Progress
from graphmem.memory.asynchronous import AsyncMemory, Fetching
from graphmem.moments import Moment
from graphmem.records import Answer, FactView, Hit, Session
from graphmem.server import ServerInfo
from graphmem.settings import Settings

T = TypeVar("T")


class Memory:
    """A memory on a Neo4j database.

        with Memory.open() as memory:
            memory.ingest("transcripts/")
            print(memory.ask("Where does Ana live?").text)

    What each method does, returns and raises is said at the method of the same name of ``AsyncMemory``.
    """

    def __init__(self, inner: AsyncMemory) -> None:
        self._inner = inner
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="graphmem", daemon=True)
        self._thread.start()

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
        """Opens a memory; see ``AsyncMemory.open``."""
        inner = AsyncMemory.open(
            uri,
            user=user,
            password=password,
            database=database,
            namespace=namespace,
            settings=settings,
            fetching=fetching,
        )
        memory = cls(inner)
        try:
            memory._run(inner.__aenter__())
        except BaseException:
            memory._stop()
            raise
        return memory

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection and ends the thread. The managed server goes on running."""
        if not self._loop.is_closed():
            self._run(self._inner.close())
            self._stop()

    @property
    def settings(self) -> Settings:
        """What this memory runs with."""
        return self._inner.settings

    @property
    def server(self) -> ServerInfo | None:
        """The managed server, None where the memory is on a database of your own."""
        return self._inner.server

    def ingest(
        self,
        source: str | Path | Sequence[Session],
        *,
        namespace: str | None = None,
        progress: Progress | None = None,
    ) -> IngestReport:
        """Reads transcripts and appends what is new of them."""
        return self._run(self._inner.ingest(source, namespace=namespace, progress=progress))

    def ask(
        self,
        question: str,
        *,
        namespace: str | None = None,
        asked_at: Moment = None,
        as_of: Moment = None,
        said_by: Moment = None,
        known_at: Moment = None,
    ) -> Answer:
        """Answers a question with citations, or says that the memory does not say."""
        return self._run(
            self._inner.ask(
                question, namespace=namespace, asked_at=asked_at, as_of=as_of, said_by=said_by, known_at=known_at
            )
        )

    def search_turns(
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
        """The turns that bear on a question, best first."""
        return self._run(
            self._inner.search_turns(
                query, limit, namespace=namespace, since=since, until=until, speaker=speaker, session=session
            )
        )

    def cypher(
        self, query: str, parameters: Mapping[str, Any] | None = None, *, namespace: str | None = None
    ) -> GuardedResult:
        """Runs a reading Cypher query within one namespace."""
        return self._run(self._inner.cypher(query, parameters, namespace=namespace))

    def entities(self, name: str | None = None, *, namespace: str | None = None) -> tuple[EntityView, ...]:
        """The entities of this name, or all of them."""
        return self._run(self._inner.entities(name, namespace=namespace))

    def facts(
        self,
        subject: str | None = None,
        property: str | None = None,
        *,
        namespace: str | None = None,
        as_of: Moment = None,
        said_by: Moment = None,
        known_at: Moment = None,
    ) -> FactsResult:
        """What holds of a subject, or of a property for everyone, at the times asked for."""
        return self._run(
            self._inner.facts(subject, property, namespace=namespace, as_of=as_of, said_by=said_by, known_at=known_at)
        )

    def history(
        self,
        subject: str | None = None,
        property: str | None = None,
        *,
        namespace: str | None = None,
        said_by: Moment = None,
        known_at: Moment = None,
    ) -> tuple[FactView, ...]:
        """Every period of every value, in order."""
        return self._run(
            self._inner.history(subject, property, namespace=namespace, said_by=said_by, known_at=known_at)
        )

    def timeline(
        self,
        subject: str | None = None,
        *,
        namespace: str | None = None,
        since: Moment = None,
        until: Moment = None,
        said_by: Moment = None,
        known_at: Moment = None,
    ) -> tuple[TimelineEntry, ...]:
        """Facts and events in order of time."""
        return self._run(
            self._inner.timeline(
                subject, namespace=namespace, since=since, until=until, said_by=said_by, known_at=known_at
            )
        )

    def namespaces(self) -> list[NamespaceView]:
        """The namespaces of this database."""
        return self._run(self._inner.namespaces())

    def verify(self, namespace: str | None = None) -> Verification:
        """Re-reads every quotation and the ledger of a namespace."""
        return self._run(self._inner.verify(namespace))

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def _stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
