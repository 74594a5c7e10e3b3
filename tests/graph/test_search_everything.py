"""Search over events, and over all four kinds at once, on a graph that rules have read."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from graphmem.errors import QuestionError
from graphmem.extract import RuleExtractor
from graphmem.graph.batch import Batch
from graphmem.graph.connection import Graph
from graphmem.graph.read import entities
from graphmem.graph.write import append, read_head
from graphmem.ids import digest
from graphmem.ingest import Ingestion
from graphmem.providers import LocalEmbedder
from graphmem.records import Session, Turn
from graphmem.search import SearchSettings, search_events, search_everything, search_turns
from graphmem.settings import Settings

START = datetime(2023, 5, 10, 12, tzinfo=UTC)
SAID = [
    ("Ana", "I moved to Porto last week."),
    ("Tom", "How lovely! Which part of the city?"),
    ("Ana", "Near the river. I also adopted a dog called Marlin yesterday."),
    ("Tom", "I sold my car on 2 May 2023 and bought a bicycle."),
]


@pytest.fixture(scope="module")
async def memory(graph: Graph, embedder: LocalEmbedder) -> str:
    """A namespace with one session that has been read by rules."""
    name = f"test-everything-{datetime.now(UTC).timestamp()}"
    session = digest("session", name, "s1")
    turns = tuple(
        Turn(digest("turn", name, n), name, session, f"s1:{n}", n, who, text, START + timedelta(minutes=n))
        for n, (who, text) in enumerate(SAID)
    )
    await Ingestion(graph, embedder, RuleExtractor(), Settings()).run(
        [Session(session, name, "s1", "test", START, turns)]
    )
    return name


async def test_the_event_that_answers_comes_first_with_its_quotation(
    graph: Graph, embedder: LocalEmbedder, memory: str
) -> None:
    hit = (await search_events(graph, embedder, "When did Ana adopt a dog?", namespace=memory))[0]
    assert "adopt" in hit.event.summary
    assert hit.event.evidence[0].turn_id == "s1:2"
    assert sum(hit.parts.values()) == pytest.approx(hit.score, abs=1e-5)


async def test_events_are_filtered_by_when_they_happened(graph: Graph, embedder: LocalEmbedder, memory: str) -> None:
    since, until = datetime(2023, 5, 2, tzinfo=UTC), datetime(2023, 5, 3, tzinfo=UTC)
    hits = await search_events(graph, embedder, "What happened?", namespace=memory, since=since, until=until, limit=50)
    assert hits
    assert {citation.turn_id for hit in hits for citation in hit.event.evidence} <= {"s1:0", "s1:3"}
    assert not await search_events(
        graph, embedder, "What happened?", namespace=memory, since=START + timedelta(days=900)
    )


async def test_events_near_the_question_vouch_for_their_turns(
    graph: Graph, embedder: LocalEmbedder, memory: str
) -> None:
    question = "When did Ana adopt a dog?"
    hit = (await search_turns(graph, embedder, question, namespace=memory))[0]
    assert hit.turn_id == "s1:2"
    assert hit.parts["event"] > 0
    off = SearchSettings(event_weight=0)
    assert (await search_turns(graph, embedder, question, namespace=memory, settings=off))[0].parts["event"] == 0


async def test_facts_of_whom_the_question_names_link_to_their_turns(
    graph: Graph, embedder: LocalEmbedder, memory: str
) -> None:
    hits = await search_turns(graph, embedder, "Which pet does Ana have?", namespace=memory)
    assert hits[0].turn_id == "s1:2"
    assert hits[0].parts["link"] > 0
    assert "s1:3" not in {hit.turn_id for hit in hits if hit.parts["link"] > 0}


async def test_the_graph_links_through_what_was_decided_to_be_the_same(
    graph: Graph, embedder: LocalEmbedder, namespace: str
) -> None:
    """Tom's sister is Clara, and it was Clara's other name, decided to be hers, under which her job was told."""
    session = digest("session", namespace, "s1")
    said = [
        ("Tom", "Clara is my sister."),
        ("Ana", "Nothing new here."),
        ("Tom", "Clarissa works as a diver."),
        ("Ana", "It rains a lot."),
    ]
    turns = tuple(
        Turn(digest("turn", namespace, n), namespace, session, f"s1:{n}", n, who, text, START + timedelta(minutes=n))
        for n, (who, text) in enumerate(said)
    )
    await Ingestion(graph, embedder, RuleExtractor(), Settings()).run(
        [Session(session, namespace, "s1", "test", START, turns)]
    )
    settings = SearchSettings(link_properties=20, seldom=0)

    async def linked(question: str) -> set[str]:
        hits = await search_turns(graph, embedder, question, namespace=namespace, settings=settings)
        return {hit.turn_id for hit in hits if hit.parts["link"] > 0}

    assert "s1:2" not in await linked("What does Clara do?")
    assert "s1:2" not in await linked("What does the sister of Tom do?")
    clara, clarissa = [(await entities(graph, namespace, [name]))[0].id for name in ("clara", "clarissa")]
    batch = Batch(namespace)
    when = "2024-01-01"
    batch.edge("Entity", clarissa, "SAME_AS", "Entity", clara, when, decided_by="person", decided_at=when, reason="")
    await append(graph, batch, await read_head(graph, namespace))
    assert "s1:2" in await linked("What does Clara do?")
    assert "s1:2" in await linked("What does the sister of Tom do?")


async def test_one_reply_holds_entities_properties_events_and_turns(
    graph: Graph, embedder: LocalEmbedder, memory: str
) -> None:
    found = await search_everything(graph, embedder, "Where does Ana live now?", namespace=memory)
    assert found.entities[0].entity.name == "Ana"
    assert found.entities[0].score > 1 > found.entities[1].score
    assert found.properties
    assert [hit.score for hit in found.properties] == sorted((hit.score for hit in found.properties), reverse=True)
    assert found.events
    assert {hit.turn_id for hit in found.turns} == {"s1:0", "s1:1", "s1:2", "s1:3"}


async def test_all_of_it_works_without_the_search_clause(graph: Graph, embedder: LocalEmbedder, memory: str) -> None:
    older = Graph(graph._driver, graph.database, f"{graph.uri}/everything", (5, 26))
    question = "Where does Ana live now?"
    old, new = [await search_everything(each, embedder, question, namespace=memory) for each in (older, graph)]
    # Which turns, and which is best; beside large memories over-fetching may miss events that lend the others a little.
    assert {hit.turn_id for hit in old.turns} == {hit.turn_id for hit in new.turns}
    assert old.turns[0].turn_id == new.turns[0].turn_id
    assert old.entities[0].entity == new.entities[0].entity


async def test_nothing_of_another_namespace_is_found(graph: Graph, embedder: LocalEmbedder, memory: str) -> None:
    found = await search_everything(graph, embedder, "Where does Ana live?", namespace=f"{memory}-other")
    assert (found.entities, found.properties, found.events, found.turns) == ((), (), (), ())


@pytest.mark.parametrize("question", ["C++ (v2): AND/OR?", '"', "*", "小明", "🎉", "word " * 500])
async def test_no_question_breaks_it(graph: Graph, embedder: LocalEmbedder, memory: str, question: str) -> None:
    assert (await search_everything(graph, embedder, question, namespace=memory)).turns


async def test_an_empty_question_is_refused(graph: Graph, embedder: LocalEmbedder, memory: str) -> None:
    with pytest.raises(QuestionError, match="the question is empty"):
        await search_everything(graph, embedder, " ", namespace=memory)
    with pytest.raises(QuestionError, match="the question is empty"):
        await search_events(graph, embedder, "", namespace=memory)
