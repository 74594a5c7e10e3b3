"""A person's words outside any transcript, as a turn that is stored in the transaction of what rests on them, or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from graphmem.errors import InputError, TranscriptError
from graphmem.graph.batch import Batch
from graphmem.graph.connection import Graph
from graphmem.graph.queries import Query, load
from graphmem.graph.rows_named import add_alias, add_entity, entity_id
from graphmem.graph.rows_said import add_session, add_turn
from graphmem.ids import digest, instant
from graphmem.providers.protocols import Embedder
from graphmem.records import Quote, Session, Turn
from graphmem.resolve.decide import PERSON
from graphmem.transcripts import searchable_text
from graphmem.transcripts.moments import within_reach

SOURCE = "statement"
SOURCE_ID = "statements"
"""The session of a namespace that such words are turns of. It is never cut into windows: what the words mean is stated beside them."""
TITLE = "What was said outside transcripts"


def statement(namespace: str, speaker: str, text: str, said_at: datetime) -> Turn:
    """The words as a turn, with the identity that ``ingest.store_statement`` gives them. ``position`` is settled when it is stored.

    Raises InputError for a time that cannot be computed with.
    """
    try:
        within_reach(said_at)
    except TranscriptError as exc:
        raise InputError(f"said_at {exc}") from exc
    session = digest("session", namespace, SOURCE_ID)
    source_id = "t-" + digest("statement", speaker, text, instant(said_at))[:12]
    return Turn(
        id=digest("turn", namespace, session, source_id),
        namespace=namespace,
        session_id=session,
        source_id=source_id,
        position=0,
        speaker=speaker,
        text=text,
        said_at=said_at,
    )


def whole(turn: Turn) -> Quote:
    """A quotation of all that a turn says."""
    return Quote(turn.id, 0, len(turn.text), turn.text)


async def add_statement(
    graph: Graph, batch: Batch, turn: Turn, embedder: Embedder
) -> list[tuple[Query, Mapping[str, Any]]]:
    """Puts the turn, its session and its speaker into a batch; nothing where it is stored already.

    Returns the ``derived`` queries that ``append`` is to run with it. To be called after the head that the batch goes on was read: the
    turn comes after all that are stored.
    """
    stored = await graph.read(load("read/turns_of_sessions"), session_ids=[turn.session_id])
    if any(row["id"] == turn.id for row in stored):
        return []
    placed = replace(turn, position=len(stored))
    words = searchable_text(placed)
    vector, name_vector = await asyncio.to_thread(embedder.embed_documents, [words, turn.speaker])
    add_session(batch, Session(turn.session_id, turn.namespace, SOURCE_ID, SOURCE, turn.said_at, (placed,), TITLE))
    add_turn(batch, placed, words, vector)
    speaker = entity_id(turn.namespace, turn.speaker, PERSON, "")
    add_entity(batch, speaker, turn.speaker, PERSON)
    add_alias(batch, speaker, turn.speaker, PERSON, name_vector)
    if not stored:
        return []
    return [(load("derived/next"), {"pairs": [{"start": stored[-1]["id"], "end": turn.id}]})]
