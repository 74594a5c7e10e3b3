"""Words of a person outside any transcript, such as a correction, stored as a turn so that what rests on them can quote them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from graphmem.graph.connection import Graph
from graphmem.graph.queries import load
from graphmem.graph.statements import SOURCE, SOURCE_ID, TITLE, statement, whole
from graphmem.ingest.report import Tally
from graphmem.ingest.turns import store_turns
from graphmem.providers.protocols import Embedder
from graphmem.records import Quote, Session


async def store_statement(
    graph: Graph, embedder: Embedder, namespace: str, speaker: str, text: str, said_at: datetime
) -> Quote:
    """Stores the words as a turn, once, and returns a quotation of all of it. Raises InputError for a time that cannot be computed with."""
    turn = statement(namespace, speaker, text, said_at)
    stored = await graph.read(load("read/turns_of_sessions"), session_ids=[turn.session_id])
    turn = replace(turn, position=len(stored))
    spoken = Session(turn.session_id, namespace, SOURCE_ID, SOURCE, said_at, (turn,), TITLE)
    tally = Tally((), None)
    tally.expect("turns", 1)
    await store_turns(graph, embedder, namespace, [spoken], 1, tally)
    return whole(turn)
