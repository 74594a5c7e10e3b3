"""How what the memory holds came about: changes, gaps, lengths, conflicts, denials, and what was learned between two of its times.

All of it is computed over the effective periods that ``graphmem/graph/read.py`` defines. ``subjects`` are identifiers of entities,
``properties`` names; an empty list is all of the namespace. Times are aware datetimes; None is no limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from graphmem.errors import InputError
from graphmem.graph.connection import Graph
from graphmem.graph.life_stages import read_placed
from graphmem.graph.queries import load
from graphmem.graph.read_rows import PropertyView, Row, event, period, statement
from graphmem.records import EventView, FactView, Interval


@dataclass(frozen=True, slots=True)
class Change:
    """A moment at which a value began (``before`` None: nothing was known to hold), gave way to another or stopped (``after`` None)."""

    at: datetime
    before: FactView | None
    after: FactView | None


@dataclass(frozen=True, slots=True)
class Gap:
    """A stretch ``[since, until)`` of which nothing is known, between the end of one value and the beginning of the next."""

    since: datetime
    until: datetime
    before: FactView
    after: FactView


@dataclass(frozen=True, slots=True)
class Length:
    """How long a value held, measured from its start to ``measured_to``.

    ``at_least`` is true where nobody said when it began, or where it goes on and was measured to when somebody last said so.
    """

    fact: FactView
    length: timedelta
    measured_to: datetime
    at_least: bool


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two statements that disagree about ``about`` (an open end where neither states one).

    ``preferred`` is the one that the order of trust prefers, ``because`` of what: it is a correction, it was said later, it is more
    confident, or, with equal trust or by succession, it starts later or was stored later. Either may be an ending or a denial.
    """

    preferred: FactView
    other: FactView
    about: Interval
    because: Literal["correction", "later statement", "confidence", "later start", "later stored"]


@dataclass(frozen=True, slots=True)
class Undone:
    """A statement that stood at the earlier time and does not at the later.

    ``by`` are the facts that correct, retract or replace it; empty where a newer extraction of the same turns replaced its own.
    """

    fact: FactView | None
    event: EventView | None
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Diff:
    """What the memory learned from after ``earlier`` up to ``later`` (transaction times), each list in the order of learning.

    ``restored`` are statements stored before that stand again, since what undid them was undone. Facts are single statements with the
    interval that they state.
    """

    earlier: datetime
    later: datetime
    facts: tuple[FactView, ...]
    events: tuple[EventView, ...]
    restored: tuple[FactView | EventView, ...]
    undone: tuple[Undone, ...]
    entities: tuple[str, ...]
    turns: int


async def changed(
    graph: Graph,
    namespace: str,
    subjects: Sequence[str] = (),
    properties: Sequence[str] = (),
    *,
    since: datetime | None = None,
    until: datetime | None = None,
    said_by: datetime | None = None,
    known_at: datetime | None = None,
) -> tuple[Change, ...]:
    """When something changed in ``[since, until)``, oldest first. A first value whose beginning nobody stated is no change."""
    rows = await read_placed(
        graph,
        "read/changed",
        namespace,
        subjects=list(subjects),
        properties=list(properties),
        since=since,
        until=until,
        said_by=said_by,
        known_at=known_at,
    )
    return tuple(Change(row["at"], _fact(row["before"]), _fact(row["after"])) for row in rows)


async def gaps(
    graph: Graph,
    namespace: str,
    subjects: Sequence[str] = (),
    properties: Sequence[str] = (),
    *,
    said_by: datetime | None = None,
    known_at: datetime | None = None,
) -> tuple[Gap, ...]:
    """The stretches between two periods of a property in which no value of it is known to have held, oldest first."""
    rows = await read_placed(
        graph,
        "read/gaps",
        namespace,
        subjects=list(subjects),
        properties=list(properties),
        said_by=said_by,
        known_at=known_at,
    )
    return tuple(Gap(row["since"], row["until"], period(row["before"]).fact, period(row["after"]).fact) for row in rows)


