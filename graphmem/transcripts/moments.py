"""Dates and times as transcripts write them, with the zone rule: a stated offset is kept, a time without one is in the zone given. Pure.

Results carry a fixed offset, not a zone's rules: that is what a transcript states and what the graph keeps.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo

from graphmem.errors import TranscriptError

FIRST_YEAR, LAST_YEAR = 1000, 9990
"""The years that a turn may be said in. Python and Neo4j end with 9999, and what is told of a turn's time reaches beyond it on both sides
("in two years", the end of its day); a year before 1000 is a slip more often than a time, and is no four digits."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_DAY = r"(?<!\d)(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_DATES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?<!\d)(?P<year>\d{4})(?P<sep>[-/.])(?P<month>\d{1,2})(?P=sep)(?P<day>\d{1,2})(?!\d)",
        rf"{_DAY}(?:\s+of)?[\s-]+(?P<name>{_MONTH})\.?,?[\s-]+(?P<year>\d{{4}})(?!\d)",
        rf"\b(?P<name>{_MONTH})\.?\s+{_DAY},?\s+(?P<year>\d{{4}})(?!\d)",
        r"(?<!\d)(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>\d{4})(?!\d)",
    )
)
_AMBIGUOUS = re.compile(r"(?<!\d)\d{1,2}[/-]\d{1,2}[/-](?:\d{4}|\d{2})(?!\d)")
_HALF = r"(?P<half>[ap])\.?m\b\.?"
_TIMES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?<![\d:.])(?P<hour>\d{{1,2}}):(?P<minute>\d{{2}})(?::(?P<second>\d{{2}})(?:[.,](?P<fraction>\d{{1,9}}))?)?(?:\s*{_HALF})?(?![\d:])",
        rf"(?<![\d:.])(?P<hour>\d{{1,2}})\s*{_HALF}",
    )
)
_OFFSET = re.compile(
    r"\s*(?:(?P<utc>Z\b|(?:UTC|GMT)(?!\s?[+-]?\d))|(?:UTC|GMT)?\s?(?P<sign>[+-])(?P<hours>\d{1,2})(?::?(?P<minutes>\d{2}))?(?![\d:]))"
)
_WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?"
_FILLING = re.compile(rf"\b(?:{_WEEKDAY}|on|at|the|date|time|T)(?![^\W\d_])|[\s,;:()\[\]|·•–—-]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Written:
    """A date, a time of day, both or neither, as found in a text, and what is left of the text without them.

    ``error`` tells why what stands there is an impossible or ambiguous one; the values are then None.
    """

    day: date | None = None
    clock: time | None = None
    offset: timezone | None = None
    rest: str = ""
    error: str | None = None

    @property
    def is_all(self) -> bool:
        """Whether nothing else stands in the text but weekdays, "on", "at" and punctuation."""
        return not _FILLING.sub("", self.rest)


def moment(text: str, zone: tzinfo) -> datetime:
    """The moment that a whole text states: ISO 8601, or a form such as "1:56 pm on 8 May, 2023" or "2023/05/20 (Sat) 02:21".

    A date alone is its midnight.

    Raises:
        TranscriptError: it states none, an impossible one, or one that can be read in two ways.
    """
    try:
        read = datetime.fromisoformat(text.strip())
    except ValueError:
        written = find(text)
        if written.error is not None:
            raise TranscriptError(written.error) from None
        if written.day is None or not written.is_all:
            raise TranscriptError(
                f"{text[:80]!r} is no date and time; write it like 2023-05-08T13:56:00+02:00"
            ) from None
        read = datetime.combine(written.day, written.clock or time(), written.offset)
    return fixed(read, zone)


def fixed(read: datetime, zone: tzinfo) -> datetime:
    """With a fixed offset: its own or, without one, the zone's at that time.

    Raises:
        TranscriptError: too near the ends of the calendar to be computed with, or an offset that no place has.
    """
    within_reach(read)
    aware = read if read.tzinfo is not None else read.replace(tzinfo=zone)
    offset = aware.utcoffset() or timedelta()
    if abs(offset) >= timedelta(hours=18):
        raise TranscriptError(
            f"{read.isoformat()} has an offset that no place has; offsets lie between -12:00 and +14:00"
        )
    return aware.replace(tzinfo=timezone(offset) if offset else UTC, fold=0)


def within_reach(said_at: datetime) -> None:
    """Raises TranscriptError for a time too near the ends of the calendar to be computed with: see ``FIRST_YEAR`` and ``LAST_YEAR``."""
    if not FIRST_YEAR <= said_at.year <= LAST_YEAR:
        raise TranscriptError(
            f"{said_at.isoformat()} lies outside the years {FIRST_YEAR} to {LAST_YEAR} that can be computed with; correct the year"
        )


def find(text: str) -> Written:
    """The first date and the first time of day in a text; either may be missing."""
    day_match = _first(_DATES, text)
    ambiguous = _AMBIGUOUS.search(text) if day_match is None else None
    date_match = day_match or ambiguous
    rest = text if date_match is None else _without(text, date_match.start(), date_match.end())
    clock_match = _first(_TIMES, rest)
    offset_match = None if clock_match is None else _OFFSET.match(rest, clock_match.end())
    if clock_match is not None:
        rest = _without(rest, clock_match.start(), (offset_match or clock_match).end())
    if ambiguous is not None:
        message = f"{ambiguous[0]!r} can be read as day/month or month/day; write it like 2023-05-08"
        return Written(rest=rest, error=message)
    try:
        return Written(
            None if day_match is None else _day(day_match),
            None if clock_match is None else _clock(clock_match),
            None if offset_match is None else _offset(offset_match),
            rest,
        )
    except TranscriptError as exc:
        return Written(rest=rest, error=str(exc))


def _first(patterns: tuple[re.Pattern[str], ...], text: str) -> re.Match[str] | None:
    found = [match for pattern in patterns if (match := pattern.search(text))]
    return min(found, key=lambda match: match.start(), default=None)


def _without(text: str, start: int, end: int) -> str:
    return f"{text[:start]} {text[end:]}"


def _day(match: re.Match[str]) -> date:
    parts = match.groupdict()
    month = int(parts["month"]) if parts.get("month") else _MONTHS.index(parts["name"][:3].lower()) + 1
    try:
        return date(int(parts["year"]), month, int(parts["day"]))
    except ValueError as exc:
        raise TranscriptError(f"{match[0]!r} is an impossible date: {exc}") from exc


def _clock(match: re.Match[str]) -> time:
    parts = match.groupdict()
    hour, half = int(parts["hour"]), (parts.get("half") or "").lower()
    if half and (hour == 0 or (half == "a" and hour > 12)):
        raise TranscriptError(f"{match[0]!r} is an impossible time of day: hours go from 1 to 12 before am")
    if half and hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    micro = int((parts.get("fraction") or "0")[:6].ljust(6, "0"))
    try:
        return time(hour, int(parts.get("minute") or 0), int(parts.get("second") or 0), micro)
    except ValueError as exc:
        raise TranscriptError(f"{match[0]!r} is an impossible time of day: {exc}") from exc


def _offset(match: re.Match[str]) -> timezone:
    if match["utc"]:
        return UTC
    span = timedelta(hours=int(match["hours"]), minutes=int(match["minutes"] or 0))
    if span >= timedelta(hours=18):
        raise TranscriptError(
            f"{match[0].strip()!r} is an offset that no place has; offsets lie between -12:00 and +14:00"
        )
    return timezone(-span if match["sign"] == "-" else span)
