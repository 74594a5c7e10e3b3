"""Hostile queries on a server of their own: none writes, none sees another namespace, none outlives its limits or ends the server."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from graphmem.errors import CypherRefused
from graphmem.graph.connection import Graph
from graphmem.graph.guard import GuardedResult, GuardLimits, run_guarded
from graphmem.graph.queries import Query
from graphmem.graph.schema import open_store
from graphmem.ids import namespace_label
from graphmem.server import ServerInfo, ServerSettings, down, status, up
from tests.graph.hostile.load import LET_THROUGH, VALUES, Hostile, hostile
from tests.graph.hostile.world import CANARY, DIMENSIONS, build

MINE, OTHER, ABSENT = "guarded", "guarded-other", "guarded-absent"
LIMITS = GuardLimits(seconds=120.0, rows=1_000, bytes=1_000_000)
"""For queries that end by themselves: a time that none of them comes near, so that only what they ask decides what they give."""
SHORT = replace(LIMITS, seconds=2.0)
"""For those that would run on. What they give may depend on how fast the machine is, and nothing is said of it but that it is bounded."""

ALL = hostile()
EVERYTHING = Query(
    "test/everything",
    "Every node and relationship, for comparing before and after.",
    frozenset(),
    "MATCH (n) OPTIONAL MATCH (n)-[r]->(m) "
    "RETURN labels(n) AS labels, n {.*, embedding: null} AS node, type(r) AS type, properties(r) AS edge, m.id AS to",
)
RUNNING = Query(
    "test/running",
    "The transactions that run, this one among them.",
    frozenset(),
    "SHOW TRANSACTIONS YIELD transactionId, currentQuery RETURN transactionId, currentQuery",
)


@dataclass(frozen=True)
class World:
    """The server with both namespaces, what it held at first, and parameters that reach for the other one."""

    graph: Graph
    server: ServerInfo
    home: Path
    before: Any
    reaching: dict[str, Any]

    def _same_process(self) -> bool:
        info = status(self.home).info
        return info is not None and info.pid == self.server.pid

    async def unchanged(self) -> bool:
        """Whether the server still runs as the same process, answers, and holds what it held."""
        return self._same_process() and await contents(self.graph) == self.before

    async def at_rest(self) -> None:
        """Returns once the server runs nothing but this question; a query that is never stopped keeps it waiting."""
        while len(await self.graph.read(RUNNING)) > 1:
            await asyncio.sleep(0.05)


async def contents(graph: Graph) -> Any:
    """All that the database holds, in a form that compares."""
    return sorted(map(repr, await graph.read(EVERYTHING)))


async def ids(graph: Graph, label: str) -> list[str]:
    """Identifiers of the other namespace's nodes."""
    query = Query(
        "test/ids", "Identifiers.", frozenset({"scope"}), f"MATCH (n:{label}:$($scope)) RETURN n.id AS id ORDER BY id"
    )
    return [row["id"] for row in await graph.read(query, scope=namespace_label(OTHER))]


@pytest.fixture(scope="module")
async def world() -> AsyncIterator[World]:
    with tempfile.TemporaryDirectory(prefix="graphmem-guard-") as folder:
        home = Path(folder) / "neo4j"
        server = up(home, settings=ServerSettings(heap_mb=384))
        try:
            graph = await Graph.connect(server.uri, server.user, server.password)
            await open_store(graph, "test", DIMENSIONS)
            await build(graph, OTHER, CANARY)
            await build(graph, MINE)
            reaching = {
                **VALUES,
                "other": OTHER,
                "other_label": namespace_label(OTHER),
                "other_turn": (await ids(graph, "Turn"))[0],
                "other_entity": (await ids(graph, "Entity"))[0],
            }
            yield World(graph, server, home, await contents(graph), reaching)
            await graph.close()
        finally:
            down(home)


async def attempt(world: World, text: str, limits: GuardLimits = LIMITS, **changed: Any) -> GuardedResult | str:
    """What a query gives: its result, or the words of its refusal. Anything else that it raises is a fault."""
    try:
        return await run_guarded(world.graph, text, {**world.reaching, **changed}, MINE, limits)
    except CypherRefused as refusal:
        return str(refusal)


