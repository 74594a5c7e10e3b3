"""Statements: what was said, sentence by sentence, read for whom it is about, in which mood, and for which time.

This is where facts, events and turns meet: all three rest on sentences of turns, and an answer is chosen among sentences. Reading is
pure; the same turns give the same statements.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache

from graphmem.answer.words import stems_of
from graphmem.extract.with_rules.clauses import Clause, clauses_of
from graphmem.extract.with_rules.parse import Doc, Span, Token, parse
from graphmem.extract.with_rules.people import FIRST, SECOND
from graphmem.ids import normalise_name
from graphmem.records import EventView, FactView, Hit
from graphmem.temporal import Expression, normalise


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

    ``stems`` are those of the sentence, ``turn_stems`` of the whole turn with its captions, ``near_stems`` of the turns beside it.
    ``about`` are the normalised names it speaks of: the speaker for "I" and "my", the addressee for "you", and whoever is named;
    ``subjects`` those that its clauses are said of. ``rank`` is 1 for the turn that search put first, falling with the score.
    """

    hit: Hit
    start: int
    end: int
    text: str
    stems: frozenset[str]
    turn_stems: frozenset[str]
    near_stems: frozenset[str]
    about: frozenset[str]
    turn_about: frozenset[str]
    subjects: frozenset[str]
    clauses: tuple[Reading, ...]
    times: tuple[Expression, ...]
    rank: float
    asked: bool
    facts: tuple[FactView, ...] = ()
    events: tuple[EventView, ...] = ()

    @property
    def said_at(self) -> datetime:
        """When it was said, with the speaker's offset."""
        return self.hit.said_at

    @property
    def stated(self) -> bool:
        """Whether something in it is stated or meant, neither only asked nor only imagined."""
        return not self.asked and (
            not self.clauses or any(c.mood in ("stated", "planned", "commanded") for c in self.clauses)
        )

    @property
    def negated(self) -> bool:
        """Whether all that it states is denied."""
        stated = [c for c in self.clauses if c.mood in ("stated", "planned")]
        return bool(stated) and all(c.negated for c in stated)

    @property
    def planned(self) -> bool:
        """Whether it is only meant to happen."""
        stated = [c for c in self.clauses if c.mood in ("stated", "planned")]
        return bool(stated) and all(c.mood == "planned" for c in stated)


