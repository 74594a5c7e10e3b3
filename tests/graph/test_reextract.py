"""Reading again with another extractor, on the real Neo4j: what replaces what, what is carried over, what a stopped run repeats."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

import pytest

from graphmem.errors import InputError, ReplyError
from graphmem.graph import read
from graphmem.graph.connection import Graph
from graphmem.graph.correct import correct, retract
from graphmem.graph.verify import verify
from graphmem.graph.write import read_head
from graphmem.ingest import Ingestion, reextract, store_statement
from graphmem.providers.local_embedder import LocalEmbedder
from graphmem.records import Extracted, FactDraft, Mention, Quote, Session, Turn, Window
from graphmem.settings import Settings
from tests.graph.shape import everything, shape

BEGAN = datetime(2023, 5, 1, 10, tzinfo=UTC)
SAID = "I moved to Porto. I like tea, figs and long walks."


class Scripted:
    """An extractor that states what it is told of each turn: (property, value, words quoted). Counts the windows it reads."""

    parallel = 1

    def __init__(self, name: str, says: Mapping[str, Sequence[tuple[str, str, str]]], fails_on: str = "") -> None:
        self.name = name
        self.version = "1"
        self.says = says
        self.fails_on = fails_on
        self.read: list[list[str]] = []

    async def extract(self, window: Window) -> Extracted:
        """The facts of the window's new turns."""
        ids = [turn.source_id for turn in window.turns]
        if self.fails_on in ids:
            raise ReplyError("nothing that can be used")
        self.read.append(ids)
        facts = []
        for turn in window.turns:
            for property_, value, words in self.says.get(turn.source_id, self.says.get("*", ())):
                start = turn.text.index(words)
                quote = Quote(turn.id, start, start + len(words), words)
                owner = Mention(turn.speaker, "Person", quote, speaker=turn.speaker)
                many = property_ != "lives_in"
                facts.append(FactDraft(owner, property_, value, quote, cardinality="many" if many else "one"))
        return Extracted(self.name, self.version, (), tuple(facts))


def talk(namespace: str, turns: int = 1, text: str = SAID, sessions: int = 1) -> list[Session]:
    """Sessions of Ana saying the same in every turn."""
    found = []
    for number in range(sessions):
        own = f"{namespace}-s{number}"
        at = BEGAN + timedelta(days=number)
        said = tuple(
            Turn(f"{own}-{n}", namespace, own, f"{number}:{n}", n, "Ana", text, at + timedelta(minutes=n))
            for n in range(turns)
        )
        found.append(Session(own, namespace, f"s{number}", "test", at, said))
    return found


OLD = Scripted("old", {"*": [("lives_in", "Porto", "moved to Porto"), ("likes", "tea", SAID), ("likes", "figs", SAID)]})


@pytest.fixture
def ingestion(graph: Graph, embedder: LocalEmbedder):
    """What ingests and reads again by an extractor; windows of 4 turns that overlap by one."""

    def make(extractor: Scripted, window_turns: int = 4) -> Ingestion:
        return Ingestion(graph, embedder, extractor, Settings(window_turns=window_turns, window_overlap=1))

    return make


async def stated(graph: Graph, namespace: str, **times: datetime) -> set[tuple[str, str]]:
    """What holds, as (property, value)."""
    return {(fact.property, fact.value) for fact in (await read.facts(graph, namespace, **times)).facts}