def of_kind(*reasons: str) -> Any:
    """The queries with one of these keys, as parameters of a test."""
    return pytest.mark.parametrize(
        "case", [case for case in ALL if case.reason in reasons], ids=lambda case: case.text[:70]
    )


async def test_refused_queries_are_refused_and_change_nothing(world: World) -> None:
    for case in (case for case in ALL if case.reason not in LET_THROUGH):
        outcome = await attempt(world, case.text)
        assert isinstance(outcome, str), case
        assert case.reason in outcome
    assert await world.unchanged()


@of_kind("accepted")
async def test_what_is_let_through_shows_nothing_of_another_namespace(world: World, case: Hostile) -> None:
    outcome = await attempt(world, case.text)
    assert isinstance(outcome, GuardedResult), outcome
    assert CANARY not in repr(outcome)
    assert all("embedding" not in str(key) for row in outcome.rows for key in keys_of(list(row)))


@of_kind("accepted", "silent")
async def test_whether_another_namespace_is_there_makes_no_difference(world: World, case: Hostile) -> None:
    absent = {"other": ABSENT, "other_label": namespace_label(ABSENT), "other_turn": "0" * 32, "other_entity": "0" * 32}
    there, not_there = await attempt(world, case.text), await attempt(world, case.text, **absent)
    if isinstance(there, GuardedResult) and isinstance(not_there, GuardedResult):
        assert len(there.rows) == len(not_there.rows)
        assert there.truncated or sorted(map(repr, there.rows)) == sorted(map(repr, not_there.rows))
    else:
        assert there == not_there


@of_kind("silent")
async def test_what_asks_by_failing_gets_no_row(world: World, case: Hostile) -> None:
    outcome = await attempt(world, case.text)
    assert isinstance(outcome, str) or not outcome.rows or outcome.rows == (([],),)


@of_kind("stopped")
async def test_no_query_outlives_its_limits_or_ends_the_server(world: World, case: Hostile) -> None:
    """It ends by itself or is stopped, in the server too, whichever comes first; what it gave by then is within the limits."""
    outcome = await attempt(world, case.text, SHORT)
    if isinstance(outcome, GuardedResult):
        assert len(outcome.rows) <= SHORT.rows
        assert outcome.bytes <= SHORT.bytes
    assert CANARY not in repr(outcome)
    await world.at_rest()
    assert await world.unchanged()


