"""How large a value can become and how much work it is, before anything runs.

The server looks at its time limit between rows only, and counts the memory of what it collects and sorts, not that of what an expression
builds. So one expression may take it down: doubled strings, lists made of lists, a loop in a loop. Here every expression gets an upper
bound by abstract interpretation over the query, clause by clause, with variables carried along, and is refused beyond the limits below.

Sizes are in units of one character or one list element, all levels counted; costs are in evaluations of a simple expression. Stored values
count as STORED units: one a thousand times as long is still within what the limits leave. A list that is gone through is checked by the
running query itself (LONGEST_LIST), since collect() has no bound that could be known here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from graphmem.errors import CypherRefused
from graphmem.graph.guard.cursor import Cursor
from graphmem.graph.guard.syntax import (
    Call,
    Case,
    Constant,
    Expression,
    Filter,
    Group,
    HasLabels,
    Index,
    Iteration,
    Let,
    ListOf,
    MapOf,
    MapProjection,
    Match,
    Node,
    Operation,
    Page,
    Parameter,
    Path,
    PatternList,
    PatternTest,
    Projection,
    Property,
    Query,
    Relationship,
    Slice,
    Subquery,
    SubqueryCall,
    Unwind,
    Variable,
    walk,
)

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


@dataclass(frozen=True, slots=True)
class Bound:
    """``size`` and ``cost`` as above; ``count`` elements if it is a list, each of ``item`` units; ``many``: a collected list is in it.

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


_SMALL = Bound(16.0)
_INTEGER = Bound(integer=True)
_STORED = Bound(STORED, 1.0, STORED_ITEMS, STORED)
_BUILDING = frozenset({"+", "||"})
_LISTS = frozenset({"tail", "reverse", "nodes", "relationships", "keys", "labels", "split", "properties"})
_WHOLE_NUMBERS = frozenset(
    {"size", "length", "char_length", "character_length", "count", "tointeger", "tointegerornull", "sign"}
)


