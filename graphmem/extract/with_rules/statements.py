"""Drafts of facts: a subject, a known property, a value as it was said, and the value in its own type where it has one."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from graphmem.extract.vocabulary import properties
from graphmem.extract.with_rules.clauses import Clause
from graphmem.extract.with_rules.names import given_name, mention_of, named
from graphmem.extract.with_rules.people import Speech
from graphmem.extract.with_rules.phrases import phrase_of, told_by, with_joints
from graphmem.extract.with_rules.standing import Standing
from graphmem.extract.with_rules.types import type_of_common
from graphmem.records import FactDraft, Mention

if TYPE_CHECKING:
    from graphmem.extract.with_rules.parse import Span, Token

_LEADING = frozenset(
    {"a", "an", "the", "some", "any", "my", "our", "his", "her", "their", "this", "that", "these", "those", "no", "your", "such", "what"}
)  # fmt: skip
_REMARKS = frozenset(
    {"now", "too", "also", "again", "though", "anymore", "already", "still", "currently", "lately", "actually", "really", "either",
     "today", "together", "especially", "just", "even", "here", "right", "then"}
)  # fmt: skip
LONGEST_VALUE = 12
"""Words of a value; a longer one is cut."""


def value_text(token: Token, timed: frozenset[int], speech: Speech, subject: str, *, bare: bool = False) -> str:
    """The phrase of a value's head without article, possessive, time and side remarks; a name as it is.

    ``bare`` leaves out where and for whom, but not "of": "head of maths", not "teacher at Ashgrove School".
    """
    if token.pos_ == "PROPN" and bare:
        return str(named(token).text)
    if token.pos_ == "PROPN":
        known = mention_of(token, speech)
        if known is not None:
            return known.name
    called = called_name(token)
    if called is not None:
        return str(called.text)
    whole = phrase_of(token, timed, conjuncts=token.tag_ == "VBG")
    phrase = [part for part in whole if part == token or not _is_remark(part)]
    if bare:
        inner = {
            part.i for prep in token.children if prep.dep_ == "prep" and prep.lower_ != "of" for part in prep.subtree
        }
        phrase = [part for part in phrase if part.i not in inner]
    while phrase and (phrase[0].lower_ in _LEADING or phrase[0].pos_ in ("PUNCT", "DET") or phrase[0].dep_ == "predet"):
        phrase = phrase[1:]
    text = told_by(with_joints(phrase[:LONGEST_VALUE]), speech, subject)
    return singular(text, token) if bare and token.tag_ == "NNS" else text


def _is_remark(part: Token) -> bool:
    if part.dep_ in ("appos", "neg", "aux", "nsubj"):
        return True
    return part.dep_ == "advmod" and part.lower_ in _REMARKS


def singular(text: str, head: Token) -> str:
    """A phrase with its plural head made singular: what two people are is said of each."""
    return text.replace(head.text, head.lemma_, 1)


def statement(
    subject: Mention,
    name: str,
    value: str,
    clause: Clause,
    speech: Speech,
    standing: Standing,
    *,
    value_mention: Mention | None = None,
    typed: int | float | bool | datetime | None = None,
    unit: str | None = None,
    event: int | None = None,
    inferred: bool = False,
) -> FactDraft:
    """A draft of a known property, quoting the sentence of its clause. Raises KeyError for a property that is not in the table."""
    spec = properties()[name]
    confidence = standing.confidence - (0.1 if clause.told else 0.0) - (0.15 if inferred else 0.0)
    if subject.speaker is not None and subject.speaker != speech.speaker:
        confidence -= 0.15
    return FactDraft(
        subject=subject,
        property=name,
        value=value,
        quote=speech.quote_of(clause.sentence),
        value_type=spec.value_type,
        cardinality=spec.cardinality,
        value_mention=value_mention,
        typed=typed,
        unit=unit,
        polarity=standing.polarity,
        inferred=inferred,
        confidence=round(max(confidence, 0.1), 2),
        valid=standing.valid,
        time=standing.time,
        event=event,
    )


def value_mention(token: Token, speech: Speech) -> Mention | None:
    """The entity that a value is, where it is one: a name, what is called by one, or somebody by relation."""
    if token.pos_ not in ("PROPN", "NOUN"):
        return None
    called = called_name(token)
    if called is not None and token.pos_ == "NOUN":
        return Mention(called.text, type_of_common(token), speech.quote(called.start_char, called.end_char))
    return mention_of(token, speech)


def called_name(token: Token) -> Span | None:
    """The name in "a language school called Ponte Azul"."""
    return given_name(token) if token.pos_ == "NOUN" else None
