"""Turns read sentence by sentence: whom "I", "you" and "she" stand for, in which mood a clause is said, and what stands beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from graphmem.answer.statements import Reading, Statement
from graphmem.answer.words import lexicon, stem, stem_set, stems_of
from graphmem.extract.with_rules.clauses import Clause, clauses_of
from graphmem.extract.with_rules.parse import parse
from graphmem.extract.with_rules.people import FIRST, SECOND
from graphmem.ids import normalise_name
from graphmem.records import Hit
from graphmem.temporal import Expression, Policy, normalise

if TYPE_CHECKING:
    from graphmem.extract.with_rules.parse import Doc, Span, Token

THIRD_PERSON = frozenset({"he", "she", "him", "her", "his", "hers"})


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
        """Who is addressed: as the transcript says, by name, the only other speaker at hand, or whoever spoke before."""
        if hit.addressee is not None:
            return hit.addressee
        others = sorted(self.speakers[hit.session_id] - {hit.speaker})
        for name in others:
            if re.search(rf"(?:^|[,.!?]\s*){re.escape(name)}\s*[,!?.]|,\s*{re.escape(name)}\s*(?:[,.!?]|$)", hit.text):
                return name
        if len(others) == 1:
            return others[0]
        earlier = self.before(hit)
        return None if earlier is None or earlier.speaker == hit.speaker else earlier.speaker

    def present(self, hit: Hit) -> frozenset[str]:
        """The normalised names of all who speak in the turn's session."""
        return frozenset(normalise_name(name) for name in self.speakers[hit.session_id])

    def before(self, hit: Hit) -> Hit | None:
        """The turn right before, where it is at hand."""
        return self._beside(hit, -1)

    def after(self, hit: Hit) -> Hit | None:
        """The turn right after, where it is at hand."""
        return self._beside(hit, 1)

    def beside(self, hit: Hit) -> list[Hit]:
        """The turns right before and after, where they are at hand."""
        return [other for step in (-1, 1) if (other := self._beside(hit, step)) is not None]

    def farther(self, hit: Hit) -> list[Hit]:
        """The turns a little before, where they are at hand."""
        return [other for step in range(-FAR, -1) if (other := self._beside(hit, step)) is not None]

    def _beside(self, hit: Hit, step: int) -> Hit | None:
        place = self.places.get(hit.id)
        return None if place is None else self.by_place.get((place[0], place[1] + step))


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
        carried = None if earlier is None else _last_person(parsed(earlier.text)[:], earlier.speaker)
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
FAR = 5
"""So many turns before one may tell what it is about."""
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
        both = others if _PLURAL_YOU.search(span.text) is not None else frozenset()
        who = Who(hit.speaker, addressee, _last_person(span, hit.speaker, before_pronoun=True) or person)
        readings = tuple(_reading(clause, who) for clause in clauses_of(span))
        about = _about(span, who) | both
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
                people=_people(span),
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
        person = _last_person(span, hit.speaker) or person
    return [replace(each, turn_about=frozenset(turn_about)) for each in found]


_PLURAL_YOU = re.compile(r"\b(?:you (?:both|two|three|all|guys)|(?:both|all|two) of you)\b", re.IGNORECASE)
"""All the others who speak in a session are meant."""


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
    if not SECOND & set(_FILLER.sub(" ", span.text).lower().replace("'", " ").split()):
        lower -= SECOND
    both = any(token.lower_ == "let" and token.i + 1 < span.end and token.nbor().lower_ in _US for token in span)
    if lower & FIRST or _headless(span) or both:
        found.add(normalise_name(who.speaker))
    if who.addressee is not None and (lower & SECOND or both):
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


_FILLER = re.compile(
    r"\b(?:(?:can|could|would) you believe|(?:as )?you know|you see|(?:thank|love|miss|bless) you|(?:see|talk to|let|tell) you)\b|[.,!?]",
    re.IGNORECASE,
)
"""Where "you" is only a way of talking: nothing is said of the addressee."""
_US = frozenset({"'s", "’s", "us"})
_LEANING = frozenset({"mine", "too", "either", "neither", "likewise", "here", "there"})


