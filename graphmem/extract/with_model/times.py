"""When: the rule table reads the words. The model's own reading counts only where the table has none, and is kept where they differ."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from graphmem.extract.grounding import locate
from graphmem.records import Interval, Quote, TimeNote, Turn
from graphmem.temporal import Expression, Policy, normalise

RULE = "model"
"""The rule of an interval that a model read and no rule of the table does."""

DIFFERS = "model_reads=differently"
"""Among the policies of a note: the model read the same words otherwise; its interval is among the alternatives."""

_ISO = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d{2})(?:-(?P<day>\d{2})(?:[T ](?P<hour>\d{2}):(?P<minute>\d{2})\S*)?)?)?"
)


@dataclass(frozen=True, slots=True)
class ReadTime:
    """What the words of a time mean: the note, the interval as a period, and the beginning of a state that goes on ("for three years").

    ``differs`` is True where the model reads the words otherwise than the table.
    """

    note: TimeNote
    interval: Interval | None
    since: Interval | None = None
    until: bool = False
    differs: bool = False


def read_time(
    expression: str | None, start: str | None, end: str | None, turn: Turn, quote: Quote, policy: Policy | None = None
) -> ReadTime | None:
    """The time of a statement, from the words that say when and the model's own interval; None where neither says anything."""
    own = own_interval(start, end, turn.said_at)
    known = _known_to_table(expression, turn, quote, policy) if expression and expression.strip() else None
    if known is not None and (known.interval is not None or known.kind == "recurrence"):
        return _by_table(known, own)
    if own is None:
        return None if known is None else _by_table(known, None)
    words = known.text if known is not None else (expression or "").strip()
    note = TimeNote(words, RULE, "", own.granularity, 0.5 if words else 0.4, own.start, own.end)
    return ReadTime(note, own)


def own_interval(start: str | None, end: str | None, said_at: datetime) -> Interval | None:
    """The interval that a model wrote, in the speaker's own zone; None where it wrote none or nothing that is one.

    A start alone stays open. A bound as a month or a year ("2023-05") is the beginning of it.
    """
    first, last = _moment(start, said_at), _moment(end, said_at)
    if first is None and last is None:
        return None
    if first is not None and last is not None and last[0] <= first[0]:
        last = (first[0] + timedelta(days=1), "day") if last[0] == first[0] else None
        if last is None:
            return None
    unit = _unit(first, last)
    return Interval(
        None if first is None else first[0],
        None if last is None else last[0],
        unit,
        first is not None,
        last is not None,
    )


def _by_table(known: Expression, own: Interval | None) -> ReadTime:
    note = known.note()
    differs = own is not None and known.interval is not None and not agree(known.interval, own)
    if own is not None and (differs or known.interval is None):
        note = _with_other(note, own, differs)
    words = known.text.lower()
    since = known.starts
    if since is None and known.kind == "open" and known.interval is not None and known.interval.end is None:
        since = known.interval
    return ReadTime(note, known.interval, since, words.startswith(("until", "till", "til ")), differs)


def _with_other(note: TimeNote, own: Interval, differs: bool) -> TimeNote:
    policy = ",".join(part for part in (note.policy, DIFFERS if differs else "") if part)
    return TimeNote(
        note.expression,
        note.rule,
        policy,
        note.granularity,
        round(note.confidence * (0.8 if differs else 1.0), 3),
        note.start,
        note.end,
        tuple(dict.fromkeys((*note.alternatives, (own.start, own.end)))),
        note.recurrence,
        note.life_stage,
    )


def agree(table: Interval, own: Interval) -> bool:
    """Whether a model's reading lies within the table's, to the day: a finer reading of vague words contradicts nothing."""
    for one, other in ((table.start, own.start), (own.end, table.end)):
        if one is not None and other is not None and one.date() > other.date():
            # Models often give the last day as the end instead of the day after; then the end is no later than it should be.
            return False
    bounds = (table.start, table.end, own.start, own.end)
    return None in bounds or (own.start < table.end and table.start < own.end)  # type: ignore[operator]


def _known_to_table(expression: str, turn: Turn, quote: Quote, policy: Policy | None) -> Expression | None:
    """What the table finds at the words that say when: read in their turn, so that tense and neighbours count, the nearest to the quotation
    first; else read alone, where the model put them in other words than the turn."""
    found = normalise(turn.text, turn.said_at, policy)
    span = locate(expression, turn.text[quote.start : quote.end])
    place = None if span is None else (span[0] + quote.start, span[1] + quote.start)
    place = place or locate(expression, turn.text)
    if place is not None:
        inside = [each for each in found if each.start < place[1] and place[0] < each.end]
        return max(inside, key=lambda each: min(each.end, place[1]) - max(each.start, place[0]), default=None)
    alone = normalise(expression, turn.said_at, policy)
    return alone[0] if len(alone) == 1 else None


def _moment(written: str | None, said_at: datetime) -> tuple[datetime, str] | None:
    match = _ISO.fullmatch((written or "").strip())
    if match is None:
        return None
    parts = {name: int(value) for name, value in match.groupdict().items() if value is not None}
    unit = "minute" if "hour" in parts else "day" if "day" in parts else "month" if "month" in parts else "year"
    try:
        moment = datetime(**({"month": 1, "day": 1} | parts), tzinfo=said_at.tzinfo)
    except ValueError:
        return None
    return moment, unit


def _unit(first: tuple[datetime, str] | None, last: tuple[datetime, str] | None) -> str:
    """The unit that an interval is, by its length where it has one, else as its bound was written."""
    if first is None or last is None:
        given = first or last
        assert given is not None
        return given[1]
    if "minute" in (first[1], last[1]):
        return "minute" if last[0] - first[0] < timedelta(hours=1) else "hour"
    days = (last[0] - first[0]).days
    for most, unit in ((1, "day"), (7, "week"), (31, "month"), (366, "year")):
        if days <= most and (unit != "week" or days == 7):
            if unit == "month" and days < 28:
                return "range"
            if unit == "year" and days < 365:
                return "range"
            return unit
    return "range"
