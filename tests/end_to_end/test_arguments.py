"""What is of the wrong kind is refused where it comes in, by one error of the tree that says what was given and what to give."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from graphmem import AsyncMemory, Memory, NewTurn, Settings
from graphmem.errors import ConfigurationError, InputError, QuestionError
from graphmem.graph.connection import Graph
from graphmem.records import Attachment
from tests.graph.shape import everything

WHEN = datetime(2024, 1, 1, tzinfo=UTC)
HALF = "a\ud800b"
Call = Callable[[AsyncMemory], Awaitable[object]]


@pytest.fixture
async def memory(settings: Settings, namespace: str) -> AsyncIterator[AsyncMemory]:
    """A memory on a namespace of its own, in which Zoe is somebody."""
    async with AsyncMemory.open(settings=settings.with_changes(namespace=namespace, extractor="rules")) as opened:
        await opened.add(NewTurn("Zoe", "I drink tea.", WHEN, "1"), session="first", end=True)
        yield opened


ASKED: list[tuple[str, Call]] = [
    ("question is None; give text", lambda m: m.ask(None)),  # type: ignore[arg-type]
    (r"question is 5 \(int\); give text", lambda m: m.ask(5)),  # type: ignore[arg-type]
    (r"question is b'x' \(bytes\); give text", lambda m: m.ask(b"x")),  # type: ignore[arg-type]
    ("question has a lone surrogate.* at character 1", lambda m: m.ask(HALF)),
    (r"namespace is 5 \(int\); give text", lambda m: m.ask("Who?", namespace=5)),  # type: ignore[arg-type]
    (r"subject is 5 \(int\); give text", lambda m: m.facts(5)),  # type: ignore[arg-type]
    (r"property is 5 \(int\); give text", lambda m: m.facts("Zoe", 5)),  # type: ignore[arg-type]
    (r"as_of is 5 \(int\); give a datetime", lambda m: m.facts("Zoe", as_of=5)),  # type: ignore[arg-type]
    ("as_of is 9999-12-31.* outside the calendar", lambda m: m.facts("Zoe", as_of="9999-12-31T23:59:59-12:00")),
    (r"when is 5 \(int\); give a datetime", lambda m: m.before(5)),  # type: ignore[arg-type]
    (r"limit is '5' \(str\); give a whole number", lambda m: m.search_turns("tea", limit="5")),  # type: ignore[arg-type]
    (r"limit is True \(bool\); give a whole number", lambda m: m.search_turns("tea", limit=True)),
    (r"limit is '5' \(str\)", lambda m: m.first("Zoe", limit="5")),  # type: ignore[arg-type]
    (r"speaker is 5 \(int\); give text", lambda m: m.search_turns("tea", speaker=5)),  # type: ignore[arg-type]
    (r"text is None; give text", lambda m: m.grep_turns(None)),  # type: ignore[arg-type]
    (r"budget is '9' \(str\)", lambda m: m.context("tea", "9")),  # type: ignore[arg-type]
    (r"verbs is 'move' \(str\); give a list", lambda m: m.count("Zoe", verbs="move")),
    (r"query is 5 \(int\); give text", lambda m: m.cypher(5)),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("said", "call"), ASKED, ids=[said for said, _ in ASKED])
async def test_a_question_or_filter_of_the_wrong_kind_is_a_question_error(
    memory: AsyncMemory, said: str, call: Call
) -> None:
    with pytest.raises(QuestionError, match=said):
        await call(memory)


def turn(**fields: Any) -> NewTurn:
    """A turn with these fields, of whatever kind."""
    return NewTurn(**{"speaker": "Zoe", "text": "Hello.", "said_at": WHEN, **fields})


ADDED: list[tuple[str, object, object]] = [
    (r"turn 1 of those to add is 'hi' \(str\); give a NewTurn", ["hi"], "s"),
    (r"turns is 'hi' \(str\); give a NewTurn, or a list", "hi", "s"),
    ("turn 2 of those to add has text None; give text", [turn(), turn(text=None)], "s"),
    (r"turn 1 of those to add has speaker 5 \(int\); give text", turn(speaker=5), "s"),
    (r"has said_at '2024-01-01' \(str\); give an aware datetime", turn(said_at="2024-01-01"), "s"),
    ("turn 1 of those to add has in its text a lone surrogate.* at character 1", turn(text=HALF), "s"),
    (r"has the attachment 'a' \(str\); give an Attachment", turn(attachments=["a"]), "s"),
    (r"has attachments None; give a list", turn(attachments=None), "s"),
    (r"has attachment's caption 5 \(int\)", turn(attachments=[Attachment("image", 5)]), "s"),  # type: ignore[arg-type]
    ("session is None; give text", turn(), None),
    ("session has a lone surrogate", turn(), HALF),
]


@pytest.mark.parametrize(("said", "turns", "session"), ADDED, ids=[each[0] for each in ADDED])
async def test_turns_of_the_wrong_kind_are_refused_with_their_place_and_none_is_stored(
    memory: AsyncMemory, graph: Graph, namespace: str, said: str, turns: Any, session: Any
) -> None:
    before = await everything(graph, namespace)
    with pytest.raises(InputError, match=said):
        await memory.add(turns, session=session)
    assert await everything(graph, namespace) == before


async def test_sessions_and_words_of_the_wrong_kind_are_refused(memory: AsyncMemory) -> None:
    with pytest.raises(InputError, match=r"source is 5 \(int\); give a path"):
        await memory.ingest(5)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="says is None; give text"):
        await memory.correct("0" * 32, "Porto", says=None)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="places is the text 's1:1'"):
        await memory.split("0" * 32, "Y", "s1:1")


def test_a_closed_memory_says_that_it_is_closed(settings: Settings, namespace: str) -> None:
    memory = Memory.open(settings=settings, namespace=namespace)
    memory.close()
    memory.close()
    for call in (lambda: memory.ask("Who drinks tea?"), memory.facts, memory.namespaces):
        with pytest.raises(ConfigurationError, match="this memory is closed; open another one"):
            call()


async def test_a_closed_memory_of_async_code_says_so_too(memory: AsyncMemory) -> None:
    await memory.close()
    with pytest.raises(ConfigurationError, match="this memory is closed; open another one"):
        await memory.ask("Who drinks tea?")
