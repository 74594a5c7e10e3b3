"""The records of the normaliser: what it returns, and the local span that a formula computes."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import Literal

from graphmem.records import Interval, TimeNote

Granularity = Literal[
    "instant", "minute", "hour", "part_of_day", "day", "weekend", "week", "month",
    "season", "quarter", "year", "decade", "century", "range",
]  # fmt: skip
AGE = re.compile(r"(?:(FROM|UNTIL) )?(AGE|BIRTHDAY) (\d+)(?:/(\d+))?")
"""An age, from and to (AGE 20/30), or a birthday, with what it bounds."""

Kind = Literal["date", "period", "open", "duration", "recurrence", "unresolved"]


@dataclass(frozen=True, slots=True)
class Expression:
    """A time expression found in a text, and what it means.

    text, start, end: the words and where they stand, ``text == whole[start:end]``, Unicode code points.
    kind: ``date`` one calendar unit or finer; ``period`` a span of several or of vague bounds; ``open`` a bound is not stated
        (since, until); ``duration`` a length without a place; ``recurrence`` a set; ``unresolved`` needs something that the
        text does not say, such as a birth date.
    interval: half-open, aware if the time of speaking was, else naive local time; ``None`` for durations, recurrences and
        what is unresolved. An open bound is ``None``.
    starts: for a state that goes on ("for three years now"), the interval in which it began; ``ends``
        likewise for one that stopped ("until March"); else ``None``.
    formula: machine-readable meaning where there is no interval: an ISO 8601 duration (``P3Y``), an RFC 5545 recurrence
        (``FREQ=WEEKLY;BYDAY=FR``), an age range (``AGE 20/30``).
    rule: id of the rule of ``rules.toml`` that made it. policies: the ``name=value`` readings that took part.
    confidence: between 0 and 1, from the rule. alternatives: other readings, the likelier first.
    """

    text: str
    start: int
    end: int
    kind: Kind
    interval: Interval | None
    granularity: Granularity
    rule: str
    confidence: float
    alternatives: tuple[Interval, ...] = ()
    starts: Interval | None = None
    ends: Interval | None = None
    formula: str | None = None
    policies: tuple[str, ...] = ()

    @property
    def life_stage(self) -> str | None:
        """The formula of an age or a stage of life; None for any other expression."""
        return self.formula if self.formula is not None and AGE.fullmatch(self.formula) else None

    def note(self) -> TimeNote:
        """What is stored of it with what it dates."""
        interval = self.interval
        return TimeNote(
            expression=self.text,
            rule=self.rule,
            policy=",".join(self.policies),
            granularity=self.granularity,
            confidence=self.confidence,
            start=None if interval is None else interval.start,
            end=None if interval is None else interval.end,
            alternatives=tuple((other.start, other.end) for other in self.alternatives),
            recurrence=self.formula if self.kind == "recurrence" else None,
            life_stage=self.life_stage,
        )


@dataclass(frozen=True, slots=True)
class Span:
    """What a formula computes: bounds in the speaker's naive local time. Instants are made from it last.

    certainty: a factor on the rule's confidence. utc_offset: minutes, where the words name a zone of their own ("5pm EST").
    """

    start: dt.datetime | None
    end: dt.datetime | None
    granularity: Granularity
    kind: Kind = "date"
    alternatives: tuple[tuple[dt.datetime | None, dt.datetime | None], ...] = ()
    starts: tuple[dt.datetime, dt.datetime] | None = None
    formula: str | None = None
    ends: tuple[dt.datetime, dt.datetime] | None = None
    certainty: float = 1.0
    utc_offset: int | None = None

    @property
    def first(self) -> dt.date | None:
        """The local date on which it starts."""
        return None if self.start is None else self.start.date()

    @property
    def last(self) -> dt.date | None:
        """The last local date that it touches."""
        return None if self.end is None else (self.end - dt.timedelta(microseconds=1)).date()
