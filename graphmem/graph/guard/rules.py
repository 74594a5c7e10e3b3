"""What a query may name: labels, types, functions, properties, parameters; and how much of a pattern it may hold."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, time, timedelta
from typing import Any

from graphmem.errors import CypherRefused
from graphmem.graph.guard.cursor import RESERVED, Cursor
from graphmem.graph.guard.regexes import shape
from graphmem.graph.guard.syntax import (
    Call,
    Constant,
    HasLabels,
    Item,
    Labels,
    MapProjection,
    Match,
    Node,
    Operation,
    Parameter,
    PatternTest,
    Property,
    Query,
    Relationship,
    Tree,
    children,
    walk,
)
from graphmem.graph.guard.tokens import LARGEST_INTEGER, is_plain
from graphmem.graph.guard.vocabulary import FUNCTIONS, HIDDEN, LABELS, TYPES, nearest

MOST_PATTERNS = 60
"""Node and relationship patterns of a query."""
MOST_PATTERNS_OF_A_MATCH = 20
"""Those of one MATCH: the planner's work grows steeply with them."""
MOST_CONDITIONS = 200
"""Logical operands of a query: the planner multiplies them out."""
MOST_XOR = 4
"""Operands of XOR in a query: each more doubles what the planner makes of them, and forty end the server."""
MOST_LABELS = 400
"""Names and signs of a query's label expressions: some thousands keep the planner busy for longer than a query may run."""
MOST_CLAUSES = 60
MOST_BRANCHES = 20
DEEPEST_TREE = 90
"""Levels of a query's tree. A chain such as 1+1+1+… is one level for each sign; the planner's stack ends at about twice that."""
DEEPEST_SUBQUERY = 5
MOST_PARAMETERS_UNITS = 1_000_000
DEEPEST_PARAMETER = 20

_INSTEAD = {
    "id": "use n.id",
    "elementid": "use n.id",
    "rand": "order by a property",
    "randomuuid": "use n.id",
    "timestamp": "use datetime()",
    "reduce": "UNWIND the list and use sum() or collect()",
    "sleep": "leave it out",
    "file": "leave it out",
    "linenumber": "leave it out",
    "point": "places are entities; match them by name",
}


def check(query: Query, cursor: Cursor, parameters: Mapping[str, Any]) -> None:
    """Raises CypherRefused for the first thing in the query that is not on the lists, saying what is."""
    _check_depth(query, cursor)
    patterns = conditions = exclusive = labels = 0
    for tree in walk(query):
        _check_names(tree, cursor, parameters)
        if isinstance(tree, Node | Relationship):
            patterns += 1
        elif isinstance(tree, Labels):
            labels += tree.end - tree.at
        elif isinstance(tree, Match):
            if (
                sum(isinstance(part, Node | Relationship) for path in tree.paths for part in path.elements)
                > MOST_PATTERNS_OF_A_MATCH
            ):
                raise cursor.refusal(
                    f"a MATCH with more than {MOST_PATTERNS_OF_A_MATCH} nodes and relationships; split it in two",
                    tree.at,
                )
        elif isinstance(tree, Operation) and tree.operator in ("AND", "OR", "XOR"):
            conditions += len(tree.operands)
            exclusive += len(tree.operands) if tree.operator == "XOR" else 0
    if patterns > MOST_PATTERNS:
        raise cursor.refusal(
            f"{patterns} nodes and relationships in one query; ask for at most {MOST_PATTERNS} at once", 0
        )
    if labels > MOST_LABELS:
        raise cursor.refusal(
            f"label expressions of {labels} names and signs in one query; at most {MOST_LABELS} are taken, use fewer", 0
        )
    if exclusive > MOST_XOR:
        raise cursor.refusal(f"{exclusive} conditions joined by XOR; at most {MOST_XOR} are taken, use OR and AND", 0)
    if conditions > MOST_CONDITIONS:
        raise cursor.refusal(f"{conditions} conditions in one query; give a list as a parameter and use IN", 0)


def _check_depth(query: Query, cursor: Cursor) -> None:
    """Refuses what would take the planner long, or past the end of its stack, on which it never answers."""
    pending: list[tuple[Tree, int, int]] = [(query, 0, -1)]
    clauses = 0
    while pending:
        tree, depth, subqueries = pending.pop()
        if isinstance(tree, Query):
            subqueries += 1
            clauses += sum(len(branch) for branch in tree.branches)
            if len(tree.branches) > MOST_BRANCHES:
                raise cursor.refusal(
                    f"{len(tree.branches)} queries joined by UNION; at most {MOST_BRANCHES} are taken", tree.at
                )
        if depth > DEEPEST_TREE or subqueries > DEEPEST_SUBQUERY:
            raise cursor.refusal("too much nested in one expression; split it with WITH", tree.at)
        pending += [(child, depth + 1, subqueries) for child in children(tree)]
    if clauses > MOST_CLAUSES:
        raise cursor.refusal(f"{clauses} clauses in one query; at most {MOST_CLAUSES} are taken", 0)


