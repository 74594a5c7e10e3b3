"""Each form of question, answered by a scripted model over a real socket from a real graph: right, cited, in few steps and few tokens."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from graphmem.answer.agent import cypher_counts, loop
from graphmem.answer.agent.schema_text import WORKED
from graphmem.graph.guard import run_guarded
from graphmem.records import Answer
from tests.end_to_end.agent_fixture import world
from tests.end_to_end.agent_world import World, answers, conversation, handle, plan, refuses, trace_of
from tests.service import Received, Reply, calls_tools

__all__ = ["world"]

CONCERTS = (
    "MATCH (v:Event)-[:INVOLVES]->(:Entity {name: 'Mara'}) WHERE toLower(v.summary) CONTAINS 'concert' "
    "AND v.starts_at >= $since AND v.starts_at < $until RETURN count(DISTINCT date(v.starts_at)) AS n, collect(v.id) AS events"
)


def lookup(name: str, **more: Any) -> Reply:
    """A call of entity_lookup."""
    return calls_tools(("entity_lookup", {"name": name, **more}))


def cheap(answer: Answer) -> None:
    """That the question took at most three rounds and 20,000 prompt tokens, with observations of at most 600 on average."""
    trace = trace_of(answer)
    assert trace.rounds <= 3
    assert trace.prompt_tokens <= 20_000
    assert trace.mean_observation <= 600


async def test_a_single_fact_is_answered_with_its_exact_words(world: World) -> None:
    answer = await world.ask(
        "What is the name of Mara's dog?",
        plan(attributes=["has_pet"], operations=["latest"]),
        lookup("Mara", properties=["has_pet"]),
        answers("Biscuit", "I adopted a dog called Biscuit on 29 July 2023"),
    )
    assert answer.found
    assert answer.details["short"] == "Biscuit"
    assert answer.text.startswith("Biscuit — Mara, 2 August 2023: “I adopted a dog called Biscuit on 29 July 2023”")
    (citation,) = answer.citations
    assert (citation.turn_id, citation.start) == ("m4:2", 0)
    assert [fact.value for fact in answer.facts] == ["Biscuit"]
    assert answer.time == answer.facts[0].valid
    cheap(answer)


async def test_a_history_shows_every_value_with_its_interval(world: World) -> None:
    def all_of_it(request: Received) -> Reply:
        assert 'lives_in "Bergen" known 2023-01-10 to 2023-05-15' in request.prompt
        return answers("First Bergen, then Oslo", "I live in Bergen now", "I moved to Oslo on 15 May 2023")(request)

    answer = await world.ask(
        "Where has Mara lived?", plan(operations=["list", "order"]), lookup("Mara", properties=["lives_in"]), all_of_it
    )
    assert [citation.turn_id for citation in answer.citations] == ["m1:1", "m3:1"]
    cheap(answer)


async def test_two_hops_go_through_the_relation(world: World) -> None:
    answer = await world.ask(
        "What does Mara's sister work as?",
        plan(targets=["Mara"], attributes=["has_sister", "works_as"], hops=2),
        lookup("Mara", properties=["has_sister"]),
        lambda request: calls_tools(("entity_lookup", {"name": "Signe"})),
        answers("A diver", "My sister Signe works as a diver for the aquarium"),
    )
    assert answer.details["short"] == "A diver"
    assert trace_of(answer).rounds == 2
    cheap(answer)


async def test_a_count_in_a_period_is_counted_by_the_graph_and_cited_by_the_ids_it_returned(world: World) -> None:
    def two(request: Received) -> Reply:
        assert "2 | [v" in request.prompt
        return calls_tools(("search_events", {"query": "concert", "since": "2023-03-01", "until": "2023-04-01"}))

    answer = await world.ask(
        "How many concerts did Mara go to in March 2023?",
        plan(operations=["count"], tools=["cypher"]),
        calls_tools(("cypher", {"query": CONCERTS})),
        two,
        answers("2", "I went to a concert on 4 March 2023", "I went to a concert on 18 March 2023 with Signe"),
    )
    assert answer.details["short"] == "2"
    assert answer.form == "how_many"
    assert len(answer.citations) == 2
    first = conversation(world.service)[0][1]["content"]
    assert "[2023-03-01T00:00+00:00, 2023-04-01T00:00+00:00)" in first
    assert "Schema:" in first
    counts = cypher_counts(trace_of(answer))
    assert (counts.calls, counts.succeeded) == (1, 1)
    cheap(answer)


async def test_a_duration_between_events_is_computed_by_the_graph(world: World) -> None:
    def between(request: Received) -> Reply:
        adopted = handle(request, "Mara adopted a dog called Biscuit", "v")
        moved = handle(request, "Mara moved to Oslo", "v")
        query = (
            f"MATCH (a:Event {{id: ${moved}}}), (b:Event {{id: ${adopted}}}) "
            "RETURN duration.inDays(a.starts_at, b.starts_at).days AS days"
        )
        return calls_tools(("cypher", {"query": query}))

    def days(request: Received) -> Reply:
        assert "\n75\n" in request.prompt
        return answers("75 days", "I moved to Oslo on 15 May 2023", "I adopted a dog called Biscuit on 29 July 2023")(
            request
        )

    answer = await world.ask(
        "How many days passed between Mara's move to Oslo and the adoption of Biscuit?",
        plan(operations=["duration"]),
        lookup("Mara"),
        between,
        days,
    )
    assert answer.details["short"] == "75 days"
    cheap(answer)


async def test_before_an_event_is_what_held_until_it(world: World) -> None:
    answer = await world.ask(
        "Where did Mara live before she moved to Oslo?",
        plan(operations=["order"]),
        lookup("Mara", as_of="2023-05-01"),
        answers("Bergen", "I live in Bergen now, in a yellow house by the harbour"),
    )
    assert answer.details["short"] == "Bergen"
    observation = trace_of(answer).observed[0].text
    assert "Holds on 2023-05-01:" in observation
    cheap(answer)


async def test_what_is_not_said_is_refused_with_what_was_searched(world: World) -> None:
    answer = await world.ask(
        "What is Mara's shoe size?",
        plan(),
        refuses("Nothing is said of her shoes."),
        calls_tools(("grep_turns", {"text": "shoe"}), ("search", {"query": "shoe size, clothes"})),
        refuses("Nothing is said of her shoes."),
    )
    assert not answer.found
    assert answer.citations == ()
    assert answer.searched == ("grep_turns(shoe)", "search(shoe size, clothes)")
    assert "Nothing is said of her shoes." in answer.text
    assert "grep_turns(shoe)" in answer.text
    told = [entry for entry in trace_of(answer).entries if entry.kind == "told"]
    assert [entry.why for entry in told] == ["unsearched"]
    cheap(answer)


async def test_a_conflict_is_shown_with_what_counts_and_why(world: World) -> None:
    answer = await world.ask(
        "Where did Mara move on 15 May 2023?",
        plan(operations=["latest"]),
        lookup("Mara", properties=["lives_in"]),
        answers(
            "Tromsø, by what Idris said last; Mara herself said Oslo",
            "Mara moved to Tromsø on 15 May 2023",
            "I moved to Oslo on 15 May 2023",
        ),
    )
    assert (
        "In conflict: “Oslo”, said by Mara on 20 May 2023; “Tromsø” counts (because: later statement)." in answer.text
    )
    assert answer.details["conflicts"]
    cheap(answer)


async def test_a_conflict_is_shown_also_where_no_tool_showed_it(world: World) -> None:
    answer = await world.ask(
        "Where did Mara move on 15 May 2023?",
        plan(operations=["latest"]),
        calls_tools(("search_turns", {"query": "Mara moved"})),
        answers("Tromsø", "Mara moved to Tromsø on 15 May 2023"),
    )
    assert answer.text.count("“Oslo”, said by Mara on 20 May 2023; “Tromsø” counts (because: later statement).") == 1
    day = answers("15 May 2023", "I moved to Oslo on 15 May 2023")
    aside = await world.ask("On which day did Mara move?", plan(), day)
    assert "In conflict" not in aside.text


async def test_calls_of_one_step_are_carried_out_together_and_the_prefix_never_changes(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_three, carry_out = asyncio.Barrier(3), loop.carry_out

    async def once_all_have_begun(*given: Any) -> Any:
        async with asyncio.timeout(30):
            await all_three.wait()
        return await carry_out(*given)

    monkeypatch.setattr(loop, "carry_out", once_all_have_begun)
    answer = await world.ask(
        "Which animals do Mara and Idris have?",
        plan(operations=["list"]),
        calls_tools(
            ("entity_lookup", {"name": "Mara", "properties": ["has_pet"]}),
            ("entity_lookup", {"name": "Idris", "properties": ["has_pet"]}),
            ("search_turns", {"query": "adopted", "limit": 3}),
        ),
        answers("A dog and a cat", "I adopted a dog called Biscuit", "I adopted a cat called Pepper"),
    )
    trace = trace_of(answer)
    assert trace.rounds == 1
    assert [entry.number for entry in trace.observed] == [1, 2, 3]
    before, after = conversation(world.service)
    assert after[: len(before)] == before
    assert [message["role"] for message in after[len(before) :]] == ["assistant", "tool", "tool", "tool"]
    tools = [request.body["tools"] for request in world.service.chats if request.mode == "text"]
    assert tools[0] == tools[1]


async def test_the_worked_queries_of_the_schema_run_and_find_something(world: World) -> None:
    found = await run_guarded(
        world.graph,
        "MATCH (v:Event)-[:INVOLVES]->(e:Entity {name: 'Mara'}) WHERE v.summary CONTAINS 'Oslo' RETURN v.id, e.id",
        {},
        world.namespace,
    )
    ids = dict(zip(("v1", "n1"), found.rows[0], strict=True))
    first = WORKED["current value"]
    head = first[: first.index("WHERE")]
    for title, query in WORKED.items():
        text = query.replace("… ", head).replace("'Ana'", "'Mara'").replace("2023-05-01", "2023-03-01")
        given = {name: value for name, value in ids.items() if f"${name}" in text}
        result = await run_guarded(world.graph, text, given, world.namespace)
        assert result.rows, title
        assert result.rows[0][0] not in (None, 0), title
