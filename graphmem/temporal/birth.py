"""Ages and stages of life, placed once somebody knows the birth date."""

from __future__ import annotations

import datetime as dt

from graphmem.errors import InputError
from graphmem.records import Interval
from graphmem.temporal.algebra import instant_from_local
from graphmem.temporal.expression import AGE
from graphmem.temporal.units import DAY, add_months, midnight


def resolve_with_birth(
    life_stage: str | None, birth: dt.date | tuple[dt.date, dt.date], zone: dt.tzinfo | None = None
) -> Interval | None:
    """The interval of an age or stage of life ("in my twenties", "when I was 18"), given the birth date.

    ``life_stage`` is the formula of the expression (``AGE 20/30``). ``birth`` is a date, or the first and last possible date where only a
    month or year is known; the result then spans every possibility. Bounds are aware in ``zone``, or naive without one. ``None`` if it is
    no age. Raises ``InputError`` if the last possible date lies before the first.
    """
    match = None if life_stage is None else AGE.fullmatch(life_stage)
    if match is None:
        return None
    first, last = birth if isinstance(birth, tuple) else (birth, birth)
    if last < first:
        raise InputError(
            f"a birth between {first.isoformat()} and {last.isoformat()}: the second date lies before the first"
        )
    side, what, low, high = match.groups()
    begins = midnight(add_months(first, 12 * int(low)))
    ends = (
        midnight(add_months(last, 12 * int(low)) + DAY)
        if what == "BIRTHDAY"
        else midnight(add_months(last, 12 * int(high)))
    )
    start = None if side == "UNTIL" else instant_from_local(begins, zone)
    end = None if side == "FROM" else instant_from_local(ends, zone)
    granularity = "day" if what == "BIRTHDAY" else "year" if int(high) - int(low) == 1 else "range"
    return Interval(start, end, granularity, start is not None, end is not None)
