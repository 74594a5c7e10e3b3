"""The methods for a memory that grows while it is used: turns a few at a time, and reading when a question needs it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from graphmem.answer.whole import needs_everything
from graphmem.graph.queries import load
from graphmem.graph.read_sessions import sessions
from graphmem.ids import digest
from graphmem.ingest import Ingestion, IngestReport, Progress
from graphmem.ingest.adding import Coverage, add_turns, coverage, read_unread
from graphmem.memory.arguments import text, turns_given
from graphmem.memory.connection import Opened
from graphmem.records import Answer, NewTurn, Turn
from graphmem.search.relevance import relevance_of_sessions


class Online(Opened):
    """Adding, flushing, and reading before a question is answered."""

    async def add(
        self, turns: NewTurn | Sequence[NewTurn], *, session: str, end: bool = False, namespace: str | None = None
    ) -> IngestReport:
        """Adds turns to a session as they are spoken. They are stored and found at once, and read for what they mean when 25 have gathered
        (a setting), when the session ends (``end``), or by ``flush``.

        What is unread is in the graph, not in this process: an agent that was killed adds the next turn, and nothing is lost. ``session``
        is a name of the caller's own. Raises InputError for a turn without speaker or text, or with a time that has no offset,
        and for whatever is not of its kind (a text that is None, half of a surrogate pair), with the turn's place in ``turns``.
        """
        given, name = turns_given(turns), text(session, "session")
        return await add_turns(self._ingestion(), self._namespace(namespace), name, given, end=end)

    async def flush(
        self, session: str | None = None, *, namespace: str | None = None, progress: Progress | None = None
    ) -> IngestReport:
        """Reads all turns that nobody has read yet, of a session or of the whole namespace. Raises InputError for no such session."""
        sources = () if session is None else (text(session, "session"),)
        return await read_unread(self._ingestion(), self._namespace(namespace), sources, progress)

    async def turns(self, session: str, *, namespace: str | None = None) -> tuple[Turn, ...]:
        """The turns of a session in order, each in its latest words; none where there is no such session (yet)."""
        space, session = self._namespace(namespace), text(session, "session")
        rows = await self.graph.read(
            load("search/session_named"), namespace=space, ids=[digest("session", space, session)]
        )
        return (await sessions(self.graph, space, [session]))[0].turns if rows else ()

    async def coverage(self, namespace: str | None = None) -> Coverage:
        """How many of the turns of a namespace have been read, and in which sessions some are unread."""
        return await coverage(self.graph, self._namespace(namespace))

    def _ingestion(self) -> Ingestion:
        chat = self.chat if self.extractor.name == "model" else None
        return Ingestion(self.graph, self.embedder, self.extractor, self.settings, chat)

    async def _read_first(
        self,
        question: str,
        namespace: str,
        asked_at: datetime | None,
        said_by: datetime | None,
        known_at: datetime | None,
    ) -> dict[str, object]:
        """Reads what is unread and bears on a question; returns what an answer says of it.

        Nothing is read for a question about what was known at a time: what is read now was not known then.
        """
        before = after = await coverage(self.graph, namespace)
        problems: tuple[str, ...] = ()
        if before.unread and self.settings.online and known_at is None:
            sources = before.unread
            if not needs_everything(question, asked_at or datetime.now(UTC)):
                relevance = await relevance_of_sessions(
                    self.graph,
                    self.embedder,
                    question,
                    namespace=namespace,
                    until=said_by,
                    asked_at=asked_at,
                    settings=self.weights,
                )
                sources = tuple(s for s in sources if relevance.get(s, -1.0) >= self.settings.online_threshold)
            if sources:
                report = await read_unread(self._ingestion(), namespace, sources, by_the_way=True)
                problems = tuple(f"{each.where}: {each.what}" for each in report.failed)
                after = await coverage(self.graph, namespace)
        return {"turns": after.turns, "read": after.read, "read_now": after.read - before.read, "problems": problems}

    @staticmethod
    def _with_coverage(answer: Answer, read: dict[str, object]) -> Answer:
        return replace(answer, details={**answer.details, "coverage": read})
