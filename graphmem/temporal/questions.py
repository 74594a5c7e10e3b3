"""The time that a question asks about: an interval, or an event whose own time must be looked up first."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from graphmem.errors import QuestionError
from graphmem.records import Interval
from graphmem.temporal.expression import Expression
from graphmem.temporal.normaliser import normalise
from graphmem.temporal.policy import Policy
from graphmem.temporal.table import load

Relation = Literal["during", "before", "after", "since", "until", "between"]

VAGUE = 0.3
"""Expressions of this confidence or less (hints such as "just") do not filter a question."""


@dataclass(frozen=True, slots=True)
class QuestionTime:
    """The time constraint of a question.

    text, start, end: the words that state it, code points into the question.
    interval: the times asked for, where the words give them; a bound may be open ("before 2019"). Else ``None``, and
    event: the words of the event that must be looked up, second: those of the other one for *between*, relation: how what is asked for
        relates to the event. ``with_event`` makes the interval once the event's own is known.
    expression: what the normaliser found, if it found anything.
    """

    text: str
    start: int
    end: int
    relation: Relation
    interval: Interval | None
    event: str | None = None
    second: str | None = None
    expression: Expression | None = None


def question_filter(
    question: str, asked_at: dt.datetime, policy: Policy | Mapping[str, str | int] | None = None
) -> QuestionTime | None:
    """The time constraint of a question, or ``None`` if it has none ("Where does Ana live?", "When did she move?").

    ``asked_at`` is the time from which relative words are read, aware or naive local time. Where a date stands inside the words of an
    event ("after she moved in 2019") the event is what must be looked up, and the date comes along in ``expression``; a date beside
    the event comes first. Raises ``InputError`` as ``normalise`` does.
    """
    found = [e for e in normalise(question, asked_at, policy) if e.interval is not None and e.confidence > VAGUE]
    event = _event(question, found)
    outside = [e for e in found if event is None or e.end <= event.start or event.end <= e.start]
    if not outside:
        return event
    best = max(outside, key=lambda e: (e.confidence, -e.start))
    return QuestionTime(best.text, best.start, best.end, "during", best.interval, expression=best)


def _event(question: str, found: list[Expression]) -> QuestionTime | None:
    """The first event that the question's time hangs on; words that are a time expression are none."""
    matches = []
    for language in load().languages.values():
        for relation, pattern in language.question.items():
            for match in pattern.finditer(question):
                if not any(e.start <= match.start("event") and match.end("event") <= e.end for e in found):
                    matches.append((match.start(), relation, match))
    for _, relation, match in sorted(matches, key=lambda m: (m[0], -m[2].end())):
        words = match.groupdict()
        inside = [e for e in found if match.start() <= e.start and e.end <= match.end()]
        if any(e.start <= match.start() for e in inside):
            continue
        return QuestionTime(
            match.group().strip(), match.start(), match.end(), relation, None,  # type: ignore[arg-type]
            event=words["event"].strip(), second=(words.get("second") or "").strip() or None,
            expression=inside[0] if inside else None,
        )  # fmt: skip
    return None


def with_event(time: QuestionTime, event: Interval, second: Interval | None = None) -> Interval:
    """The interval that the question asks about, once its event has been looked up.

    *since* starts with the event and *after* when it is over; *until* ends with its end and *before* at its start. Raises
    ``QuestionError`` where nothing lies on the side asked for (before an event without a known start), or a second event is missing.
    """
    start, end = event.start, event.end
    if time.relation == "between":
        if second is None:
            raise QuestionError(f"{time.text!r} names two events; give the interval of {time.second!r} as well")
        start, end = (event.end, second.start)
    elif time.relation in ("before", "until"):
        start, end = None, event.start if time.relation == "before" else event.end
    elif time.relation in ("after", "since"):
        start, end = (event.end if time.relation == "after" else event.start), None
    if start is None and end is None:
        raise QuestionError(f"{time.text!r} cannot be placed: it is not known when {time.event!r} began or ended")
    if start is not None and end is not None and start >= end:
        raise QuestionError(f"{time.text!r} is empty: {time.second!r} does not come after {time.event!r}")
    return Interval(start, end, event.granularity, start is not None, end is not None)
