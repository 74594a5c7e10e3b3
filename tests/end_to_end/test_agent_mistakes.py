"""What a model does wrong comes back to it with what to do next, and costs no more than the limits; what is ours is raised."""

from __future__ import annotations

import json
import re

import pytest

from graphmem.answer.agent import AgentSettings, Told, cypher_counts
from graphmem.answer.agent.cypher_hints import PROPERTIES
from graphmem.errors import ProviderError, QuestionError, StoreError
from graphmem.graph.connection import Graph
from graphmem.graph.guard import run_guarded
from tests.conftest import TestServer
from tests.end_to_end.agent_fixture import world
from tests.end_to_end.agent_world import World, answers, conversation, plan, refuses, trace_of
from tests.service import Received, Reply, calls_tools, error, says

__all__ = ["world"]

QUESTION = "What is the name of Mara's dog?"
QUOTE = "I adopted a dog called Biscuit on 29 July 2023"
RULES = AgentSettings(plan="rules")


async def test_wrong_names_arguments_and_queries_are_observations_that_lead_on(world: World) -> None:
    answer = await world.ask(
        QUESTION,
        calls_tools(
            ("lookup_entity", {"name": "Mara"}),
            ("entity_lookup", "{bad json"),
            ("cypher", {"query": "MATCH (e:Entity RETURN e.name"}),
            ("cypher", {"query": "CREATE (n:Person) RETURN n"}),
            ("cypher", {"query": "MATCH (f:Fact {property: 'has_pets'})-[:HAS_FACT]->(:Entity {name: 'mara'}) RETURN f.valu"}),
        ),
        calls_tools(
            ("cypher", {"query": "MATCH (:Entity {name: 'Mara'})-[:HAS_FACT]->(f:Fact {property: 'has_pet'}) RETURN f.value, f.id"})
        ),
        answers("Biscuit", QUOTE),
        agent=RULES,
    )  # fmt: skip
    trace = trace_of(answer)
    told = [entry.text for entry in trace.observed]
    assert "Did you mean entity_lookup?" in told[0]
    assert "no JSON object" in told[1]
    assert re.search(r"line 1, column \d+", told[2])
    assert "CREATE writes" in told[3]
    for part in ("valu;", "(:Entity)-[:HAS_FACT]->(:Fact)", "the nearest: has_pet", 'a name of "Mara"'):
        assert part in told[4]
    assert [entry.outcome for entry in trace.observed] == ["mistake", "mistake", "refused", "refused", "empty", "rows"]
    assert answer.details["short"] == "Biscuit"
    counts = cypher_counts(trace)
    assert (counts.calls, counts.succeeded, counts.recovered, dict(counts.ways)) == (4, 1, 3, {"another query": 3})


async def test_an_arrow_against_the_schema_is_turned_so_that_rows_come_and_the_model_is_told(world: World) -> None:
    reversed_arrow = "MATCH (f:Fact {property: 'has_pet'})-[:HAS_FACT]->(:Entity {name: 'Mara'}) RETURN f.value, f.id"
    sound = "MATCH (:Entity {name: 'Mara'})-[:HAS_FACT]->(f:Fact {property: 'has_pet'}) RETURN f.value, f.id"
    answer = await world.ask(
        QUESTION,
        calls_tools(("cypher", {"query": reversed_arrow}), ("cypher", {"query": sound})),
        answers("Biscuit", QUOTE),
        agent=RULES,
    )
    turned, straight = trace_of(answer).observed
    assert (turned.outcome, straight.outcome) == ("rows", "rows")
    assert turned.text == f"{straight.text}\n{turned.hint}"
    assert (answer.details["cypher"].succeeded, answer.details["cypher"].turned) == (2, 1)
    assert turned.hint == "An arrow was turned (line 1, column 37): it is (:Entity)-[:HAS_FACT]->(:Fact)."
    assert straight.hint is None
    assert answer.found


