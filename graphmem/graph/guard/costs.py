"""How large the value of an expression can become, and how much work it is: see bounds.py, of which this is the lower half."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from graphmem.errors import CypherRefused
from graphmem.graph.guard.cursor import Cursor
from graphmem.graph.guard.ranges import range_count
from graphmem.graph.guard.regexes import shape
from graphmem.graph.guard.sizes import (
    COLLECTED,
    DEAREST,
    DEEPEST_LOOP,
    LARGEST,
    LARGEST_COLLECTION,
    LONGEST_LIST,
    MOST_COLLECTED,
    REGEX_STEPS,
    STORED,
    STORED_ITEMS,
    Bound,
    element,
    gathered,
    larger,
    of_value,
)
from graphmem.graph.guard.syntax import (
    Call,
    Case,
    Constant,
    Expression,
    HasLabels,
    Index,
    Iteration,
    ListOf,
    MapOf,
    MapProjection,
    Match,
    Operation,
    Parameter,
    PatternList,
    PatternTest,
    Property,
    Query,
    Slice,
    Subquery,
    Variable,
)

_INTEGER = Bound(integer=True)
_STORED = Bound(STORED, 1.0, STORED_ITEMS, STORED)
_BUILDING = frozenset({"+", "||"})
_LISTS = frozenset({"tail", "reverse", "nodes", "relationships", "keys", "labels", "split", "properties"})
_WHOLE_NUMBERS = frozenset(
    {"size", "length", "char_length", "character_length", "count", "tointeger", "tointegerornull", "sign"}
)
_SQUARE = {"tointeger": 1_000.0, "tointegerornull": 1_000.0, "normalize": 100.0}
"""Functions whose work grows with the square of a text (as of many digits, or many accents), and how many of its steps make one."""
_SEARCHING = frozenset({"trim", "ltrim", "rtrim", "btrim", "replace", "split"})
"""Functions that may compare each character of the first text with each of the second."""


class ExpressionBounds:
    """Judges expressions with the bounds of the variables around them; what judges clauses is built on this."""

    def __init__(self, cursor: Cursor, parameters: Mapping[str, Any]) -> None:
        self.cursor = cursor
        self._parameters = parameters
        self._loops = 0
        self.built_so_far = {True: 0.0, False: 0.0}
        self.lists: list[tuple[int, int]] = []
        self.texts: dict[tuple[int, int], int] = {}
        self.returned: list[tuple[int, int]] = []
        self.unlimited: list[int] = []

    def query(self, query: Query, outer: Mapping[str, Bound], outermost: bool = False) -> dict[str, Bound]:
        """Checks a query with the variables around it; returns the bounds of what it gives back."""
        raise NotImplementedError

    def pattern(self, tree: Match | PatternList | PatternTest, known: dict[str, Bound]) -> None:
        """Binds the variables of patterns and checks what stands in them."""
        raise NotImplementedError

    def value(self, tree: Expression, known: Mapping[str, Bound]) -> Bound:
        """The bound of an expression. Raises CypherRefused where it is beyond a limit."""
        with self.cursor.deeper():
            bound = self._bound(tree, known)
        if bound.cost > DEAREST:
            raise self.refusal(
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
            base = self.value(tree.base, known)
            return Bound(
                max(STORED, base.size),
                base.cost + 1,
                max(STORED_ITEMS, base.count),
                max(STORED, base.size),
                base.many,
                collected=base.collected,
                nested=base.nested,
            )
        if isinstance(tree, Index | Slice):
            return self._subscript(tree, known)
        if isinstance(tree, HasLabels):
            return replace(_INTEGER, integer=False, cost=self.value(tree.base, known).cost + 1)
        if isinstance(tree, Operation):
            return self._operation(tree, known)
        if isinstance(tree, Call):
            return self._call(tree, known)
        if isinstance(tree, ListOf):
            parts = [self.value(item, known) for item in tree.items]
            whole = bool(parts) and all(part.integer for part in parts)
            return self._built(
                tree,
                parts,
                count=float(len(parts)),
                item=max([part.size for part in parts], default=1.0),
                integers=whole,
            )
        if isinstance(tree, MapOf):
            return self._built(tree, [self.value(value, known) for _, value in tree.items])
        if isinstance(tree, MapProjection):
            parts = [_STORED for _ in tree.keys] + [self.value(value, known) for _, value in tree.items]
            return self._built(tree, [*parts, Bound(10 * STORED)] if tree.all else parts)
        if isinstance(tree, Iteration):
            return self._iteration(tree, known)
        if isinstance(tree, PatternList):
            inner = dict(known)
            self.pattern(tree, inner)
            body = self.value(tree.body, inner)
            return gathered(body, 1.0)
        if isinstance(tree, PatternTest):
            self.pattern(tree, dict(known))
            return Bound(cost=10.0)
        if isinstance(tree, Subquery):
            return self._subquery(tree, known)
        assert isinstance(tree, Case)
        return self._case(tree, known)

    def _subscript(self, tree: Index | Slice, known: Mapping[str, Bound]) -> Bound:
        base = self.value(tree.base, known)
        if isinstance(tree, Slice):
            bounds = [self.value(part, known) for part in (tree.low, tree.high) if part is not None]
            last = tree.high.value if isinstance(tree.high, Constant) else None
            few = isinstance(last, int) and 0 <= last <= LONGEST_LIST
            return replace(
                base,
                cost=base.cost + sum(bound.cost for bound in bounds),
                integer=False,
                collected=0.0 if few and not base.nested else base.collected,
            )
        index = self.value(tree.index, known)
        if not index.integer:
            raise self.refusal(
                tree.index,
                "a value in [ ] that may be a name; write properties as n.name, positions as whole numbers (toInteger makes one)",
            )
        return replace(element(base), cost=base.cost + index.cost)

    def _operation(self, tree: Operation, known: Mapping[str, Bound]) -> Bound:
        parts = [self.value(operand, known) for operand in tree.operands]
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
            cost += COLLECTED * min(part.collected for part in parts)
        elif tree.operator == "IS TYPED":
            cost += COLLECTED * parts[0].collected
        elif tree.operator == "IN":
            whole = isinstance(tree.operands[1], Variable | Parameter)
            cost += 10.0 if whole else parts[1].count + COLLECTED * parts[1].collected
        elif tree.operator == "CONTAINS":
            needle = min(parts[1].size, parts[0].size)
            cost += parts[0].size * max(1.0, needle / 64) / 100
        elif tree.operator == "=~":
            cost += self._regex(tree, parts[0])
        whole = tree.operator in ("-", "*", "%", "/", "NEGATE") and all(part.integer for part in parts)
        return Bound(cost=cost, integer=whole)

    def _regex(self, tree: Operation, text: Bound) -> float:
        """The cost of trying a regular expression. How long a stored text is, the running query has to check."""
        subject, pattern = tree.operands
        value = pattern.value if isinstance(pattern, Constant) else None
        value = self._parameters.get(pattern.name) if isinstance(pattern, Parameter) else value
        found = shape(value) if isinstance(value, str) else None
        if found is None:
            raise self.refusal(pattern, "a regular expression that is not a plain one; use CONTAINS")
        if isinstance(subject, Constant | Parameter):
            return found.work(text.size) / 20
        longest = found.longest(REGEX_STEPS / LONGEST_LIST**self._loops)
        if found.repeats > 1 or found.choices > 1:
            self.texts[tree.spans[0]] = min(longest, self.texts.get(tree.spans[0], longest))
        return float(min(text.size ** max(1, found.repeats) / 50, DEAREST / LONGEST_LIST**self._loops / 2))

    def _call(self, tree: Call, known: Mapping[str, Bound]) -> Bound:
        if tree.name == "range":
            return self._range(tree, known)
        parts = [self.value(argument, known) for argument in tree.arguments]
        cost = 1.0 + sum(part.cost + (part.size if part.many else part.size / 100) for part in parts)
        first = parts[0] if parts else Bound()
        if tree.name in _SQUARE:
            cost += first.size**2 / _SQUARE[tree.name]
        elif tree.name in _SEARCHING and len(parts) > 1:
            cost += first.size * parts[1].size / 100
        elif tree.name == "valuetype":
            cost += COLLECTED * first.collected
        if tree.name == "collect":
            return gathered(first, cost)
        if tree.name in ("min", "max", "coalesce", "nullif"):
            largest = first
            for part in parts[1:]:
                largest = larger(largest, part)
            return replace(largest, cost=cost)
        if tree.name in ("head", "last"):
            return replace(element(first), cost=first.cost + 1)
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
        costs = [self.value(argument, known).cost for argument in tree.arguments]
        count = range_count(tree, self._parameters)
        if isinstance(count, str):
            raise self.refusal(tree, count)
        return Bound(float(count), 1.0 + sum(costs), float(count), integers=True)

    def _iteration(self, tree: Iteration, known: Mapping[str, Bound]) -> Bound:
        source = self.value(tree.source, known)
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
            raise self.refusal(
                tree, f"more than {DEEPEST_LOOP} comprehensions in one another; use UNWIND, which works row by row"
            )
        inner = {**known, tree.variable: element(source)}
        condition = Bound() if tree.condition is None else self.value(tree.condition, inner)
        body = inner[tree.variable] if tree.body is None else self.value(tree.body, inner)
        self._loops -= 1
        cost = source.cost + count * (condition.cost + body.cost)
        if tree.kind != "list":
            return Bound(cost=cost)
        bound = Bound(
            count * body.size,
            cost,
            count,
            body.size,
            True,
            integers=body.integer,
            listed=True,
            collected=count * body.collected,
            nested=body.collected > 0,
        )
        return self._within(tree, bound)

    def _subquery(self, tree: Subquery, known: Mapping[str, Bound]) -> Bound:
        result = self.query(tree.query, known)
        if tree.kind == "COLLECT":
            returned = larger(_STORED, next(iter(result.values()), _STORED))
            return gathered(returned, 10.0)
        return Bound(cost=10.0, integer=tree.kind == "COUNT")

    def _case(self, tree: Case, known: Mapping[str, Bound]) -> Bound:
        cost = 0.0 if tree.subject is None else self.value(tree.subject, known).cost
        results = [] if tree.otherwise is None else [self.value(tree.otherwise, known)]
        for condition, branch in tree.branches:
            cost += self.value(condition, known).cost
            results.append(self.value(branch, known))
        largest = results[0]
        for result in results[1:]:
            largest = larger(largest, result)
        return replace(largest, cost=cost + sum(result.cost for result in results))

    def _built(
        self, tree: Expression, parts: list[Bound], count: float = 1.0, item: float = 1.0, integers: bool = False
    ) -> Bound:
        many = any(part.many for part in parts)
        size = 1.0 + sum(part.size for part in parts)
        cost = 1.0 + sum(part.cost for part in parts) + (0 if many else size / 100)
        listed = isinstance(tree, ListOf) or (isinstance(tree, Operation) and any(part.listed for part in parts))
        collected = sum(part.collected for part in parts)
        nested = any(part.nested for part in parts) or (isinstance(tree, ListOf | MapOf) and collected > 0)
        return self._within(
            tree,
            Bound(size, cost, count, item, many, integers=integers, listed=listed, collected=collected, nested=nested),
        )

    def _within(self, tree: Expression, bound: Bound) -> Bound:
        limit = LARGEST_COLLECTION if bound.many else LARGEST
        self.built_so_far[bound.many] += bound.size
        if bound.collected > MOST_COLLECTED or bound.size > limit or self.built_so_far[bound.many] > 5 * limit:
            raise self.refusal(
                tree, "a value that may grow too large; join or repeat less, or return the parts as rows"
            )
        return bound

    def refusal(self, tree: Expression, why: str) -> CypherRefused:
        """The refusal of the query for this expression; to be raised."""
        return self.cursor.refusal(why, tree.at)
