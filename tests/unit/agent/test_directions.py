"""Arrows that run against the schema are turned; a query that is right, and all that only looks like an arrow, stays as it is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graphmem.answer.agent.directions import mend
from graphmem.answer.agent.schema_text import WORKED
from graphmem.graph.guard.clauses import parse
from graphmem.graph.guard.syntax import Group, Node, Path, Relationship, walk
from graphmem.graph.queries import load_all
from tests.graph.test_guard_honest import EXPLORING, HONEST, WITH_ROWS

SOUND = [
    *HONEST,
    *(query for query, _ in WITH_ROWS),
    *(query for query in WORKED.values() if not query.startswith("…")),
    *(load_all()[name].text for name in EXPLORING),
]


def reversed_arrows(query: str) -> Iterator[str]:
    """The query with one of its arrows turned, once for each arrow of fixed length."""
    tree, parser = parse(query)
    for path in (each for each in walk(tree) if isinstance(each, Path | Group)):
        for left, edge, right in zip(path.elements, path.elements[1:], path.elements[2:], strict=False):
            if not (isinstance(left, Node) and isinstance(edge, Relationship) and isinstance(right, Node)):
                continue
            first, last = parser.tokens[edge.at], parser.tokens[right.at - 1]
            if first.text == "<" and last.text == "-":
                yield f"{query[: first.start]}{query[first.end : last.start]}->{query[last.end :]}"
            elif first.text == "-" and last.text == ">":
                yield f"{query[: first.start]}<-{query[first.end : last.start]}{query[last.end :]}"


@pytest.mark.parametrize(
    ("written", "turned"),
    [
        (
            "MATCH (f:Fact)-[:HAS_FACT]->(e:Entity) RETURN f.value",
            "MATCH (f:Fact)<-[:HAS_FACT]-(e:Entity) RETURN f.value",
        ),
        ("MATCH (e:Entity)<-[r:HAS_FACT]-(f) RETURN f.value", "MATCH (e:Entity)-[r:HAS_FACT]->(f) RETURN f.value"),
        ("MATCH (e:Entity)-[:INVOLVES|AT]->(v) RETURN v.id", "MATCH (e:Entity)<-[:INVOLVES|AT]-(v) RETURN v.id"),
        ("MATCH (t:Turn)-->(q:Evidence) RETURN q.quote", "MATCH (t:Turn)<--(q:Evidence) RETURN q.quote"),
        (
            "MATCH (t:Turn)-[:HAS_TURN]->(:Session), (t)-[:QUOTES]->(q) RETURN q.quote",
            "MATCH (t:Turn)<-[:HAS_TURN]-(:Session), (t)<-[:QUOTES]-(q) RETURN q.quote",
        ),
        (
            "MATCH (f:Fact) WITH f AS e WHERE EXISTS { (e)-[:HAS_FACT]->(x) } RETURN e.id",
            "MATCH (f:Fact) WITH f AS e WHERE EXISTS { (e)<-[:HAS_FACT]-(x) } RETURN e.id",
        ),
        (
            "MATCH ((f:Fact)-[:HAS_FACT]->(e:Entity)){1,2} RETURN count(*)",
            "MATCH ((f:Fact)<-[:HAS_FACT]-(e:Entity)){1,2} RETURN count(*)",
        ),
        (
            "MATCH (f:Fact /* )-[ */)-[:HAS_FACT]->(e:Entity WHERE e.name = 'Ana (Oslo)') RETURN f.value",
            "MATCH (f:Fact /* )-[ */)<-[:HAS_FACT]-(e:Entity WHERE e.name = 'Ana (Oslo)') RETURN f.value",
        ),
    ],
)
def test_an_arrow_against_the_schema_is_turned_and_the_notice_says_which(written: str, turned: str) -> None:
    mended = mend(written)
    assert mended.text == turned
    assert mended.notices[0].startswith("An arrow was turned (line 1, column ")
    assert mend(turned).text == turned


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (t:Turn) WHERE t.text CONTAINS '(f:Fact)-[:HAS_FACT]->(e:Entity)' RETURN t.id",
        "MATCH (e:Entity)-[:HAS_FACT]->(f:Fact) // not (f:Fact)-[:HAS_FACT]->(e:Entity)\nRETURN f.id",
        "MATCH (e:Entity)-[:HAS_FACT]->(f:Fact) /* (f:Fact)-[:HAS_FACT]->(e:Entity) */ RETURN f.id",
        "MATCH (f:Fact)-[:HAS_FACT]-(e:Entity) RETURN f.id",
        "MATCH (f:Fact)<-[:HAS_FACT]->(e:Entity) RETURN f.id",
        "MATCH (f:Fact)-[:HAS_FACT*1..2]->(e:Entity) RETURN f.id",
        "MATCH (a)-[:HAS_FACT]->(b) RETURN a",
        "MATCH (a:!Fact)-[:HAS_FACT]->(b) RETURN a",
        "MATCH (x:Entity|Fact)<-[:HAS_FACT]-(b) RETURN x",
        "MATCH (f:Fact)-[:HAS_FACT]->(t:Turn) RETURN f.id",
        "MATCH (a:Fact)-[:REPLACES]->(b:Fact)<-[:CORRECTS]-(c:Fact) RETURN a.id",
        "MATCH (f:Fact) RETURN f UNION MATCH (f)-[:HAS_FACT]->(x) RETURN f",
        "MATCH (f:Fact), (e:Entity) RETURN [f IN collect(e) WHERE (f)-[:HAS_FACT]->() | f.name] AS names",
        "MATCH (f:Fact) WITH count(f) AS n MATCH (f)-[:HAS_FACT]->(x) RETURN n, f.id",
        "MATCH (f:Fact), (e:Entity) WITH e AS f MATCH (f)-[:HAS_FACT]->(x) RETURN x.id",
        "MATCH (f:Fact) CALL () { MATCH (f)-[:HAS_FACT]->(x) RETURN x } RETURN x.id",
        "MATCH (f:Fact)-[:HAS_FACT]->(e:Entity RETURN f",
    ],
)
def test_strings_comments_and_what_fits_or_may_fit_are_not_touched(query: str) -> None:
    mended = mend(query)
    assert (mended.text, mended.notices) == (query, ())


def test_no_sound_query_is_touched() -> None:
    assert [query for query in SOUND if mend(query).text != query] == []


def test_of_the_sound_queries_with_an_arrow_reversed_nearly_all_are_sound_again_and_none_is_another() -> None:
    """Those left have nothing that says which way: no label at either end, or a type that joins its own kind."""
    left = 0
    count = 0
    for query in SOUND:
        for wrong in reversed_arrows(query):
            count += 1
            mended = mend(wrong).text
            assert mended in (query, wrong)
            left += mended == wrong
    assert count >= 100
    assert left <= count // 10
