"""From a text and the time it was said to the time expressions in it.

Three passes. First every rule that the words of the text call up is matched, and of what overlaps the longest stays. Then the rules that
wrap an expression ("two days after …", "early …", "since …") grow what was found, innermost first. Last, instants are made from
local times, in the speaker's zone.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from graphmem.errors import InputError
from graphmem.records import Interval
from graphmem.temporal import named  # noqa: F401  registers its formulas
from graphmem.temporal.algebra import instant_from_local
from graphmem.temporal.context import Context
from graphmem.temporal.expression import Expression, Span
from graphmem.temporal.formulas import FORMULAS
from graphmem.temporal.policy import Policy
from graphmem.temporal.table import Rule, Table, Value, load

_PLAIN = str.maketrans({"’": "'", "‘": "'", "–": "-", "—": "-", "‑": "-", "\u00a0": " ", "\u202f": " "})
DEFAULT = Policy()


@dataclass(slots=True)
class Found:
    """An expression on its way: where it stands, what it spans, which rules made it."""

    start: int
    end: int
    span: Span
    rule: Rule
    confidence: float
    policies: dict[str, str | int]
    trace: list[str]


def normalise(
    text: str, said_at: dt.datetime, policy: Policy | Mapping[str, str | int] | None = None
) -> tuple[Expression, ...]:
    """The time expressions of a text, in order.

    ``said_at`` is the time of speaking: an aware datetime in the speaker's zone (or with the speaker's offset), or naive local
    time; intervals come back in the same kind. Nothing is ever anchored at the clock of the machine. ``policy`` is a ``Policy``, or
    a mapping of the names to override. Offsets count Unicode code points. Raises ``InputError`` if ``text`` is no string or
    ``said_at`` no datetime, and ``ConfigurationError`` for an unknown policy.
    """
    return tuple(express(found, text, said_at.tzinfo) for found in find(text, said_at, policy, traced=False))


def find(
    text: str, said_at: dt.datetime, policy: Policy | Mapping[str, str | int] | None, *, traced: bool
) -> list[Found]:
    """The work of ``normalise``, before instants are made; ``traced`` keeps the steps of the arithmetic."""
    if not isinstance(text, str):
        raise InputError(f"the text to find times in must be a string, not {type(text).__name__}")
    if not isinstance(said_at, dt.datetime):
        raise InputError(f"said_at must be a datetime, the time of speaking; it is {said_at!r}")
    chosen = DEFAULT if policy is None else policy if isinstance(policy, Policy) else DEFAULT.override(policy)
    plain = text.translate(_PLAIN)
    table = load()
    rules = table.candidates(plain.lower())
    if not rules:
        return []
    search = _Search(plain, said_at.replace(tzinfo=None), chosen, table, traced)
    return search.run(rules)


class _Search:
    """One text. Holds what all passes share."""

    def __init__(self, text: str, now: dt.datetime, policy: Policy, table: Table, traced: bool) -> None:
        self.text, self.now, self.policy, self.table, self.traced = text, now, policy, table, traced

    def run(self, rules: list[Rule]) -> list[Found]:
        found = self.first_pass([r for r in rules if r.pattern is not None])
        return found

    def first_pass(self, rules: list[Rule]) -> list[Found]:
        matches = [
            (match.start(), match.end(), rule, match)
            for rule in rules
            for match in cast(re.Pattern[str], rule.pattern).finditer(self.text)
        ]
        matches.sort(key=lambda m: (m[0] - m[1], m[0], m[2].order))
        kept: list[Found] = []
        for start, end, rule, match in matches:
            if any(start < other.end and other.start < end for other in kept):
                continue
            made = self.evaluate(rule, start, end, self.values(rule, match))
            if made is not None:
                kept.append(made)
        return sorted(kept, key=lambda f: f.start)

    def values(self, rule: Rule, *matches: re.Match[str]) -> dict[str, Value]:
        language = self.table.languages[rule.language]
        return {
            name: language.value(rule.slots[name], word)
            for match in matches
            for name, word in match.groupdict().items()
            if word is not None
        }

    def evaluate(
        self, rule: Rule, start: int, end: int, slots: dict[str, Value], inner: tuple[Found, ...] = ()
    ) -> Found | None:
        """Applies the rule's formula; ``None`` if it declines, or if no calendar has such a date."""
        context = Context(
            self.text, self.now, self.policy, self.table.languages[rule.language], start, end,
            inner=tuple(f.span for f in inner), trace=[] if self.traced else None,
        )  # fmt: skip
        try:
            span = FORMULAS[rule.formula](context, slots, rule.args)
        except (ValueError, OverflowError):
            return None
        if span is None or (span.start is not None and span.end is not None and span.start >= span.end):
            return None
        confidence, used, trace = rule.confidence, context.used, context.trace or []
        for other in inner:
            confidence, used, trace = min(confidence, other.confidence), {**other.policies, **used}, other.trace + trace
        return Found(start, end, span, rule, confidence * span.certainty, used, trace)


def express(found: Found, text: str, zone: dt.tzinfo | None) -> Expression:
    """The record of what was found, with instants made in the speaker's zone."""
    span = found.span

    def made(start: dt.datetime | None, end: dt.datetime | None, granularity: str) -> Interval:
        return Interval(
            None if start is None else instant_from_local(start, zone),
            None if end is None else instant_from_local(end, zone),
            granularity,
            start is not None,
            end is not None,
        )

    resolved = span.start is not None or span.end is not None
    return Expression(
        text=text[found.start : found.end],
        start=found.start,
        end=found.end,
        kind=span.kind,
        interval=made(span.start, span.end, span.granularity) if resolved else None,
        granularity=span.granularity,
        rule=found.rule.id,
        confidence=round(found.confidence, 3),
        alternatives=tuple(made(a, b, span.granularity) for a, b in span.alternatives),
        starts=None if span.starts is None else made(*span.starts, span.granularity),
        formula=span.formula,
        policies=tuple(f"{name}={value}" for name, value in found.policies.items()),
    )
