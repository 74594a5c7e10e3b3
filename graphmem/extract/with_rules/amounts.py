"""Amounts in a text: numbers with their units, money, versions and codes, each with its place."""

from __future__ import annotations

import re
from dataclasses import dataclass

_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
    "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_UNITS = {
    "kg": "kg", "kilo": "kg", "kilos": "kg", "kilogram": "kg", "kilograms": "kg", "lb": "lb", "lbs": "lb", "pound": "lb", "g": "g",
    "km": "km", "kilometer": "km", "kilometers": "km", "kilometre": "km", "kilometres": "km", "k": "km", "mile": "mile", "miles": "mile",
    "m": "m", "meter": "m", "meters": "m", "metre": "m", "metres": "m", "cm": "cm", "mm": "mm", "foot": "foot", "feet": "foot",
    "ft": "foot", "inch": "inch", "inches": "inch", "l": "l", "liter": "l", "liters": "l", "litre": "l", "litres": "l", "ml": "ml",
    "mg": "mg", "calorie": "kcal", "calories": "kcal", "kcal": "kcal", "percent": "%", "%": "%", "gb": "GB", "tb": "TB", "mb": "MB",
    "hp": "hp", "kwh": "kWh", "page": "page", "pages": "page", "step": "step", "steps": "step", "rep": "rep", "reps": "rep",
    "point": "point", "points": "point", "mph": "mph", "lap": "lap", "laps": "lap", "cup": "cup", "cups": "cup",
}  # fmt: skip
_CURRENCIES = {
    "€": "EUR", "$": "USD", "£": "GBP", "euro": "EUR", "euros": "EUR", "eur": "EUR", "dollar": "USD", "dollars": "USD", "usd": "USD",
    "buck": "USD", "bucks": "USD", "pound": "GBP", "pounds": "GBP", "gbp": "GBP", "quid": "GBP", "yen": "JPY", "yuan": "CNY",
    "rupees": "INR", "francs": "CHF", "chf": "CHF",
}  # fmt: skip
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
_SPELT = "|".join(sorted(_WORDS, key=len, reverse=True))
_UNIT = "|".join(
    re.escape(unit) for unit in sorted({*_UNITS, *(c for c in _CURRENCIES if c.isalpha())}, key=len, reverse=True)
)
_AMOUNT = re.compile(
    rf"(?<![\w.,-])(?:(?P<sign>[€$£])\s?(?P<paid>{_NUMBER})(?P<scale>k\b|\s(?:thousand|million)\b)?"
    rf"|(?P<number>{_NUMBER}|(?:{_SPELT})(?:-(?:{_SPELT}))?)(?P<big>\s(?:thousand|million|hundred)\b)?[\s-]?(?P<unit>{_UNIT})(?![\w]))",
    re.IGNORECASE,
)
_VERSION = re.compile(
    r"\b(?:version|v\.?|release|build|firmware|update)\s?(\d+(?:\.\d+){0,3}[a-z]?\d*)\b|\b(\d+\.\d+\.\d+)\b",
    re.IGNORECASE,
)
_SCALE = {"k": 1_000, "thousand": 1_000, "million": 1_000_000, "hundred": 100}


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit: ``text`` as said at code points ``start`` to ``end``, ``money`` where the unit is a currency (ISO 4217)."""

    text: str
    start: int
    end: int
    number: float
    unit: str
    money: bool


def amounts_in(text: str) -> tuple[Amount, ...]:
    """The amounts of a text, in order."""
    found = []
    for match in _AMOUNT.finditer(text):
        sign = match.group("sign")
        if sign is not None:
            value = float(match.group("paid").replace(",", "")) * _SCALE.get(
                (match.group("scale") or "").strip().lower(), 1
            )
            found.append(Amount(match.group(), *match.span(), value, _CURRENCIES[sign], True))
            continue
        unit = match.group("unit").lower()
        number = number_of(match.group("number"))
        if number is None:
            continue
        number *= _SCALE.get((match.group("big") or "").strip().lower(), 1)
        money = unit in _CURRENCIES and unit != "pound"
        found.append(Amount(match.group(), *match.span(), number, _CURRENCIES[unit] if money else _UNITS[unit], money))
    return tuple(found)


def number_of(text: str) -> float | None:
    """A number in figures or words up to ninety-nine; None where it is none."""
    plain = text.lower().replace(",", "")
    try:
        return float(plain)
    except ValueError:
        pass
    parts = plain.split("-")
    if all(part in _WORDS for part in parts):
        return float(sum(_WORDS[part] for part in parts))
    return None


def versions_in(text: str) -> tuple[tuple[str, int, int], ...]:
    """Version numbers with their place: "version 2.4.1", "firmware 3.1", "3.1.2" on its own."""
    found = []
    for match in _VERSION.finditer(text):
        group = 1 if match.group(1) is not None else 2
        found.append((match.group(group), *match.span(group)))
    return tuple(found)
