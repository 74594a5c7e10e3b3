"""Ages and stages of life, placed once somebody knows the birth date."""

from __future__ import annotations

import datetime as dt
import re

from graphmem.errors import InputError
from graphmem.records import Interval
from graphmem.temporal.algebra import instant_from_local
from graphmem.temporal.expression import Expression
from graphmem.temporal.units import DAY, add_months, midnight

_FORMULA = re.compile(r"(?:(FROM|UNTIL) )?(AGE|BIRTHDAY) (\d+)(?:/(\d+))?")


def resolve_with_birth(
    expression: Expression, birth: dt.date | tuple[dt.date, dt.date], zone: dt.tzinfo | None = None
) -> Interval | None:
    """The interval of an age or stage of life ("in my twenties", "when I was 18"), given the birth date.

    ``birth`` is a date, or the first and last possible date where only a month or year is known; the result then spans every
    possibility. Bounds are aware in ``zone``, or naive without one. ``None`` if the expression is no age. Raises ``InputError`` if the
    last possible date lies before the first.
    """
    match = None if expression.formula is None else _FORMULA.fullmatch(expression.formula)
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
    return Interval(
        start, end, "day" if what == "BIRTHDAY" else expression.granularity, start is not None, end is not None
    )