@dataclass(slots=True)
class Conversation:
    """The turns at hand, in order within their sessions, and who speaks in each."""

    hits: Sequence[Hit]
    order: dict[str, list[Hit]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for hit in sorted(self.hits, key=lambda each: (each.session_id, each.said_at)):
            self.order.setdefault(hit.session_id, []).append(hit)

    def addressee(self, hit: Hit) -> str | None:
        """The only other speaker of the session, as far as the turns at hand show."""
        others = {each.speaker for each in self.order[hit.session_id]} - {hit.speaker}
        return others.pop() if len(others) == 1 else None

    def beside(self, hit: Hit) -> list[Hit]:
        """The turns right before and after, where they are at hand."""
        turns = self.order[hit.session_id]
        at = turns.index(hit)
        return turns[max(0, at - 1) : at] + turns[at + 1 : at + 2]


def statements_of(
    hits: Sequence[Hit], facts: Mapping[str, Sequence[FactView]], events: Mapping[str, Sequence[EventView]]
) -> tuple[Statement, ...]:
    """The statements of these turns, in the order of the turns. Facts and events are given by the turn that they are quoted from."""
    conversation = Conversation(hits)
    best = max((hit.score for hit in hits), default=1.0) or 1.0
    found: list[Statement] = []
    for hit in hits:
        addressee = conversation.addressee(hit)
        near = frozenset(stem for other in conversation.beside(hit) for stem in _all_stems(other))
        found += _read(hit, addressee, near, hit.score / best, facts.get(hit.id, ()), events.get(hit.id, ()))
    return tuple(found)


@lru_cache(maxsize=2048)
def parsed(text: str) -> Doc:
    return parse(text)


def _all_stems(hit: Hit) -> frozenset[str]:
    shared = " ".join(item.caption for item in hit.attachments)
    return frozenset(stems_of(hit.text)) | frozenset(stems_of(shared))


def _read(
    hit: Hit,
    addressee: str | None,
    near: frozenset[str],
    rank: float,
    facts: Sequence[FactView],
    events: Sequence[EventView],
) -> list[Statement]:
    doc = parsed(hit.text)
    expressions = normalise(hit.text, hit.said_at)
    all_stems = _all_stems(hit)
    sentences = [span for span in doc.sents if any(ch.isalnum() for ch in span.text)]
    turn_about = frozenset(name for span in sentences for name in _about(span, hit.speaker, addressee))
    found = []
    for span in sentences or [doc[:]]:
        start, end = _trimmed(hit.text, span.start_char, span.end_char)
        clauses = clauses_of(span)
        readings = tuple(_reading(clause, hit.speaker, addressee) for clause in clauses)
        subjects = frozenset(reading.subject for reading in readings if reading.subject is not None)
        found.append(
            Statement(
                hit=hit,
                start=start,
                end=end,
                text=hit.text[start:end],
                stems=frozenset(stems_of(hit.text[start:end])),
                turn_stems=all_stems,
                near_stems=near,
                about=_about(span, hit.speaker, addressee),
                turn_about=turn_about | {normalise_name(hit.speaker)},
                subjects=subjects,
                clauses=readings,
                times=tuple(e for e in expressions if start <= e.start < end),
                rank=rank,
                asked=hit.text[start:end].rstrip().endswith("?"),
                facts=tuple(
                    f
                    for f in facts
                    if any(_overlap(c.start, c.end, start, end) for c in f.evidence if c.turn_id == hit.turn_id)
                ),
                events=tuple(
                    e
                    for e in events
                    if any(_overlap(c.start, c.end, start, end) for c in e.evidence if c.turn_id == hit.turn_id)
                ),
            )
        )
    return found


def _overlap(a: int, b: int, c: int, d: int) -> bool:
    return a < d and c < b


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _about(span: Span, speaker: str, addressee: str | None) -> frozenset[str]:
    found = set()
    lower = {token.lower_ for token in span}
    if lower & FIRST or _headless(span):
        found.add(normalise_name(speaker))
    if addressee is not None and lower & SECOND:
        found.add(normalise_name(addressee))
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


def _headless(span: Span) -> bool:
    """A sentence that leaves its subject out is the speaker's ("Lost my job", "Got in on Friday")."""
    root = span.root
    return root.tag_ in ("VBD", "VBN", "VBG", "VB") and not any(c.dep_.startswith("nsubj") for c in root.children)


def _reading(clause: Clause, speaker: str, addressee: str | None) -> Reading:
    return Reading(
        verb=clause.lemma,
        subject=_subject(clause.subject, clause, speaker, addressee),
        mood=clause.mood,
        tense=clause.tense,
        negated=clause.negated,
        over=clause.ended != "",
    )


def _subject(token: Token | None, clause: Clause, speaker: str, addressee: str | None) -> str | None:
    if token is None:
        return normalise_name(speaker) if clause.tense in ("past", "perfect") else None
    word = token.lower_
    if word in FIRST:
        return normalise_name(speaker)
    if word in SECOND:
        return None if addressee is None else normalise_name(addressee)
    if token.pos_ == "PROPN":
        run = [token.text]
        at = token.i - 1
        while at >= clause.sentence.start and token.doc[at].pos_ == "PROPN" and token.doc[at].dep_ == "compound":
            run.insert(0, token.doc[at].text)
            at -= 1
        return normalise_name(" ".join(run))
    return normalise_name(token.text) if token.pos_ == "NOUN" else None
