"""Ingestion with a model while others write: nobody is paid twice, and people stay as many as they are."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from datetime import UTC, datetime, timedelta

from graphmem.extract.with_model import ModelExtractor
from graphmem.graph.connection import Graph
from graphmem.graph.queries import load
from graphmem.graph.verify import verify
from graphmem.ingest import Ingestion
from graphmem.ingest.decisions import sentence_around
from graphmem.ingest.windows import _portions
from graphmem.providers.local_embedder import LocalEmbedder
from graphmem.providers.openai_chat import ChatSettings, OpenAIChat
from graphmem.providers.service import ServiceSettings
from graphmem.records import Quote, Session, Turn
from graphmem.settings import Settings
from tests.graph.shape import everything
from tests.service import Received, Reply, Service, says

PEOPLE = ["Bram", "Chiara", "Dorota", "Emre", "Fleur", "Goran", "Hana", "Ilse", "Joana", "Kenji"]
SESSIONS = 20
"""Ingested at once. Each writer gives way to all that come first, so the work grows with the square."""


def session(namespace: str, number: int) -> Session:
    """A session in which Ana has met everybody."""
    said_at = datetime(2023, 5, 1, 10, tzinfo=UTC) + timedelta(days=number)
    text = f"I met {', '.join(PEOPLE)} in week {number}."
    identifier = f"{namespace}-s{number}"
    turn = Turn(f"{identifier}-t", namespace, identifier, "1", 0, "Ana", text, said_at)
    return Session(identifier, namespace, identifier, "test", said_at, (turn,))


def everybody_is_new(request: Received) -> Reply:
    """Finds all people; decides that each is new, as a model does that has not seen the other sessions."""
    changing = request.body["messages"][1]["content"]
    mentions = re.findall(r"^\[M(\d+)\]", changing, re.M)
    if mentions:
        return says({"mentions": [{"m": int(n), "decision": "propose_new", "reason": "not known"} for n in mentions]})
    return says({"entities": [{"name": name, "type": "Person"} for name in PEOPLE]})


async def test_ten_people_of_sessions_ingested_at_once_are_ten_and_no_call_is_made_twice(
    graph: Graph, embedder: LocalEmbedder, service: Service, namespace: str
) -> None:
    service.script = everybody_is_new
    chat = OpenAIChat(ChatSettings(ServiceSettings(service.base_url, "none"), "scripted"))

    async def ingest(number: int) -> bool:
        ingestion = Ingestion(graph, embedder, ModelExtractor(chat, "scripted"), Settings(), chat)
        return (await ingestion.run([session(namespace, number)])).ok

    assert all(await asyncio.gather(*map(ingest, range(SESSIONS))))
    await chat.close()
    found = await everything(graph, namespace)
    people = Counter(properties["name"] for kind, properties in found.values() if kind == "Entity")
    assert people == Counter(["Ana", *PEOPLE])
    asked = Counter(json.dumps(request.body, sort_keys=True) for request in service.requests)
    assert max(asked.values()) == 1, "a window that gave way to another writer has its answer already"
    assert len(await graph.read(load("resolve/properties"), namespace=namespace)) == 0
    assert (await verify(graph, namespace)).ok


def test_a_first_window_is_full_and_later_ones_leave_room_for_what_was_read_before() -> None:
    assert list(_portions(range(0, 60), 25, 20)) == [(0, 25), (25, 45), (45, 60)]
    assert list(_portions(range(25, 60), 25, 20)) == [(25, 45), (45, 60)], (
        "a run that was stopped goes on with the same"
    )
    assert list(_portions(range(25, 45), 25, 20)) == [(25, 45)], "a window that failed is taken up as it was"


def test_a_mention_is_shown_with_its_sentence() -> None:
    text = "It rained. Liz (my aunt) called from St. Ives! We talked."
    assert sentence_around(text, Quote("t", 11, 14, "Liz")) == "Liz (my aunt) called from St."
    assert sentence_around(text, Quote("t", 48, 50, "We")) == "We talked."
    assert sentence_around("今天下雨。小明来了。", Quote("t", 5, 7, "小明")) == "小明来了。"
