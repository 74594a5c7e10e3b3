"""A person decides who is who, on the real Neo4j: what is offered, what a decision changes in reads, and that nothing is ever changed."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from graphmem import AsyncMemory, Settings
from graphmem.errors import InputError
from graphmem.graph.connection import Graph
from graphmem.graph.rows_named import add_alias, add_entity, add_resolution, entity_id
from graphmem.graph.write import read_head
from graphmem.providers.local_embedder import LocalEmbedder
from tests.graph.read_world import Scribe, at
from tests.graph.shape import everything


class World(Scribe):
    """A scribe whose entities have real vectors and are spoken of."""

    def __init__(self, graph: Graph, namespace: str, embedder: LocalEmbedder) -> None:
        super().__init__(graph, namespace)
        self.embedder = embedder

    def named(self, *names: str, type_: str = "Person", id_: str | None = None, apart: str = "", **about: str) -> str:
        """An entity with its names, mentioned once by the first of them."""
        identifier = entity_id(self.namespace, names[0], type_, apart)
        add_entity(self.batch, identifier, names[0], type_, id_, tuple(about.items()))
        for name, vector in zip(names, self.embedder.embed_documents(names), strict=True):
            add_alias(self.batch, identifier, name, type_, vector)
        quote = self.quote(f"I saw {names[0]} ({self.turns}). It rained.", at("2023-01-01"))
        add_resolution(
            self.batch, identifier, "Entity", names[0], "propose_new", [quote], at("2023-01-01"), 0.8, "new", "rule"
        )
        return identifier


@pytest.fixture
def world(graph: Graph, namespace: str, embedder: LocalEmbedder) -> World:
    """Writes into the test's own namespace."""
    return World(graph, namespace, embedder)


@pytest.fixture
async def memory(settings: Settings, namespace: str, graph: Graph) -> AsyncIterator[AsyncMemory]:
    """A memory on the same namespace."""
    async with AsyncMemory.open(settings=settings, namespace=namespace) as opened:
        yield opened


async def offered(memory: AsyncMemory) -> set[tuple[str, str]]:
    """The names of the pairs that are offered."""
    return {tuple(sorted((each.one.entity.name, each.other.entity.name))) for each in await memory.likely_pairs()}  # type: ignore[misc]


async def values(memory: AsyncMemory, name: str, **times) -> set[tuple[str, str]]:
    """What holds of somebody, as (subject, value)."""
    return {(fact.subject, fact.value) for fact in (await memory.facts(name, **times)).facts}


async def test_offered_is_what_could_be_one_and_nothing_that_a_veto_keeps_apart(
    world: World, memory: AsyncMemory
) -> None:
    """Nicknames, initials and shared words are; codes of other digits, other speaker ids and other relations are not."""
    liz = world.named("Liz")
    world.named("Elizabeth")
    world.named("RWT", type_="Organization")
    world.named("Riverside Wildlife Trust", type_="Organization")
    world.named("SR-2023-052", type_="Task")
    world.named("SR-2023-053", type_="Task")
    world.named("Alex", id_="u1", apart="1")
    world.named("Alex", id_="u2", apart="2")
    world.named("Sam", apart="b", relation="brother of Ana")
    world.named("Sam", apart="c", relation="colleague of Ana")
    world.named("Jordan Lake", type_="Place")
    world.named("Jordan")
    world.fact(liz, "likes", "tea", "2023-01-02", single=False)
    await world.commit()
    assert await offered(memory) == {("Elizabeth", "Liz"), ("RWT", "Riverside Wildlife Trust")}
    [pair] = [each for each in await memory.likely_pairs() if "Liz" in (each.one.entity.name, each.other.entity.name)]
    [side] = [each for each in (pair.one, pair.other) if each.entity.name == "Liz"]
    assert side.facts == ("likes tea",)
    assert [citation.quote[:9] for citation in side.quotations] == ["I saw Liz"]
    assert pair.because.startswith("the names ")


