"""Formulas for times of day: by the clock, and by the part of the day."""

from __future__ import annotations

import datetime as dt

from graphmem.temporal.context import Context
from graphmem.temporal.expression import Span
from graphmem.temporal.formulas import Args, Slots, amount, formula, whole
from graphmem.temporal.units import DAY, midnight

_HOUR = dt.timedelta(hours=1)


@formula
def clock(context: Context, slots: Slots, args: Args) -> Span | None:
    """A time by the clock, on the day of speaking until a date is found beside it.

    Without am or pm a time such as 5:30 is read as it stands, and the other half of the day is kept. ``guess`` in the args takes
    one to seven as afternoon; a part of the day that is named decides. A zone beside it is applied when instants are made.
    """
    hour = whole(slots, "hour")
    exact = "minute" if "minute" in slots else "half" if "half" in slots else None
    minute = 0 if exact is None else whole(slots, exact)
    if hour > 24 or minute > 59:
        return None
    zone = whole(slots, "zone") if "zone" in slots else None
    other_half = False
    if "meridiem" in slots:
        if hour > 12:
            return None
        hour = hour % 12 + (12 if str(slots["meridiem"]) == "pm" else 0)
    elif args.get("guess"):
        if hour > 12:
            return None
        hour += 12 if hour <= 7 else 0
        other_half = True
    else:
        other_half = exact is not None and 1 <= hour <= 12
    start = midnight(context.today) + hour * _HOUR + dt.timedelta(minutes=minute)
    flipped = start + (12 if hour < 12 else -12) * _HOUR
    if "part" in slots:
        first, last = part_bounds(context.today, str(slots["part"]))
        start = next((each for each in (start, flipped, start + DAY) if first <= each < last), start)
        other_half = False
    length = _HOUR if exact is None else dt.timedelta(minutes=1)
    context.note(f"by the clock: {start:%H:%M}{'' if zone is None else f', {zone:+d} minutes from UTC'}")
    return Span(start, start + length, "hour" if exact is None else "minute",
                alternatives=((flipped, flipped + length),) if other_half else (), utc_offset=zone, certainty=0.9)  # fmt: skip


def part_bounds(day: dt.date, hours: str) -> tuple[dt.datetime, dt.datetime]:
    """The bounds of a part of a local date, from the table's ``first-last`` hours; past 24 it reaches into the next day."""
    first, last = (int(h) for h in hours.split("-"))
    return midnight(day) + first * _HOUR, midnight(day) + last * _HOUR


@formula
def part_of_day(context: Context, slots: Slots, args: Args) -> Span | None:
    """A part of the day of speaking, or of the day so many days from it (last night, this morning, tomorrow evening)."""
    if "number" in slots:
        low, high = amount(slots, args)
        if low != high:
            return None
        offset = -round(low)
    else:
        offset = whole(slots, "offset") if "offset" in slots else int(args.get("offset", 0))
    day = context.today + DAY * offset
    start, end = part_bounds(day, str(slots.get("part", args.get("hours"))))
    context.note(f"that part of {day}: {start:%H:%M} to {end:%H:%M}")
    return Span(start, end, "part_of_day")


@formula
def part_of_that_day(context: Context, slots: Slots, args: Args) -> Span | None:
    """A part of a day that is already known (Friday night, the morning of 5 June)."""
    inner = context.inner[0]
    if inner.first is None or inner.granularity != "day":
        return None
    start, end = part_bounds(inner.first, str(slots["part"]))
    context.note(f"that part of {inner.first}: {start:%H:%M} to {end:%H:%M}")
    return Span(start, end, "part_of_day")


@formula
def at_clock(context: Context, slots: Slots, args: Args) -> Span | None:
    """A date, or a part of one, and a time by the clock that stand together. The part decides between morning and evening."""
    first, second = context.inner
    day, time = (first, second) if first.granularity in ("day", "part_of_day") else (second, first)
    if day.start is None or day.end is None or day.granularity not in ("day", "part_of_day"):
        return None
    if time.start is None or time.end is None or time.granularity not in ("hour", "minute"):
        return None
    shift = midnight(day.start.date()) - midnight(context.today)
    readings = [
        (a + shift, b + shift)
        for a, b in ((time.start, time.end), *time.alternatives)
        if a is not None and b is not None
    ]
    if day.granularity == "part_of_day":
        # The small hours of a night belong to the date after the one it began on.
        readings += [(a + DAY, b + DAY) for a, b in readings]
        readings = [r for r in readings if day.start <= r[0] < day.end]
        if not readings:
            return None
    context.note(f"at that time on {readings[0][0].date()}")
    return Span(*readings[0], time.granularity, alternatives=tuple(readings[1:]), utc_offset=time.utc_offset)
