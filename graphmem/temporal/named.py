"""Formulas for times that have names: weekdays, months, years, dates."""

from __future__ import annotations

import datetime as dt
from typing import cast

from graphmem.temporal.context import Context
from graphmem.temporal.expression import Span
from graphmem.temporal.formulas import Args, Slots, formula
from graphmem.temporal.units import DAY, bounds, midnight


def day_span(day: dt.date) -> tuple[dt.datetime, dt.datetime]:
    """The bounds of one local date."""
    return midnight(day), midnight(day + DAY)


@formula
def weekday(context: Context, slots: Slots, args: Args) -> Span | None:
    """A weekday by its name: the last, this or next one, or the one that the tense asks for.

    *Last* is the latest strictly before the day of speaking, *next* and a bare one ahead the first strictly after it.
    """
    today, number = context.today, int(cast(int, slots["weekday"]))
    back = (today.weekday() - number) % 7 or 7
    latest, coming = today - DAY * back, today + DAY * (7 - back % 7)
    which = str(args.get("which", "tense"))
    if which == "last":
        context.note(f"the latest such weekday strictly before {today}: {latest}")
        return Span(*day_span(latest), "day", alternatives=(day_span(latest - 7 * DAY),))
    if which == "next":
        if context.choose("next_weekday") == "next_week":
            coming, other = today - DAY * today.weekday() + DAY * (7 + number), coming
        else:
            other = coming + 7 * DAY
        context.note(f"the next such weekday after {today}: {coming}")
        return Span(*day_span(coming), "day", alternatives=(day_span(other),) if other != coming else ())
    tense = context.tense()
    ahead = tense in ("future", "present")
    chosen, other = (coming, latest) if ahead else (latest, coming)
    context.note(f"the {'first after' if ahead else 'latest before'} {today}: {chosen}")
    return Span(
        *day_span(chosen), "day", alternatives=(day_span(other),), certainty=1.0 if tense in ("past", "future") else 0.8
    )


@formula
def month(context: Context, slots: Slots, args: Args) -> Span | None:
    """A month by its name: of a stated year, or the last, this or next one, or the one that the tense asks for."""
    number, today = int(cast(int, slots["month"])), context.today
    if "year" in slots:
        return Span(*bounds("month", dt.date(full_year(context, int(cast(int, slots["year"]))), number, 1)), "month")
    past = dt.date(today.year - (number > today.month), number, 1)
    which = str(args.get("which", "tense"))
    if which == "last":
        chosen = past if number != today.month else dt.date(today.year - 1, number, 1)
        other = dt.date(chosen.year - 1, number, 1)
    elif which == "next":
        chosen = dt.date(today.year + (number <= today.month), number, 1)
        other = dt.date(chosen.year + 1, number, 1)
    elif which == "this":
        chosen, other = dt.date(today.year, number, 1), None
    else:
        coming = dt.date(today.year + (number < today.month), number, 1)
        chosen, other = (coming, past) if context.direction() > 0 else (past, coming)
    context.note(f"the month is {chosen:%Y-%m}, seen from {today}")
    alternatives = (bounds("month", other),) if other is not None and other != chosen else ()
    return Span(*bounds("month", chosen), "month", alternatives=alternatives)


def full_year(context: Context, year: int) -> int:
    """A year of two digits, in the century that puts it at most ten years ahead of the time of speaking."""
    if year >= 100:
        return year
    century = context.today.year - context.today.year % 100
    return century + year if century + year <= context.today.year + 10 else century + year - 100


def dated(context: Context, month: int, day: int, year: int | None) -> tuple[dt.date, dt.date | None]:
    """The date of that month and day, and the other candidate if no year is stated. Raises ``ValueError`` if there is none."""
    if year is not None:
        return dt.date(full_year(context, year), month, day), None
    today = context.today
    candidates = []
    for y in range(today.year - 8, today.year + 9):
        try:
            candidates.append(dt.date(y, month, day))
        except ValueError:
            continue
    past = max(d for d in candidates if d <= today)
    coming = min(d for d in candidates if d >= today)
    chosen, other = (coming, past) if context.direction() > 0 else (past, coming)
    context.note(
        f"no year is stated; the {'next' if chosen == coming else 'latest'} such date from {today} is {chosen}"
    )
    return chosen, other if other != chosen else None


@formula
def date(context: Context, slots: Slots, args: Args) -> Span | None:
    """A date by day and month, in the year that is stated or else in the one the tense asks for."""
    year = int(cast(int, slots["year"])) if "year" in slots else None
    chosen, other = dated(context, int(cast(int, slots["month"])), int(cast(int, slots["day"])), year)
    return Span(*day_span(chosen), "day", alternatives=(day_span(other),) if other is not None else ())


@formula
def year(context: Context, slots: Slots, args: Args) -> Span | None:
    """A calendar year by its number."""
    return Span(*bounds("year", dt.date(full_year(context, int(cast(int, slots["year"]))), 1, 1)), "year")
