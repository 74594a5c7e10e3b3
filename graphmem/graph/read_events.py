"""Events and what was so around them: which fit, how many, the first and the last, before and after a moment or another event.

An event that was told several times (SAME_AS) comes and counts once, dated by the telling with the surest time, with the quotations of all.
Which tellings stand is decided as for facts (``graphmem/graph/read.py``, 2). ``verbs`` are compared with an event's verb and its kind,
``words`` with all its words; both in lower case. An interval ``[since, until)`` keeps what overlaps it. Times are aware datetimes.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from graphmem.errors import InputError
from graphmem.graph.connection import Graph
from graphmem.graph.life_stages import read_placed
from graphmem.graph.read_rows import Row, TimelineEntry, entry, event
from graphmem.records import EventView, Interval


async def events(
    graph: Graph,
    namespace: str,
    subjects: Sequence[str] = (),
    *,
    verbs: Sequence[str] = (),
    words: Sequence[str] = (),
    since: datetime | None = None,
    until: datetime | None = None,
    said_by: datetime | None = None,
    known_at: datetime | None = None,
) -> tuple[EventView, ...]:
    """Events that these entities take part in (or happen at), or all, in the order in which they began; those without a time last."""
    rows = await read_placed(
        graph,
        "read/events",
        namespace,
        subjects=list(subjects),
        verbs=_lower(verbs),
        words=_lower(words),
        since=since,
        until=until,
        said_by=said_by,
        known_at=known_at,
    )
    return tuple(event(row["event"]) for row in rows)


async def count(
    graph: Graph,
    namespace: str,
    subjects: Sequence[str] = (),
    *,
    verbs: Sequence[str] = (),
    words: Sequence[str] = (),
    since: datetime | None = None,
    until: datetime | None = None,
    said_by: datetime | None = None,
    known_at: datetime | None = None,
) -> int:
    """How many events there are of those that ``events`` gives."""
    rows = await read_placed(
        graph,
        "read/count",
        namespace,
        subjects=list(subjects),
        verbs=_lower(verbs),
        words=_lower(words),
        since=since,
        until=until,
        said_by=said_by,
        known_at=known_at,
    )
    return int(rows[0]["count"])


async def first(
    graph: Graph,
    namespace: str,
    subjects: Sequence[str] = (),
    *,
    verbs: Sequence[str] = (),
    words: Sequence[str] = (),
    since: datetime | None = None,
    until: datetime | None = None,
    said_by: datetime | None = None,
    known_at: datetime | None = None,
    limit: int = 1,
) -> tuple[EventView, ...]:
    """The first ``limit`` events that fit, the first first. Events without a time are left out."""
    rows = await read_placed(
        graph,
        "read/first",
        namespace,
        subjects=list(subjects),
        verbs=_lower(verbs),
        words=_lower(words),
        since=since,
        until=until,
        said_by=said_by,
        known_at=known_at,
        limit=_limit(limit),
    )
    return tuple(event(row["event"]) for row in rows)


async def last(
    graph: Graph,
    namespace: str,
    subjects: Sequence[str] = (),
    *,
    verbs: Sequence[str] = (),
    words: Sequence[str] = (),
    since: datetime | None = None,
    until: datetime | None = None,
    said_by: datetime | None = None,
    known_at: datetime | None = None,
    limit: int = 1,
) -> tuple[EventView, ...]:
    """The last ``limit`` events that fit, the last first. Events without a time are left out."""
    rows = await read_placed(
        graph,
        "read/last",
        namespace,
        subjects=list(subjects),
        verbs=_lower(verbs),
        words=_lower(words),
        since=since,
        until=until,
        said_by=said_by,
        known_at=known_at,
        limit=_limit(limit),
    )
    return tuple(event(row["event"]) for row in rows)


async def between(
    graph: Graph,
    namespace: str,
    since: datetime,
    until: datetime,
    subjects: Sequence[str] = (),
    properties: Sequence[str] = (),
    *,
    said_by: datetime | None = None,
    known_at: datetime | None = None,
) -> tuple[TimelineEntry, ...]:
    """Facts that held and events that happened at some time of ``[since, until)``, in the order in which they began.

    Raises InputError if the interval does not start before it ends.
    """
    if since >= until:
        raise InputError(
            f"since is {since.isoformat()} and until {until.isoformat()}; an interval starts before it ends"
        )
    rows = await read_placed(
        graph,
        "read/between",
        namespace,
        since=since,
        until=until,
        subjects=list(subjects),
        properties=list(properties),
        said_by=said_by,
        known_at=known_at,
    )
    return tuple(entry(row) for row in rows)


async def before(
    graph: Graph,
    namespace: str,
    moment: datetime,
    subjects: Sequence[str] = (),
    properties: Sequence[str] = (),
    *,
    said_by: datetime | None = None,
    known_at: datetime | None = None,
    limit: int = 20,
) -> tuple[TimelineEntry, ...]:
    """Facts that began and events that were over before a moment, the nearest first; what held right up to it comes at its very start.

    An entry's ``at`` is how near it comes: its end, or the moment itself.
    """
    rows = await read_placed(
        graph,
        "read/before",
        namespace,
        moment=moment,
        subjects=list(subjects),
        properties=list(properties),
        said_by=said_by,
        known_at=known_at,
        limit=_limit(limit),
    )
    return tuple(entry(row) for row in rows)


async def after(
    graph: Graph,
    namespace: str,
    moment: datetime,
    subjects: Sequence[str] = (),
    properties: Sequence[str] = (),
    *,
    said_by: datetime | None = None,
    known_at: datetime | None = None,
    limit: int = 20,
) -> tuple[TimelineEntry, ...]:
    """Facts that held on or began, and events that began, from a moment on, the nearest first.

    An entry's ``at`` is how near it comes: its start, or the moment itself.
    """
    rows = await read_placed(
        graph,
        "read/after",
        namespace,
        moment=moment,
        subjects=list(subjects),
        properties=list(properties),
        said_by=said_by,
        known_at=known_at,
        limit=_limit(limit),
    )
    return tuple(entry(row) for row in rows)


async def event_time(
    graph: Graph,
    namespace: str,
    event_id: str,
    *,
    said_by: datetime | None = None,
    known_at: datetime | None = None,
) -> Interval:
    """When an event happened. Raises InputError if no event of this identifier stands in the namespace, or if it has no time."""
    row = await _timed(graph, namespace, event_id, said_by, known_at)
    return Interval(row["starts_at"], row["ends_at"], row["granularity"], end_stated=row["ends_at"] is not None)


async def before_event(
    graph: Graph,
    namespace: str,
    event_id: str,
    subjects: Sequence[str] = (),
    properties: Sequence[str] = (),
    *,
    said_by: datetime | None = None,
    known_at: datetime | None = None,
    limit: int = 20,
) -> tuple[TimelineEntry, ...]:
    """What was so and what had happened before an event began, the nearest first. Raises InputError like ``event_time``."""
    start, _, _ = await _bounds(graph, namespace, event_id, said_by, known_at)
    return await before(graph, namespace, start, subjects, properties, said_by=said_by, known_at=known_at, limit=limit)


async def after_event(
    graph: Graph,
    namespace: str,
    event_id: str,
    subjects: Sequence[str] = (),
    properties: Sequence[str] = (),
    *,
    said_by: datetime | None = None,
    known_at: datetime | None = None,
    limit: int = 20,
) -> tuple[TimelineEntry, ...]:
    """What was so and what happened once an event was over, the nearest first. Raises InputError like ``event_time``."""
    _, end, _ = await _bounds(graph, namespace, event_id, said_by, known_at)
    return await after(graph, namespace, end, subjects, properties, said_by=said_by, known_at=known_at, limit=limit)


async def overlapping(
    graph: Graph,
    namespace: str,
    event_id: str,
    subjects: Sequence[str] = (),
    properties: Sequence[str] = (),
    *,
    said_by: datetime | None = None,
    known_at: datetime | None = None,
) -> tuple[TimelineEntry, ...]:
    """What was so and what else happened while an event lasted, in order. Raises InputError like ``event_time``."""
    start, end, itself = await _bounds(graph, namespace, event_id, said_by, known_at)
    found = await between(graph, namespace, start, end, subjects, properties, said_by=said_by, known_at=known_at)
    return tuple(one for one in found if one.event is None or one.event.id != itself)


async def _timed(
    graph: Graph, namespace: str, event_id: str, said_by: datetime | None, known_at: datetime | None
) -> Row:
    rows = await read_placed(graph, "read/event_time", namespace, event=event_id, said_by=said_by, known_at=known_at)
    if not rows:
        raise InputError(f"there is no event {event_id!r} in namespace {namespace!r} at the times asked for")
    if rows[0]["starts_at"] is None:
        raise InputError(
            f"event {event_id!r} ({rows[0]['summary']!r}) has no time, so nothing is known to lie before or after it"
        )
    return rows[0]


async def _bounds(
    graph: Graph, namespace: str, event_id: str, said_by: datetime | None, known_at: datetime | None
) -> tuple[datetime, datetime, str]:
    """The first moment of an event, the first after it (a moment lasts a microsecond), and the identifier that it is shown with."""
    row = await _timed(graph, namespace, event_id, said_by, known_at)
    start: datetime = row["starts_at"]
    shortest = start + timedelta(microseconds=1)
    return start, max(row["ends_at"], shortest) if row["ends_at"] is not None else shortest, str(row["id"])


def _lower(words: Sequence[str]) -> list[str]:
    return [word.lower() for word in words]


def _limit(limit: int) -> int:
    if limit < 1:
        raise InputError(f"limit is {limit}; it must be at least 1")
    return limit
