"""Property names and values: a name becomes canonical snake_case or is refused; a value gets its type beside the words it was said in."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from datetime import datetime
from typing import cast, get_args

from graphmem.extract.vocabulary import PropertySpec, properties
from graphmem.extract.with_model.times import own_interval
from graphmem.extract.with_model.units import in_kept_unit
from graphmem.records import Cardinality, FactDraft, Turn, ValueType
from graphmem.temporal import normalise

LONGEST_NAME = 60
_CANONICAL = re.compile(r"[a-z][a-z0-9_]*")
_NUMBER = re.compile(r"[-+−]?\d[\d,.\u00a0\u202f ]*")
_YES = frozenset({"true", "yes", "y", "1"})
_NO = frozenset({"false", "no", "n", "0"})
_WORDS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen "
        "twenty".split()
    )
}

Typed = int | float | bool | datetime | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Value:
    """A value in its own type: ``typed`` is None for text and for what cannot be read as its type. ``unit`` is that of ``typed``."""

    value_type: ValueType
    cardinality: Cardinality
    typed: Typed | None = None
    unit: str | None = None


def property_name(given: str) -> str | None:
    """The canonical form of a property's name: favourite_colour for "favouriteColour"; None if it has none.

    The canonical form is ASCII: a lower-case letter, then letters, digits and underscores, 60 characters at most.
    """
    plain = (
        "".join(char for char in unicodedata.normalize("NFKD", given.strip()) if not unicodedata.combining(char))
        .replace("'", "")
        .replace("’", "")
    )
    if re.search(r"[^\W_]", re.sub(r"[ -~]", "", plain)):
        return None  # letters of another script: what is left of the name without them would be another name
    broken = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", plain)
    name = re.sub(r"[^a-z0-9]+", "_", broken.lower()).strip("_")
    return name if len(name) <= LONGEST_NAME and _CANONICAL.fullmatch(name) else None


def spec_of(name: str) -> PropertySpec | None:
    """What is known of a property, None for one that no table lists."""
    return properties().get(name)


def value_of(name: str, value: str, declared: str, unit: str, turn: Turn, spec: PropertySpec | None = None) -> Value:
    """The value of a property in its type: the property's own where it is known (by the table, or as ``spec``), else the declared one."""
    spec = spec or spec_of(name)
    cardinality: Cardinality = "many" if spec is None else spec.cardinality
    if spec is not None:
        value_type = spec.value_type
    else:
        declared = declared.strip().lower()
        value_type = cast(ValueType, declared) if declared in get_args(ValueType) else "string"
    if value_type in ("integer", "float"):
        return _number(name, value, value_type, cardinality, unit)
    return Value(value_type, cardinality, _coerced(value, value_type, turn), unit.strip() or None)


def recast(fact: FactDraft, spec: PropertySpec, turn: Turn) -> FactDraft:
    """A fact of a property that was decided to be this one: renamed, with its value in that property's type."""
    value = value_of(spec.name, fact.value, fact.value_type, fact.unit or "", turn, spec)
    return replace(
        fact,
        property=spec.name,
        value_type=value.value_type,
        cardinality=value.cardinality,
        typed=value.typed,
        unit=value.unit,
        value_mention=fact.value_mention if value.typed is None else None,
    )


def _number(name: str, value: str, value_type: ValueType, cardinality: Cardinality, unit: str) -> Value:
    found = _NUMBER.search(value)
    number = _WORDS.get(value.strip().lower()) if found is None else read_number(found[0])
    if number is None:
        return Value(value_type, cardinality, None, unit.strip() or None)
    amount = in_kept_unit(number, unit or (_unit_after(value, found) if found is not None else ""), name)
    if value_type == "integer" and amount.number == int(amount.number):
        return Value(value_type, cardinality, int(amount.number), amount.unit)
    return Value(value_type, cardinality, amount.number, amount.unit)


def _unit_after(value: str, number: re.Match[str]) -> str:
    """The unit written with the number, where the model did not give it apart: "31.5 kg", "€40"."""
    rest = value[number.end() :].strip()
    return rest if rest and len(rest.split()) <= 2 else value[: number.start()].strip()


def read_number(text: str) -> float | None:
    """A number as people write it: "1,200", "1.200,50", "31.5", "1 200"; None where it is none.

    A single mark before exactly three digits separates thousands if it is a comma, decimals if it is a point.
    """
    plain = re.sub(r"[\s\u00a0\u202f]", "", text).replace("−", "-").rstrip(".,")
    if "," in plain and "." in plain:
        decimal = max(plain.rfind(","), plain.rfind("."))
        plain = re.sub(r"[.,]", "", plain[:decimal]) + "." + plain[decimal + 1 :]
    elif re.fullmatch(r"[-+]?\d{1,3}(?:,\d{3})+", plain):
        plain = plain.replace(",", "")
    elif re.fullmatch(r"[-+]?\d{1,3}(?:\.\d{3}){2,}", plain):
        plain = plain.replace(".", "")
    else:
        plain = plain.replace(",", ".")
    try:
        return float(plain)
    except ValueError:
        return None


def _coerced(value: str, value_type: ValueType, turn: Turn) -> Typed | None:
    plain = value.strip()
    if value_type == "boolean":
        return True if plain.lower() in _YES else False if plain.lower() in _NO else None
    if value_type in ("date", "datetime"):
        written = own_interval(plain, "", turn.said_at)
        if written is not None:
            return written.start
        read = [each.interval for each in normalise(plain, turn.said_at) if each.interval is not None]
        return read[0].start if len(read) == 1 and read[0].granularity in ("day", "hour", "minute", "instant") else None
    if value_type == "list":
        parts = (part.strip() for part in re.split(r",|;|\band\b|、|，", plain))
        return tuple(part for part in parts if part)
    return None
