"""Formulas for what has vague bounds (recently, soon), no single interval (every Friday) or none yet (in my twenties)."""

from __future__ import annotations

from graphmem.temporal.context import Context
from graphmem.temporal.expression import Granularity, Span
from graphmem.temporal.formulas import Args, Slots, amount, formula, unit_of, whole
from graphmem.temporal.units import DAY, add_months, midnight

_DAY_CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_FREQUENCIES = {
    "minute": "MINUTELY",
    "hour": "HOURLY",
    "day": "DAILY",
    "week": "WEEKLY",
    "month": "MONTHLY",
    "year": "YEARLY",
}
_MULTIPLES = {"weekend": ("WEEKLY", 1), "quarter": ("MONTHLY", 3), "season": ("YEARLY", 1), "decade": ("YEARLY", 10)}


@formula
def days_around(context: Context, slots: Slots, args: Args) -> Span | None:
    """From ``args.low`` to ``args.high`` days from the day of speaking, both included; ``args.months`` counts months instead."""
    if args.get("statement") and context.asks():
        return None
    today, low, high = context.today, int(args["low"]), int(args["high"])
    first = add_months(today, low) if args.get("months") else today + DAY * low
    last = today + DAY * high
    context.note(f"from {first} to {last}, seen from {today}")
    return Span(midnight(first), midnight(last + DAY), "range", kind="period")


@formula
def recently(context: Context, slots: Slots, args: Args) -> Span | None:
    """The days up to the day of speaking that the policy calls recent. A question's "up to anything lately?" names no time."""
    if context.asks():
        return None
    today, days = context.today, context.days("recently_days")
    return Span(midnight(today - DAY * days), midnight(today + DAY), "range", kind="period")


@formula
def soon(context: Context, slots: Slots, args: Args) -> Span | None:
    """The days after the day of speaking that the policy calls soon. A farewell ("see you soon") never gets here."""
    if context.asks() or context.tense() == "past":
        return None
    today, days = context.today, context.days("soon_days")
    return Span(midnight(today), midnight(today + DAY * (days + 1)), "range", kind="period")


@formula
def reference(context: Context, slots: Slots, args: Args) -> Span | None:
    """The present, past or future as such (now, in the future): TimeML's references. It places nothing that the time of speaking does
    not, so it has no interval."""
    return Span(None, None, "range", kind="unresolved", formula=str(args["name"]))


@formula
def recurrence(context: Context, slots: Slots, args: Args) -> Span | None:
    """A set of times (every Friday), as an RFC 5545 rule; it has no single interval."""
    unit, interval, extra = unit_of(slots, args), int(args.get("interval", 1)), ""
    if "number" in slots:
        interval = round(amount(slots, args)[0])
    if "weekday" in slots:
        unit, extra = "week", f";BYDAY={_DAY_CODES[whole(slots, 'weekday')]}"
    elif "days" in args:
        unit, extra = "week", f";BYDAY={args['days']}"
    elif unit == "weekend":
        extra = ";BYDAY=SA,SU"
    elif "month" in slots:
        unit, extra = "year", f";BYMONTH={whole(slots, 'month')}"
    if "times" in slots:
        extra += f";X-TIMES={round(amount({'number': slots['times']}, {})[0])}"
    named = slots.get("season", slots.get("holiday"))
    if named is not None:
        unit, extra = "year", f";X-NAMED={str(named).upper()}"
    if "part" in slots:
        extra += f";X-HOURS={slots['part']}"
    if unit == "second" or interval < 1:
        return None
    frequency, multiple = _MULTIPLES.get(unit, (_FREQUENCIES.get(unit, "YEARLY"), 1))
    every = "" if interval * multiple == 1 else f";INTERVAL={interval * multiple}"
    return Span(None, None, "range", kind="recurrence", formula=f"FREQ={frequency}{every}{extra}")


@formula
def age(context: Context, slots: Slots, args: Args) -> Span | None:
    """An age or a stage of life: unresolved until somebody knows the birth date, then ``resolve_with_birth`` places it."""
    if "birthday" in slots:
        return Span(
            None,
            None,
            "day",
            kind="unresolved",
            formula=f"BIRTHDAY {round(amount({'number': slots['birthday']}, {})[0])}",
        )
    if "childhood" in slots:
        low, high = 0, 13
    elif "stage" in slots:
        low, high = (int(n) for n in str(slots["stage"]).split("-"))
    elif "tens" in slots:
        low, high = whole(slots, "tens"), whole(slots, "tens") + 10
        third = {"early": (0, 4), "mid": (3, 7), "late": (6, 10)}.get(str(slots.get("third", "")))
        if third is not None:
            low, high = low + third[0], low + third[1]
    else:
        low = round(amount(slots, args)[0])
        low, high = (0, low) if args.get("before") else (low, low + 1)
    if not 0 <= low < high <= 130:
        return None
    granularity: Granularity = "year" if high - low == 1 else "range"
    side = "FROM " if args.get("since") else "UNTIL " if args.get("until") else ""
    return Span(None, None, granularity, kind="unresolved", formula=f"{side}AGE {low}/{high}")
