"""Favourites: "my favourite colour is blue", "Dune is one of my favourite books". The kind of thing chooses among closed properties."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from graphmem.extract.with_rules.clauses import Clause
from graphmem.extract.with_rules.lexicon import favourites
from graphmem.extract.with_rules.people import BARE, SECOND, Speech, owner
from graphmem.extract.with_rules.standing import Standing
from graphmem.extract.with_rules.statements import called_name, statement, value_mention, value_text
from graphmem.records import FactDraft

if TYPE_CHECKING:
    from graphmem.extract.with_rules.parse import Token

_FAVOURITE = frozenset({"favourite", "favorite", "fave", "fav", "favourites", "favorites", "faves", "favs"})
_KINDLESS = _FAVOURITE | {"thing", "one", "part", "bit", "kind"}
_NO_VALUE = frozenset({"one", "reason", "part", "way", "thing", "lot", "something"})


def favourites_of(clause: Clause, timed: frozenset[int], speech: Speech) -> Iterator[FactDraft]:
    """The favourites that a clause names: with "be", whichever side the favourite stands on, and "my favourite game called Go"."""
    named = [token for token in clause.sentence if _is_favourite(token) and called_name(token) is not None]
    for noun in named:
        if any(ancestor in clause.chain for ancestor in noun.ancestors):
            yield from _stated(noun, [noun], clause, timed, speech)
    if clause.head.lemma_ != "be" or clause.tense not in ("present", "perfect") or clause.subject is None:
        return
    complements = [
        child for child in clause.head.children if child.dep_ in ("attr", "acomp", "xcomp") and child.i > clause.head.i
    ]
    kind = _kind(clause.subject)
    if kind is not None:
        yield from _stated(kind, complements, clause, timed, speech)
        return
    for complement in complements:
        kind = _kind(complement)
        if kind is not None:
            yield from _stated(kind, [clause.subject], clause, timed, speech)


def _is_favourite(token: Token) -> bool:
    return token.lower_ in _FAVOURITE or any(child.lower_ in _FAVOURITE for child in token.children)


def _kind(token: Token) -> Token | None:
    """The noun whose favourite is meant: the token itself, or that after "one of my"."""
    if _is_favourite(token):
        return token
    if token.pos_ not in ("NUM", "PRON", "NOUN", "DET"):
        return None
    for prep in token.children:
        if prep.dep_ == "prep" and prep.lower_ == "of":
            return next((child for child in prep.children if child.dep_ == "pobj" and _is_favourite(child)), None)
    return None


def _stated(
    kind: Token, values: list[Token], clause: Clause, timed: frozenset[int], speech: Speech
) -> Iterator[FactDraft]:
    name = owner(kind, speech)
    if name is None:
        return
    whose = speech.mention_by_name(name, speech.quote_of(clause.sentence))
    category = kind.lemma_.lower()
    property_name = favourites().get(category, "favourite_thing")
    standing = Standing("denied" if clause.negated else "holds", None, None, 0.85)
    for value in values:
        for each in (value, *(other for other in value.conjuncts if other.pos_ in ("NOUN", "PROPN", "ADJ"))):
            told = any(child.dep_ in ("amod", "compound") for child in each.children)
            if (each.lower_ in BARE | SECOND | _NO_VALUE and not told) or (each == kind and called_name(each) is None):
                continue
            if any(
                child.dep_ == "det" and child.lower_ in ("this", "that", "these", "those") for child in each.children
            ):
                continue
            text = value_text(each, timed, speech, whose.name)
            if text and property_name == "favourite_thing" and category not in _KINDLESS:
                text = f"{category}: {text}"
            if text:
                entity = value_mention(each, speech)
                yield statement(whose, property_name, text, clause, speech, standing, value_mention=entity)