async def test_the_latest_decision_of_a_pair_counts_and_reads_follow(world: World, memory: AsyncMemory) -> None:
    """Two become one, in facts, events, entities, search and profile; then two again; and the past is as it was."""
    liz, elizabeth = world.named("Liz"), world.named("Elizabeth")
    world.fact(liz, "lives_in", "Porto", "2023-01-02", "2022-01-01")
    world.fact(elizabeth, "lives_in", "Graz", "2023-01-03", "2023-01-01")
    world.event([liz], "visit", "the mill", "2023-01-04", "2023-01-04", "2023-01-05", subject="Liz")
    before = await world.commit()
    stored = await everything(memory.graph, world.namespace)
    await memory.decide(liz, elizabeth, same=True, because="Liz is short for Elizabeth.", by="Ana")
    assert [len(each.ids) for each in await memory.entities("Liz")] == [2]
    for name in ("Liz", "Elizabeth"):
        [(_, value)] = await values(memory, name)
        assert value == "Graz", "one home at a time, the later one"
        assert len(await memory.events(name)) == 1
        text = str(await memory.profile(name))
        assert "Graz" in text
        assert "the mill" in text
    assert await values(memory, "Liz", known_at=before) == {("Liz", "Porto")}
    assert await offered(memory) == set()
    again = await everything(memory.graph, world.namespace)
    assert {key: again.get(key) for key in stored} == stored
    [kept] = [each for kind, each in again.values() if kind == "SAME_AS"]
    assert (kept["decided_by"], kept["reason"]) == ("person", "Liz is short for Elizabeth.")
    assert ("person", "Liz") in {
        (each["decided_by"], each["mention"]) for kind, each in again.values() if kind == "Resolution"
    }
    await memory.decide(elizabeth, liz, same=False)
    assert await values(memory, "Liz") == {("Liz", "Porto")}
    assert await offered(memory) == set(), "what is decided is not asked again"
    await memory.decide(liz, elizabeth, same=True)
    assert len((await memory.entities("Liz"))[0].ids) == 2
    assert (await memory.verify()).ok


async def test_a_decision_that_other_decisions_stand_against_is_refused_by_their_names(
    world: World, memory: AsyncMemory
) -> None:
    a, b, c = (world.named(name) for name in ("Ana", "Annie", "Anne"))
    await world.commit()
    await memory.decide(a, b, same=True)
    await memory.decide(b, c, same=True)
    with pytest.raises(InputError, match=f"{a} and {b}"):
        await memory.decide(a, c, same=False)
    await memory.decide(b, c, same=False)
    with pytest.raises(InputError, match="decided to be distinct"):
        await memory.decide(a, c, same=True)
    head = await read_head(memory.graph, world.namespace)
    with pytest.raises(InputError, match="no entity"):
        await memory.decide(a, "nobody", same=True)
    assert await read_head(memory.graph, world.namespace) == head, "nor are the words of such a decision stored"


async def test_an_entity_that_stood_for_two_is_split_by_its_turns(world: World, memory: AsyncMemory) -> None:
    """Facts, their events and what names it as a value go to the right one with the same evidence; the rest stays."""
    ana, alex = world.named("Ana"), world.named("Alex")
    mine = world.fact(alex, "works_at", "the mill", "2023-01-02")
    theirs = world.fact(alex, "works_at", "the bank", "2023-01-03")
    friend = world.fact(ana, "friend_of", "Alex", "2023-01-04", single=False, value_entity=alex)
    met = world.event([ana, alex], "meet", "Alex", "2023-01-05", "2023-01-05", "2023-01-06")
    before = await world.commit()
    found = await everything(memory.graph, world.namespace)
    evidence = {key.split(" ")[1]: key.split(" ")[2] for key, (kind, _) in found.items() if kind == "SUPPORTED_BY"}
    turn = {key.split(" ")[1]: key.split(" ")[2] for key, (kind, _) in found.items() if kind == "QUOTES"}
    places = [turn[evidence[theirs]], evidence[friend], evidence[met]]
    made = await memory.split(alex, "Alex Reyes", places, because="That is Alex from the bank.")
    assert len(made.restated) == 3
    assert mine not in made.restated
    assert {value for _, value in await values(memory, "Alex")} == {"the mill"}
    assert await values(memory, "Alex Reyes") == {("Alex Reyes", "the bank")}
    assert len((await memory.facts("Ana", "friend_of")).facts) == 1
    assert len(await memory.events("Alex Reyes")) == 1
    assert len(await memory.events("Alex")) == 0
    assert len(await memory.events("Ana")) == 1
    [fact] = (await memory.facts("Alex Reyes")).facts
    assert fact.evidence[0].evidence_id == evidence[theirs]
    assert {value for _, value in await values(memory, "Alex", known_at=before)} == {"the bank"}
    assert await offered(memory) == set(), "they are distinct"
    after = await everything(memory.graph, world.namespace)
    assert {key: after.get(key) for key in found} == found
    assert (await memory.verify()).ok
    with pytest.raises(InputError, match="nothing that is said of"):
        await memory.split(ana, "Ana Reyes", ["no such turn"])
