"""Sizes and costs: the limits, what is said of one value, and how that of two is joined.

Sizes are in units of one character or one list element, all levels counted; costs are in evaluations of a simple expression. Stored values
count as STORED units: one many times as long is still within what the limits leave. A list that is gone through is checked by the running
query itself (LONGEST_LIST), since collect() has no bound that could be known here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

STORED = 1_000.0
"""Units of a stored property, by rule of thumb."""
STORED_ITEMS = 100.0
"""Elements of a stored list, by rule of thumb."""
LONGEST_LIST = 2_000
"""Elements of a list that a comprehension goes through; the running query checks it."""
LONGEST_RETURNED = 5_000
"""Elements of a list that is given back; a longer one is cut by the running query, and the answer refused."""
LONGEST_RANGE = 10_000
LARGEST = 20_000.0
"""Units of a value that an expression builds, and five times that of all such values of a query together."""
LARGEST_COLLECTION = 5_000_000.0
"""Units of a value built by going through lists, and five times that of all such values of a query together."""
DEAREST = 100_000_000.0
"""Evaluations for one row, a few seconds at worst."""
DEEPEST_LOOP = 2
REGEX_STEPS = 1_000_000_000.0
"""Steps of a regular expression on one text, a few seconds at worst; the running query checks the length of texts that are stored."""
MOST_COLLECTED = 8
"""Collected lists in one value: the server counts the memory of each once, and goes through it as often as it is there."""
COLLECTED = 200_000.0
"""Evaluations that going through a whole collected list may be, with as many elements as the server's memory limit lets through."""


@dataclass(frozen=True, slots=True)
class Bound:
    """``size`` and ``cost`` as above; ``count`` elements if it is a list, each of ``item`` units; ``many``: a collected list is in it.

    ``collected`` lists are in it whose length only the server's memory limits; ``nested``: also in its elements.
    ``integer``: it is certainly a whole number (or null), ``listed``: a list (or null), and ``integers``: one of whole numbers.
    """

    size: float = 1.0
    cost: float = 1.0
    count: float = 1.0
    item: float = 1.0
    many: bool = False
    integer: bool = False
    integers: bool = False
    listed: bool = False
    collected: float = 0.0
    nested: bool = False


def of_value(value: Any) -> Bound:
    """The bound of a parameter's value, which is known."""
    if isinstance(value, str | bytes):
        return Bound(float(len(value)), 1.0, float(len(value)), 1.0)
    if isinstance(value, Mapping):
        return Bound(1.0 + sum(of_value(item).size for item in value.values()))
    if isinstance(value, list | tuple):
        parts = [of_value(item) for item in value]
        size, item = 1.0 + sum(part.size for part in parts), max([part.size for part in parts], default=1.0)
        return Bound(size, 1.0, float(len(parts)), item, integers=bool(parts) and all(part.integer for part in parts))
    return Bound(integer=isinstance(value, int) and not isinstance(value, bool))


def element(bound: Bound) -> Bound:
    """The bound of an element of a list."""
    collected = 1.0 if bound.nested else 0.0
    return Bound(
        bound.item, 1.0, bound.item, bound.item, integer=bound.integers, collected=collected, nested=bound.nested
    )


def gathered(each: Bound, cost: float) -> Bound:
    """The bound of a list of as many values like this as the server finds."""
    return Bound(
        LONGEST_LIST * each.size,
        cost,
        LONGEST_LIST,
        each.size,
        True,
        integers=each.integer,
        listed=True,
        collected=1.0,
        nested=each.collected > 0,
    )


def larger(one: Bound, other: Bound) -> Bound:
    """The bound of what may be either."""
    return Bound(
        max(one.size, other.size),
        max(one.cost, other.cost),
        max(one.count, other.count),
        max(one.item, other.item),
        one.many or other.many,
        one.integer and other.integer,
        one.integers and other.integers,
        one.listed and other.listed,
        max(one.collected, other.collected),
        one.nested or other.nested,
    )


def done(bound: Bound) -> Bound:
    """The bound of a variable that holds this value: it costs nothing any more."""
    return replace(bound, cost=1.0)
