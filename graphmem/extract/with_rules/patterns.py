"""The wordings of ``properties.toml``, compiled, and the values that a clause gives them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from graphmem.errors import ConfigurationError
from graphmem.extract.vocabulary import property_patterns
from graphmem.extract.with_rules.clauses import Clause, with_particle
from graphmem.extract.with_rules.lexicon import listed
from graphmem.extract.with_rules.parse import Token
from graphmem.extract.with_rules.people import BARE, FIRST, SECOND

_SLOTS = frozenset({"object", "complement", "inner", "prep"})
_KEYS = frozenset(
    {"verbs", "value", "words", "needs", "change", "ends", "past", "preps", "adjectives", "nouns", "progressive"}
)


@dataclass(frozen=True, slots=True)
class Pattern:
    """One wording of a property. The fields are those of an entry of ``when``, as ``properties.toml`` explains them."""

    property: str
    verbs: frozenset[str]
    value: str
    words: frozenset[str]
    needs: str
    change: bool
    ends: bool
    past: str
    preps: frozenset[str]
    adjectives: frozenset[str]
    nouns: frozenset[str]
    progressive: bool


@dataclass(frozen=True, slots=True)
class Match:
    """A pattern with the head of one value that a clause gives it, and the verb of the chain that matched."""

    pattern: Pattern
    verb: Token
    value: Token


@cache
def patterns_by_verb() -> Mapping[str, tuple[Pattern, ...]]:
    """All patterns by the verbs that they start from. Raises ConfigurationError for an entry that cannot be read."""
    table: dict[str, list[Pattern]] = {}
    for name, entries in property_patterns().items():
        for entry in entries:
            pattern = _compiled(name, entry)
            for verb in pattern.verbs:
                table.setdefault(verb, []).append(pattern)
    return MappingProxyType({verb: tuple(patterns) for verb, patterns in table.items()})


def _compiled(name: str, entry: Mapping[str, Any]) -> Pattern:
    unknown = set(entry) - _KEYS
    if unknown or entry.get("value") not in _SLOTS or not entry.get("verbs"):
        raise ConfigurationError(f"properties.toml: a wording of {name} cannot be read: {dict(entry)!r}")
    wanted = entry.get("words", ())
    return Pattern(
        property=name,
        verbs=frozenset(entry["verbs"]),
        value=entry["value"],
        words=listed(wanted[1:]) if isinstance(wanted, str) else frozenset(wanted),
        needs=entry.get("needs", ""),
        change=entry.get("change", False),
        ends=entry.get("ends", False),
        past=entry.get("past", "ended"),
        preps=frozenset(entry.get("preps", ())),
        adjectives=frozenset(entry.get("adjectives", ())),
        nouns=frozenset(entry.get("nouns", ())),
        progressive=entry.get("progressive", False),
    )


def matches(clause: Clause, timed: frozenset[int]) -> Iterator[Match]:
    """Every value that the clause states for a known property, coordinated values one by one."""
    table = patterns_by_verb()
    for position, link in enumerate(clause.chain):
        lemma = with_particle(link)
        names = {lemma, link.lemma_.lower()}
        if any(child.dep_ == "auxpass" for child in link.children) or (link.tag_ == "VBN" and clause.passive):
            names.add(f"be {link.lower_}")
        for name in sorted(names):
            for pattern in table.get(name, ()):
                if pattern.progressive and clause.tense != "progressive" and link.tag_ != "VBG":
                    continue
                for value in _values(pattern, link, clause, position):
                    if value.i not in timed and _fits(pattern, value):
                        yield Match(pattern, link, value)


def _values(pattern: Pattern, link: Token, clause: Clause, position: int) -> Iterator[Token]:
    if pattern.value == "inner":
        if position + 1 < len(clause.chain):
            yield clause.chain[position + 1]
        return
    if pattern.value == "object":
        if clause.antecedent is not None and link == clause.head and not _has(link, "dobj"):
            yield clause.antecedent
        for child in link.children:
            if child.dep_ == "dobj" or (child.dep_ in ("xcomp", "ccomp") and child.pos_ in ("NOUN", "PROPN")):
                yield from (child, *child.conjuncts)
        return
    if pattern.value == "complement":
        for child in link.children:
            if child.dep_ in ("attr", "acomp", "oprd", "dobj") or (
                child.dep_ == "xcomp" and child.pos_ in ("NOUN", "ADJ")
            ):
                yield child
                yield from (other for other in child.conjuncts if other.pos_ in ("NOUN", "ADJ", "PROPN"))
            elif child.dep_ == "advcl" and child.pos_ == "ADJ":
                yield child
        return
    for holder in _holders(pattern, link):
        for prep in holder.children:
            if prep.dep_ in ("prep", "agent", "dative") and prep.lower_ in pattern.preps:
                for obj in prep.children:
                    if obj.dep_ == "pobj":
                        yield from (obj, *obj.conjuncts)
                    elif obj.dep_ == "pcomp" and obj.tag_ == "VBG":
                        yield obj
                    elif obj.dep_ == "prep":
                        yield from (deep for deep in obj.children if deep.dep_ == "pobj")


def _has(token: Token, dependency: str) -> bool:
    return any(child.dep_ == dependency for child in token.children)


def _holders(pattern: Pattern, link: Token) -> Iterator[Token]:
    """What the preposition hangs on: an adjective or noun that the pattern names, else the verb and its adverbs."""
    if pattern.adjectives or pattern.nouns:
        for child in link.children:
            if (
                child.dep_ in ("acomp", "attr", "dobj", "nsubjpass")
                and child.lemma_.lower() in pattern.adjectives | pattern.nouns
            ) or (child.dep_ == "dobj" and link.lemma_ in ("have", "get") and child.lemma_.lower() in pattern.nouns):
                yield child
        objects = [child for child in link.children if child.dep_ == "dobj" and child.lemma_.lower() in pattern.nouns]
        if objects and link.lemma_ in _WITH_OBJECT:
            yield link
        return
    yield link
    for child in link.children:
        if child.dep_ in ("advmod", "prep", "prt", "attr", "acomp") and child.lower_ in _BETWEEN:
            yield child


_WITH_OBJECT = frozenset(
    {"have", "get", "lose", "quit", "leave", "start", "begin", "accept", "land", "take", "find"}
)  # fmt: skip
_BETWEEN = frozenset(
    {
        "back",
        "over",
        "up",
        "down",
        "out",
        "away",
        "here",
        "there",
        "home",
        "originally",
        "remotely",
        "along",
        "together",
    }
)


def _fits(pattern: Pattern, value: Token) -> bool:
    word = value.lemma_.lower()
    if pattern.words:
        return bool({word, value.lower_} & pattern.words) or f"{_previous(value)}-{word}" in pattern.words
    if pattern.value == "inner":
        return value.pos_ in ("VERB", "NOUN")
    if value.lower_ in BARE | FIRST | SECOND or value.lower_ in (
        "home",
        "time",
        "way",
        "lot",
        "bit",
        "part",
        "sure",
        "moment",
        "idea",
    ):
        return False
    named = value.pos_ == "PROPN" or value.ent_type_ in _NAMES
    if pattern.needs == "name":
        return named and value.ent_type_ not in ("DATE", "TIME", "CARDINAL", "MONEY")
    if pattern.needs == "place":
        return (
            named and value.ent_type_ not in ("DATE", "TIME", "CARDINAL", "MONEY", "PERSON")
        ) or value.ent_type_ in ("GPE", "LOC")
    if pattern.needs == "employer":
        return (
            value.pos_ in ("NOUN", "PROPN")
            and value.ent_type_ not in ("DATE", "TIME", "CARDINAL")
            and word not in _NOT_EMPLOYERS
        )
    return value.pos_ in ("NOUN", "PROPN", "ADJ", "NUM", "X") or value.tag_ == "VBG"


_NAMES = frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "PRODUCT", "NORP", "EVENT", "WORK_OF_ART"})
_NOT_EMPLOYERS = frozenset(
    {"home", "night", "day", "weekend", "hour", "year", "month", "week", "moment", "least", "all", "once", "goal", "dream", "project",
     "change", "cause", "future", "living", "free", "fun", "dinner", "money", "people", "kid", "child", "student", "pace", "time", "thing",
     "presentation", "piece", "song", "event", "game", "career", "improvement", "competition", "exam", "team", "music", "level", "own"}
)  # fmt: skip


def _previous(token: Token) -> str:
    return token.nbor(-2).lower_ if token.i >= 2 and token.nbor(-1).text == "-" else ""