def _check_names(tree: Tree, cursor: Cursor, parameters: Mapping[str, Any]) -> None:
    if isinstance(tree, Node):
        _labels(tree.labels, LABELS, "label", cursor)
        _keys([key for key, _ in tree.properties.items] if tree.properties is not None else [], tree, cursor)
    elif isinstance(tree, Relationship):
        _labels(tree.labels, TYPES, "relationship type", cursor)
    elif isinstance(tree, HasLabels):
        _labels(tree.labels, (*LABELS, *TYPES), "label or type", cursor)
    elif isinstance(tree, Property):
        _keys([tree.name], tree, cursor)
    elif isinstance(tree, MapProjection):
        _keys(list(tree.keys), tree, cursor)
    elif isinstance(tree, Item) and tree.name is not None and tree.name.lower().startswith(RESERVED):
        raise cursor.refusal(f"the name {tree.name!r} is kept for the planner; choose another", tree.at)
    elif isinstance(tree, Call):
        _function(tree, cursor)
    elif isinstance(tree, Parameter):
        _parameter(tree, cursor, parameters)
    elif isinstance(tree, Operation) and tree.operator == "=~":
        _regex(tree, cursor, parameters)


def _labels(labels: Labels | None, known: tuple[str, ...], what: str, cursor: Cursor) -> None:
    for name, at in () if labels is None else labels.names:
        if name in known:
            continue
        if name.upper().startswith("N_"):
            raise cursor.refusal(
                f"the label {name!r} of a namespace; leave it out, the query is confined to its namespace anyway", at
            )
        close = nearest(name, known)
        raise cursor.refusal(
            f"there is no {what} {name!r}; " + (f"use {close}" if close else "see the schema for those there are"), at
        )


def _keys(names: list[str], tree: Tree, cursor: Cursor) -> None:
    for name in names:
        if name in HIDDEN:
            raise cursor.refusal(
                f"the property {name!r} is not given out; use the search tools to compare by meaning", tree.at
            )


def _function(tree: Call, cursor: Cursor) -> None:
    if tree.name not in FUNCTIONS:
        instead = _INSTEAD.get(tree.name.rpartition(".")[2]) or nearest(tree.name, FUNCTIONS)
        raise cursor.refusal(
            f"the function {tree.name}() is not among those taken; "
            + (f"{instead}" if tree.name in _INSTEAD else f"use {instead or 'another'}"),
            tree.at,
        )
    if tree.star and tree.name != "count":
        raise cursor.refusal(f"{tree.name}(*) is not taken; only count(*) is", tree.at)
    if tree.name == "exists" and not (len(tree.arguments) == 1 and isinstance(tree.arguments[0], PatternTest)):
        raise cursor.refusal("exists() of a value; write IS NOT NULL, or EXISTS { pattern }", tree.at)


def _parameter(tree: Parameter, cursor: Cursor, parameters: Mapping[str, Any]) -> None:
    if not is_plain(tree.name) or tree.name.lower().startswith(RESERVED):
        raise cursor.refusal(
            f"the parameter ${tree.name} has a name that is not taken; use letters, digits and _", tree.at
        )
    if tree.name not in parameters:
        given = ", ".join(f"${name}" for name in sorted(parameters)) or "none"
        raise cursor.refusal(f"the parameter ${tree.name} has no value; given are: {given}", tree.at)


def _regex(tree: Operation, cursor: Cursor, parameters: Mapping[str, Any]) -> None:
    pattern = tree.operands[1]
    value = (
        pattern.value
        if isinstance(pattern, Constant)
        else parameters.get(pattern.name)
        if isinstance(pattern, Parameter)
        else None
    )
    if not isinstance(value, str) or shape(value) is None:
        raise cursor.refusal(
            "a regular expression not plain enough; use CONTAINS, or at most three .*, few choices, no repeated group, and \\\\b for \\b",
            pattern.at,
        )


def check_parameters(parameters: Mapping[str, Any], units: float) -> None:
    """Raises CypherRefused for parameters that are too many to send along, or that the database has no type for."""
    if units > MOST_PARAMETERS_UNITS:
        raise CypherRefused(
            f"the parameters hold {units:.0f} characters and elements, at most {MOST_PARAMETERS_UNITS} are taken; give fewer"
        )
    for name, value in parameters.items():
        if not isinstance(name, str) or not _is_storable(value, DEEPEST_PARAMETER):
            raise CypherRefused(
                f"the parameter {name!r} is {type(value).__name__} or holds what the database has no type for; "
                "give texts, numbers of 64 bits, truth values, dates and times, and lists and maps of these"
            )


def _is_storable(value: Any, levels: int) -> bool:
    if value is None or isinstance(value, bool | float | date | time | timedelta):
        return True
    if isinstance(value, int):
        return -LARGEST_INTEGER - 1 <= value <= LARGEST_INTEGER
    if isinstance(value, str):
        return not any("\ud800" <= character <= "\udfff" for character in value)
    if isinstance(value, Mapping):
        return levels > 0 and all(
            isinstance(key, str) and _is_storable(item, levels - 1) for key, item in value.items()
        )
    if isinstance(value, list | tuple):
        return levels > 0 and all(_is_storable(item, levels - 1) for item in value)
    return False
