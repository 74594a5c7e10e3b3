"""Verification notices whatever is not as it was written. The tampering here goes past graphmem, straight to the database."""

from __future__ import annotations

import json
from pathlib import Path

import neo4j
import pytest

from graphmem.extract.with_rules import RuleExtractor
from graphmem.graph.connection import Graph
from graphmem.graph.verify import verify
from graphmem.ids import namespace_label
from graphmem.ingest import Ingestion
from graphmem.providers.local_embedder import LocalEmbedder
from graphmem.settings import Settings
from graphmem.transcripts import read
from tests.conftest import TestServer

TAMPERINGS = {
    "a turn's words are changed": ("MATCH (t:Turn:{scope}) WITH t LIMIT 1 SET t.text = 'or ' + t.text", "not as it was written"),
    "a fact's value is changed": ("MATCH (f:Fact:{scope}) WITH f LIMIT 1 SET f.value = 'something else'", "not as it was written"),
    "an event is removed": ("MATCH (e:Event:{scope}) WITH e LIMIT 1 DETACH DELETE e", "not as it was written"),
    "a relationship is removed": ("MATCH (:Event:{scope})-[r:INVOLVES]->() WITH r LIMIT 1 DELETE r", "not as it was written"),
    "a relationship is put in": ("MATCH (e:Event:{scope}) WITH e LIMIT 1 MERGE (e)-[:AT]->(e)", "not written by any commit"),
    "a quotation loses its turn": ("MATCH (:Evidence:{scope})-[r:QUOTES]->() WITH r LIMIT 1 DELETE r", "stands in no turn"),
    "a commit is taken out": ("MATCH (c:Commit:{scope} {sequence: 2}) DETACH DELETE c", "commit 2 is missing"),
}  # fmt: skip


TURNS = [
    ("Ana", "I moved to Porto last week, and my sister Clara lives in Leeds."),
    ("Tom", "I adopted a dog yesterday. His name is Rex."),
]


@pytest.fixture
async def ingested(graph: Graph, embedder: LocalEmbedder, namespace: str, tmp_path: Path) -> str:
    """A namespace with a few turns in two sessions, so three commits or more."""
    lines = [
        {"session": f"s{n}", "id": f"{n}", "speaker": who, "said_at": f"2024-05-0{n}T10:00:00+02:00", "text": text}
        for n, (who, text) in enumerate(TURNS, 1)
    ]
    path = tmp_path / "story.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    report = await Ingestion(graph, embedder, RuleExtractor(), Settings()).run(read(path, namespace).sessions)
    assert report.added("Event") >= 2
    return namespace


async def test_what_was_ingested_is_as_it_was_written(graph: Graph, ingested: str) -> None:
    found = await verify(graph, ingested)
    assert found.ok, found.problems
    assert found.quotations >= 2
    assert found.commits == 3


@pytest.mark.parametrize("what", TAMPERINGS)
async def test_tampering_is_noticed(graph: Graph, ingested: str, neo4j_server: TestServer, what: str) -> None:
    statement, expected = TAMPERINGS[what]
    with neo4j.GraphDatabase.driver(neo4j_server.uri, auth=(neo4j_server.user, neo4j_server.password)) as driver:
        counters = driver.execute_query(statement.replace("{scope}", namespace_label(ingested))).summary.counters
    assert counters.contains_updates, "nothing was changed, so nothing would be shown"
    found = await verify(graph, ingested)
    assert any(expected in problem.what for problem in found.problems), found.problems
