"""Turns as they are shown: rows of ``search/turns_shown`` as hits, at the speaker's own offset."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta, timezone

from graphmem.graph.connection import Graph, Row
from graphmem.graph.queries import load
from graphmem.graph.rows_said import attachments_of
from graphmem.records import Hit


async def shown(graph: Graph, ids: Sequence[str]) -> dict[str, Hit]:
    """The turns of these identifiers, without a score, by identifier."""
    if not ids:
        return {}
    rows = await graph.read(load("search/turns_shown"), ids=list(ids))
    return {row["id"]: hit_of(row) for row in rows}


def hit_of(row: Row) -> Hit:
    """A row as a hit with score 0."""
    hours, minutes = row["offset"][1:].split(":")
    shift = timedelta(hours=int(hours), minutes=int(minutes)) * (-1 if row["offset"][0] == "-" else 1)
    return Hit(
        id=row["id"],
        turn_id=row["turn_id"],
        session_id=row["session_id"],
        speaker=row["speaker"],
        said_at=row["said_at"].astimezone(timezone(shift)),
        text=row["text"],
        score=0.0,
        attachments=attachments_of(row["attachments"]),
        addressee=row["addressee"],
    )
