"""The write path, top to bottom.

    sessions → turns stored and embedded → windows of new turns → extraction → time → resolution → one append per window

Every step can be repeated. What is stored already is found by identifier and adds nothing, so a run that was stopped, repeated or doubled
ends in the same graph. Extraction runs ahead of the rest; windows are resolved and appended in order of session time within a namespace,
so that the graph does not depend on which finished first. A window that fails is set aside as an Attempt and taken up by the next run.
Where a limit on calls or cost is reached, the run ends cleanly before the window that it cannot finish.
"""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter, deque
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from graphmem.errors import BudgetExceeded, CommitConflict, GraphmemError, ProviderError, StoreError
from graphmem.extract.protocol import Extractor
from graphmem.graph.connection import Graph
from graphmem.graph.write import append, read_head
from graphmem.ingest.asking import WindowChat
from graphmem.ingest.build import Built, attempt_batch, window_batch
from graphmem.ingest.report import IngestReport, Progress, Tally, by_role
from graphmem.ingest.turns import store_turns
from graphmem.ingest.windows import Planned, is_done, pending_windows
from graphmem.providers.chat import ChatModel
from graphmem.providers.protocols import Embedder
from graphmem.records import Extracted, Problem, Session
from graphmem.settings import Settings

EXTRACT_AHEAD = 4
"""Windows that may wait, extracted, for the one being appended: enough to keep both cores busy, few enough to stay small."""

WINDOWS_FOR_ONE_AHEAD = 4
"""Under a limit on calls or cost, how many windows have to be appended before one more may wait: what was extracted and waits when the
limit is reached is paid for again by the next run, so it may only be a small part of what the run achieves."""

CALLS_FOR_ONE = 2
"""Calls that a window takes: one to extract, and one to resolve what that leaves open. With fewer no run would ever get further."""

TOO_FEW = f"reading a window takes {CALLS_FOR_ONE} calls, more where a reply has to be asked for again"

MAX_CONFLICTS = 500
"""How often one append gives way to other writers before it gives up."""


