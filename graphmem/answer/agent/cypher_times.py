"""Times of a Cypher query that are compared with what is no date-time. Pure.

Cypher gives null for such a comparison, and so no rows and no error. Each is told with the nearest comparison that has an answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from graphmem.graph.guard.syntax import (
    Call,
    Constant,
    Expression,
    Item,
    ListOf,
    Node,
    Operation,
    Property,
    Query,
    Relationship,
    Variable,
    walk,
)
from graphmem.graph.guard.tokens import Token

TIMES = frozenset(
    "created_at started_at said_at starts_at ends_at asserted_at valid_from valid_to decided_at moment".split()
)
"""The properties that are stored as date-times."""

_SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "<>": "<>"}
_OF_TEXTS = ("STARTS WITH", "ENDS WITH", "CONTAINS", "=~")
_DAY = re.compile(r"\d{4}-\d\d-\d\d\Z")
_PART_OF_DATE = re.compile(r"\d{4}(?:-\d\d)?\Z")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d(?::\d\d(?::\d\d(?:\.\d+)?)?)?(?:Z|[+-]\d\d:?\d\d)?\Z")

Kind = Literal["date-time", "date", "text"]


def mistaken_times(query: Query, text: str, tokens: Sequence[Token]) -> Iterator[str]:
    """What is told of each comparison of a time with a text or a date, in order of text, each once."""
    return iter(dict.fromkeys(_told(query, text, tokens)))


def _told(query: Query, text: str, tokens: Sequence[Token]) -> Iterator[str]:
    named: dict[str, Kind] = {}
    for tree in walk(query):
        if isinstance(tree, Item) and tree.name is not None and (kind := _kind(tree.value, named)) is not None:
            named[tree.name] = kind
        elif isinstance(tree, Node | Relationship) and tree.properties is not None:
            for key, value in tree.properties.items:
                if key in TIMES and isinstance(value, Constant) and isinstance(value.value, str):
                    yield _sentence(f"{tree.variable or 'x'}.{key}", "date-time", "=", value, text, tokens)
        elif isinstance(tree, Operation) and len(tree.operands) == 2:
            one, other = tree.operands
            operator = tree.operator
            if operator in _SWAPPED and _kind(one, named) == "text":
                one, other, operator = other, one, _SWAPPED[operator]
            if _do_not_compare(_kind(one, named), operator, other, named):
                yield _sentence(_source(one, text, tokens), _kind(one, named), operator, other, text, tokens)


def _do_not_compare(one: Kind | None, operator: str, other: Expression, named: Mapping[str, Kind]) -> bool:
    if operator == "IN":
        return one in ("date-time", "date") and isinstance(other, ListOf) and _kind_of_all(other, named) == "text"
    if operator not in _SWAPPED and operator not in _OF_TEXTS:
        return False
    return (one, _kind(other, named)) in (("date-time", "text"), ("date-time", "date"), ("date", "text"))


def _kind(value: Expression, named: Mapping[str, Kind]) -> Kind | None:
    """What a value is, as far as its form tells."""
    if isinstance(value, Constant):
        return "text" if isinstance(value.value, str) else None
    if isinstance(value, Property):
        return "date-time" if isinstance(value.base, Variable) and value.name in TIMES else None
    if isinstance(value, Variable):
        return named.get(value.name)
    if isinstance(value, Call):
        function = value.name.partition(".")[0]
        return "date-time" if function == "datetime" else "date" if function == "date" else None
    return None


def _kind_of_all(listed: ListOf, named: Mapping[str, Kind]) -> Kind | None:
    kinds = {_kind(each, named) for each in listed.items}
    return kinds.pop() if len(kinds) == 1 else None


def _sentence(
    time: str, kind: Kind | None, operator: str, other: Expression, text: str, tokens: Sequence[Token]
) -> str:
    is_text = isinstance(other, Constant | ListOf)
    fix = _fix(time, kind, operator, other, text, tokens)
    return f"{time} is a {kind} and compares with no {'text' if is_text else 'date'}; write {fix}."


def _fix(time: str, kind: Kind | None, operator: str, other: Expression, text: str, tokens: Sequence[Token]) -> str:
    """The comparison that was meant."""
    day = time if kind == "date" else f"date({time})"
    if isinstance(other, ListOf):
        listed = ", ".join(_literal(each) for each in other.items)
        return f"toString({day}) IN [{listed}]"
    if not isinstance(other, Constant):
        return f"{day} {operator} {_source(other, text, tokens)}"
    said = _literal(other)
    if operator in _OF_TEXTS:
        return f"toString({time}) {operator} {said}"
    if operator in ("=", "<>") and _PART_OF_DATE.match(str(other.value)):
        return f"{'NOT ' if operator == '<>' else ''}toString({time}) STARTS WITH {said}"
    if kind == "date" or (operator in ("=", "<>") and _DAY.match(str(other.value))):
        return f"{day} {operator} date({said})"
    return f"{time} {operator} datetime({_moment(str(other.value))})"


def _moment(said: str) -> str:
    """A text as Cypher reads it as a date-time; where it is none, the form of one."""
    if _MOMENT.match(said):
        return f"'{said.replace(' ', 'T')}'"
    return f"'{said}'" if _DAY.match(said) or _PART_OF_DATE.match(said) else "'YYYY-MM-DD'"


def _literal(value: Expression) -> str:
    written = str(value.value) if isinstance(value, Constant) else ""
    return "'" + written.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _source(value: Expression, text: str, tokens: Sequence[Token]) -> str:
    """A value as it stands in the query."""
    if isinstance(value, Property) and isinstance(value.base, Variable):
        return f"{value.base.name}.{value.name}"
    if isinstance(value, Call):
        return text[tokens[value.at].start : tokens[value.end - 1].end]
    return value.name if isinstance(value, Variable) else "it"
