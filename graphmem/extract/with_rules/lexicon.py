"""The words that the rules know, from ``lexicon.toml``, as frozen sets and maps."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from graphmem.extract.vocabulary import read_table


@cache
def _table() -> Mapping[str, Any]:
    return MappingProxyType(read_table(__package__, "lexicon.toml"))


@cache
def words(name: str) -> frozenset[str]:
    """A list of the lexicon by its key."""
    return frozenset(_table()[name])


@cache
def kin() -> Mapping[str, str]:
    """The property that each word of kin and company states."""
    return MappingProxyType(dict(_table()["kin"]))


@cache
def species() -> frozenset[str]:
    """Words for animals that people keep."""
    return frozenset(_table()["species"]["words"])


@cache
def synonyms() -> Mapping[str, tuple[str, ...]]:
    """Other wordings of a verb."""
    return MappingProxyType({verb: tuple(others) for verb, others in _table()["synonyms"].items()})


@cache
def type_of_noun() -> Mapping[str, str]:
    """The entity type that a common noun tells."""
    return MappingProxyType({noun: kind for kind, nouns in _table()["nouns"].items() for noun in nouns})


@cache
def favourites() -> Mapping[str, str]:
    """The property for a favourite of each kind."""
    return MappingProxyType(dict(_table()["favourites"]))


@cache
def listed(name: str) -> frozenset[str]:
    """A list that ``properties.toml`` names with "@"."""
    return frozenset(_table()["lists"][name])


@cache
def irregular_pasts() -> Mapping[str, str]:
    """The lemma of each irregular past form."""
    return MappingProxyType(dict(_table()["irregular"]))


@cache
def canonical_kin() -> Mapping[str, str]:
    """The usual word for each word of kin that has one."""
    return MappingProxyType(dict(_table()["canonical_kin"]))
