"""The proof on a plan, on plans written by hand: what it lets pass, and what it must not."""

from __future__ import annotations

import re
from typing import Any

import pytest

from graphmem.errors import CypherRefused
from graphmem.graph.guard.plans import prove

LABEL = "N_0123456789ab"
Plan = dict[str, Any]


def step(name: str, details: str = "", *children: Plan) -> Plan:
    """A step of a plan; N in its details stands for the label."""
    return {
        "operatorType": f"{name}@neo4j",
        "args": {"Details": re.sub(r"\bN\b", LABEL, details)},
        "children": list(children),
    }


def result(*children: Plan) -> Plan:
    return step("ProduceResults", "a", *children)


ARGUMENT = step("Argument", "a")
SCAN = step("NodeByLabelScan", "a:N")
FOREIGN = step("NodeByLabelScan", "a:Turn")
SEEK = step("NodeUniqueIndexSeek", "UNIQUE a:Turn(id) WHERE id = $x, cache[a.id]")
EDGES = step("DirectedRelationshipTypeScan", "(a)-[r:NEXT]->(b)")

INSIDE = [
    SCAN,
    step("IntersectionNodeByLabelsScan", "a:Turn&N"),
    step("SubtractionNodeByLabelsScan", "a:N&!Turn"),
    step("NodeCountFromCountStore", "count( (:N) ) AS n"),
    step("NodeCountFromCountStore", "count( (:N), (:N) ) AS n"),
    step("RelationshipCountFromCountStore", "count( (:N)-[:NEXT]->() ) AS n"),
    step("Filter", "a:N", SEEK),
    step("Filter", "cache[a.text] CONTAINS $x AND a:N", FOREIGN),
    step("Filter", "(a:N AND b:N)", EDGES),
    step("Filter", "b:N", EDGES),
    step("Filter", "a:N", step("Expand(All)", "(a)-[r:NEXT]->(b)", FOREIGN)),
    step("Filter", "b:N", step("Expand(All)", "(a)-[r:NEXT]->(b)", FOREIGN)),
    step("Filter", "CoerceToPredicate(CASE\n  WHEN a:N THEN $p / $q = $r\nEND) AND a:N", FOREIGN),
    step(
        "Apply",
        "",
        SCAN,
        step("Filter", "b:N", step("NodeIndexSeek", "RANGE INDEX b:Fact(namespace, property) WHERE namespace = $x")),
    ),
    step("Apply", "", step("Filter", "a:N", FOREIGN), step("Expand(All)", "(a)-->(b)", ARGUMENT)),
    step("Filter", "a:N", step("CacheProperties", "cache[a.id]", SEEK)),
    step("Filter", "a:N", step("Projection", "$x AS y", FOREIGN)),
    step(
        "Projection",
        "CASE WHEN EXISTS {   MATCH (a)-[`anon_0`:NEXT]->(`anon_1`)     WHERE `anon_1`:N } THEN $x END AS y",
        SCAN,
    ),
    step("CartesianProduct", "", SCAN, step("Filter", "b:N", step("NodeByLabelScan", "b:Fact"))),
    step("Unwind", "$x AS y"),
]

