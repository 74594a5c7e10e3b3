"""Formulas for times that have names: weekdays, months, dates, years, decades and centuries."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

from graphmem.temporal.around import part
from graphmem.temporal.context import Context
from graphmem.temporal.expression import Granularity, Span
from graphmem.temporal.formulas import Args, Slots, amount, formula, whole
from graphmem.temporal.units import DAY, add_months, bounds, midnight, unit_shift, unit_start
from graphmem.temporal.unplaced import recurrence

Bounds = tuple[dt.datetime, dt.datetime]


def day_bounds(day: dt.date) -> Bounds:
    """The bounds of one local date."""
    return midnight(day), midnight(day + DAY)


def full_year(context: Context, year: int) -> int:
    """A year of two digits, in the century that puts it at most ten years ahead of the time of speaking."""
    if year >= 100:
        return year
    century = context.today.year - context.today.year % 100
    return century + year if century + year <= context.today.year + 10 else century + year - 100


def which_of(slots: Slots, args: Args) -> str:
    """last, this, next, or tense: from the words if they say so, else from the rule."""
    if "shift" in slots:
        return {-1: "last", 0: "this", 1: "next"}.get(whole(slots, "shift"), "tense")
    return str(args.get("which", "tense"))


def pick(context: Context, which: str, candidates: Sequence[Bounds]) -> tuple[Bounds, Bounds | None]:
    """One of the recurring spans (in order of time): the latest that is over, the first to come, or what the tense asks for.

    *Last* is over before the day of speaking. By tense, one that is going on counts as past and as to come; without any verb the
    nearest is taken. *This* is the one going on, else that of the same year unless one told in the past has just ended. Returns the
    choice and the next likely one. Raises ``ValueError`` where the candidates do not reach two spans to both sides.
    """
    now = midnight(context.today)
    over = [c for c in candidates if c[1] <= now]
    begun = [c for c in candidates if c[0] <= now]
    coming = [c for c in candidates if c[0] > now]
    current = [c for c in candidates if c[0] <= now < c[1]]
    if len(over) < 2 or len(coming) < 2:
        raise ValueError("the calendar of such spans does not reach far enough on both sides")
    if which == "last":
        return over[-1], over[-2]
    if which == "next":
        return coming[0], coming[1]
    if which == "this" and current:
        return current[0], None
    tense = context.tense()
    if which == "this":
        same_year = [c for c in candidates if c[0].year == now.year and (c[0] > now or tense != "future")]
        just_over = now - over[-1][1] < dt.timedelta(days=120)
        if same_year and not (tense == "past" and same_year[0][0] > now and just_over):
            return same_year[0], None
    if context.policy.unstated_year == "nearest" or tense == "none":
        chosen = min((begun[-1], coming[0]), key=lambda c: abs(c[0] - now))
        return chosen, coming[0] if chosen != coming[0] else begun[-1]
    if tense in ("future", "present"):
        return (current or coming)[0], over[-1]
    return begun[-1], coming[0]


def chosen_span(
    context: Context, granularity: Granularity, chosen: Bounds, other: Bounds | None, certainty: float = 1.0
) -> Span:
    context.note(f"chosen: {chosen[0].date()} to {(chosen[1] - DAY).date()}, seen from {context.today}")
    return Span(
        *chosen, granularity, alternatives=() if other is None or other == chosen else (other,), certainty=certainty
    )


@formula
def weekday(context: Context, slots: Slots, args: Args) -> Span | None:
    """A weekday by its name: the last, this or next one, or the one that the tense asks for.

    *Last* is the latest strictly before the day of speaking, *next* and a bare one ahead the first strictly after it. With a
    ``week`` in the args or ``shift`` and a policy of whole weeks it is the weekday of that week.
    """
    today, number = context.today, whole(slots, "weekday")
    in_week = unit_start("week", today) + DAY * number
    back = (today.weekday() - number) % 7 or 7
    latest, coming = today - DAY * back, today + DAY * ((number - today.weekday()) % 7 or 7)
    which = which_of(slots, args)
    if which == "tense" and context.habit():
        return recurrence(context, slots, args)
    if args.get("of_week"):
        chosen = in_week + 7 * DAY * whole(slots, "shift")
        context.note(f"that weekday of the week {whole(slots, 'shift'):+d}: {chosen}")
        return chosen_span(context, "day", day_bounds(chosen), None)
    if which == "last":
        latest -= 7 * DAY * int(args.get("steps", 0))
        return chosen_span(context, "day", day_bounds(latest), day_bounds(latest - 7 * DAY))
    if which == "next":
        if context.choose("next_weekday") == "next_week":
            return chosen_span(context, "day", day_bounds(in_week + 7 * DAY), day_bounds(coming))
        return chosen_span(context, "day", day_bounds(coming), day_bounds(coming + 7 * DAY))
    if today.weekday() == number and context.choose("same_weekday") == "today":
        return chosen_span(context, "day", day_bounds(today), day_bounds(latest))
    tense = context.tense()
    ahead = tense in ("future", "present") or (tense == "none" and coming - today < today - latest)
    chosen, other = (coming, latest) if ahead else (latest, coming)
    return chosen_span(
        context, "day", day_bounds(chosen), day_bounds(other), 1.0 if tense in ("past", "future") else 0.85
    )


@formula
def weekdays_ago(context: Context, slots: Slots, args: Args) -> Span | None:
    """So many of a weekday ago (three Fridays ago): the latest strictly before the day of speaking is the first one back."""
    today = context.today
    latest = today - DAY * ((today.weekday() - whole(slots, "weekday")) % 7 or 7)
    low, high = (round(n) for n in amount(slots, args))
    if low < 1:
        return None
    first, last = latest - 7 * DAY * (high - 1), latest - 7 * DAY * (low - 1)
    return chosen_span(context, "day" if low == high else "range", (midnight(first), midnight(last + DAY)), None)


@formula
def exactly_ago(context: Context, slots: Slots, args: Args) -> Span | None:
    """To the day: a week ago today, two weeks ago yesterday, a week ago Friday (a week before the latest one)."""
    low, high = amount(slots, args)
    if low != high or low % 1:
        return None
    origin = context.today - DAY * ("yesterday" in slots)
    if "weekday" in slots:
        origin = context.today - DAY * ((context.today.weekday() - whole(slots, "weekday")) % 7 or 7)
    return chosen_span(context, "day", day_bounds(unit_shift(str(slots["unit"]), origin, -int(low))), None)


@formula
def month(context: Context, slots: Slots, args: Args) -> Span | None:
    """A month by its name: of a stated year, or the last, this or next one, or the one that the tense asks for."""
    number = whole(slots, "month")
    if "year" in slots or "year_shift" in slots:
        return Span(*bounds("month", dt.date(stated_year(context, slots), number, 1)), "month")
    candidates = [bounds("month", dt.date(context.today.year + n, number, 1)) for n in (-3, -2, -1, 0, 1, 2)]
    which = which_of(slots, args)
    if which == "tense" and context.habit():
        return recurrence(context, slots, args)
    if which == "last":
        # Said within that very month, "last May" is a year back, although the month is not over.
        candidates = [c for c in candidates if c[0] != midnight(unit_start("month", context.today))]
    return chosen_span(context, "month", *pick(context, which, candidates))


def stated_year(context: Context, slots: Slots) -> int:
    """The year that the words give, as a number or as last, this or next year."""
    if "year_shift" in slots:
        return context.today.year + whole(slots, "year_shift")
    return full_year(context, whole(slots, "year"))


@formula
def date(context: Context, slots: Slots, args: Args) -> Span | None:
    """A date by day and month, in the year that is stated or else in the one the tense asks for.

    With a weekday and no year, the year nearest to the time of speaking in which the weekday fits.
    """
    number, day = whole(slots, "month"), whole(slots, "day")
    if "year" in slots or "year_shift" in slots:
        return Span(*day_bounds(dt.date(stated_year(context, slots), number, day)), "day")
    weekday = whole(slots, "weekday") if "weekday" in slots else None
    return _yearless(context, number, day, weekday, which_of(slots, args))


def _yearless(context: Context, number: int, day: int, weekday: int | None, which: str) -> Span | None:
    today, candidates = context.today, []
    for year in range(today.year - 9, today.year + 10):
        try:
            candidates.append(dt.date(year, number, day))
        except ValueError:
            continue
    if weekday is not None:
        fitting = [d for d in candidates if d.weekday() == weekday]
        if fitting:
            nearest = min(fitting, key=lambda d: abs(d - today))
            context.note(f"the year nearest to {today} in which the weekday fits: {nearest}")
            return Span(*day_bounds(nearest), "day")
    if not candidates:
        raise ValueError("no such date")
    if which == "tense" and today in candidates:
        return chosen_span(context, "day", day_bounds(today), None)
    if which == "this":
        return chosen_span(context, "day", day_bounds(dt.date(today.year, number, day)), None)
    return chosen_span(context, "day", *pick(context, which, [day_bounds(d) for d in candidates]))


@formula
def days_of_month(context: Context, slots: Slots, args: Args) -> Span | None:
    """The days from one to another of a month (9 to 12 February), in the year that is stated or else in the one the tense asks for."""
    number, first, last = whole(slots, "month"), whole(slots, "day"), whole(slots, "last")
    if first >= last:
        return None

    def stretch(year: int) -> Bounds:
        return midnight(dt.date(year, number, first)), midnight(dt.date(year, number, last) + DAY)

    if "year" in slots or "year_shift" in slots:
        return Span(*stretch(stated_year(context, slots)), "range", kind="period")
    candidates = []
    for year in range(context.today.year - 9, context.today.year + 10):
        try:
            candidates.append(stretch(year))
        except ValueError:
            continue
    chosen, other = pick(context, which_of(slots, args), candidates)
    return replace(chosen_span(context, "range", chosen, other), kind="period")


@formula
def numeric_date(context: Context, slots: Slots, args: Args) -> Span | None:
    """A date of two numbers and perhaps a year (10/11, 10/11/2022), in the order of the policy; the other order is kept."""
    first, second = whole(slots, "first"), whole(slots, "second")
    order = context.choose("day_month_order")
    if args.get("order"):
        order = str(args["order"])
    readings = [(first, second), (second, first)] if order == "month_first" else [(second, first), (first, second)]
    spans: list[Span] = []
    for number, day in readings:
        if not (1 <= number <= 12 and 1 <= day <= 31):
            continue
        try:
            made = date(context, {**slots, "month": number, "day": day}, args)
        except ValueError:
            continue
        if made is not None:
            spans.append(made)
    if not spans:
        return None
    chosen = spans[0]
    others = tuple((s.start, s.end) for s in spans[1:] if s.start != chosen.start)
    return Span(
        chosen.start, chosen.end, "day", alternatives=others + chosen.alternatives, certainty=0.75 if others else 1.0
    )


@formula
def day_of_month(context: Context, slots: Slots, args: Args) -> Span | None:
    """The 15th: of the latest or next month that has it, by tense; or of last, this or next month."""
    day, today = whole(slots, "day"), context.today
    if not 1 <= day <= 31:
        return None
    if "shift" in slots:
        there = add_months(today.replace(day=1), whole(slots, "shift"))
        return Span(*day_bounds(there.replace(day=day)), "day")
    candidates = []
    for n in range(-4, 5):
        try:
            candidates.append(add_months(today.replace(day=1), n).replace(day=day))
        except ValueError:
            continue
    if "weekday" in slots:
        candidates = [d for d in candidates if d.weekday() == whole(slots, "weekday")]
        if not candidates:
            return None
    past = [d for d in candidates if d <= today]
    coming = [d for d in candidates if d >= today]
    if "weekday" in slots and context.tense() == "none":
        return chosen_span(context, "day", day_bounds(min(candidates, key=lambda d: abs(d - today))), None, 0.9)
    tense_ahead = context.direction() > 0
    chosen = coming[0] if coming and (tense_ahead or not past) else past[-1]
    others = [d for d in (*past[-1:], *coming[:1]) if d != chosen]
    return chosen_span(context, "day", day_bounds(chosen), day_bounds(others[0]) if others else None, 0.9)


@formula
def year(context: Context, slots: Slots, args: Args) -> Span | None:
    """A calendar year by its number."""
    return Span(*bounds("year", dt.date(full_year(context, whole(slots, "year")), 1, 1)), "year")


@formula
def spoken_year(context: Context, slots: Slots, args: Args) -> Span | None:
    """A year as it is spoken: nineteen ninety, nineteen oh four, two thousand and five."""
    rest = whole(slots, "number") if "number" in slots else 0
    low, high = (0, 10) if "zero" in slots else (0, 100) if "thousand" in slots else (10, 100)
    if not low <= rest < high:
        return None
    year = whole(slots, "century") + rest
    context.note(f"spoken, the year {year}")
    return Span(*bounds("year", dt.date(year, 1, 1)), "year")


@formula
def decade(context: Context, slots: Slots, args: Args) -> Span | None:
    """A decade by its first year, or by its tens (the nineties), which mean the latest such decade that has begun."""
    first = whole(slots, "tens")
    if first >= 100 and first % 100 == 0 and first < context.today.year - context.today.year % 100:
        context.note(f"the {first}s are a century")
        return Span(dt.datetime(first, 1, 1), dt.datetime(first + 100, 1, 1), "century")
    if "third" in slots:
        context.inner = (Span(*_decade(context, first), "decade"),)
        return part(context, slots, args)
    return Span(*_decade(context, first), "decade")


def _decade(context: Context, first: int) -> Bounds:
    if first < 100:
        century = context.today.year - context.today.year % 100
        first += century if century + first <= context.today.year else century - 100
    return dt.datetime(first, 1, 1), dt.datetime(first + 10, 1, 1)


@formula
def century(context: Context, slots: Slots, args: Args) -> Span | None:
    """A century by its ordinal; the 19th starts in 1801 by the book and in 1800 as people speak, which is what counts here."""
    number = whole(slots, "nth")
    return Span(dt.datetime((number - 1) * 100, 1, 1), dt.datetime(number * 100, 1, 1), "century")
