"""Whom a sentence speaks of: whom "I", "you", "she" and "let's" stand for, and whom it names. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphmem.extract.with_rules.clauses import Clause
from graphmem.extract.with_rules.people import FIRST, SECOND
from graphmem.ids import normalise_name

if TYPE_CHECKING:
    from graphmem.extract.with_rules.parse import Span, Token

THIRD_PERSON = frozenset({"he", "she", "him", "her", "his", "hers"})
PLURAL_YOU = re.compile(r"\b(?:you (?:both|two|three|all|guys)|(?:both|all|two) of you)\b", re.IGNORECASE)
"""All the others who speak in a session are meant."""
_FILLER = re.compile(
    r"\b(?:(?:can|could|would) you believe|(?:as )?you know|you see|(?:thank|love|miss|bless) you|(?:see|talk to|let|tell) you)\b|[.,!?]",
    re.IGNORECASE,
)
"""Where "you" is only a way of talking: nothing is said of the addressee."""
_US = frozenset({"'s", "’s", "us"})


@dataclass(frozen=True, slots=True)
class Who:
    """Whom the pronouns of a sentence stand for: "I", "you", and "he" or "she" for the person named last."""

    speaker: str
    addressee: str | None
    third: str | None


def last_person(span: Span, speaker: str, before_pronoun: bool = False) -> str | None:
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


def about_of(span: Span, who: Who) -> frozenset[str]:
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


def people_of(span: Span) -> frozenset[str]:
    return frozenset(normalise_name(entity.text) for entity in span.ents if entity.label_ == "PERSON")


def subject_of(token: Token | None, clause: Clause, who: Who) -> str | None:
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


def _headless(span: Span) -> bool:
    """A sentence that leaves its subject out is the speaker's ("Lost my job", "Got in on Friday")."""
    root = span.root
    return root.tag_ in ("VBD", "VBN", "VBG", "VB") and not any(c.dep_.startswith("nsubj") for c in root.children)
