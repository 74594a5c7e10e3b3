"""Statements: what was said, sentence by sentence, read for whom it is about, in which mood, and for which time.

This is where facts, events and turns meet: all three rest on sentences of turns, and an answer is chosen among sentences. Reading is
pure; the same turns give the same statements.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from graphmem.answer.words import stem, stems_of
from graphmem.extract.with_rules.clauses import Clause, clauses_of
from graphmem.extract.with_rules.parse import parse
from graphmem.extract.with_rules.people import FIRST, SECOND
from graphmem.ids import normalise_name
from graphmem.records import Hit
from graphmem.temporal import Expression, normalise

if TYPE_CHECKING:
    from graphmem.extract.with_rules.parse import Doc, Span, Token

THIRD_PERSON = frozenset({"he", "she", "him", "her", "his", "hers"})


SaidAs = Literal["stated", "planned", "denied", "imagined", "asked"]


@dataclass(frozen=True, slots=True)
class Reading:
    """A clause of a statement: its verb with what it is said of, and how it is said."""

    verb: str
    subject: str | None
    mood: str
    tense: str
    negated: bool
    over: bool


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a turn.

    ``stems`` are those of the sentence, ``turn_stems`` of the whole turn with its captions, ``before_stems`` of the turn before it and
    ``near_stems`` of those on both sides. ``leaning`` is true where it goes on about what was said right before ("It came"). ``about`` are
    the normalised names it speaks of: the speaker for "I" and "my", the addressee for "you", and whoever is named; ``subjects`` those
    that its clauses are said of, ``people`` those whom it names as persons. ``rank`` is the score of its turn, 1 for the best.
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
    clauses: tuple[Reading, ...]
    times: tuple[Expression, ...]
    rank: float
    asked: bool
    leaning: bool
    conditional: bool

    @property
    def said_at(self) -> datetime:
        """When it was said, with the speaker's offset."""
        return self.hit.said_at

    @property
    def _ahead(self) -> bool:
        """Whether the first time that it names lies after its own day: "I'm moving on 1 May"."""
        starts = [e.interval.start for e in self.times if e.interval is not None and e.interval.start is not None]
        return bool(starts) and starts[0] > self.said_at

    def mood(self, stems: AbstractSet[str] = frozenset()) -> SaidAs:
        """How it is said: as done, as denied, as planned, as imagined or as a question.

        Of several clauses those count whose verb has one of these stems; all where none has.
        """
        own = [c for c in self.clauses if stem(c.verb.split()[0]) in stems] or list(self.clauses)
        if not own:
            return "asked" if self.asked else "stated"
        real = [c for c in own if c.mood in ("stated", "planned", "commanded")]
        if not real:
            return "asked" if any(c.mood == "asked" for c in own) else "imagined"
        if all(c.negated for c in real):
            return "denied"
        if all(c.mood == "planned" or (c.tense in ("present", "progressive", "future") and self._ahead) for c in real):
            return "imagined" if self.conditional else "planned"
        return "stated"


