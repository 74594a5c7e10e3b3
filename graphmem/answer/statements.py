"""Statements: what was said, sentence by sentence, read for whom it is about, in which mood, and for which time.

This is where facts, events and turns meet: all three rest on sentences of turns, and an answer is chosen among sentences. Reading is
pure; the same turns give the same statements.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from graphmem.answer.words import stem, stem_set
from graphmem.records import Hit
from graphmem.temporal import Expression

SaidAs = Literal["stated", "planned", "denied", "imagined", "asked"]


@dataclass(frozen=True, slots=True)
class Reading:
    """A clause of a statement: its verb with what it is said of, the stems of all that hangs on it, and how it is said."""

    verb: str
    stems: frozenset[str]
    subject: str | None
    mood: str
    tense: str
    negated: bool
    over: bool

    @property
    def verb_stem(self) -> frozenset[str]:
        """The stem of its verb, without a particle."""
        return frozenset({stem(self.verb.split()[0])})


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a turn.

    ``stems`` are those of the sentence, ``turn_stems`` of the whole turn with its captions, ``before_stems`` of the turn before it,
    ``near_stems`` of those on both sides, ``far_stems`` of those a little farther before in the session. ``leaning`` is true where it
    goes on about what was said right before ("It came"). ``about`` are the normalised names it speaks of: the speaker for "I" and "my",
    the addressee for "you", and whoever is named; ``subjects`` those that its clauses are said of, ``people`` those whom it names as
    persons; ``present`` are all who speak in the session, as far as the turns at hand show. ``replies_to`` are the stems of the question
    that it follows; ``accepted`` is true for a proposal that the next turn agrees to. ``then`` is the time that "that morning" takes up.
    ``linked`` are names and kinds that it leaves out (``answer.linking``). ``rank`` is the score of its turn, 1 for the best; ``meaning``
    is how much less near it comes to the question in meaning than the nearest (``answer.meaning``), 0 or less, and ``cosine`` how near.
    """

    hit: Hit
    start: int
    end: int
    text: str
    stems: frozenset[str]
    turn_stems: frozenset[str]
    before_stems: frozenset[str]
    near_stems: frozenset[str]
    about: frozenset[str]
    turn_about: frozenset[str]
    subjects: frozenset[str]
    people: frozenset[str]
    present: frozenset[str]
    clauses: tuple[Reading, ...]
    times: tuple[Expression, ...]
    rank: float
    asked: bool
    leaning: bool
    conditional: bool
    far_stems: frozenset[str] = frozenset()
    replies_to: frozenset[str] = frozenset()
    accepted: bool = False
    then: Expression | None = None
    linked: frozenset[str] = frozenset()
    meaning: float = 0.0
    cosine: float = 1.0

    @property
    def others_named(self) -> frozenset[str]:
        """The names in it that are nobody's, as far as the turns at hand show, and no times."""
        names = self.about - self.present - self.people - self.subjects
        times = [time.text.casefold() for time in self.times]
        return frozenset(name for name in names if not any(name in time for time in times))

    @property
    def said_at(self) -> datetime:
        """When it was said, with the speaker's offset."""
        return self.hit.said_at

    @property
    def _ahead(self) -> bool:
        """Whether the first time that it names lies after its own day: "I'm moving on 1 May"."""
        starts = [e.interval.start for e in self.times if e.interval is not None and e.interval.start is not None]
        return bool(starts) and starts[0] > self.said_at

    def _clauses(self, stems: AbstractSet[str]) -> list[Reading]:
        """The clauses that are meant: those with such a verb, else of those with most of the stems one that says so, the smallest, else
        all."""
        own = [c for c in self.clauses if stem(c.verb.split()[0]) in stems]
        if own or not self.clauses:
            return own
        best = max(self.clauses, key=lambda c: (len(c.stems & stems), not c.negated, -len(c.stems)))
        return [best] if best.stems & stems else list(self.clauses)

    def mood(self, stems: AbstractSet[str] = frozenset()) -> SaidAs:
        """How it is said: as done, as denied, as planned, as imagined or as a question.

        Of several clauses those count that have one of these stems, as their verb if any does.
        """
        own = self._clauses(stems)
        if not own:
            return "asked" if self.asked else "stated"
        real = [
            c for c in own if c.mood in ("stated", "planned", "commanded") and not c.verb_stem & stem_set("considering")
        ]
        if not real:
            asked = any(c.mood == "asked" for c in own)
            return "planned" if self.accepted else "asked" if asked else "imagined"
        if all(c.negated for c in real):
            return "denied"
        if all(c.mood == "planned" or (c.tense in ("present", "progressive", "future") and self._ahead) for c in real):
            return "imagined" if self.conditional else "planned"
        return "stated"
