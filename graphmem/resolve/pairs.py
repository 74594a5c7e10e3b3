"""Entities that could be one, for a person to decide; and what follows from decisions. Pure.

A pair is offered when two of its names are near in meaning, share a word, or one is the other's initials; when the types can be one
thing; when nothing that tells two things apart speaks against it (other digits, other speaker ids, relations that no one person has
both of); and when nobody has decided it yet. That two people share no word of their names is no objection here: "Liz" and "Elizabeth"
are for a person to see.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from graphmem.ids import normalise_name
from graphmem.resolve.decide import compatible, digits_of, relations_agree

LEAST = 0.9
"""Score of two names, the cosine mapped to [0, 1], from which they are near: nicknames reach it, different things of one kind do not."""

_SHARES_A_WORD = 0.88
_INITIALS = 0.89
_COMMON = 6
"""A word that more entities than this have in their names tells nothing."""

_SHORTEST = 3
"""Letters of a word that counts, and the fewest initials."""


@dataclass(frozen=True, slots=True)
class Named:
    """An entity, as one with all that were decided to be it. ``relations`` are those that it was introduced by ("Ana's brother")."""

    id: str
    ids: tuple[str, ...]
    type: str
    names: tuple[str, ...]
    external_ids: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Near:
    """Two entities by identifier, and two names of theirs with how near they are."""

    one: str
    other: str
    name: str
    other_name: str
    score: float


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision about two entities: whether they are the same, when it was made (ISO, sorts as text), by whom and why."""

    one: str
    other: str
    same: bool
    decided_at: str
    decided_by: str = "person"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two entities that could be one, how much speaks for it (0 to 1) and what."""

    one: Named
    other: Named
    score: float
    because: str


def likely(entities: Sequence[Named], near: Iterable[Near], decided: Iterable[Decided]) -> list[Pair]:
    """The pairs to ask about, the likeliest first."""
    owner = {identifier: each for each in entities for identifier in each.ids}
    apart = {frozenset({owner[each.one].id, owner[each.other].id}) for each in standing(decided) if not each.same}
    found: dict[frozenset[str], Pair] = {}
    reasons = [(each, f"the names {each.name!r} and {each.other_name!r} are near") for each in near]
    reasons += [(each, f"{each.name!r} and {each.other_name!r} share a word") for each in _sharing_words(entities)]
    reasons += [(each, f"{each.name!r} are the initials of {each.other_name!r}") for each in _initials(entities)]
    for each, because in sorted(reasons, key=lambda reason: -reason[0].score):
        one, other = sorted((owner[each.one], owner[each.other]), key=lambda named: named.id)
        key = frozenset({one.id, other.id})
        if len(key) == 1 or key in apart or key in found or digits_of(each.name) != digits_of(each.other_name):
            continue
        if _is_what_belongs_to(each.name, each.other_name):
            continue
        if compatible(one.type, other.type) and not _tell_apart(one, other):
            found[key] = Pair(one, other, round(each.score, 4), because)
    return list(found.values())


def standing(decided: Iterable[Decided]) -> list[Decided]:
    """The latest decision of each pair. Of two of one moment, that they are distinct counts, as in the queries."""
    latest: dict[frozenset[str], Decided] = {}
    for each in sorted(decided, key=lambda one: (one.decided_at, not one.same)):
        latest[frozenset({each.one, each.other})] = each
    return list(latest.values())


def between(decided: Iterable[Decided], one: str, other: str) -> list[Decided]:
    """The decisions by which two entities are one through others: the shortest way that does not go directly; [] if there is none."""
    links: Mapping[str, list[tuple[str, Decided]]] = defaultdict(list)
    for each in standing(decided):
        if each.same and {each.one, each.other} != {one, other}:
            links[each.one].append((each.other, each))
            links[each.other].append((each.one, each))
    ways: dict[str, list[Decided]] = {one: []}
    queue = [one]
    while queue:
        here = queue.pop(0)
        for there, each in links[here]:
            if there not in ways:
                ways[there] = [*ways[here], each]
                queue.append(there)
    return ways.get(other, [])


def _tell_apart(one: Named, other: Named) -> bool:
    if one.external_ids and other.external_ids and not set(one.external_ids) & set(other.external_ids):
        return True
    return any(not relations_agree(mine, theirs) for mine in one.relations for theirs in other.relations)


def _is_what_belongs_to(name: str, other: str) -> bool:
    """Whether the names are near only because one thing is somebody's: Ana and Ana's dog, or Ana's dog and Ana's mother."""
    owner, _, thing = normalise_name(name).rpartition("'s ")
    other_owner, _, other_thing = normalise_name(other).rpartition("'s ")
    return thing != other_thing and (thing == other_owner or other_thing == owner or owner == other_owner != "")


def _sharing_words(entities: Sequence[Named]) -> list[Near]:
    bearers: dict[str, dict[str, str]] = defaultdict(dict)
    for each in entities:
        for name in each.names:
            for word in normalise_name(name).split():
                if len(word) >= _SHORTEST:
                    bearers[word].setdefault(each.id, name)
    return [
        Near(one, other, name, other_name, _SHARES_A_WORD)
        for own in bearers.values()
        if len(own) <= _COMMON
        for (one, name), (other, other_name) in combinations(own.items(), 2)
    ]


def _initials(entities: Sequence[Named]) -> list[Near]:
    short: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for each in entities:
        for name in each.names:
            if " " not in name.strip():
                short[normalise_name(name).replace(".", "")].append((each.id, name))
    found = []
    for each in entities:
        for name in each.names:
            initials = "".join(word[0] for word in normalise_name(name).split())
            if len(initials) >= _SHORTEST:
                found += [
                    Near(other, each.id, own, name, _INITIALS) for other, own in short[initials] if other != each.id
                ]
    return found
