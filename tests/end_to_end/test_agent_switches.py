"""Each switch of the agent, as a setting: what it turns off is neither asked of the model, of the reranker, nor of the database."""

from __future__ import annotations

import json
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from graphmem import Answer, AsyncMemory, Settings
from graphmem.answer.agent import AgentSettings
from graphmem.errors import ConfigurationError
from graphmem.graph.connection import Graph
from graphmem.graph.queries import Query
from graphmem.providers.local_embedder import LocalEmbedder
from graphmem.settings import from_environment
from tests.conftest import TestServer
from tests.end_to_end.agent_fixture import world
from tests.end_to_end.agent_world import ASKED_AT, Reaction, World, answers, conversation, plan, scripted
from tests.service import Received, calls_tools

__all__ = ["world"]

QUESTION = "Which concert did Mara go to in March 2023?"
QUOTE = "I went to a concert on 4 March 2023"
EVERYWHERE = calls_tools(
    ("search", {"query": "concert"}),
    ("search_turns", {"query": "concert"}),
    ("search_events", {"query": "concert"}),
    ("grep_turns", {"text": "concert"}),
    ("entity_lookup", {"name": "Mara"}),
    ("cypher", {"query": "MATCH (v:Event) RETURN v.summary, v.id"}),
)
WORDS = {"search/turns_text", "search/events_text", "search/word_counts"}
READ_OUT = {
    "read/facts", "read/history", "read/entities", "search/events_text", "search/turns_linked", "search/turns_of_events",
    "search/turns_of_events_5",
}  # fmt: skip
"""Queries for what was read out of turns: entities, facts and events."""


@dataclass
class Read:
    """What was read of the database and embedded: names of queries, the starts of their filters and of the times that search saw asked
    about, texts of guarded queries."""

    names: set[str] = field(default_factory=set)
    since: set[Any] = field(default_factory=set)
    asked_from: set[Any] = field(default_factory=set)
    guarded: list[str] = field(default_factory=list)
    embedded: int = 0


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Read:
    """Notes what is read; it is read all the same."""
    noted = Read()
    reads, texts, embeds = Graph.read, Graph.read_text, LocalEmbedder.embed_query

    async def noting(self: Graph, query: Query, **parameters: Any) -> Any:
        noted.names.add(query.name)
        noted.since.add(parameters.get("since"))
        noted.asked_from.add(parameters.get("asked_from"))
        return await reads(self, query, **parameters)

    async def noting_text(self: Graph, text: str, *rest: Any) -> Any:
        noted.guarded.append(text)
        return await texts(self, text, *rest)

    def counting(self: LocalEmbedder, text: str) -> list[float]:
        noted.embedded += 1
        return embeds(self, text)

    monkeypatch.setattr(Graph, "read", noting)
    monkeypatch.setattr(Graph, "read_text", noting_text)
    monkeypatch.setattr(LocalEmbedder, "embed_query", counting)
    return noted


@pytest.fixture(scope="module")
async def memory(world: World, neo4j_server: TestServer) -> AsyncIterator[AsyncMemory]:
    """A memory on the world's namespace, with the scripted service for chat and for reranking."""
    settings = Settings(
        neo4j_uri=neo4j_server.uri,
        neo4j_user=neo4j_server.user,
        neo4j_password=neo4j_server.password,
        namespace=world.namespace,
        extractor="rules",
        chat_model="scripted",
        chat_url=world.service.base_url,
        chat_key="none",
        cohere_key="none",
        cohere_url=world.service.address,
    )
    async with AsyncMemory.open(settings=settings) as opened:
        yield opened


async def ask(memory: AsyncMemory, world: World, switches: str, *reactions: Reaction, **options: Any) -> Answer:
    """Asks with these switches in the settings, given as text as in the environment."""
    failures: list[Exception] = []
    world.service.script = scripted(failures, *reactions)
    world.service.requests.clear()
    before = memory.settings
    memory.settings = before.with_changes(agent=from_environment({"GRAPHMEM_AGENT": switches}).agent)
    try:
        return await memory.ask(QUESTION, **{"asked_at": ASKED_AT, **options})
    finally:
        memory.settings = before
        if failures:
            raise failures[0]


def first(world: World) -> str:
    """What the model begins with."""
    return str(conversation(world.service)[0][1]["content"])


