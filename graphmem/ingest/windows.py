"""Windows: which turns are still to be read by an extractor, and in what portions.

A window holds at most ``window_turns`` turns of one session: up to ``window_overlap`` that were read before, as context, and the rest new.
A session's first window has no context, so all of its turns are new.
Each turn is new in one window only. Windows are cut from what no extraction covers yet, whoever made it, so that a run that was stopped
goes on with the windows of the undisturbed run, a session that has grown is read from where it had ended, and what rules have read is not
read a second time by a model beside them. Reading again what another extractor has read is asked for by itself: such windows have the
bounds of the extractions that they replace, so that no turn falls between.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from graphmem.extract.protocol import Extractor
from graphmem.graph.connection import Graph, Row
from graphmem.graph.queries import load
from graphmem.graph.rows_stated import extraction_id
from graphmem.records import Session, Turn, Window
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


@dataclass(frozen=True, slots=True)
class Pending:
    """What is still to be read of some sessions, in order, and how many of their turns another extractor or version has read."""

    windows: tuple[Planned, ...]
    read_by_others: int


async def pending_windows(
    graph: Graph, extractor: Extractor, namespace: str, sessions: Sequence[Session], settings: Settings
) -> Pending:
    """The windows of these sessions that nobody has read. The sessions' turns are stored already."""
    ids = [session.id for session in sessions]
    stored = await graph.read(load("read/turns_of_sessions"), session_ids=ids)
    return plan_pending(namespace, sessions, stored, await standing_extractions(graph, ids), extractor, settings)


def plan_pending(
    namespace: str,
    sessions: Sequence[Session],
    stored: Sequence[Row],
    standing: Sequence[Row],
    extractor: Extractor,
    settings: Settings,
) -> Pending:
    """As ``pending_windows``, given the rows of the sessions' turns and of the extractions that stand. Pure."""
    found: list[Planned] = []
    others = 0
    for session in sessions:
        turns = [row for row in stored if row["session_id"] == session.id]
        revised = {row["replaces"] for row in turns if row["replaces"] is not None}
        extractions = [row for row in standing if row["session_id"] == session.id]
        windows = list(_plan(namespace, as_stored(session, turns), revised, extractions, extractor, settings))
        found += windows
        pending = {turn for window in windows for turn in window.turn_ids}
        ours = {turn for row in extractions if _is_by(row, extractor) for turn in row["window"]}
        theirs = {turn for row in extractions if not _is_by(row, extractor) for turn in row["window"]}
        others += len(theirs - ours - pending - revised)
    return Pending(tuple(found), others)


async def outdated_windows(
    graph: Graph, extractor: Extractor, namespace: str, sessions: Sequence[Session], settings: Settings
) -> list[Planned]:
    """The windows in which this extractor reads again what others have read, in order; each replaces what it reads again as a whole.

    ``sessions`` are as they are stored. A window covers just the turns of the extractions that it replaces: one, or several that overlap.
    """
    standing = await standing_extractions(graph, [session.id for session in sessions])
    return [
        planned
        for session in sessions
        for together in overlapping([row for row in standing if row["session_id"] == session.id])
        if not all(_is_by(row, extractor) for row in together)
        for planned in _again(namespace, session, together, extractor, settings)
    ]


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
    done = {turn for row in extractions if row not in outdated for turn in row["window"]}
    for run in _runs([turn.id not in done for turn in session.turns]):
        for begin, end in _portions(run, settings.window_turns, settings.window_turns - settings.window_overlap):
            turns = session.turns[begin:end]
            ids = {turn.id for turn in turns}
            replaced = tuple(row["id"] for row in outdated if ids.intersection(row["window"]))
            yield _planned(namespace, session, begin, turns, replaced, extractor, settings)


def _again(
    namespace: str, session: Session, together: Sequence[Row], extractor: Extractor, settings: Settings
) -> Iterator[Planned]:
    covered = {turn for row in together for turn in row["window"]}
    places = [place for place, turn in enumerate(session.turns) if turn.id in covered]
    if places:  # else all of its turns were revised since, and ingesting reads the revisions
        turns = tuple(session.turns[place] for place in places)
        replaced = tuple(row["id"] for row in together)
        yield _planned(namespace, session, places[0], turns, replaced, extractor, settings)


def _planned(
    namespace: str,
    session: Session,
    begin: int,
    turns: tuple[Turn, ...],
    replaced: tuple[str, ...],
    extractor: Extractor,
    settings: Settings,
) -> Planned:
    context = session.turns[max(0, begin - settings.window_overlap) : begin]
    speakers = tuple(dict.fromkeys(turn.speaker for turn in session.turns))
    identifier = extraction_id(namespace, [turn.id for turn in turns], extractor.name, extractor.version, replaced)
    window = Window(namespace, session, context, turns, speakers)
    return Planned(window, identifier, extractor.name, extractor.version, replaced)


def overlapping(extractions: Sequence[Row]) -> list[list[Row]]:
    """Extractions in groups, each with all that share a turn with another of the group, in order of what comes first."""
    groups: list[list[Row]] = []
    for row in extractions:
        turns = set(row["window"])
        touched = [group for group in groups if any(turns.intersection(other["window"]) for other in group)]
        groups = [group for group in groups if group not in touched]
        groups.append([other for group in touched for other in group] + [row])
    return groups


async def standing_extractions(graph: Graph, session_ids: Sequence[str]) -> list[Row]:
    """The extractions of these sessions that no later one replaced."""
    rows = await graph.read(load("read/extractions_of_sessions"), session_ids=list(session_ids))
    return [row for row in rows if not row["replaced"]]


def _is_by(row: Row, extractor: Extractor) -> bool:
    return (row["extractor"], row["version"]) == (extractor.name, extractor.version)


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
