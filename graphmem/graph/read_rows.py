"""Rows of the queries in ``cypher/read/`` as records: the one place that says which column becomes which field.

Instants are stored in UTC; a citation's ``said_at`` gets back the offset that the turn was said with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any

from graphmem.errors import InputError
from graphmem.records import OPEN_END, Citation, EventView, FactView, Interval

Row = Mapping[str, Any]

_DAYS = {
    "instant": 0.0,
    "second": 1 / 86400,
    "minute": 1 / 1440,
    "hour": 1 / 24,
    "part_of_day": 0.25,
    "day": 1.0,
    "weekend": 2.0,
    "week": 7.0,
    "range": 30.0,
    "month": 31.0,
    "quarter": 92.0,
    "season": 92.0,
    "year": 366.0,
    "decade": 3653.0,
    "century": 36525.0,
}
"""How long the longest unit of each granularity is, in days. A range of vague bounds counts as a month."""


@dataclass(frozen=True, slots=True)
class EntityView:
    """An entity as the memory knows it: one person or thing, under all the entities that were decided to be it.

    ``id`` is that of the one stored first, ``ids`` are all of the group (give these to the other queries). ``facts`` and ``events``
    count what mentions it, whatever of that still stands. ``attributes`` are what was known when it was first named ("relation: …").
    """

    id: str
    name: str
    type: str
    ids: tuple[str, ...]
    aliases: tuple[str, ...]
    external_ids: tuple[str, ...]
    facts: int
    events: int
    attributes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PropertyView:
    """A property with how many statements about it stand, and about how many subjects."""

    id: str
    name: str
    cardinality: str
    value_type: str
    facts: int
    subjects: int


@dataclass(frozen=True, slots=True)
class Period:
    """A fact with where it stands among the others: whose it is, the statements it rests on, and what ended it.

    ``members`` are the identifiers of the equal statements that are shown as one; ``fact.id`` is that of the statement which begins it.
    ``ended_by`` is the fact that closed it (a later value, an ending or a denial), None when a stated end did, or nothing. ``last_said`` is
    when one of the statements was last made.
    """

    fact: FactView
    subject_id: str
    cardinality: str
    value_key: str
    members: tuple[str, ...]
    ended_by: str | None
    last_said: datetime
    typed: int | float | bool | datetime | tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class NotKnownBefore:
    """What a question about an earlier time gets: nobody said since when ``fact`` holds, only that it did at ``since``."""

    subject: str
    property: str
    value: str
    since: datetime
    fact: FactView


@dataclass(frozen=True, slots=True)
class FactsResult:
    """What held at the time asked about, and for what else that time lies before anything known.

    ``not_known_before`` has an entry for each property (with several values at a time: for each value) whose first period begins after
    the time asked about at a moment that nobody stated to be its beginning.
    """

    facts: tuple[FactView, ...]
    not_known_before: tuple[NotKnownBefore, ...] = ()
    periods: tuple[Period, ...] = ()
    """The same facts in the same order, with whose they are and what they rest on."""

    def __iter__(self) -> Iterator[FactView]:
        return iter(self.facts)

    def __len__(self) -> int:
        return len(self.facts)


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """A fact or an event in its place in time. ``at`` is when it starts, None for events that have no time."""

    at: datetime | None
    fact: FactView | None = None
    event: EventView | None = None


def entry(row: Row) -> TimelineEntry:
    """A row that holds either a period or an event."""
    if row["period"] is not None:
        return TimelineEntry(row["at"], fact=period(row["period"]).fact)
    return TimelineEntry(row["at"], event=event(row["event"]))


def citation(row: Row) -> Citation:
    """A quotation with where it stands, at the speaker's own offset."""
    return Citation(
        turn_id=row["turn_id"],
        session_id=row["session_id"],
        speaker=row["speaker"],
        said_at=row["said_at"].astimezone(zone(row["offset"])),
        quote=row["quote"],
        start=row["start"],
        end=row["end"],
        evidence_id=row["evidence_id"],
    )


def period(row: Row, as_of: datetime | None = None, precision: str = "instant") -> Period:
    """A row of what holds, as it answers a question about ``as_of`` asked to the ``precision`` of a granularity."""
    fact = row["fact"]
    view = FactView(
        id=fact["id"],
        subject=row["subject"],
        property=row["property"],
        value=fact["value"],
        valid=Interval(
            None if _only_its_end_is_known(row) else row["starts"],
            row["ends"],
            granularity=row["granularity"],
            start_stated=row["start_stated"],
            end_stated=bool(row["end_stated"]) and row["ends"] is not None,
        ),
        asserted_at=fact["asserted_at"],
        known_at=fact["created_at"],
        polarity=fact["polarity"],
        confidence=row["confidence"],
        inferred=row["inferred"],
        possibly=as_of is not None and possibly(row, as_of, precision),
        evidence=tuple(citation(quoted) for quoted in row["evidence"]),
        conflicts=tuple(statement(lost["fact"], row, lost["evidence"]) for lost in row["conflicts"]),
        unit=fact["unit"],
    )
    return Period(
        fact=view,
        subject_id=row["subject_id"],
        cardinality=row["cardinality"],
        value_key=row["value_key"],
        members=tuple(row["members"]),
        ended_by=row["ended_by"],
        last_said=row["last_said"],
        typed=typed(fact),
    )


