"""Dates and times as transcripts write them, with the zone rule: a stated offset is kept, a time without one is in the zone given. Pure.

Results carry a fixed offset, not a zone's rules: that is what a transcript states and what the graph keeps.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo

from graphmem.errors import TranscriptError

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_ORDINAL = r"(?:st|nd|rd|th)?"
_DATES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?<!\d)(?P<year>\d{4})(?P<sep>[-/.])(?P<month>\d{1,2})(?P=sep)(?P<day>\d{1,2})(?!\d)",
        rf"(?<!\d)(?P<day>\d{{1,2}}){_ORDINAL}(?:\s+of)?[\s-]+(?P<name>{_MONTH})\.?,?[\s-]+(?P<year>\d{{4}})(?!\d)",
        rf"\b(?P<name>{_MONTH})\.?\s+(?P<day>\d{{1,2}}){_ORDINAL},?\s+(?P<year>\d{{4}})(?!\d)",
        r"(?<!\d)(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>\d{4})(?!\d)",
    )
)
_AMBIGUOUS = re.compile(r"(?<!\d)\d{1,2}[/-]\d{1,2}[/-](?:\d{4}|\d{2})(?!\d)")
_TIME = re.compile(
    r"(?<![\d:])(?:(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,](?P<fraction>\d{1,9}))?)?(?:\s*(?P<half>[ap])\.?m\b\.?)?"
    r"|(?P<bare>\d{1,2})\s*(?P<bare_half>[ap])\.?m\b\.?)(?![\d:])",
    re.IGNORECASE,
)
_OFFSET = re.compile(
    r"\s*(?:(?P<utc>Z\b|(?:UTC|GMT)(?![+-]?\d))|(?:UTC|GMT)?\s?(?P<sign>[+-])(?P<hours>\d{1,2})(?::?(?P<minutes>\d{2}))?(?![\d:]))"
)
_WEEKDAY = r"(?:mon|tue(?:s)?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?"
_FILLING = re.compile(rf"\b(?:{_WEEKDAY}|on|at|the|T)(?![^\W\d_])|[\s,;()\[\]|·•–—-]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Written:
    """A date, a time of day, or both, as found in a text. ``rest`` is the text without them; ``offset`` None where none is stated."""

    day: date | None
    clock: time | None
    offset: timezone | None
    rest: str

    def on(self, day: date, zone: tzinfo) -> datetime:
        """The moment, on this day where no day is written, at midnight where no time is."""
        return fixed(datetime.combine(self.day or day, self.clock or time()), self.offset or zone)


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
        if written.day is None or _FILLING.sub("", written.rest):
            raise TranscriptError(
                f"{text[:80]!r} is no date and time; write it like 2023-05-08T13:56:00+02:00"
            ) from None
        return written.on(written.day, zone)
    return fixed(read, zone)


def fixed(read: datetime, zone: tzinfo) -> datetime:
    """With a fixed offset: its own or, without one, the zone's at that time.

    Raises:
        TranscriptError: too near the ends of the calendar to have an instant in UTC, or an offset that no place has.
    """
    try:
        aware = read if read.tzinfo is not None else read.replace(tzinfo=zone)
        offset = aware.utcoffset() or timedelta()
        aware.astimezone(UTC)
    except OverflowError as exc:
        raise TranscriptError(f"{read.isoformat()} lies outside the calendar once it is turned into UTC") from exc
    if abs(offset) >= timedelta(hours=18):
        raise TranscriptError(
            f"{read.isoformat()} has an offset that no place has; offsets lie between -12:00 and +14:00"
        )
    return aware.replace(tzinfo=timezone(offset) if offset else UTC, fold=0)


def find(text: str) -> Written:
    """The first date and time of day in a text; either may be missing.

    Raises:
        TranscriptError: what looks like a date or time is an impossible or an ambiguous one.
    """
    day, rest = _find_day(text)
    clock, offset, rest = _find_clock(rest)
    return Written(day, clock, offset, rest)


def looks_dated(text: str) -> bool:
    """Whether a date stands in the text, possible or not."""
    return any(pattern.search(text) for pattern in (*_DATES, _AMBIGUOUS))


def is_filling(text: str) -> bool:
    """Whether a text holds nothing but what may stand about a date: weekdays, "on", "at", punctuation."""
    return not _FILLING.sub("", text)


def _find_day(text: str) -> tuple[date | None, str]:
    found = [match for pattern in _DATES if (match := pattern.search(text))]
    if not found:
        if ambiguous := _AMBIGUOUS.search(text):
            raise TranscriptError(f"{ambiguous[0]!r} can be read as day/month or month/day; write it like 2023-05-08")
        return None, text
    match = min(found, key=lambda match: match.start())
    parts = match.groupdict()
    month = int(parts["month"]) if parts.get("month") else _MONTHS.index(parts["name"][:3].lower()) + 1
    try:
        day = date(int(parts["year"]), month, int(parts["day"]))
    except ValueError as exc:
        raise TranscriptError(f"{match[0]!r} is an impossible date: {exc}") from exc
    return day, f"{text[: match.start()]} {text[match.end() :]}"


def _find_clock(text: str) -> tuple[time | None, timezone | None, str]:
    match = _TIME.search(text)
    if match is None:
        return None, None, text
    hour = int(match["hour"] or match["bare"])
    half = (match["half"] or match["bare_half"] or "").lower()
    if half:
        if (half == "a" and hour > 12) or hour == 0:
            raise TranscriptError(f"{match[0]!r} is an impossible time of day")
        hour = hour % 12 + (12 if half == "p" else 0) if hour <= 12 else hour
    fraction = int((match["fraction"] or "0")[:6].ljust(6, "0"))
    try:
        clock = time(hour, int(match["minute"] or 0), int(match["second"] or 0), fraction)
    except ValueError as exc:
        raise TranscriptError(f"{match[0]!r} is an impossible time of day: {exc}") from exc
    end = match.end()
    offset = _OFFSET.match(text, end)
    if offset is None:
        return clock, None, f"{text[: match.start()]} {text[end:]}"
    return clock, _offset(offset), f"{text[: match.start()]} {text[offset.end() :]}"


def _offset(match: re.Match[str]) -> timezone:
    if match["utc"]:
        return UTC
    span = timedelta(hours=int(match["hours"]), minutes=int(match["minutes"] or 0))
    if span >= timedelta(hours=18):
        raise TranscriptError(
            f"{match[0].strip()!r} is an offset that no place has; offsets lie between -12:00 and +14:00"
        )
    return timezone(-span if match["sign"] == "-" else span)
