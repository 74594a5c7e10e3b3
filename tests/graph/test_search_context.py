"""Context and profile from a real graph."""

from __future__ import annotations

import pytest

from graphmem.errors import QuestionError
from graphmem.graph.connection import Graph
from graphmem.providers import LocalEmbedder
from graphmem.search import build_context, build_profile
from tests.graph.test_search_turns import store


async def test_a_context_holds_the_turn_that_answers_and_its_neighbours(
    graph: Graph, embedder: LocalEmbedder, namespace: str
) -> None:
    await store(graph, embedder, namespace)
    context = await build_context(graph, embedder, "fifth, and no lift", namespace=namespace, limit=1)
    assert [turn.turn_id for turn in context.turns] == ["s1:1", "s1:2", "s1:3"]
    assert context.text.splitlines()[0] == "## 2023-05-01 Mon, s1"
    assert "[s1:2] 12:02 Ana: The fifth, and there is no lift." in context.text


async def test_a_context_keeps_within_its_budget_as_the_caller_counts_it(
    graph: Graph, embedder: LocalEmbedder, namespace: str
) -> None:
    await store(graph, embedder, namespace)
    context = await build_context(
        graph, embedder, "Porto", namespace=namespace, budget=30, count=lambda text: len(text.split())
    )
    assert 0 < len(context.text.split()) == context.tokens <= 30


async def test_a_budget_below_one_is_refused(graph: Graph, embedder: LocalEmbedder, namespace: str) -> None:
    with pytest.raises(QuestionError, match="budget"):
        await build_context(graph, embedder, "Porto", namespace=namespace, budget=0)


async def test_a_profile_of_somebody_unknown_says_so(graph: Graph, namespace: str) -> None:
    with pytest.raises(QuestionError, match="knows nothing called 'Nobody'"):
        await build_profile(graph, "Nobody", namespace=namespace)


async def test_a_profile_finds_a_name_in_any_case(graph: Graph, embedder: LocalEmbedder, namespace: str) -> None:
    await store(graph, embedder, namespace)
    profile = await build_profile(graph, "ANA", namespace=namespace)
    assert (profile.name, profile.type) == ("Ana", "Person")
    assert profile.text == "# Ana (Person)"
