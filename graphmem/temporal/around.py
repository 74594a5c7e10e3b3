"""Formulas of the second pass: what an expression becomes through the words around it (early …, two days after …, since …).

They find what they wrap in ``context.inner``. Where a rule is anchored at the expression before it ("the next day") that one is the
inner span; without one the result is unresolved.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import cast

from graphmem.temporal.clock import part_bounds
from graphmem.temporal.context import Context
from graphmem.temporal.expression import Granularity, Span
from graphmem.temporal.formulas import Args, Slots, amount, counted, formula, iso_duration, unit_of, unit_span, whole
from graphmem.temporal.units import CLOCK_UNITS, DAY, bounds, midnight, thirds, unit_end, unit_shift, unit_start

_WIDTH = (
    "minute",
    "hour",
    "part_of_day",
    "day",
    "weekend",
    "week",
    "month",
    "season",
    "quarter",
    "year",
    "decade",
    "century",
)


def wider(granularity: str, than: str) -> bool:
    """Whether the one granularity is coarser than the other; a range is as coarse as can be."""
    if "range" in (granularity, than):
        return granularity == "range" and than != "range"
    return _WIDTH.index(granularity) > _WIDTH.index(than)


def _closed(span: Span) -> tuple[dt.datetime, dt.datetime] | None:
    return None if span.start is None or span.end is None or span.kind == "open" else (span.start, span.end)


@formula
def part(context: Context, slots: Slots, args: Args) -> Span | None:
    """The early, middle or late third of a span, or its first or second half."""
    inner = _closed(context.inner[0])
    if inner is None:
        return None
    which = str(slots.get("third", args.get("third")))
    start, one, two, end = thirds(*inner)
    half = start + (DAY * ((end - start).days // 2) if (end - start).days >= 2 else (end - start) / 2)
    chosen = {
        "early": (start, one),
        "mid": (one, two),
        "late": (two, end),
        "half1": (start, half),
        "half2": (half, end),
    }[which]
    context.note(
        f"the {which} part of {start.date()} to {(end - DAY).date()}: {chosen[0].date()} to {chosen[1].date()}, end excluded"
    )
    return Span(*chosen, "range" if wider(context.inner[0].granularity, "day") else context.inner[0].granularity)


@formula
def part_of_unit(context: Context, slots: Slots, args: Args) -> Span | None:
    """The early, middle or late third of the calendar unit of the day of speaking (the end of the month)."""
    context.inner = (
        unit_span(context, unit_of(slots, args), context.today, whole(slots, "shift") if "shift" in slots else 0),
    )
    return part(context, slots, args)


@formula
def nth(context: Context, slots: Slots, args: Args) -> Span | None:
    """The first, second, … or last day, week, weekend, month, quarter or weekday of a span. Weeks are counted from its first day."""
    inner = _closed(context.inner[0])
    number = whole(slots, "nth")
    if inner is None or number == 0:
        return None
    first, end = inner[0].date(), inner[1].date()
    name = "weekday" if "weekday" in slots else unit_of(slots, args)
    if name not in ("weekday", "day") and not wider(context.inner[0].granularity, name):
        return None
    if name in ("weekday", "weekend"):
        wanted = whole(slots, "weekday") if name == "weekday" else 5
        day = (
            first + DAY * ((wanted - first.weekday()) % 7)
            if number > 0
            else end - DAY * ((end.weekday() - wanted) % 7 or 7)
        )
        day += 7 * DAY * (number - 1 if number > 0 else number + 1)
        length = 1 if name == "weekday" else 2
    elif name in ("day", "week"):
        length = 1 if name == "day" else 7
        day = first + length * DAY * (number - 1) if number > 0 else end + length * DAY * number
    elif name in ("month", "quarter", "year"):
        day = unit_shift(name, first if number > 0 else end, number - 1 if number > 0 else number)
        length = (unit_end(name, day) - day).days
    else:
        return None
    if not first <= day < end:
        return None
    context.note(f"number {number} within {first} to {end - DAY}: starts on {day}")
    return Span(midnight(day), midnight(day + length * DAY), cast(Granularity, "day" if name == "weekday" else name))


@formula
def containing(context: Context, slots: Slots, args: Args) -> Span | None:
    """The calendar unit that holds what is known (the week of 5 June)."""
    inner = context.inner[0]
    name = unit_of(slots, args)
    if inner.first is None or name in CLOCK_UNITS or not wider(name, inner.granularity):
        return None
    if (
        name == "weekend"
        and inner.last is not None
        and context.inner[0].granularity == "day"
        and inner.first.weekday() < 5
    ):
        return holiday_weekend(context, slots, args)
    return unit_span(context, name, inner.first)


@formula
def holiday_weekend(context: Context, slots: Slots, args: Args) -> Span | None:
    """The weekend of a holiday: with the holiday if it is next to it, else the nearest Saturday and Sunday."""
    inner = context.inner[0]
    if inner.first is None or inner.granularity != "day":
        return None
    saturday = inner.first - DAY * (
        (inner.first.weekday() - 5) % 7 if inner.first.weekday() in (5, 6, 0, 1, 2) else inner.first.weekday() - 5
    )
    first = min(saturday, inner.first) if inner.first.weekday() in (3, 4) else saturday
    last = max(saturday + DAY, inner.first) if inner.first.weekday() == 0 else saturday + DAY
    context.note(f"the weekend next to {inner.first}: {first} to {last}")
    return Span(midnight(first), midnight(last + DAY), "weekend")


@formula
def beside_unit(context: Context, slots: Slots, args: Args) -> Span | None:
    """The one unit before or after what is known (the week before 9 June, the day after Christmas)."""
    inner = context.inner[0]
    name, sign = unit_of(slots, args), whole(slots, "side") if "side" in slots else int(args["side"])
    first, last = inner.first, inner.last
    if first is None or last is None or name in CLOCK_UNITS:
        return None
    if "part" in slots:
        day = first - DAY if sign < 0 else last + DAY
        return Span(*part_bounds(day, str(slots["part"])), "part_of_day")
    if name in ("day", "week"):
        days = DAY if name == "day" else 7 * DAY
        start, end = (first - days, first) if sign < 0 else (last + DAY, last + DAY + days)
        calendar_unit = bounds(name, unit_shift(name, unit_start(name, first if sign < 0 else last), sign))
        context.note(
            f"the {name} {'before' if sign < 0 else 'after'} {first if sign < 0 else last}: {start} to {end - DAY}"
        )
        same = calendar_unit == (midnight(start), midnight(end))
        return Span(
            midnight(start), midnight(end), cast(Granularity, name), alternatives=() if same else (calendar_unit,)
        )
    if name == "weekend":
        if sign < 0:
            saturday = first - DAY * ((first.weekday() - 5) % 7 or 7)
            saturday -= 7 * DAY if saturday + DAY >= first else 0 * DAY
        else:
            saturday = last + DAY * ((5 - last.weekday()) % 7 or 7)
        context.note(f"the weekend next to it starts on {saturday}")
        return Span(midnight(saturday), midnight(saturday + 2 * DAY), "weekend")
    if name == "season":
        return None
    return unit_span(context, name, first if sign < 0 else last, sign)


@formula
def beside_count(context: Context, slots: Slots, args: Args) -> Span | None:
    """So many units before or after what is known (two days after Christmas)."""
    inner = context.inner[0]
    sign = whole(slots, "side") if "side" in slots else int(args["side"])
    origin = inner.first if sign < 0 else inner.last
    if origin is None:
        return None
    if unit_of(slots, args) in CLOCK_UNITS:
        return None
    if args.get("exact") and unit_of(slots, args) == "week" and inner.granularity == "day":
        low, high = amount(slots, args)
        if low == high and not low % 1:
            day = origin + sign * 7 * DAY * int(low)
            context.note(f"{int(low)} week(s) from {origin}: {day}")
            return Span(midnight(day), midnight(day + DAY), "day")
    if unit_of(slots, args) == "year" and inner.granularity in ("year", "decade"):
        low, high = amount(slots, args)
        early, late = sorted((origin.year + sign * int(low), origin.year + sign * int(high)))
        return Span(dt.datetime(early, 1, 1), dt.datetime(late + 1, 1, 1), "year" if early == late else "range")
    return counted(context, slots, args, sign, origin=origin)


@formula
def beside_weekday(context: Context, slots: Slots, args: Args) -> Span | None:
    """The named weekday before or after what is known (the Friday before 14 August)."""
    inner, number = context.inner[0], whole(slots, "weekday")
    sign = whole(slots, "side") if "side" in slots else int(args["side"])
    if inner.first is None or inner.last is None:
        return None
    day = (
        inner.first - DAY * ((inner.first.weekday() - number) % 7 or 7)
        if sign < 0
        else inner.last + DAY * ((number - inner.last.weekday()) % 7 or 7)
    )
    context.note(f"such a weekday {'before' if sign < 0 else 'after'} it: {day}")
    return Span(midnight(day), midnight(day + DAY), "day")


def unresolved_beside(context: Context, slots: Slots, args: Args) -> Span:
    """What an anchored formula gives when nothing stands before it that it could be anchored at."""
    side = "BEFORE" if (whole(slots, "side") if "side" in slots else int(args.get("side", 1))) < 0 else "AFTER"
    length = iso_duration(unit_of(slots, args), *amount(slots, args)) + " " if "unit" in slots or "unit" in args else ""
    return Span(None, None, "range", kind="unresolved", formula=f"{length}{side} PREVIOUS")


@formula
def same(context: Context, slots: Slots, args: Args) -> Span | None:
    """What is known, once more (that day, that same week), widened to the unit that is named."""
    inner = context.inner[0]
    name = unit_of(slots, args)
    if inner.first is None or _closed(inner) is None:
        return None
    if name in CLOCK_UNITS or name == inner.granularity or not wider(name, inner.granularity):
        return Span(inner.start, inner.end, inner.granularity)
    return unit_span(context, name, inner.first)


# Open ends and ranges ---------------------------------------------------------------------------------------------------------------


@formula
def since(context: Context, slots: Slots, args: Args) -> Span | None:
    """From the start of what is known, with no end stated; it began at some time within it. With ``past`` in the args the latest
    reading that has begun is meant, whatever the tense: what is so "since November" has begun."""
    inner = context.inner[0]
    if args.get("past") and inner.start is not None and inner.start > context.now:
        begun = [(a, b) for a, b in inner.alternatives if a is not None and b is not None and a <= context.now]
        if begun:
            start, end = max(begun)
            context.note(f"a start lies in the past: {start.date()}")
            inner = replace(inner, start=start, end=end, alternatives=())
    if inner.kind == "unresolved":
        return Span(None, None, inner.granularity, kind="unresolved", formula=f"FROM {inner.formula}")
    if inner.kind == "open" and inner.start is not None:
        return inner
    if _closed(inner) is None:
        return None
    return Span(inner.start, None, inner.granularity, kind="open", starts=_closed(inner))


@formula
def until(context: Context, slots: Slots, args: Args) -> Span | None:
    """Up to the end of what is known, which is the latest that the words allow; no start is stated."""
    inner = context.inner[0]
    if inner.kind == "unresolved":
        return Span(None, None, inner.granularity, kind="unresolved", formula=f"UNTIL {inner.formula}")
    return (
        None if _closed(inner) is None else Span(None, inner.end, inner.granularity, kind="open", ends=_closed(inner))
    )


@formula
def before_it(context: Context, slots: Slots, args: Args) -> Span | None:
    """Any time before what is known."""
    inner = context.inner[0]
    return None if _closed(inner) is None else Span(None, inner.start, inner.granularity, kind="open")


@formula
def after_it(context: Context, slots: Slots, args: Args) -> Span | None:
    """Any time after what is known."""
    inner = context.inner[0]
    return None if _closed(inner) is None else Span(inner.end, None, inner.granularity, kind="open")


@formula
def range_(context: Context, slots: Slots, args: Args) -> Span | None:
    """From the start of the one to the end of the other. An end that falls before the start is taken a year later, or the start a
    year earlier, whichever keeps the tense ("from November to March"); two days not a week apart are weekdays ("Friday to Friday")."""
    first, second = (_closed(s) for s in context.inner)
    if first is None or second is None:
        return None
    start, end = first[0], second[1]
    if start >= second[0]:
        if context.inner[0].granularity == context.inner[1].granularity == "day" and start - second[0] < 7 * DAY:
            end += 7 * DAY
        elif second[0] <= midnight(context.today) and start.year > 1:
            start = start.replace(year=second[0].year - (start.replace(year=second[0].year) >= second[0]))
        else:
            end = end.replace(year=end.year + 1)
    context.note(f"from {start.date()} to {(end - DAY).date()}")
    return Span(start, end, "range", kind="period")


@formula
def moved(context: Context, slots: Slots, args: Args) -> Span | None:
    """What was moved from one time to another lies at the other."""
    context.note("moved away from the first, to the second")
    return context.inner[1]


@formula
def earlier_in(context: Context, slots: Slots, args: Args) -> Span | None:
    """The part of the unit of today that is over (earlier this week)."""
    inner = _closed(context.inner[0])
    now = midnight(context.today) if context.inner[0].granularity != "day" else context.now
    return None if inner is None or not inner[0] < now < inner[1] else Span(inner[0], now, "range", kind="period")


@formula
def later_in(context: Context, slots: Slots, args: Args) -> Span | None:
    """The part of the unit of today that is still to come (later this week)."""
    inner = _closed(context.inner[0])
    now = context.now if context.inner[0].granularity == "day" else midnight(context.today + DAY)
    return None if inner is None or not inner[0] <= now < inner[1] else Span(now, inner[1], "range", kind="period")


@formula
def itself(context: Context, slots: Slots, args: Args) -> Span | None:
    """The same span under a longer wording (sometime in May, around Christmas)."""
    return context.inner[0]
