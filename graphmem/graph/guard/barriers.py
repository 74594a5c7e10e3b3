"""Keeps conditions from being tried on nodes of other namespaces.

The server may find nodes by an index first and ask for the namespace's label afterwards; of several conditions it tries the cheaper first,
and it moves the condition of a WITH into the MATCH before. A condition that can fail (1/0, a bad date) would then tell, by failing or not,
something of a node that the query never returns. So a condition on what patterns have bound stays as it is only if it is total
(totality.py). Any other is put behind the label, ``CASE WHEN (n:N_…) THEN (condition) END``; where no node has a name to ask for, the
query is refused. That the server keeps to it is proved on its plan (plans.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from graphmem.graph.guard.cursor import Cursor
from graphmem.graph.guard.syntax import (
    Clause,
    Conjunct,
    Element,
    Filter,
    Group,
    Let,
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
from graphmem.graph.guard.totality import mentioned, total, truth

Subjects = tuple[str, ...]
Bound = Mapping[str, Subjects]
"""What patterns have bound, each with the nodes to ask for its namespace: a node itself, else named nodes of its path."""


@dataclass(frozen=True, slots=True)
class Barrier:
    """A condition, from token ``start`` to before ``end``, to be put behind tests of the label on ``subjects``.

    Those in ``nullable`` may be null, where an OPTIONAL MATCH found nothing; the condition is then tried.
    """

    start: int
    end: int
    subjects: Subjects
    nullable: frozenset[str]


def barriers(query: Query, cursor: Cursor) -> list[Barrier]:
    """The barriers that a query needs. Raises CypherRefused where one cannot be put up."""
    walker = _Walker(cursor)
    walker.query(query, {})
    return walker.found


class _Walker:
    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self.found: list[Barrier] = []

    def query(self, query: Query, outer: Bound) -> Bound:
        """Goes through a query with what is bound around it; returns what is bound in what it gives back."""
        result: dict[str, Subjects] = {}
        for branch in query.branches:
            bound = outer
            for clause in branch:
                bound = self._clause(clause, bound)
            result.update(bound)
        return result

    def _clause(self, clause: Clause, bound: Bound) -> Bound:
        if isinstance(clause, Match):
            own = {**bound, **_bindings(clause.paths)}
            self._patterns(clause.paths, own)
            self._conditions(clause.where, own, _nodes(clause.paths))
            return own
        if isinstance(clause, SubqueryCall):
            imported = (
                bound if clause.imports is None else {name: bound[name] for name in clause.imports if name in bound}
            )
            return {**bound, **self.query(clause.query, imported)}
        if isinstance(clause, Projection):
            after = _projected(clause, bound)
            self._inside((item.value for item in clause.items), bound)
            self._inside((*clause.order,), {**bound, **after})
            self._conditions(clause.where, after, frozenset())
            return after
        if isinstance(clause, Filter):
            self._conditions(clause.where, bound, frozenset())
            return bound
        if isinstance(clause, Let):
            self._inside((item.value for item in clause.items), bound)
            return bound
        self._inside(children(clause), bound)
        return bound

    def _inside(self, trees: Iterable[Tree], bound: Bound) -> None:
        """Subqueries and patterns inside expressions."""
        for tree in trees:
            if isinstance(tree, Subquery):
                self.query(tree.query, bound)
            elif isinstance(tree, PatternList):
                own = {**bound, **_bindings((tree.path,))}
                self._patterns((tree.path,), own)
                self._conditions(tree.where, own, _nodes((tree.path,)))
                self._inside((tree.body,), own)
            elif isinstance(tree, PatternTest):
                self._patterns((tree.path,), {**bound, **_bindings((tree.path,))})
            else:
                self._inside(children(tree), bound)

    def _patterns(self, paths: tuple[Path, ...], bound: Bound) -> None:
        """What stands inside the brackets of patterns."""
        names = frozenset(bound)
        for element in (found for path in paths for found in _elements(path.elements)):
            if isinstance(element, Node | Relationship) and element.properties is not None:
                for _, value in element.properties.items:
                    if not total(value, names):
                        raise self._cursor.refusal(
                            "a value worked out from matched nodes inside a pattern; make it a condition in WHERE",
                            value.at,
                        )
                self._inside((element.properties,), bound)
            own = bound
            if isinstance(element, Group):
                nodes = tuple(
                    part.variable for part in element.elements if isinstance(part, Node) and part.variable is not None
                )
                own = {**bound, **{name: nodes for name in mentioned(element) if name in bound}}
            self._conditions(element.where, own, _nodes(paths))

    def _conditions(self, where: tuple[Conjunct, ...], bound: Bound, fresh: frozenset[str]) -> None:
        names = frozenset(bound)
        for part in where:
            self._inside((part.value,), bound)
            if truth(part.value, names):
                continue
            subjects: list[str] = []
            for name in sorted(mentioned(part.value) & names):
                if not bound[name]:
                    raise self._cursor.refusal(
                        f"a condition that may fail, on {name!r} in a pattern without named nodes; give a node of it a name",
                        part.at,
                    )
                subjects += bound[name]
            kept = tuple(dict.fromkeys(subjects))
            self.found.append(Barrier(part.at, part.end, kept, frozenset(kept) - fresh))


def _bindings(paths: tuple[Path, ...]) -> dict[str, Subjects]:
    bound: dict[str, Subjects] = {}
    for path in paths:
        nodes = tuple(
            element.variable for element in path.elements if isinstance(element, Node) and element.variable is not None
        )
        for name in mentioned_in_pattern(path):
            bound[name] = (name,) if name in nodes else nodes
    return bound


def mentioned_in_pattern(path: Path) -> frozenset[str]:
    """The variables that a path binds: of itself, its nodes, relationships and pieces."""
    parts: list[Tree] = [path, *_elements(path.elements)]
    return frozenset(
        part.variable
        for part in parts
        if isinstance(part, Node | Relationship | Group | Path) and part.variable is not None
    )


def _nodes(paths: tuple[Path, ...]) -> frozenset[str]:
    found = (element for path in paths for element in _elements(path.elements))
    return frozenset(
        element.variable for element in found if isinstance(element, Node) and element.variable is not None
    )


def _elements(elements: tuple[Element, ...]) -> Iterator[Element]:
    for element in elements:
        yield element
        if isinstance(element, Group):
            yield from _elements(element.elements)


def _projected(clause: Projection, bound: Bound) -> dict[str, Subjects]:
    """What is still known to be bound by patterns after WITH, under its new names."""
    renamed = {
        item.value.name: item.name
        for item in clause.items
        if isinstance(item.value, Variable) and item.name is not None
    }
    if clause.star:
        renamed = {**{name: name for name in bound}, **renamed}
    after = {}
    for name, new in renamed.items():
        if name in bound:
            subjects = tuple(renamed[subject] for subject in bound[name] if subject in renamed)
            if subjects:
                after[new] = subjects
    return after