async def test_a_time_compared_with_a_text_or_a_date_gives_no_rows_and_a_hint_that_gives_them(world: World) -> None:
    conditions = (
        "v.starts_at > '2023-05-01'",
        "v.starts_at = '2023-05-12'",
        "v.starts_at = '2023-05'",
        "v.starts_at STARTS WITH '2023-05'",
        "v.starts_at IN ['2023-05-12']",
        "v.starts_at >= date('2023-05-01')",
        "date(v.starts_at) >= '2023-05-01'",
    )
    queries = [f"MATCH (v:Event) WHERE {each} RETURN v.id, v.summary" for each in conditions]
    answer = await world.ask(
        QUESTION, calls_tools(*(("cypher", {"query": each}) for each in queries)), answers("x", QUOTE), agent=RULES
    )
    for query, entry in zip(queries, trace_of(answer).observed, strict=True):
        assert entry.outcome == "empty"
        fix = entry.text.rpartition("; write ")[2].removesuffix(".")
        condition = query.partition("WHERE ")[2].partition(" RETURN")[0]
        found = await run_guarded(world.graph, query.replace(condition, fix), {}, world.namespace)
        assert any("concert" in row[1] for row in found.rows), fix


async def test_no_embedding_reaches_the_model_and_a_long_text_says_how_to_read_on(world: World) -> None:
    queries = (
        "MATCH (t:Turn) RETURN t, t.text",
        "MATCH (t:Turn) RETURN t {.*}",
        "MATCH (v:Event) RETURN collect(v)",
        "MATCH (t:Turn) RETURN t.embedding",
        "MATCH (t:Turn) WHERE t.text CONTAINS 'Atlantis' RETURN t.text, t.id",
    )
    calls = calls_tools(*(("cypher", {"query": query}) for query in queries))
    answer = await world.ask(
        QUESTION, calls, answers("Biscuit", QUOTE), agent=AgentSettings(plan="rules", quote_characters=60)
    )
    observed = trace_of(answer).observed
    assert observed[0].outcome == observed[2].outcome == "rows"
    assert observed[3].outcome == "refused"
    assert not any(re.search(r"-?0\.\d+, -?0\.\d+, ", each.text) for each in observed)
    assert not any("embedding" in each.text for each in observed if each.outcome == "rows")
    handle = re.search(r"\| (t\d+)\n", observed[4].text)
    assert handle is not None
    assert f' characters, read=["{handle[1]}"]) | {handle[1]}\n' in observed[4].text


async def test_every_property_that_is_stored_is_one_that_the_model_may_ask_for(world: World) -> None:
    nodes = "MATCH (n) UNWIND keys(n) AS key RETURN collect(DISTINCT key) AS keys"
    edges = "MATCH ()-[r]->() UNWIND keys(r) AS key RETURN collect(DISTINCT key) AS keys"
    stored: set[str] = set()
    for query in (nodes, edges):
        stored |= set((await run_guarded(world.graph, query, {}, world.namespace)).rows[0][0])
    assert len(stored) > 50
    assert stored <= PROPERTIES


async def test_a_model_that_repeats_a_call_is_told_and_in_the_end_asked_for_its_answer(world: World) -> None:
    same = calls_tools(("entity_lookup", {"name": "Mara", "properties": ["has_pet"]}))
    spaced = calls_tools(("entity_lookup", '{ "properties": ["has_pet"],\n "name": "Mara" }'))

    def last(request: Received) -> Reply:
        assert "tools" not in request.body
        return answers_as_text(request)

    answer = await world.ask(QUESTION, same, spaced, same, last, agent=RULES)
    trace = trace_of(answer)
    assert [entry.outcome for entry in trace.observed] == ["rows", "repeated", "repeated"]
    assert "same call as number 1" in trace.observed[1].text
    assert trace.observed[1].tokens < 60
    assert answer.found
    assert answer.details["limit"] == "repeats"


def answers_as_text(request: Received) -> Reply:
    """The answer as JSON in the message's text, as when there are no tools."""
    given = json.loads(
        answers("Biscuit", QUOTE)(request).body["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"]
    )
    return says(f"Here it is:\n```json\n{json.dumps(given)}\n```")


