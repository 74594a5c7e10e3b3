"""What holds, on the real Neo4j: facts at a time, histories, who is who, and what one namespace never sees of another."""

from __future__ import annotations

from datetime import timedelta

import pytest

from graphmem.errors import InputError
from graphmem.graph import read
from graphmem.graph.connection import Graph
from graphmem.graph.read_rows import shifted
from tests.graph.read_world import Scribe, at


@pytest.fixture
def scribe(graph: Graph, namespace: str) -> Scribe:
    """Writes into the test's own namespace."""
    return Scribe(graph, namespace)


def values(result: read.FactsResult) -> list[str]:
    """The values alone, in order."""
    return [fact.value for fact in result.facts]


async def test_the_one_that_held_at_the_time_asked_about(graph: Graph, scribe: Scribe, namespace: str) -> None:
    """Three moves: asked now, the last; asked about a time, the one of that time."""
    ana = scribe.entity("Ana")
    scribe.fact(ana, "lives_in", "Porto", "2020-03-01", "2020-02-01")
    scribe.fact(ana, "lives_in", "Faro", "2021-05-01", "2021-04-10")
    scribe.fact(ana, "lives_in", "Lisbon", "2023-06-01", "2023-05-20")
    await scribe.commit()
    assert values(await read.facts(graph, namespace, [ana], ["lives_in"])) == ["Lisbon"]
    assert values(await read.facts(graph, namespace, [ana], as_of=at("2021-04-10"))) == ["Faro"]
    assert values(await read.facts(graph, namespace, [ana], as_of=at("2021-04-09T23:59:59"))) == ["Porto"]
    past = await read.facts(graph, namespace, [ana], said_by=at("2022-01-01"))
    assert [(f.value, f.valid.end) for f in past.facts] == [("Faro", None)]
    assert [(f.value, f.valid.start, f.valid.end) for f in await read.history(graph, namespace, [ana])] == [
        ("Porto", at("2020-02-01"), at("2021-04-10")),
        ("Faro", at("2021-04-10"), at("2023-05-20")),
        ("Lisbon", at("2023-05-20"), None),
    ]


async def test_values_of_a_property_with_several_stay_true(graph: Graph, scribe: Scribe, namespace: str) -> None:
    """A second dog does not take away the first; an ending takes away one, and an ending of no value in particular takes away all."""
    ana = scribe.entity("Ana")
    scribe.fact(ana, "has_pet", "Rex", "2022-01-01", single=False)
    scribe.fact(ana, "has_pet", "Bo", "2022-03-01", single=False)
    await scribe.commit()
    assert values(await read.facts(graph, namespace, [ana])) == ["Rex", "Bo"]
    scribe.fact(ana, "has_pet", "rex", "2022-06-01", single=False, polarity="ended")
    await scribe.commit()
    assert values(await read.facts(graph, namespace, [ana])) == ["Bo"]
    assert values(await read.facts(graph, namespace, [ana], as_of=at("2022-04-01"))) == ["Rex", "Bo"]
    scribe.fact(ana, "has_pet", "", "2022-09-01", single=False, polarity="denied")
    await scribe.commit()
    assert values(await read.facts(graph, namespace, [ana], as_of=at("2022-10-01"))) == []


async def test_equal_statements_are_one_fact_with_all_their_evidence(
    graph: Graph, scribe: Scribe, namespace: str
) -> None:
    """Fifty ways to say one thing do not make fifty facts; and quotations keep the offset at which they were said."""
    ana = scribe.entity("Ana")
    for day in range(1, 29):
        scribe.fact(ana, "likes", "Tea" if day % 2 else "tea.", f"2022-02-{day:02d}T08:00:00+09:00", single=False)
    await scribe.commit()
    [fact] = (await read.facts(graph, namespace, [ana])).facts
    assert len(fact.evidence) == 28
    assert fact.evidence[0].said_at.isoformat() == "2022-02-01T08:00:00+09:00"
    assert fact.evidence[0].session_id == "s1"
    assert fact.evidence[0].turn_id == "s1:1"
    assert fact.valid.start == at("2022-01-31T23:00:00")


