"""The adapter that a scorer of time normalisers calls: pairs of bounds instead of expressions.

Recurrences, durations and what is unresolved have no interval and are left out. An open interval is a statement up to the moment of
speaking ("since 2016" says that it held from 2016 until now), so an open end is read as the end of the day of speaking where the
interval starts before that; an open start ("until Friday") is left out.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from graphmem.temporal import normalise as expressions


def normalise(text: str, said_at: dt.datetime) -> Iterator[tuple[dt.datetime, dt.datetime]]:
    """``(start, end)`` of each expression with an interval, half-open, in the kind of time that ``said_at`` is."""
    end_of_day = said_at.replace(hour=0, minute=0, second=0, microsecond=0) + dt.timedelta(days=1)
    for expression in expressions(text, said_at):
        interval = expression.interval
        if interval is None or interval.start is None:
            continue
        if interval.end is not None:
            yield interval.start, interval.end
        elif interval.start < end_of_day:
            yield interval.start, end_of_day
            if (
                expression.starts is not None
                and expression.starts.start is not None
                and expression.starts.end is not None
            ):
                yield expression.starts.start, expression.starts.end