def reranked(world: World) -> int:
    """How often the reranker was asked."""
    return sum(request.path.endswith("/rerank") for request in world.service.requests)


async def test_with_all_of_it_everything_is_asked_and_read(memory: AsyncMemory, world: World, read: Read) -> None:
    """The other tests say that something is missing; here it is not."""
    answer = await ask(memory, world, "", plan(), EVERYWHERE, answers("A quartet", QUOTE))
    assert answer.found
    assert reranked(world) == 1
    assert [request.mode for request in world.service.chats] == ["strict", "text", "text"]
    assert {request.body["temperature"] for request in world.service.chats} == {0}
    assert all(part in first(world) for part in ("Plan:", "Time filter:", "First retrieval:", "n1 "))
    assert read.names >= WORDS
    assert {"read/facts", "read/history", "read/entities", "search/turns_linked"} <= read.names
    assert datetime(2023, 3, 1, tzinfo=UTC) in read.since


async def test_no_rerank(memory: AsyncMemory, world: World) -> None:
    await ask(memory, world, "rerank=false", plan(), answers("A quartet", QUOTE))
    assert reranked(world) == 0
    assert "First retrieval:" in first(world)


async def test_no_time_filter(memory: AsyncMemory, world: World, read: Read) -> None:
    answer = await ask(memory, world, "time_filter=false,plan=rules", answers("A quartet", QUOTE))
    assert "Time filter:" not in first(world)
    assert answer.details["trace"].entries[0].plan.time is None
    assert datetime(2023, 3, 1, tzinfo=UTC) not in read.since


async def test_no_first_retrieval(memory: AsyncMemory, world: World, read: Read) -> None:
    look = calls_tools(("grep_turns", {"text": "concert"}))
    await ask(memory, world, "first_retrieval=false", plan(), look, answers("A quartet", QUOTE))
    assert "First retrieval:" not in first(world)
    assert reranked(world) == 0
    assert "search/turns_around" not in read.names
    assert read.embedded == 0


async def test_no_plan_and_a_plan_by_rules(memory: AsyncMemory, world: World) -> None:
    await ask(memory, world, "plan=none", answers("A quartet", QUOTE))
    assert [request.mode for request in world.service.chats] == ["text"]
    assert not any(part in first(world) for part in ("Plan:", "Start with:", "Schema:"))
    await ask(memory, world, "plan=rules", answers("A quartet", QUOTE))
    assert [request.mode for request in world.service.chats] == ["text"]
    assert "Plan:" in first(world)


async def test_grep_only(memory: AsyncMemory, world: World, read: Read) -> None:
    await ask(memory, world, "retrieval=grep,plan=rules", EVERYWHERE, answers("A quartet", QUOTE))
    assert "First retrieval:" not in first(world)
    assert (read.embedded, reranked(world)) == (0, 0)
    assert {name for name in read.names if name.startswith("search/")} <= {
        "search/grep_turns_text",
        "search/turns_shown",
    }
    assert read.guarded == []


async def test_vector_only(memory: AsyncMemory, world: World, read: Read) -> None:
    answer = await ask(memory, world, "retrieval=vector", plan(), EVERYWHERE, answers("A quartet", QUOTE))
    assert answer.found
    assert not WORDS & read.names
    assert not {name for name in read.names if "grep" in name}
    assert read.embedded > 0


async def test_turns_only(memory: AsyncMemory, world: World, read: Read) -> None:
    def no_names(request: Received) -> Any:
        assert "Properties of the memory: none" in request.prompt
        assert "Names in it that the memory knows: none" in request.prompt
        return plan()

    answer = await ask(memory, world, "turns_only=true", no_names, EVERYWHERE, answers("A quartet", QUOTE))
    assert answer.found
    assert not READ_OUT & read.names
    assert read.guarded == []
    assert "t1 " in first(world)


@pytest.mark.parametrize(
    ("tools", "offered"),
    [
        ("schema_viewer+entity_lookup", 2),
        ("schema_viewer+entity_lookup+cypher", 3),
        ("schema_viewer+entity_lookup+cypher+search", 4),
    ],
)
async def test_the_sets_of_tools_are_what_is_offered_and_all_that_can_be_called(
    memory: AsyncMemory, world: World, tools: str, offered: int
) -> None:
    agent = f"plan=rules,tools={tools}"
    answer = await ask(memory, world, agent, EVERYWHERE, answers("A quartet", QUOTE))
    [sent, _] = [request.body["tools"] for request in world.service.chats]
    assert [each["function"]["name"] for each in sent] == [*tools.split("+"), "answer"]
    refused = {each.call.tool for each in answer.details["trace"].observed if "There is no tool" in each.text}
    assert {"search", "search_turns", "search_events", "grep_turns", "entity_lookup", "cypher"} - refused == {
        *tools.split("+")[1:]
    }


