"""Turns added a few at a time: findable at once, read when a window is full, at a session's end or by a flush; no state in the process."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphmem import AsyncMemory, NewTurn, Settings
from graphmem.errors import InputError
from graphmem.graph.connection import Graph
from graphmem.graph.verify import verify
from graphmem.records import Session, Turn
from graphmem.transcripts import read
from tests.conftest import TestServer
from tests.graph.shape import everything, shape

STORY = Path(__file__).resolve().parent.parent / "stories" / "support.jsonl"
SMALL = {"window_turns": 8, "window_overlap": 2}
"""Windows small enough that the story's sessions have several."""

KILLED = """
import os, signal, sys
from graphmem import Memory, NewTurn, Settings
uri, user, password, namespace = sys.argv[1:]
memory = Memory.open(settings=Settings(neo4j_uri=uri, neo4j_user=user, neo4j_password=password, namespace=namespace))
memory.add(NewTurn("Ana", "I moved to Porto last week.", id="1"), session="s")
os.kill(os.getpid(), signal.SIGKILL)
"""


def given(turn: Turn) -> NewTurn:
    """A turn as an agent would hand it over."""
    return NewTurn(
        turn.speaker, turn.text, turn.said_at, turn.source_id, turn.role, turn.addressee, turn.attachments, turn.speaker_id
    )  # fmt: skip


def read_windows(found: dict[str, tuple[str, dict[str, object]]]) -> list[int]:
    """The sizes of the windows that were read, in order of their commits."""
    extractions = [properties for kind, properties in found.values() if kind == "Extraction"]
    return [len(each["window"]) for each in sorted(extractions, key=lambda each: str(each["created_at"]))]


@pytest.fixture
async def memory(settings: Settings, namespace: str):
    """A memory on a namespace of its own."""
    async with AsyncMemory.open(settings=settings.with_changes(namespace=namespace, extractor="rules")) as opened:
        yield opened


async def test_a_turn_is_found_as_soon_as_it_is_added_and_read_by_a_flush(
    memory: AsyncMemory, graph: Graph, namespace: str
) -> None:
    report = await memory.add(NewTurn("Ana", "I moved to Porto last week."), session="today")
    assert (report.added("Turn"), report.total("windows_added")) == (1, 0)
    [hit] = await memory.search_turns("Where does Ana live?")
    assert hit.text == "I moved to Porto last week."
    assert (await memory.coverage()).unread == ("today",)
    assert (await memory.flush()).total("windows_added") == 1
    assert [fact.value for fact in (await memory.facts("Ana", "lives_in")).facts] == ["Porto"]
    assert (await memory.coverage()).share == 1.0
    assert (await memory.flush()).total("windows_added") == 0, "nothing is read twice"
    assert (await verify(graph, namespace)).ok


async def test_a_window_is_read_when_25_turns_have_gathered_and_later_ones_after_20_more(
    memory: AsyncMemory, graph: Graph, namespace: str
) -> None:
    for number in range(50):
        turn = NewTurn("Ana" if number % 2 else "Tom", f"I bought {number} books yesterday.", id=str(number))
        await memory.add(turn, session="s")
    assert read_windows(await everything(graph, namespace)) == [25, 20]
    await memory.add([], session="s", end=True)
    assert read_windows(await everything(graph, namespace)) == [25, 20, 5], "the end of the session reads the rest"


@pytest.mark.parametrize("portion", [1, 3])
async def test_turns_added_a_few_at_a_time_make_the_graph_that_ingesting_them_makes(
    settings: Settings, graph: Graph, namespace: str, portion: int
) -> None:
    sessions = [cut(session) for session in read(STORY, f"{namespace}-whole").sessions[:3]]
    async with AsyncMemory.open(settings=settings.with_changes(**SMALL)) as memory:
        await memory.ingest(sessions)
        for session in sessions:
            for begin in range(0, len(session.turns), portion):
                turns = [given(turn) for turn in session.turns[begin : begin + portion]]
                await memory.add(turns, session=session.source_id, namespace=namespace)
            await memory.flush(session.source_id, namespace=namespace)
    sizes = read_windows(await everything(graph, namespace))
    assert max(sizes) == 8
    assert len(sizes) > len(sessions)
    assert await shape(graph, namespace) == await shape(graph, f"{namespace}-whole")


