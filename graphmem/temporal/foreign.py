"""Absolute dates in languages that the table does not read, by the ``dateparser`` library; this is the only file that imports it.

A day and the name of a month of another language must stand side by side. The expression carries the rule id ``dateparser`` and a low
confidence. Relative expressions of other languages are left alone: the library anchors some of them by habits of its own.
"""

from __future__ import annotations

import datetime as dt
import re
from functools import cache

from graphmem.temporal.expression import Granularity, Span
from graphmem.temporal.table import load
from graphmem.temporal.units import DAY, bounds, midnight, unit_start

RULE = "dateparser"
CONFIDENCE = 0.4


def foreign_dates(text: str, now: dt.datetime) -> list[tuple[int, int, Span]]:
    """Where such dates stand in the text and what they span, in naive local time. A year that is not stated is the latest that
    makes the date no later than ``now``."""
    if not any(c.isdigit() for c in text):
        return []
    found = []
    for match in _pattern().finditer(text):
        first = _parsed(
            match.group(), [code for code, months in _months().items() if match["month"].lower() in months], now
        )
        if first is None:
            continue
        granularity: Granularity = "day" if match["day"] is not None else "month"
        span = (
            (midnight(first), midnight(first + DAY))
            if granularity == "day"
            else bounds("month", unit_start("month", first))
        )
        found.append((match.start(), match.end(), Span(*span, granularity)))
    return found


@cache
def _months() -> dict[str, frozenset[str]]:
    return {code: frozenset(names.split("|")) for code, names in load().foreign["months"].items()}


@cache
def _pattern() -> re.Pattern[str]:
    foreign = load().foreign
    names = sorted({name for months in _months().values() for name in months}, key=len, reverse=True)
    day, year = rf"(?P<day>\d{{1,2}}){foreign['after_day']}", rf"{foreign['before_year']}\d{{4}}"
    month = f"(?P<month>{'|'.join(names)})"
    # Without a day, a month needs its year beside it.
    return re.compile(rf"(?<!\w)(?:{day})?{month}(?(day)(?:{year})?|{year})(?!\w)", re.IGNORECASE)


def _parsed(words: str, languages: list[str], now: dt.datetime) -> dt.date | None:
    # Imported here because it takes a while, and most conversations never need it.
    import dateparser

    moment = dateparser.parse(
        words,
        languages=languages,
        settings={
            "RELATIVE_BASE": now,
            "PREFER_DATES_FROM": "past",
            "PREFER_DAY_OF_MONTH": "first",
            "DATE_ORDER": "DMY",
        },
    )
    return None if moment is None else moment.date()
