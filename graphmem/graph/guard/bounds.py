"""How large a value can become and how much work it is, before anything runs.

The server looks at its time limit between rows only, and counts the memory of what it collects and sorts, not that of what an expression
builds. So one expression may take it down: doubled strings, lists made of lists, a loop in a loop. Here every expression gets an upper
bound by abstract interpretation over the query, clause by clause, with variables carried along, and is refused beyond the limits below.

What sizes and costs are counted in, and the limits, stand in sizes.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphmem.graph.guard.costs import ExpressionBounds
from graphmem.graph.guard.sizes import (
    Bound,
    done,
    element,
    larger,
)
from graphmem.graph.guard.syntax import (
    Expression,
    Filter,
    Group,
    Let,
    MapOf,
    MapProjection,
    Match,
    Node,
    Page,
    Path,
    PatternList,
    PatternTest,
    Projection,
    Query,
    Relationship,
    Subquery,
    SubqueryCall,
    Unwind,
    walk,
)


class Bounds(ExpressionBounds):
    """Goes through a query once.

    ``lists`` gathers the token spans of lists whose length the running query has to check, ``returned`` those of what is given back that
    is certainly a list and may be long, and ``unlimited`` the closing braces of COLLECTs there that have no LIMIT.
    """

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
                result[name] = larger(result[name], bound) if name in result else bound
        return result

    def _clause(self, clause: Any, known: dict[str, Bound]) -> dict[str, Bound]:
        if isinstance(clause, Match):
            self.pattern(clause, known)
        elif isinstance(clause, Unwind):
            source = self.value(clause.source, known)
            known[clause.variable] = element(source)
        elif isinstance(clause, Let):
            for item in clause.items:
                known[item.name or ""] = done(self.value(item.value, known))
        elif isinstance(clause, Filter):
            for part in clause.where:
                self.value(part.value, known)
        elif isinstance(clause, Page):
            for value in (*clause.order, clause.skip, clause.limit):
                if value is not None:
                    self.value(value, known)
        elif isinstance(clause, SubqueryCall):
            inner = known if clause.imports is None else {name: known[name] for name in clause.imports if name in known}
            known = {**known, **self.query(clause.query, inner)}
        elif isinstance(clause, Projection):
            known = self._projection(clause, known)
        return known

    def _projection(self, clause: Projection, known: dict[str, Bound]) -> dict[str, Bound]:
        result = dict(known) if clause.star else {}
        for item in clause.items:
            result[item.name or f" {item.at}"] = done(self.value(item.value, known))
        seen = {**known, **result}
        for value in (*clause.order, clause.skip, clause.limit, *(part.value for part in clause.where)):
            if value is not None:
                self.value(value, seen)
        return result

    def _returned(self, tree: Expression, span: tuple[int, int], known: Mapping[str, Bound]) -> None:
        """Gathers the long lists of a thing that is given back."""
        if isinstance(tree, MapOf | MapProjection):
            for (_, value), part in zip(tree.items, tree.spans, strict=True):
                if self.cursor.tokens[part[0] - 1].text == ":":
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
        before, lists = dict(self.built_so_far), len(self.lists)
        bound = self.value(tree, known)
        self.built_so_far = before
        del self.lists[lists:]
        if bound.many and bound.listed:
            self.returned.append(span)

    def pattern(self, tree: Match | PatternList | PatternTest, known: dict[str, Bound]) -> None:
        """Binds the variables of patterns and checks what stands in them."""
        paths = tree.paths if isinstance(tree, Match) else (tree.path,)
        for part in (found for path in paths for found in walk(path)):
            name = getattr(part, "variable", None)
            if isinstance(name, str) and isinstance(part, Node | Relationship | Group | Path):
                known.setdefault(name, Bound(10.0, 1.0, 10.0, 1.0))
        for path in paths:
            for part in walk(path):
                if isinstance(part, Node | Relationship) and part.properties is not None:
                    self.value(part.properties, known)
                if isinstance(part, Node | Relationship | Group):
                    for where in part.where:
                        self.value(where.value, known)
        for where in () if isinstance(tree, PatternTest) else tree.where:
            self.value(where.value, known)
