"""Grep on a real server: every turn and event that holds a text, letter by letter."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from graphmem.errors import QuestionError
from graphmem.graph.batch import Batch
from graphmem.graph.connection import Graph
from graphmem.graph.rows_stated import add_event
from graphmem.graph.write import append, read_head
from graphmem.ids import digest
from graphmem.providers import LocalEmbedder
from graphmem.records import EventDraft, Quote, TimeNote
from graphmem.search import grep_events, grep_turns
from graphmem.search.grep import TurnMatches
from tests.graph.test_search_turns import SAID, START, store


@pytest.fixture(scope="module")
async def memory(graph: Graph, embedder: LocalEmbedder) -> str:
    """A namespace with three sessions and two events."""
    name = f"test-grep-{datetime.now(UTC).timestamp()}"
    await store(graph, embedder, name)
    batch = Batch(name)
    for place, (kind, summary) in enumerate([("move", "Ana moved to Porto"), ("exam", "Tom's exam about templates")]):
        session, position, day = (("s1", 0, -7), ("s2", 1, 38))[place]
        turn = digest("turn", name, session, position)
        text = SAID[session][position][1]
        begins = START + timedelta(days=day)
        draft = EventDraft(kind, "", "", "", summary, Quote(turn, 0, len(text), text))
        time = TimeNote("", "test", "", "day", 1.0, begins, begins + timedelta(days=1))
        add_event(batch, draft, time, "test 1", START, summary, embedder.embed_documents([summary])[0])
    await append(graph, batch, await read_head(graph, name))
    return name


def ids(found: TurnMatches) -> list[str]:
    """The turns by their names in the source."""
    return [match.turn.turn_id for match in found.matches]


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("Porto", ["s1:0"]),
        ("porto last", ["s1:0"]),
        ("sail", ["s3:0"]),
        ("iling", ["s3:0"]),
        ("SR-2023-05", ["s2:3"]),
        ("C++ (v2.0.1)", ["s2:0"]),
        ("喜欢", ["s2:2"]),
        ("喝早茶。", ["s2:2"]),
        ("早", ["s2:2"]),
        ("القهوة", ["s3:1"]),
        ("café", ["s3:2"]),
        ("cafe\u0301", ["s3:2"]),
        ("🎉", ["s3:2"]),
        ("the", ["s1:0", "s1:2", "s2:1", "s3:2"]),
        ("?", ["s1:1", "s2:0"]),
        ("new here", ["s3:3"]),
        ("no such words", []),
        ('" OR scope:*', []),
    ],
)
async def test_every_turn_that_holds_a_text_is_found_oldest_first(
    graph: Graph, memory: str, text: str, turns: list[str]
) -> None:
    found = await grep_turns(graph, text, namespace=memory)
    assert ids(found) == turns
    assert found.complete


async def test_where_it_stands_is_told_in_code_points(graph: Graph, memory: str) -> None:
    [match] = (await grep_turns(graph, "Porto", namespace=memory)).matches
    [(start, end)] = match.spans
    assert match.turn.text[start:end] == "Porto"
    assert match.turn.said_at == START


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        (r"SR-\d{4}-\d{3}", ["s2:3"]),
        (r"sail(ing|ed)", ["s3:0"]),
        (r"(flat|lift)\b", ["s1:0", "s1:2"]),
        (r"^Not", ["s2:1", "s3:3"]),
        (r"\bJUNE\b", ["s2:1"]),
    ],
)
async def test_a_regular_expression_finds_what_it_matches(
    graph: Graph, memory: str, text: str, turns: list[str]
) -> None:
    assert ids(await grep_turns(graph, text, namespace=memory, regular=True)) == turns


async def test_case_matters_only_when_asked(graph: Graph, memory: str) -> None:
    assert ids(await grep_turns(graph, "PORTO", namespace=memory, case=True)) == []
    assert ids(await grep_turns(graph, "Porto", namespace=memory, case=True)) == ["s1:0"]


async def test_filters_hold(graph: Graph, memory: str) -> None:
    assert ids(await grep_turns(graph, "the", namespace=memory, speaker="Tom")) == ["s2:1"]
    assert ids(await grep_turns(graph, "the", namespace=memory, session="s1")) == ["s1:0", "s1:2"]
    assert ids(await grep_turns(graph, "the", namespace=memory, since=START + timedelta(minutes=1))) == [
        "s1:2",
        "s2:1",
        "s3:2",
    ]
    assert ids(await grep_turns(graph, "Porto", namespace=memory, until=START)) == []
    assert ids(await grep_turns(graph, "Porto", namespace=memory + "x")) == []


async def test_what_lies_beyond_the_limit_is_told(graph: Graph, memory: str) -> None:
    found = await grep_turns(graph, "the", namespace=memory, limit=2)
    assert ids(found) == ["s1:0", "s1:2"]
    assert not found.complete


@pytest.mark.parametrize(("text", "regular"), [("", False), ("(a+)+", True), ("[", True)])
async def test_what_cannot_be_looked_for_is_refused(graph: Graph, memory: str, text: str, regular: bool) -> None:
    with pytest.raises(QuestionError):
        await grep_turns(graph, text, namespace=memory, regular=regular)


@pytest.mark.parametrize(
    ("text", "regular", "summaries"),
    [
        ("moved to porto", False, ["Ana moved to Porto"]),
        ("view of the river", False, ["Ana moved to Porto"]),
        ("templates", False, ["Tom's exam about templates"]),
        (r"(Ana|Tom)\b", True, ["Ana moved to Porto", "Tom's exam about templates"]),
        ("nothing", False, []),
    ],
)
async def test_events_are_found_by_summary_and_quotation(
    graph: Graph, memory: str, text: str, regular: bool, summaries: list[str]
) -> None:
    found = await grep_events(graph, text, namespace=memory, regular=regular)
    assert sorted(event.summary for event in found.events) == summaries
    assert found.complete
    assert all(event.evidence for event in found.events)


async def test_events_are_filtered_by_when_they_happened(graph: Graph, memory: str) -> None:
    found = await grep_events(graph, "a", namespace=memory, since=START)
    assert [event.summary for event in found.events] == ["Tom's exam about templates"]
    found = await grep_events(graph, "a", namespace=memory, until=START)
    assert [event.summary for event in found.events] == ["Ana moved to Porto"]
