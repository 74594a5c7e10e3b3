"""What the memory holds, at any of its three times. Theory of operation.

Three times select what a query sees. ``said_by`` (utterance time) leaves out what was asserted later, ``known_at`` (transaction time) what
the memory learned later; ``as_of`` (valid time) asks what held then. None means no limit, and for ``as_of`` the latest state: what is still
open or, where nothing is, what held last. No query looks at the clock. What follows is computed in Cypher when somebody asks, for each
subject (with every entity that was decided to be the same) and property; ``cypher/read/facts.cypher`` has the same numbers.

1. Subjects and values are resolved: entities joined by SAME_AS are one, unless a DISTINCT_FROM of the same pair was decided since.
2. A statement *stands* if it was said and known in time, if an extraction that produced it is in force (none that replaces it is known; a
   person's correction has no extraction), and if no statement that itself stands CORRECTS, RETRACTS or REPLACES it. So a correction that
   is corrected or retracted no longer counts, and what it had undone stands again. A statement that RETRACTS is only that: it says nothing
   of its own. Statements that do not stand play no part in what follows.
3. *Trust* orders statements: a person's correction before others, then the later said, then the more confident. A statement that holds
   begins at its ``valid_from``, and ends at its ``valid_to`` where it has an end. An ending or a denial is of a moment (an ending that has
   an end: that end, else its start) and is about one value or, with no value, about all. Statements that begin at one moment are ordered
   by trust, then by when they were stored, then by identifier. What holds "until March" and nobody said since when is only known to hold
   right before: for the microsecond that ends there (records show its start as None).
4. Two statements *disagree* if the property has one value at a time and they name different values, or if one is an ending or a denial of
   the other's value; and if one begins within the period that the other states with its end, or both begin at the same moment. Without a
   stated end there is no disagreement: a later value succeeds an earlier one, which is how life goes.
5. The more trusted of two that disagree keeps the period it states (up to where something still more trusted begins in it), and the
   effective start of the other is the end of that period; with equal trust, and for equal starts with no end, the later in order holds.
   What never comes to hold is left out. The loser is shown in ``conflicts``.
6. The effective end of a fact is the earliest of its stated end, the effective start of the next fact of another value (where the property
   has one value at a time), and the moment of the next ending or denial of it. So a fact learned late about an earlier time changes that
   time, not the present; and what is nowhere said to go on after an interruption is not known to.
7. Equal statements in a row are one fact with all their evidence. It starts where the first starts (its start is stated if one of those
   that start there states it) and has the latest of the ends that they state; a statement without an end keeps it open if it was made at
   or after that end. After another value, an ending, or a gap after a stated end, an equal statement begins a new period.

A property's cardinality is that of its Property node. Values of a property with several at a time succeed nothing; each has its periods.
Intervals are half-open. Times in the records are UTC, those in citations at the speaker's offset.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from graphmem.graph.connection import Graph
from graphmem.graph.life_stages import read_placed
from graphmem.graph.queries import load
from graphmem.graph.read_rows import (
    EntityView,
    FactsResult,
    NotKnownBefore,
    Period,
    PropertyView,
    TimelineEntry,
    entry,
    period,
)
from graphmem.ids import normalise_name
from graphmem.records import FactView

__all__ = [
    "EntityView",
    "FactsResult",
    "NotKnownBefore",
    "Period",
    "PropertyView",
    "TimelineEntry",
    "entities",
    "facts",
    "history",
    "periods",
    "timeline",
]


async def entities(
    graph: Graph,
    namespace: str,
    names: Sequence[str] = (),
    *,
    ids: Sequence[str] = (),
    known_at: datetime | None = None,
) -> tuple[EntityView, ...]:
    """Entities that bear one of these names (in any case) or have one of these identifiers; all of the namespace with neither.

    Each is a whole group of what was decided to be the same. Most mentioned first. Two people of one name give two entries.
    """
    rows = await graph.read(
        load("read/entities"),
        namespace=namespace,
        names=sorted({normalise_name(name) for name in names}),
        ids=list(ids),
        known_at=known_at,
    )
    return tuple(
        EntityView(
            id=row["id"],
            name=row["name"],
            type=row["type"],
            ids=tuple(row["ids"]),
            aliases=tuple(row["aliases"]),
            external_ids=tuple(row["external_ids"]),
            facts=row["facts"],
            events=row["events"],
            attributes=tuple(row["attributes"]),
        )
        for row in rows
    )


async def facts(
    graph: Graph,
    namespace: str,
    subjects: Sequence[str] = (),
    properties: Sequence[str] = (),
    *,
    as_of: datetime | None = None,
    said_by: datetime | None = None,
    known_at: datetime | None = None,
    precision: str = "instant",
) -> FactsResult:
    """What holds at ``as_of`` of these subjects (identifiers), properties (names) or both; of all where a list is empty.

    ``precision`` is the granularity of the question ("day" for "on 2 May"): a fact whose bound is coarser and near is only ``possibly``
    so. Ordered by subject, property, start. Raises InputError for a precision that is no granularity.
    """
    rows = await read_placed(
        graph,
        "read/facts",
        namespace,
        subjects=list(subjects),
        properties=list(properties),
        as_of=as_of,
        said_by=said_by,
        known_at=known_at,
    )
    found, unknown = [], []
    for row in (row["period"] for row in rows):
        if row["known"]:
            found.append(period(row, as_of, precision))
            continue
        later = period(row).fact
        unknown.append(NotKnownBefore(row["subject"], row["property"], later.value, row["starts"], later))
    return FactsResult(tuple(one.fact for one in found), tuple(unknown), tuple(found))


async def periods(
    graph: Graph,
    namespace: str,
    subjects: Sequence[str] = (),
    properties: Sequence[str] = (),
    *,
    said_by: datetime | None = None,
    known_at: datetime | None = None,
) -> tuple[Period, ...]:
    """All periods of these subjects or properties by subject, property and start, each with what it rests on and what ended it."""
    rows = await read_placed(
        graph,
        "read/history",
        namespace,
        subjects=list(subjects),
        properties=list(properties),
        said_by=said_by,
        known_at=known_at,
    )
    return tuple(period(row["period"]) for row in rows)


async def history(
    graph: Graph,
    namespace: str,
    subjects: Sequence[str] = (),
    properties: Sequence[str] = (),
    *,
    said_by: datetime | None = None,
    known_at: datetime | None = None,
) -> tuple[FactView, ...]:
    """The same as facts alone: every value with the interval in which it held, oldest first within subject and property."""
    found = await periods(graph, namespace, subjects, properties, said_by=said_by, known_at=known_at)
    return tuple(one.fact for one in found)


async def timeline(
    graph: Graph,
    namespace: str,
    subjects: Sequence[str] = (),
    *,
    properties: Sequence[str] = (),
    since: datetime | None = None,
    until: datetime | None = None,
    said_by: datetime | None = None,
    known_at: datetime | None = None,
) -> tuple[TimelineEntry, ...]:
    """Facts and events of these subjects, or of everything, in the order in which they began; what has no time comes last.

    ``since`` and ``until`` keep what overlaps ``[since, until)``. ``properties`` limits the facts only.
    """
    rows = await read_placed(
        graph,
        "read/timeline",
        namespace,
        subjects=list(subjects),
        properties=list(properties),
        since=since,
        until=until,
        said_by=said_by,
        known_at=known_at,
    )
    return tuple(entry(row) for row in rows)
