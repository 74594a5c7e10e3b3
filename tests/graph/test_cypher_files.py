"""Every query file: its header agrees with its text, the real server accepts it, and it writes only where it may."""

from __future__ import annotations

import re
import uuid
from datetime import UTC, datetime, timedelta

import pytest

from graphmem.errors import QueryFileError
from graphmem.graph.batch import NODE_LABELS, Batch
from graphmem.graph.connection import Graph
from graphmem.graph.queries import for_server, load, load_all, parameters_used, parse
from graphmem.graph.write import append, read_head
from graphmem.ids import digest

EXPLAINABLE = sorted(name for name in load_all() if not name.startswith("schema/"))
READERS = sorted(name for name in EXPLAINABLE if name.split("/")[0] in ("read", "resolve", "search", "tiers"))
WHOLE_NAMESPACE = {"read/ledger_nodes", "read/ledger_edges", "read/ledger_quotations", "read/ledger_unsupported"}
"""They verify everything, so they read everything of one namespace, through its label."""

EXAMPLES = {
    "seconds": 1, "limit": 5, "turns": 5, "fetch": 10, "vector": [0.1] * 384, "vectors": [[0.1] * 384], "told": [], "rows": [],
    "pairs": [], "ids": [], "names": [], "session_ids": [],
    "scope": "N_000000000000", "row": {"id": "x", "namespace": "x"}, "places": [], "subjects": [], "sources": [],
    "properties": [], "verbs": [], "words": [], "placed": {},
}  # fmt: skip


FILLED = 300
"""Nodes of each label that the plans are made for: on an empty database the planner reads labels, for there is nothing to read."""


@pytest.fixture(scope="module", autouse=True)
async def filled(graph: Graph) -> None:
    """A database with enough in it that it matters how a query looks things up."""
    namespace = f"plans-{uuid.uuid4().hex[:8]}"
    batch = Batch(namespace)
    for number in range(FILLED):
        moment = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(hours=number)
        times = dict.fromkeys(
            ("said_at", "asserted_at", "started_at", "starts_at", "ends_at", "valid_from", "valid_to"), moment
        )
        words = {
            name: f"{name} {number}"
            for name in ("name", "normalised", "property", "type", "mention", "tier", "source_id", "life_stage")
        }
        for label in NODE_LABELS:
            batch.node(
                label,
                digest(label, namespace, number),
                session_id=f"s{number // 20}",
                position=number % 20,
                **times,
                **words,
            )
        batch.edge("Entity", digest("Entity", namespace, number), "HAS_FACT", "Fact", digest("Fact", namespace, number))
        batch.edge(
            "Fact", digest("Fact", namespace, number), "OF", "Property", digest("Property", namespace, number % 50)
        )
        for label in ("Extraction", "Fact"):
            before = digest(label, namespace, max(number - 1, 0))
            batch.edge(label, digest(label, namespace, number), "REPLACES", label, before)
        batch.edge(
            "Event",
            digest("Event", namespace, number),
            "INVOLVES",
            "Entity",
            digest("Entity", namespace, number),
            "Agent",
            role="Agent",
        )
    await append(graph, batch, await read_head(graph, namespace))


def example(parameter: str) -> object:
    """Some value of the right kind for EXPLAIN, which looks at kinds only where a procedure or index asks for one."""
    return EXAMPLES.get(parameter, "x")


@pytest.mark.parametrize("name", EXPLAINABLE)
async def test_server_accepts_the_query(graph: Graph, name: str) -> None:
    query = load(name)
    writes = name.split("/")[0] in ("write", "derived")
    kind, plan = await graph.explain(query.text, {p: example(p) for p in query.parameters}, writes=writes)
    assert plan, f"{name} has no plan"
    if name in READERS or name.startswith("explore/"):
        assert kind == "r", f"{name} writes"


@pytest.mark.parametrize("name", [name for name in EXPLAINABLE if "(VECTOR INDEX" not in load(name).text])
async def test_a_server_of_the_5_line_would_parse_the_query(graph: Graph, name: str) -> None:
    """By this server's parser for Cypher 5; the queries with the SEARCH clause have a file of their own for such servers."""
    query = load(name)
    writes = name.split("/")[0] in ("write", "derived")
    text = "CYPHER 5 " + for_server(query.text, (5, 26))
    _, plan = await graph.explain(text, {p: example(p) for p in query.parameters}, writes=writes)
    assert plan


@pytest.mark.parametrize("name", READERS)
async def test_no_query_reads_all_nodes_of_a_label_or_of_the_database(graph: Graph, name: str) -> None:
    query = load(name)
    _, plan = await graph.explain(query.text, {p: example(p) for p in query.parameters})
    operators = set(operators_of(plan))
    forbidden = {"AllNodesScan", "DirectedAllRelationshipsScan", "UndirectedAllRelationshipsScan"}
    if name not in WHOLE_NAMESPACE:
        forbidden |= {
            "NodeByLabelScan",
            "DynamicLabelNodeLookup",
            "DirectedRelationshipTypeScan",
            "UndirectedRelationshipTypeScan",
        }
    assert not operators & forbidden, f"{name} plans {sorted(operators & forbidden)}"


def operators_of(plan: dict) -> list[str]:
    """The operators of a plan without the '@database' that the server adds."""
    own = str(plan["operatorType"]).split("@")[0]
    return [own, *(operator for child in plan.get("children", []) for operator in operators_of(child))]


@pytest.mark.parametrize("name", EXPLAINABLE)
def test_nothing_is_changed_or_removed_outside_derived_data(name: str) -> None:
    """SET stands only behind ON CREATE; REMOVE and DELETE only where derived data is rebuilt."""
    code = re.sub(r"//[^\n]*", " ", load(name).text)
    code = re.sub(r"ON\s+CREATE\s+SET", "ON_CREATE", code)
    words = set(re.findall(r"[A-Za-z_]+", re.sub(r"'[^']*'", "''", code).upper()))
    allowed = {"DELETE", "SET", "REMOVE", "DROP"} if name.startswith("derived/") else set()
    found = words & {"SET", "REMOVE", "DELETE", "DETACH", "DROP", "FOREACH"}
    assert found <= allowed, f"{name} holds {sorted(found)}"


def test_a_header_that_declares_too_little_is_refused() -> None:
    with pytest.raises(QueryFileError, match=r"read/x\.cypher uses undeclared \$b"):
        parse("read/x", "// What.\n// Parameters: $a\nMATCH (n {id: $a, name: $b}) RETURN n")


def test_a_header_that_declares_too_much_is_refused() -> None:
    with pytest.raises(QueryFileError, match=r"declares unused \$c"):
        parse("read/x", "// What.\n// Parameters: $a, $c\nMATCH (n {id: $a}) RETURN n")


def test_a_file_without_header_is_refused() -> None:
    with pytest.raises(QueryFileError, match="header"):
        parse("read/x", "MATCH (n) RETURN n")


def test_parameters_in_strings_and_comments_are_not_parameters() -> None:
    text = "MATCH (n:$($scope)) WHERE n.a = '$no' /* $neither */ AND n.`$nor` = $yes // $never\nRETURN n"
    assert parameters_used(text) == {"scope", "yes"}
