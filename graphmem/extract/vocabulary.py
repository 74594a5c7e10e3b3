"""The closed vocabulary of extraction: entity types and known properties, read from the data files beside this module.

A text never adds to it. A word that no property covers stays in the turn and in its events.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any, get_args

from graphmem.errors import ConfigurationError
from graphmem.records import Cardinality, ValueType


@dataclass(frozen=True, slots=True)
class PropertySpec:
    """A known property: its canonical name, whether one value succeeds another, the type of its values, what it means, and the
    type of entity that a name is as its value (None where it may be any)."""

    name: str
    cardinality: Cardinality
    value_type: ValueType
    about: str
    entity: str | None = None


def read_table(package: str, name: str) -> dict[str, Any]:
    """A TOML file that lies beside the modules of a package. Raises ConfigurationError where it cannot be read."""
    try:
        text = resources.files(package).joinpath(name).read_text(encoding="utf-8")
        return tomllib.loads(text)
    except (OSError, tomllib.TOMLDecodeError) as exc:
        raise ConfigurationError(
            f"the data file {name} of {package} cannot be read: {exc}; reinstall graphmem"
        ) from exc


@cache
def entity_types() -> Mapping[str, str]:
    """Each entity type with the line that says what belongs to it, in the order of the file."""
    return MappingProxyType({name: str(about) for name, about in read_table(__package__, "entity_types.toml").items()})


@cache
def properties() -> Mapping[str, PropertySpec]:
    """The known properties by name. Raises ConfigurationError for an entry with an unknown cardinality or value type."""
    table: dict[str, PropertySpec] = {}
    for name, entry in read_table(__package__, "properties.toml").items():
        cardinality, value_type = entry.get("cardinality"), entry.get("value_type")
        if cardinality not in get_args(Cardinality) or value_type not in get_args(ValueType) or not entry.get("about"):
            raise ConfigurationError(
                f"properties.toml: {name} has cardinality {cardinality!r}, value_type {value_type!r}"
            )
        table[name] = PropertySpec(name, cardinality, value_type, entry["about"], entry.get("entity"))
    return MappingProxyType(table)


@cache
def property_patterns() -> Mapping[str, tuple[Mapping[str, Any], ...]]:
    """The raw ``when`` entries of each property: the wordings that state it. The rules compile them."""
    entries = read_table(__package__, "properties.toml")
    return MappingProxyType({name: tuple(entry.get("when", ())) for name, entry in entries.items()})
