"""Search with a reranker, from the settings to the result: who orders, by which question, and what happens when it fails."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from graphmem import AsyncMemory, Memory, Settings
from graphmem.answer.agent import AgentSettings
from graphmem.errors import ConfigurationError
from graphmem.graph.connection import Graph
from graphmem.memory.services import reranker_of
from graphmem.providers.cohere_reranker import CohereReranker
from graphmem.providers.local_embedder import LocalEmbedder
from graphmem.providers.local_reranker import LocalReranker
from tests.end_to_end.agent_fixture import world
from tests.end_to_end.agent_world import World, refuses
from tests.graph.test_search_turns import SAID, store
from tests.service import Reply, Service, error
from tests.unit.search.tiny_cross_encoder import build

__all__ = ["world"]

QUESTION = "Which floor is the flat on"


@pytest.fixture(scope="module")
async def stored(graph: Graph, embedder: LocalEmbedder) -> str:
    """A namespace with a few turns."""
    name = f"test-rerank-{uuid.uuid4().hex[:12]}"
    await store(graph, embedder, name)
    return name


@pytest.fixture
def by_cohere(settings: Settings, service: Service, stored: str) -> Settings:
    """Settings that rerank by the local service, which speaks Cohere's protocol."""
    return settings.with_changes(namespace=stored, cohere_key="none", cohere_url=service.address, rerank_timeout=0.4)


def turns_in(hits: object) -> list[str]:
    """The names of turns, in order."""
    return [hit.turn_id for hit in hits]  # type: ignore[attr-defined]


async def test_cohere_orders_all_candidates_by_the_users_question(by_cohere: Settings, service: Service) -> None:
    async with AsyncMemory.open(settings=by_cohere) as memory:
        hits = await memory.search_turns(QUESTION, 3)
    [request] = service.requests
    assert request.body["query"] == QUESTION
    assert len(request.body["documents"]) == sum(map(len, SAID.values()))
    assert "2023-05-01 Tom: Wow! Which floor is it on?" in request.body["documents"]
    assert (len(hits), hits.reranked_by, hits.rerank_problem) == (3, "rerank-v3.5", None)
    assert [hit.score for hit in hits] == sorted((hit.parts["rerank"] for hit in hits), reverse=True)
    assert all({"fused", "meaning", "words"} <= hit.parts.keys() for hit in hits)


async def test_the_rerankers_word_is_the_last(by_cohere: Settings, service: Service) -> None:
    async with AsyncMemory.open(settings=by_cohere.with_changes(reranker="none")) as memory:
        fused = await memory.search_turns(QUESTION, 12)
    service.faults.append(_scores(range(12)))
    async with AsyncMemory.open(settings=by_cohere) as memory:
        assert turns_in(await memory.search_turns(QUESTION, 12)) == turns_in(fused)[::-1]


FAILURES = {
    "too many": [error(429)] * 3,
    "told to wait too long": [error(429, headers={"retry-after": "60"})],
    "down": [error(500)] * 3,
    "slow": [Reply({}, delay=1.0)] * 3,
    "no key": [error(401, "invalid api token")],
    "no JSON": [Reply(b"<html>Bad gateway</html>", 502)] * 3,
    "scores missing": [Reply({"results": []})] * 3,
}


@pytest.mark.parametrize("failure", FAILURES)
async def test_when_it_fails_the_fused_order_stands_and_the_result_says_why(
    by_cohere: Settings, service: Service, failure: str
) -> None:
    async with AsyncMemory.open(settings=by_cohere.with_changes(reranker="none")) as memory:
        fused = await memory.search_turns(QUESTION, 5)
    service.faults.extend(FAILURES[failure])
    async with AsyncMemory.open(settings=by_cohere) as memory:
        hits = await memory.search_turns(QUESTION, 5)
    assert list(hits) == list(fused)
    assert hits.reranked_by is None
    assert (hits.rerank_problem or "").startswith("rerank-v3.5 did not rerank: ")