def _people(span: Span) -> frozenset[str]:
    return frozenset(normalise_name(entity.text) for entity in span.ents if entity.label_ == "PERSON")


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


def _headless(span: Span) -> bool:
    """A sentence that leaves its subject out is the speaker's ("Lost my job", "Got in on Friday")."""
    root = span.root
    return root.tag_ in ("VBD", "VBN", "VBG", "VB") and not any(c.dep_.startswith("nsubj") for c in root.children)


def _reading(clause: Clause, who: Who) -> Reading:
    return Reading(
        verb=clause.lemma,
        stems=frozenset(stem(token.text) for token in _own_words(clause.head)),
        subject=_subject(clause.subject, clause, who),
        mood=_mood(clause),
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


def _mood(clause: Clause) -> str:
    """The mood of a clause as an answer takes it: a request is a plan and no question, and what somebody can do is so."""
    if _requests(clause):
        return "planned"
    if _told_first(clause) or _is_able(clause) or _enjoys(clause):
        return "stated"
    return clause.mood


def _enjoys(clause: Clause) -> bool:
    """Whether it tells what somebody likes doing, and so does: "I love painting", not "I'd love to paint"."""
    links = list(pairwise(clause.chain))
    liked = [inner for outer, inner in links if outer.lemma_.lower() in lexicon()["enjoying"]]
    would = any(child.dep_ == "aux" and child.lower_ in _WOULD for child in clause.outer.children)
    return clause.mood == "wished" and bool(liked) and liked[0].tag_ == "VBG" and not would


_WOULD = frozenset({"would", "'d", "’d", "d", "might", "could"})


def _is_able(clause: Clause) -> bool:
    helpers = {child.lower_ for child in clause.head.children if child.dep_ == "aux" and child.i < clause.head.i}
    marked = any(child.dep_ == "mark" for child in clause.head.children)
    return clause.mood == "imagined" and bool(helpers & {"can", "ca"}) and not marked and clause.subject is not None


_ASKED_AFTER = re.compile(
    r",\s+(?:(?:is|are|was|were|do|does|did|can|could|will|would|should)\s+\w+\s+\w[^,]*"
    r"|right|huh|eh|correct|no|yeah|yes|ok|okay|remember|you know"
    r"|(?:is|are|was|were|do|does|did|has|have|ca|wo|would|should)n['’]t\s+\w+"
    r"|(?:do you )?(?:want|wanna|care|fancy)\b[^,]*)\s*\?$",
    re.IGNORECASE,
)
"""What is asked after something that was told: "…, is that normal?", "…, right?", "…, want to join?"."""


def _told_first(clause: Clause) -> bool:
    """Whether a clause tells what the rest of its sentence asks about: "I paid 14.90 euros, is that normal?"."""
    if clause.mood != "asked" or clause.subject is None or clause.subject.i > clause.head.i:
        return False
    question = _ASKED_AFTER.search(clause.sentence.text)
    opens = clause.sentence[0].tag_ in ("WP", "WRB", "WDT", "MD") or clause.sentence[0].pos_ == "AUX"
    return question is not None and not opens and clause.head.idx < clause.sentence.start_char + question.start()


_REQUEST = re.compile(r"\b(?:could|would|can|will) you (?:please )?(\w+)|\bplease\b", re.IGNORECASE)


def _requests(clause: Clause) -> bool:
    """Whether a question asks the other to do something, and not to tell something: "Could you hold the button for five seconds?"."""
    found = _REQUEST.search(clause.sentence.text) if clause.mood == "asked" else None
    polite = found is not None and (
        found.group().lower().startswith(("could", "please")) or "please" in found.group().lower()
    )
    return polite and clause.lemma.split()[0] not in lexicon()["telling"]


def _subject(token: Token | None, clause: Clause, who: Who) -> str | None:
    if token is None and clause.mood == "commanded":
        return None if who.addressee is None else normalise_name(who.addressee)
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
