"""Events and what was so around them, on the real Neo4j."""

from __future__ import annotations

import pytest

from graphmem.errors import InputError
from graphmem.graph.connection import Graph
from graphmem.graph.read_events import (
    after,
    after_event,
    before,
    before_event,
    between,
    count,
    event_time,
    events,
    first,
    last,
    overlapping,
)
from graphmem.graph.read_rows import TimelineEntry
from tests.graph.read_world import Scribe, at


@pytest.fixture
def scribe(graph: Graph, namespace: str) -> Scribe:
    """Writes into the test's own namespace."""
    return Scribe(graph, namespace)


def shown(entries: tuple[TimelineEntry, ...]) -> list[str]:
    """Values of facts and objects of events, in order."""
    return [e.fact.value if e.fact is not None else e.event.object if e.event is not None else "" for e in entries]


async def test_an_event_told_twice_comes_and_counts_once(graph: Graph, scribe: Scribe, namespace: str) -> None:
    """Its date is that of the surest telling, and it has the quotations of all; told apart, it counts twice."""
    ana = scribe.entity("Ana")
    vague = scribe.event([ana], "run", "a marathon", "2023-06-01", "2023-06-01", "2023-06-02", confidence=0.3)
    exact = scribe.event([ana], "run", "the marathon", "2023-07-01", "2023-05-14", "2023-05-15", confidence=0.9)
    scribe.event([ana], "run", "home", "2023-07-01", "2023-06-20", "2023-06-21")
    apart = await scribe.commit()
    scribe.decide(vague, exact, "SAME_AS", "2024-01-01", label="Event")
    await scribe.commit()
    assert await count(graph, namespace, [ana], verbs=["run"], known_at=apart) == 3
    assert await count(graph, namespace, [ana], verbs=["run"]) == 2
    [marathon, home] = await events(graph, namespace, [ana])
    assert (marathon.id, marathon.starts_at, len(marathon.evidence)) == (exact, at("2023-05-14"), 2)
    assert home.participants == ("Ana",)
    assert await count(graph, namespace, [ana], since=at("2023-06-01"), until=at("2023-06-10")) == 0
    assert (await event_time(graph, namespace, vague)).start == at("2023-05-14")


async def test_events_are_found_by_verb_kind_words_and_time(graph: Graph, scribe: Scribe, namespace: str) -> None:
    """All words must be there, one of the verbs (or kinds) is enough, and a period keeps what overlaps it."""
    ana, ben = scribe.entity("Ana"), scribe.entity("Ben")
    scribe.event([ana, ben], "visit", "the Museum of Rome", "2023-01-05", "2023-01-01", "2023-01-02", kind="travel")
    scribe.event([ana], "visit", "Rome", "2023-03-05", "2023-03-01", "2023-03-08")
    scribe.event([ben], "buy", "a boat", "2023-02-05", "2023-02-01", "2023-02-02")
    await scribe.commit()

    async def number(*subjects: str, **given) -> int:
        return await count(graph, namespace, subjects, **given)

    assert await number() == 3
    assert await number(ana) == 2
    assert await number(verbs=["Visit"]) == 2
    assert await number(verbs=["travel", "buy"]) == 2
    assert await number(words=["ROME", "museum"]) == 1
    assert await number(ben, words=["rome"]) == 1
    assert await number(since=at("2023-03-07"), until=at("2023-04-01")) == 1
    assert await number(since=at("2023-03-08")) == 0
    assert await number(until=at("2023-01-01")) == 0
    assert await number(said_by=at("2023-01-31")) == 1


async def test_first_and_last(graph: Graph, scribe: Scribe, namespace: str) -> None:
    """By when they happened, not by when they were told; what has no time is neither."""
    ana = scribe.entity("Ana")
    scribe.event([ana], "visit", "Rome", "2023-01-05", "2022-06-01", "2022-06-08")
    scribe.event([ana], "visit", "Bern", "2023-02-05", "2021-03-01", "2021-03-08")
    scribe.event([ana], "visit", "Oslo", "2023-03-05")
    await scribe.commit()
    assert [e.object for e in await first(graph, namespace, [ana])] == ["Bern"]
    assert [e.object for e in await last(graph, namespace, [ana], verbs=["visit"], limit=5)] == ["Rome", "Bern"]
    assert await first(graph, namespace, [ana], words=["oslo"]) == ()
    with pytest.raises(InputError, match="limit is 0"):
        await last(graph, namespace, [ana], limit=0)


