"""A correction, a retraction or a decision that is refused leaves nothing behind: no words of it, no commit."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from graphmem import AsyncMemory, FactView, NewTurn, Settings
from graphmem.errors import InputError
from graphmem.graph.connection import Graph
from graphmem.ingest import store_statement
from graphmem.providers.local_embedder import LocalEmbedder
from tests.graph.read_world import at
from tests.graph.shape import everything


@pytest.fixture
async def memory(settings: Settings, namespace: str) -> AsyncIterator[AsyncMemory]:
    """A memory in which Ana lives in Bonfim and her brother Pedro in Faro."""
    async with AsyncMemory.open(settings=settings.with_changes(namespace=namespace, extractor="rules")) as opened:
        turns = [
            NewTurn("Ana", "I live in Bonfim.", at("2023-01-01"), "1"),
            NewTurn("Ana", "My brother Pedro lives in Faro.", at("2023-01-02"), "2"),
        ]
        await opened.add(turns, session="s", end=True)
        yield opened


async def home(memory: AsyncMemory) -> FactView:
    """Where Ana lives."""
    [fact] = await memory.facts("Ana", "lives_in")
    return fact


async def refused(memory: AsyncMemory, graph: Graph, change: Callable[[], Awaitable[object]], said: str) -> None:
    """Checks that the change is refused with this message, and that the graph is what it was before."""
    before = await everything(graph, memory.settings.namespace)
    with pytest.raises(InputError, match=said):
        await change()
    assert await everything(graph, memory.settings.namespace) == before
    assert (await memory.verify()).ok


async def test_a_second_correction_of_a_fact_is_refused_and_its_words_are_not_stored(
    memory: AsyncMemory, graph: Graph
) -> None:
    fact = await home(memory)
    says = "I live in Faro, not in Bonfim."
    await memory.correct(fact.id, "Faro", says=says, by="Ana")
    await refused(memory, graph, lambda: memory.correct(fact.id, "Faro", says=says, by="Ana"), "no longer stands")
    await refused(memory, graph, lambda: memory.retract(fact.id, says="zzz wrong", by="Ana"), "no longer stands")
    assert not (await memory.grep_turns("zzz wrong")).matches
    assert len((await memory.grep_turns(says)).matches) == 1


async def test_a_correction_at_a_time_that_cannot_be_computed_with_stores_no_words(
    memory: AsyncMemory, graph: Graph
) -> None:
    fact = await home(memory)
    await refused(memory, graph, lambda: memory.retract(fact.id, says="No.", said_at="0001-01-01"), "outside the years")


async def test_a_correction_of_no_fact_stores_no_words(memory: AsyncMemory, graph: Graph) -> None:
    await refused(memory, graph, lambda: memory.correct("nosuch", "Q", says="qqq"), "no fact 'nosuch'")
    await refused(memory, graph, lambda: memory.retract("nosuch", says="qqq"), "no fact 'nosuch'")


async def test_a_decision_that_is_refused_stores_no_words(memory: AsyncMemory, graph: Graph) -> None:
    ana, pedro = [(await memory.entities(name))[0].id for name in ("Ana", "Pedro")]
    await refused(memory, graph, lambda: memory.decide(ana, ana, same=True, because="w"), "is one entity")
    await refused(memory, graph, lambda: memory.decide(ana, "nosuch", same=True, because="w"), "no entity 'nosuch'")
    await refused(memory, graph, lambda: memory.split(ana, "Y", ["s99:9"], because="w"), "rests on s99:9")
    await refused(memory, graph, lambda: memory.decide(ana, pedro, same=True, because="w", by=" "), "who made it")
    assert (await memory.decide(ana, pedro, same=False, because="He is my brother.", by="Ana")).counts


async def test_of_two_corrections_at_once_one_comes_about_and_only_its_words_are_stored(
    memory: AsyncMemory, graph: Graph
) -> None:
    """The loser reads what the winner wrote and is refused; its words were in the transaction that was undone."""
    fact = await home(memory)
    values = ["Faro", "Braga", "Porto"]
    done = await asyncio.gather(
        *(memory.correct(fact.id, value, says=f"It is {value}!", by="Ana") for value in values),
        return_exceptions=True,
    )
    assert [type(each) for each in done if isinstance(each, BaseException)] == [InputError, InputError]
    [value] = [value for value, each in zip(values, done, strict=True) if not isinstance(each, BaseException)]
    assert (await home(memory)).value == value
    assert [match.turn.text for match in (await memory.grep_turns("It is ")).matches] == [f"It is {value}!"]


async def test_a_correction_and_its_words_are_one_commit_and_done_twice_they_add_nothing(
    memory: AsyncMemory, graph: Graph, embedder: LocalEmbedder, namespace: str
) -> None:
    """Said again at the same time it is the same turn, which is also the one that ``store_statement`` makes of the words."""
    fact = await home(memory)
    commits = [kind for kind, _ in (await everything(graph, namespace)).values()].count("Commit")
    said = {"says": "It is Faro.", "by": "Bea", "said_at": at("2023-03-01")}
    await memory.correct(fact.id, "Faro", **said)
    after = await everything(graph, namespace)
    assert [kind for kind, _ in after.values()].count("Commit") == commits + 1
    assert not (await memory.correct(fact.id, "Faro", **said)).committed.counts
    await store_statement(graph, embedder, namespace, "Bea", "It is Faro.", at("2023-03-01"))
    assert await everything(graph, namespace) == after
    second = await memory.retract((await home(memory)).id, says="No.", by="Bea", said_at=at("2023-03-02"))
    assert second.committed.counts
    rows = (
        await memory.cypher(
            "MATCH (a:Turn)-[:NEXT]->(b:Turn) WHERE b.text = 'No.' RETURN a.text AS before, b.position AS position"
        )
    ).rows
    assert [list(row.values()) if isinstance(row, dict) else list(row) for row in rows] == [["It is Faro.", 1]]