async def test_a_model_that_never_stops_is_stopped_at_the_limit_of_calls(world: World) -> None:
    numbers = iter(range(1000))

    def another(request: Received) -> Reply:
        if "tools" not in request.body:
            return says("I would rather go on calling tools.")
        return calls_tools(*(("grep_turns", {"text": f"word{next(numbers)}"}) for _ in range(4)))

    answer = await world.ask(QUESTION, *[another] * 10, agent=AgentSettings(plan="rules", max_calls=6))
    trace = trace_of(answer)
    assert not answer.found
    assert answer.details["limit"] == "calls"
    assert len([entry for entry in trace.observed if "Not carried out" not in entry.text]) == 6
    assert answer.details["unsupported"].startswith("I would rather")
    every = conversation(world.service)[-1]
    called = [call["id"] for message in every for call in message.get("tool_calls", [])]
    assert len(called) == len([message for message in every if message["role"] == "tool"])


async def test_a_model_that_never_stops_is_stopped_at_the_limit_of_tokens(world: World) -> None:
    numbers = iter(range(1000))

    def another(request: Received) -> Reply:
        if "tools" not in request.body:
            return answers_as_text(request)
        return calls_tools(("search_turns", {"query": f"dog {next(numbers)}"}))

    agent = AgentSettings(plan="rules", prompt_tokens=15_000)
    answer = await world.ask(QUESTION, *[another] * 40, agent=agent)
    trace = trace_of(answer)
    assert answer.found
    assert answer.details["limit"] == "tokens"
    assert 3 <= len(trace.observed) < 40
    assert trace.prompt_tokens <= 15_000
    sent = sum(len(json.dumps(request.body, ensure_ascii=False)) / 4 for request in world.service.chats)
    assert trace.prompt_tokens == pytest.approx(sent, rel=0.25)


async def test_an_answer_at_once_without_evidence_is_told_once_and_then_not_believed(world: World) -> None:
    guess = calls_tools(("answer", {"found": True, "answer": "Rex", "citations": []}))
    answer = await world.ask(QUESTION, guess, guess, agent=AgentSettings(plan="rules", first_retrieval=False))
    assert not answer.found
    assert answer.details["unsupported"] == "Rex"
    assert answer.text.startswith("The memory does not say")
    told = [entry for entry in trace_of(answer).entries if isinstance(entry, Told)]
    assert [entry.why for entry in told] == ["unsound"]
    assert "There is no citation" in told[0].text


async def test_an_answer_that_is_mended_after_it_was_told_stands(world: World) -> None:
    invented = calls_tools(
        ("answer", {"found": True, "answer": "Biscuit", "citations": [{"source": "q77", "quote": "Biscuit is my dog"}]})
    )
    answer = await world.ask(QUESTION, invented, answers("Biscuit", QUOTE), agent=RULES)
    assert answer.found
    assert answer.details["flags"] == ()


async def test_text_in_place_of_a_call_is_told_once_and_then_not_believed(world: World) -> None:
    answer = await world.ask(QUESTION, says("It is Biscuit."), says("Biscuit, I said."), agent=RULES)
    assert not answer.found
    assert [entry.why for entry in trace_of(answer).entries if isinstance(entry, Told)] == ["not an answer"]


async def test_a_plan_that_cannot_be_used_leaves_the_rules_plan(world: World) -> None:
    answer = await world.ask(QUESTION, says("no plan"), says("still none"), answers("Biscuit", QUOTE))
    planned = trace_of(answer).entries[0]
    assert planned.kind == "planned"
    assert planned.plan.made_by == "rules"
    assert planned.fault
    assert answer.found


async def test_a_service_that_refuses_is_our_error_and_no_answer(world: World) -> None:
    with pytest.raises(ProviderError):
        await world.ask(QUESTION, error(401, "no key"), agent=RULES)


async def test_a_database_that_is_gone_is_our_error_and_no_answer(world: World, neo4j_server: TestServer) -> None:
    gone = await Graph.connect(neo4j_server.uri, neo4j_server.user, neo4j_server.password)
    await gone.close()
    lost = World(gone, world.embedder, world.namespace, world.service)
    with pytest.raises(StoreError):
        await lost.ask(QUESTION, refuses("nothing"), agent=RULES)


@pytest.mark.parametrize("question", ["", "  \n"])
async def test_an_empty_question_is_refused(world: World, question: str) -> None:
    with pytest.raises(QuestionError):
        await world.ask(question, plan())
