"""The namespaces of a database."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from graphmem.graph.connection import Graph
from graphmem.graph.queries import load


@dataclass(frozen=True, slots=True)
class NamespaceView:
    """A namespace, how much it holds, and when its first and last session began."""

    namespace: str
    sessions: int
    turns: int
    entities: int
    events: int
    facts: int
    first: datetime | None
    last: datetime | None


async def list_namespaces(graph: Graph) -> list[NamespaceView]:
    """All namespaces by name."""
    return [NamespaceView(**row) for row in await graph.read(load("read/namespaces"))]
