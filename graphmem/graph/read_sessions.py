"""Sessions as they are stored, turns and all: what was once read from a transcript, for reading it again."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.errors import InputError
from graphmem.graph.connection import Graph, Row
from graphmem.graph.queries import load
from graphmem.graph.read_rows import zone
from graphmem.graph.rows_said import attachments_of
from graphmem.records import Session, Turn


async def sessions(graph: Graph, namespace: str, sources: Sequence[str] = ()) -> list[Session]:
    """The sessions of a namespace in order of time, or those with these identifiers of their source; each turn in its latest words.

    Raises InputError for an identifier that the namespace does not have.
    """
    rows = await graph.read(load("read/sessions"), namespace=namespace, sources=list(sources))
    unknown = set(sources) - {row["source_id"] for row in rows}
    if unknown:
        raise InputError(f"namespace {namespace!r} has no session {', '.join(map(repr, sorted(unknown)))}")
    return [_session(namespace, row) for row in rows]


def _session(namespace: str, row: Row) -> Session:
    turns = tuple(
        Turn(
            id=turn["id"],
            namespace=namespace,
            session_id=row["id"],
            source_id=turn["source_id"],
            position=turn["position"],
            speaker=turn["speaker"],
            text=turn["text"],
            said_at=turn["said_at"].astimezone(zone(turn["offset"])),
            role=turn["role"],
            addressee=turn["addressee"],
            attachments=attachments_of(turn["attachments"]),
            speaker_id=turn["speaker_id"],
        )
        for turn in row["turns"]
    )
    return Session(row["id"], namespace, row["source_id"], row["source"], row["started_at"], turns, row["title"])
