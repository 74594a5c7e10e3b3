"""Lazy ingestion: turns are stored and found, and a question reads what bears on it, once, and says how much has been read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphmem import AsyncMemory, NewTurn, Settings
from graphmem.answer.whole import needs_everything
from graphmem.extract.with_rules import RuleExtractor
from graphmem.graph.connection import Graph
from graphmem.records import Extracted, Window
from graphmem.search.relevance import relevance_of_sessions
from tests.graph.shape import everything, shape

SAID = {
    "dog": ["I adopted a dog last week.", "He is called Rex.", "He sleeps all day."],
    "move": ["I moved to Porto in March.", "The flat is near the river.", "The rent is fine."],
    "work": ["I started a job at Acme yesterday.", "My manager is Nina.", "The office is far."],
    "music": ["I bought a violin on Monday.", "I practise every evening.", "My teacher is patient."],
}
ASKED = "Where does Ana live?"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Four sessions, each about something else."""
    lines = [
        {
            "session": name,
            "id": f"{name}:{number}",
            "speaker": "Ana",
            "said_at": f"2024-0{month}-05T10:0{number}:00+00:00",
            "text": text,
        }
        for month, (name, texts) in enumerate(SAID.items(), start=3)
        for number, text in enumerate(texts)
    ]
    found = tmp_path / "ana.jsonl"
    found.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return found


@pytest.fixture
async def memory(settings: Settings, namespace: str):
    """A memory on a namespace of its own, which notes which sessions it reads."""
    async with AsyncMemory.open(settings=settings.with_changes(namespace=namespace)) as opened:
        opened.__dict__["extractor"] = Noting()
        yield opened


class Noting:
    """Reads by rules and notes the sessions; fails on those of ``broken``."""

    name = "rules"
    parallel = 1

    def __init__(self) -> None:
        self._rules = RuleExtractor()
        self.version = self._rules.version
        self.read: list[str] = []
        self.broken: set[str] = set()

    async def extract(self, window: Window) -> Extracted:
        """Reads a window."""
        self.read.append(window.session.source_id)
        if window.session.source_id in self.broken:
            from graphmem.errors import ReplyError

            raise ReplyError("not today")
        return await self._rules.extract(window)


def asked_of(memory: AsyncMemory) -> Noting:
    """The extractor of a memory."""
    extractor = memory.extractor
    assert isinstance(extractor, Noting)
    return extractor


async def test_lazy_ingestion_stores_findable_turns_and_reads_none(memory: AsyncMemory, path: Path) -> None:
    report = await memory.ingest(path, lazy=True)
    assert report.ok
    assert (report.added("Turn"), report.added("Extraction"), asked_of(memory).read) == (12, 0, [])
    hits = await memory.search_turns("moved to Porto")
    assert hits[0].text == "I moved to Porto in March."
    assert (await memory.coverage()).unread == tuple(SAID)


async def test_a_question_reads_the_sessions_that_bear_on_it_in_order_of_time_once_and_says_how_much(
    memory: AsyncMemory, path: Path
) -> None:
    await memory.ingest(path, lazy=True)
    relevance = await relevance_of_sessions(memory.graph, memory.embedder, ASKED, namespace=memory.settings.namespace)
    assert all(0.0 <= score <= 1.0 for score in relevance.values())
    assert max(relevance, key=lambda name: relevance[name]) == "move"
    answer = await memory.ask(ASKED)
    expected = [name for name in SAID if relevance[name] >= 0.2]
    assert "Porto" in answer.text
    assert asked_of(memory).read == expected
    assert 0 < len(expected) < len(SAID), "some bear on it and some do not"
    read = 3 * len(expected)
    assert answer.details["coverage"] == {"turns": 12, "read": read, "read_now": read, "problems": ()}
    again = await memory.ask(ASKED)
    assert asked_of(memory).read == expected, "nothing is read twice"
    assert again.details["coverage"]["read_now"] == 0


