"""How what holds came about, on the real Neo4j: changes, gaps, lengths, conflicts, denials, and what was learned when."""

from __future__ import annotations

from datetime import timedelta

import pytest

from graphmem.errors import InputError
from graphmem.graph.connection import Graph
from graphmem.graph.read_changes import changed, conflicts, denials, diff, gaps, how_long, properties
from tests.graph.read_world import Scribe, at


@pytest.fixture
def scribe(graph: Graph, namespace: str) -> Scribe:
    """Writes into the test's own namespace."""
    return Scribe(graph, namespace)


async def test_when_it_changed(graph: Graph, scribe: Scribe, namespace: str) -> None:
    """From what to what and when; a first value that nobody dated is no change, an ending without a successor is one."""
    ana = scribe.entity("Ana")
    scribe.fact(ana, "lives_in", "Porto", "2020-03-01")
    scribe.fact(ana, "lives_in", "Faro", "2021-05-01", "2021-04-10")
    scribe.fact(ana, "lives_in", "Faro", "2022-01-01", "2022-01-01", polarity="ended")
    scribe.fact(ana, "likes", "tea", "2021-01-01", "2020-12-01", single=False)
    scribe.fact(ana, "likes", "tea", "2023-01-01", single=False, polarity="denied")
    await scribe.commit()

    def shown(changes):
        return [(c.at, c.before and c.before.value, c.after and c.after.value) for c in changes]

    assert shown(await changed(graph, namespace, [ana])) == [
        (at("2020-12-01"), None, "tea"),
        (at("2021-04-10"), "Porto", "Faro"),
        (at("2022-01-01"), "Faro", None),
        (at("2023-01-01"), "tea", None),
    ]
    assert shown(
        await changed(graph, namespace, [ana], ["lives_in"], since=at("2021-04-10"), until=at("2022-01-01"))
    ) == [(at("2021-04-10"), "Porto", "Faro")]
    assert shown(await changed(graph, namespace, [ana], ["lives_in"], said_by=at("2020-04-01"))) == []


async def test_gaps_are_where_nothing_is_known(graph: Graph, scribe: Scribe, namespace: str) -> None:
    """Between a stated end and the next beginning; a value that goes on leaves no gap, and where values overlap, the last to end counts."""
    ana, ben = scribe.entity("Ana"), scribe.entity("Ben")
    scribe.fact(ana, "works_at", "Acme", "2021-01-01", "2018-01-01", "2019-01-01")
    scribe.fact(ana, "works_at", "Beta", "2021-01-01", "2020-01-01")
    for value, since, until in (
        ("ulna", "2018-01-01", "2022-01-01"),
        ("oboe", "2019-01-01", "2020-01-01"),
        ("harp", "2021-01-01", "2021-06-01"),
        ("lute", "2023-01-01", None),
        ("viol", "2024-01-01", None),
    ):
        scribe.fact(ben, "plays", value, "2024-02-01", since, until, single=False)
    await scribe.commit()
    found = await gaps(graph, namespace)
    assert [(g.since, g.until, g.before.value, g.after.value) for g in found] == [
        (at("2019-01-01"), at("2020-01-01"), "Acme", "Beta"),
        (at("2022-01-01"), at("2023-01-01"), "ulna", "lute"),
    ]
    assert len(await gaps(graph, namespace, [ana])) == 1


