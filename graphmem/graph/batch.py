"""What one transaction will append, gathered as plain data before the database is asked anything.

A batch holds nodes by label and relationships by kind; adding one that is there already changes nothing. The digests of what a transaction
really added (``digest_of``) make the ledger: each Commit carries one, together with that of the commit before it, so that a change to
anything stored earlier shows when the chain is verified. Embeddings and ``created_at`` are no part of a digest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from graphmem.ids import content_digest

Properties = dict[str, Any]
EdgeKind = tuple[str, str, str]
"""Label of the start, type, label of the end."""

NOT_DIGESTED = ("embedding", "embedding_next", "created_at")

NODE_LABELS = (
    "Session",
    "Turn",
    "Evidence",
    "Entity",
    "Alias",
    "Property",
    "Event",
    "Fact",
    "Resolution",
    "Extraction",
    "Attempt",
    "Summary",
)
"""In the order in which they are written; relationships come after all nodes."""


@dataclass(slots=True)
class Batch:
    """Nodes and relationships to append to one namespace. The only record that grows: it is filled by one window, then written."""

    namespace: str
    nodes: dict[str, dict[str, Properties]] = field(default_factory=dict)
    edges: dict[EdgeKind, dict[tuple[str, str, str], Properties]] = field(default_factory=dict)

    def node(self, label: str, identifier: str, **properties: Any) -> str:
        """Adds a node and returns its identifier. None values are left out, since Neo4j stores none."""
        given = {name: value for name, value in properties.items() if value is not None}
        self.nodes.setdefault(label, {}).setdefault(
            identifier, {"id": identifier, "namespace": self.namespace, **given}
        )
        return identifier

    def edge(
        self, start_label: str, start: str, kind: str, end_label: str, end: str, key: str = "", **properties: Any
    ) -> None:
        """Adds a relationship. ``key`` tells apart several of one kind between the same two nodes (a role, a time of decision)."""
        rows = self.edges.setdefault((start_label, kind, end_label), {})
        rows.setdefault((start, end, key), {"start": start, "end": end, **properties})

    @property
    def empty(self) -> bool:
        """Whether there is nothing to append."""
        return not any(self.nodes.values()) and not any(self.edges.values())


def node_digest(label: str, properties: Mapping[str, Any]) -> str:
    """The digest of a node as it is stored."""
    return content_digest(
        {"label": label, **{k: v for k, v in properties.items() if k not in NOT_DIGESTED and v is not None}}
    )


def edge_digest(kind: EdgeKind, start: str, end: str, properties: Mapping[str, Any]) -> str:
    """The digest of a relationship as it is stored: its kind, its ends and its properties."""
    own = {k: v for k, v in properties.items() if k not in (*NOT_DIGESTED, "start", "end") and v is not None}
    return content_digest({"edge": list(kind), "start": start, "end": end, **own})


def digest_of(parts: Iterable[str], previous: str) -> str:
    """The digest of a commit: over the digests of all that it added, in sorted order, and the digest of the commit before it."""
    state = hashlib.sha256(previous.encode())
    for part in sorted(parts):
        state.update(part.encode())
    return state.hexdigest()
