"""Answers with a model: it plans, calls tools on the graph, and answers with citations that are checked. Start reading at ``asking``."""

from __future__ import annotations

from graphmem.answer.agent.asking import ask_steps, ask_with_model, replay
from graphmem.answer.agent.replay import ReplayChat
from graphmem.answer.agent.switches import SCHEMA_AND_LOOKUP, TOOLS, WITH_CYPHER, WITH_SEARCH, AgentSettings
from graphmem.answer.agent.trace import (
    AgentStep,
    Called,
    Concluded,
    CypherCounts,
    Observed,
    Planned,
    Replied,
    Seeded,
    Told,
    Trace,
    cypher_counts,
    load_trace,
    save,
)

__all__ = [
    "SCHEMA_AND_LOOKUP",
    "TOOLS",
    "WITH_CYPHER",
    "WITH_SEARCH",
    "AgentSettings",
    "AgentStep",
    "Called",
    "Concluded",
    "CypherCounts",
    "Observed",
    "Planned",
    "ReplayChat",
    "Replied",
    "Seeded",
    "Told",
    "Trace",
    "ask_steps",
    "ask_with_model",
    "cypher_counts",
    "load_trace",
    "replay",
    "save",
]
