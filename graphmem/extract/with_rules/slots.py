"""Where the value of a fact stands in a clause: object, complement, inner verb, or object of a preposition."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from graphmem.extract.with_rules.clauses import Clause
from graphmem.extract.with_rules.lexicon import words

if TYPE_CHECKING:
    from graphmem.extract.with_rules.parse import Token

_BETWEEN = frozenset(
    {"back", "over", "up", "down", "out", "away", "here", "there", "home", "originally", "remotely", "along", "together", "now", "still"}
)  # fmt: skip
_WITH_OBJECT = frozenset(
    {"have", "get", "lose", "quit", "leave", "start", "begin", "accept", "land", "take", "find"}
)  # fmt: skip


def objects_of(link: Token, clause: Clause) -> Iterator[Token]:
    """Direct objects, coordinated ones one by one; what a relative clause is about; "sushi" in "what I don't like is sushi"."""
    has_own = any(child.dep_ == "dobj" for child in link.children)
    if clause.antecedent is not None and link == clause.head and not has_own:
        yield clause.antecedent
    for child in link.children:
        if child.dep_ == "dobj" and child.tag_ == "WP" and link.dep_ == "csubj":
            yield from (
                other for other in link.head.children if other.dep_ in ("attr", "acomp") and other.i > link.head.i
            )
        elif child.dep_ == "dobj" or (child.dep_ in ("xcomp", "ccomp") and child.pos_ in ("NOUN", "PROPN")):
            for part in (child, *child.conjuncts):
                yield from _measured(part)


def complements_of(link: Token) -> Iterator[Token]:
    """What somebody is or becomes, coordinated ones one by one."""
    for child in link.children:
        if child.dep_ in ("attr", "acomp", "oprd", "dobj") or (child.dep_ == "xcomp" and child.pos_ in ("NOUN", "ADJ")):
            yield child
            yield from (other for other in child.conjuncts if other.pos_ in ("NOUN", "ADJ", "PROPN"))
        elif child.dep_ == "advcl" and child.pos_ == "ADJ":
            yield child


def inner_of(link: Token, clause: Clause) -> Iterator[Token]:
    """The verb that follows: "hiking" in "I love hiking"."""
    position = clause.chain.index(link)
    if position + 1 < len(clause.chain):
        yield clause.chain[position + 1]
        return
    for child in link.children:
        subjectless = not any(grand.dep_ in ("nsubj", "nsubjpass") for grand in child.children)
        if child.dep_ in ("xcomp", "ccomp") and child.tag_ == "VBG" and subjectless:
            yield child


def objects_of_prepositions(
    link: Token, preps: frozenset[str], adjectives: frozenset[str], nouns: frozenset[str]
) -> Iterator[Token]:
    """Objects of the prepositions, where these hang on the verb, on one of the adjectives or on one of the nouns beside it."""
    for holder in _holders(link, preps, adjectives, nouns):
        for prep in holder.children:
            if prep.dep_ not in ("prep", "agent", "dative") or prep.lower_ not in preps:
                continue
            for child in prep.children:
                if child.dep_ == "pobj":
                    yield from (child, *child.conjuncts)
                elif child.dep_ == "pcomp" and child.tag_ == "VBG":
                    yield child
                elif child.dep_ == "prep":
                    yield from (deep for deep in child.children if deep.dep_ == "pobj")


def _holders(link: Token, preps: frozenset[str], adjectives: frozenset[str], nouns: frozenset[str]) -> Iterator[Token]:
    wanted = adjectives | nouns
    if wanted:
        beside = [child for child in link.children if child.lemma_.lower() in wanted]
        yield from (child for child in beside if child.dep_ in ("acomp", "attr", "dobj", "nsubjpass"))
        if link.lemma_ in _WITH_OBJECT and any(child.dep_ == "dobj" for child in beside):
            yield link
        return
    yield link
    for child in link.children:
        if child.dep_ in ("advmod", "prep", "prt", "attr", "acomp") and child.lower_ in _BETWEEN:
            yield child
        if child.dep_ == "prep" and child.lower_ == "as" and "as" not in preps:
            yield from (grand for grand in child.children if grand.dep_ == "pobj")


def _measured(token: Token) -> Iterator[Token]:
    """What is measured, for a measure ("a cup of coffee"); else the token itself."""
    if token.lemma_.lower() not in words("measures"):
        yield token
        return
    for prep in token.children:
        if prep.dep_ == "prep" and prep.lower_ == "of":
            yield from (child for child in prep.children if child.dep_ == "pobj")
