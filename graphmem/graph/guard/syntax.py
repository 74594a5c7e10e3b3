"""The shape of a query as the guard reads it: what the parser makes and the rules look at.

``at`` is the index of the token where a thing begins. Nothing here decides anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Tree:
    """Base of everything in a query."""

    at: int


@dataclass(frozen=True, slots=True)
class Expression(Tree):
    """Base of what has a value."""


@dataclass(frozen=True, slots=True)
class Constant(Expression):
    """A literal: int, float, str, bool or None."""

    value: int | float | str | bool | None


@dataclass(frozen=True, slots=True)
class Parameter(Expression):
    """``$name``."""

    name: str


@dataclass(frozen=True, slots=True)
class Variable(Expression):
    """A variable."""

    name: str


@dataclass(frozen=True, slots=True)
class Property(Expression):
    """``base.name``."""

    base: Expression
    name: str


@dataclass(frozen=True, slots=True)
class Index(Expression):
    """``base[index]``."""

    base: Expression
    index: Expression


@dataclass(frozen=True, slots=True)
class Slice(Expression):
    """``base[low..high]``, either bound may be missing."""

    base: Expression
    low: Expression | None
    high: Expression | None


@dataclass(frozen=True, slots=True)
class Labels(Tree):
    """A label or type expression, from token ``at`` to before token ``end``.

    ``colons`` are the tokens of colons between labels in the old forms: that of ``:A:B`` means ``&``, that of ``:A|:B`` nothing.
    """

    end: int
    names: tuple[tuple[str, int], ...]
    colons: tuple[tuple[int, str], ...]
    text: str
    """Its words and operators, as a canonical text."""


@dataclass(frozen=True, slots=True)
class HasLabels(Expression):
    """``base:Label`` as a predicate."""

    base: Expression
    labels: Labels


@dataclass(frozen=True, slots=True)
class Operation(Expression):
    """An operator with its operands; AND carries the token span of each operand."""

    operator: str
    operands: tuple[Expression, ...]
    spans: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Call(Expression):
    """A function call, up to before token ``end``; the name is in lower case, with its dots. ``star`` for count(*)."""

    end: int
    name: str
    arguments: tuple[Expression, ...]
    distinct: bool = False
    star: bool = False


@dataclass(frozen=True, slots=True)
class ListOf(Expression):
    """A list literal."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class MapOf(Expression):
    """A map literal, or the properties of a pattern; ``spans`` are the tokens of each value."""

    items: tuple[tuple[str, Expression], ...]
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class MapProjection(Expression):
    """``base {.name, .*, key: value}``; ``keys`` are the names taken from the base."""

    base: Variable
    keys: tuple[str, ...]
    all: bool
    items: tuple[tuple[str, Expression], ...]
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Iteration(Expression):
    """A list comprehension (kind "list"), or all, any, none, single; ``span`` are the source's tokens."""

    kind: str
    variable: str
    source: Expression
    span: tuple[int, int]
    condition: Expression | None
    body: Expression | None


@dataclass(frozen=True, slots=True)
class PatternList(Expression):
    """A pattern comprehension."""

    path: Path
    where: tuple[Conjunct, ...]
    body: Expression


@dataclass(frozen=True, slots=True)
class PatternTest(Expression):
    """A pattern used as a predicate."""

    path: Path


@dataclass(frozen=True, slots=True)
class Subquery(Expression):
    """EXISTS, COUNT or COLLECT with a query in braces, the last of which is token ``brace``."""

    brace: int
    kind: str
    query: Query


@dataclass(frozen=True, slots=True)
class Case(Expression):
    """CASE; ``subject`` in its simple form, then the conditions are values or the right sides of comparisons."""

    subject: Expression | None
    branches: tuple[tuple[Expression, Expression], ...]
    otherwise: Expression | None


@dataclass(frozen=True, slots=True)
class Conjunct(Tree):
    """One of the conditions that a WHERE joins by AND, up to before token ``end``."""

    end: int
    value: Expression


@dataclass(frozen=True, slots=True)
class Node(Tree):
    """A node pattern. ``place`` is the token before which a label goes that was not written."""

    variable: str | None
    labels: Labels | None
    properties: MapOf | None
    where: tuple[Conjunct, ...]
    place: int


@dataclass(frozen=True, slots=True)
class Quantifier(Tree):
    """How often: ``{low,high}``, ``+``, ``*``, or the old ``*low..high``; no ``high`` means without bound."""

    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class Relationship(Tree):
    """A relationship pattern."""

    variable: str | None
    labels: Labels | None
    length: Quantifier | None
    properties: MapOf | None
    where: tuple[Conjunct, ...]


@dataclass(frozen=True, slots=True)
class Group(Tree):
    """A parenthesised piece of path, with its quantifier; ``end`` is the token after it."""

    variable: str | None
    elements: tuple[Node | Relationship | Group, ...]
    where: tuple[Conjunct, ...]
    quantifier: Quantifier | None
    end: int


Element = Node | Relationship | Group


@dataclass(frozen=True, slots=True)
class Path(Tree):
    """A path pattern; ``end`` is the token after its last element."""

    variable: str | None
    elements: tuple[Element, ...]
    end: int


@dataclass(frozen=True, slots=True)
class Match(Tree):
    """MATCH or OPTIONAL MATCH, or the bare patterns in the braces of a subquery."""

    optional: bool
    paths: tuple[Path, ...]
    where: tuple[Conjunct, ...]


@dataclass(frozen=True, slots=True)
class Unwind(Tree):
    """UNWIND."""

    source: Expression
    variable: str


@dataclass(frozen=True, slots=True)
class Item(Tree):
    """One thing of a WITH, RETURN or LET; ``name`` as it will be known, None where it has none. Its expression ends before ``end``."""

    end: int
    value: Expression
    name: str | None


@dataclass(frozen=True, slots=True)
class Projection(Tree):
    """WITH or RETURN."""

    kind: str
    distinct: bool
    star: bool
    items: tuple[Item, ...]
    order: tuple[Expression, ...]
    skip: Expression | None
    limit: Expression | None
    where: tuple[Conjunct, ...]


@dataclass(frozen=True, slots=True)
class Let(Tree):
    """LET."""

    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Filter(Tree):
    """FILTER."""

    where: tuple[Conjunct, ...]


@dataclass(frozen=True, slots=True)
class Page(Tree):
    """ORDER BY, SKIP, LIMIT as a clause of its own."""

    order: tuple[Expression, ...]
    skip: Expression | None
    limit: Expression | None


@dataclass(frozen=True, slots=True)
class SubqueryCall(Tree):
    """CALL with a query in braces; ``imports`` None means all variables in scope, as in CALL (*)."""

    optional: bool
    imports: tuple[str, ...] | None
    query: Query


Clause = Match | Unwind | Projection | Let | Filter | Page | SubqueryCall


@dataclass(frozen=True, slots=True)
class Query(Tree):
    """Single queries joined by UNION."""

    branches: tuple[tuple[Clause, ...], ...]


def children(tree: Tree) -> Iterator[Tree]:
    """What a thing is directly made of, in order of its fields."""
    for field in fields(tree):
        yield from _trees(getattr(tree, field.name))


def walk(tree: Tree) -> Iterator[Tree]:
    """A thing and all it is made of."""
    yield tree
    for child in children(tree):
        yield from walk(child)


def _trees(value: Any) -> Iterator[Tree]:
    if isinstance(value, Tree):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _trees(item)