async def test_moving_back_starts_a_new_period(graph: Graph, scribe: Scribe, namespace: str) -> None:
    """Lisbon, Porto, Lisbon are three periods, and the third has its own start."""
    ana = scribe.entity("Ana")
    for value, day in (("Lisbon", "2020-01-01"), ("Porto", "2021-01-01"), ("Lisbon", "2022-01-01")):
        scribe.fact(ana, "lives_in", value, day, day)
    await scribe.commit()
    found = await read.history(graph, namespace, [ana])
    assert [(f.value, f.valid.start.year if f.valid.start else 0) for f in found] == [
        ("Lisbon", 2020),
        ("Porto", 2021),
        ("Lisbon", 2022),
    ]


async def test_what_is_told_late_changes_its_own_time_only(graph: Graph, scribe: Scribe, namespace: str) -> None:
    """A stay long ago, learned afterwards, does not displace the present; before it was known, it was not there."""
    ana = scribe.entity("Ana")
    scribe.fact(ana, "works_at", "Acme", "2021-01-10", "2021-01-01")
    known = await scribe.commit()
    scribe.fact(ana, "works_at", "Beta", "2023-04-01", "2018-01-01", "2019-01-01")
    await scribe.commit()
    assert values(await read.facts(graph, namespace, [ana])) == ["Acme"]
    assert values(await read.facts(graph, namespace, [ana], as_of=at("2018-06-01"))) == ["Beta"]
    assert values(await read.facts(graph, namespace, [ana], as_of=at("2018-06-01"), known_at=known)) == []
    assert values(await read.facts(graph, namespace, [ana], as_of=at("2020-01-01"))) == []


async def test_stated_periods_that_overlap_show_the_loser(graph: Graph, scribe: Scribe, namespace: str) -> None:
    """The later said keeps the period that it states; the other holds outside it, and shows as a conflict inside."""
    ana = scribe.entity("Ana")
    scribe.fact(ana, "works_at", "Beta", "2020-07-01", "2020-06-01")
    scribe.fact(ana, "works_at", "Acme", "2023-01-01", "2018-01-01", "2021-01-01")
    await scribe.commit()
    [fact] = (await read.facts(graph, namespace, [ana], as_of=at("2020-08-01"))).facts
    assert fact.value == "Acme"
    assert [lost.value for lost in fact.conflicts] == ["Beta"]
    assert fact.conflicts[0].evidence[0].quote.split()[1:3] == ["works_at", "Beta"]
    [fact] = (await read.facts(graph, namespace, [ana], as_of=at("2021-06-01"))).facts
    assert (fact.value, fact.valid.start, fact.conflicts) == ("Beta", at("2021-01-01"), ())


async def test_before_an_unstated_start_nothing_is_known(graph: Graph, scribe: Scribe, namespace: str) -> None:
    """ "I live in Lisbon" says nothing of the year before; "since March" does: then it did not hold."""
    ana = scribe.entity("Ana")
    scribe.fact(ana, "lives_in", "Lisbon", "2023-05-01")
    scribe.fact(ana, "works_at", "Acme", "2023-05-01", "2023-03-01")
    await scribe.commit()
    result = await read.facts(graph, namespace, [ana], as_of=at("2022-01-01"))
    assert result.facts == ()
    assert [(n.subject, n.property, n.value, n.since) for n in result.not_known_before] == [
        ("Ana", "lives_in", "Lisbon", at("2023-05-01"))
    ]
    assert result.not_known_before[0].fact.evidence[0].speaker == "Ana"


async def test_until_alone_is_known_for_its_end_only(graph: Graph, scribe: Scribe, namespace: str) -> None:
    """ "I lived in Porto until March" has no start that anybody stated, and none is made up."""
    ana = scribe.entity("Ana")
    scribe.fact(ana, "lives_in", "Porto", "2023-05-01", None, "2023-03-01")
    await scribe.commit()
    [fact] = await read.history(graph, namespace, [ana])
    assert (fact.valid.start, fact.valid.end, fact.valid.start_stated) == (None, at("2023-03-01"), False)
    result = await read.facts(graph, namespace, [ana], as_of=at("2022-01-01"))
    assert [n.value for n in result.not_known_before] == ["Porto"]


