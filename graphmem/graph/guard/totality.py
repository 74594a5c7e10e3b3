"""Which expressions give a value whatever nodes they are tried on, and so tell nothing by failing.

Comparisons, string tests, null tests, label tests, of properties, parameters and literals give true, false or null in Cypher, never an
error. Arithmetic, conversions, dates and subscripts may fail. What does not mention the variables in question is total in them.
"""

from __future__ import annotations

from graphmem.graph.guard.syntax import (
    Call,
    Conjunct,
    Constant,
    Expression,
    Filter,
    Group,
    HasLabels,
    Index,
    ListOf,
    MapOf,
    Match,
    Node,
    Operation,
    Parameter,
    Path,
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
_NEVER_FAIL = frozenset(
    "coalesce type length nodes relationships startnode endnode id unique isrepeattrailunique".split()
)


def mentions(tree: Tree, own: frozenset[str]) -> bool:
    """Whether any of these variables occurs in it."""
    return bool(mentioned(tree) & own)


def mentioned(tree: Tree) -> frozenset[str]:
    """The variables that occur in it, patterns included."""
    found = set()
    for part in walk(tree):
        if isinstance(part, Variable):
            found.add(part.name)
        elif isinstance(part, Node | Relationship | Group | Path) and part.variable is not None:
            found.add(part.variable)
    return frozenset(found)


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
            and total(right, own)
            and (isinstance(right, ListOf | Parameter) or not mentions(right, own))
        )
    if isinstance(tree, HasLabels):
        return isinstance(tree.base, Variable)
    if isinstance(tree, PatternTest):
        return all(total(value, own) for part in walk(tree) if isinstance(part, MapOf) for _, value in part.items)
    if isinstance(tree, Subquery):
        return tree.kind == "EXISTS" and _query_total(tree.query, own)
    return isinstance(tree, Call) and tree.name == "isrepeattrailunique"


def total(tree: Expression, own: frozenset[str]) -> bool:
    """Whether a value can be worked out whatever ``own`` are, without failing."""
    if not mentions(tree, own) or isinstance(tree, Constant | Parameter | Variable):
        return True
    if isinstance(tree, Property):
        return isinstance(tree.base, Variable)
    if isinstance(tree, Index):
        # How plans write a property that is kept beside the row. (bounds.py lets no query subscript by a property.)
        return (
            isinstance(tree.base, Variable)
            and tree.base.name == "cache"
            and isinstance(tree.index, Property)
            and total(tree.index, own)
        )
    if isinstance(tree, ListOf):
        return all(total(item, own) for item in tree.items)
    if isinstance(tree, Call):
        return tree.name in _NEVER_FAIL and all(total(argument, own) for argument in tree.arguments)
    if isinstance(tree, Subquery):
        return tree.kind == "COUNT" and _query_total(tree.query, own)
    return truth(tree, own)


def _query_total(query: Query, own: frozenset[str]) -> bool:
    """Whether a subquery that mentions ``own`` can be worked out without failing on them."""
    return all(_clause_total(clause, own) for branch in query.branches for clause in branch)


def _clause_total(clause: Tree, own: frozenset[str]) -> bool:
    if isinstance(clause, Match):
        maps = [value for part in walk(clause) if isinstance(part, MapOf) for _, value in part.items]
        conditions = [part.value for part in walk(clause) if isinstance(part, Conjunct)]
        return all(total(value, own) for value in maps) and all(truth(condition, own) for condition in conditions)
    if isinstance(clause, Filter):
        return all(truth(part.value, own) for part in clause.where)
    if isinstance(clause, Projection):
        values = [item.value for item in clause.items] + list(clause.order)
        return all(total(value, own) for value in values) and all(truth(part.value, own) for part in clause.where)
    return not mentions(clause, own)