@dataclass(slots=True)
class Conversation:
    """The turns at hand in their places. ``places`` has, by turn, where it stands in its session; turns without one have no neighbours."""

    hits: Sequence[Hit]
    places: Mapping[str, tuple[str, int]]
    by_place: dict[tuple[str, int], Hit] = field(default_factory=dict)
    speakers: dict[str, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for hit in self.hits:
            self.speakers.setdefault(hit.session_id, set()).add(hit.speaker)
            if hit.id in self.places:
                self.by_place[self.places[hit.id]] = hit

    def addressee(self, hit: Hit) -> str | None:
        """The speaker who is addressed by name, else the only other speaker of the session, as far as the turns at hand show."""
        others = sorted(self.speakers[hit.session_id] - {hit.speaker})
        for name in others:
            if re.search(rf"(?:^|[,.!?]\s*){re.escape(name)}\s*[,!?.]|,\s*{re.escape(name)}\s*(?:[,.!?]|$)", hit.text):
                return name
        return others[0] if len(others) == 1 else None

    def before(self, hit: Hit) -> Hit | None:
        """The turn right before, where it is at hand."""
        return self._beside(hit, -1)

    def beside(self, hit: Hit) -> list[Hit]:
        """The turns right before and after, where they are at hand."""
        return [other for step in (-1, 1) if (other := self._beside(hit, step)) is not None]

    def _beside(self, hit: Hit, step: int) -> Hit | None:
        place = self.places.get(hit.id)
        return None if place is None else self.by_place.get((place[0], place[1] + step))


def statements_of(hits: Sequence[Hit], places: Mapping[str, tuple[str, int]] | None = None) -> tuple[Statement, ...]:
    """The statements of these turns, in the order of the turns. ``places`` tells which turns stand beside each other."""
    conversation = Conversation(hits, places or {})
    found: list[Statement] = []
    for hit in hits:
        near = frozenset(each for other in conversation.beside(hit) for each in _all_stems(other))
        earlier = conversation.before(hit)
        carried = None if earlier is None else _last_person(parsed(earlier.text)[:], earlier.speaker)
        before = frozenset() if earlier is None else _all_stems(earlier)
        found += _read(hit, conversation.addressee(hit), (before, near), hit.score, carried)
    return tuple(found)


Beside = tuple[frozenset[str], frozenset[str]]
"""The stems of the turn before, and of the turns on both sides."""


@lru_cache(maxsize=2048)
def parsed(text: str) -> Doc:
    return parse(text)


def _all_stems(hit: Hit) -> frozenset[str]:
    shared = " ".join(item.caption for item in hit.attachments)
    return frozenset(stems_of(hit.text)) | frozenset(stems_of(shared))


def _read(hit: Hit, addressee: str | None, near: Beside, rank: float, carried: str | None) -> list[Statement]:
    doc = parsed(hit.text)
    expressions = normalise(hit.text, hit.said_at)
    all_stems = _all_stems(hit)
    sentences = [span for span in doc.sents if any(ch.isalnum() for ch in span.text)] or [doc[:]]
    found: list[Statement] = []
    person = carried
    turn_about = {normalise_name(hit.speaker)}
    for span in sentences:
        start, end = _trimmed(hit.text, span.start_char, span.end_char)
        who = Who(hit.speaker, addressee, _last_person(span, hit.speaker, before_pronoun=True) or person)
        readings = tuple(_reading(clause, who) for clause in clauses_of(span))
        about = _about(span, who)
        turn_about |= about
        found.append(
            Statement(
                hit=hit,
                start=start,
                end=end,
                text=hit.text[start:end],
                stems=frozenset(stems_of(hit.text[start:end])),
                turn_stems=all_stems,
                before_stems=near[0],
                near_stems=near[1],
                about=about,
                turn_about=frozenset(),
                subjects=frozenset(reading.subject for reading in readings if reading.subject is not None),
                people=_people(span),
                clauses=readings,
                times=tuple(e for e in expressions if start <= e.start < end),
                rank=rank,
                asked=hit.text[start:end].rstrip().endswith("?"),
                leaning=_leans(span, readings),
                conditional=any(token.dep_ == "mark" and token.lower_ in ("if", "unless") for token in span),
            )
        )
        person = _last_person(span, hit.speaker) or person
    return [replace(each, turn_about=frozenset(turn_about)) for each in found]


@dataclass(frozen=True, slots=True)
class Who:
    """Whom the pronouns of a sentence stand for: "I", "you", and "he" or "she" for the person named last."""

    speaker: str
    addressee: str | None
    third: str | None


def _last_person(span: Span, speaker: str, before_pronoun: bool = False) -> str | None:
    """The person whom a sentence names last; with ``before_pronoun`` only one named before its first "he" or "she"."""
    last = None
    for token in span:
        if before_pronoun and token.lower_ in THIRD_PERSON:
            break
        if token.pos_ != "PROPN" or token.ent_type_ in ("DATE", "TIME"):
            continue
        if token.dep_ == "pobj" and token.ent_type_ in ("GPE", "LOC", "FAC"):
            continue
        if token.i + 1 < span.end and token.nbor().pos_ == "PROPN":
            continue
        name = _whole_name(token, span)
        if normalise_name(name) != normalise_name(speaker):
            last = name
    return last


def _whole_name(token: Token, span: Span) -> str:
    first = token.i
    while first > span.start and token.doc[first - 1].pos_ == "PROPN":
        first -= 1
    return str(token.doc[first : token.i + 1].text)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _about(span: Span, who: Who) -> frozenset[str]:
    found = set()
    lower = {token.lower_ for token in span}
    if lower & FIRST or _headless(span):
        found.add(normalise_name(who.speaker))
    if who.addressee is not None and lower & SECOND:
        found.add(normalise_name(who.addressee))
    if who.third is not None and lower & THIRD_PERSON:
        found.add(normalise_name(who.third))
    run: list[str] = []
    for token in [*span, None]:
        if token is not None and token.pos_ == "PROPN":
            run.append(token.text)
            continue
        if run:
            found.add(normalise_name(" ".join(run)))
            found.update(normalise_name(part) for part in run)
        run = []
    return frozenset(found)


_LEANING = frozenset({"mine", "too", "either", "neither", "likewise", "here", "there"})


def _people(span: Span) -> frozenset[str]:
    return frozenset(normalise_name(entity.text) for entity in span.ents if entity.label_ == "PERSON")


def _leans(span: Span, readings: Sequence[Reading]) -> bool:
    """Whether a sentence only makes sense after the one before: its subject is "it" or "they", or it has no verb at all."""
    lower = [token.lower_ for token in span]
    if not readings or _LEANING & set(lower) or "as well" in span.text.lower():
        return True
    subjects = [token for token in span if token.dep_ in ("nsubj", "nsubjpass")]
    if next((word for word in lower if word.isalpha()), "") in ("its", "his", "her", "their"):
        return True
    return bool(subjects) and subjects[0].lower_ in ("it", "they", "that", "this", "those", "these", "both", "one")


def _headless(span: Span) -> bool:
    """A sentence that leaves its subject out is the speaker's ("Lost my job", "Got in on Friday")."""
    root = span.root
    return root.tag_ in ("VBD", "VBN", "VBG", "VB") and not any(c.dep_.startswith("nsubj") for c in root.children)


def _reading(clause: Clause, who: Who) -> Reading:
    return Reading(
        verb=clause.lemma,
        subject=_subject(clause.subject, clause, who),
        mood=clause.mood,
        tense=clause.tense,
        negated=clause.negated,
        over=clause.ended != "",
    )


def _subject(token: Token | None, clause: Clause, who: Who) -> str | None:
    if token is None:
        return normalise_name(who.speaker) if clause.tense in ("past", "perfect") else None
    word = token.lower_
    if word in FIRST:
        return normalise_name(who.speaker)
    if word in SECOND:
        return None if who.addressee is None else normalise_name(who.addressee)
    if word in ("he", "she"):
        return None if who.third is None else normalise_name(who.third)
    if token.pos_ == "PROPN":
        return normalise_name(_whole_name(token, clause.sentence))
    return normalise_name(token.text) if token.pos_ == "NOUN" else None
