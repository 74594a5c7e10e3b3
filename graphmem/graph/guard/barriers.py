"""Keeps conditions from being tried on nodes of other namespaces.

The server may find nodes by an index first and ask for the namespace's label afterwards, and of several conditions it tries the cheaper
first. A condition that can fail (1/0, a bad date) or whose work depends on what it reads would then tell something of a node that the
query never returns. So a condition on nodes of its own MATCH stays as it is only if it is *total*: comparisons, string tests, null
tests, label tests of properties, which give true, false or null whatever they read. Any other is put behind the label,
``CASE WHEN (n:N_…) THEN (condition) END``; where no node of the pattern has a name to ask for, the query is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from graphmem.graph.guard.cursor import Cursor
from graphmem.graph.guard.syntax import (
    Call,
    Conjunct,
    Constant,
    Element,
    Expression,
    Filter,
    Group,
    HasLabels,
    ListOf,
    MapOf,
    Match,
    Node,
    Operation,
    Parameter,
    Path,
    PatternList,
    PatternTest,
    Projection,
    Property,
    Query,
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
_NEVER_FAIL = frozenset({"coalesce", "type", "length", "nodes", "relationships", "startnode", "endnode"})


@dataclass(frozen=True, slots=True)
class Barrier:
    """A condition, from token ``start`` to before ``end``, to be put behind tests of the label on ``subjects``."""

    start: int
    end: int
    subjects: tuple[str, ...]


def barriers(query: Query, cursor: Cursor) -> list[Barrier]:
    """The barriers that a query needs. Raises CypherRefused where one cannot be put up."""
    found: list[Barrier] = []
    for tree in walk(query):
        if isinstance(tree, Match):
            own = _names(tree.paths)
            _inline(tree.paths, own, cursor, found)
            _condition(tree.where, own, _subjects(tree.paths), cursor, found)
        elif isinstance(tree, PatternList):
            own = _names((tree.path,))
            _inline((tree.path,), own, cursor, found)
            _condition(tree.where, own, _subjects((tree.path,)), cursor, found)
        elif isinstance(tree, PatternTest):
            _inline((tree.path,), _names((tree.path,)), cursor, found)
    return found


def _names(paths: tuple[Path, ...]) -> frozenset[str]:
    """The variables that patterns bind or use."""
    own = set()
    for path in paths:
        for tree in walk(path):
            if isinstance(tree, Node | Relationship | Group | Path) and tree.variable is not None:
                own.add(tree.variable)
    return frozenset(own)


def _subjects(paths: tuple[Path, ...]) -> tuple[str, ...]:
    """A named node of each path outside repeated pieces; () where a path has none, for then it cannot be asked for its namespace."""
    found: list[str] = []
    for path in paths:
        named = [
            element.variable for element in path.elements if isinstance(element, Node) and element.variable is not None
        ]
        if not named:
            return ()
        found += named
    return tuple(dict.fromkeys(found))


def _inline(paths: tuple[Path, ...], own: frozenset[str], cursor: Cursor, found: list[Barrier]) -> None:
    for path in paths:
        for element, around in _elements(path.elements, _subjects(paths)):
            if isinstance(element, Node | Relationship) and element.properties is not None:
                for _, value in element.properties.items:
                    if not total(value, own):
                        raise cursor.refusal(
                            "a value worked out from nodes of the same MATCH; write it as a condition in WHERE",
                            value.at,
                        )
            subjects = (element.variable,) if isinstance(element, Node) and element.variable is not None else around
            if isinstance(element, Group):
                subjects = _subjects((Path(element.at, None, element.elements, element.end),))
            _condition(element.where, own, subjects, cursor, found)


def _elements(elements: tuple[Element, ...], subjects: tuple[str, ...]) -> Iterator[tuple[Element, tuple[str, ...]]]:
    for element in elements:
        yield element, subjects
        if isinstance(element, Group):
            yield from _elements(element.elements, _subjects((Path(element.at, None, element.elements, element.end),)))


def _condition(
    where: tuple[Conjunct, ...], own: frozenset[str], subjects: tuple[str, ...], cursor: Cursor, found: list[Barrier]
) -> None:
    for part in where:
        if truth(part.value, own):
            continue
        if not subjects:
            raise cursor.refusal(
                "a condition that may fail, on a pattern without named nodes; give a node of each path a name", part.at
            )
        found.append(Barrier(part.at, part.end, subjects))


def mentions(tree: Tree, own: frozenset[str]) -> bool:
    """Whether any of these variables occurs in it."""
    for part in walk(tree):
        if isinstance(part, Variable) and part.name in own:
            return True
        if isinstance(part, Node | Relationship | Group | Path) and part.variable in own:
            return True
    return False


def truth(tree: Expression, own: frozenset[str]) -> bool:
    """Whether a condition gives true, false or null whatever ``own`` are."""
    if not mentions(tree, own):
        return True
    if isinstance(tree, Operation) and tree.operator in _LOGICAL:
        return all(truth(operand, own) for operand in tree.operands)
    if isinstance(tree, Operation) and tree.operator in _COMPARING:
        return all(total(operand, own) for operand in tree.operands)
    if isinstance(tree, Operation) and tree.operator == "IN":
        left, right = tree.operands
        return (
            total(left, own)
            and (isinstance(right, ListOf | Parameter) or not mentions(right, own))
            and total(right, own)
        )
    if isinstance(tree, HasLabels):
        return isinstance(tree.base, Variable)
    if isinstance(tree, PatternTest):
        return all(total(value, own) for part in walk(tree) if isinstance(part, MapOf) for _, value in part.items)
    if isinstance(tree, Subquery):
        return tree.kind == "EXISTS" and _query_total(tree.query, own)
    return False


def total(tree: Expression, own: frozenset[str]) -> bool:
    """Whether a value can be worked out whatever ``own`` are, without failing."""
    if not mentions(tree, own):
        return True
    if isinstance(tree, Constant | Parameter | Variable):
        return True
    if isinstance(tree, Property):
        return isinstance(tree.base, Variable)
    if isinstance(tree, ListOf):
        return all(total(item, own) for item in tree.items)
    if isinstance(tree, Call):
        return tree.name in _NEVER_FAIL and all(total(argument, own) for argument in tree.arguments)
    if isinstance(tree, Subquery):
        return tree.kind == "COUNT" and _query_total(tree.query, own)
    return truth(tree, own)


def _query_total(query: Query, own: frozenset[str]) -> bool:
    """Whether a subquery over outer nodes ``own`` can be worked out without failing on them."""
    for branch in query.branches:
        for clause in branch:
            if isinstance(clause, Match):
                maps = [value for part in walk(clause) if isinstance(part, MapOf) for _, value in part.items]
                if not all(total(value, own) for value in maps):
                    return False
                if not all(truth(part.value, own) for part in walk(clause) if isinstance(part, Conjunct)):
                    return False
            elif isinstance(clause, Filter):
                if not truth(clause.condition, own):
                    return False
            elif isinstance(clause, Projection):
                values = [item.value for item in clause.items] + list(clause.order)
                if not all(total(value, own) for value in values):
                    return False
                if clause.where is not None and not truth(clause.where, own):
                    return False
            elif mentions(clause, own):
                return False
    return True
