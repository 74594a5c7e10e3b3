"""Corrections and retractions, on the real Neo4j: what they undo, what undoes them, and that nothing is ever taken away."""

from __future__ import annotations

import pytest

from graphmem.errors import InputError
from graphmem.graph import read
from graphmem.graph.connection import Graph
from graphmem.graph.correct import correct, retract
from graphmem.graph.read_changes import diff
from graphmem.graph.verify import verify
from graphmem.graph.write import read_head
from graphmem.providers.local_embedder import LocalEmbedder
from graphmem.records import Interval, Quote
from tests.graph.read_world import Scribe, at


@pytest.fixture
def scribe(graph: Graph, namespace: str) -> Scribe:
    """Writes into the test's own namespace."""
    return Scribe(graph, namespace)


async def values(graph: Graph, namespace: str, **times) -> list[tuple[str, str | None]]:
    """Every period: its value and the day it starts."""
    found = await read.history(graph, namespace, **times)
    return [(f.value, f.valid.start and f.valid.start.date().isoformat()) for f in found]


async def test_a_correction_takes_the_place_of_all_that_was_shown_as_one(
    graph: Graph, scribe: Scribe, namespace: str, embedder: LocalEmbedder
) -> None:
    """Said twice, wrong twice: the correction holds for the same time, up to the next move, and cites the words that say so."""
    ana = scribe.entity("Ana")
    scribe.fact(ana, "lives_in", "Porto", "2020-03-01", "2020-02-01")
    again = scribe.fact(ana, "lives_in", "porto", "2020-06-01")
    scribe.fact(ana, "lives_in", "Faro", "2022-01-01", "2022-01-01")
    wrong = await scribe.commit()
    quote = scribe.quote("No, it was Braga all along.", at("2023-01-01T10:00:00"))
    await scribe.commit()
    made = await correct(graph, namespace, again, "Braga", quote, embedder)
    assert len(made.undone) == 2
    assert await values(graph, namespace) == [("Braga", "2020-02-01"), ("Faro", "2022-01-01")]
    assert await values(graph, namespace, known_at=wrong) == [("Porto", "2020-02-01"), ("Faro", "2022-01-01")]
    assert await values(graph, namespace, said_by=at("2022-12-31")) == [("Porto", "2020-02-01"), ("Faro", "2022-01-01")]
    [braga] = (await read.facts(graph, namespace, [ana], as_of=at("2021-01-01"))).facts
    assert (braga.id, braga.confidence, braga.evidence[0].quote) == (made.fact_id, 1.0, quote.text)
    assert braga.valid.end == at("2022-01-01")
    assert braga.valid.start_stated


async def test_done_twice_it_adds_nothing(
    graph: Graph, scribe: Scribe, namespace: str, embedder: LocalEmbedder
) -> None:
    """The same correction, and the same retraction, leave the ledger where it was; and the ledger's chain holds."""
    ana = scribe.entity("Ana")
    one = scribe.fact(ana, "likes", "tea", "2020-03-01", single=False)
    two = scribe.fact(ana, "likes", "figs", "2020-03-01", single=False)
    quote = scribe.quote("Coffee, not tea. And no figs.", at("2023-01-01"))
    await scribe.commit()
    await correct(graph, namespace, one, "coffee", quote, embedder)
    await retract(graph, namespace, two, quote, embedder)
    head = await read_head(graph, namespace)
    again = await correct(graph, namespace, one, "coffee", quote, embedder)
    assert not again.committed.counts
    await retract(graph, namespace, two, quote, embedder)
    assert await read_head(graph, namespace) == head
    assert await values(graph, namespace) == [("coffee", "2020-03-01")]
    report = await verify(graph, namespace)
    assert report.ok, report


