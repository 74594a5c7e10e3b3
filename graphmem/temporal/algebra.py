"""Half-open intervals and the relations between them that questions need.

The relations are Allen's (J. F. Allen, "Maintaining knowledge about temporal intervals", CACM 26(11), 1983), over the project's one
interval record, ``graphmem.records.Interval``. ``None`` as a bound means *open*: nothing was stated, so the interval reaches as far as
anybody knows. Both bounds are aware, or both are naive local times; the two kinds never meet in one comparison.

Aware bounds are compared as instants (in UTC), so an interval across a daylight-saving change has its true length. The relations look
at the bounds only; the granularity and the flags of the record are carried along by the operations that make a new interval.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

from graphmem.errors import InputError
from graphmem.records import Interval


def _instant(moment: dt.datetime) -> dt.datetime:
    """The moment in a form whose comparison and subtraction are exact: UTC if aware, as it is if naive."""
    return moment if moment.tzinfo is None else moment.astimezone(dt.UTC)


def checked(interval: Interval) -> Interval:
    """The interval itself, once it is known to be one.

    Raises ``InputError`` if it does not start before it ends, or if one bound carries an offset and the other does not.
    """
    start, end = interval.start, interval.end
    if start is None or end is None:
        return interval
    if (start.tzinfo is None) != (end.tzinfo is None):
        raise InputError(
            f"an interval from {start.isoformat()} to {end.isoformat()} mixes a time with an offset and one without; "
            "give both an offset or neither"
        )
    if _instant(start) >= _instant(end):
        raise InputError(
            f"an interval must start before it ends, but {start.isoformat()} is not before {end.isoformat()}"
        )
    return interval


def is_open(a: Interval) -> bool:
    """Whether a bound is unknown."""
    return a.start is None or a.end is None


def duration(a: Interval) -> dt.timedelta | None:
    """The elapsed time between the bounds (true seconds, also across a clock change); ``None`` if one is open."""
    if a.start is None or a.end is None:
        return None
    return _instant(a.end) - _instant(a.start)


def contains(a: Interval, moment: dt.datetime) -> bool:
    """Whether the moment lies in the interval; the start belongs to it, the end does not."""
    at = _instant(moment)
    return (a.start is None or _instant(a.start) <= at) and (a.end is None or at < _instant(a.end))


# Relations --------------------------------------------------------------------------------------------------------------------------


def before(a: Interval, b: Interval) -> bool:
    """Whether ``a`` ends before ``b`` starts, with a gap between them. False if either of those bounds is open."""
    return a.end is not None and b.start is not None and _instant(a.end) < _instant(b.start)


def after(a: Interval, b: Interval) -> bool:
    """Whether ``a`` starts after ``b`` has ended, with a gap between them."""
    return before(b, a)


def meets(a: Interval, b: Interval) -> bool:
    """Whether ``b`` starts at the very moment ``a`` ends."""
    return a.end is not None and b.start is not None and _instant(a.end) == _instant(b.start)


def overlaps(a: Interval, b: Interval) -> bool:
    """Whether the two share any moment. Wider than Allen's *overlaps*: during, starts, finishes and equals are included."""
    return not (
        (a.end is not None and b.start is not None and _instant(a.end) <= _instant(b.start))
        or (b.end is not None and a.start is not None and _instant(b.end) <= _instant(a.start))
    )


def during(a: Interval, b: Interval) -> bool:
    """Whether ``a`` lies wholly inside ``b``. Allen's *starts*, *finishes* and *equals* are included."""
    starts = b.start is None or (a.start is not None and _instant(b.start) <= _instant(a.start))
    ends = b.end is None or (a.end is not None and _instant(a.end) <= _instant(b.end))
    return starts and ends


def equals(a: Interval, b: Interval) -> bool:
    """Whether both bounds are the same instants, whatever their offsets."""
    return during(a, b) and during(b, a)


# Sets -------------------------------------------------------------------------------------------------------------------------------


def intersection(a: Interval, b: Interval) -> Interval | None:
    """The moments in both, or ``None`` if there are none. The granularity is that of ``a``."""
    if not overlaps(a, b):
        return None
    starts = [s for s in (a.start, b.start) if s is not None]
    ends = [e for e in (a.end, b.end) if e is not None]
    return replace(a, start=max(starts, key=_instant, default=None), end=min(ends, key=_instant, default=None))


def union(a: Interval, b: Interval) -> Interval | None:
    """The moments in either, if they form one interval (the two overlap or meet); ``None`` if a gap would be filled."""
    return hull(a, b) if overlaps(a, b) or meets(a, b) or meets(b, a) else None


def hull(a: Interval, b: Interval) -> Interval:
    """The smallest interval that holds both, gap included."""
    start = None if a.start is None or b.start is None else min(a.start, b.start, key=_instant)
    end = None if a.end is None or b.end is None else max(a.end, b.end, key=_instant)
    return Interval(start, end, "range")


def gap(a: Interval, b: Interval) -> Interval | None:
    """The moments between the two, or ``None`` if they touch or overlap."""
    if before(a, b):
        return Interval(a.end, b.start, "range")
    if before(b, a):
        return Interval(b.end, a.start, "range")
    return None


# Wall clock to instant --------------------------------------------------------------------------------------------------------------


def instant_from_local(local: dt.datetime, zone: dt.tzinfo | None) -> dt.datetime:
    """A local wall-clock time as an aware moment of ``zone``, or unchanged if there is no zone.

    A time that the clock skips (a gap) becomes the first moment after the gap, so that a day whose midnight does not exist
    starts when it really started. A time that happens twice (a fold) is the first of the two, so no part of a day is lost.
    """
    if zone is None:
        return local
    aware = local.replace(tzinfo=zone, fold=0)
    if aware.utcoffset() == local.replace(tzinfo=zone, fold=1).utcoffset():
        return aware
    if aware.astimezone(dt.UTC).astimezone(zone).replace(tzinfo=None, fold=0) == local.replace(fold=0):
        return aware
    return _gap_end(local, zone)


def _gap_end(local: dt.datetime, zone: dt.tzinfo) -> dt.datetime:
    """The first existing moment after a wall-clock time that the zone skips.

    PEP 495: inside a gap ``fold=0`` reads the offset before the change and ``fold=1`` the one after it, so their instants
    enclose the change; it is found by halving, to the second (no change of a civil clock is finer).
    """
    low = local.replace(tzinfo=zone, fold=1).astimezone(dt.UTC).replace(microsecond=0)
    high = local.replace(tzinfo=zone, fold=0).astimezone(dt.UTC).replace(microsecond=0) + dt.timedelta(seconds=1)
    offset_before = low.astimezone(zone).utcoffset()
    while high - low > dt.timedelta(seconds=1):
        middle = (low + (high - low) / 2).replace(microsecond=0)
        if middle.astimezone(zone).utcoffset() == offset_before:
            low = middle
        else:
            high = middle
    return high.astimezone(zone)
