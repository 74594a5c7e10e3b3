"""What was said or learned after the time asked for reaches the model by no tool, neither in words nor in names and counts."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest

from graphmem.answer.agent import AgentSettings
from graphmem.extract.with_rules import RuleExtractor
from graphmem.graph.connection import Graph
from graphmem.ingest import Ingestion
from graphmem.ingest.adding import add_turns
from graphmem.providers.local_embedder import LocalEmbedder
from graphmem.records import NewTurn
from graphmem.settings import Settings
from tests.end_to_end.agent_world import World, answers
from tests.service import Received, Reply, calls_tools, serve

FIRST = (
    ("2023-03-01T10:00:00+00:00", "I live in Bergen. I adopted a dog called Biscuit on 20 February 2023."),
    ("2023-03-05T10:02:00+00:00", "My sister Signe works as a diver."),
)
LATER = (
    ("2023-03-02T10:00:00+00:00", "I adopted a parrot called Zanzibar on 1 March 2023."),  # said before FIRST ends, learned after it
    ("2023-06-01T10:00:00+00:00", "I moved to Tromsø on 15 May 2023. My brother Quillon works as a beekeeper."),
)  # fmt: skip
WORDS = {"2023-03-02": ("Zanzibar", "parrot"), "2023-06-01": ("Tromsø", "Quillon", "beekeeper", "has_brother")}
TOOLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("schema_viewer", {}),
    ("entity_lookup", {"name": "Mara"}),
    ("entity_lookup", {"name": "Quilon"}),
    ("entity_lookup", {"name": "Zanzibaar"}),
    ("search", {"query": "a pet, a move or a brother"}),
    ("search_turns", {"query": "what does the brother work as"}),
    ("search_turns", {"read": ["t1", "t2"]}),
    ("search_events", {"query": "adopted"}),
    ("grep_turns", {"text": "adopted"}),
    ("grep_turns", {"text": "(moved|brother|adopted)", "regex": True}),
    ("grep_events", {"text": "adopted"}),
    ("grep_events", {"text": "moved"}),
)


@pytest.fixture(scope="module")
async def learned(graph: Graph, embedder: LocalEmbedder) -> AsyncIterator[tuple[World, datetime]]:
    """A memory that learned some turns, and later others; the time between."""
    namespace = f"times-{uuid.uuid4().hex[:12]}"
    ingestion = Ingestion(graph, embedder, RuleExtractor(), Settings())

    async def tell(session: str, turns: tuple[tuple[str, str], ...]) -> None:
        new = [NewTurn("Mara", text, datetime.fromisoformat(at)) for at, text in turns]
        assert (await add_turns(ingestion, namespace, session, new, end=True)).ok

    await tell("one", FIRST)
    between = datetime.now(UTC)
    await tell("two", LATER)
    with serve() as service:
        yield World(graph, embedder, namespace, service), between


async def everything(world: World, **times: Any) -> str:
    """All that a model is sent after the question when it calls every tool."""
    sent: list[str] = []

    def last(request: Received) -> Reply:
        sent.append(request.prompt.partition("Question:")[2])
        return answers("Biscuit", "I adopted a dog called Biscuit on 20 February 2023")(request)

    agent = AgentSettings(plan="rules", prompt_tokens=60_000)
    answer = await world.ask("Which pets does Mara have?", calls_tools(*TOOLS), last, agent=agent, **times)
    assert "Biscuit" in answer.text
    return sent[0]


async def test_the_tools_find_all_of_it_where_no_time_is_asked_for(learned: tuple[World, datetime]) -> None:
    """The words looked for below are not missing for want of being found."""
    seen = await everything(learned[0])
    assert [word for words in WORDS.values() for word in words if word not in seen] == []


async def test_what_the_memory_learned_later_reaches_the_model_by_no_tool(learned: tuple[World, datetime]) -> None:
    world, between = learned
    seen = await everything(world, known_at=between)
    assert [word for words in WORDS.values() for word in words if word in seen] == []
    assert "Signe" in seen


async def test_what_was_said_later_reaches_the_model_by_no_tool(learned: tuple[World, datetime]) -> None:
    seen = await everything(learned[0], said_by=datetime(2023, 4, 1, tzinfo=UTC))
    assert [word for word in WORDS["2023-06-01"] if word in seen] == []
    assert [word for word in WORDS["2023-03-02"] if word not in seen] == []