async def test_a_coarse_start_holds_possibly_until_its_unit_is_over(
    graph: Graph, scribe: Scribe, namespace: str
) -> None:
    """ "In May" does not hold on 2 May for certain; in June it does, and for May as a whole too."""
    ana = scribe.entity("Ana")
    scribe.fact(ana, "lives_in", "Lisbon", "2023-06-10", "2023-04-30T22:00:00", granularity="month")
    await scribe.commit()

    async def possibly(day: str, precision: str = "day") -> bool:
        [fact] = (await read.facts(graph, namespace, [ana], as_of=at(day), precision=precision)).facts
        return fact.possibly

    assert await possibly("2023-05-02")
    assert await possibly("2023-05-31T21:59:00")
    assert not await possibly("2023-05-31T22:00:00")
    assert not await possibly("2023-05-02", "month")
    with pytest.raises(InputError, match="fortnight"):
        await possibly("2023-05-02", "fortnight")


def test_a_month_later_is_counted_in_the_speakers_calendar() -> None:
    """Midnight of 1 May in Lisbon is 30 April in UTC; a month later is midnight of 1 June."""
    assert shifted(at("2023-04-30T23:00:00"), "month", 1) == at("2023-05-31T23:00:00")
    assert shifted(at("2024-02-29"), "year", 1) == at("2025-02-28")
    assert shifted(at("2023-03-31"), "month", -1) == at("2023-02-28")
    assert shifted(at("2023-03-31T10:00:00"), "day", 1) == at("2023-04-01T10:00:00")


async def test_entities_that_are_the_same_share_their_facts(graph: Graph, scribe: Scribe, namespace: str) -> None:
    """Liz and Elizabeth, once decided to be one; two people called Alex stay two. The latest decision of a pair counts."""
    liz, elizabeth = scribe.entity("Liz"), scribe.entity("Elizabeth", "Person", "Beth")
    alex, other = scribe.entity("Alex"), scribe.entity("Alex", "Person", apart="the second")
    scribe.fact(liz, "lives_in", "Porto", "2022-01-01", "2022-01-01")
    scribe.fact(elizabeth, "lives_in", "Faro", "2023-01-01", "2023-01-01")
    apart = await scribe.commit()
    scribe.decide(liz, elizabeth, "SAME_AS", "2024-01-01")
    joined = await scribe.commit()
    scribe.decide(elizabeth, liz, "DISTINCT_FROM", "2024-02-01")
    await scribe.commit()

    async def named(name: str, known_at=None):
        return [set(e.ids) for e in await read.entities(graph, namespace, [name], known_at=known_at)]

    assert await named("BETH", joined) == [{liz, elizabeth}]
    assert await named("beth", apart) == [{elizabeth}]
    assert await named("beth") == [{elizabeth}]
    assert sorted(map(sorted, await named("Alex"))) == sorted([[alex], [other]])
    assert values(await read.facts(graph, namespace, [liz], known_at=joined)) == ["Faro"]
    assert values(await read.facts(graph, namespace, [liz], known_at=apart)) == ["Porto"]
    assert values(await read.facts(graph, namespace, [liz])) == ["Porto"]
    [one] = await read.entities(graph, namespace, ids=[liz], known_at=joined)
    assert set(one.aliases) == {"Liz", "Elizabeth", "Beth"}
    assert one.facts == 2


async def test_values_that_are_the_same_entity_are_one_value(graph: Graph, scribe: Scribe, namespace: str) -> None:
    """Moving from Lisbon to Lisboa is no move."""
    ana, lisbon, lisboa = scribe.entity("Ana"), scribe.entity("Lisbon", "Place"), scribe.entity("Lisboa", "Place")
    scribe.fact(ana, "lives_in", "Lisbon", "2022-01-01", "2022-01-01", value_entity=lisbon)
    scribe.fact(ana, "lives_in", "Lisboa", "2023-01-01", "2023-01-01", value_entity=lisboa)
    two = await scribe.commit()
    scribe.decide(lisboa, lisbon, "SAME_AS", "2024-01-01")
    await scribe.commit()
    assert len(await read.history(graph, namespace, [ana], known_at=two)) == 2
    [fact] = await read.history(graph, namespace, [ana])
    assert (fact.valid.start, fact.valid.end) == (at("2022-01-01"), None)


