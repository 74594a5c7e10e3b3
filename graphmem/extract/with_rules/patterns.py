"""The wordings of ``properties.toml``, compiled, and the values that a clause gives them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from graphmem.errors import ConfigurationError
from graphmem.extract.vocabulary import properties, property_patterns
from graphmem.extract.with_rules.clauses import Clause, with_particle
from graphmem.extract.with_rules.lexicon import listed
from graphmem.extract.with_rules.names import name_span_at
from graphmem.extract.with_rules.people import BARE, FIRST, SECOND, Speech
from graphmem.extract.with_rules.slots import complements_of, inner_of, objects_of, objects_of_prepositions

if TYPE_CHECKING:
    from graphmem.extract.with_rules.parse import Token

_SLOTS = frozenset({"self", "object", "complement", "inner", "prep"})
_KEYS = frozenset(
    {
        "verbs",
        "value",
        "words",
        "needs",
        "change",
        "ends",
        "past",
        "preps",
        "adjectives",
        "nouns",
        "progressive",
        "bare",
    }
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
    bare: bool


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
        bare=entry.get("bare", False),
    )


def matches(clause: Clause, timed: frozenset[int]) -> Iterator[Match]:
    """Every value that the clause states for a known property, coordinated values one by one."""
    table = patterns_by_verb()
    for link in clause.chain:
        lemma = with_particle(link)
        names = {lemma, link.lemma_.lower()}
        if any(child.dep_ == "auxpass" for child in link.children) or (link.tag_ == "VBN" and clause.passive):
            names.add(f"be {link.lower_}")
        for name in sorted(names):
            for pattern in table.get(name, ()):
                if pattern.progressive and clause.tense != "progressive" and link.tag_ != "VBG":
                    continue
                for value in _values(pattern, link, clause):
                    if value.i not in timed and _fits(pattern, value):
                        yield Match(pattern, link, value)


def _values(pattern: Pattern, link: Token, clause: Clause) -> Iterator[Token]:
    if pattern.value == "inner":
        return inner_of(link, clause)
    if pattern.value == "self":
        return iter((link,))
    if pattern.value == "object":
        return objects_of(link, clause)
    if pattern.value == "complement":
        return complements_of(link)
    return objects_of_prepositions(link, pattern.preps, pattern.adjectives, pattern.nouns)


def _fits(pattern: Pattern, value: Token) -> bool:
    word = value.lemma_.lower()
    if pattern.value == "self":
        return True
    if pattern.bare and (value.tag_ == "NN" and any(child.lower_ in ("a", "an") for child in value.children)):
        return False
    if pattern.bare and any(child.dep_ in ("dobj", "prt") for child in value.children):
        return False
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
        return named and value.ent_type_ not in ("DATE", "TIME", "CARDINAL", "MONEY")
    if pattern.needs == "employer":
        return (
            value.pos_ in ("NOUN", "PROPN")
            and value.ent_type_ not in ("DATE", "TIME", "CARDINAL")
            and word not in _NOT_EMPLOYERS | _WHILES
        )
    if value.tag_ in ("JJR", "JJS", "RBR") or word in _WHILES:
        return False
    return value.pos_ in ("NOUN", "PROPN", "ADJ", "NUM", "X") or value.tag_ == "VBG"


_WHILES = frozenset(
    {"while", "bit", "moment", "minute", "now", "end", "fun", "month", "week", "day", "year", "hour", "weekend"}
)
_NAMES = frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "PRODUCT", "NORP", "EVENT", "WORK_OF_ART"})
_NOT_EMPLOYERS = frozenset(
    {"home", "night", "day", "weekend", "hour", "year", "month", "week", "moment", "least", "all", "once", "goal", "dream", "project",
     "change", "cause", "future", "living", "free", "fun", "dinner", "money", "people", "kid", "child", "student", "pace", "time", "thing",
     "presentation", "piece", "song", "event", "game", "career", "improvement", "competition", "exam", "team", "music", "level", "own"}
)  # fmt: skip


def _previous(token: Token) -> str:
    return token.nbor(-2).lower_ if token.i >= 2 and token.nbor(-1).text == "-" else ""


def learn_types(clause: Clause, timed: frozenset[int], speech: Speech) -> None:
    """Note the types of names that the known properties tell: what somebody lives in is a place, whatever the model calls it."""
    for match in matches(clause, timed):
        expected = properties()[match.pattern.property].entity
        span = name_span_at(match.value)
        if expected is not None and span is not None:
            speech.types.setdefault(span.text, expected)
