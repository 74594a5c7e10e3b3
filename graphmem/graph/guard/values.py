"""What a guarded query gives back: plain values, without what only the indexes need, and their size."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from graphmem.graph.guard.vocabulary import HIDDEN, INTERNAL, LABELS, TYPES

_NAMESPACE = re.compile(r"N_[0-9a-f]{12}\Z")
_NODE = {"labels", "properties"}
_SHOWN = _NODE | {"id"}
_RELATIONSHIP = {"type", "start", "end", "properties"}


def shown(value: Any) -> Any:
    """A value as it is returned.

    A node is ``{"id", "labels", "properties"}`` and a relationship ``{"type", "start", "end", "properties"}`` with the ``id`` of its ends
    where they were returned too; a path is a list of them in turn. Embeddings are nowhere, whatever map they stood in.
    """
    if isinstance(value, Mapping):
        if _is_node(value) and value.keys() == _NODE:
            labels = [label for label in value["labels"] if not _NAMESPACE.match(label)]
            properties = {
                key: shown(item)
                for key, item in sorted(value["properties"].items())
                if key not in INTERNAL and key != "id"
            }
            return {"id": shown(value["properties"].get("id")), "labels": labels, "properties": properties}
        return {key: shown(item) for key, item in value.items() if key not in HIDDEN}
    if isinstance(value, list):
        return [shown(item) for item in value]
    return value


def is_shown_node(value: Mapping[str, Any]) -> bool:
    """Whether it is a node as ``shown``, or a map that a query made of the same form: its labels are labels of the graph."""
    return value.keys() == _SHOWN and _is_node(value)


def is_shown_relationship(value: Mapping[str, Any]) -> bool:
    """Whether it is a relationship as ``shown``, or a map that a query made of the same form: its type is one of the graph."""
    return value.keys() == _RELATIONSHIP and value["type"] in TYPES and isinstance(value["properties"], Mapping)


def _is_node(value: Mapping[str, Any]) -> bool:
    """Whether it has the form of a node. A query may have made it so with a map, and put anything into its properties."""
    labels, properties = value.get("labels"), value.get("properties")
    return (
        isinstance(labels, list)
        and all(isinstance(label, str) and (label in LABELS or _NAMESPACE.match(label)) for label in labels)
        and isinstance(properties, Mapping)
    )


def weight(value: Any) -> int:
    """Roughly the bytes of a value as JSON."""
    if isinstance(value, str):
        return 2 + (len(value) if value.isascii() else len(value.encode("utf-8", "surrogatepass")))
    if isinstance(value, Mapping):
        return 2 + sum(weight(key) + weight(item) + 2 for key, item in value.items())
    if isinstance(value, list):
        return 2 + sum(weight(item) + 1 for item in value)
    return 24 if value is not None and not isinstance(value, bool | int | float) else 8
