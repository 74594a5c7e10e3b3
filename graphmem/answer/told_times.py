"""The time that a statement speaks of, and where it stands in time. Pure."""

from __future__ import annotations

from datetime import datetime

from graphmem.answer.plan import Plan
from graphmem.answer.statements import Statement
from graphmem.answer.words import alike, stem_set, words_of
from graphmem.records import Interval
from graphmem.temporal import Expression


def when_of(statement: Statement, plan: Plan | None = None) -> Interval | None:
    """The time that a statement speaks of: of its expressions that have a place, the one nearest to the question's words."""
    placed = [e for e in statement.times if e.interval is not None and e.interval.start is not None]
    if not placed and statement.then is not None:
        return statement.then.interval
    if len(placed) < 2 or plan is None:
        return _placed(statement, placed[0]) if placed else None
    wanted = {each for term in plan.terms for each in (*term.stems, *(a for one in term.stems for a in alike(one)))}
    words = [(word.start + statement.start, word.stem) for word in words_of(statement.text)]
    matched = [at for at, each in words if each in wanted]
    if not matched:
        return _placed(statement, placed[0])
    nearest = min(
        placed, key=lambda e: min(abs(e.start - at) + (40 if _between(statement, at, e.start) else 0) for at in matched)
    )
    return _placed(statement, nearest)


def _placed(statement: Statement, expression: Expression) -> Interval | None:
    """Where an expression lies; of a date that something was put off to, the reading nearest to when it was said, unless a policy chose."""
    if not statement.stems & stem_set("rescheduling") or not expression.alternatives or expression.policies:
        return expression.interval
    readings = [
        each for each in (expression.interval, *expression.alternatives) if each is not None and each.start is not None
    ]
    said = statement.said_at
    return min(readings, key=lambda each: abs((each.start or said) - said), default=expression.interval)


def _between(statement: Statement, one: int, other: int) -> bool:
    """Whether a mark that parts clauses stands between two places of a turn."""
    low, high = sorted((one, other))
    return any(mark in statement.hit.text[low:high] for mark in (",", ";", ":", "—", " and ", " but "))


def moment_of(statement: Statement, plan: Plan | None = None) -> datetime:
    """Where a statement stands in time: what it speaks of, else when it was said."""
    interval = when_of(statement, plan)
    return interval.start if interval is not None and interval.start is not None else statement.said_at
