"""``Memory``: the same methods as ``AsyncMemory``, for code that does not await. No logic of its own.

Each memory has an event loop in a thread of its own, so it works in a script, in a notebook and inside a running loop.
"""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import Callable, Coroutine, Generator
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from graphmem.answer.agent import AgentStep
from graphmem.errors import ConfigurationError
from graphmem.ingest import Progress, Reembedded
from graphmem.memory.asynchronous import AsyncMemory
from graphmem.memory.connection import Fetching
from graphmem.server import ServerInfo
from graphmem.settings import Settings

T = TypeVar("T")
P = ParamSpec("P")


def _blocking(
    method: Callable[Concatenate[AsyncMemory, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[Memory, P], T]:
    """The method of the same name that waits for its result."""

    @functools.wraps(method)
    def wait(self: Memory, /, *arguments: P.args, **named: P.kwargs) -> T:
        return self._run(method(self._inner, *arguments, **named))

    return wait


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

    @classmethod
    def reembed(
        cls,
        uri: str | None = None,
        *,
        user: str | None = None,
        password: str | None = None,
        database: str | None = None,
        settings: Settings | None = None,
        progress: Progress | None = None,
        fetching: Fetching | None = None,
    ) -> Reembedded:
        """Moves a database to the embedding model of the settings, with which it cannot be opened yet; see ``AsyncMemory.reembed``."""
        inner = AsyncMemory.open(
            uri, user=user, password=password, database=database, settings=settings, fetching=fetching
        )
        memory = cls(inner)
        try:
            return memory._run(inner.reembed(progress=progress))
        finally:
            memory._stop()

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

    ingest = _blocking(AsyncMemory.ingest)
    estimate = _blocking(AsyncMemory.estimate)
    add = _blocking(AsyncMemory.add)
    flush = _blocking(AsyncMemory.flush)
    turns = _blocking(AsyncMemory.turns)
    coverage = _blocking(AsyncMemory.coverage)
    correct = _blocking(AsyncMemory.correct)
    retract = _blocking(AsyncMemory.retract)
    ask = _blocking(AsyncMemory.ask)
    search_turns = _blocking(AsyncMemory.search_turns)
    search_events = _blocking(AsyncMemory.search_events)
    search = _blocking(AsyncMemory.search)
    grep_turns = _blocking(AsyncMemory.grep_turns)
    grep_events = _blocking(AsyncMemory.grep_events)
    context = _blocking(AsyncMemory.context)
    profile = _blocking(AsyncMemory.profile)
    cypher = _blocking(AsyncMemory.cypher)
    entities = _blocking(AsyncMemory.entities)
    properties = _blocking(AsyncMemory.properties)
    facts = _blocking(AsyncMemory.facts)
    history = _blocking(AsyncMemory.history)
    timeline = _blocking(AsyncMemory.timeline)
    changed = _blocking(AsyncMemory.changed)
    gaps = _blocking(AsyncMemory.gaps)
    how_long = _blocking(AsyncMemory.how_long)
    conflicts = _blocking(AsyncMemory.conflicts)
    denials = _blocking(AsyncMemory.denials)
    diff = _blocking(AsyncMemory.diff)
    events = _blocking(AsyncMemory.events)
    count = _blocking(AsyncMemory.count)
    first = _blocking(AsyncMemory.first)
    last = _blocking(AsyncMemory.last)
    between = _blocking(AsyncMemory.between)
    before = _blocking(AsyncMemory.before)
    after = _blocking(AsyncMemory.after)
    overlapping = _blocking(AsyncMemory.overlapping)
    namespaces = _blocking(AsyncMemory.namespaces)
    is_empty = _blocking(AsyncMemory.is_empty)
    verify = _blocking(AsyncMemory.verify)
    reextract = _blocking(AsyncMemory.reextract)
    likely_pairs = _blocking(AsyncMemory.likely_pairs)
    decide = _blocking(AsyncMemory.decide)
    split = _blocking(AsyncMemory.split)

    def ask_steps(self, question: str, **named: Any) -> Generator[AgentStep]:
        """The steps of an answer as they come; arguments and errors as in ``AsyncMemory.ask_steps``."""
        steps = self._inner.ask_steps(question, **named)

        async def following() -> AgentStep | None:
            return await anext(steps, None)

        try:
            while (step := self._run(following())) is not None:
                yield step
        finally:
            self._run(steps.aclose())

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        if self._loop.is_closed():
            work.close()
            raise ConfigurationError("this memory is closed; open another one with Memory.open()")
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
