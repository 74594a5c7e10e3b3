"""The closed set of formulas that a rule may name: from what was matched to a span of the speaker's local time.

A formula is called as ``f(context, slots, args)``: what the rule's slots matched, and the constants that the rule gives. It returns a
``Span``, or ``None`` where the words turn out to name no time. It knows arithmetic and no words. This module has the counted ones (so
many units ago, ahead, within, for); ``clock``, ``around``, ``unplaced``, ``named`` and ``yearly`` add theirs to
the same set.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any, cast

from graphmem.temporal.context import Context
from graphmem.temporal.expression import Granularity, Span
from graphmem.temporal.table import Value
from graphmem.temporal.units import CLOCK_UNITS, DAY, add_months, bounds, midnight, unit_end, unit_shift, unit_start

Slots = Mapping[str, Value]
Args = Mapping[str, Any]
Formula = Callable[[Context, Slots, Args], Span | None]

FORMULAS: dict[str, Formula] = {}

_FINER = {
    "decade": ("year", 10), "year": ("month", 12), "month": ("day", 30), "week": ("day", 7), "day": ("hour", 24),
    "hour": ("minute", 60), "minute": ("second", 60),
}  # fmt: skip


def formula(function: Formula) -> Formula:
    """Adds a function to the closed set, under its own name."""
    FORMULAS[function.__name__.rstrip("_")] = function
    return function


def whole(slots: Slots, name: str) -> int:
    """A slot's value as a whole number; a spelled-out range gives its lower end."""
    value = slots[name]
    return int(value[0]) if isinstance(value, tuple) else int(value)


def amount(slots: Slots, args: Args) -> tuple[float, float]:
    """The lowest and highest count that the words allow; one where no count is named. ``half`` in the slots adds a half."""
    value: object = slots.get("number", args.get("number", 1))
    low, high = (float(value), float(value)) if isinstance(value, (int, float)) else cast(tuple[float, float], value)
    if "upto" in slots:
        high = cast(tuple[float, float], slots["upto"])[1]
    if "half" in slots:
        low, high = low + 0.5, high + 0.5
    return min(low, high), max(low, high)


def unit_of(slots: Slots, args: Args) -> str:
    """The unit that the words name, or else the one the rule names."""
    return str(slots.get("unit", args.get("unit", "day")))


def whole_units(unit: str, low: float, high: float) -> tuple[str, int, int]:
    """Halves turned into whole numbers of a finer unit: half a year is six months, a day and a half is thirty-six hours."""
    while (low % 1 or high % 1) and unit in _FINER:
        unit, factor = _FINER[unit]
        low, high = low * factor, high * factor
    return unit, round(low), round(high)


def unit_span(context: Context, unit: str, day: dt.date, offset: int = 0) -> Span:
    """The calendar unit that holds ``day``, moved by ``offset`` units."""
    week_start = context.choose("week_start") if unit == "week" else "monday"
    first = unit_start(unit, day, week_start)
    if offset:
        first = unit_shift(unit, first, offset)
    context.note(
        f"the {unit} of {day.isoformat()}{f' moved by {offset}' if offset else ''} starts on {first.isoformat()}"
    )
    start, end = bounds(unit, first)
    return Span(start, end, cast(Granularity, unit))


@formula
def day(context: Context, slots: Slots, args: Args) -> Span | None:
    """The date so many days from the day of speaking, by the words or by the rule."""
    return unit_span(
        context, "day", context.today, whole(slots, "offset") if "offset" in slots else int(args["offset"])
    )


@formula
def unit(context: Context, slots: Slots, args: Args) -> Span | None:
    """The calendar unit of the day of speaking, moved by the words' or the rule's offset. A weekend without one goes by tense."""
    name = unit_of(slots, args)
    if args.get("only", name) != name:
        return None
    if "year_shift" in slots:
        if args.get("whole"):
            return unit_span(context, name, context.today, whole(slots, "year_shift"))
        return unit_span(context, name, add_months(context.today, 12 * whole(slots, "year_shift")))
    offset = whole(slots, "shift") if "shift" in slots else int(args.get("offset", 0))
    if name == "week" and offset == -1:
        return _last_week(context)
    if name == "weekend":
        if offset < 0:
            return weekends_back(context, -offset, -offset)
        if offset == 0 and context.today.weekday() < 5:
            tense = context.tense()
            if tense == "past" or (tense == "none" and context.today.weekday() < 3):
                return weekends_back(context, 1, 1)
        if offset == 1:
            following = unit_span(context, name, context.today, 1)
            coming = bounds(name, unit_start(name, context.today))
            return Span(
                following.start, following.end, "weekend", alternatives=(coming,) if context.today.weekday() < 5 else ()
            )
    return unit_span(context, name, context.today, offset)


def _last_week(context: Context) -> Span:
    today = context.today
    first = unit_start("week", today, context.choose("week_start")) - 7 * DAY
    return _either(
        context, "week", (midnight(first), midnight(first + 7 * DAY)), (midnight(today - 7 * DAY), midnight(today))
    )


