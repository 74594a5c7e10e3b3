"""Honest queries pass the guard, and give the right rows of their own namespace and nothing of another."""

from __future__ import annotations

import tomllib
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from graphmem.errors import CypherRefused
from graphmem.graph.connection import Graph
from graphmem.graph.guard import GuardedResult, run, run_guarded, scope
from graphmem.graph.queries import load_all
from tests.graph.hostile.world import CANARY, build

_DATA = tomllib.loads((Path(__file__).parent / "hostile" / "honest.toml").read_text(encoding="utf-8"))
HONEST = [query for kind in _DATA.values() if isinstance(kind, dict) for query in kind["queries"]]
WITH_ROWS = [(case["query"], case["rows"]) for case in _DATA["with_rows"]]
EXPLORING = [name for name, query in load_all().items() if name.startswith("explore/") and "db.index" not in query.text]
PARAMETERS: dict[str, Any] = {
    "name": "Ana",
    "names": ["Ana", "Bo"],
    "word": "MOVED",
    "when": "2023-05-10T00:00:00Z",
    "said_by": datetime(2023, 5, 20, tzinfo=UTC),
    "limit": 3,
}


@pytest.fixture(scope="module")
async def world(graph: Graph) -> tuple[Graph, str]:
    """The server with the world of Ana in one namespace, and its double with canaries in another."""
    run = uuid.uuid4().hex[:12]
    await build(graph, f"guard-{run}-other", CANARY)
    await build(graph, f"guard-{run}")
    return graph, f"guard-{run}"


def plain_rows(result: GuardedResult) -> list[list[Any]]:
    """Rows as a TOML file can hold them."""
    return [["NULL" if value is None else value for value in row] for row in result.rows]


@pytest.mark.parametrize("query", HONEST)
async def test_an_honest_query_passes_and_shows_nothing_of_another_namespace(
    world: tuple[Graph, str], query: str
) -> None:
    graph, namespace = world
    result = await run_guarded(graph, query, PARAMETERS, namespace)
    assert CANARY not in repr(result)
    assert not result.truncated


@pytest.mark.parametrize(("query", "rows"), WITH_ROWS)
async def test_an_honest_query_gives_the_right_rows(
    world: tuple[Graph, str], query: str, rows: list[list[Any]]
) -> None:
    graph, namespace = world
    result = await run_guarded(graph, query, PARAMETERS, namespace)
    assert plain_rows(result) == rows


@pytest.mark.parametrize("name", EXPLORING)
async def test_the_queries_of_explore_pass_and_show_one_namespace(world: tuple[Graph, str], name: str) -> None:
    graph, namespace = world
    result = await run_guarded(graph, load_all()[name].text, {}, namespace)
    assert CANARY not in repr(result)
    if name != "explore/names":  # this world holds no decisions about names
        assert result.rows


async def test_the_proof_alone_refuses_what_the_text_would_not_confine(
    world: tuple[Graph, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With no label written into the patterns, what still passes touches no node."""
    graph, namespace = world
    monkeypatch.setattr(scope, "_confine", lambda *given: None)
    passed = []
    for query in HONEST[::3]:
        try:
            result = await run_guarded(graph, query, PARAMETERS, namespace)
        except CypherRefused:
            continue
        passed.append(query)
        assert CANARY not in repr(result)
    assert not [query for query in passed if "MATCH" in query.upper()]


async def test_the_text_alone_confines_what_the_proof_would_not_see(
    world: tuple[Graph, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    graph, namespace = world
    monkeypatch.setattr(run, "prove", lambda *given: None)
    for query in HONEST[::3]:
        assert CANARY not in repr(await run_guarded(graph, query, PARAMETERS, namespace))


def test_there_are_at_least_150_honest_queries_and_none_twice() -> None:
    every = [*HONEST, *(query for query, _ in WITH_ROWS)]
    assert len(set(every)) == len(every) >= 150
