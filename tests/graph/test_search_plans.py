"""With 100,000 facts in the database no query that reads or searches scans a label or the database: asserted on each plan."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator

import pytest

from graphmem.graph.connection import Graph
from graphmem.graph.queries import load
from tests.graph.test_cypher_files import READERS, WHOLE_NAMESPACE, example, operators_of

FACTS, BATCH, SUBJECTS = 100_000, 10_000, 1_000
QUERIES = [name for name in READERS if name.split("/")[0] in ("read", "search") and name not in WHOLE_NAMESPACE]
FULL_SCANS = {
    "AllNodesScan", "NodeByLabelScan", "PartitionedAllNodesScan", "PartitionedNodeByLabelScan", "UnionNodeByLabelsScan",
    "IntersectionNodeByLabelsScan", "DynamicLabelNodeLookup", "DirectedAllRelationshipsScan", "UndirectedAllRelationshipsScan",
    "DirectedRelationshipTypeScan", "UndirectedRelationshipTypeScan",
}  # fmt: skip
FILL = """
UNWIND range($first, $last) AS n
MERGE (e:Entity {id: $ns + '-e' + (n % $subjects)}) ON CREATE SET e.namespace = $ns, e.name = 'e' + (n % $subjects), e.type = 'Person'
CREATE (e)-[:HAS_FACT]->(f:Fact {id: $ns + '-f' + n, namespace: $ns, property: 'p' + (n % 50), value: 'v' + n, created_at: datetime(),
  asserted_at: datetime({epochSeconds: 1600000000 + n}), valid_from: datetime({epochSeconds: 1600000000 + n})})
"""
EMPTY = """
UNWIND range($first, $last) AS n
MATCH (f:Fact {id: $ns + '-f' + n}) DETACH DELETE f
"""


@pytest.fixture(scope="module")
async def many(graph: Graph) -> AsyncIterator[None]:
    """A namespace of 100,000 facts about a thousand people; gone again afterwards, so that it slows no other test."""
    namespace = f"plans-many-{uuid.uuid4().hex[:8]}"
    async with graph._driver.session(database=graph.database) as session:
        for query in (FILL, EMPTY):
            for first in range(0, FACTS, BATCH):
                given = {"ns": namespace, "first": first, "last": first + BATCH - 1, "subjects": SUBJECTS}
                await (await session.run(query, given)).consume()
            if query is FILL:
                await (await session.run("CALL db.clearQueryCaches()")).consume()
                yield
        await (await session.run("MATCH (e:Entity {namespace: $ns}) DETACH DELETE e", {"ns": namespace})).consume()


@pytest.mark.parametrize("name", QUERIES)
async def test_no_plan_scans_a_label_or_the_database_at_100000_facts(graph: Graph, many: None, name: str) -> None:
    query = load(name)
    _, plan = await graph.explain(query.text, {p: example(p) for p in query.parameters})
    scans = [each for each in operators_of(plan) if each in FULL_SCANS]
    assert not scans, f"{name} plans {scans}"
