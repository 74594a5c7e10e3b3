"""What is sent for a query: the label on every node pattern, and of the caller's text nothing but names, numbers and symbols."""

from __future__ import annotations

import re

import pytest

from graphmem.errors import CypherRefused
from graphmem.graph.guard import confine

LABEL = "N_0123456789ab"
PARAMETERS = {"name": "Ana", "names": ["Ana"], "zero": 0}


def sent(text: str) -> str:
    """The text that is sent, with the white space of a person."""
    return " ".join(confine(text, PARAMETERS, LABEL, "").text.split())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MATCH () RETURN 1 AS x", "MATCH (:N ) RETURN 1 AS x"),
        ("MATCH (a) RETURN a", "MATCH (a:N ) RETURN a"),
        ("MATCH (a:Turn) RETURN a", "MATCH (a: N&(Turn)) RETURN a"),
        ("MATCH (:Turn|Fact) RETURN 1 AS x", "MATCH (: N&(Turn|Fact)) RETURN 1 AS x"),
        ("MATCH (a:!Turn) RETURN a", "MATCH (a: N&(!Turn)) RETURN a"),
        ("MATCH (a:%) RETURN a", "MATCH (a: N&(%)) RETURN a"),
        ("MATCH (a:Turn:Fact) RETURN a", "MATCH (a: N&(Turn&Fact)) RETURN a"),
        ("MATCH (a IS Turn) RETURN a", "MATCH (a IS N&( Turn)) RETURN a"),
        ("MATCH (a {position: 1}) RETURN a", "MATCH (a :N {position: $graphmem_s0 }) RETURN a"),
        ("MATCH (a WHERE a.x = 1) RETURN a", "MATCH (a :N WHERE a.x = 1) RETURN a"),
        ("MATCH (a)-->(b)<--(c) RETURN a", "MATCH (a:N )-->(b:N )<--(c:N ) RETURN a"),
        ("MATCH (a)-[:NEXT]->{1,3}(b) RETURN a", "MATCH (a:N )-[:NEXT]->{1,3}(b:N ) RETURN a"),
        ("MATCH ((a)--(b)){1,2} RETURN a", "MATCH (:N)((a:N )--(b:N )){1,2}(:N) RETURN a"),
        ("MATCH (x)((a)--(b)){0,2} RETURN a", "MATCH (x:N )((a:N )--(b:N )){0,2}(:N) RETURN a"),
        ("MATCH p = shortestPath((a)-[*..3]-(b)) RETURN p", "MATCH p = shortestPath((a:N )-[*..3]-(b:N )) RETURN p"),
        ("MATCH (a) WHERE (a)--() RETURN a", "MATCH (a:N ) WHERE (a:N )--(:N ) RETURN a"),
        ("MATCH (a) WHERE NOT ((a)--()) RETURN a", "MATCH (a:N ) WHERE NOT ((a:N )--(:N )) RETURN a"),
        ("RETURN COUNT { (a) } AS n", "RETURN COUNT { (a:N ) } AS n"),
        ("RETURN EXISTS { MATCH (a) RETURN a } AS n", "RETURN EXISTS { MATCH (a:N ) RETURN a } AS n"),
        ("RETURN [(a)--(b) | b.id] AS n", "RETURN [(a:N )--(b:N ) | b.id] AS n"),
        ("CALL () { MATCH (a) RETURN a } RETURN a", "CALL () { MATCH (a:N ) RETURN a } RETURN a"),
        ("MATCH (a) RETURN a UNION MATCH (a) RETURN a", "MATCH (a:N ) RETURN a UNION MATCH (a:N ) RETURN a"),
        ("MATCH (a) WHERE a:Turn OR (a:Fact) RETURN a", "MATCH (a:N ) WHERE a:Turn OR (a:Fact) RETURN a"),
    ],
)
def test_the_label_is_on_every_node_pattern(text: str, expected: str) -> None:
    assert sent(text) == re.sub(r"\bN\b", LABEL, expected)


def test_strings_become_parameters_and_comments_are_gone() -> None:
    query = confine("MATCH (a) /* (b) */ WHERE a.name = 'it\\'s \\u0027 (x)' // y\n RETURN a", {}, LABEL, "")
    assert query.literals == {"graphmem_s0": "it's ' (x)"}
    assert "*" not in query.text
    assert "'" not in query.text
    assert "//" not in query.text


def test_two_escapes_make_one_character_outside_the_basic_plane() -> None:
    assert confine("RETURN '\\ud83d\\ude00' AS x", {}, LABEL).literals == {"graphmem_s0": "\U0001f600"}


