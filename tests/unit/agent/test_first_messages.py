"""What is sent with every request stays small: prompt, tools, schema and plan; and it says the same whatever the question."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from graphmem.answer.agent.answering import AnswerArguments
from graphmem.answer.agent.arguments import (
    Arguments,
    CypherArguments,
    GrepArguments,
    LookupArguments,
    NoArguments,
    SearchArguments,
    TurnArguments,
    example,
    read_arguments,
)
from graphmem.answer.agent.loop import ANSWER_SPEC, tokens_of_tools
from graphmem.answer.agent.observing import Mistake
from graphmem.answer.agent.plan import by_rules, plan_text, time_of
from graphmem.answer.agent.rows import tokens_of
from graphmem.answer.agent.schema_text import WORKED, Contents, schema_text
from graphmem.answer.agent.switches import TOOLS
from graphmem.answer.agent.toolbox import TABLE, specs
from graphmem.answer.agent.tools_cypher import SCHEMA_TOKENS
from graphmem.answer.plan import plan as rule_plan
from graphmem.prompts import load

NOW = datetime(2023, 12, 1, tzinfo=UTC)
FULL = Contents(
    properties=tuple((f"property_number_{number}", 1000 - number) for number in range(60)),
    types=tuple((f"TypeNumber{number}", 100) for number in range(35)),
    kinds=(("event", 9000), ("plan", 500), ("state", 400), ("denied", 30)),
    speakers=tuple((f"Speaker with a long name {number}", 500) for number in range(20)),
    turns=12345,
    first=NOW,
    last=NOW,
)


def test_prompt_tools_schema_and_plan_are_at_most_3000_tokens() -> None:
    question = (
        "How many concerts did Mara go to with her sister Signe in the two weeks before she moved to Oslo in May 2023?"
    )
    plan = by_rules(rule_plan(question, NOW), time_of(question, NOW), TOOLS)
    fixed = (
        tokens_of(load("answer.v1").text)
        + tokens_of_tools((*specs(TOOLS), ANSWER_SPEC))
        + tokens_of(schema_text(FULL, SCHEMA_TOKENS))
        + tokens_of(plan_text(plan, NOW))
    )
    assert fixed <= 3000, fixed


def test_the_schema_is_under_700_tokens_and_has_six_worked_queries_and_what_is_there() -> None:
    text = schema_text(FULL, SCHEMA_TOKENS)
    assert tokens_of(text) < 700
    assert len(WORKED) == 6
    assert all(query in text for query in WORKED.values())
    assert "property_number_0 1000" in text
    assert "TypeNumber0 100" in text
    assert "12345 turns" in text


def test_an_empty_memory_has_a_schema_too() -> None:
    assert "properties: none" in schema_text(Contents(), SCHEMA_TOKENS)


def test_no_tool_tells_an_embedding_or_a_namespace() -> None:
    sent = json.dumps([[spec.name, spec.description, dict(spec.parameters)] for spec in specs(TOOLS)])
    assert "embedding" not in sent
    assert "namespace" not in sent
    assert "title" not in sent
    assert set(TABLE) == set(TOOLS)


@pytest.mark.parametrize(
    "kind",
    [NoArguments, LookupArguments, CypherArguments, SearchArguments, TurnArguments, GrepArguments, AnswerArguments],
)
def test_the_example_of_a_tool_is_taken(kind: type[Arguments]) -> None:
    read_arguments("tool", example(kind), kind)


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ("{bad", "no JSON object"),
        ("[1]", "one JSON object"),
        ('{"q": "x"}', "it takes query"),
        ('{"querry": "x"}', "did you mean query?"),
        ("{}", "query: Field required"),
        ('{"query": ""}', "query"),
        ('{"query": "x", "limit": 500}', "limit"),
        ('{"query": "x", "limit": "many"}', "limit"),
    ],
)
def test_wrong_arguments_are_told_with_what_to_do(raw: str, told: str) -> None:
    with pytest.raises(Mistake) as caught:
        read_arguments("search", raw, SearchArguments)
    assert told in caught.value.message


def test_arguments_that_are_json_in_a_string_or_null_are_read() -> None:
    assert read_arguments("search", json.dumps('{"query": "x"}'), SearchArguments).query == "x"
    assert read_arguments("search", '{"query": "x", "since": null}', SearchArguments).since is None
    assert read_arguments("schema_viewer", "", NoArguments) == NoArguments()
