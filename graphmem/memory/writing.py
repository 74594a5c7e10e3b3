"""The methods that bring something in, or check what is there."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from graphmem import transcripts
from graphmem.errors import InputError
from graphmem.graph import correct as corrections
from graphmem.graph import verify as ledger
from graphmem.graph.correct import Correction
from graphmem.graph.namespaces import NamespaceView, list_namespaces
from graphmem.graph.statements import statement
from graphmem.graph.write import read_head
from graphmem.ingest import IngestReport, Progress
from graphmem.ingest.estimate import Estimate, estimate
from graphmem.memory.arguments import sessions_given, text
from graphmem.memory.online import Online
from graphmem.moments import Moment
from graphmem.records import Interval, Problem, Session, Turn


class Writing(Online):
    """Ingesting, correcting, verifying."""

    async def ingest(
        self,
        source: str | Path | Sequence[Session],
        *,
        namespace: str | None = None,
        lazy: bool = False,
        progress: Progress | None = None,
    ) -> IngestReport:
        """Reads transcripts (a file, a folder, or sessions already read) and appends what is new of them. Safe to repeat.

        A file of several conversations makes a namespace of each, ``namespace-conversation``. Raises TranscriptError for a path that
        cannot be read at all; what is malformed inside is in the report's ``skipped``, windows that failed in its ``failed``.
        ``lazy`` stores and embeds the turns only, which makes them findable; they are read when a question needs them, or by ``flush``.
        """
        sessions, problems = await self._sessions(source, namespace)
        return await self._ingestion().run(sessions, problems, progress, lazy=lazy)

    async def estimate(self, source: str | Path | Sequence[Session], *, namespace: str | None = None) -> Estimate:
        """What ``ingest`` of the same would add, and cost: windows, calls, tokens, price. Asks no model and writes nothing."""
        sessions, _ = await self._sessions(source, namespace)
        chat = self.chat if self.extractor.name == "model" else None
        models = ("", "") if chat is None else (chat.settings.model_for("extract"), chat.settings.model_for("resolve"))
        return await estimate(self._ingestion(), sessions, *models)

    async def _sessions(
        self, source: str | Path | Sequence[Session], namespace: str | None
    ) -> tuple[tuple[Session, ...], tuple[Problem, ...]]:
        """The sessions of a path, or those given, and what could not be read."""
        if not isinstance(source, str | Path):
            return sessions_given(source), ()
        read = await asyncio.to_thread(transcripts.read, source, self._namespace(namespace), self.settings.tzinfo)
        return read.sessions, read.problems

    async def correct(
        self,
        fact_id: str,
        value: str,
        *,
        says: str,
        by: str = "user",
        said_at: Moment = None,
        since: Moment = None,
        until: Moment = None,
        namespace: str | None = None,
    ) -> Correction:
        """Appends a person's correction of a fact; nothing is changed, and what was corrected stays.

        ``says`` are the person's words, stored as a turn of their own that the correction rests on, in the same transaction: one that
        is refused stores nothing. ``by`` is who says so and ``said_at`` when (None: now). ``since`` and ``until`` bound when the value
        holds; without both, it is as for the fact corrected.
        Raises InputError if no such fact stands.
        """
        valid = None
        if since is not None or until is not None:
            start, end = self._moment(since, "since"), self._moment(until, "until")
            valid = Interval(start, end, "instant", start is not None, end is not None)
        turn = self._statement(says, by, said_at, namespace)
        return await corrections.correct(
            *(self.graph, turn.namespace, text(fact_id, "fact_id"), text(value, "value"), turn, self.embedder),
            valid=valid,
        )

    async def retract(
        self, fact_id: str, *, says: str, by: str = "user", said_at: Moment = None, namespace: str | None = None
    ) -> Correction:
        """Appends that a fact was wrong, without another value; arguments as in ``correct``. Raises InputError if no such fact stands."""
        turn = self._statement(says, by, said_at, namespace)
        return await corrections.retract(self.graph, turn.namespace, text(fact_id, "fact_id"), turn, self.embedder)

    def _statement(self, says: str, by: str, said_at: Moment, namespace: str | None) -> Turn:
        """The person's words as a turn that is not stored yet."""
        if not text(says, "says").strip() or not text(by, "by").strip():
            raise InputError("a correction rests on words and on who said them; give both")
        moment = self._moment(said_at, "said_at") or datetime.now(UTC)
        return statement(self._namespace(namespace), by, says, moment)

    async def namespaces(self) -> list[NamespaceView]:
        """The namespaces of this database, with their size and the time they cover."""
        return await list_namespaces(self.graph)

    async def is_empty(self, namespace: str | None = None) -> bool:
        """Whether a namespace holds nothing: nothing was ever appended to it."""
        return (await read_head(self.graph, self._namespace(namespace))).sequence == 0

    async def verify(self, namespace: str | None = None) -> ledger.Verification:
        """Re-reads every quotation of a namespace against its turn, and the chain of digests of its commits."""
        return await ledger.verify(self.graph, self._namespace(namespace))
