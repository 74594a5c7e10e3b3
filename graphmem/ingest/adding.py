"""Turns a few at a time: stored and findable at once, and read when their window is full or somebody asks for the rest to be read.

What is unread is what no extraction in the graph covers: nothing is kept in the process, so that an agent that was killed goes on where it
was, in another process if need be. Turns that are added in order of time, however many at once, make the graph that ingesting the whole
transcript makes, as long as nobody reads a window before it is full.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from graphmem.errors import InputError
from graphmem.graph.connection import Graph
from graphmem.graph.queries import load
from graphmem.graph.read_sessions import sessions
from graphmem.graph.statements import SOURCE as STATEMENT
from graphmem.graph.statements import SOURCE_ID as STATEMENTS
from graphmem.ids import digest
from graphmem.ingest.report import IngestReport, Progress, Tally
from graphmem.ingest.run import Ingestion
from graphmem.ingest.turns import store_turns
from graphmem.ingest.windows import Planned, pending_windows
from graphmem.records import NewTurn, Session
from graphmem.settings import Settings
from graphmem.transcripts.assemble import identified
from graphmem.transcripts.drafts import TurnDraft

SOURCE = "added"
"""The ``source`` of a session that began with turns that were added: it is going on for all that anybody knows."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of a namespace has been read: of its ``turns`` so many are ``read``. ``unread`` are the sessions, by the source's own
    identifiers and in order of time, that the rest belong to."""

    turns: int
    read: int
    unread: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """From 0 to 1; 1 for a namespace without turns."""
        return self.read / self.turns if self.turns else 1.0


async def add_turns(
    ingestion: Ingestion, namespace: str, source_id: str, turns: Sequence[NewTurn], *, end: bool = False
) -> IngestReport:
    """Stores turns of a session and reads the windows that they fill; with ``end``, what is left of the session as well.

    Raises InputError for a turn that says nothing or by nobody, at a time without offset or in a year that cannot be computed with, and
    what ``Ingestion.run`` raises.
    """
    if not source_id.strip() or source_id == STATEMENTS:
        raise InputError(f"session is {source_id!r}; give the session a name of its own")
    tally = Tally((), None)
    tally.expect("turns", len(turns))
    if turns:
        session = session_of(namespace, source_id, turns)
        size = ingestion.settings.write_batch
        await store_turns(ingestion.graph, ingestion.embedder, namespace, [session], size, tally, growing=True)
    going_on = frozenset() if end else frozenset({digest("session", namespace, source_id)})
    return await _read(ingestion, namespace, [source_id], tally, going_on, again=end)


async def read_unread(
    ingestion: Ingestion,
    namespace: str,
    sources: Sequence[str] = (),
    progress: Progress | None = None,
    *,
    by_the_way: bool = False,
) -> IngestReport:
    """Reads all that nobody has read yet, of the whole namespace or of these sessions, in order of time.

    ``by_the_way`` leaves what is not for a question to read: the open window of a session that turns are being added to, and windows that
    failed before, which would fail and cost again with every question. Raises InputError for a session that there is not, and what
    ``Ingestion.run`` raises.
    """
    return await _read(
        ingestion, namespace, sources, Tally((), progress), None if by_the_way else frozenset(), again=not by_the_way
    )


async def coverage(graph: Graph, namespace: str) -> Coverage:
    """How much of a namespace has been read, by anybody. Costs one query that looks at sessions only where all has been read."""
    rows = await graph.read(load("read/sessions_read"), namespace=namespace)
    turns, read, unread = 0, 0, []
    for row in rows:
        own = covered = row["read"]
        if row["turns"] != covered:  # not all read, or some revised: looked at turn by turn
            [session] = await sessions(graph, namespace, [row["source_id"]])
            own, covered = len(session.turns), len({turn.id for turn in session.turns} & set(row["ids"]))
            if covered < own:
                unread.append(row["source_id"])
        turns, read = turns + own, read + covered
    return Coverage(turns, read, tuple(unread))


def session_of(namespace: str, source_id: str, turns: Sequence[NewTurn]) -> Session:
    """The turns as a session, with the identities that ingesting them from a transcript gives.

    A turn without an id of its own is known by its time, speaker and text, and by how many equal ones come before it among these turns; so
    a call that is repeated with the same times adds nothing.
    """
    identifier = digest("session", namespace, source_id)
    seen: Counter[str] = Counter()
    now = datetime.now(UTC)
    made = [
        identified(_draft(position, turn, now), namespace, identifier, seen, position)
        for position, turn in enumerate(turns)
    ]
    return Session(identifier, namespace, source_id, SOURCE, min(turn.said_at for turn in made), tuple(made))


async def _read(
    ingestion: Ingestion,
    namespace: str,
    sources: Sequence[str],
    tally: Tally,
    going_on: Collection[str] | None,
    *,
    again: bool,
) -> IngestReport:
    """Reads what is unread of these sessions. The last window of those that are ``going_on`` (None: all that turns were added to) is left
    until it is full; ``again``: what has failed before is tried again."""
    stored = await sessions(ingestion.graph, namespace, sources)
    stored = [session for session in stored if session.source != STATEMENT]
    pending = await pending_windows(ingestion.graph, ingestion.extractor, namespace, stored, ingestion.settings)
    if going_on is None:
        going_on = {session.id for session in stored if session.source == SOURCE}
    failed = () if again else await _failed_before(ingestion, [session.id for session in stored])
    windows = [
        each
        for each in pending.windows
        if tuple(each.turn_ids) not in failed
        and not (each.window.session.id in going_on and _may_grow(each, ingestion.settings))
    ]
    return await ingestion.read_windows(windows, tally)


async def _failed_before(ingestion: Ingestion, session_ids: Sequence[str]) -> Collection[tuple[str, ...]]:
    rows = await ingestion.graph.read(load("read/attempts_of_sessions"), session_ids=list(session_ids))
    reader = (ingestion.extractor.name, ingestion.extractor.version)
    return {tuple(row["window"]) for row in rows if (row["extractor"], row["version"]) == reader}


def _may_grow(planned: Planned, settings: Settings) -> bool:
    """Whether a window is the last of its session and not full."""
    window = planned.window
    full = settings.window_turns - (settings.window_overlap if window.context else 0)
    return window.turns[-1].id == window.session.turns[-1].id and len(window.turns) < full


def _draft(position: int, new: NewTurn, now: datetime) -> TurnDraft:
    where = f"turn {position + 1} of those to add"
    if not new.speaker.strip() or not new.text.strip():
        raise InputError(f"{where} has {'no text' if new.speaker.strip() else 'no speaker'}; give both")
    said_at = now if new.said_at is None else new.said_at
    if said_at.tzinfo is None:
        raise InputError(f"{where} has said_at {said_at.isoformat()}, without an offset; give an aware datetime")
    return TurnDraft(
        where, new.id, new.speaker, new.text, said_at, new.role, new.addressee, new.attachments, new.speaker_id
    )