async def test_a_question_that_counts_or_lists_reads_everything(memory: AsyncMemory, path: Path) -> None:
    await memory.ingest(path, lazy=True)
    answer = await memory.ask("How many dogs does Ana have?")
    assert asked_of(memory).read == list(SAID)
    assert answer.details["coverage"]["read"] == 12


async def test_reading_lazily_gives_the_graph_of_reading_at_once(
    memory: AsyncMemory, graph: Graph, path: Path, namespace: str
) -> None:
    await memory.ingest(path, lazy=True)
    await memory.ask("How many dogs does Ana have?")
    await memory.ingest(path, namespace=f"{namespace}-whole")
    assert await shape(graph, namespace) == await shape(graph, f"{namespace}-whole")


async def test_where_online_reading_is_turned_off_or_the_past_is_asked_for_nothing_is_read_and_the_answer_says_so(
    memory: AsyncMemory, path: Path
) -> None:
    await memory.ingest(path, lazy=True)
    asked = await memory.ask(ASKED, known_at="2030-01-01")
    assert asked.details["coverage"] == {"turns": 12, "read": 0, "read_now": 0, "problems": ()}
    memory.settings = memory.settings.with_changes(online=False)
    asked = await memory.ask(ASKED)
    assert asked.details["coverage"]["read"] == 0
    assert asked_of(memory).read == []


async def test_a_window_that_failed_is_reported_and_left_to_a_flush(
    memory: AsyncMemory, graph: Graph, path: Path, namespace: str
) -> None:
    await memory.ingest(path, lazy=True)
    noting = asked_of(memory)
    noting.broken.add("move")
    answer = await memory.ask("How many dogs does Ana have?")
    assert answer.details["coverage"]["read"] == 9
    assert "session move" in answer.details["coverage"]["problems"][0]
    noting.read.clear()
    await memory.ask("How many dogs does Ana have?")
    assert noting.read == [], "a question does not pay for it again"
    noting.broken.clear()
    assert (await memory.flush()).ok
    assert noting.read == ["move"]
    assert (await memory.coverage()).share == 1.0


async def test_a_question_leaves_the_open_window_of_a_session_that_is_going_on(
    memory: AsyncMemory, graph: Graph, namespace: str
) -> None:
    await memory.add(NewTurn("Ana", "I moved to Porto in March."), session="now")
    answer = await memory.ask(ASKED)
    assert "Porto" in answer.text, "it is found by its words"
    assert answer.details["coverage"] == {"turns": 1, "read": 0, "read_now": 0, "problems": ()}
    assert not [kind for kind, _ in (await everything(graph, namespace)).values() if kind == "Extraction"]


async def test_what_a_revision_says_counts_once(memory: AsyncMemory, path: Path) -> None:
    await memory.ingest(path)
    path.write_text(path.read_text(encoding="utf-8").replace("Porto", "Braga"), encoding="utf-8")
    assert (await memory.coverage()).turns == 12
    await memory.ingest(path)
    found = await memory.coverage()
    assert (found.turns, found.share) == (12, 1.0)


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("How many dogs does Ana have?", True),
        ("How often did she play?", True),
        ("Which other cities has Ana lived in?", True),
        ("What books has Tom read?", True),
        ("List the trips.", True),
        ("Who else plays the violin?", True),
        ("Where does Ana live?", False),
        ("What does Ana do?", False),
        ("What is her dog called?", False),
        ("Where did Ana live before Lisbon?", True),
        ("Which town did she live in first?", True),
        ("Who is Nina?", False),
        ("When did Ana move to Porto?", False),
    ],
)
def test_questions_that_count_or_list_are_told_from_those_that_do_not(question: str, whole: bool) -> None:
    from datetime import UTC, datetime

    assert needs_everything(question, datetime(2024, 9, 1, tzinfo=UTC)) is whole
