"""Appending: one batch, one transaction, one entry in the ledger.

Writers do not lock a namespace. Each reads the ledger's head, decides what to append in the light of all that is committed up to there, and
appends it together with a Commit of the next sequence number, which is unique. Of two writers one is first; the other's transaction is
undone as a whole (CommitConflict), so that it can read what the first wrote, decide again and retry. ``created_at`` is the transaction
time: the same on everything that a commit adds, and later than that of the commit before it even where the clock goes back.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from graphmem.errors import StoreMismatch
from graphmem.graph.batch import NODE_LABELS, Batch, digest_of, edge_digest, node_digest
from graphmem.graph.connection import Graph, Transaction
from graphmem.graph.queries import Query, load
from graphmem.ids import digest, namespace_label


@dataclass(frozen=True, slots=True)
class Head:
    """The newest commit of a namespace; sequence 0 with no digest before the first."""

    sequence: int = 0
    id: str | None = None
    digest: str = ""
    created_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Committed:
    """What an append added: the new head and how many nodes of each label, relationships under ``edges``. No head change if nothing."""

    head: Head
    counts: Mapping[str, int]


async def read_head(graph: Graph, namespace: str) -> Head:
    """The newest commit of a namespace, as the base to decide and append upon."""
    rows = await graph.read(load("read/ledger_head"), namespace=namespace)
    return _head(rows[0]) if rows else Head()


async def append(
    graph: Graph,
    batch: Batch,
    base: Head,
    window: Sequence[str] = (),
    derived: Sequence[tuple[Query, Mapping[str, Any]]] = (),
    usage: Mapping[str, int] | None = None,
) -> Committed:
    """Appends a batch on top of ``base`` in one transaction, with its Commit. Adds nothing, and no Commit, where all is there already.

    ``window`` are the turns it is about, ``usage`` what it has cost, by role, where a model took part. ``derived`` queries (of
    ``cypher/derived/``) bring derived data up to date in the same transaction.

    Raises CommitConflict when another writer has committed since ``base`` was read, StoreMismatch when the database has been moved to
    another embedding model since it was opened; nothing of the batch is then stored.
    """
    now = datetime.now(UTC)
    if base.created_at is not None and now <= base.created_at:
        now = base.created_at + timedelta(microseconds=1)
    scope = namespace_label(batch.namespace)

    async def work(transaction: Transaction) -> Committed:
        parts: list[str] = []
        counts: dict[str, int] = {}
        for label in NODE_LABELS:
            rows = batch.nodes.get(label)
            if not rows:
                continue
            query = load(f"write/node_{label.lower()}")
            [result] = await transaction.run(query, rows=list(rows.values()), scope=scope, now=now)
            if result["created"]:
                counts[label] = len(result["created"])
            parts += [node_digest(label, rows[identifier]) for identifier in result["created"]]
        for kind, edges in batch.edges.items():
            if not edges:
                continue
            query = load("write/edge_" + "_".join(kind).lower())
            [result] = await transaction.run(query, rows=list(edges.values()), now=now)
            if result["created"]:
                counts["edges"] = counts.get("edges", 0) + len(result["created"])
            parts += [edge_digest(kind, start, end, edges[start, end, key]) for start, end, key in result["created"]]
        if not parts:
            return Committed(base, counts)
        for query, parameters in derived:
            await transaction.run(query, **parameters)
        head = await _commit(
            transaction, graph.embedding_model, batch.namespace, scope, base, now, parts, counts, window, usage
        )
        return Committed(head, counts)

    return await graph.write(work)


async def _commit(
    transaction: Transaction,
    embedding_model: str | None,
    namespace: str,
    scope: str,
    base: Head,
    now: datetime,
    parts: Sequence[str],
    counts: Mapping[str, int],
    window: Sequence[str],
    usage: Mapping[str, int] | None,
) -> Head:
    sequence = base.sequence + 1
    total = digest_of(parts, base.digest)
    identifier = digest("commit", namespace, sequence)
    row = {
        "id": identifier,
        "namespace": namespace,
        "sequence": sequence,
        "window": list(window),
        "counts": json.dumps(counts, sort_keys=True),
        "usage": json.dumps(usage, sort_keys=True) if usage else None,
        "digest": total,
        "previous": base.digest,
    }
    made = await transaction.run(load("write/commit"), row=row, scope=scope, now=now, embedding_model=embedding_model)
    if not made:
        raise StoreMismatch(
            f"the database has been moved to another embedding model than {embedding_model}, or is being moved; open the memory again "
            "with its model once `graphmem reembed` is done"
        )
    if base.id is not None:
        edge = {"start": identifier, "end": base.id}
        await transaction.run(load("write/edge_commit_follows_commit"), rows=[edge], now=now)
    return Head(sequence, identifier, total, now)


def _head(row: Mapping[str, object]) -> Head:
    sequence, identifier, total, created_at = row["sequence"], row["id"], row["digest"], row["created_at"]
    assert isinstance(sequence, int)
    assert isinstance(created_at, datetime)
    return Head(sequence, str(identifier), str(total), created_at)
