"""From a text and the time it was said to the time expressions in it.

Three passes. First every rule that the words of the text call up is matched, and of what overlaps the longest stays. Then the rules that
wrap an expression ("two days after …", "early …", "since …") grow what was found, innermost first. Last, instants are made from
local times, in the speaker's zone.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import cast

from graphmem.errors import InputError
from graphmem.records import Interval
from graphmem.temporal import clock, named, unplaced, yearly  # noqa: F401  each adds its formulas to the set
from graphmem.temporal.algebra import instant_from_local
from graphmem.temporal.around import unresolved_beside
from graphmem.temporal.context import Context
from graphmem.temporal.expression import Expression, Span
from graphmem.temporal.foreign import CONFIDENCE, RULE, foreign_dates
from graphmem.temporal.formulas import FORMULAS
from graphmem.temporal.policy import Policy
from graphmem.temporal.table import Rule, Table, Value, load

_PLAIN = str.maketrans({"’": "'", "‘": "'", "–": "-", "—": "-", "‑": "-", "\u00a0": " ", "\u202f": " "})
DEFAULT = Policy()
REACH = 60
"""How many characters before an expression a wrapper may start."""


@dataclass(slots=True)
class Found:
    """An expression on its way: where it stands, what it spans, which rules made it."""

    start: int
    end: int
    span: Span
    rule: Rule | None
    confidence: float
    policies: dict[str, str | int]
    trace: list[str]

    def made_by(self, *, wrapping: bool = False, anchored: bool = False, weak: bool = False) -> bool:
        """Whether its rule is of one of these sorts; what dateparser found is of none."""
        rule = self.rule
        return rule is not None and (
            (wrapping and rule.wraps) or (anchored and rule.anchor != "said") or (weak and rule.weak)
        )


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
    now = said_at.replace(tzinfo=None)
    rules = table.candidates(plain.lower())
    found = _Search(plain, now, chosen, table, traced).run(rules) if rules else []
    if found:
        return found
    note = ["no rule of the table matches; read by dateparser as an absolute date of another language"]
    return [Found(start, end, span, None, CONFIDENCE, {}, note) for start, end, span in foreign_dates(plain, now)]


class _Search:
    """One text. Holds what all passes share."""

    def __init__(self, text: str, now: dt.datetime, policy: Policy, table: Table, traced: bool) -> None:
        self.text, self.now, self.policy, self.table, self.traced = text, now, policy, table, traced

    def run(self, rules: list[Rule]) -> list[Found]:
        plain = [r for r in rules if not r.wraps]
        found = self.matched([r for r in plain if r.anchor == "said" and not r.alone])
        wrappers = [r for r in rules if r.wraps]
        if found and wrappers:
            for stage in sorted({r.stage for r in wrappers}):
                found = self.wrapped(found, [r for r in wrappers if r.stage == stage])
        found = [f for f in found if not f.made_by(weak=True)]
        found = self.chained(found, [r for r in plain if r.anchor == "previous"])
        return self.alone(found, [r for r in plain if r.alone])

    # First pass -----------------------------------------------------------------------------------------------------------------

    def matches(self, rules: list[Rule]) -> list[tuple[int, int, int, Rule, re.Match[str]]]:
        """Every match of the rules, the longest expression first, and of equally long ones the one with more context: the length of
        that, then the bounds of the expression itself."""
        found = []
        for rule in rules:
            for match in cast(re.Pattern[str], rule.pattern).finditer(self.text):
                start, end = match.span("span" if "span" in match.re.groupindex else 0)
                found.append((match.end() - match.start(), start, end, rule, match))
        found.sort(key=lambda m: (m[1] - m[2], -m[0], m[1], m[3].order))
        return found

    def matched(self, rules: list[Rule]) -> list[Found]:
        kept: list[Found] = []
        for _, start, end, rule, match in self.matches(rules):
            if all(end <= other.start or other.end <= start for other in kept):
                made = self.evaluate(rule, start, end, self.values(rule, match))
                if made is not None:
                    kept.append(made)
        return sorted(kept, key=lambda f: f.start)

    # Second pass ----------------------------------------------------------------------------------------------------------------

    def wrapped(self, found: list[Found], rules: list[Rule]) -> list[Found]:
        """Grows expressions by the rules of one stage, the longest first, until nothing grows any more."""
        for _ in range(4):
            grown = False
            candidates = [c for rule in rules for c in self.around(found, rule)]
            candidates.sort(key=lambda c: (c[0] - c[1], c[2].order))
            for start, end, rule, inner, slots in candidates:
                if any(f not in found for f in inner):
                    continue
                made = self.evaluate(rule, start, end, slots, inner)
                if made is not None:
                    found = sorted(
                        [f for f in found if f.end <= start or end <= f.start] + [made], key=lambda f: f.start
                    )
                    grown = True
            if not grown:
                break
        return found

    def around(
        self, found: list[Found], rule: Rule
    ) -> Iterator[tuple[int, int, Rule, tuple[Found, ...], dict[str, Value]]]:
        """Where a wrapping rule fits: bounds, the rule, what it wraps, and what its slots matched."""
        for i, first in enumerate(found):
            last = first
            parts: tuple[Found, ...] = (first,)
            matches: list[re.Match[str]] = []
            if rule.between is not None:
                if i + 1 == len(found):
                    break
                last = found[i + 1]
                parts = (first, last)
                joint = rule.between.fullmatch(self.text, first.end, last.start)
                if joint is None:
                    continue
                matches.append(joint)
            if rule.of and not all(f.span.granularity in rule.of or f.span.kind in rule.of for f in parts):
                continue
            start, end = first.start, last.end
            if rule.before is not None:
                lead = rule.before.search(self.text, max(0, start - REACH), start)
                if lead is None:
                    continue
                matches.append(lead)
                start = lead.start("span") if "span" in rule.before.groupindex else lead.start()
            if rule.after is not None:
                tail = rule.after.match(self.text, end)
                if tail is None:
                    continue
                matches.append(tail)
                end = tail.end()
            yield start, end, rule, parts, self.values(rule, *matches)

    # What leans on the rest ---------------------------------------------------------------------------------------------------------

    def chained(self, found: list[Found], rules: list[Rule]) -> list[Found]:
        """Adds expressions that are anchored at the one before them ("the next day"), unresolved where there is none."""
        for _, start, end, rule, match in sorted(self.matches(rules), key=lambda m: (m[1], -m[0])):
            covered = [f for f in found if start < f.end and f.start < end]
            if any(f.made_by(wrapping=True, anchored=True) or f.start < start or end < f.end for f in covered):
                continue
            found = [f for f in found if f not in covered]
            earlier = [f for f in found if f.end <= start and f.span.start is not None and f.span.end is not None]
            slots = self.values(rule, match)
            made = self.evaluate(rule, start, end, slots, (earlier[-1],)) if earlier else None
            if made is None:
                context = self.context(rule, start, end)
                made = Found(start, end, unresolved_beside(context, slots, rule.args), rule, 0.3, {}, [])
            found = sorted([*found, made], key=lambda f: f.start)
        return found

    def alone(self, found: list[Found], rules: list[Rule]) -> list[Found]:
        """Adds the weakest hints, each only where its sentence, or the whole turn, has no other expression."""
        for _, start, end, rule, match in self.matches(rules):
            begins, ends = (
                self.context(rule, start, end).sentence() if rule.alone == "sentence" else (0, len(self.text))
            )
            if all(f.end <= begins or ends <= f.start for f in found):
                made = self.evaluate(rule, start, end, self.values(rule, match))
                if made is not None:
                    found = sorted([*found, made], key=lambda f: f.start)
        return found

    # One rule -------------------------------------------------------------------------------------------------------------------

    def values(self, rule: Rule, *matches: re.Match[str]) -> dict[str, Value]:
        language = self.table.languages[rule.language]
        return {name: value for match in matches for name, value in rule.values(match, language).items()}

    def context(self, rule: Rule, start: int, end: int) -> Context:
        trace: list[str] | None = [] if self.traced else None
        return Context(self.text, self.now, self.policy, self.table.languages[rule.language], start, end, trace=trace)

    def evaluate(
        self, rule: Rule, start: int, end: int, slots: dict[str, Value], inner: tuple[Found, ...] = ()
    ) -> Found | None:
        """Applies the rule's formula; ``None`` if it declines, or if no calendar has such a date."""
        context = self.context(rule, start, end)
        span = self.applied(rule, context, slots, tuple(f.span for f in inner))
        if span is None:
            return None
        confidence, used, trace = rule.confidence, context.used, context.trace or []
        for other in inner:
            confidence, used, trace = min(confidence, other.confidence), {**other.policies, **used}, other.trace + trace
        if len(inner) == 1 and span is not inner[0].span and inner[0].span.alternatives and not span.alternatives:
            span = replace(span, alternatives=self.other_readings(rule, slots, inner[0].span, start, end))
        return Found(start, end, span, rule, confidence * span.certainty, used, trace)

    def applied(self, rule: Rule, context: Context, slots: dict[str, Value], inner: tuple[Span, ...]) -> Span | None:
        context.inner = inner
        try:
            span = FORMULAS[rule.formula](context, slots, rule.args)
        except (ValueError, OverflowError):
            return None
        if span is not None and span.start is not None and span.end is not None and span.start >= span.end:
            return None
        return span

    def other_readings(
        self, rule: Rule, slots: dict[str, Value], inner: Span, start: int, end: int
    ) -> tuple[tuple[dt.datetime | None, dt.datetime | None], ...]:
        """What the rule makes of the other readings of what it wraps."""
        readings = []
        for bounds in inner.alternatives:
            other = replace(inner, start=bounds[0], end=bounds[1], alternatives=())
            context = self.context(rule, start, end)
            made = self.applied(rule, context, slots, (other,))
            if made is not None:
                readings.append((made.start, made.end))
        return tuple(readings)