def _either(
    context: Context, unit: str, calendar: tuple[dt.datetime, dt.datetime], rolling: tuple[dt.datetime, dt.datetime]
) -> Span:
    """The last unit, by the policy ``last_week``: the calendar's, the one that ends before the day of speaking, or the span that
    holds both. Said late in a week, "last week" is used for two different spans of seven days."""
    reading, granularity = context.choose("last_week"), cast(Granularity, unit)
    context.note(f"the last calendar {unit} starts on {calendar[0].date()}, the rolling one on {rolling[0].date()}")
    if calendar == rolling:
        return Span(*calendar, granularity)
    if reading == "calendar":
        return Span(*calendar, granularity, alternatives=(rolling,))
    if reading == "rolling":
        return Span(*rolling, granularity, alternatives=(calendar,))
    context.note("either is meant: the span that holds both, and each as another reading")
    return Span(calendar[0], rolling[1], granularity, alternatives=(calendar, rolling))


@formula
def last_stretch(context: Context, slots: Slots, args: Args) -> Span | None:
    """In the last week, month or year: the calendar's or the rolling one, by the policy ``last_week``."""
    name, today = unit_of(slots, args), context.today
    if name == "week":
        return _last_week(context)
    first = unit_shift(name, unit_start(name, today), -1)
    return _either(context, name, bounds(name, first), (midnight(unit_shift(name, today, -1)), midnight(today)))


def weekends_back(context: Context, low: int, high: int, origin: dt.date | None = None) -> Span:
    """The Saturday and Sunday so many complete weekends back; complete is one that ended before the day of speaking or ``origin``."""
    today = context.today if origin is None else origin
    latest = unit_start("weekend", today) - 7 * DAY
    context.note(f"the last complete weekend before {today} starts on {latest}")
    first, last = latest - 7 * DAY * (high - 1), latest - 7 * DAY * (low - 1)
    current = bounds("weekend", latest + 7 * DAY)
    return Span(midnight(first), midnight(last + 2 * DAY), "weekend" if low == high else "range",
                alternatives=(current,) if today.weekday() >= 5 and low == high == 1 else ())  # fmt: skip


@formula
def ago(context: Context, slots: Slots, args: Args) -> Span | None:
    """So many units before the time of speaking, as exact as the unit is when people use it.

    Days are exact (one more and one less with "about"), weeks give or take three days, months and years are the calendar unit;
    a year ago is the month a year back. A vague count spans all that it allows.
    """
    return counted(context, slots, args, -1)


@formula
def ahead(context: Context, slots: Slots, args: Args) -> Span | None:
    """So many units after the time of speaking; the mirror image of ``ago``. Told in the past it is a duration ("in two weeks we
    had finished"), and one single second or minute is a figure of speech."""
    name, (low, high) = unit_of(slots, args), amount(slots, args)
    if name in ("second", "minute") and low == high == 1:
        return None
    if args.get("not_clock") and name in CLOCK_UNITS:
        return None
    if not args.get("firm") and context.tense() == "past":
        return Span(None, None, "range", kind="duration", formula=iso_duration(name, low, high))
    return counted(context, slots, args, 1)


def counted(context: Context, slots: Slots, args: Args, sign: int, *, origin: dt.date | None = None) -> Span | None:
    """The span so many units from the day of speaking, or from ``origin``."""
    name, low, high = whole_units(unit_of(slots, args), *amount(slots, args))
    if low <= 0:
        return None
    today = context.today if origin is None else origin
    early, late = min(sign * low, sign * high), max(sign * low, sign * high)
    vague, about = low != high, "about" in slots
    certainty = float(args.get("certainty", 0.8 if vague else 0.9 if about else 1.0))
    context.note(f"count {f'{early} to {late}' if vague else early} {name}(s) from {today}{', about' if about else ''}")
    if name in CLOCK_UNITS:
        return _by_the_clock(context, name, early, late, about, certainty)
    if name == "day":
        slack = DAY if about else 0 * DAY
        first, last = today + DAY * early - slack, today + DAY * late + slack
        return Span(midnight(first), midnight(last + DAY), "day" if first == last else "range", certainty=certainty)
    if name == "week":
        first, last = today + 7 * DAY * early - 3 * DAY, today + 7 * DAY * late + 3 * DAY
        exact = midnight(today + 7 * DAY * early), midnight(today + 7 * DAY * early + DAY)
        return Span(midnight(first), midnight(last + DAY), "range" if vague else "week",
                    alternatives=() if vague else (exact,), certainty=certainty)  # fmt: skip
    if name == "weekend":
        if sign < 0:
            return weekends_back(context, low, high, today)
        coming = unit_start("weekend", today) - (7 * DAY if today.weekday() < 5 else 0 * DAY)
        return Span(
            midnight(coming + 7 * DAY * early),
            midnight(coming + 7 * DAY * late + 2 * DAY),
            "weekend",
            certainty=certainty,
        )
    if name == "year" and not vague and low == 1:
        there = add_months(today, 12 * sign)
        return Span(*bounds("month", unit_start("month", there)), "month", alternatives=(bounds("year", unit_start("year", there)),),
                    certainty=certainty)  # fmt: skip
    if name in ("decade", "century"):
        years = 10 if name == "decade" else 100
        first_year, last_year = today.year + years * early - years // 5, today.year + years * late + years // 5
        return Span(dt.datetime(first_year, 1, 1), dt.datetime(last_year + 1, 1, 1), "range", certainty=0.7 * certainty)
    first, last = (unit_start(name, unit_shift(name, unit_start("month", today), n)) for n in (early, late))
    return Span(
        midnight(first),
        midnight(unit_end(name, last)),
        "range" if vague else cast(Granularity, name),
        certainty=certainty,
    )