async def test_before_during_and_after_an_event(graph: Graph, scribe: Scribe, namespace: str) -> None:
    """Where she lived before the wedding, what else happened meanwhile, and what came next; the nearest first."""
    ana = scribe.entity("Ana")
    scribe.fact(ana, "lives_in", "Porto", "2019-01-02", "2019-01-01")
    scribe.fact(ana, "lives_in", "Faro", "2021-01-02", "2021-01-01")
    scribe.fact(ana, "lives_in", "Lisbon", "2022-09-02", "2022-09-01")
    wedding = scribe.event([ana], "hold", "wedding", "2022-07-01", "2022-06-10", "2022-06-12")
    scribe.event([ana], "visit", "Rome", "2022-02-01", "2022-02-01", "2022-02-08")
    scribe.event([ana], "meet", "Ben", "2022-06-11", "2022-06-11", "2022-06-12")
    scribe.event([ana], "visit", "Oslo", "2022-07-20", "2022-07-01", "2022-07-08")
    someday = scribe.event([ana], "visit", "Bern", "2022-07-20")
    await scribe.commit()
    assert shown(await before_event(graph, namespace, wedding, [ana])) == ["Faro", "Rome", "Porto"]
    assert shown(await before_event(graph, namespace, wedding, [ana], limit=1)) == ["Faro"]
    assert shown(await overlapping(graph, namespace, wedding, [ana])) == ["Faro", "Ben"]
    assert shown(await after_event(graph, namespace, wedding, [ana])) == ["Faro", "Oslo", "Lisbon"]
    assert shown(await between(graph, namespace, at("2022-08-01"), at("2022-09-02"), [ana])) == ["Faro", "Lisbon"]
    assert shown(await before(graph, namespace, at("2019-06-01"))) == ["Porto"]
    assert shown(await after(graph, namespace, at("2022-10-01"), [], ["lives_in"])) == ["Lisbon"]
    with pytest.raises(InputError, match="has no time"):
        await before_event(graph, namespace, someday)
    with pytest.raises(InputError, match="no event 'x'"):
        await after_event(graph, namespace, "x")
    with pytest.raises(InputError, match="starts before it ends"):
        await between(graph, namespace, at("2022-01-01"), at("2022-01-01"))


async def test_an_event_of_another_namespace_is_no_anchor(graph: Graph, scribe: Scribe, namespace: str) -> None:
    """Even its identifier does not help."""
    other = Scribe(graph, namespace + "-other")
    secret = other.event([other.entity("Ana")], "visit", "Rome", "2022-02-01", "2022-02-01", "2022-02-08")
    await other.commit()
    scribe.event([scribe.entity("Ana")], "visit", "Oslo", "2022-02-01", "2022-02-01", "2022-02-08")
    await scribe.commit()
    with pytest.raises(InputError, match="no event"):
        await overlapping(graph, namespace, secret)
    assert await count(graph, namespace) == 1
    assert shown(await between(graph, namespace, at("2022-01-01"), at("2023-01-01"))) == ["Oslo"]
    assert [e.object for e in await first(graph, namespace, limit=9)] == ["Oslo"]
    assert shown(await before(graph, namespace, at("2030-01-01"))) == ["Oslo"]
    assert shown(await after(graph, namespace, at("2020-01-01"))) == ["Oslo"]


async def test_a_replaced_event_is_gone_as_of_then(graph: Graph, scribe: Scribe, namespace: str) -> None:
    """Through its extraction, or by an event that replaces it; and one that replaced it counts no more when it is replaced itself."""
    ana = scribe.entity("Ana")
    old = scribe.event([ana], "visit", "Rom", "2022-02-01", "2022-02-01", "2022-02-08")
    scribe.extraction("rules", [old], "Event")
    start = await scribe.commit()
    new = scribe.event([ana], "visit", "Rome", "2022-02-01", "2022-02-01", "2022-02-08")
    scribe.extraction("model", [new], "Event", replaces=["rules"])
    second = await scribe.commit()
    fixed = scribe.event([ana], "visit", "Roma", "2022-02-01", "2022-02-01", "2022-02-08")
    scribe.batch.edge("Event", fixed, "REPLACES", "Event", new)
    third = await scribe.commit()
    scribe.batch.edge("Event", scribe.event([ana], "leave", "it", "2022-02-03"), "REPLACES", "Event", fixed)
    await scribe.commit()

    async def seen(known_at=None) -> list[str]:
        return [e.object for e in await events(graph, namespace, [ana], known_at=known_at)]

    assert await seen(start) == ["Rom"]
    assert await seen(second) == ["Rome"]
    assert await seen(third) == ["Roma"]
    assert await seen() == ["Rome", "it"]
