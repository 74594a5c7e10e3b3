"""Verification: re-reads every quotation against its turn, and recomputes the ledger's chain of digests from what is stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from graphmem.graph.batch import digest_of, edge_digest, node_digest
from graphmem.graph.connection import Graph
from graphmem.graph.queries import load
from graphmem.ids import namespace_label
from graphmem.records import Problem


@dataclass(frozen=True, slots=True)
class Verification:
    """What was checked in a namespace, and every way in which it is not as it was written."""

    namespace: str
    quotations: int
    commits: int
    nodes: int
    edges: int
    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        """Whether everything is as it was written."""
        return not self.problems


async def verify(graph: Graph, namespace: str) -> Verification:
    """Checks one namespace. Reads all of it; holds one digest for each node and relationship in memory."""
    scope = namespace_label(namespace)
    problems: list[Problem] = []
    quotations = 0
    async for row in graph.stream(load("read/ledger_quotations"), scope=scope):
        quotations += 1
        wrong = _quotation_problem(row)
        if wrong is not None:
            problems.append(Problem(f"quotation {row['id']}", wrong))
    async for row in graph.stream(load("read/ledger_unsupported"), scope=scope):
        problems.append(Problem(f"{row['label']} {row['id']}", "leads to no quotation"))
    parts: dict[datetime, list[str]] = {}
    counts: Counter[str] = Counter()
    async for row in graph.stream(load("read/ledger_nodes"), scope=scope):
        counts["nodes"] += 1
        properties = row["properties"]
        parts.setdefault(properties["created_at"], []).append(node_digest(row["label"], properties))
    async for row in graph.stream(load("read/ledger_edges"), scope=scope):
        counts["edges"] += 1
        kind = (row["from_label"], row["type"], row["to_label"])
        properties = row["properties"]
        if "created_at" not in properties:
            problems.append(
                Problem(f"{row['type']} from {row['start']} to {row['end']}", "was not written by any commit")
            )
            continue
        parts.setdefault(properties["created_at"], []).append(edge_digest(kind, row["start"], row["end"], properties))
    previous, sequence = "", 0
    async for row in graph.stream(load("read/ledger_commits"), namespace=namespace):
        commit = row["properties"]
        sequence += 1
        where = f"commit {commit['sequence']}"
        if commit["sequence"] != sequence:
            problems.append(Problem(where, f"commit {sequence} is missing before it"))
            sequence = commit["sequence"]
        if commit["previous"] != previous:
            problems.append(Problem(where, "does not follow from the commit before it: the chain of digests is broken"))
        if digest_of(parts.pop(commit["created_at"], []), commit["previous"]) != commit["digest"]:
            problems.append(
                Problem(where, "what it added is not as it was written: something was changed, removed or put in")
            )
        previous = commit["digest"]
    for moment in sorted(parts):
        problems.append(Problem(moment.isoformat(), f"{len(parts[moment])} nodes or relationships belong to no commit"))
    return Verification(namespace, quotations, sequence, counts["nodes"], counts["edges"], tuple(problems))


def _quotation_problem(row: Mapping[str, object]) -> str | None:
    text, quote, start, end = row["text"], row["quote"], row["start"], row["end"]
    if not isinstance(text, str):
        return "stands in no turn"
    assert isinstance(start, int)
    assert isinstance(end, int)
    if text[start:end] != quote:
        return f"is not what turn {row['turn_id']} says at {start} to {end}: {quote!r} against {text[start:end]!r}"
    return None
