"""Queries put together from fragments, honest and hostile: whatever the guard lets through shows and tells nothing of another namespace."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmem.errors import CypherRefused
from graphmem.graph.connection import Graph
from graphmem.graph.guard import GuardedResult, GuardLimits, run_guarded
from graphmem.graph.guard.tokens import tokenise
from graphmem.graph.queries import Query
from graphmem.ids import namespace_label
from tests.graph.hostile.load import VALUES
from tests.graph.hostile.world import CANARY, build

LIMITS = GuardLimits(seconds=10.0, rows=300, bytes=500_000)
RUN = uuid.uuid4().hex[:12]
MINE, OTHER = f"guard-generated-{RUN}", f"guard-generated-{RUN}-other"
COUNTS = Query(
    "test/counts",
    "How much each namespace holds.",
    frozenset({"scopes"}),
    "UNWIND $scopes AS scope CALL (scope) { MATCH (n:$(scope)) OPTIONAL MATCH (n)-[r]->() "
    "RETURN count(DISTINCT n) AS nodes, count(r) AS edges, sum(size(keys(n))) AS properties } RETURN scope, nodes, edges, properties",
)
ANY_TURN = Query("test/turn", "A turn and an entity.", frozenset({"scope"}), "MATCH (n:Turn:$($scope)), (e:Entity:$($scope)) "
                 "RETURN n.id AS turn, e.id AS entity LIMIT 1")  # fmt: skip

LABELS = [
    "",
    ":Turn",
    ":Entity",
    ":Fact",
    ":Event|Fact",
    ":!Turn",
    ":%",
    " IS Entity",
    ":Turn&!Fact",
    ":Entity:Turn",
    ":(Turn|Fact)&Fact",
]
PROPERTIES = ["", "", " {namespace: $other}", " {id: $other_turn}", " {name: 'Ana'}", " {id: $other_entity}"]
RELATIONSHIPS = [
    "-[:HAS_FACT]->",
    "--",
    "-[r]-",
    "<-[:INVOLVES]-",
    "-[rs*0..2]-",
    "-[:HAS_FACT]->{0,2}",
    "-[:AT|VALUE]-",
    "-[r:QUOTES]->",
]
PIECES = ["((x)-[:HAS_FACT]->(y)){0,2}", "((x:Entity)--(y)){1,1}", "((x)-[:SUPPORTED_BY]->(y) WHERE x.id <> y.id){0,1}"]
CONDITIONS = [
    "a.namespace = $other",
    "a.id = $other_turn",
    "a.text CONTAINS 'CANARY'",
    "toLower(a.name) CONTAINS 'canary'",
    "a.namespace <> 'nothing'",
    "a.id >= ''",
    "a.said_at > datetime('2023-01-01')",
    "a.said_at > datetime('garbage')",
    "1 / $zero = 1",
    "1 / (size(a.id) - 32) = 1",
    "CASE WHEN a.namespace = $other THEN 1 / 0 ELSE 0 END = 1",
    "date(a.text) = date()",
    "EXISTS { (a)--(q {namespace: $other}) }",
    "EXISTS { MATCH (q:Turn) WHERE toLower(q.text) CONTAINS 'canary' RETURN q }",
    "COUNT { (q:Turn) } > 6",
    "NOT (a)--()",
    "$other_label IN labels(a)",
    "any(x IN labels(a) WHERE x STARTS WITH 'N_')",
    "a:Turn",
    "NOT a:Turn",
    "true",
    "a IS NOT NULL",
]
VALUES_OF_A = [
    "a",
    "a.text",
    "properties(a)",
    "labels(a)",
    "a {.*}",
    "count(a)",
    "collect(a)",
    "max(a.text)",
    "min(a.namespace)",
    "[(a)--(q) | q]",
    "[(q:Turn) --(z) | z.id]",
    "COUNT { (q:Fact) }",
    "COLLECT { MATCH (q) RETURN q.name }",
    "COLLECT { MATCH (q) WHERE q.namespace = $other RETURN q }",
    "CASE WHEN EXISTS { (q {namespace: $other}) } THEN 1 ELSE 0 END",
    "[x IN [1, 2] | COUNT { (q:Turn) }]",
    "head(collect(a.name))",
    "[x IN collect(a)[..5] | x {.name, .text}]",
    "1 / 0",
    "toString(a.said_at)",
]
SPOILERS = [
    *[""] * 6,
    " DETACH DELETE a",
    " SET a.x = 1",
    "; MATCH (n) RETURN n",
    " LIMIT 1 UNION MATCH (a) RETURN a AS v",
    " //",
    " /*",
]
KEYWORDS = ("MATCH", "RETURN", "WHERE", "WITH", "OPTIONAL", "UNWIND", "CALL", "UNION", "EXISTS", "COUNT")


@st.composite
def patterns(draw: st.DrawFn) -> str:
    """A pattern that binds ``a``."""
    node = "(" + "a" + draw(st.sampled_from(LABELS)) + draw(st.sampled_from(PROPERTIES)) + ")"
    if draw(st.booleans()):
        node = node[:-1] + draw(st.sampled_from(["", " WHERE " + draw(st.sampled_from(CONDITIONS))])) + ")"
    other = (
        "(" + draw(st.sampled_from(["", "b"])) + draw(st.sampled_from(LABELS)) + draw(st.sampled_from(PROPERTIES)) + ")"
    )
    shape = draw(st.sampled_from(["node", "path", "path", "piece", "two", "named", "shortest"]))
    relationship = draw(st.sampled_from(RELATIONSHIPS))
    if shape == "node":
        return node
    if shape == "path":
        return node + relationship + other
    if shape == "piece":
        return draw(st.sampled_from([node + draw(st.sampled_from(PIECES)), draw(st.sampled_from(PIECES)) + node]))
    if shape == "two":
        return f"{node}, {other}"
    if shape == "shortest":
        return f"SHORTEST 2 {node}-[:HAS_FACT|VALUE]-{{0,3}}{other}"
    return f"p = {node}{relationship}{other}"


@st.composite
def conditions(draw: st.DrawFn) -> str:
    """One to three conditions, joined."""
    parts = draw(st.lists(st.sampled_from(CONDITIONS), min_size=1, max_size=3))
    return draw(st.sampled_from([" AND ", " OR ", " XOR ", " AND NOT "])).join(parts)


@st.composite
def queries(draw: st.DrawFn, depth: int = 0) -> str:
    """A query, perhaps wrapped in another."""
    optional = draw(st.sampled_from(["", "", "OPTIONAL "]))
    text = draw(st.sampled_from(["", "", "UNWIND [1] AS one ", "WITH 0 AS zero "]))
    text += f"{optional}MATCH {draw(patterns())}"
    if draw(st.booleans()):
        text += f" WHERE {draw(conditions())}"
    if draw(st.booleans()):
        text += draw(
            st.sampled_from([" WITH a", " WITH DISTINCT a", " WITH *", " WITH a LIMIT 20", " WITH a ORDER BY a.id"])
        )
        text += draw(
            st.sampled_from(
                ["", f" WHERE {draw(conditions())}", f" MATCH (a)--(c) WHERE {draw(st.sampled_from(CONDITIONS))}"]
            )
        )
    value = draw(st.sampled_from(VALUES_OF_A))
    text += f" RETURN {draw(st.sampled_from(['', 'DISTINCT ']))}{value} AS v"
    if depth < 2:
        wrapper = draw(st.sampled_from(["{}", "{}", "call", "union", "collect", "exists", "correlated", "count"]))
        if wrapper == "call":
            return f"CALL () {{ {text} }} RETURN v"
        if wrapper == "union":
            return f"{text} UNION {draw(st.sampled_from(['', 'ALL ']))}{draw(queries(depth + 1))}"
        if wrapper == "collect":
            return f"RETURN COLLECT {{ {text} }} AS v"
        if wrapper == "exists":
            return f"MATCH (a:Entity) WHERE EXISTS {{ {text} }} RETURN a.name AS v"
        if wrapper == "count":
            return f"MATCH (z:Entity) RETURN z.name AS v, CASE WHEN COUNT {{ {text} }} > 3 THEN 1 ELSE 0 END AS n"
        if wrapper == "correlated":
            return f"MATCH (e:Entity) CALL (e) {{ {text} }} RETURN e.name AS e, v"
    return text


@st.composite
def spellings(draw: st.DrawFn) -> str:
    """A query spelt in some way: other cases, comments and line ends between its tokens, names in backticks; perhaps spoilt."""
    text = draw(queries()) + draw(st.sampled_from(SPOILERS))
    style = draw(st.sampled_from(["plain", "plain", "lower", "comments", "lines"]))
    if style == "plain" or text.endswith(("//", "/*")):
        return text
    parts = []
    for token in tokenise(text)[:-1]:
        written = text[token.start : token.end]
        if style == "lower" and token.word in KEYWORDS:
            written = written.lower()
        parts.append(written)
    return {"lower": " ", "comments": "/* MATCH (n:N_x) */", "lines": " // (\n"}[style].join(parts)


@pytest.fixture(scope="module")
async def reaching(graph: Graph) -> dict[str, Any]:
    """Two worlds, and parameters that reach for the other."""
    await build(graph, OTHER, CANARY)
    await build(graph, MINE)
    [row] = await graph.read(ANY_TURN, scope=namespace_label(OTHER))
    there = {
        "other": OTHER,
        "other_label": namespace_label(OTHER),
        "other_turn": row["turn"],
        "other_entity": row["entity"],
    }
    return {**VALUES, **there}


async def attempt(graph: Graph, text: str, parameters: dict[str, Any]) -> GuardedResult | str:
    """What a query gives: its result or the words of its refusal."""
    try:
        return await run_guarded(graph, text, parameters, MINE, LIMITS)
    except CypherRefused as refusal:
        return str(refusal)


def told(outcome: GuardedResult | str) -> Any:
    """What an outcome tells, in whatever order its rows came."""
    if isinstance(outcome, str):
        return outcome
    return len(outcome.rows) if outcome.truncated else sorted(_sorted(list(row)) for row in outcome.rows)


def _sorted(value: Any) -> str:
    """A value as text, lists in order of their text, since the server may collect in any order."""
    if isinstance(value, list):
        return repr(sorted(map(_sorted, value)))
    if isinstance(value, dict):
        return repr({key: _sorted(item) for key, item in sorted(value.items())})
    return repr(value)


@given(text=spellings())
@settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
async def test_whatever_is_let_through_shows_and_tells_nothing_of_another_namespace(
    graph: Graph, reaching: dict[str, Any], text: str
) -> None:
    before = await graph.read(COUNTS, scopes=[namespace_label(MINE), namespace_label(OTHER)])
    absent = {
        "other": "absent",
        "other_label": namespace_label("absent"),
        "other_turn": "0" * 32,
        "other_entity": "0" * 32,
    }
    outcome = await attempt(graph, text, reaching)
    assert CANARY not in repr(outcome)
    order_matters = " LIMIT " in text or "[..5]" in text or "head(" in text
    without = await attempt(graph, text, {**reaching, **absent})
    # How long a query takes, a busy machine may decide.
    in_time = not any("ran longer" in str(one) for one in (outcome, without) if isinstance(one, str))
    if in_time and not order_matters:
        assert told(outcome) == told(without)
    assert await graph.read(COUNTS, scopes=[namespace_label(MINE), namespace_label(OTHER)]) == before