class Bounds:
    """Goes through a query once.

    ``lists`` gathers the token spans of lists whose length the running query has to check, ``returned`` those of what is given back that
    is certainly a list and may be long, and ``unlimited`` the closing braces of COLLECTs there that have no LIMIT.
    """

    def __init__(self, cursor: Cursor, parameters: Mapping[str, Any]) -> None:
        self._cursor = cursor
        self._parameters = parameters
        self._loops = 0
        self._built_so_far = {True: 0.0, False: 0.0}
        self.lists: list[tuple[int, int]] = []
        self.returned: list[tuple[int, int]] = []
        self.unlimited: list[int] = []

    def whole(self, query: Query) -> None:
        """Checks a whole query. Raises CypherRefused for the first thing in it that is too large or too dear."""
        self.query(query, {}, outermost=True)

    def query(self, query: Query, outer: Mapping[str, Bound], outermost: bool = False) -> dict[str, Bound]:
        """Checks a query with the variables around it; returns the bounds of what it gives back."""
        result: dict[str, Bound] = {}
        for branch in query.branches:
            known = dict(outer)
            for clause in branch:
                if outermost and isinstance(clause, Projection) and clause.kind == "RETURN":
                    for item in clause.items:
                        self._returned(item.value, (item.at, item.end), known)
                known = self._clause(clause, known)
            for name, bound in known.items():
                result[name] = _larger(result[name], bound) if name in result else bound
        return result

    def _clause(self, clause: Any, known: dict[str, Bound]) -> dict[str, Bound]:
        if isinstance(clause, Match):
            self._pattern(clause, known)
        elif isinstance(clause, Unwind):
            source = self._value(clause.source, known)
            known[clause.variable] = _element(source)
        elif isinstance(clause, Let):
            for item in clause.items:
                known[item.name or ""] = _done(self._value(item.value, known))
        elif isinstance(clause, Filter):
            for part in clause.where:
                self._value(part.value, known)
        elif isinstance(clause, Page):
            for value in (*clause.order, clause.skip, clause.limit):
                if value is not None:
                    self._value(value, known)
        elif isinstance(clause, SubqueryCall):
            inner = known if clause.imports is None else {name: known[name] for name in clause.imports if name in known}
            known = {**known, **self.query(clause.query, inner)}
        elif isinstance(clause, Projection):
            known = self._projection(clause, known)
        return known

    def _projection(self, clause: Projection, known: dict[str, Bound]) -> dict[str, Bound]:
        result = dict(known) if clause.star else {}
        for item in clause.items:
            result[item.name or f" {item.at}"] = _done(self._value(item.value, known))
        seen = {**known, **result}
        for value in (*clause.order, clause.skip, clause.limit, *(part.value for part in clause.where)):
            if value is not None:
                self._value(value, seen)
        return result

    def _returned(self, tree: Expression, span: tuple[int, int], known: Mapping[str, Bound]) -> None:
        """Gathers the long lists of a thing that is given back."""
        if isinstance(tree, MapOf | MapProjection):
            for (_, value), part in zip(tree.items, tree.spans, strict=True):
                if self._cursor.tokens[part[0] - 1].text == ":":
                    self._returned(value, part, known)
            return
        if isinstance(tree, PatternList | Subquery):
            # Cutting these would take them out of the plan's tree into the text of an expression; a LIMIT does not.
            last = tree.query.branches[0][-1] if isinstance(tree, Subquery) and len(tree.query.branches) == 1 else None
            if (
                isinstance(tree, Subquery)
                and tree.kind == "COLLECT"
                and isinstance(last, Projection)
                and last.limit is None
            ):
                self.unlimited.append(tree.brace)
            return
        before, lists = dict(self._built_so_far), len(self.lists)
        bound = self._value(tree, known)
        self._built_so_far = before
        del self.lists[lists:]
        if bound.many and bound.listed:
            self.returned.append(span)

    def _pattern(self, tree: Match | PatternList | PatternTest, known: dict[str, Bound]) -> None:
        """Binds the variables of patterns and checks what stands in them."""
        paths = tree.paths if isinstance(tree, Match) else (tree.path,)
        for part in (found for path in paths for found in walk(path)):
            name = getattr(part, "variable", None)
            if isinstance(name, str) and isinstance(part, Node | Relationship | Group | Path):
                known.setdefault(name, Bound(10.0, 1.0, 10.0, 1.0))
        for path in paths:
            for part in walk(path):
                if isinstance(part, Node | Relationship) and part.properties is not None:
                    self._value(part.properties, known)
                if isinstance(part, Node | Relationship | Group):
                    for where in part.where:
                        self._value(where.value, known)
        for where in () if isinstance(tree, PatternTest) else tree.where:
            self._value(where.value, known)

    def _value(self, tree: Expression, known: Mapping[str, Bound]) -> Bound:
        with self._cursor.deeper():
            bound = self._bound(tree, known)
        if bound.cost > DEAREST:
            raise self._refusal(
                tree,
                "one expression that goes through too many combinations; use MATCH and UNWIND, which work row by row",
            )
        return bound

    def _bound(self, tree: Expression, known: Mapping[str, Bound]) -> Bound:
        if isinstance(tree, Constant):
            whole = isinstance(tree.value, int) and not isinstance(tree.value, bool)
            size = float(len(tree.value)) if isinstance(tree.value, str) else 1.0
            return Bound(size, 1.0, size, 1.0, integer=whole)
        if isinstance(tree, Parameter):
            return of_value(self._parameters.get(tree.name))
        if isinstance(tree, Variable):
            return known.get(tree.name, _STORED)
        if isinstance(tree, Property):
            base = self._value(tree.base, known)
            return Bound(
                max(STORED, base.size), base.cost + 1, max(STORED_ITEMS, base.count), max(STORED, base.size), base.many
            )
        if isinstance(tree, Index | Slice):
            return self._subscript(tree, known)
        if isinstance(tree, HasLabels):
            return replace(_INTEGER, integer=False, cost=self._value(tree.base, known).cost + 1)
        if isinstance(tree, Operation):
            return self._operation(tree, known)
        if isinstance(tree, Call):
            return self._call(tree, known)
        if isinstance(tree, ListOf):
            parts = [self._value(item, known) for item in tree.items]
            whole = bool(parts) and all(part.integer for part in parts)
            return self._built(
                tree,
                parts,
                count=float(len(parts)),
                item=max([part.size for part in parts], default=1.0),
                integers=whole,
            )
        if isinstance(tree, MapOf):
            return self._built(tree, [self._value(value, known) for _, value in tree.items])
        if isinstance(tree, MapProjection):
            parts = [_STORED for _ in tree.keys] + [self._value(value, known) for _, value in tree.items]
            return self._built(tree, [*parts, Bound(10 * STORED)] if tree.all else parts)
        if isinstance(tree, Iteration):
            return self._iteration(tree, known)
        if isinstance(tree, PatternList):
            inner = dict(known)
            self._pattern(tree, inner)
            body = self._value(tree.body, inner)
            return Bound(LONGEST_LIST * body.size, 1.0, LONGEST_LIST, body.size, True, listed=True)
        if isinstance(tree, PatternTest):
            self._pattern(tree, dict(known))
            return Bound(cost=10.0)
        if isinstance(tree, Subquery):
            return self._subquery(tree, known)
        assert isinstance(tree, Case)
        return self._case(tree, known)

    def _subscript(self, tree: Index | Slice, known: Mapping[str, Bound]) -> Bound:
        base = self._value(tree.base, known)
        if isinstance(tree, Slice):
            bounds = [self._value(part, known) for part in (tree.low, tree.high) if part is not None]
            return replace(base, cost=base.cost + sum(bound.cost for bound in bounds), integer=False)
        index = self._value(tree.index, known)
        if not index.integer:
            raise self._refusal(
                tree.index,
                "a value in [ ] that may be a name; write properties as n.name, positions as whole numbers (toInteger makes one)",
            )
        return replace(_element(base), cost=base.cost + index.cost)

    def _operation(self, tree: Operation, known: Mapping[str, Bound]) -> Bound:
        parts = [self._value(operand, known) for operand in tree.operands]
        if tree.operator in _BUILDING:
            whole = tree.operator == "+" and all(part.integer for part in parts)
            if whole:
                return Bound(cost=sum(part.cost for part in parts) + 1, integer=True)
            count, item = sum(part.count for part in parts), max(part.item for part in parts)
            return self._built(tree, parts, count=count, item=max(item, max(part.size for part in parts)))
        cost = 1.0 + sum(part.cost for part in parts)
        if tree.operator in ("=", "<>", "<", ">", "<=", ">="):
            smaller = min(part.size for part in parts)
            cost += smaller if all(part.many for part in parts) else smaller / 100
        elif tree.operator == "IN":
            cost += 10.0 if isinstance(tree.operands[1], Variable | Parameter) else parts[1].count
        elif tree.operator in ("CONTAINS", "=~"):
            needle = min(parts[1].size, parts[0].size)
            cost += parts[0].size * max(1.0, needle / 64) / 100 * (10 if tree.operator == "=~" else 1)
        whole = tree.operator in ("-", "*", "%", "/", "NEGATE") and all(part.integer for part in parts)
        return Bound(cost=cost, integer=whole)

    def _call(self, tree: Call, known: Mapping[str, Bound]) -> Bound:
        if tree.name == "range":
            return self._range(tree, known)
        parts = [self._value(argument, known) for argument in tree.arguments]
        cost = 1.0 + sum(part.cost + (part.size if part.many else part.size / 100) for part in parts)
        first = parts[0] if parts else Bound()
        if tree.name == "collect":
            return Bound(
                LONGEST_LIST * first.size, cost, LONGEST_LIST, first.size, True, integers=first.integer, listed=True
            )
        if tree.name in ("min", "max", "coalesce", "nullif"):
            largest = first
            for part in parts[1:]:
                largest = _larger(largest, part)
            return replace(largest, cost=cost)
        if tree.name in ("head", "last"):
            return replace(_element(first), cost=first.cost + 1)
        if tree.name in ("size", "isempty", "count"):
            return Bound(cost=1.0 + first.cost, integer=True)
        if tree.name == "replace" and len(parts) == 3:
            return self._built(tree, [Bound((parts[0].size + 1) * (parts[2].size + 1), cost)])
        if tree.name in _LISTS:
            return replace(
                first,
                cost=cost,
                size=max(first.size, 20.0),
                count=max(first.count, first.size),
                integer=False,
                integers=tree.name in ("tail", "reverse") and first.integers,
                listed=first.listed,
            )
        if tree.name in _WHOLE_NUMBERS:
            return Bound(cost=cost, integer=True)
        return Bound(max([16.0, *(part.size for part in parts)]), cost)

    def _range(self, tree: Call, known: Mapping[str, Bound]) -> Bound:
        """range() between numbers known here, or up to the size of a list."""
        ends = [self._number(argument) for argument in tree.arguments]
        costs = [self._value(argument, known).cost for argument in tree.arguments]
        if len(ends) not in (2, 3):
            raise self._refusal(tree, "range() takes a first and a last number and may take a step; give these")
        if all(end is not None for end in ends):
            low, high, step = int(ends[0] or 0), int(ends[1] or 0), int((ends[2] if len(ends) == 3 else 1) or 1)
            count = max(0, (high - low) // step + 1)
        elif (
            ends[0] is not None
            and abs(ends[0]) <= LONGEST_RANGE
            and len(ends) == 2
            and _up_to_a_size(tree.arguments[1])
        ):
            count = LONGEST_LIST
        else:
            raise self._refusal(
                tree, "range() with bounds that are not known beforehand; write numbers, or range(0, size(list) - 1)"
            )
        if count > LONGEST_RANGE:
            raise self._refusal(tree, f"range() over {count} numbers; at most {LONGEST_RANGE} are taken")
        return Bound(float(count), 1.0 + sum(costs), float(count), integers=True)

    def _number(self, tree: Expression) -> int | None:
        value = (
            tree.value
            if isinstance(tree, Constant)
            else self._parameters.get(tree.name)
            if isinstance(tree, Parameter)
            else None
        )
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def _iteration(self, tree: Iteration, known: Mapping[str, Bound]) -> Bound:
        source = self._value(tree.source, known)
        if not isinstance(tree.source, ListOf | Parameter) and not (
            isinstance(tree.source, Call)
            and tree.source.name == "range"
            and source.count <= LONGEST_LIST
            and not source.many
        ):
            self.lists.append(tree.span)
        count = (
            min(source.count, float(LONGEST_LIST)) if not isinstance(tree.source, Parameter | ListOf) else source.count
        )
        self._loops += 1
        if self._loops > DEEPEST_LOOP:
            raise self._refusal(
                tree, f"more than {DEEPEST_LOOP} comprehensions in one another; use UNWIND, which works row by row"
            )
        inner = {**known, tree.variable: _element(source)}
        condition = Bound() if tree.condition is None else self._value(tree.condition, inner)
        body = inner[tree.variable] if tree.body is None else self._value(tree.body, inner)
        self._loops -= 1
        cost = source.cost + count * (condition.cost + body.cost)
        if tree.kind != "list":
            return Bound(cost=cost)
        bound = Bound(count * body.size, cost, count, body.size, True, integers=body.integer, listed=True)
        return self._within(tree, bound)

    def _subquery(self, tree: Subquery, known: Mapping[str, Bound]) -> Bound:
        result = self.query(tree.query, known)
        if tree.kind == "COLLECT":
            returned = _larger(_STORED, next(iter(result.values()), _STORED))
            return Bound(LONGEST_LIST * returned.size, 10.0, LONGEST_LIST, returned.size, True, listed=True)
        return Bound(cost=10.0, integer=tree.kind == "COUNT")

    def _case(self, tree: Case, known: Mapping[str, Bound]) -> Bound:
        cost = 0.0 if tree.subject is None else self._value(tree.subject, known).cost
        results = [] if tree.otherwise is None else [self._value(tree.otherwise, known)]
        for condition, branch in tree.branches:
            cost += self._value(condition, known).cost
            results.append(self._value(branch, known))
        largest = results[0]
        for result in results[1:]:
            largest = _larger(largest, result)
        return replace(largest, cost=cost + sum(result.cost for result in results))

    def _built(
        self, tree: Expression, parts: list[Bound], count: float = 1.0, item: float = 1.0, integers: bool = False
    ) -> Bound:
        many = any(part.many for part in parts)
        size = 1.0 + sum(part.size for part in parts)
        cost = 1.0 + sum(part.cost for part in parts) + (0 if many else size / 100)
        listed = isinstance(tree, ListOf) or (isinstance(tree, Operation) and any(part.listed for part in parts))
        return self._within(tree, Bound(size, cost, count, item, many, integers=integers, listed=listed))

    def _within(self, tree: Expression, bound: Bound) -> Bound:
        limit = LARGEST_COLLECTION if bound.many else LARGEST
        self._built_so_far[bound.many] += bound.size
        if bound.size > limit or self._built_so_far[bound.many] > 5 * limit:
            raise self._refusal(
                tree, "a value that may grow too large; join or repeat less, or return the parts as rows"
            )
        return bound

    def _refusal(self, tree: Expression, why: str) -> CypherRefused:
        return self._cursor.refusal(why, tree.at)


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


def _element(bound: Bound) -> Bound:
    """The bound of an element of a list."""
    return Bound(bound.item, 1.0, bound.item, bound.item, integer=bound.integers)


def _larger(one: Bound, other: Bound) -> Bound:
    return Bound(
        max(one.size, other.size),
        max(one.cost, other.cost),
        max(one.count, other.count),
        max(one.item, other.item),
        one.many or other.many,
        one.integer and other.integer,
        one.integers and other.integers,
        one.listed and other.listed,
    )


def _done(bound: Bound) -> Bound:
    """The bound of a variable that holds this value: it costs nothing any more."""
    return replace(bound, cost=1.0)


def _up_to_a_size(tree: Expression) -> bool:
    """Whether it is size(…), or that less or plus a small number."""
    if isinstance(tree, Operation) and tree.operator in ("-", "+") and isinstance(tree.operands[1], Constant):
        number = tree.operands[1].value
        return isinstance(number, int) and abs(number) <= LONGEST_RANGE and _up_to_a_size(tree.operands[0])
    return isinstance(tree, Call) and tree.name == "size"