def test_a_condition_that_may_fail_is_put_behind_the_label_of_every_path() -> None:
    text = sent("MATCH (a:Entity), (b)-->(:Fact) WHERE a.name = 'x' AND 1 / $zero = 1 RETURN a")
    assert f"CASE WHEN (a:{LABEL} AND b:{LABEL}) THEN (1 / $zero = 1) END" in text
    assert "AND CASE" in text


def test_a_condition_after_an_optional_match_is_tried_where_nothing_was_found() -> None:
    text = sent("OPTIONAL MATCH (a) WITH a WHERE a IS NULL OR toUpper(a.name) = 'X' RETURN a")
    assert f"CASE WHEN ((a IS NULL OR a:{LABEL})) THEN (a IS NULL OR toUpper(a.name) = $graphmem_s0 ) END" in text


@pytest.mark.parametrize(
    "condition",
    [
        "a.name = 'x'",
        "a.name STARTS WITH $name AND NOT a.x > 3",
        "a.said_at >= datetime('2023-05-01') - duration('P10D')",
        "a.said_at < datetime({year: 2023, month: 5})",
        "a.name IN ['x', $name]",
        "a.name IN $names",
        "a:Turn OR a.x IS NULL",
        "coalesce(a.x, a.y) <= 3",
        "EXISTS { (a)--() }",
        "(a)--()",
        "COUNT { (a)--() } > 3",
        "toLower($name) = a.name",
    ],
)
def test_conditions_that_cannot_fail_stay_as_they_are(condition: str) -> None:
    assert "CASE" not in sent(f"MATCH (a) WHERE {condition} RETURN a")


@pytest.mark.parametrize(
    "condition",
    [
        "1 / a.x = 1",
        "a.x + 1 = 2",
        "toLower(a.name) = 'x'",
        "a.said_at >= datetime('2023-02-30')",
        "a.said_at >= datetime('yesterday')",
        "a.said_at >= date('2023-05-01T10:00')",
        "a.said_at >= datetime({year: 2023, day: 5})",
        "a.said_at >= datetime($name)",
        "a.name IN $name",
        "a.name =~ 'x.*'",
        "a.x",
        "NOT a.x",
        "a.x[0] = 1",
        "size(a.name) > 3",
        "CASE WHEN a.x = 1 THEN true END",
        "1 / 0 = 1",
    ],
)
def test_conditions_that_may_fail_do_not(condition: str) -> None:
    assert f"CASE WHEN (a:{LABEL}) THEN ({condition.split('=')[0].strip()[:3]}" in sent(
        f"MATCH (a) WHERE {condition} RETURN a"
    )


def test_a_list_that_is_gone_through_is_checked_by_the_running_query() -> None:
    assert "size(graphmem_list) > 2000" in sent("MATCH (a) WITH collect(a) AS xs RETURN [x IN xs | x.name] AS n")


def test_a_list_that_is_given_back_is_cut_and_a_column_keeps_its_name() -> None:
    query = confine("MATCH (a) RETURN collect(a.name)", {}, LABEL, "")
    assert "(collect(a.name))[..5001] AS `collect(a.name)`" in query.text
    assert query.columns == {"collect(a.name)": "collect(a.name)"}


def test_a_column_with_a_name_that_backticks_may_not_hold_gets_it_back() -> None:
    query = confine("RETURN 1 + 2, 'a`b'", {}, LABEL, "")
    assert list(query.columns.values()) == ["1 + 2", "'a`b'"]


def test_a_label_that_is_none_of_a_namespace_is_a_bug() -> None:
    with pytest.raises(ValueError):
        confine("MATCH (a) RETURN a", {}, "Entity")


@pytest.mark.parametrize("value", [2**63, "\ud800", {1: 2}, object(), [object()], {"a": {"b": object()}}])
def test_parameters_that_the_database_has_no_type_for_are_refused(value: object) -> None:
    with pytest.raises(CypherRefused, match="no type for"):
        confine("RETURN 1 AS x", {"value": value}, LABEL)


def test_reading_a_parenthesis_in_two_ways_does_not_take_exponential_time() -> None:
    """Each level may be a pattern with properties or a map projection: 2^12 readings if every level were read twice, each time."""
    with pytest.raises(CypherRefused):
        confine("RETURN " + "(a {k: " * 15 + "1" + "})" * 14, {}, LABEL)


def test_places_in_the_text_sent_are_told_as_places_in_the_caller_s() -> None:
    query = confine("MATCH (a:Turn)\nRETURN 'x' + nobody AS y", {}, LABEL)
    offset = query.text.index("nobody")
    message = f"Variable not defined (line 9, column 9 (offset: {offset}))"
    assert query.in_source(message) == "Variable not defined (line 2, column 14)"
