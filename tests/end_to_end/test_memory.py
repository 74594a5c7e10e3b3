"""The memory as a user's code holds it: with and without async, inside a running loop, and kept apart from other memories."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from graphmem import AsyncMemory, Memory, Settings
from graphmem.errors import ConfigurationError, CypherRefused, InputError, QuestionError, StoreMismatch, TranscriptError
from graphmem.graph.connection import Graph
from graphmem.graph.queries import load
from graphmem.graph.schema import open_store

TALK = [
    ("1", "2022-05-02T10:00:00+02:00", "Ana", "I moved to Berlin last week. My sister Clara lives in Leeds."),
    ("2", "2022-05-02T10:01:00+02:00", "Tom", "I love Berlin!"),
    (
        "3",
        "2023-09-04T09:00:00+01:00",
        "Ana",
        "I moved to Lisbon yesterday, and I adopted a dog called Rex on 1 September.",
    ),
    ("4", "2023-09-04T09:05:00+01:00", "Tom", "I work as a nurse."),
]


def write(path: Path, talk: list[tuple[str, str, str, str]], session: str = "s") -> Path:
    """A transcript in our own shape; turns of different days are different sessions."""
    lines = [
        {"session": f"{session}-{said_at[:4]}", "id": identifier, "speaker": speaker, "said_at": said_at, "text": text}
        for identifier, said_at, speaker, text in talk
    ]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    """A small transcript."""
    return write(tmp_path / "talk.jsonl", TALK)


async def test_the_blocking_memory_works_inside_a_running_loop(settings: Settings, namespace: str, talk: Path) -> None:
    with Memory.open(settings=settings, namespace=namespace) as memory:
        assert memory.ingest(talk).ok
        assert [fact.value for fact in memory.facts("Ana", "lives_in")] == ["Lisbon"]
        assert [fact.value for fact in memory.facts("Ana", "lives_in", as_of=date(2022, 12, 1))] == ["Berlin"]


async def test_facts_depend_on_when_they_were_said_and_known(settings: Settings, namespace: str, talk: Path) -> None:
    async with AsyncMemory.open(settings=settings, namespace=namespace) as memory:
        before = datetime.now(UTC)
        await memory.ingest(talk)
        said = await memory.facts("Ana", "lives_in", said_by="2023-01-01")
        assert [fact.value for fact in said] == ["Berlin"]
        known = await memory.facts("Ana", "lives_in", known_at=before)
        assert list(known) == []


async def test_a_correction_is_appended_with_the_words_it_rests_on(
    settings: Settings, namespace: str, talk: Path
) -> None:
    async with AsyncMemory.open(settings=settings, namespace=namespace) as memory:
        await memory.ingest(talk)
        [lisbon] = await memory.facts("Ana", "lives_in")
        before = datetime.now(UTC)
        await memory.correct(lisbon.id, "Porto", says="It was Porto, not Lisbon.", by="Ana")
        [porto] = await memory.facts("Ana", "lives_in")
        assert porto.value == "Porto"
        assert [citation.quote for citation in porto.evidence] == ["It was Porto, not Lisbon."]
        [old] = await memory.facts("Ana", "lives_in", known_at=before)
        assert old.value == "Lisbon"
        await memory.retract(porto.id, says="I was joking.", by="Ana")
        [again] = await memory.facts("Ana", "lives_in")
        assert again.value == "Lisbon"
        with pytest.raises(InputError, match="0000"):
            await memory.correct("0" * 32, "Rome", says="Rome.", by="Ana")
        assert (await memory.verify()).ok


async def test_a_corrected_value_is_the_entity_of_that_name(settings: Settings, namespace: str, talk: Path) -> None:
    async with AsyncMemory.open(settings=settings, namespace=namespace) as memory:
        await memory.ingest(talk)
        [lisbon] = await memory.facts("Ana", "lives_in")
        await memory.correct(lisbon.id, "Berlin", says="I never left Berlin.", by="Ana")
        history = await memory.history("Ana", "lives_in")
        assert [fact.value for fact in history] == ["Berlin"], "one period: both statements are of the same place"


async def test_an_event_named_in_words_is_an_anchor(settings: Settings, namespace: str, talk: Path) -> None:
    async with AsyncMemory.open(settings=settings, namespace=namespace) as memory:
        await memory.ingest(talk)
        before = await memory.before("moving to Lisbon", "Ana")
        assert "Berlin" in [entry.fact.value for entry in before if entry.fact is not None]
        assert await memory.count("Ana", verbs=["move"]) == 2
        changes = await memory.changed("Ana", "lives_in")
        assert [(c.before and c.before.value, c.after and c.after.value) for c in changes][-1] == ("Berlin", "Lisbon")


async def test_nothing_of_one_namespace_is_seen_from_another(
    settings: Settings, namespace: str, tmp_path: Path
) -> None:
    one, other = f"{namespace}-one", f'{namespace}-o\'ther" OR "1'
    async with AsyncMemory.open(settings=settings) as memory:
        first = write(tmp_path / "one.jsonl", [("1", "2024-01-01T10:00:00Z", "Ana", "My sister Clara lives in Porto.")])
        second = write(
            tmp_path / "two.jsonl", [("1", "2024-01-01T10:00:00Z", "Ana", "My brother Pedro lives in Faro.")]
        )
        await asyncio.gather(memory.ingest(first, namespace=one), memory.ingest(second, namespace=other))
        for mine, hidden in ((one, "Pedro"), (other, "Clara")):
            seen = [
                await memory.search_turns("who lives where?", 50, namespace=mine),
                await memory.search_events("who lives where?", 50, namespace=mine),
                await memory.entities(namespace=mine),
                await memory.facts(namespace=mine),
                await memory.timeline(namespace=mine),
                await memory.ask("Who lives where, for everyone?", namespace=mine),
                await memory.cypher("MATCH (n) RETURN n", namespace=mine),
            ]
            assert hidden not in repr(seen)
            with pytest.raises(QuestionError, match=hidden):
                await memory.facts(hidden, namespace=mine)
        with pytest.raises(CypherRefused):
            await memory.cypher("MATCH (n) SET n.text = 'x' RETURN n", namespace=one)


async def test_a_store_written_with_another_embedding_model_is_refused_naming_both(graph: Graph) -> None:
    with pytest.raises(StoreMismatch, match=r"bge-small-en-v1\.5-q \(384 .* another-model \(384 .*graphmem reembed"):
        await open_store(graph, "another-model", 384)
    with pytest.raises(StoreMismatch, match="1024"):
        await open_store(graph, "bge-small-en-v1.5-q", 1024)


async def test_a_memory_that_is_not_open_says_so(settings: Settings) -> None:
    with pytest.raises(ConfigurationError, match="not open"):
        await AsyncMemory.open(settings=settings).namespaces()


async def test_a_path_that_is_not_there_is_an_error_of_ours(settings: Settings, tmp_path: Path) -> None:
    async with AsyncMemory.open(settings=settings) as memory:
        with pytest.raises(TranscriptError, match="nowhere"):
            await memory.ingest(tmp_path / "nowhere")


async def test_a_question_that_is_empty_or_not_language_is_answered_or_refused_clearly(
    settings: Settings, namespace: str, talk: Path
) -> None:
    async with AsyncMemory.open(settings=settings, namespace=namespace) as memory:
        await memory.ingest(talk)
        for question in ("C++ (v2): AND/OR?", '"', "*", "~", "a/b && NOT x", "喜欢什么？", "where " * 500):
            answer = await memory.ask(question)
            assert answer.text
            assert isinstance(await memory.search_turns(question), list)
        for question in ("", "   "):
            with pytest.raises(QuestionError):
                await memory.ask(question)


async def test_a_store_from_before_an_index_was_declared_gets_it_on_opening(graph: Graph, settings: Settings) -> None:
    await graph.define("DROP INDEX fact_life_stage IF EXISTS")
    async with AsyncMemory.open(settings=settings):
        [row] = await graph.read(load("read/index_names"))
    assert "fact_life_stage" in row["names"]