def _by_the_clock(context: Context, name: str, early: int, late: int, about: bool, certainty: float) -> Span:
    """Hours give or take half an hour (a whole one with "about"), minutes to the minute (five with "about")."""
    step = CLOCK_UNITS[name]
    first, last = context.now + step * early, context.now + step * late
    if name == "hour":
        slack = step if about else step / 2
        return Span(first - slack, last + slack, "hour" if early == late else "range", certainty=certainty)
    slack = step * 5 if about else 0 * step
    start = (first - slack).replace(second=0, microsecond=0)
    end = (last + slack).replace(second=0, microsecond=0) + dt.timedelta(minutes=1)
    return Span(start, end, "minute" if end - start == dt.timedelta(minutes=1) else "range", certainty=certainty)


@formula
def window(context: Context, slots: Slots, args: Args) -> Span | None:
    """The last or next so many units, counted back from or on from the day of speaking, that day included."""
    length = iso_duration(unit_of(slots, args), *amount(slots, args))
    name, _, count = whole_units(unit_of(slots, args), *amount(slots, args))
    sign, today = int(args["direction"]), context.today
    if name in CLOCK_UNITS:
        if name == "second":
            return None
        other = context.now + sign * CLOCK_UNITS[name] * count
        return Span(min(context.now, other), max(context.now, other), "range", kind="period", formula=length)
    edge = unit_shift("week" if name == "weekend" else name, today, sign * count)
    context.note(f"{count} {name}(s) {'back' if sign < 0 else 'on'} from {today}: {edge}")
    first, last = (edge, today) if sign < 0 else (today, edge)
    return Span(midnight(first), midnight(last + DAY), "range", kind="period", formula=length)


@formula
def lasting(context: Context, slots: Slots, args: Args) -> Span | None:
    """So long. With a perfect ("have played for three years") it is a state that began so long ago and goes on; where the sentence
    says that it holds no more ("was with us for ten years … not here anymore") one that began so long ago and has ended;
    otherwise a length of time without a place."""
    name, (low, high) = unit_of(slots, args), amount(slots, args)
    if name in ("second", "minute") and low == high == 1:
        return None
    length = iso_duration(name, low, high)
    goes_on = bool(args.get("ongoing")) or (not args.get("never_ongoing") and context.perfect())
    if goes_on or context.no_more():
        origin = counted(context, slots, args, -1)
        if origin is None or origin.start is None or origin.end is None:
            return None
        fine, _, most = whole_units(name, low, high)
        if fine in CLOCK_UNITS:
            begins = context.now - CLOCK_UNITS[fine] * most
        else:
            begins = midnight(unit_shift("week" if fine == "weekend" else fine, context.today, -most))
        context.note(f"a state that has lasted {length}: it began {begins.isoformat()}")
        if not goes_on:
            return Span(begins, midnight(context.today + DAY), "range", kind="period", starts=(origin.start, origin.end),
                        formula=length, certainty=0.4)  # fmt: skip
        return Span(begins, None, origin.granularity, kind="open", starts=(origin.start, origin.end), formula=length,
                    certainty=origin.certainty)  # fmt: skip
    return Span(None, None, "range", kind="duration", formula=length)


def iso_duration(unit: str, low: float, high: float) -> str:
    """A length as an ISO 8601 duration; a vague one as two of them with ``..`` between."""
    unit, low, high = whole_units(unit, low, high)
    factor, prefix, letter = {
        "second": (1, "PT", "S"), "minute": (1, "PT", "M"), "hour": (1, "PT", "H"), "day": (1, "P", "D"), "week": (1, "P", "W"),
        "weekend": (2, "P", "D"), "month": (1, "P", "M"), "quarter": (3, "P", "M"), "season": (3, "P", "M"), "year": (1, "P", "Y"),
        "decade": (10, "P", "Y"), "century": (100, "P", "Y"),
    }[unit]  # fmt: skip
    shortest, longest = (f"{prefix}{n * factor}{letter}" for n in (low, high))
    return shortest if low == high else f"{shortest}..{longest}"