@dataclass(frozen=True, slots=True)
class Ingestion:
    """What ingestion works with. It holds no state of a run. With ``chat``, a model is asked about what rules leave open in a window."""

    graph: Graph
    embedder: Embedder
    extractor: Extractor
    settings: Settings
    chat: ChatModel | None = None

    async def run(
        self,
        sessions: Sequence[Session],
        problems: Sequence[Problem] = (),
        progress: Progress | None = None,
        *,
        lazy: bool = False,
    ) -> IngestReport:
        """Ingests sessions of any number of namespaces; safe to repeat, and to run twice at once.

        ``problems`` are what the reader had to skip; they enter the report. ``lazy`` stores turns and reads no window. Raises StoreError
        when the database fails: what was appended until then stays, and the next run goes on from there.
        """
        tally = Tally(problems, progress)
        namespaces = in_order(sessions)
        tally.expect("turns", sum(len(session.turns) for session in sessions))
        for namespace, own in namespaces.items():
            await store_turns(self.graph, self.embedder, namespace, own, self.settings.write_batch, tally)
        windows: list[Planned] = []
        for namespace, own in () if lazy else namespaces.items():
            pending = await pending_windows(self.graph, self.extractor, namespace, own, self.settings)
            windows += pending.windows
            tally.read_by_others(namespace, pending.read_by_others)
        return await self.read_windows(windows, tally)

    async def read_windows(self, windows: Sequence[Planned], tally: Tally) -> IngestReport:
        """Extracts, resolves and appends these windows, which are in order of time within a namespace. Raises what ``run`` raises."""
        spent_before = {} if self.chat is None else dict(self.chat.spent())
        vocabulary: dict[str, Sequence[float]] = {}
        tally.expect("windows", len(windows))
        limit = self.settings.max_calls
        if windows and self.chat is not None and limit is not None and limit < CALLS_FOR_ONE:
            tally.stopped(windows[0].window, BudgetExceeded(f"max_calls is {limit}, and {TOO_FEW}"))
            return tally.report()
        async with aclosing(self._extract_ahead(windows, tally)) as extractions:
            async for planned, extracted in extractions:
                chat = None if self.chat is None else WindowChat(self.chat, vocabulary)
                try:
                    await self._append(planned, extracted, chat, tally)
                except BudgetExceeded as exc:
                    tally.stopped(planned.window, exc, again=bool(tally.windows))
                    break
                tally.progress("windows")
        if self.chat is not None:
            tally.spent(spent_before, self.chat.spent())
        return tally.report()

    async def _extract_ahead(
        self, windows: Sequence[Planned], tally: Tally
    ) -> AsyncGenerator[tuple[Planned, Extracted | GraphmemError]]:
        """Extracts some windows ahead of the one being appended, and gives them out in order."""
        parallel = asyncio.Semaphore(self.extractor.parallel)
        most = self.extractor.parallel + EXTRACT_AHEAD
        limited = self.settings.max_calls is not None or self.settings.max_cost is not None
        given = 0
        running: deque[tuple[Planned, asyncio.Task[Extracted | GraphmemError]]] = deque()
        waiting = iter(windows)

        async def extract(planned: Planned) -> Extracted | GraphmemError:
            async with parallel:
                with tally.timed("extract"):
                    try:
                        return await self.extractor.extract(planned.window)
                    except ProviderError as exc:
                        return exc

        try:
            while True:
                ahead = min(most, 1 + given // WINDOWS_FOR_ONE_AHEAD) if limited else most
                for planned in itertools.islice(waiting, max(0, ahead - len(running))):
                    running.append((planned, asyncio.create_task(extract(planned))))
                if not running:
                    return
                planned, task = running.popleft()
                yield planned, await task
                given += 1
        finally:
            for _, task in running:
                task.cancel()

    async def _append(
        self, planned: Planned, extracted: Extracted | GraphmemError, chat: WindowChat | None, tally: Tally
    ) -> None:
        """Resolves a window against all that is committed and appends it; gives way to other writers and decides again.

        Raises BudgetExceeded where the window cannot be finished within the limits.
        """
        namespace = planned.window.namespace
        for _ in range(MAX_CONFLICTS):
            head = await read_head(self.graph, namespace)
            if await is_done(self.graph, planned):
                tally.window_known(namespace)
                return
            built = await self._build(planned, extracted, chat, tally)
            batch = attempt_batch(planned, built) if isinstance(built, GraphmemError) else built.batch
            try:
                with tally.timed("append"):
                    cost = _cost(extracted, built, chat)
                    committed = await append(self.graph, batch, head, planned.turn_ids, usage=cost)
            except CommitConflict:
                continue
            if isinstance(built, GraphmemError):
                tally.window_failed(planned.window, built)
            else:
                tally.window_added(namespace, built.extracted, committed.counts)
            return
        raise StoreError(
            f"namespace {namespace!r}: {MAX_CONFLICTS} other writers came first, one after the other; run the ingestion again"
        )

    async def _build(
        self, planned: Planned, extracted: Extracted | GraphmemError, chat: WindowChat | None, tally: Tally
    ) -> Built | GraphmemError:
        """The window's batch, or what kept a model from reading it or from deciding on it."""
        if isinstance(extracted, BudgetExceeded):
            raise extracted
        if isinstance(extracted, GraphmemError):
            return extracted
        try:
            return await window_batch(self.graph, self.embedder, chat, planned, extracted, self.settings, tally)
        except BudgetExceeded:
            raise
        except ProviderError as exc:
            return exc


def _cost(
    extracted: Extracted | GraphmemError, built: Built | GraphmemError, chat: WindowChat | None
) -> dict[str, int]:
    """What the calls of a window have cost, by role, also where one of them failed."""
    resolving = Counter({} if chat is None else chat.usage.counts())
    if isinstance(extracted, Extracted):
        resolving.update(_spent(built))
        return by_role(extracted.usage, resolving)
    return by_role(_spent(extracted), resolving)


def _spent(failed: object) -> Mapping[str, int]:
    return failed.spent if isinstance(failed, ProviderError) else {}


def in_order(sessions: Sequence[Session]) -> dict[str, list[Session]]:
    """Sessions by namespace, each in order of time: the order in which they are appended, however the files were given."""
    grouped: dict[str, list[Session]] = {}
    for session in sorted(sessions, key=lambda each: (each.namespace, each.started_at, each.id)):
        grouped.setdefault(session.namespace, []).append(session)
    return grouped
