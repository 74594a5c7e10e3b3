"""How a date was found: the words, the rule, the policies, the arithmetic step by step."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from graphmem.records import Interval
from graphmem.temporal.expression import Expression
from graphmem.temporal.foreign import RULE
from graphmem.temporal.normaliser import express, find
from graphmem.temporal.policy import Policy


@dataclass(frozen=True, slots=True)
class Explanation:
    """An expression and the way to it.

    anchor: what the arithmetic starts from, in words. formula: name of the arithmetic operation. steps: the arithmetic in order, the
    last one the interval in the speaker's own time.
    """

    expression: Expression
    said_at: dt.datetime
    anchor: str
    formula: str
    steps: tuple[str, ...]


def explain(
    text: str, said_at: dt.datetime, policy: Policy | Mapping[str, str | int] | None = None
) -> tuple[Explanation, ...]:
    """What ``normalise`` finds in the text, each expression with how it was found. Takes and raises the same."""
    explanations = []
    for found in find(text, said_at, policy, traced=True):
        expression = express(found, text, said_at.tzinfo)
        rule = found.rule
        if rule is None:
            anchor, formula = "nothing: an absolute date", RULE
        else:
            anchor = {
                "said": f"the time of speaking, {said_at.isoformat()}",
                "previous": "the expression before it",
            }[rule.anchor]
            if rule.wraps:
                anchor = "the expression that it wraps"
            formula = rule.formula
        steps = (*found.trace, _result(expression))
        explanations.append(Explanation(expression, said_at, anchor, formula, steps))
    return tuple(explanations)


def _result(expression: Expression) -> str:
    if expression.interval is None:
        return f"no interval: {expression.kind} {expression.formula or ''}".rstrip()
    return f"{written(expression.interval)}, to the {expression.granularity}"


def written(interval: Interval) -> str:
    """An interval in ISO 8601, half-open, with ``..`` for an open bound."""
    start, end = (".." if bound is None else bound.isoformat() for bound in (interval.start, interval.end))
    return f"[{start}, {end})"
