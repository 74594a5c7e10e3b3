"""What the model is told about a query that cannot find anything: properties and directions that the graph does not have."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from graphmem.answer.agent.cypher_hints import PROPERTIES, hints, hints_on, named
from graphmem.answer.agent.cypher_times import TIMES
from graphmem.answer.agent.directions import EDGES
from graphmem.answer.agent.schema_text import WORKED
from graphmem.graph import rows_named, rows_said, rows_stated
from graphmem.graph.queries import load_all

WRITTEN = re.compile(r"MERGE \((\w+)\)-\[r:(\w+)")
IN_QUERY = re.compile(r"\b(?:[rc]\.)?(\w+)(?:: | = )\$?(?:row\.|now\b)")
WHO_READ = ("prompt", "model", "resolve_prompt", "resolve_model")
"""What an Extraction says of the prompts and models that took part (``rows_stated.add_extraction``)."""


def test_the_edges_are_those_that_are_written() -> None:
    written = {name.removeprefix("write/edge_") for name in load_all() if name.startswith("write/edge_")}
    known = {f"{start}_{kind}_{end}".lower() for start, kind, end in EDGES}
    assert written | {"turn_next_turn"} == known, "NEXT is derived"


def test_the_properties_are_those_that_are_written() -> None:
    """The modules ``graph/rows_*`` say which properties nodes get, the queries of ``cypher/write`` which edges and commits."""
    written = set(WHO_READ)
    sources = [Path(str(each.__file__)).read_text(encoding="utf-8") for each in (rows_said, rows_named, rows_stated)]
    for tree in ast.walk(ast.parse("\n".join(sources))):
        if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Attribute) and tree.func.attr == "node":
            written |= {keyword.arg for keyword in tree.keywords if keyword.arg is not None}
        elif isinstance(tree, ast.Dict):
            written |= {key.value for key in tree.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)}
    for name, query in load_all().items():
        if name.startswith("write/"):
            written |= set(IN_QUERY.findall(query.text))
    assert written == PROPERTIES


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("MATCH (f:Fact) WHERE f.valid_since < datetime() RETURN f.value", "valid_since"),
        ("MATCH (f:Fact {propertyy: 'x'}) RETURN f.value", "propertyy"),
        ("MATCH (v:Event) RETURN v{.sumary}", "summary"),
        ("MATCH (f:Fact)-[:HAS_FACT]->(e:Entity) RETURN e.name", "(:Entity)-[:HAS_FACT]->(:Fact)"),
        ("MATCH (e:Entity)<-[:HAS_FACT]-(f:Fact) RETURN e.name", "(:Entity)-[:HAS_FACT]->(:Fact)"),
        ("MATCH (e:Entity) MATCH (v:Event) MATCH (e)-[:INVOLVES]->(v) RETURN v.id", "(:Event)-[:INVOLVES]->(:Entity)"),
        (
            "MATCH (f:Fact) WHERE EXISTS { (t:Turn)-[:QUOTES]->(:Evidence) } RETURN f.id",
            "(:Evidence)-[:QUOTES]->(:Turn)",
        ),
        ("MATCH (e:Entity)-[:VALUE]-(t:Turn) RETURN t.text", "(:Fact)-[:VALUE]->(:Entity)"),
        ("MATCH (a:Alias)-->(t:Turn) RETURN t.text", "Alias has NAMES; Turn has HAS_TURN, NEXT"),
        ("MATCH (n) WHERE 'Entty' IN labels(n) RETURN n", "no label Entty; the nearest: Entity"),
        (
            "MATCH (n)-[r]->(m) WHERE type(r) = 'HAS_FACTS' RETURN m",
            "no relationship type HAS_FACTS; the nearest: HAS_FACT",
        ),
    ],
)
def test_what_the_graph_does_not_have_is_named_with_what_it_has(query: str, told: str) -> None:
    assert any(told in each for each in hints(query)), hints(query)


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (f:Fact) WHERE f.valid_from.year = 2023 RETURN f.valid_from.month, duration.between(f.valid_from, f.valid_to).days",
        "MATCH (f:Fact) WITH {since: f.valid_from} AS row RETURN row.since",
        "MATCH (a:Event)-[:SAME_AS]-(b:Event) RETURN a.summary",
        "MATCH (e)-[:HAS_FACT]->(f) RETURN f.value",
        "MATCH (x:Fact|Event)-[:SUPPORTED_BY]->(q:Evidence) RETURN q.quote",
        "MATCH (s:Session)-[:HAS_TURN]->(t:Turn) RETURN t.text",
        *(query for query in WORKED.values() if not query.startswith("…")),
    ],
)
def test_of_a_sound_query_nothing_is_said(query: str) -> None:
    assert hints(query) == ()


@pytest.mark.parametrize(
    ("condition", "fix"),
    [
        ("v.starts_at > '2023-05-01'", "v.starts_at > datetime('2023-05-01')"),
        ("'2023-05-01 10:30' <= v.starts_at", "v.starts_at >= datetime('2023-05-01T10:30')"),
        ("'2023-05' < v.starts_at < '2023-06'", "v.starts_at < datetime('2023-06')"),
        ("v.starts_at > 'last May'", "v.starts_at > datetime('YYYY-MM-DD')"),
        ("v.starts_at = '2023-05-12'", "date(v.starts_at) = date('2023-05-12')"),
        ("v.starts_at = '2023-05'", "toString(v.starts_at) STARTS WITH '2023-05'"),
        ("v.starts_at STARTS WITH '2023-05'", "toString(v.starts_at) STARTS WITH '2023-05'"),
        ("v.starts_at IN ['2023-05-12', '2023-05-13']", "toString(date(v.starts_at)) IN ['2023-05-12', '2023-05-13']"),
        ("v.starts_at >= date('2023-05-01')", "date(v.starts_at) >= date('2023-05-01')"),
        ("date(v.starts_at) >= '2023-05-01'", "date(v.starts_at) >= date('2023-05-01')"),
    ],
)
def test_a_time_that_is_compared_with_no_time_is_told_with_the_comparison_that_was_meant(
    condition: str, fix: str
) -> None:
    [told] = hints(f"MATCH (v:Event) WHERE {condition} RETURN v.summary")[-1:]
    assert told.endswith(f"; write {fix}."), told
    assert hints(f"MATCH (v:Event) WHERE {fix} RETURN v.summary") == ()


def test_a_time_keeps_its_kind_under_another_name_and_in_a_pattern() -> None:
    assert (
        "write day > datetime('2023')"
        in hints("MATCH (v:Event) WITH v.starts_at AS day WHERE day > '2023' RETURN day")[0]
    )
    assert "date(t.said_at) = date('2023-05-01')" in hints("MATCH (t:Turn {said_at: '2023-05-01'}) RETURN t.text")[0]


def test_the_times_are_the_properties_that_are_stored_as_times() -> None:
    ending = {name for name in PROPERTIES if name.endswith("_at")} | {"valid_from", "valid_to", "moment"}
    assert ending == TIMES


def test_of_a_query_that_cannot_be_read_the_guard_speaks() -> None:
    assert hints("MATCH (e:Entity RETURN e") == ()


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], True),
        ([(0,)], True),
        ([([],), (None,)], True),
        ([("Otto", None), ("Ida", None)], True),
        ([("Otto", None), ("Ida", "x")], False),
        ([(False,)], False),
    ],
)
def test_hints_are_given_on_rows_that_tell_nothing_or_have_a_column_of_nothing(
    rows: list[tuple[object, ...]], said: bool
) -> None:
    assert bool(hints_on("MATCH (e:Entity) RETURN e.nickname", rows)) == said


def test_the_names_that_a_query_looks_for_are_found() -> None:
    found = named("MATCH (e:Entity {name: 'ana'})-[:HAS_FACT]->(f) WHERE f.property = \"home\" RETURN f.value")
    assert (found.names, found.properties) == (("ana",), ("home",))
