"""Equality of graphs in different namespaces: what the graph says, without identifiers, times of writing and the ledger.

Identifiers are digests that contain the namespace, so nodes are compared by their other properties and by what they are joined to: each
node's digest is refined by those of its neighbours (Weisfeiler and Lehman, 1968), a few rounds. Two graphs with the same counts of refined
digests are alike in all that a memory can be asked.
"""

from __future__ import annotations

import hashlib
from collections import Counter

from graphmem.graph.connection import Graph
from graphmem.graph.queries import load
from graphmem.ids import content_digest, namespace_label

OF_THIS_WRITING = {
    "id",
    "namespace",
    "scope",
    "session_id",
    "created_at",
    "embedding",
    "window",
    "value_key",
    "candidates",
}
ROUNDS = 3


async def shape(graph: Graph, namespace: str, without: frozenset[str] = frozenset()) -> Counter[str]:
    """The refined digests of a namespace's nodes, with their counts; nodes of some labels may be left out."""
    scope = namespace_label(namespace)
    digests: dict[str, str] = {}
    async for row in graph.stream(load("read/ledger_nodes"), scope=scope):
        if row["label"] in without | {"Attempt"}:
            continue
        properties = {k: v for k, v in row["properties"].items() if k not in OF_THIS_WRITING and v is not None}
        digests[row["properties"]["id"]] = content_digest({"label": row["label"], **properties})
    edges = []
    async for row in graph.stream(load("read/ledger_edges"), scope=scope):
        own = {k: v for k, v in row["properties"].items() if k != "created_at"}
        if row["start"] not in digests or row["end"] not in digests:
            continue
        edges.append((row["start"], content_digest({"type": row["type"], **own}), row["end"]))
    for _ in range(ROUNDS):
        around: dict[str, list[str]] = {identifier: [] for identifier in digests}
        for start, kind, end in edges:
            around[start].append(f"> {kind} {digests[end]}")
            around[end].append(f"< {kind} {digests[start]}")
        digests = {
            identifier: hashlib.sha256("\n".join([own, *sorted(around[identifier])]).encode()).hexdigest()
            for identifier, own in digests.items()
        }
    return Counter(digests.values())


async def everything(graph: Graph, namespace: str) -> dict[str, tuple[str, dict[str, object]]]:
    """All nodes and relationships of a namespace with their label or type, as they are stored, ledger and times of writing included.

    Embeddings, which are derived, are left out.
    """
    scope = namespace_label(namespace)
    found: dict[str, tuple[str, dict[str, object]]] = {}
    async for row in graph.stream(load("read/ledger_nodes"), scope=scope):
        found[row["properties"]["id"]] = (row["label"], row["properties"])
    async for row in graph.stream(load("read/ledger_edges"), scope=scope):
        own = row["properties"]
        key = f"{row['type']} {row['start']} {row['end']} {own.get('role')} {own.get('decided_at')}"
        found[key] = (row["type"], own)
    async for row in graph.stream(load("read/ledger_commits"), namespace=namespace):
        found[row["properties"]["id"]] = ("Commit", row["properties"])
    return found