async def test_the_new_reading_replaces_the_old_and_known_at_shows_the_old_still(
    graph: Graph, ingestion, namespace: str
) -> None:
    await ingestion(OLD).run(talk(namespace))
    before = await everything(graph, namespace)
    then = (await read_head(graph, namespace)).created_at
    assert then is not None
    new = Scripted("new", {"*": [("lives_in", "Porto", "moved to Porto"), ("likes", "long walks", "long walks")]})
    report = await reextract(ingestion(new), namespace)
    assert report.ok
    assert await stated(graph, namespace) == {("lives_in", "Porto"), ("likes", "long walks")}
    assert await stated(graph, namespace, known_at=then) == {
        ("lives_in", "Porto"),
        ("likes", "tea"),
        ("likes", "figs"),
    }
    after = await everything(graph, namespace)
    assert {key: after.get(key) for key in before} == before, "nothing that was there has changed"
    again = await reextract(ingestion(new), namespace)
    assert not again.namespaces, "nothing is left to read again"
    assert await everything(graph, namespace) == after
    assert (await verify(graph, namespace)).ok


async def test_going_back_to_the_old_extractor_is_a_reading_of_its_own(graph: Graph, ingestion, namespace: str) -> None:
    await ingestion(OLD).run(talk(namespace))
    new = Scripted("new", {})
    await reextract(ingestion(new), namespace)
    assert await stated(graph, namespace) == set()
    between = (await read_head(graph, namespace)).created_at
    assert between is not None
    await reextract(ingestion(OLD), namespace)
    assert await stated(graph, namespace) == {("lives_in", "Porto"), ("likes", "tea"), ("likes", "figs")}
    assert await stated(graph, namespace, known_at=between) == set()


async def test_plain_ingestion_leaves_what_another_has_read_and_says_so(
    graph: Graph, ingestion, namespace: str
) -> None:
    await ingestion(OLD).run(talk(namespace, turns=3))
    new = Scripted("new", {"*": [("likes", "long walks", "long walks")]})
    report = await ingestion(new).run(talk(namespace, turns=5))
    assert report.ok
    assert report.total("turns_read_by_others") == 3
    assert new.read == [["0:3", "0:4"]]


async def test_windows_keep_the_bounds_of_what_they_replace_so_that_no_turn_is_lost(
    graph: Graph, ingestion, namespace: str
) -> None:
    """Though the windows of the settings have another size now."""
    await ingestion(OLD).run(talk(namespace, turns=7))
    windows = sorted(OLD.read[-2:])  # they are read side by side, in no order
    assert windows == [["0:0", "0:1", "0:2", "0:3"], ["0:4", "0:5", "0:6"]]
    new = Scripted("new", {"*": [("likes", "long walks", "long walks")]})
    report = await reextract(ingestion(new, window_turns=3), namespace)
    assert report.ok
    assert sorted(new.read) == windows
    found = await everything(graph, namespace)
    standing = {key for key in found if found[key][0] == "Extraction"} - {
        key.split(" ")[2] for key, (kind, _) in found.items() if kind == "REPLACES"
    }
    assert sorted(turn for key in standing for turn in found[key][1]["window"]) == sorted(  # type: ignore[attr-defined]
        key for key in found if found[key][0] == "Turn"
    )


async def test_two_readings_that_overlap_are_replaced_by_one(graph: Graph, ingestion, namespace: str) -> None:
    """As two extractors that wrote at the same time could leave them."""
    writers = [ingestion(OLD, window_turns=3), ingestion(Scripted("other", {"*": [("likes", "tea", SAID)]}))]
    reports = await asyncio.gather(*(writer.run(talk(namespace, turns=5)) for writer in writers))
    assert all(report.ok for report in reports)
    new = Scripted("new", {"*": [("likes", "long walks", "long walks")]})
    await reextract(ingestion(new), namespace)
    assert await stated(graph, namespace) == {("likes", "long walks")}
    assert sorted(turn for window in new.read for turn in window) == [f"0:{n}" for n in range(5)]