async def how_long(
    graph: Graph,
    namespace: str,
    subjects: Sequence[str] = (),
    properties: Sequence[str] = (),
    *,
    as_of: datetime | None = None,
    said_by: datetime | None = None,
    known_at: datetime | None = None,
) -> tuple[Length, ...]:
    """How long each period lasted, by subject, property and start. ``as_of`` is up to when to measure what goes on."""
    rows = await read_placed(
        graph,
        "read/how_long",
        namespace,
        subjects=list(subjects),
        properties=list(properties),
        as_of=as_of,
        said_by=said_by,
        known_at=known_at,
    )
    return tuple(
        Length(period(row["period"]).fact, timedelta(seconds=row["seconds"]), row["measured_to"], row["at_least"])
        for row in rows
    )


async def conflicts(
    graph: Graph,
    namespace: str,
    subjects: Sequence[str] = (),
    properties: Sequence[str] = (),
    *,
    said_by: datetime | None = None,
    known_at: datetime | None = None,
) -> tuple[Conflict, ...]:
    """Statements that overlap and disagree, with the quotations of both, by subject, property and time."""
    rows = await read_placed(
        graph,
        "read/conflicts",
        namespace,
        subjects=list(subjects),
        properties=list(properties),
        said_by=said_by,
        known_at=known_at,
    )
    found = []
    for row in rows:
        winner, loser = (statement(side["fact"], row, side["evidence"]) for side in row["sides"])
        found.append(Conflict(winner, loser, Interval(row["since"], row["until"]), row["because"]))
    return tuple(found)


async def denials(
    graph: Graph,
    namespace: str,
    subjects: Sequence[str] = (),
    properties: Sequence[str] = (),
    *,
    as_of: datetime | None = None,
    said_by: datetime | None = None,
    known_at: datetime | None = None,
) -> tuple[FactView, ...]:
    """What is said not to hold at ``as_of``: the endings and denials after which nobody said that it does, as they were stated."""
    rows = await read_placed(
        graph,
        "read/denials",
        namespace,
        subjects=list(subjects),
        properties=list(properties),
        as_of=as_of,
        said_by=said_by,
        known_at=known_at,
    )
    return tuple(statement(row["fact"], row, row["evidence"]) for row in rows)


async def properties(
    graph: Graph,
    namespace: str,
    subjects: Sequence[str] = (),
    *,
    said_by: datetime | None = None,
    known_at: datetime | None = None,
) -> tuple[PropertyView, ...]:
    """The properties that statements stand about, of these subjects or of the namespace, the most used first."""
    rows = await graph.read(
        load("read/properties"), namespace=namespace, subjects=list(subjects), said_by=said_by, known_at=known_at
    )
    return tuple(PropertyView(**row) for row in rows)


async def diff(
    graph: Graph, namespace: str, earlier: datetime, later: datetime, *, said_by: datetime | None = None
) -> Diff:
    """What the memory learned between two transaction times. Raises InputError if the first is not before the second."""
    if earlier >= later:
        raise InputError(f"earlier is {earlier.isoformat()} and later {later.isoformat()}; the first must come before")
    rows = await graph.read(load("read/diff"), namespace=namespace, earlier=earlier, later=later, said_by=said_by)
    [turns] = await graph.read(load("read/diff_turns"), namespace=namespace, earlier=earlier, later=later)
    views = [(row, _view(row)) for row in rows]
    return Diff(
        earlier=earlier,
        later=later,
        facts=tuple(view for row, view in views if row["change"] == "learned" and isinstance(view, FactView)),
        events=tuple(view for row, view in views if row["change"] == "learned" and isinstance(view, EventView)),
        restored=tuple(view for row, view in views if row["change"] == "restored" and view is not None),
        undone=tuple(
            Undone(
                view if isinstance(view, FactView) else None,
                view if isinstance(view, EventView) else None,
                tuple(row["undone_by"]),
            )
            for row, view in views
            if row["change"] == "undone"
        ),
        entities=tuple(row["name"] for row, _ in views if row["change"] == "entity"),
        turns=turns["turns"],
    )


def _fact(row: Row | None) -> FactView | None:
    return None if row is None else period(row).fact


def _view(row: Row) -> FactView | EventView | None:
    if row["fact"] is not None:
        return statement(row["fact"], row, row["evidence"])
    if row["event"] is not None:
        return event({**row["event"], "participants": row["participants"], "evidence": row["evidence"]})
    return None
