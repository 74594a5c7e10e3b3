"""What is probably wrong with a Cypher query that gave nothing: properties and edges that the graph does not have, mistaken times. Pure.

Arrows that merely run the wrong way have been turned before (``directions``); here it is said of those that fit no edge either way.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from graphmem.answer.agent.cypher_times import mistaken_times
from graphmem.answer.agent.directions import wrong_arrows
from graphmem.errors import CypherRefused
from graphmem.graph.guard.clauses import parse
from graphmem.graph.guard.syntax import MapOf, MapProjection, Node, Property, Query, Relationship, Variable, walk
from graphmem.graph.guard.vocabulary import LABELS, TYPES, nearest

PROPERTIES = frozenset(
    """
    id namespace created_at name type external_id attributes text normalised quote start end source_id source title started_at session_id
    position speaker speaker_id role addressee attachments said_at offset kind subject verb object summary aliases starts_at ends_at
    granularity time_expression time_rule time_confidence policy alternatives recurrence life_stage confidence asserted_at searchable scope
    day
    property value value_key value_type cardinality number moment flag items unit valid_from start_stated valid_to end_stated polarity
    inferred mention target decision candidates reason decided_by decided_at window extractor version refused usage model
    sequence counts digest previous speaker_key prompt resolve_prompt resolve_model how embedding
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
_TYPE_IS = re.compile(r"\btype\s*\(\s*\w+\s*\)\s*=\s*(['\"])(\w+)\1", re.IGNORECASE)
_IN_LABELS = re.compile(r"(['\"])(\w+)\1\s+IN\s+labels\s*\(", re.IGNORECASE)
_NAMED = re.compile(r"(?<![\w.])(?:\w+\.)?name\s*(?::|=)\s*(['\"])(.*?)\1")


@dataclass(frozen=True, slots=True)
class Named:
    """What a query looks for by a literal: values of ``property`` and names of entities."""

    properties: tuple[str, ...]
    names: tuple[str, ...]


def hints(text: str) -> tuple[str, ...]:
    """What is wrong with a query's properties, edges and times; nothing if it cannot be parsed (then the guard has said why)."""
    try:
        query, parser = parse(text)
    except CypherRefused:
        return ()
    edges = dict.fromkeys(
        f"There is no such edge; it is {arrow.told}." if arrow.fits else f"No edge joins these; {arrow.types_of_ends}."
        for arrow in wrong_arrows(query, parser.tokens)
    )
    return (*_unknown_properties(query), *_unknown_names(text), *edges, *mistaken_times(query, text, parser.tokens))


def hints_on(text: str, rows: Sequence[Sequence[Any]]) -> tuple[str, ...]:
    """The hints on a query that gave these rows: none where they tell something in each column."""
    blank = any(all(value is None for value in column) for column in zip(*rows, strict=True))
    return hints(text) if blank or not any(tells(value) for row in rows for value in row) else ()


def tells(value: Any) -> bool:
    """Whether a value tells anything: a count of nothing and an empty list do not."""
    return value not in (None, [], {}, "") and not (value == 0 and not isinstance(value, bool))


def named(text: str) -> Named:
    """The literals by which a query looks for properties and names."""
    return Named(
        tuple(dict.fromkeys(match[2] for match in _STATED.finditer(text))),
        tuple(dict.fromkeys(match[2] for match in _NAMED.finditer(text))),
    )


def _unknown_names(text: str) -> Iterator[str]:
    """Labels and types that are compared as texts, where the guard does not look."""
    for kind, asked, known in (("label", _IN_LABELS, LABELS), ("relationship type", _TYPE_IS, TYPES)):
        for each in dict.fromkeys(match[2] for match in asked.finditer(text)):
            if each not in known:
                yield f"There is no {kind} {each}; the nearest: {nearest(each, known)}."


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