async def test_how_long_it_held(graph: Graph, scribe: Scribe, namespace: str) -> None:
    """Exactly where both ends were said; at least up to when it was last said where it goes on; up to as_of when that is asked."""
    ana = scribe.entity("Ana")
    scribe.fact(ana, "lives_in", "Porto", "2020-03-01", "2020-01-01")
    scribe.fact(ana, "lives_in", "Faro", "2021-01-11", "2021-01-01")
    scribe.fact(ana, "lives_in", "Faro", "2021-02-10")
    scribe.fact(ana, "likes", "tea", "2021-01-01", single=False)
    await scribe.commit()
    found = {x.fact.value: x for x in await how_long(graph, namespace, [ana])}
    assert (found["Porto"].length, found["Porto"].at_least) == (timedelta(days=366), False)
    assert (found["Faro"].length, found["Faro"].at_least) == (timedelta(days=40), True)
    assert (found["tea"].length, found["tea"].at_least) == (timedelta(0), True)
    found = {x.fact.value: x for x in await how_long(graph, namespace, [ana], as_of=at("2021-03-02"))}
    assert (found["Faro"].length, found["Faro"].at_least) == (timedelta(days=60), False)
    assert found["Porto"].length == timedelta(days=366)
    assert found["tea"].at_least
    early = await how_long(graph, namespace, [ana], as_of=at("2020-07-01"))
    assert [(x.fact.value, x.length.days) for x in early] == [("Porto", 182)]


async def test_conflicts_give_both_sides_and_what_decides(graph: Graph, scribe: Scribe, namespace: str) -> None:
    """A correction is preferred, then what was said later, then confidence; a plain move is no conflict."""
    ana = scribe.entity("Ana")
    scribe.fact(ana, "lives_in", "Porto", "2020-03-01", "2020-01-01")
    scribe.fact(ana, "lives_in", "Faro", "2021-03-01", "2021-01-01")
    scribe.fact(ana, "works_at", "Acme", "2021-01-01", "2019-01-01", "2021-01-01")
    scribe.fact(ana, "works_at", "Beta", "2020-07-01", "2020-06-01")
    scribe.fact(ana, "height", "170", "2021-01-01", "2021-01-01", confidence=0.4)
    scribe.fact(ana, "height", "171", "2021-01-01", "2021-01-01", confidence=0.6)
    scribe.fact(ana, "likes", "tea", "2021-01-01", "2021-01-01", single=False)
    scribe.fact(ana, "likes", "tea", "2021-02-01", "2021-01-01", single=False, polarity="denied")
    wrong = scribe.fact(ana, "born_in", "Rome", "2020-01-01", "1990-01-01")
    await scribe.commit()
    scribe.fact(ana, "born_in", "Bern", "2021-01-01", "1990-01-01", corrects=[wrong])
    scribe.fact(ana, "born_in", "Oslo", "2022-01-01", "1990-01-01")
    await scribe.commit()
    found = await conflicts(graph, namespace, [ana])
    assert [(c.preferred.value, c.preferred.polarity, c.other.value, c.because) for c in found] == [
        ("Bern", "holds", "Oslo", "correction"),
        ("171", "holds", "170", "confidence"),
        ("tea", "denied", "tea", "later statement"),
        ("Acme", "holds", "Beta", "later statement"),
    ]
    acme = found[-1]
    assert (acme.about.start, acme.about.end) == (at("2020-06-01"), at("2021-01-01"))
    assert "Acme" in acme.preferred.evidence[0].quote
    assert "Beta" in acme.other.evidence[0].quote
    assert [c.preferred.value for c in await conflicts(graph, namespace, [], ["height"])] == ["171"]
    assert await conflicts(graph, namespace, [ana], said_by=at("2020-12-31")) == ()


async def test_what_is_said_not_to_hold(graph: Graph, scribe: Scribe, namespace: str) -> None:
    """A denial stands until somebody says that it does hold after all; also one of what nobody ever said."""
    ana = scribe.entity("Ana")
    scribe.fact(ana, "eats", "meat", "2021-01-01", single=False, polarity="denied")
    scribe.fact(ana, "eats", "fish", "2021-01-01", single=False, polarity="denied")
    scribe.fact(ana, "eats", "fish", "2022-01-01", single=False)
    await scribe.commit()
    assert [f.value for f in await denials(graph, namespace, [ana])] == ["meat"]
    then = await denials(graph, namespace, [ana], as_of=at("2021-06-01"))
    assert sorted(f.value for f in then) == ["fish", "meat"]
    assert {f.polarity for f in then} == {"denied"}
    assert await denials(graph, namespace, [ana], as_of=at("2020-06-01")) == ()