def express(found: Found, text: str, zone: dt.tzinfo | None) -> Expression:
    """The record of what was found, with instants made in the speaker's zone."""
    span = found.span

    def instant(local: dt.datetime | None) -> dt.datetime | None:
        if local is None:
            return None
        if span.utc_offset is not None and zone is not None:
            return local.replace(tzinfo=dt.timezone(dt.timedelta(minutes=span.utc_offset))).astimezone(zone)
        return instant_from_local(local, zone)

    def made(start: dt.datetime | None, end: dt.datetime | None) -> Interval | None:
        first, last = instant(start), instant(end)
        if first is not None and last is not None and first >= last:
            # A zone that crosses the date line skips a whole day; that day is no interval.
            return None
        return Interval(first, last, span.granularity, start is not None, end is not None)

    interval = None if span.start is None and span.end is None else made(span.start, span.end)
    others = tuple(other for a, b in span.alternatives if (other := made(a, b)) is not None)
    return Expression(
        text=text[found.start : found.end],
        start=found.start,
        end=found.end,
        kind=span.kind,
        interval=interval,
        granularity=span.granularity,
        rule=RULE if found.rule is None else found.rule.id,
        confidence=round(found.confidence, 3),
        alternatives=others,
        starts=None if span.starts is None else made(*span.starts),
        ends=None if span.ends is None else made(*span.ends),
        formula=span.formula,
        policies=tuple(f"{name}={value}" for name, value in found.policies.items()),
    )
