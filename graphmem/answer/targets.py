"""The records of a plan: what a question is about, what it wants, and for when."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from graphmem.ids import normalise_name
from graphmem.records import Interval
from graphmem.temporal import Policy
from graphmem.temporal.questions import Relation

Form = Literal[
    "current", "at_time", "before_event", "after_event", "first", "last", "when", "how_long", "how_many", "who_else", "changed",
    "attribute", "search",
]  # fmt: skip
Want = Literal[
    "place",
    "person",
    "time",
    "duration",
    "count",
    "amount",
    "age",
    "frequency",
    "yes_no",
    "name",
    "thing",
    "reason",
    "manner",
]
TermKind = Literal["name", "number", "word"]


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a question: as written, as the memory knows it, and of which type (None for a name that it does not know)."""

    text: str
    known: str | None = None
    type: str | None = None


@dataclass(frozen=True, slots=True)
class Term:
    """Something the question is about, which an answer's evidence has to cover: a name, a number or code, or a word, by its stems."""

    text: str
    stems: tuple[str, ...]
    kind: TermKind = "word"
    aside: bool = False
    """Whether it only says in what connection ("on the trip"): evidence may leave it out."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """What stands after "before", "after" or "while": an event, or one value in a row of values, and how the question relates to it."""

    terms: tuple[Term, ...]
    text: str
    relation: Relation


@dataclass(frozen=True, slots=True)
class Plan:
    """What a question asks.

    ``subjects`` are whom or what it is about, by name; ``terms`` are the other words that evidence has to cover, in order.
    ``asked`` is the noun of "which N" or "what N"; ``properties`` are the known properties that its words ask for, the likeliest
    first. ``time`` is the time filter, an interval whose bounds may be open; ``excluded`` are names that do not count ("besides Ana").
    """

    question: str
    form: Form
    want: Want
    subjects: tuple[str, ...] = ()
    terms: tuple[Term, ...] = ()
    asked: str | None = None
    properties: tuple[str, ...] = ()
    time: Interval | None = None
    time_text: str | None = None
    anchor: Anchor | None = None
    excluded: tuple[Term, ...] = ()
    operations: tuple[str, ...] = ()
    hops: int = 1
    negated: bool = False
    past: bool = False
    open: bool = False
    """Whether it asks for no certain kind of thing, so that meaning tells more than words."""
    bullets: tuple[str, ...] = field(default=())
    verb: str | None = None
    """The stem of what is said to be done, by the parse of the question; None where that is not one of its terms."""

    @property
    def named(self) -> frozenset[str]:
        """Whom and what it names, normalised: its subjects, and the names among its terms."""
        names = (*self.subjects, *(term.text for term in self.terms if term.kind == "name"))
        return frozenset(normalise_name(name) for name in names)

    @property
    def dates(self) -> bool:
        """Whether it asks for the dates of something, from the first day to the last."""
        return self.want == "time" and self.asked is not None and self.asked.lower() == "dates"

    policy: Policy | None = None
    """How times are read, in the question as in the turns; None: by the defaults."""
