"""Keeps conditions that may fail from being tried on rows with nodes of other namespaces.

The server may find nodes by an index first and ask for the namespace's label afterwards; of several conditions it tries the cheaper first,
and it moves the condition of a WITH into the MATCH before. A condition that can fail (1/0, a bad date) would then tell, by failing or not,
that the conditions tried before it held on a node that the query never returns. So only conditions that are total (totality.py) stay as
they are. Any other is put behind the label of every path that is matched with it, ``CASE WHEN n:N_… AND m:N_… THEN (condition) END``;
where a path has no named node to ask for, the query is refused. That the server keeps to it is proved on its plan (plans.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphmem.graph.guard.cursor import Cursor
from graphmem.graph.guard.syntax import (
    Clause,
    Conjunct,
    Element,
    Filter,
    Group,
    Match,
    Node,
    Path,
    PatternList,
    PatternTest,
    Projection,
    Query,
    Relationship,
    Subquery,
    SubqueryCall,
    Tree,
    Variable,
    children,
)
from graphmem.graph.guard.totality import Totality


@dataclass(frozen=True, slots=True)
class Scope:
    """What stands before a clause: the variables that patterns have bound, and of each path in force its named nodes."""

    bound: frozenset[str] = frozenset()
    paths: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Barrier:
    """A condition, from token ``start`` to before ``end``, to be put behind tests of the label on ``subjects``.

    Those in ``nullable`` may be null, where an OPTIONAL MATCH found nothing; the condition is then tried.
    """

    start: int
    end: int
    subjects: tuple[str, ...]
    nullable: frozenset[str]


def barriers(query: Query, cursor: Cursor, parameters: Mapping[str, Any]) -> list[Barrier]:
    """The barriers that a query needs. Raises CypherRefused where one cannot be put up."""
    walker = _Walker(cursor, parameters)
    walker.query(query, Scope())
    return walker.found


class _Walker:
    def __init__(self, cursor: Cursor, parameters: Mapping[str, Any]) -> None:
        self._cursor = cursor
        self._parameters = parameters
        self.found: list[Barrier] = []

    def query(self, query: Query, outer: Scope) -> frozenset[str]:
        """Goes through a query with what is bound around it; returns what is bound by patterns in what it gives back."""
        result: frozenset[str] = frozenset()
        for branch in query.branches:
            # The rows around a subquery are inside the namespace before it runs; the plan must show it.
            scope = Scope(outer.bound)
            for clause in branch:
                scope = self._clause(clause, scope)
            result |= scope.bound
        return result

    def _clause(self, clause: Clause, scope: Scope) -> Scope:
        if isinstance(clause, Match):
            return self._match(clause.paths, clause.where, scope)
        if isinstance(clause, SubqueryCall):
            imported = scope.bound if clause.imports is None else scope.bound & set(clause.imports)
            return Scope(scope.bound | self.query(clause.query, Scope(imported)), scope.paths)
        if isinstance(clause, Projection):
            after = _projected(clause, scope)
            self._inside((item.value for item in clause.items), scope)
            self._inside(clause.order, Scope(scope.bound | after.bound))
            self._conditions(clause.where, after, frozenset())
            return after
        if isinstance(clause, Filter):
            self._conditions(clause.where, scope, frozenset())
        else:
            self._inside(children(clause), scope)
        return scope

    def _match(self, paths: tuple[Path, ...], where: tuple[Conjunct, ...], scope: Scope) -> Scope:
        """A MATCH, or the pattern of an expression, with its conditions."""
        fresh = frozenset(name for path in paths for name in names_in_pattern(path))
        after = Scope(scope.bound | fresh, (*scope.paths, *(_named_nodes(path.elements) for path in paths)))
        for path in paths:
            self._elements(path.elements, after, fresh)
        self._conditions(where, after, fresh)
        return after

    def _elements(self, elements: tuple[Element, ...], scope: Scope, fresh: frozenset[str]) -> None:
        """What stands inside the brackets of a pattern."""
        judge = self._judge(scope)
        for element in elements:
            if isinstance(element, Group):
                inner = Scope(scope.bound, (*scope.paths, _named_nodes(element.elements)))
                self._elements(element.elements, inner, fresh)
                self._conditions(element.where, inner, fresh)
                continue
            for _, value in () if element.properties is None else element.properties.items:
                if not judge.total(value):
                    raise self._cursor.refusal(
                        "a value to be worked out, inside a pattern; make it a condition in WHERE, or name it with WITH before",
                        value.at,
                    )
            self._conditions(element.where, scope, fresh)

    def _inside(self, trees: Iterable[Tree], scope: Scope) -> None:
        """Subqueries and patterns inside expressions."""
        for tree in trees:
            if isinstance(tree, Subquery):
                self.query(tree.query, scope)
            elif isinstance(tree, PatternList):
                inner = self._match((tree.path,), tree.where, Scope(scope.bound))
                self._inside((tree.body,), inner)
            elif isinstance(tree, PatternTest):
                self._match((tree.path,), (), Scope(scope.bound))
            else:
                self._inside(children(tree), scope)

    def _conditions(self, where: tuple[Conjunct, ...], scope: Scope, fresh: frozenset[str]) -> None:
        judge = self._judge(scope)
        for part in where:
            self._inside((part.value,), scope)
            if judge.truth(part.value) or not scope.paths:
                continue
            if not all(scope.paths):
                raise self._cursor.refusal(
                    "a condition that may fail, with a path without a named node; give a node of each path a name",
                    part.at,
                )
            subjects = tuple(dict.fromkeys(name for path in scope.paths for name in path))
            self.found.append(Barrier(part.at, part.end, subjects, frozenset(subjects) - fresh))

    def _judge(self, scope: Scope) -> Totality:
        return Totality(scope.bound, self._parameters, subqueries=True)


def names_in_pattern(path: Path) -> frozenset[str]:
    """The variables that a path binds: of itself, its nodes, relationships and pieces."""
    parts: list[Tree] = [path, *_all_elements(path.elements)]
    bound = (part for part in parts if isinstance(part, Node | Relationship | Group | Path))
    return frozenset(part.variable for part in bound if part.variable is not None)


def _named_nodes(elements: tuple[Element, ...]) -> tuple[str, ...]:
    """The named nodes of a piece of path outside repeated pieces."""
    return tuple(element.variable for element in elements if isinstance(element, Node) and element.variable is not None)


def _all_elements(elements: tuple[Element, ...]) -> Iterator[Element]:
    for element in elements:
        yield element
        if isinstance(element, Group):
            yield from _all_elements(element.elements)


def _projected(clause: Projection, scope: Scope) -> Scope:
    """What is still in force after WITH, under its new names."""
    renamed = {
        item.value.name: item.name
        for item in clause.items
        if isinstance(item.value, Variable) and item.name is not None
    }
    if clause.star:
        renamed = {**{name: name for name in scope.bound}, **renamed}
    paths = (tuple(renamed[name] for name in path if name in renamed) for path in scope.paths)
    return Scope(
        frozenset(new for name, new in renamed.items() if name in scope.bound), tuple(path for path in paths if path)
    )
