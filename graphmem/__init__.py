"""graphmem: a temporal property-graph memory for conversational agents, on Neo4j.

from graphmem import Memory

with Memory.open() as memory:
    memory.ingest("tests/stories/ana.jsonl")  # or a file or folder of your own
    answer = memory.ask("Where did Ana live before Lisbon?")
    print(answer.text, [citation.quote for citation in answer.citations])
"""

from __future__ import annotations

from graphmem.errors import GraphmemError
from graphmem.ingest import IngestReport
from graphmem.memory import AsyncMemory, Memory
from graphmem.records import Answer, Citation, EventView, FactView, Hit, Interval, NewTurn, Session, Turn
from graphmem.settings import Settings

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "AsyncMemory",
    "Citation",
    "EventView",
    "FactView",
    "GraphmemError",
    "Hit",
    "IngestReport",
    "Interval",
    "Memory",
    "NewTurn",
    "Session",
    "Settings",
    "Turn",
    "__version__",
]