LONG = {
    "a sum of 9,000 terms": "RETURN " + "+".join("1" * 9_000),
    "a sum of 80 terms": "RETURN " + "+".join("1" * 80),
    "30 parentheses": "RETURN " + "(" * 30 + "1" + ")" * 30,
    "5,000 parentheses": "RETURN " + "(" * 5_000 + "1" + ")" * 5_000,
    "a pattern or an expression, 19 deep": "RETURN " + "(a {k: " * 19 + "1" + "})" * 19,
    "10,000 opening parentheses": "RETURN " + "(" * 10_000,
    "3,000 NOTs": "MATCH (n) WHERE " + "NOT " * 3_000 + "true RETURN n",
    "3,000 signs": "RETURN " + "- " * 3_000 + "1",
    "2,000 properties of properties": "MATCH (n) RETURN n" + ".a" * 2_000,
    "300 comparisons": "MATCH (n) WHERE " + " = ".join(["n.x"] * 300) + " RETURN n",
    "1,000 alternatives": "MATCH (n) WHERE " + " OR ".join(f"n.x = {i}" for i in range(1_000)) + " RETURN n",
    "150 alternatives of pairs": "MATCH (n) WHERE "
    + " OR ".join(f"(n.x = {i} AND n.y = {i})" for i in range(60))
    + " RETURN n",
    "200 WITHs": "WITH 1 AS x " + "WITH x + 1 AS x " * 200 + "RETURN x",
    "55 WITHs": "WITH 1 AS x " + "WITH x + 1 AS x " * 55 + "RETURN x",
    "25 optional matches": "MATCH (n) "
    + " ".join(f"OPTIONAL MATCH (n)--(m{i})" for i in range(25))
    + " RETURN count(*)",
    "a MATCH of 40 nodes": "MATCH " + ", ".join(f"(n{i})" for i in range(40)) + " RETURN count(*)",
    "a MATCH of 15 joined nodes": "MATCH "
    + ", ".join(f"(n{i})" for i in range(15))
    + " WHERE "
    + " AND ".join(f"n{i}.x = n{i + 1}.x" for i in range(14))
    + " RETURN count(*)",
    "subqueries 20 deep": "MATCH (n) RETURN " + "COUNT { MATCH (n) WHERE " * 20 + "true" + " } > 0" * 20,
    "subqueries 4 deep": "MATCH (n) RETURN " + "COUNT { MATCH (n) WHERE " * 4 + "true" + " } > 0" * 4,
    "calls 30 deep": "MATCH (n) " + "CALL (n) { " * 30 + "RETURN 1 AS x" + " } RETURN x" * 30,
    "a label expression of 1,000": "MATCH (n:" + "|".join(["Turn&Fact"] * 1_000) + ") RETURN n",
    "a label expression of 12 pairs": "MATCH (n:" + "&".join(["(Turn|Fact)"] * 12) + ") RETURN n",
    "a list of 5,000": "RETURN size([" + ",".join("1" * 5_000) + "])",
    "a map of 2,000": "RETURN {" + ",".join(f"k{i}: 1" for i in range(2_000)) + "}",
    "a CASE of 500": "MATCH (n) RETURN CASE " + " ".join(f"WHEN n.x = {i} THEN {i}" for i in range(500)) + " END",
    "1,000,000 characters": "RETURN 1 // " + "x" * 1_000_000,
    "a string of 19,000 characters, twice": "RETURN '" + "x" * 9_000 + "' + '" + "x" * 9_000 + "' AS s",
    "200 columns": "MATCH (n) RETURN " + ", ".join(f"n.p{i} AS p{i}" for i in range(200)),
}


@pytest.mark.parametrize("name", LONG)
async def test_no_long_query_keeps_the_server_from_answering(world: World, name: str) -> None:
    await attempt(world, LONG[name], SHORT)
    await world.at_rest()
    assert await world.unchanged()


async def test_too_many_parameters_are_refused(world: World) -> None:
    assert "the parameters hold" in str(await attempt(world, "RETURN 1", many=list(range(2_000_000))))


async def test_rows_beyond_a_limit_are_left_out_and_it_is_said(world: World) -> None:
    limits = replace(LIMITS, rows=3)
    result = await run_guarded(world.graph, "UNWIND range(1, 10) AS x RETURN x", {}, MINE, limits)
    assert (result.rows, result.truncated) == (((1,), (2,), (3,)), True)


async def test_bytes_beyond_a_limit_are_left_out_and_it_is_said(world: World) -> None:
    limits = replace(LIMITS, bytes=100)
    result = await run_guarded(
        world.graph, "UNWIND range(1, 10) AS x RETURN 'twenty letters long.' AS x", {}, MINE, limits
    )
    assert result.truncated
    assert 0 < len(result.rows) < 10


async def test_a_row_beyond_the_limit_of_bytes_is_refused(world: World) -> None:
    with pytest.raises(CypherRefused, match="one row holds more than"):
        await run_guarded(world.graph, "RETURN 'twenty letters long.' AS x", {}, MINE, replace(LIMITS, bytes=10))


async def test_after_all_of_them_the_server_answers_and_nothing_has_changed(world: World) -> None:
    outcome = await attempt(world, "RETURN 1 AS one")
    assert isinstance(outcome, GuardedResult), outcome
    assert outcome.rows == ((1,),)
    assert await world.unchanged()


def keys_of(value: Any) -> list[Any]:
    """The keys of all maps in a value."""
    if isinstance(value, dict):
        return [*value, *(key for item in value.values() for key in keys_of(item))]
    if isinstance(value, list):
        return [key for item in value for key in keys_of(item)]
    return []
