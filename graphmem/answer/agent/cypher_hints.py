"""What is probably wrong with a Cypher query that gave nothing: properties and edges that the graph does not have. Pure.

The purpose is that of the direction corrector of langchain-neo4j. Here the query is already parsed by the guard, so the edges are read off
its tree, and the model is told instead of its text being rewritten.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphmem.errors import CypherRefused
from graphmem.graph.guard.clauses import parse
from graphmem.graph.guard.syntax import (
    Element,
    MapOf,
    MapProjection,
    Node,
    Path,
    Property,
    Query,
    Relationship,
    Variable,
    walk,
)
from graphmem.graph.guard.tokens import Token

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
    ("Summary", "CITES", "Event"),
    ("Summary", "CITES", "Fact"),
    ("Summary", "CITES", "Summary"),
    ("Commit", "FOLLOWS", "Commit"),
)

PROPERTIES = frozenset(
    """
    id namespace created_at name type external_id attributes text normalised quote start end source_id source title started_at session_id
    position speaker speaker_id role addressee attachments said_at offset kind subject verb object summary aliases starts_at ends_at
    granularity time_expression time_rule time_confidence policy alternatives recurrence life_stage confidence asserted_at searchable scope
    day
    property value value_key value_type cardinality number moment flag items unit valid_from start_stated valid_to end_stated polarity
    inferred mention target decision candidates reason decided_by decided_at window extractor version refused usage tier group model
    sequence counts digest previous_digest speaker_key prompt raw_digest embedding
    """.split()
)
PARTS_OF_TIME = frozenset(
    """
    year quarter month week weekyear dayofquarter quarterday day ordinalday dayofweek weekday hour minute second millisecond microsecond
    nanosecond timezone offset offsetminutes offsetseconds epochmillis epochseconds years quarters months weeks days hours minutes seconds
    milliseconds microseconds nanoseconds monthsofyear daysofweek minutesofhour secondsofminute quartersofyear monthsofquarter
    """.split()
)
_STATED = re.compile(r"\bproperty\s*(?::|=)\s*(['\"])(.*?)\1")
_NAMED = re.compile(r"(?<![\w.])(?:\w+\.)?name\s*(?::|=)\s*(['\"])(.*?)\1")


@dataclass(frozen=True, slots=True)
class Named:
    """What a query looks for by a literal: values of ``property`` and names of entities."""

    properties: tuple[str, ...]
    names: tuple[str, ...]


def hints(text: str) -> tuple[str, ...]:
    """What is wrong with a query's properties and edges; nothing if it cannot be parsed (then the guard has said why)."""
    try:
        query, parser = parse(text)
    except CypherRefused:
        return ()
    return (*_unknown_properties(query), *_wrong_edges(query, parser.tokens))


def named(text: str) -> Named:
    """The literals by which a query looks for properties and names."""
    return Named(
        tuple(dict.fromkeys(match[2] for match in _STATED.finditer(text))),
        tuple(dict.fromkeys(match[2] for match in _NAMED.finditer(text))),
    )


def _unknown_properties(query: Query) -> Iterator[str]:
    own = {key for tree in walk(query) if isinstance(tree, MapOf | MapProjection) for key, _ in tree.items}
    in_patterns: list[str] = []
    for tree in walk(query):
        if isinstance(tree, Node | Relationship) and tree.properties is not None:
            in_patterns += [key for key, _ in tree.properties.items]
    asked = [tree.name for tree in walk(query) if isinstance(tree, Property) and isinstance(tree.base, Variable)]
    asked += [key for tree in walk(query) if isinstance(tree, MapProjection) for key in tree.keys]
    for each in dict.fromkeys((*in_patterns, *(name for name in asked if name not in own or name in in_patterns))):
        if each not in PROPERTIES and each.lower() not in PARTS_OF_TIME:
            near = difflib.get_close_matches(each, sorted(PROPERTIES), n=3, cutoff=0.6)
            yield f"No node has a property {each}; the nearest: {', '.join(near) or 'see schema_viewer'}."


def _wrong_edges(query: Query, tokens: Sequence[Token]) -> Iterator[str]:
    labels = _labels(query)
    seen: set[str] = set()
    for path in (tree for tree in walk(query) if isinstance(tree, Path)):
        for left, edge, right in _steps(path.elements):
            for message in _judge(labels, tokens, left, edge, right):
                if message not in seen:
                    seen.add(message)
                    yield message


def _labels(query: Query) -> dict[str, frozenset[str]]:
    """The labels that each variable is given anywhere."""
    found: dict[str, frozenset[str]] = {}
    for tree in walk(query):
        if isinstance(tree, Node) and tree.variable is not None and tree.labels is not None:
            found.setdefault(tree.variable, frozenset(name for name, _ in tree.labels.names))
    return found


def _steps(elements: Sequence[Element]) -> Iterator[tuple[Node, Relationship, Node]]:
    for left, edge, right in zip(elements, elements[1:], elements[2:], strict=False):
        if isinstance(left, Node) and isinstance(edge, Relationship) and isinstance(right, Node):
            yield left, edge, right


def _judge(
    labels: dict[str, frozenset[str]], tokens: Sequence[Token], left: Node, edge: Relationship, right: Node
) -> Iterator[str]:
    """Whether an edge runs the way it is written; nothing is said of edges without a direction or a type, or of several types."""
    if edge.labels is None or len(edge.labels.names) != 1 or edge.length is not None:
        return
    backward = tokens[edge.at].text.startswith("<")
    forward = tokens[right.at - 1].text.endswith(">")
    type_ = edge.labels.names[0][0]
    known = [(start, end) for start, name, end in EDGES if name == type_]
    if backward == forward or not known:
        return
    first, second = _of(labels, left), _of(labels, right)
    start, end = (second, first) if backward else (first, second)
    if any(_fits(start, one) and _fits(end, other) for one, other in known):
        return
    right_way = " or ".join(f"(:{one})-[:{type_}]->(:{other})" for one, other in known)
    yield f"{type_} does not run like that: it is {right_way}."


def _of(labels: dict[str, frozenset[str]], node: Node) -> frozenset[str]:
    if node.labels is not None:
        return frozenset(name for name, _ in node.labels.names)
    return labels.get(node.variable or "", frozenset())


def _fits(written: frozenset[str], label: str) -> bool:
    return not written or label in written