def statement(fact: Row, about: Row, evidence: Sequence[Row]) -> FactView:
    """A single statement with the interval that it states, whatever held in the end. ``about`` names its subject and property."""
    end = fact["valid_to"] if fact["valid_to"] < OPEN_END else None
    return FactView(
        id=fact["id"],
        subject=about["subject"],
        property=about["property"],
        value=fact["value"],
        valid=Interval(fact["valid_from"], end, fact["granularity"], fact["start_stated"], fact["end_stated"]),
        asserted_at=fact["asserted_at"],
        known_at=fact["created_at"],
        polarity=fact["polarity"],
        confidence=fact["confidence"],
        inferred=fact["inferred"],
        possibly=False,
        evidence=tuple(citation(quoted) for quoted in evidence),
        unit=fact["unit"],
    )


def event(row: Row) -> EventView:
    """An event with its participants and the quotations of every telling of it."""
    return EventView(
        id=row["id"],
        kind=row["kind"],
        subject=row["subject"],
        verb=row["verb"],
        object=row["object"],
        summary=row["summary"],
        starts_at=row["starts_at"],
        ends_at=row["ends_at"],
        granularity=row["granularity"],
        time_expression=row["time_expression"],
        time_rule=row["time_rule"],
        confidence=row["confidence"],
        participants=tuple(row["participants"]),
        evidence=tuple(citation(quoted) for quoted in row["evidence"]),
    )


def typed(fact: Row) -> int | float | bool | datetime | tuple[str, ...] | None:
    """The value in its own type, None when it is text."""
    if fact["items"] is not None:
        return tuple(fact["items"])
    number = fact["number"]
    if number is not None:
        return int(number) if fact["value_type"] == "integer" else float(number)
    flag: bool | None = fact["flag"]
    moment: datetime | None = fact["moment"]
    return flag if flag is not None else moment


def possibly(row: Row, as_of: datetime, precision: str) -> bool:
    """Whether the time lies so near a coarsely stated bound that the fact need not hold then.

    "Since May" starts somewhere in May: on 2 May it possibly holds, in June it does, and a question about May as a whole (``precision``
    month) is answered without a doubt. The same goes for the last unit before a stated end. Raises InputError for an unknown precision.
    """
    if precision not in _DAYS:
        raise InputError(f"precision is {precision!r}; it must be one of " + ", ".join(_DAYS))
    if row["start_stated"] and _coarser(row["granularity"], precision):
        begins: datetime = row["starts"]
        if begins <= as_of < shifted(begins, row["granularity"], 1):
            return True
    ends, unit = row["ends"], row["end_granularity"]
    if ends is None or unit is None or not _coarser(unit, precision):
        return False
    return bool(shifted(ends, unit, -1) <= as_of < ends)


def shifted(moment: datetime, granularity: str, count: int) -> datetime:
    """The instant so many units of a granularity later (or earlier), in the calendar of the zone whose midnight the instant is.

    Facts keep their bounds in UTC. Units of a day and more begin at some midnight, so the midnight nearest to the instant tells the date
    that was meant; the rest is the zone's offset, and comes back in the end.
    """
    if granularity not in ("month", "quarter", "season", "year", "decade", "century"):
        return moment + timedelta(days=_DAYS.get(granularity, 0.0)) * count
    date = (moment + timedelta(hours=12)).replace(hour=0, minute=0, second=0, microsecond=0)
    months = {"month": 1, "quarter": 3, "season": 3, "year": 12, "decade": 120, "century": 1200}[granularity] * count
    total = date.year * 12 + date.month - 1 + months
    if not 12 <= total < 9999 * 12:
        return moment
    year, month = divmod(total, 12)
    for day in range(date.day, 27, -1):
        try:
            return date.replace(year=year, month=month + 1, day=day) + (moment - date)
        except ValueError:
            continue
    return date.replace(year=year, month=month + 1, day=min(date.day, 28)) + (moment - date)


def _only_its_end_is_known(row: Row) -> bool:
    """Whether nobody said since when: what holds "until March", no more, is taken to hold for the microsecond before."""
    return (
        not row["start_stated"] and row["ends"] is not None and row["ends"] - row["starts"] <= timedelta(microseconds=1)
    )


def _coarser(granularity: str, precision: str) -> bool:
    return _DAYS.get(granularity, 0.0) > _DAYS[precision]


def zone(offset: str) -> timezone:
    sign = -1 if offset.startswith("-") else 1
    hours, minutes = offset[1:].split(":")
    return timezone(sign * timedelta(hours=int(hours), minutes=int(minutes)))
