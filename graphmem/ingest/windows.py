"""Windows: which turns are still to be read by an extractor, and in what portions.

A window holds at most ``window_turns`` turns of one session: up to ``window_overlap`` that were read before, as context, and the rest new.
A session's first window has no context, so all of its turns are new.
Each turn is new in one window only. Windows are cut from what no extraction covers yet, so that a run that was stopped goes on with the
windows of the undisturbed run, and a session that has grown is read from where it had ended.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from graphmem.extract.protocol import Extractor
from graphmem.graph.connection import Graph, Row
from graphmem.graph.queries import load
from graphmem.graph.rows import extraction_id
from graphmem.records import Session, Window
from graphmem.settings import Settings


@dataclass(frozen=True, slots=True)
class Planned:
    """A window to extract, the identifier of the extraction that it will become, and the extractions that it replaces."""

    window: Window
    extraction: str
    extractor: str
    version: str
    replaces: tuple[str, ...] = ()

    @property
    def turn_ids(self) -> list[str]:
        """The new turns' identifiers, in order."""
        return [turn.id for turn in self.window.turns]


async def pending_windows(
    graph: Graph, extractor: Extractor, namespace: str, sessions: Sequence[Session], settings: Settings
) -> list[Planned]:
    """The windows of these sessions that this extractor has not read, in order. The sessions' turns are stored already."""
    ids = [session.id for session in sessions]
    stored = await graph.read(load("read/turns_of_sessions"), session_ids=ids)
    covered = await graph.read(load("read/extractions_of_sessions"), session_ids=ids)
    found = []
    for session in sessions:
        turns = [row for row in stored if row["session_id"] == session.id]
        revised = {row["replaces"] for row in turns if row["replaces"] is not None}
        extractions = [row for row in covered if row["session_id"] == session.id and not row["replaced"]]
        found += list(_plan(namespace, as_stored(session, turns), revised, extractions, extractor, settings))
    return found


async def is_done(graph: Graph, planned: Planned) -> bool:
    """Whether another writer has appended this very extraction."""
    return bool(await graph.read(load("read/extraction_exists"), id=planned.extraction))


def as_stored(session: Session, stored: Sequence[Row]) -> Session:
    """The session with its turns as the graph holds them: a turn that was stored as a revision has the revision's identifier."""
    replaced = {row["replaces"] for row in stored if row["replaces"] is not None}
    latest = {row["source_id"]: row for row in stored if row["id"] not in replaced}
    turns = tuple(
        replace(turn, id=latest[turn.source_id]["id"], position=latest[turn.source_id]["position"])
        for turn in session.turns
        if latest[turn.source_id]["text"] == turn.text
    )
    return replace(session, turns=turns)


def _plan(
    namespace: str,
    session: Session,
    revised: set[str],
    extractions: Sequence[Row],
    extractor: Extractor,
    settings: Settings,
) -> Iterator[Planned]:
    outdated = [row for row in extractions if revised.intersection(row["window"])]
    ours = [row for row in extractions if (row["extractor"], row["version"]) == (extractor.name, extractor.version)]
    done = {turn for row in ours if row not in outdated for turn in row["window"]}
    speakers = tuple(dict.fromkeys(turn.speaker for turn in session.turns))
    for run in _runs([turn.id not in done for turn in session.turns]):
        for begin, end in _portions(run, settings.window_turns, settings.window_turns - settings.window_overlap):
            turns = session.turns[begin:end]
            context = session.turns[max(0, begin - settings.window_overlap) : begin]
            ids = [turn.id for turn in turns]
            yield Planned(
                Window(namespace, session, context, turns, speakers),
                extraction_id(namespace, ids, extractor.name, extractor.version),
                extractor.name,
                extractor.version,
                tuple(row["id"] for row in outdated if set(ids).intersection(row["window"])),
            )


def _portions(run: range, first: int, later: int) -> Iterator[tuple[int, int]]:
    """A run of turns in portions: ``first`` turns where nothing comes before them in the session, else ``later`` turns."""
    begin = run.start
    while begin < run.stop:
        end = min(begin + (later if begin else first), run.stop)
        yield begin, end
        begin = end


def _runs(pending: Sequence[bool]) -> Iterator[range]:
    begin = None
    for position, flag in enumerate([*pending, False]):
        if flag and begin is None:
            begin = position
        elif not flag and begin is not None:
            yield range(begin, position)
            begin = None