@pytest.mark.parametrize("bad", ["0:0", "1:0", "2:0"])
async def test_a_run_that_stops_is_finished_by_the_next_and_nothing_is_read_twice(
    graph: Graph, ingestion, namespace: str, bad: str
) -> None:
    """A window that fails is an Attempt, its old reading stands until it succeeds, and the end is that of an undisturbed run."""
    says = {"*": [("lives_in", "Porto", "moved to Porto"), ("likes", "long walks", "long walks")]}
    for name in (namespace, f"{namespace}-whole"):
        await ingestion(OLD).run(talk(name, sessions=3))
    failing = Scripted("new", says, fails_on=bad)
    report = await reextract(ingestion(failing), namespace)
    assert not report.ok
    assert (report.total("windows_added"), report.total("windows_failed")) == (2, 1)
    assert ("likes", "tea") in await stated(graph, namespace), "what could not be read again stands as it was read"
    mended = Scripted("new", says)
    assert (await reextract(ingestion(mended), namespace)).ok
    assert mended.read == [[bad]]
    await reextract(ingestion(Scripted("new", says)), f"{namespace}-whole")
    assert await shape(graph, namespace) == await shape(graph, f"{namespace}-whole")
    assert await stated(graph, namespace) == {("lives_in", "Porto"), ("likes", "long walks")}


async def decided(graph: Graph, embedder: LocalEmbedder, namespace: str, value: str, instead: str | None = None) -> str:
    """A person retracts a value, or corrects it; the identifier of what was appended."""
    [fact] = [fact for fact in (await read.facts(graph, namespace)).facts if fact.value == value]
    words: Quote = await store_statement(graph, embedder, namespace, "Ana", f"Not {value}!", BEGAN + timedelta(days=9))
    if instead is None:
        return (await retract(graph, namespace, fact.id, words, embedder)).fact_id
    return (await correct(graph, namespace, fact.id, instead, words, embedder)).fact_id


async def test_what_a_person_has_corrected_or_retracted_stays_so(
    graph: Graph, ingestion, embedder: LocalEmbedder, namespace: str
) -> None:
    """Said alike, and in other words on the same quotation; what was not retracted is not drawn in, and known_at has it all."""
    await ingestion(OLD).run(talk(namespace))
    await decided(graph, embedder, namespace, "Porto", "Braga")
    await decided(graph, embedder, namespace, "tea")
    assert await stated(graph, namespace) == {("lives_in", "Braga"), ("likes", "figs")}
    says = [("lives_in", "Porto", "moved to Porto"), ("likes", "green tea", "I like tea"), ("likes", "figs", SAID)]
    await reextract(ingestion(Scripted("new", {"*": says})), namespace)
    assert await stated(graph, namespace) == {("lives_in", "Braga"), ("likes", "figs")}
    nothing = Scripted("newer", {})
    await reextract(ingestion(nothing), namespace)
    assert await stated(graph, namespace) == {("lives_in", "Braga")}
    await reextract(ingestion(Scripted("newest", {"*": says})), namespace)
    assert await stated(graph, namespace) == {("lives_in", "Braga"), ("likes", "figs")}
    assert (await verify(graph, namespace)).ok


async def test_a_correction_that_was_retracted_is_so_for_the_new_reading_too(
    graph: Graph, ingestion, embedder: LocalEmbedder, namespace: str
) -> None:
    await ingestion(OLD).run(talk(namespace))
    correction = await decided(graph, embedder, namespace, "Porto", "Braga")
    words = await store_statement(graph, embedder, namespace, "Ana", "It was Porto.", BEGAN + timedelta(days=10))
    await retract(graph, namespace, correction, words, embedder)
    await reextract(ingestion(Scripted("new", {"*": [("lives_in", "Porto", "moved to Porto")]})), namespace)
    assert await stated(graph, namespace) == {("lives_in", "Porto")}


async def test_a_session_that_there_is_not_is_refused(graph: Graph, ingestion, namespace: str) -> None:
    await ingestion(OLD).run(talk(namespace, sessions=2))
    with pytest.raises(InputError, match="s9"):
        await reextract(ingestion(Scripted("new", {})), namespace, ["s0", "s9"])
    report = await reextract(ingestion(Scripted("new", {})), namespace, ["s1"])
    assert report.total("windows_added") == 1