async def test_search_context_and_ask_rerank_and_report_too(by_cohere: Settings, service: Service) -> None:
    with Memory.open(settings=by_cohere) as memory:
        everything = memory.search(QUESTION, 3)
        context = memory.context(QUESTION)
        answer = memory.ask("Where did Ana move to?")
        assert everything.reranked_by == context.reranked_by == answer.details["reranked_by"] == "rerank-v3.5"
        assert {request.body["query"] for request in service.requests} == {QUESTION, "Where did Ana move to?"}
        assert "Porto" in answer.text
        for ask in (lambda: memory.search(QUESTION).rerank_problem, lambda: memory.context(QUESTION).rerank_problem):
            service.faults.append(error(401))
            assert "did not rerank" in (ask() or "")
        service.faults.append(error(401))
        failed = memory.ask("Where did Ana move to?")
        assert "did not rerank" in failed.details["rerank_problem"]
        assert "Porto" in failed.text


async def test_a_prompt_block_is_a_text(by_cohere: Settings) -> None:
    with Memory.open(settings=by_cohere) as memory:
        context, profile = memory.context(QUESTION), memory.profile("Ana")
    assert str(context) == context.text != ""
    assert f"{profile}" == profile.text


async def test_a_local_model_orders_the_turns(settings: Settings, stored: str, tmp_path: Path) -> None:
    words = " ".join(text for turns in SAID.values() for _, text in turns)
    folder = build(tmp_path / "overlap", words)
    async with AsyncMemory.open(settings=settings.with_changes(namespace=stored, rerank_model=str(folder))) as memory:
        hits = await memory.search_turns("sister Clara bakes sourdough bread every Sunday", 4)
    assert hits.reranked_by == "overlap"
    assert hits[0].turn_id == "s1:3"
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert hits[0].score > hits[1].score


async def test_the_agents_first_retrieval_is_ordered_by_the_question_and_a_failure_is_told(
    world: World, service: Service
) -> None:
    reranker = reranker_of(Settings(cohere_key="none", cohere_url=service.address, rerank_timeout=0.4))
    asked = "Which pet did Mara adopt?"
    given = {"agent": AgentSettings(plan="rules"), "reranker": reranker}
    first = await world.ask(asked, refuses("nothing"), refuses("nothing"), **given)
    assert first.details["reranked_by"] == "rerank-v3.5"
    assert {request.body["query"] for request in service.requests} == {asked}
    service.faults.append(error(401))
    second = await world.ask(asked, refuses("nothing"), refuses("nothing"), **given)
    assert "did not rerank" in second.details["rerank_problem"]


def test_the_command_says_that_reranking_failed_and_still_shows_what_was_found(
    by_cohere: Settings, service: Service
) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GRAPHMEM_")} | {
        "GRAPHMEM_NEO4J_URI": str(by_cohere.neo4j_uri),
        "GRAPHMEM_NEO4J_PASSWORD": str(by_cohere.neo4j_password),
        "GRAPHMEM_COHERE_KEY": "none",
        "GRAPHMEM_COHERE_URL": service.address,
    }
    service.faults.append(error(401, "invalid api token"))
    command = [
        sys.executable,
        "-m",
        "graphmem",
        "search-turns",
        QUESTION,
        "-n",
        by_cohere.namespace,
        "--json",
        "-k",
        "2",
    ]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "invalid api token" in done.stderr
    assert "the order is that of the search without it" in done.stderr
    assert len(json.loads(done.stdout)) == 2


def test_which_reranker_settings_choose(tmp_path: Path) -> None:
    folder = str(build(tmp_path / "overlap", "a"))
    assert reranker_of(Settings()) is None
    assert isinstance(reranker_of(Settings(cohere_key="k", rerank_model=folder)), CohereReranker)
    assert isinstance(reranker_of(Settings(rerank_model=folder)), LocalReranker)
    assert isinstance(reranker_of(Settings(cohere_key="k", rerank_model=folder, reranker="local")), LocalReranker)
    assert reranker_of(Settings(cohere_key="k", reranker="none")) is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"reranker": "best"}, "must be auto, none, cohere or local"),
        ({"reranker": "cohere"}, "cohere_key is not set"),
        ({"reranker": "local"}, "rerank_model is not set"),
        ({"rerank_timeout": 0.0}, "more than 0 seconds"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(given: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        Settings(**given)  # type: ignore[arg-type]


def _scores(values: object) -> Reply:
    return Reply(
        {"id": "x", "results": [{"index": n, "relevance_score": value / 100} for n, value in enumerate(values)]}
    )  # type: ignore[arg-type,var-annotated]
