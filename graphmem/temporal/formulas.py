"""The closed set of formulas that a rule may name: from what was matched to a span of the speaker's local time.

A formula is called as ``f(context, slots, args)``: what the rule's slots matched, and the constants that the rule gives. It returns a
``Span``, or ``None`` where the words turn out to name no time. It knows arithmetic and no words.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any, cast

from graphmem.temporal.context import Context
from graphmem.temporal.expression import Granularity, Span
from graphmem.temporal.table import Value
from graphmem.temporal.units import CLOCK_UNITS, DAY, add_months, bounds, midnight, unit_shift, unit_start

Slots = Mapping[str, Value]
Args = Mapping[str, Any]
Formula = Callable[[Context, Slots, Args], Span | None]

FORMULAS: dict[str, Formula] = {}


def formula(function: Formula) -> Formula:
    """Adds a function to the closed set, under its own name."""
    FORMULAS[function.__name__.rstrip("_")] = function
    return function


def amount(slots: Slots, args: Args) -> tuple[float, float]:
    """The lowest and highest count that the words allow; one where no count is named."""
    value = slots.get("number", args.get("number", (1.0, 1.0)))
    if isinstance(value, (int, float)):
        return float(value), float(value)
    low, high = cast(tuple[float, float], value)
    return low, high


def unit_of(slots: Slots, args: Args) -> str:
    """The unit that the words name, or else the one the rule names."""
    return str(slots.get("unit", args.get("unit", "day")))


def whole_units(unit: str, low: float, high: float) -> tuple[str, float, float]:
    """Halves turned into whole numbers of a finer unit: half a year is six months, a day and a half is thirty-six hours."""
    finer = {"decade": ("year", 10), "year": ("month", 12), "month": ("day", 30), "week": ("day", 7), "day": ("hour", 24),
             "hour": ("minute", 60), "minute": ("second", 60)}  # fmt: skip
    while (low % 1 or high % 1) and unit in finer:
        unit, factor = finer[unit]
        low, high = low * factor, high * factor
    return unit, round(low), round(high)


def unit_span(context: Context, unit: str, day: dt.date, offset: int = 0) -> Span:
    """The calendar unit that holds ``day``, moved by ``offset`` units."""
    week_start = context.choose("week_start") if unit == "week" else "monday"
    first = unit_start(unit, day, week_start)
    if offset:
        first = unit_shift(unit, first, offset)
    context.note(f"the {unit} of {day.isoformat()} moved by {offset}: starts on {first.isoformat()}")
    start, end = bounds(unit, first)
    return Span(start, end, cast(Granularity, unit))


@formula
def day(context: Context, slots: Slots, args: Args) -> Span | None:
    """The date ``args.offset`` days from the day of speaking."""
    return unit_span(context, "day", context.today, int(args["offset"]))


@formula
def unit(context: Context, slots: Slots, args: Args) -> Span | None:
    """The calendar unit of the day of speaking, moved by the offset of the words or of the rule."""
    name = unit_of(slots, args)
    offset = int(cast(int, slots.get("shift", args.get("offset", 0))))
    if name in CLOCK_UNITS:
        return None
    if name == "week" and offset == -1:
        return _last_week(context)
    if name == "weekend" and offset == -1:
        return _weekends_back(context, 1, 1)
    return unit_span(context, name, context.today, offset)


def _last_week(context: Context) -> Span:
    """Last week, by the policy that bears its name. Said late in a week it can mean two different spans of seven days."""
    today, reading = context.today, context.choose("last_week")
    calendar_week = unit_start("week", today, context.choose("week_start")) - 7 * DAY
    calendar_span = (midnight(calendar_week), midnight(calendar_week + 7 * DAY))
    rolling_span = (midnight(today - 7 * DAY), midnight(today))
    context.note(
        f"the last calendar week is {calendar_week} to {calendar_week + 6 * DAY}; the last seven days start {today - 7 * DAY}"
    )
    if calendar_span == rolling_span:
        return Span(*calendar_span, "week")
    if reading == "calendar":
        return Span(*calendar_span, "week", alternatives=(rolling_span,))
    if reading == "rolling":
        return Span(*rolling_span, "week", alternatives=(calendar_span,))
    return Span(calendar_span[0], rolling_span[1], "week", alternatives=(calendar_span, rolling_span))


def _weekends_back(context: Context, low: int, high: int) -> Span:
    """The Saturday and Sunday so many complete weekends back."""
    latest = context.today - DAY * ((context.today.weekday() + 2) % 7 or 7)
    if latest + 2 * DAY > context.today:
        latest -= 7 * DAY
    context.note(f"the last complete weekend before {context.today} is {latest} and {latest + DAY}")
    first, last = latest - 7 * DAY * (high - 1), latest - 7 * DAY * (low - 1)
    return Span(midnight(first), midnight(last + 2 * DAY), "weekend" if low == high else "range")


@formula
def ago(context: Context, slots: Slots, args: Args) -> Span | None:
    """So many units before the time of speaking, as exact as the unit is when people use it.

    Days are exact (one more and one less with "about"), weeks give or take three days, months and years are the calendar unit;
    a year ago is the month a year back. A vague count spans all that it allows.
    """
    return _counted(context, slots, args, -1)


@formula
def ahead(context: Context, slots: Slots, args: Args) -> Span | None:
    """So many units after the time of speaking; the mirror image of ``ago``."""
    return _counted(context, slots, args, 1)


def _counted(context: Context, slots: Slots, args: Args, sign: int) -> Span | None:
    name, low, high = whole_units(unit_of(slots, args), *amount(slots, args))
    if low <= 0:
        return None
    near, far = sign * int(low), sign * int(high)
    early, late = min(near, far), max(near, far)
    vague, about = low != high, "about" in slots
    today = context.today
    context.note(f"count {early} to {late} {name}(s) from {today}" if vague else f"count {near} {name}(s) from {today}")
    certainty = 0.8 if vague else 0.9 if about else 1.0
    if name in CLOCK_UNITS:
        step = CLOCK_UNITS[name]
        middle = (context.now + step * early, context.now + step * late)
        slack = step / 2 if name == "hour" and not about else step if name == "hour" else step * (5 if about else 0)
        if slack:
            return Span(
                middle[0] - slack,
                middle[1] + slack,
                "hour" if name == "hour" and not vague else "range",
                certainty=certainty,
            )
        floor = middle[0].replace(second=0, microsecond=0)
        return Span(
            floor, middle[1].replace(second=0, microsecond=0) + dt.timedelta(minutes=1), "minute", certainty=certainty
        )
    if name == "day":
        slack_days = DAY if about else 0 * DAY
        first, last = today + DAY * early - slack_days, today + DAY * late + slack_days
        return Span(midnight(first), midnight(last + DAY), "day" if first == last else "range", certainty=certainty)
    if name == "week":
        first, last = today + 7 * DAY * early - 3 * DAY, today + 7 * DAY * late + 3 * DAY
        exact = midnight(today + 7 * DAY * near), midnight(today + 7 * DAY * near + DAY)
        return Span(midnight(first), midnight(last + DAY), "week" if first + 6 * DAY == last else "range",
                    alternatives=() if vague else (exact,), certainty=certainty)  # fmt: skip
    if name == "weekend":
        if sign < 0:
            return _weekends_back(context, int(low), int(high))
        coming = unit_start("weekend", today)
        return Span(midnight(coming + 7 * DAY * (early - (coming > today))),
                    midnight(coming + 7 * DAY * (late - (coming > today)) + 2 * DAY), "weekend")  # fmt: skip
    if name == "year" and near in (-1, 1) and not vague:
        start, end = bounds("month", unit_start("month", add_months(today, 12 * near)))
        return Span(start, end, "month", alternatives=(bounds("year", unit_start("year", add_months(today, 12 * near))),),
                    certainty=certainty)  # fmt: skip
    if name in ("decade", "century"):
        years = 10 if name == "decade" else 100
        first_year, last_year = today.year + years * early - years // 4, today.year + years * late + years // 4
        return Span(dt.datetime(first_year, 1, 1), dt.datetime(last_year + 1, 1, 1), "range", certainty=0.7 * certainty)
    first, last = (unit_start(name, unit_shift(name, unit_start("month", today), n)) for n in (early, late))
    start, end = bounds(name, first)[0], bounds(name, last)[1]
    return Span(start, end, cast(Granularity, name) if not vague else "range", certainty=certainty)


@formula
def window(context: Context, slots: Slots, args: Args) -> Span | None:
    """The last or next so many units, counted back from or on from the day of speaking, that day included."""
    name, _, high = whole_units(unit_of(slots, args), *amount(slots, args))
    sign, count, today = int(args["direction"]), int(high), context.today
    if name in CLOCK_UNITS:
        other = context.now + sign * CLOCK_UNITS[name] * count
        return Span(min(context.now, other), max(context.now, other), "range", kind="period")
    if name == "weekend":
        name = "week"
    edge = unit_shift(name, today, sign * count)
    context.note(f"{count} {name}(s) {'back' if sign < 0 else 'on'} from {today}: {edge}")
    first, last = (edge, today) if sign < 0 else (today, edge)
    return Span(midnight(first), midnight(last + DAY), "range", kind="period")
