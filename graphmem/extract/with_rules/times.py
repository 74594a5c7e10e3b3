"""Times of a turn, each given to the clause whose words it stands among."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from graphmem.extract.with_rules.clauses import Clause
from graphmem.records import Interval, TimeNote, Turn
from graphmem.temporal import Policy, normalise
from graphmem.temporal.expression import Expression

if TYPE_CHECKING:
    from graphmem.extract.with_rules.parse import Doc, Span, Token


@dataclass(frozen=True, slots=True)
class Timed:
    """A time expression with its place among the tokens: the tokens that it covers and the one that the others hang on."""

    expression: Expression
    tokens: frozenset[int]
    root: Token
    note: TimeNote
    said_at: datetime

    @property
    def interval(self) -> Interval | None:
        return self.expression.interval

    @property
    def ahead(self) -> bool:
        """Whether it starts after the turn was said."""
        interval = self.interval
        return interval is not None and interval.start is not None and interval.start > self.said_at

    @property
    def measures(self) -> bool:
        """Whether it only says how long: "the drive takes four hours". Such words belong to the object."""
        return self.expression.kind == "duration" and not self.expression.text.lower().startswith("for ")

    @property
    def since(self) -> bool:
        """Whether it states when something began that goes on."""
        return self.expression.text.lower().startswith("since") or self._led_by("since")

    @property
    def until(self) -> bool:
        """Whether it states when something ended or will."""
        return self.expression.text.lower().startswith(("until", "till", "til ")) or self._led_by("until", "till")

    def _led_by(self, *prepositions: str) -> bool:
        first = min(self.tokens)
        return first > 0 and self.root.doc[first - 1].lower_ in prepositions


def times_of(turn: Turn, doc: Doc, policy: Policy | None = None) -> tuple[Timed, ...]:
    """The expressions of a turn that the normaliser finds, read from the turn's own time."""
    found = []
    for expression in normalise(turn.text, turn.said_at, policy):
        span = doc.char_span(expression.start, expression.end, alignment_mode="expand")
        if span is None or len(span) == 0:
            continue
        found.append(
            Timed(expression, frozenset(token.i for token in span), span.root, expression.note(), turn.said_at)
        )
    return tuple(found)


def assign(times: tuple[Timed, ...], clauses: tuple[Clause, ...], sentence: Span) -> dict[int, list[Timed]]:
    """For each clause, by the index of its head, the times that belong to it; under -1 those that hang on no clause.

    A time belongs to the nearest clause above it in the tree; words that are a clause
    themselves ("when I was 18") to the clause above that. Where that clause is a side remark in the present, as in "last week I
    finally did it, you know", the tree has already kept it apart.
    """
    heads = {link.i: clause for clause in clauses for link in clause.chain}
    given: dict[int, list[Timed]] = {}
    for timed in times:
        if not sentence.start <= timed.root.i < sentence.end:
            continue
        owner = _owner(timed, heads)
        given.setdefault(-1 if owner is None else owner.head.i, []).append(timed)
    return given


def _owner(timed: Timed, heads: dict[int, Clause]) -> Clause | None:
    current = timed.root
    while True:
        if current.i in heads and not (timed.expression.life_stage and current.i in timed.tokens):
            return heads[current.i]
        if current.head == current:
            return None
        current = current.head