OUTSIDE = [
    FOREIGN,
    SEEK,
    EDGES,
    step("AllNodesScan", "a"),
    step("NodeByElementIdSeek", "a WHERE elementId(a) = $x"),
    step("ProcedureCall", "db.labels() :: (label :: STRING)"),
    step("SomethingNew", "a:N", SCAN),
    step("NodeByLabelScan", "a:N_ffffffffffff"),
    step("UnionNodeByLabelsScan", "a:N|Turn"),
    step("SubtractionNodeByLabelsScan", "a:Turn&!N"),
    step("NodeIndexSeek", "RANGE INDEX a:N(id) WHERE id = $x"),
    step("NodeCountFromCountStore", "count( (:Turn) ) AS n"),
    step("NodeCountFromCountStore", "count( (:N), (:Turn) ) AS n"),
    step("NodeCountFromCountStore", "count( () ) AS n"),
    step("RelationshipCountFromCountStore", "count( ()-[:NEXT]->() ) AS n"),
    step("Filter", "NOT a:N", FOREIGN),
    step("Filter", "a:N OR a.x = $y", FOREIGN),
    step("Filter", "a:N|Turn", FOREIGN),
    step("Filter", "b:N", FOREIGN),
    step("Filter", "`a:N`.x = $y", FOREIGN),
    step("Filter", "a.x = $y", FOREIGN),
    step("Filter", "a:N", step("EagerAggregation", "a, count(*) AS n", FOREIGN)),
    step("Filter", "a:N", step("Limit", "$x", FOREIGN)),
    step("Filter", "a:N", step("Projection", "a.name AS x", FOREIGN)),
    step("Filter", "a:N", step("Optional", "a", FOREIGN)),
    step("Filter", "a:N", step("SemiApply", "", FOREIGN, SCAN)),
    step("Filter", "a:N", step("OptionalExpand(All)", "(a)-[r:NEXT]->(b)", FOREIGN)),
    step("Filter", "a:N", step("Expand(All)", "(b)-[r:NEXT]->(c)", step("NodeByLabelScan", "b:Turn"))),
    step("Filter", "a:N AND $p / $q = $r", FOREIGN),
    step("Filter", "$p / $q = $r AND a:N", FOREIGN),
    step("Filter", "a:N AND toLower(a.name) = $x", FOREIGN),
    step("Filter", "a:N AND a.said_at > RuntimeConstant(datetime($unknown))", FOREIGN),
    step("Filter", "a:N AND CoerceToPredicate(CASE\n  WHEN b:N THEN $p / $q = $r\nEND)", FOREIGN),
    step("Filter", "a:N AND CoerceToPredicate(CASE\n  WHEN a:N THEN $p\n  ELSE $p / $q = $r\nEND)", FOREIGN),
    step("Filter", "a:N AND what is this", FOREIGN),
    step("Filter", "a:N AND EXISTS {   MATCH (q)     WHERE q:N }", FOREIGN),
    step("Union", "", SCAN, FOREIGN),
    step("CartesianProduct", "", SCAN, step("NodeByLabelScan", "b:Fact")),
    step("NodeHashJoin", "a", FOREIGN, SCAN),
    step("Apply", "", SCAN, step("NodeByLabelScan", "b:Fact")),
    step("RollUpApply", "x, y", SCAN, step("Projection", "$z AS y", step("NodeByLabelScan", "b:Fact"))),
    step("Projection", "COUNT {   MATCH (q)     WHERE q:Turn } AS n", SCAN),
    step("Projection", "COUNT {   MATCH (q)     WHERE q:N OR q.x = $y } AS n", SCAN),
    step("Projection", "COUNT {   MATCH (q), (z)     WHERE q:N } AS n", SCAN),
    step("Projection", "COUNT {   MATCH (q)     WHERE q:N AND $p / $q = $r } AS n", SCAN),
    step("Projection", "COUNT {   MATCH (q)     WHERE q:N RETURN q UNION   MATCH (z) RETURN z AS q } AS n", SCAN),
    step("Projection", "[x IN xs | COUNT {   MATCH (q) }] AS n", SCAN),
    step("Projection", "getDegree((a)-[:NEXT]->()) AS n", SCAN),
    step("Projection", "NestedPlanExpression(a) AS n", SCAN),
    step("Repeat(All, Trail)", "(a) (...){0, 3} (b)", SCAN, step("AllNodesScan", "x")),
]


@pytest.mark.parametrize("plan", INSIDE, ids=repr)
def test_a_plan_inside_the_namespace_passes(plan: Plan) -> None:
    prove(result(plan), LABEL, {})


@pytest.mark.parametrize("plan", OUTSIDE, ids=repr)
def test_a_plan_that_may_leave_the_namespace_is_refused(plan: Plan) -> None:
    with pytest.raises(CypherRefused):
        prove(result(plan), LABEL, {})


def test_an_instant_that_is_known_and_good_may_be_compared_with_before_the_label() -> None:
    plan = result(step("Filter", "a:N AND a.said_at > RuntimeConstant(datetime($at))", FOREIGN))
    prove(plan, LABEL, {"at": "2023-05-01"})
    with pytest.raises(CypherRefused):
        prove(plan, LABEL, {"at": "yesterday"})