async def test_properties_are_counted_by_what_stands(graph: Graph, scribe: Scribe, namespace: str) -> None:
    """Undone statements do not count, nor do statements of others where subjects are given."""
    ana, ben = scribe.entity("Ana"), scribe.entity("Ben")
    wrong = scribe.fact(ana, "lives_in", "Porto", "2020-03-01")
    scribe.fact(ben, "lives_in", "Faro", "2020-03-01")
    scribe.fact(ben, "likes", "tea", "2020-03-01", single=False)
    before = await scribe.commit()
    scribe.fact(ana, "lives_in", "Porto", "2020-04-01", polarity="denied", retracts=[wrong])
    await scribe.commit()
    found = await properties(graph, namespace, known_at=before)
    assert [(p.name, p.cardinality, p.facts, p.subjects) for p in found] == [
        ("lives_in", "one", 2, 2),
        ("likes", "many", 1, 1),
    ]
    assert [(p.name, p.facts) for p in await properties(graph, namespace)] == [("likes", 1), ("lives_in", 1)]
    assert await properties(graph, namespace, [ana]) == ()
    assert [p.name for p in await properties(graph, namespace, [ben], said_by=at("2020-03-01"))] == [
        "likes",
        "lives_in",
    ]


async def test_diff_says_what_was_learned_and_what_was_given_up(graph: Graph, scribe: Scribe, namespace: str) -> None:
    """New statements, those undone and by what, and those that stand again; between any two of the memory's times."""
    ana = scribe.entity("Ana")
    wrong = scribe.fact(ana, "lives_in", "Porto", "2020-03-01")
    misread = scribe.fact(ana, "likes", "tee", "2020-03-01", single=False)
    told = scribe.event([ana], "visit", "Rom", "2020-03-01", "2020-02-01", "2020-02-02")
    scribe.extraction("rules", [misread])
    scribe.extraction("rules of events", [told], "Event")
    first = await scribe.commit()
    correction = scribe.fact(ana, "lives_in", "Faro", "2020-05-01", corrects=[wrong])
    scribe.extraction("model", [], replaces=["rules", "rules of events"])
    scribe.entity("Ben")
    second = await scribe.commit()
    scribe.fact(ana, "lives_in", "Faro", "2020-06-01", polarity="denied", retracts=[correction])
    third = await scribe.commit()

    learned = await diff(graph, namespace, first, second)
    assert [f.value for f in learned.facts] == ["Faro"]
    undone = {(u.fact or u.event).id: u.by for u in learned.undone if u.fact or u.event}  # type: ignore[union-attr]
    assert undone == {wrong: (correction,), misread: (), told: ()}
    assert (learned.entities, learned.turns, learned.restored, learned.events) == (("Ben",), 1, (), ())
    assert learned.facts[0].subject == "Ana"
    back = await diff(graph, namespace, second, third)
    assert [r.id for r in back.restored] == [wrong]
    assert [u.fact.id for u in back.undone if u.fact] == [correction]
    assert back.facts == ()
    whole = await diff(graph, namespace, first, third)
    assert whole.facts == ()
    assert {u.fact.id for u in whole.undone if u.fact} == {misread}
    everything = await diff(graph, namespace, at("1970-01-01"), first)
    assert {f.value for f in everything.facts} == {"Porto", "tee"}
    assert [(e.object, e.participants) for e in everything.events] == [("Rom", ("Ana",))]
    assert everything.turns == 3
    assert (await diff(graph, namespace + "-other", at("1970-01-01"), third)).turns == 0
    with pytest.raises(InputError, match="must come before"):
        await diff(graph, namespace, third, first)
