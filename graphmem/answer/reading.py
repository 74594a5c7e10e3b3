"""Turns read sentence by sentence: whom "I", "you" and "she" stand for, in which mood a clause is said, and what stands beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from graphmem.answer.clause_moods import mood_in_answers
from graphmem.answer.conversation import Conversation
from graphmem.answer.persons import PLURAL_YOU, Who, about_of, last_person, people_of, subject_of
from graphmem.answer.statements import Reading, Statement
from graphmem.answer.words import stem, stem_set, stems_of
from graphmem.extract.with_rules.clauses import Clause, clauses_of
from graphmem.extract.with_rules.parse import parse
from graphmem.ids import normalise_name
from graphmem.records import Hit
from graphmem.temporal import Expression, Policy, normalise

if TYPE_CHECKING:
    from graphmem.extract.with_rules.parse import Doc, Span, Token


def statements_of(
    hits: Sequence[Hit], places: Mapping[str, tuple[str, int]] | None = None, policy: Policy | None = None
) -> tuple[Statement, ...]:
    """The statements of these turns, in the order of the turns. ``places`` tells which turns stand beside each other, ``policy`` how
    times are read."""
    conversation = Conversation(hits, places or {})
    found: list[Statement] = []
    for hit in hits:
        near = frozenset(each for other in conversation.beside(hit) for each in _all_stems(other))
        earlier = conversation.before(hit)
        carried = None if earlier is None else last_person(parsed(earlier.text)[:], earlier.speaker)
        before: frozenset[str] = frozenset() if earlier is None else _all_stems(earlier)
        if (
            earlier is not None
            and len(earlier.text.split()) <= BRIEF
            and (further := conversation.before(earlier)) is not None
        ):
            before |= _all_stems(further)
        asked = frozenset() if earlier is None or earlier.speaker == hit.speaker else _question_stems(earlier.text)
        far = frozenset(each for other in conversation.farther(hit) for each in _all_stems(other))
        later = conversation.after(hit)
        agreed = later is not None and later.speaker != hit.speaker and _agrees(later.text)
        beside = Beside(before, near, far, asked, agreed, conversation.present(hit))
        found += _read(hit, conversation.addressee(hit), beside, carried, policy)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Beside:
    """What stands beside a turn: the stems of the turn before, of those on both sides, and of the question before it; whether the turn
    after it agrees; and who speaks in the session."""

    before: frozenset[str]
    near: frozenset[str]
    far: frozenset[str]
    asked: frozenset[str]
    agreed: bool
    present: frozenset[str]


_THEN = re.compile(
    r"\b(?:that|the same)\s+(?:very\s+)?(?:morning|day|evening|night|afternoon|week|weekend|month|year)\b",
    re.IGNORECASE,
)


def _question_stems(text: str) -> frozenset[str]:
    questions = [span.text for span in parsed(text).sents if span.text.rstrip().endswith("?")]
    return frozenset(stems_of(" ".join(questions)))


def _agrees(text: str) -> bool:
    first = stems_of(text)[:2]
    return bool(set(first) & stem_set("agreeing"))


_PROPOSAL = re.compile(
    r"\b(?:can|could|shall|should|would|let's|let us|how about|what about|what if|so)\b", re.IGNORECASE
)


_TELLING = frozenset({"NOUN", "PROPN", "NUM", "VERB"})
"""Parts of speech of a sentence that tells something; one without any only reacts ("Oh no!"), and does not answer the turn before."""
BRIEF = 7
"""Words of a turn that is too short to say what it is about: what stands before it does."""


@lru_cache(maxsize=2048)
def parsed(text: str) -> Doc:
    """The parse of a text; the last few thousand are kept."""
    return parse(text)


def sentences_of(doc: Doc) -> list[Span]:
    """The sentences of a text that say something; a subject that the parser parted from its verb ("My friend | and I went") goes
    with it."""
    found: list[Span] = []
    for span in doc.sents:
        if not any(ch.isalnum() for ch in span.text):
            continue
        goes_on = span.text[:1].islower() and bool(found) and found[-1].end == span.start
        if goes_on and found[-1].text.rstrip()[-1:].isalnum() and not any(t.pos_ in ("VERB", "AUX") for t in found[-1]):
            found[-1] = doc[found[-1].start : span.end]
        else:
            found.append(span)
    return found


def _all_stems(hit: Hit) -> frozenset[str]:
    shared = " ".join(item.caption for item in hit.attachments)
    return frozenset(stems_of(hit.text)) | frozenset(stems_of(shared))


def _read(
    hit: Hit, addressee: str | None, beside: Beside, carried: str | None, policy: Policy | None
) -> list[Statement]:
    doc = parsed(hit.text)
    expressions = normalise(hit.text, hit.said_at, policy)
    all_stems = _all_stems(hit)
    sentences = sentences_of(doc) or [doc[:]]
    found: list[Statement] = []
    person = carried
    turn_about = {normalise_name(hit.speaker)}
    others = beside.present - turn_about
    replying = next((i for i, span in enumerate(sentences) if any(token.pos_ in _TELLING for token in span)), 0)
    for position, span in enumerate(sentences):
        start, end = _trimmed(hit.text, span.start_char, span.end_char)
        both = others if PLURAL_YOU.search(span.text) is not None else frozenset()
        who = Who(hit.speaker, addressee, last_person(span, hit.speaker, before_pronoun=True) or person)
        readings = tuple(_reading(clause, who) for clause in clauses_of(span))
        about = about_of(span, who) | both
        turn_about |= about
        found.append(
            Statement(
                hit=hit,
                start=start,
                end=end,
                text=hit.text[start:end],
                stems=frozenset(stems_of(hit.text[start:end])),
                turn_stems=all_stems,
                before_stems=beside.before,
                near_stems=beside.near,
                far_stems=beside.far,
                about=about,
                turn_about=frozenset(),
                subjects=frozenset(reading.subject for reading in readings if reading.subject is not None) | both,
                people=people_of(span),
                present=beside.present,
                clauses=readings,
                then=_taken_up(span, start, expressions),
                times=tuple(e for e in expressions if start <= e.start < end),
                rank=hit.score,
                asked=hit.text[start:end].rstrip().endswith("?"),
                leaning=_leans(span, readings),
                replies_to=beside.asked if position == replying else frozenset(),
                accepted=beside.agreed and _PROPOSAL.search(span.text) is not None,
                conditional=any(token.dep_ == "mark" and token.lower_ in ("if", "unless") for token in span),
            )
        )
        person = last_person(span, hit.speaker) or person
    return [replace(each, turn_about=frozenset(turn_about)) for each in found]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


_LEANING = frozenset({"mine", "too", "either", "neither", "likewise", "here", "there"})


def _taken_up(span: Span, start: int, expressions: Sequence[Expression]) -> Expression | None:
    """The time that "that morning" or "the same day" takes up: the last that was named before in the turn."""
    if _THEN.search(span.text) is None:
        return None
    before = [e for e in expressions if e.start < start and e.interval is not None and e.interval.start is not None]
    return before[-1] if before else None


def _leans(span: Span, readings: Sequence[Reading]) -> bool:
    """Whether a sentence only makes sense after the one before: its subject is "it" or "they", or it has no verb at all."""
    lower = [token.lower_ for token in span]
    if any(
        token.lower_ in ("it", "them", "that", "those") and token.dep_ in ("dobj", "pobj", "dative") for token in span
    ):
        return True
    if not readings or _LEANING & set(lower) or "as well" in span.text.lower():
        return True
    subjects = [token for token in span if token.dep_ in ("nsubj", "nsubjpass")]
    if next((word for word in lower if word.isalpha()), "") in ("its", "his", "her", "their"):
        return True
    return bool(subjects) and subjects[0].lower_ in ("it", "they", "that", "this", "those", "these", "both", "one")


def _reading(clause: Clause, who: Who) -> Reading:
    return Reading(
        verb=clause.lemma,
        stems=frozenset(stem(token.text) for token in _own_words(clause.head)),
        subject=subject_of(clause.subject, clause, who),
        mood=mood_in_answers(clause),
        tense=clause.tense,
        negated=clause.negated,
        over=clause.ended != "",
    )


def _own_words(head: Token) -> Iterator[Token]:
    """The words of a clause without those of a clause joined to it that has a subject of its own ("…, but we have been")."""
    yield head
    for child in head.children:
        joined = child.dep_ == "conj" and any(each.dep_ in ("nsubj", "nsubjpass") for each in child.children)
        if not joined:
            yield from child.subtree
