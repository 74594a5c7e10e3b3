"""LangChain on a memory: a retriever of turns, and a chat history that outlives the process, on the real Neo4j."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.runnables import RunnableLambda

from graphmem import Memory, Settings
from graphmem.errors import InputError, QuestionError
from graphmem.integrations.langchain import GraphmemChatMessageHistory, GraphmemRetriever


@pytest.fixture
def memory(settings: Settings, namespace: str) -> Iterator[Memory]:
    """A memory on a namespace of its own."""
    with Memory.open(settings=settings.with_changes(namespace=namespace, extractor="rules")) as opened:
        yield opened


def told(memory: Memory, session: str = "first") -> GraphmemChatMessageHistory:
    """A history in which Mara has said two things."""
    history = GraphmemChatMessageHistory(memory, session, user="Mara")
    history.add_messages(
        [
            SystemMessage("You are kind."),
            HumanMessage("I adopted a dog called Biscuit.", additional_kwargs={"said_at": "2023-07-29T10:00:00+02:00"}),
            AIMessage("", tool_calls=[{"name": "look", "args": {}, "id": "1"}]),
            ToolMessage("nothing", tool_call_id="1"),
            AIMessage("How lovely!", additional_kwargs={"said_at": "2023-07-29T10:00:05+02:00"}),
            HumanMessage("I live in Bergen.", additional_kwargs={"said_at": "2023-07-29T10:01:00+02:00"}),
        ]
    )
    return history


def test_a_retriever_gives_turns_as_documents(memory: Memory, namespace: str) -> None:
    told(memory)
    [first, *_] = found = GraphmemRetriever(memory=memory, limit=2).invoke("Who is Biscuit?")
    assert len(found) == 2
    assert first.page_content == "I adopted a dog called Biscuit."
    assert first.metadata["speaker"] == "Mara"
    assert first.metadata["session_id"] == "first"
    assert first.metadata["namespace"] == namespace
    assert datetime.fromisoformat(first.metadata["said_at"]) == datetime.fromisoformat("2023-07-29T10:00:00+02:00")
    assert first.metadata["score"] >= found[1].metadata["score"]
    [turn, *_] = memory.search_turns("Who is Biscuit?")
    assert (first.id, first.metadata["turn_id"]) == (turn.id, turn.turn_id)


async def test_a_retriever_works_in_a_running_loop_with_filters_in_a_chain(memory: Memory) -> None:
    told(memory)
    retriever = GraphmemRetriever(memory=memory, filters={"speaker": "assistant"})
    chain = retriever | RunnableLambda(lambda documents: [each.page_content for each in documents])
    assert await chain.ainvoke("Biscuit") == ["How lovely!"]


def test_a_retriever_sees_no_other_namespace_and_raises_our_errors(memory: Memory, namespace: str) -> None:
    told(memory)
    assert GraphmemRetriever(memory=memory, namespace=f"{namespace}-other").invoke("Biscuit") == []
    with pytest.raises(QuestionError):
        GraphmemRetriever(memory=memory).invoke(" ")


def test_a_history_gives_back_what_was_said_in_order_and_nothing_else(memory: Memory) -> None:
    told(memory)
    again = GraphmemChatMessageHistory(memory, "first", user="Mara")  # as another process would
    assert [(type(each), each.content, each.name) for each in again.messages] == [
        (HumanMessage, "I adopted a dog called Biscuit.", "Mara"),
        (AIMessage, "How lovely!", "assistant"),
        (HumanMessage, "I live in Bergen.", "Mara"),
    ]
    assert GraphmemChatMessageHistory(memory, "second").messages == []


def test_messages_that_are_added_again_add_nothing(memory: Memory) -> None:
    history = told(memory)
    before = history.messages
    history.add_messages(before)
    assert history.messages == before
    message = HumanMessage("Good night.")
    history.add_message(message)
    history.add_message(message)
    assert [each.content for each in history.messages].count("Good night.") == 1


async def test_a_history_works_in_a_running_loop(memory: Memory) -> None:
    history = GraphmemChatMessageHistory(memory, "night", user="Mara")
    await history.aadd_messages([HumanMessage("Good night."), AIMessage("Sleep well.")])
    assert [each.content for each in await history.aget_messages()] == ["Good night.", "Sleep well."]


def test_what_a_history_has_kept_is_read_and_answers_questions(memory: Memory) -> None:
    told(memory)
    memory.flush("first")
    answer = memory.ask("What is the name of Mara's dog?")
    assert "Biscuit" in answer.text
    assert answer.citations[0].session_id == "first"


def test_clearing_a_history_is_refused_and_deletes_nothing(memory: Memory) -> None:
    history = told(memory)
    with pytest.raises(InputError, match="only appends"):
        history.clear()
    assert len(history.messages) == 3


def test_a_time_that_cannot_be_read_is_named(memory: Memory) -> None:
    history = GraphmemChatMessageHistory(memory, "s")
    with pytest.raises(InputError, match="said_at"):
        history.add_message(HumanMessage("Hello.", additional_kwargs={"said_at": "yesterday"}))


def test_without_langchain_the_error_names_the_extra() -> None:
    code = "import sys\nsys.modules['langchain_core'] = None\nimport graphmem.integrations.langchain"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "pip install 'graphmem[langchain]'" in done.stderr
