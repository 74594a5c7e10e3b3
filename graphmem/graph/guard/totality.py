"""Which conditions give an answer whatever rows they are tried on, and so tell nothing by failing.

Comparisons, string tests, null tests and label tests of properties, parameters and literals give true, false or null in Cypher, never an
error. Arithmetic, conversions, subscripts and most functions may fail. Of the functions of time, those of a literal or parameter that is
read here, and found good, do not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from graphmem.graph.guard.syntax import (
    Call,
    Constant,
    Expression,
    Group,
    HasLabels,
    Index,
    ListOf,
    MapOf,
    Node,
    Operation,
    Parameter,
    Path,
    PatternTest,
    Property,
    Relationship,
    Subquery,
    Tree,
    Variable,
    walk,
)

_COMPARING = frozenset(
    {"=", "<>", "<", ">", "<=", ">=", "STARTS WITH", "ENDS WITH", "CONTAINS", "IS NULL", "IS NOT NULL", "IS TYPED"}
)
_LOGICAL = frozenset({"AND", "OR", "XOR", "NOT", "CHAIN"})
_OF_BOUND = frozenset({"type", "length", "nodes", "relationships", "startnode", "endnode"})
_OF_THE_PLANNER = frozenset({"isrepeattrailunique", "unique"})
_TEXT = frozenset({"tolower", "toupper", "lower", "upper", "trim"})
_INSTANTS = frozenset({"date", "datetime", "localdatetime"})
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)\Z")
_DATETIME = re.compile(
    r"(\d{4}-\d\d-\d\d)(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)?)?\Z"
)
_DURATION = re.compile(
    r"P(?=[\dT])(?:\d{1,4}Y)?(?:\d{1,4}M)?(?:\d{1,5}W)?(?:\d{1,6}D)?(?:T(?=\d)(?:\d{1,6}H)?(?:\d{1,6}M)?(?:\d{1,6}S)?)?\Z"
)
_PARTS = {"year": (1, 9999), "month": (1, 12), "day": (1, 28), "hour": (0, 23), "minute": (0, 59), "second": (0, 59)}
_SPANS = frozenset({"years", "months", "weeks", "days", "hours", "minutes", "seconds"})


@dataclass(frozen=True, slots=True)
class Totality:
    """Judges conditions. ``bound`` are the variables that patterns bind (None: any may be one), ``parameters`` the values given.

    ``subqueries`` says whether EXISTS and COUNT count as total: a plan runs them as steps of their own, which it must show.
    """

    bound: frozenset[str] | None
    parameters: Mapping[str, Any]
    subqueries: bool

    def truth(self, tree: Expression) -> bool:
        """Whether a condition gives true, false or null, on any row."""
        if isinstance(tree, Constant):
            return tree.value is None or isinstance(tree.value, bool)
        if isinstance(tree, Operation) and tree.operator in _LOGICAL:
            return all(self.truth(operand) for operand in tree.operands)
        if isinstance(tree, Operation) and tree.operator in _COMPARING:
            return all(self.total(operand) for operand in tree.operands)
        if isinstance(tree, Operation) and tree.operator == "IN":
            left, right = tree.operands
            listed = isinstance(right, ListOf) or isinstance(self._given(right), list | tuple)
            return listed and self.total(left) and self.total(right)
        if isinstance(tree, HasLabels):
            return self._is_bound(tree.base)
        if isinstance(tree, PatternTest):
            values = [value for part in walk(tree) if isinstance(part, MapOf) for _, value in part.items]
            return self.subqueries and all(self.total(value) for value in values)
        if isinstance(tree, Subquery):
            return self.subqueries and tree.kind == "EXISTS"
        return isinstance(tree, Call) and tree.name in _OF_THE_PLANNER

    def total(self, tree: Expression) -> bool:
        """Whether a value can be worked out without failing, on any row."""
        if isinstance(tree, Constant | Parameter | Variable):
            return True
        if isinstance(tree, Property):
            return self._is_bound(tree.base)
        if isinstance(tree, Index):
            # How plans write a property that is kept beside the row. (bounds.py lets no query subscript by a property.)
            cached = isinstance(tree.base, Variable) and tree.base.name == "cache" and isinstance(tree.index, Property)
            return cached and self.total(tree.index)
        if isinstance(tree, ListOf):
            return all(self.total(item) for item in tree.items)
        if isinstance(tree, Call):
            return self._call(tree)
        if isinstance(tree, Subquery):
            return self.subqueries and tree.kind == "COUNT"
        if isinstance(tree, Operation) and tree.operator in ("+", "-"):
            return self._instant(tree.operands[0]) and self._span(tree.operands[1])
        return self.truth(tree)

    def _call(self, tree: Call) -> bool:
        if tree.name == "runtimeconstant" and len(tree.arguments) == 1:
            return self.total(tree.arguments[0])
        if tree.name == "coalesce":
            return all(self.total(argument) for argument in tree.arguments)
        if tree.name in _OF_BOUND and len(tree.arguments) == 1:
            return self._is_bound(tree.arguments[0])
        if tree.name in _TEXT and len(tree.arguments) == 1:
            return isinstance(self._given(tree.arguments[0]), str)
        return self._instant(tree) or self._span(tree)

    def _instant(self, tree: Expression) -> bool:
        """Whether it is a date or datetime of a good literal or parameter, or such a one moved by a duration."""
        if isinstance(tree, Operation) and tree.operator in ("+", "-"):
            return self._instant(tree.operands[0]) and self._span(tree.operands[1])
        if not isinstance(tree, Call):
            return False
        if tree.name == "runtimeconstant" and len(tree.arguments) == 1:
            return self._instant(tree.arguments[0])
        if tree.name not in _INSTANTS or len(tree.arguments) > 1:
            return False
        if not tree.arguments:
            return True
        argument = tree.arguments[0]
        if isinstance(argument, MapOf):
            # A day without its month, or an hour of a date, would be refused when it runs.
            keys = tuple(key for key, _ in argument.items)
            if not keys or keys != tuple(_PARTS)[: len(keys)] or (tree.name == "date" and len(keys) > 3):
                return False
            return all(self._within(value, *_PARTS[key]) for key, value in argument.items)
        value = self._given(argument)
        return isinstance(value, str) and _is_instant(value, tree.name)

    def _span(self, tree: Expression) -> bool:
        """Whether it is a duration of a good literal or parameter."""
        if not isinstance(tree, Call) or len(tree.arguments) != 1:
            return False
        argument = tree.arguments[0]
        if tree.name == "runtimeconstant":
            return self._span(argument)
        if tree.name != "duration":
            return False
        if isinstance(argument, MapOf):
            return all(
                key in _SPANS and self._within(value, -100_000, 100_000) for key, value in argument.items
            ) and bool(argument.items)
        value = self._given(argument)
        return isinstance(value, str) and _DURATION.match(value) is not None

    def _within(self, tree: Expression, low: int, high: int) -> bool:
        value = self._given(tree)
        return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high

    def _given(self, tree: Expression) -> Any:
        """The value of a literal or parameter."""
        if isinstance(tree, Constant):
            return tree.value
        return self.parameters.get(tree.name) if isinstance(tree, Parameter) else None

    def _is_bound(self, tree: Expression) -> bool:
        return isinstance(tree, Variable) and (self.bound is None or tree.name in self.bound)


def mentioned(tree: Tree) -> frozenset[str]:
    """The variables that occur in it, patterns included."""
    found = set()
    for part in walk(tree):
        if isinstance(part, Variable):
            found.add(part.name)
        elif isinstance(part, Node | Relationship | Group | Path) and part.variable is not None:
            found.add(part.variable)
    return frozenset(found)


def _is_instant(text: str, function: str) -> bool:
    """Whether Cypher's function of this name reads the text: a strict piece of ISO 8601, with a day that exists."""
    found = (_DATE if function == "date" else _DATETIME).match(text)
    if found is None or (function == "localdatetime" and re.search(r"T.*[Z+-]", text)):
        return False
    try:
        date.fromisoformat(text[:10])
    except ValueError:
        return False
    return True