async def test_what_undoes_a_correction_brings_back_what_it_undid(
    graph: Graph, scribe: Scribe, namespace: str, embedder: LocalEmbedder
) -> None:
    """A retraction of a correction, a correction of a correction, and a retraction of a retraction."""
    ana = scribe.entity("Ana")
    fact = scribe.fact(ana, "lives_in", "Porto", "2020-03-01", "2020-02-01")
    quotes = [scribe.quote(f"Once more ({n}).", at(f"2023-01-0{n}")) for n in range(1, 6)]
    await scribe.commit()
    first = await correct(graph, namespace, fact, "Braga", quotes[0], embedder)
    second = await correct(graph, namespace, first.fact_id, "Faro", quotes[1], embedder)
    found = (await read.facts(graph, namespace, [ana])).facts
    assert [f.value for f in found] == ["Faro"]
    await retract(graph, namespace, second.fact_id, quotes[2], embedder)
    assert await values(graph, namespace) == [("Braga", "2020-02-01")]
    gone = await retract(graph, namespace, first.fact_id, quotes[3], embedder)
    assert await values(graph, namespace) == [("Porto", "2020-02-01")]
    third = await retract(graph, namespace, gone.fact_id, quotes[4], embedder)
    assert third.undone == (gone.fact_id,)
    assert await values(graph, namespace) == [("Braga", "2020-02-01")]
    learned = await diff(graph, namespace, first.committed.head.created_at, gone.committed.head.created_at)  # type: ignore[arg-type]
    assert [r.id for r in learned.restored] == [fact]


async def test_a_retraction_undoes_only_what_it_is_about(
    graph: Graph, scribe: Scribe, namespace: str, embedder: LocalEmbedder
) -> None:
    """The first stay in Porto was a mistake; the second goes on, and was not ended by it."""
    ana = scribe.entity("Ana")
    first = scribe.fact(ana, "lives_in", "Porto", "2018-01-01", "2018-01-01")
    scribe.fact(ana, "lives_in", "Faro", "2019-01-01", "2019-01-01")
    scribe.fact(ana, "lives_in", "Porto", "2020-01-01", "2020-01-01")
    quote = scribe.quote("I was not in Porto in 2018.", at("2023-01-01"))
    await scribe.commit()
    await retract(graph, namespace, first, quote, embedder)
    assert await values(graph, namespace) == [("Faro", "2019-01-01"), ("Porto", "2020-01-01")]
    [porto] = (await read.facts(graph, namespace, [ana])).facts
    assert (porto.value, porto.valid.end) == ("Porto", None)


async def test_a_correction_gives_its_own_time_where_it_has_one(
    graph: Graph, scribe: Scribe, namespace: str, embedder: LocalEmbedder
) -> None:
    """The value was right and the time was not."""
    ana = scribe.entity("Ana")
    fact = scribe.fact(ana, "lives_in", "Porto", "2020-03-01", "2020-02-01")
    quote = scribe.quote("Since 2015, in fact.", at("2023-01-01"))
    await scribe.commit()
    valid = Interval(at("2015-01-01"), None, "year", end_stated=False)
    await correct(graph, namespace, fact, "Porto", quote, embedder, valid=valid)
    [porto] = await read.history(graph, namespace, [ana])
    assert (porto.valid.start, porto.valid.granularity, porto.valid.end) == (at("2015-01-01"), "year", None)


async def test_refusals_name_what_is_wrong(
    graph: Graph, scribe: Scribe, namespace: str, embedder: LocalEmbedder
) -> None:
    """Another namespace's fact or turn, words that the turn does not say, a fact that no longer stands, an entity that is not there."""
    other = Scribe(graph, namespace + "-other")
    foreign = other.fact(other.entity("Ana"), "lives_in", "Porto", "2020-03-01")
    elsewhere = other.quote("It was Faro.", at("2023-01-01"))
    await other.commit()
    fact = scribe.fact(scribe.entity("Ana"), "lives_in", "Porto", "2020-03-01")
    quote = scribe.quote("It was Faro.", at("2023-01-01"))
    later = scribe.quote("It was Bern.", at("2023-01-02"))
    await scribe.commit()
    with pytest.raises(InputError, match="no fact"):
        await correct(graph, namespace, foreign, "Faro", quote, embedder)
    with pytest.raises(InputError, match="no turn"):
        await retract(graph, namespace, fact, elsewhere, embedder)
    with pytest.raises(InputError, match="does not say"):
        await correct(graph, namespace, fact, "Faro", Quote(quote.turn_id, 0, 6, "It is "), embedder)
    with pytest.raises(InputError, match="no entity"):
        await correct(graph, namespace, fact, "Faro", quote, embedder, value_entity="nobody")
    await correct(graph, namespace, fact, "Faro", quote, embedder)
    with pytest.raises(InputError, match="no longer stands"):
        await correct(graph, namespace, fact, "Bern", later, embedder)
