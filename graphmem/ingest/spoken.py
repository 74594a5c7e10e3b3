"""Words of a person outside any transcript, such as a correction, stored as a turn so that what rests on them can quote them."""

from __future__ import annotations

from datetime import datetime

from graphmem.graph.connection import Graph
from graphmem.graph.queries import load
from graphmem.ids import digest, instant
from graphmem.ingest.report import Tally
from graphmem.ingest.turns import store_turns
from graphmem.providers.protocols import Embedder
from graphmem.records import Quote, Session, Turn

SOURCE = "statement"
SOURCE_ID = "statements"
"""The session of a namespace that such words are turns of. It is never cut into windows: what the words mean is stated beside them."""


async def store_statement(
    graph: Graph, embedder: Embedder, namespace: str, speaker: str, text: str, said_at: datetime
) -> Quote:
    """Stores the words as a turn, once, and returns a quotation of all of it."""
    session = digest("session", namespace, SOURCE_ID)
    source_id = "t-" + digest("statement", speaker, text, instant(said_at))[:12]
    stored = await graph.read(load("read/turns_of_sessions"), session_ids=[session])
    turn = Turn(
        id=digest("turn", namespace, session, source_id),
        namespace=namespace,
        session_id=session,
        source_id=source_id,
        position=len(stored),
        speaker=speaker,
        text=text,
        said_at=said_at,
    )
    spoken = Session(session, namespace, SOURCE_ID, SOURCE, said_at, (turn,), "What was said outside transcripts")
    tally = Tally((), None)
    tally.expect("turns", 1)
    await store_turns(graph, embedder, namespace, [spoken], 1, tally)
    return Quote(turn.id, 0, len(text), text)
