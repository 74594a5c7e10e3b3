"""Values of a Cypher row as a person reads them in a table; programs have ``--json``. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from graphmem.graph.guard import is_shown_node, is_shown_relationship

IDENTIFYING = (
    "source_id", "speaker", "name", "property", "value", "summary", "quote", "text", "mention", "title", "sequence",
)  # fmt: skip
"""What tells a node from others of its label, beside its identifier; a node shows those that it has."""

LONGEST = 60
"""Characters of a text inside a node, and of nothing else: what was asked for by name is shown whole."""


def cell(value: Any) -> str:
    """A value as text: a node by its label and what identifies it, a time in ISO form, a list joined, nothing where there is none.

    Lists and maps within others stand in brackets, so that it can be seen where they end. Maps are in the order of their keys: the order in
    which a query wrote them is lost in the server.
    """
    if isinstance(value, Mapping) and not (is_shown_node(value) or is_shown_relationship(value)):
        return ", ".join(f"{key}: {_inner(item)}" for key, item in sorted(value.items()))
    if isinstance(value, list | tuple):
        return ", ".join(map(_inner, value))
    return _inner(value)


def _inner(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.10g}"
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Mapping):
        if is_shown_node(value):
            return _node(value)
        if is_shown_relationship(value):
            return _relationship(value)
        return f"{{{cell(value)}}}"
    if isinstance(value, list | tuple):
        return f"[{cell(value)}]"
    return str(value)


def _node(node: Mapping[str, Any]) -> str:
    """Such as ``Turn(s4:3, Ana, I moved to Berlin last Thursday., id 4f0c1e2a…)``."""
    properties = node["properties"]
    told = [_cut(_inner(properties[key])) for key in IDENTIFYING if properties.get(key) not in (None, "")]
    return f"{':'.join(node['labels'])}({', '.join([*told, 'id ' + _short(node['id'])])})"


def _relationship(edge: Mapping[str, Any]) -> str:
    """Such as ``INVOLVES(4f0c1e2a… → 77ab03c1…, role: Agent)``; ends that were not returned too are not known."""
    ends = [f"{_short(edge['start'])} → {_short(edge['end'])}"] if edge["start"] or edge["end"] else []
    told = [f"{key}: {_cut(_inner(item))}" for key, item in edge["properties"].items() if key != "created_at"]
    return f"{edge['type']}({', '.join([*ends, *told])})" if ends or told else str(edge["type"])


def _short(identifier: object) -> str:
    text = _inner(identifier)
    return "?" if not text else text if len(text) <= 8 else f"{text[:8]}…"


def _cut(text: str) -> str:
    joined = " ".join(text.split())
    return joined if len(joined) <= LONGEST else f"{joined[: LONGEST - 1]}…"
