"""Amounts in one unit: what is said in pounds and kilograms can be compared. The only file that imports pint.

A property, or else the kind of quantity, has one unit that numbers are kept in; the value as said stands beside it. Units that pint does
not know (pages, euros) stay as they are; currencies are never converted, for rates change.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pint

_OF_PROPERTY = {"weight": "kg", "height": "cm", "age": "year"}
_OF_KIND = {
    "[mass]": "kg",
    "[length]": "m",
    "[length] ** 2": "m2",
    "[length] ** 3": "l",
    "[time]": "s",
    "[length] / [time]": "km/h",
    "[temperature]": "degC",
}
_PINT_NAMES = {
    "m2": "meter**2",
    "km2": "kilometer**2",
    "m3": "meter**3",
    "sqm": "meter**2",
    "sqft": "foot**2",
    "k": "kilometer",
}
_CURRENCIES = {
    "€": "EUR", "euro": "EUR", "euros": "EUR", "$": "USD", "us$": "USD", "dollar": "USD", "dollars": "USD", "£": "GBP",
    "pounds sterling": "GBP", "¥": "JPY", "yen": "JPY", "yuan": "CNY", "franc": "CHF", "francs": "CHF", "rupees": "INR",
}  # fmt: skip
_CODE = re.compile(r"[A-Z]{3}")


@dataclass(frozen=True, slots=True)
class Amount:
    """A number and its unit, in the unit that it is kept in."""

    number: float
    unit: str | None


def in_kept_unit(number: float, unit: str | None, property_name: str) -> Amount:
    """An amount in the unit in which those of its property, or of its kind, are kept; as it is where there is none or it does not fit."""
    unit = (unit or "").strip()
    if not unit:
        return Amount(number, None)
    currency = _CURRENCIES.get(unit.casefold())
    if currency is not None or _CODE.fullmatch(unit):
        return Amount(number, currency or unit)
    parsed = _parsed(unit)
    if parsed is None:
        return Amount(number, unit)
    kept = _OF_PROPERTY.get(property_name) or _OF_KIND.get(_kind(parsed))
    if kept is None:
        return Amount(number, unit)
    registry = _registry()
    try:
        converted = registry.Quantity(number, parsed).to(_PINT_NAMES.get(kept, kept)).magnitude
    except Exception:  # pint's errors share no base below Exception
        return Amount(number, unit)
    return Amount(float(f"{converted:.10g}"), kept)


@cache
def _parsed(unit: str) -> pint.Unit | None:
    plain = unit.replace("²", "2").replace("³", "3")
    try:
        return _registry().parse_units(_PINT_NAMES.get(plain.casefold(), plain))
    except Exception:  # whatever a model takes for a unit: pint parses it, and may fail in any way
        return None


def _kind(unit: Any) -> str:
    return str(unit.dimensionality)


@cache
def _registry() -> pint.UnitRegistry[float]:
    # Made when the first amount comes: reading pint's definitions takes half a second, which a start of the program need not pay.
    import pint

    return pint.UnitRegistry(cache_folder=None)