def cut(session: Session) -> Session:
    """A session as if it had been added: without what only a file says of it."""
    return replace(session, source="added", title=None)


async def test_an_agent_that_is_killed_loses_nothing_and_another_goes_on(
    memory: AsyncMemory, neo4j_server: TestServer, namespace: str
) -> None:
    command = [sys.executable, "-c", KILLED, neo4j_server.uri, neo4j_server.user, neo4j_server.password, namespace]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GRAPHMEM_")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert (await memory.coverage()).turns == 1
    await memory.add(NewTurn("Ana", "I adopted a dog yesterday.", id="2"), session="s")
    report = await memory.flush()
    assert report.total("windows_added") == 1, "one window, of what both have added"
    assert [fact.value for fact in (await memory.facts("Ana", "lives_in")).facts] == ["Porto"]


async def test_a_session_from_a_transcript_goes_on_with_turns_that_are_added(
    memory: AsyncMemory, graph: Graph, namespace: str
) -> None:
    session = read(STORY, namespace).sessions[0]
    begun = replace(session, turns=session.turns[:5])
    await memory.ingest([begun])
    for turn in session.turns[5:8]:
        await memory.add(given(turn), session=session.source_id)
    assert read_windows(await everything(graph, namespace)) == [5], "no window is cut short by an added turn"
    await memory.flush(session.source_id)
    assert read_windows(await everything(graph, namespace)) == [5, 3]


async def test_turns_added_to_one_session_at_once_stand_one_after_the_other(
    memory: AsyncMemory, graph: Graph, namespace: str
) -> None:
    turns = [NewTurn(f"Guest {n}", f"My name is Guest number {n}.", id=str(n)) for n in range(12)]
    await asyncio.gather(*(memory.add(turn, session="party") for turn in turns))
    found = await everything(graph, namespace)
    stored = [properties for kind, properties in found.values() if kind == "Turn"]
    assert sorted(each["position"] for each in stored) == list(range(12))
    assert len({each["source_id"] for each in stored}) == 12


async def test_a_call_that_is_repeated_adds_nothing(memory: AsyncMemory, graph: Graph, namespace: str) -> None:
    turns: Sequence[NewTurn] = [given(turn) for turn in read(STORY, "x").sessions[0].turns[:4]]
    unnamed = [replace(turn, id=None) for turn in (*turns, turns[-1])]
    assert (await memory.add(unnamed, session="s")).added("Turn") == 5, "said twice at once is two turns"
    before = await everything(graph, namespace)
    assert (await memory.add(unnamed, session="s")).added("Turn") == 0
    assert await everything(graph, namespace) == before


@pytest.mark.parametrize(
    ("turn", "session", "said"),
    [
        (NewTurn("", "Hello."), "s", "no speaker"),
        (NewTurn("Ana", " "), "s", "no text"),
        (NewTurn("Ana", "Hello."), " ", "session is ' '"),
        (NewTurn("Ana", "Hello."), "statements", "session is 'statements'"),
        (replace(NewTurn("Ana", "Hello."), said_at=datetime(2024, 1, 1)), "s", "without an offset"),
    ],
)
async def test_what_cannot_be_added_is_refused_with_the_reason(
    memory: AsyncMemory, turn: NewTurn, session: str, said: str
) -> None:
    with pytest.raises(InputError, match=said):
        await memory.add(turn, session=session)


@pytest.mark.parametrize("year", [1, 999, 9991, 9999])
async def test_a_turn_of_a_year_that_cannot_be_computed_with_is_refused_and_leaves_nothing(
    memory: AsyncMemory, year: int
) -> None:
    said_at = datetime(year, 12, 31, 23, 59, tzinfo=UTC)
    with pytest.raises(InputError, match=r"turn 8 of session 'e': said_at .* lies outside the years 1000 to 9990"):
        await memory.add([NewTurn("Bo", "Hello."), NewTurn("Bo", "I live in Rome.", said_at, "8")], session="e")
    assert await memory.is_empty()
    assert (await memory.add(NewTurn("Bo", "I live in Rome.", said_at.replace(year=1900)), session="e", end=True)).ok