async def test_a_property_is_read_for_all_subjects_or_for_some(graph: Graph, scribe: Scribe, namespace: str) -> None:
    """Asked by property alone, everybody's is given; with neither, everything."""
    ana, ben = scribe.entity("Ana"), scribe.entity("Ben")
    scribe.fact(ana, "lives_in", "Porto", "2022-01-01")
    scribe.fact(ben, "lives_in", "Faro", "2022-01-01")
    scribe.fact(ben, "likes", "figs", "2022-01-01", single=False)
    await scribe.commit()
    by_property = await read.facts(graph, namespace, [], ["lives_in"])
    assert [(f.subject, f.value) for f in by_property.facts] == [("Ana", "Porto"), ("Ben", "Faro")]
    assert len((await read.facts(graph, namespace)).facts) == 3
    assert values(await read.facts(graph, namespace, [ben])) == ["figs", "Faro"]
    assert [p.subject_id for p in (await read.facts(graph, namespace, [ben], ["likes"])).periods] == [ben]


async def test_a_replaced_extraction_takes_its_statements_with_it(graph: Graph, scribe: Scribe, namespace: str) -> None:
    """What a newer extraction of the same turns does not repeat is gone as of when that was known; what it repeats stays."""
    ana = scribe.entity("Ana")
    wrong = scribe.fact(ana, "likes", "tee", "2022-01-01", single=False)
    right = scribe.fact(ana, "likes", "jazz", "2022-01-02", single=False)
    scribe.extraction("rules", [wrong, right])
    first = await scribe.commit()
    better = scribe.fact(ana, "likes", "tea", "2022-01-01", single=False)
    scribe.extraction("model", [better, right], replaces=["rules"])
    await scribe.commit()
    assert values(await read.facts(graph, namespace, [ana], known_at=first)) == ["tee", "jazz"]
    assert values(await read.facts(graph, namespace, [ana])) == ["tea", "jazz"]


async def test_nothing_of_another_namespace_is_seen(graph: Graph, scribe: Scribe, namespace: str) -> None:
    """Two namespaces with the same names: neither asked for everything nor given the other's identifiers does one show the other."""
    other = Scribe(graph, namespace + "' OR true //")
    ids = {}
    for one, place in ((scribe, "Porto"), (other, "Faro")):
        ids[place] = one.entity("Ana")
        one.fact(ids[place], "lives_in", place, "2022-01-01", "2021-01-01")
        one.event([ids[place]], "visit", place, "2022-01-02", "2022-01-01", "2022-01-02")
        await one.commit()
    for space, place, foreign in ((namespace, "Porto", "Faro"), (other.namespace, "Faro", "Porto")):
        assert values(await read.facts(graph, space)) == [place]
        assert values(await read.facts(graph, space, [], ["lives_in"])) == [place]
        assert await read.history(graph, space, [ids[foreign]]) == ()
        assert await read.timeline(graph, space, [ids[foreign]]) == ()
        assert [e.id for e in await read.entities(graph, space, ["ana"])] == [ids[place]]
        assert await read.entities(graph, space, ids=[ids[foreign]]) == ()
        shown = [
            (t.fact.value if t.fact else t.event.object) for t in await read.timeline(graph, space) if t.fact or t.event
        ]
        assert shown == [place, place]


async def test_timeline_puts_facts_and_events_in_their_order(graph: Graph, scribe: Scribe, namespace: str) -> None:
    """By when they began, within the time asked for; what has no time comes last."""
    ana = scribe.entity("Ana")
    scribe.event([ana], "meet", "Ben", "2022-01-01")
    scribe.fact(ana, "lives_in", "Porto", "2020-03-01", "2020-02-01", "2021-02-01")
    scribe.event([ana], "visit", "Rome", "2022-06-01", "2020-06-01", "2020-06-08")
    scribe.fact(ana, "works_at", "Acme", "2019-03-01", "2019-02-01")
    await scribe.commit()

    def shown(entries):
        return [t.fact.value if t.fact is not None else t.event.object for t in entries]

    everything = await read.timeline(graph, namespace, [ana])
    assert shown(everything) == ["Acme", "Porto", "Rome", "Ben"]
    assert everything[0].at == at("2019-02-01")
    assert shown(await read.timeline(graph, namespace, [ana], since=at("2020-06-08"))) == ["Acme", "Porto"]
    assert shown(await read.timeline(graph, namespace, until=at("2020-02-02"))) == ["Acme", "Porto"]
    late = await read.timeline(
        graph, namespace, [ana], since=at("2020-06-01") + timedelta(days=1), until=at("2020-06-03")
    )
    assert shown(late) == ["Acme", "Porto", "Rome"]
