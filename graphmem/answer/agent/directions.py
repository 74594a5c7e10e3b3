"""Arrows of a Cypher query that run against the graph's schema are turned, by the guard's own parse, before the guard sees the text. Pure.

An arrow is turned only where the way it is written fits no edge of the schema and the other way fits one. What is known of a node is its
labels: those of its own pattern, else those that its variable was given in the same scope. A node of which nothing is known fits
everything, and so nothing is turned for its sake. Only the arrow's two characters change; strings, comments and all else stay as they are.

``docs/architecture.md`` says why this is not langchain-neo4j's corrector, whose purpose it has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from graphmem.errors import CypherRefused
from graphmem.graph.guard.clauses import parse
from graphmem.graph.guard.syntax import (
    Clause,
    Element,
    Group,
    Item,
    Iteration,
    Labels,
    Let,
    Match,
    Node,
    Path,
    PatternList,
    Projection,
    Query,
    Relationship,
    Subquery,
    SubqueryCall,
    Tree,
    Variable,
    children,
)
from graphmem.graph.guard.tokens import Token, place

EDGES: tuple[tuple[str, str, str], ...] = (
    ("Session", "HAS_TURN", "Turn"),
    ("Turn", "NEXT", "Turn"),
    ("Turn", "REPLACES", "Turn"),
    ("Evidence", "QUOTES", "Turn"),
    ("Entity", "HAS_FACT", "Fact"),
    ("Entity", "SAME_AS", "Entity"),
    ("Entity", "DISTINCT_FROM", "Entity"),
    ("Alias", "NAMES", "Entity"),
    ("Event", "INVOLVES", "Entity"),
    ("Event", "AT", "Entity"),
    ("Event", "SUPPORTED_BY", "Evidence"),
    ("Event", "ESTABLISHES", "Fact"),
    ("Event", "SAME_AS", "Event"),
    ("Event", "REPLACES", "Event"),
    ("Fact", "OF", "Property"),
    ("Fact", "VALUE", "Entity"),
    ("Fact", "SUPPORTED_BY", "Evidence"),
    ("Fact", "CORRECTS", "Fact"),
    ("Fact", "RETRACTS", "Fact"),
    ("Fact", "REPLACES", "Fact"),
    ("Resolution", "RESOLVED_TO", "Entity"),
    ("Resolution", "RESOLVED_TO", "Property"),
    ("Resolution", "SUPPORTED_BY", "Evidence"),
    ("Extraction", "PRODUCED", "Event"),
    ("Extraction", "PRODUCED", "Fact"),
    ("Extraction", "REPLACES", "Extraction"),
    ("Summary", "CITES", "Turn"),
    ("Commit", "FOLLOWS", "Commit"),
)
"""The edges of the graph: from, type, to."""

TURNED = "An arrow was turned"

Known = Mapping[str, frozenset[str]]
"""The labels of variables; one that is missing may be anything."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """An edge pattern that fits nothing as written; without a direction, in neither.

    ``fits`` are the edges of its types; ``turns``: the other way fits one. ``labels`` are those that its ends can have.
    """

    left: Node
    edge: Relationship
    right: Node
    backward: bool
    turns: bool
    fits: tuple[tuple[str, str, str], ...]
    labels: frozenset[str]

    @property
    def told(self) -> str:
        """How edges of its types run."""
        return " or ".join(f"(:{start})-[:{type_}]->(:{end})" for start, type_, end in self.fits)

    @property
    def types_of_ends(self) -> str:
        """Which types of edges there are at each of its labels."""
        at = {
            label: dict.fromkeys(type_ for start, type_, end in EDGES if label in (start, end)) for label in self.labels
        }
        return "; ".join(f"{label} has {', '.join(types) or 'none'}" for label, types in sorted(at.items()))


@dataclass(frozen=True, slots=True)
class Mended:
    """A query with its arrows turned; ``notices`` say which, for whoever wrote it."""

    text: str
    notices: tuple[str, ...] = ()


def mend(text: str) -> Mended:
    """Turns the arrows that run against the schema. A text that the guard cannot read is given back as it is."""
    try:
        query, parser = parse(text)
    except CypherRefused:
        return Mended(text)
    turned = [each for each in wrong_arrows(query, parser.tokens) if each.turns]
    edits: dict[int, str] = {}
    for each in turned:
        first, last = parser.tokens[each.edge.at], parser.tokens[each.right.at - 1]
        if each.backward:
            edits |= {first.start: "", last.start: "->"}
        else:
            edits |= {first.start: "<-", last.start: ""}
    written = text
    for start in sorted(edits, reverse=True):
        written = written[:start] + edits[start] + written[start + 1 :]
    return Mended(written, tuple(_notice(each, text, parser.tokens) for each in turned))


def wrong_arrows(query: Query, tokens: Sequence[Token]) -> Iterator[Arrow]:
    """The arrows that fit nothing as they are written, in order of text."""
    found = {arrow.edge.at: arrow for arrow in _of_query(query, {}, tokens)}
    return (found[at] for at in sorted(found))


def _notice(arrow: Arrow, text: str, tokens: Sequence[Token]) -> str:
    return f"{TURNED} ({place(text, tokens[arrow.edge.at].start)}): it is {arrow.told}."


# Scopes ----------------------------------------------------------------------------------------------------------------------------------


def _of_query(query: Query, outer: Known, tokens: Sequence[Token]) -> Iterator[Arrow]:
    """The wrong arrows of a query whose variables of ``outer`` come from around it; each branch of a UNION is a scope of its own."""
    for branch in query.branches:
        known = outer
        begin = 0
        for index, clause in enumerate(branch):
            if isinstance(clause, Projection):
                known = _with_labels(known, branch[begin:index])
                yield from _of_clauses(branch[begin:index], known, tokens)
                after = _carried(known, clause)
                yield from _of_trees(clause, {**known, **after}, tokens)
                known, begin = after, index + 1
        known = _with_labels(known, branch[begin:])
        yield from _of_clauses(branch[begin:], known, tokens)


def _with_labels(known: Known, clauses: Sequence[Clause]) -> Known:
    """What is known after these clauses: the labels that their patterns give, and the new names of LET."""
    found = dict(known)
    for clause in clauses:
        if isinstance(clause, Match):
            for path in clause.paths:
                found |= {name: labels for name, labels in _labels_in(path.elements).items() if name not in found}
        elif isinstance(clause, Let):
            found |= _renamed(found, clause.items)
    return found


def _labels_in(elements: Sequence[Element]) -> dict[str, frozenset[str]]:
    """The labels that patterns give to their variables; those inside a repeated piece stay inside it."""
    nodes = [each for each in elements if isinstance(each, Node)]
    for each in elements:
        if isinstance(each, Group) and each.quantifier is None:
            nodes += [inner for inner in each.elements if isinstance(inner, Node)]
    return {node.variable: names for node in nodes if node.variable is not None and (names := _named(node.labels))}


def _carried(known: Known, clause: Projection) -> dict[str, frozenset[str]]:
    """What is known of the variables that a WITH lets through. What it names anew for another value is known no more."""
    renamed = _renamed(known, clause.items)
    again = {item.name: renamed.get(item.name, frozenset()) for item in clause.items if item.name is not None}
    return {**known, **again} if clause.star else again


def _renamed(known: Known, items: Sequence[Item]) -> dict[str, frozenset[str]]:
    return {
        item.name: known[item.value.name]
        for item in items
        if item.name is not None and isinstance(item.value, Variable) and item.value.name in known
    }


def _of_clauses(clauses: Sequence[Clause], known: Known, tokens: Sequence[Token]) -> Iterator[Arrow]:
    for clause in clauses:
        yield from _of_trees(clause, known, tokens)


def _of_trees(tree: Tree, known: Known, tokens: Sequence[Token]) -> Iterator[Arrow]:
    """The wrong arrows in a clause or an expression, and in the queries and patterns within it."""
    if isinstance(tree, SubqueryCall):
        seen = known if tree.imports is None else {name: known[name] for name in tree.imports if name in known}
        yield from _of_query(tree.query, seen, tokens)
        return
    if isinstance(tree, Subquery):
        yield from _of_query(tree.query, known, tokens)
        return
    if isinstance(tree, PatternList):
        known = {**_labels_in(tree.path.elements), **known}
    if isinstance(tree, Iteration):
        known = {name: labels for name, labels in known.items() if name != tree.variable}
    if isinstance(tree, Path):
        yield from _of_elements(tree.elements, known, tokens)
    for child in children(tree):
        yield from _of_trees(child, known, tokens)


def _of_elements(elements: Sequence[Element], known: Known, tokens: Sequence[Token]) -> Iterator[Arrow]:
    for left, edge, right in zip(elements, elements[1:], elements[2:], strict=False):
        if isinstance(left, Node) and isinstance(edge, Relationship) and isinstance(right, Node):
            yield from _judged(left, edge, right, known, tokens)
    for each in elements:
        if isinstance(each, Group):
            inside = known if each.quantifier is None else _labels_in(each.elements)
            yield from _of_elements(each.elements, inside, tokens)


# Arrows ----------------------------------------------------------------------------------------------------------------------------------


def _judged(left: Node, edge: Relationship, right: Node, known: Known, tokens: Sequence[Token]) -> Iterator[Arrow]:
    """An arrow that fits nothing; nothing is said of one of variable length or of a type that is not known."""
    backward = tokens[edge.at].text == "<"
    forward = tokens[right.at - 1].text == ">"
    types = _named(edge.labels)
    if edge.length is not None or (edge.labels is not None and not types):
        return
    if not types <= {type_ for _, type_, _ in EDGES}:
        return
    edges = tuple(each for each in EDGES if not types or each[1] in types)
    first, second = _of_node(left, known), _of_node(right, known)
    start, end = (second, first) if backward else (first, second)
    turns = _fit(end, start, edges)
    if not _fit(start, end, edges) and not (turns and backward == forward):
        shown = edges if types else tuple(each for each in edges if each[0] in end and each[2] in start)
        yield Arrow(left, edge, right, backward, turns, shown, first | second)


def _fit(start: frozenset[str], end: frozenset[str], edges: Sequence[tuple[str, str, str]]) -> bool:
    return any((not start or one in start) and (not end or other in end) for one, _, other in edges)


def _of_node(node: Node, known: Known) -> frozenset[str]:
    if node.labels is not None:
        return _named(node.labels)
    return known.get(node.variable or "", frozenset())


def _named(labels: Labels | None) -> frozenset[str]:
    """The labels, or types, of which one must be there; none where the expression says what must not, or anything."""
    if labels is None or any(sign in labels.text.split() for sign in ("!", "%")):
        return frozenset()
    return frozenset(name for name, _ in labels.names)