async def test_online_construction(memory: AsyncMemory, world: World, tmp_path: Path) -> None:
    """Without it a question finds unread turns by their words; with it what they mean is read first."""
    turn = {"session": "one", "speaker": "Mara", "said_at": "2023-03-05T10:00:00+00:00", "text": f"{QUOTE}, a quartet."}
    path = tmp_path / "lazy.jsonl"
    path.write_text(json.dumps(turn), encoding="utf-8")
    space = f"online-{uuid.uuid4().hex[:12]}"
    await memory.ingest(path, lazy=True, namespace=space)
    before, read = memory.settings, []
    try:
        for online in ("false", "true"):
            memory.settings = before.with_changes(online=from_environment({"GRAPHMEM_ONLINE": online}).online)
            look = calls_tools(("grep_turns", {"text": "concert"}))
            answer = await ask(
                memory,
                world,
                "plan=rules",
                look,
                answers(
                    "A quartet",
                    QUOTE,
                ),
                namespace=space,
            )
            read.append(answer.details["coverage"]["read_now"])
    finally:
        memory.settings = before
    assert read == [0, 1]


@pytest.mark.parametrize(("order", "month"), [("month_first", 4), ("day_first", 3)])
async def test_a_question_is_read_by_the_policy_of_the_settings_by_rules_by_a_model_and_in_a_search(
    memory: AsyncMemory, world: World, read: Read, monkeypatch: pytest.MonkeyPatch, order: str, month: int
) -> None:
    """04/03/2023 is a day of April or of March."""
    question, day = "What did Mara do on 04/03/2023?", datetime(2023, month, 7 - month, tzinfo=UTC)
    monkeypatch.setattr(memory, "settings", memory.settings.with_changes(time_policy=f"day_month_order={order}"))
    await memory.search_turns(question)
    assert read.asked_from - {None} == {day}
    world.service.script = scripted([], answers("A concert", QUOTE))
    by_model = await memory.ask(question, asked_at=ASKED_AT, agent=AgentSettings(plan="rules"))
    trace = by_model.details["trace"]
    assert trace.entries[0].plan.time.start == day
    assert trace.time_policy == ("" if order == "month_first" else "day_month_order=day_first")
    assert read.asked_from - {None} == {day}
    monkeypatch.setitem(memory.__dict__, "chat", None)
    by_rules = await memory.ask(question, asked_at=ASKED_AT)
    assert any(f"[{day.date()}, " in bullet for bullet in by_rules.details["plan"])


async def test_switches_for_one_question_come_before_those_of_the_settings(memory: AsyncMemory, world: World) -> None:
    given = AgentSettings(plan="rules", first_retrieval=False)
    await ask(memory, world, "plan=none", answers("A quartet"), answers("A quartet"), agent=given)
    assert "Plan:" in first(world)
    assert "First retrieval:" not in first(world)


async def test_a_switch_that_there_is_not_is_refused_before_anything_is_asked_or_read(
    memory: AsyncMemory, world: World, read: Read
) -> None:
    for wrong, message in (
        ("plans=none", "the agent has no switch 'plans'; there are plan, first_retrieval, rerank,"),
        ("plan=maybe", "the agent's plan is 'maybe'; it must be one of model, rules, none"),
        ("rerank=perhaps", "the agent's rerank is 'perhaps'; it must be true or false"),
        ("tools=cypher+sql", "the agent's tools name sql; known are schema_viewer,"),
    ):
        with pytest.raises(ConfigurationError) as caught:
            await ask(memory, world, wrong)
        assert str(caught.value).startswith(f"GRAPHMEM_AGENT is {wrong!r}: {message}")
    assert not read.names
    assert not world.service.requests


async def test_switches_without_a_model_are_refused(memory: AsyncMemory, settings: Settings) -> None:
    rules = AsyncMemory(settings)
    with pytest.raises(ConfigurationError, match="there is no chat model that it is about"):
        await rules.ask(QUESTION, agent=AgentSettings())
