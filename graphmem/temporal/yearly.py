"""Formulas for what comes round every year: seasons, quarters, fiscal years and holidays."""

from __future__ import annotations

import datetime as dt

from graphmem.temporal.around import holiday_weekend
from graphmem.temporal.context import Context
from graphmem.temporal.expression import Span
from graphmem.temporal.feasts import feast_dates
from graphmem.temporal.formulas import Args, Slots, amount, formula, whole
from graphmem.temporal.named import Bounds, chosen_span, full_year, pick, stated_year, which_of
from graphmem.temporal.units import DAY, add_months, bounds, midnight, season_bounds
from graphmem.temporal.unplaced import recurrence


@formula
def season(context: Context, slots: Slots, args: Args) -> Span | None:
    """A season: of a stated year, or the last, this or next one, or by tense. A winter is named after the year in which it starts."""
    name, place = str(slots["season"]), (context.choose("hemisphere"), context.choose("seasons"))
    if "year" in slots or "year_shift" in slots:
        number = stated_year(context, slots)
        chosen = season_bounds(name, number, *place)
        crosses = chosen[1].year > chosen[0].year and chosen[1].month > 1
        return chosen_span(context, "season", chosen, season_bounds(name, number - 1, *place) if crosses else None)
    candidates = [season_bounds(name, context.today.year + n, *place) for n in (-4, -3, -2, -1, 0, 1, 2)]
    which = which_of(slots, args)
    if which == "tense" and context.habit():
        return recurrence(context, slots, args)
    if args.get("steps") or "number" in slots:
        steps = round(amount(slots, {"number": args.get("steps", 1)})[0])
        over = [c for c in candidates if c[1] <= midnight(context.today)]
        return chosen_span(context, "season", over[-steps], None) if 0 < steps <= len(over) else None
    return chosen_span(context, "season", *pick(context, which, candidates))


@formula
def quarter(context: Context, slots: Slots, args: Args) -> Span | None:
    """The first to fourth quarter of a stated year, or of the year that the tense asks for; fiscal by its own policy."""
    number = whole(slots, "nth")
    if not 1 <= number <= 4:
        return None
    if "year" in slots or "year_shift" in slots:
        start = dt.date(stated_year(context, slots), 3 * number - 2, 1)
        if args.get("fiscal"):
            start = add_months(_fiscal_start(context, stated_year(context, slots)), 3 * number - 3)
        return Span(*bounds("quarter", start), "quarter")
    candidates = [bounds("quarter", dt.date(context.today.year + n, 3 * number - 2, 1)) for n in (-3, -2, -1, 0, 1, 2)]
    return chosen_span(context, "quarter", *pick(context, which_of(slots, args), candidates))


def _fiscal_start(context: Context, number: int) -> dt.date:
    first = context.days("fiscal_year_month")
    return dt.date(number - (first > 1), first, 1)


@formula
def fiscal_year(context: Context, slots: Slots, args: Args) -> Span | None:
    """A fiscal year, named after the calendar year in which it ends."""
    start = _fiscal_start(context, full_year(context, whole(slots, "year")))
    context.note(f"the fiscal year starts on {start}")
    return Span(midnight(start), midnight(add_months(start, 12)), "year")


@formula
def holiday(context: Context, slots: Slots, args: Args) -> Span | None:
    """A holiday, fixed or movable: of a stated year, or the last, this or next one, or by tense."""
    key, today = str(slots["holiday"]), context.today
    if "year" in slots or "year_shift" in slots:
        found = feast_dates(key, stated_year(context, slots), context)
        if not found:
            return None
        stated = chosen_span(context, "day" if found[0][1] == 1 else "range", _run(*found[0]), None)
        if "weekend" not in slots:
            return stated
        context.inner = (stated,)
        return holiday_weekend(context, slots, args)
    runs = sorted(_run(*f) for n in range(-4, 5) for f in feast_dates(key, today.year + n, context))
    if not runs:
        return None
    which = which_of(slots, args)
    if which == "tense" and context.habit():
        return recurrence(context, slots, args)
    chosen, other = pick(context, which, runs)
    return chosen_span(context, "day" if chosen[1] - chosen[0] == DAY else "range", chosen, other)


def _run(first: dt.date, days: int) -> Bounds:
    return midnight(first), midnight(first + DAY * days)


@formula
def that_season(context: Context, slots: Slots, args: Args) -> Span | None:
    """The season of the year of the expression before it (graduated in May 2018 … that fall)."""
    first = context.inner[0].first
    if first is None:
        return None
    place = (context.choose("hemisphere"), context.choose("seasons"))
    return chosen_span(context, "season", season_bounds(str(slots["season"]), first.year, *place), None)
