"""The adapter that a scorer of time normalisers calls: pairs of bounds instead of expressions.

Open intervals, durations, recurrences and what is unresolved are left out. Where an expression says when a state began ("since 2016",
"for three years now"), that interval is given: it is closed, and it is what the words say about *when*. No other reading is ever given.

The rules are compiled when this module is imported; a rate over some hundred turns would otherwise measure the compiler.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from graphmem.temporal import normalise as expressions
from graphmem.temporal.table import load

for _rule in load().rules:
    _ = (_rule.pattern, _rule.before, _rule.after, _rule.between)


def normalise(text: str, said_at: dt.datetime) -> Iterator[tuple[dt.datetime, dt.datetime]]:
    """``(start, end)`` of each expression that has both, half-open, in the kind of time that ``said_at`` is."""
    for expression in expressions(text, said_at):
        interval = expression.interval if expression.starts is None else expression.starts
        if interval is not None and interval.start is not None and interval.end is not None:
            yield interval.start, interval.end
