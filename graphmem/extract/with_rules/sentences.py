"""Summaries: a clause as a short sentence in the third person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphmem.extract.with_rules.clauses import Clause
from graphmem.extract.with_rules.people import FIRST, SECOND

if TYPE_CHECKING:
    from graphmem.extract.with_rules.parse import Token


def sentence_of(clause: Clause, subject: str, object_text: str) -> str:
    """The subject, the verbs of the chain with their helpers, and the object as it was said, first letter in upper case."""
    text = " ".join(part for part in (subject, verb_phrase(clause), object_text) if part).strip()
    return text[:1].upper() + text[1:]


def verb_phrase(clause: Clause) -> str:
    """The verbs of the chain with their helpers, first and second person turned to third."""
    doc = clause.head.doc
    outer = clause.outer
    helpers = [child.i for child in outer.children if child.dep_ in ("aux", "auxpass", "neg") and child.i < outer.i]
    words: list[str] = []
    if clause.ended == "no_longer":
        words.append("no longer")
    if outer.tag_ in ("VBN", "VBG") and doc[min([outer.i, *helpers])].lower_ == "been":
        words.append("has")
    if not clause.finite and outer.tag_ in ("VBG", "VBN"):
        words.append("is" if clause.tense in ("present", "progressive", "none") and outer.tag_ == "VBG" else "was")
    elif outer.tag_ == "VBG" and not helpers:
        words.append("was" if clause.tense == "past" else "is")
    for position in range(min([outer.i, *helpers]), clause.head.i + 1):
        token = doc[position]
        if token in clause.chain or (
            token.head in clause.chain and token.dep_ in ("aux", "auxpass", "neg", "prt", "acomp")
        ):
            words.append(_agreeing(token, clause))
        elif token.dep_ == "prep" and token.head in clause.chain[:-1]:
            words.append(token.lower_)
    if any(child.dep_ == "neg" and child.i > outer.i for child in outer.children):
        words.append("not")
    words.extend(child.lower_ for child in clause.head.children if child.dep_ == "prt" and child.i > clause.head.i)
    if clause.ended == "no_longer":
        words = [word for word in words if word not in ("not", "does", "no")]
    return " ".join(dict.fromkeys(words) if words[:1] == ["no longer"] else words)


_AGREE = {
    "am": "is", "'m": "is", "’m": "is", "m": "is", "'re": "is", "’re": "is", "are": "is", "have": "has", "'ve": "has", "’ve": "has",
    "were": "was", "do": "does", "'ll": "will", "’ll": "will", "gon": "going", "na": "to", "wo": "will", "ca": "can", "'d": "had",
    "’d": "had", "'s": "is", "’s": "is", "ve": "has",
}  # fmt: skip
_SHORT = {
    "n't": "not", "n’t": "not", "gon": "going", "na": "to", "wo": "will", "ca": "can", "'ll": "will", "’ll": "will", "'s": "is",
    "’s": "is", "'ve": "have", "’ve": "have", "'re": "are", "’re": "are", "'d": "had", "’d": "had", "'m": "is", "’m": "is",
}  # fmt: skip


def _agreeing(token: Token, clause: Clause) -> str:
    word = token.lower_
    if word == "'s" and token.i + 1 < len(token.doc) and token.nbor().lower_ in ("been", "got", "had"):
        return "has"
    if token.tag_ == "TO":
        return "to"
    personal = clause.subject is None or clause.subject.lower_ in FIRST | SECOND
    if not personal:
        return _SHORT.get(word, word)
    if word in _AGREE and (token.dep_ in ("aux", "auxpass") or token.lemma_ in ("be", "have") or word == "gon"):
        return _AGREE[word] if token.tag_ != "VB" else word
    if word in _SHORT:
        return _SHORT[word]
    helped = any(child.dep_ in ("aux", "auxpass") for child in token.children)
    if token.tag_ == "VBP" and not helped:
        return third_singular(word)
    return word


def third_singular(verb: str) -> str:
    """A present verb as said of one other: work → works, try → tries."""
    if verb in ("have", "do", "go"):
        return {"have": "has", "do": "does", "go": "goes"}[verb]
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh")) else "s")
