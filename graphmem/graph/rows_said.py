"""What was said as nodes and relationships of a batch: sessions, turns and the quotations from them.

With ``rows_named`` and ``rows_stated`` the one place that says which property a field becomes. Times are stored as instants in UTC; what a
turn was said with stays beside them as ``offset`` ("+02:00"). Lists of records become JSON text, since a Neo4j property holds no maps.
``searchable`` and the one-token fields beside it (``scope``, ``day``, ``speaker_key``) are what the full-text indexes read: words to find,
and filters that work inside the index.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime

from graphmem.graph.batch import Batch
from graphmem.ids import digest, namespace_label, normalise_name
from graphmem.records import Attachment, Quote, Session, Turn

Vector = Sequence[float]


def speaker_key(speaker: str) -> str:
    """A speaker's name as one token, for filters inside an index: ``p`` and 16 hex digits of its normalised form."""
    return "p" + digest("speaker", normalise_name(speaker))[:16]


def day_token(moment: datetime) -> str:
    """The UTC day of an instant as ``YYYYMMDD``, which sorts as text, for ranges inside a full-text index."""
    return f"{moment.astimezone(UTC):%Y%m%d}".zfill(8)


def attachments_text(attachments: Sequence[Attachment]) -> str | None:
    """Attachments as JSON text, None where there are none."""
    if not attachments:
        return None
    return json.dumps([[a.kind, a.caption, a.address] for a in attachments], ensure_ascii=False)


def attachments_of(text: str | None) -> tuple[Attachment, ...]:
    """The attachments that ``attachments_text`` wrote."""
    return tuple(Attachment(*parts) for parts in json.loads(text)) if text else ()


def add_session(batch: Batch, session: Session) -> None:
    """A Session node, without its turns."""
    batch.node(
        "Session",
        session.id,
        source_id=session.source_id,
        source=session.source,
        title=session.title,
        started_at=session.started_at.astimezone(UTC),
    )


def add_turn(batch: Batch, turn: Turn, searchable: str, embedding: Vector, replaces: str | None = None) -> None:
    """A Turn node in its session, with the words it is found by and their vector; ``replaces`` is the turn it revises."""
    batch.node(
        "Turn",
        turn.id,
        session_id=turn.session_id,
        source_id=turn.source_id,
        position=turn.position,
        speaker=turn.speaker,
        speaker_id=turn.speaker_id,
        role=turn.role,
        addressee=turn.addressee,
        text=turn.text,
        attachments=attachments_text(turn.attachments),
        said_at=turn.said_at.astimezone(UTC),
        offset=_offset(turn.said_at),
        searchable=searchable,
        scope=namespace_label(turn.namespace),
        day=day_token(turn.said_at),
        speaker_key=speaker_key(turn.speaker),
        embedding=list(embedding),
    )
    batch.edge("Session", turn.session_id, "HAS_TURN", "Turn", turn.id)
    if replaces is not None:
        batch.edge("Turn", turn.id, "REPLACES", "Turn", replaces)


def add_evidence(batch: Batch, quote: Quote) -> str:
    """An Evidence node for a quotation, joined to its turn; returns its identifier. ``how`` stands only where it was aligned."""
    how = None if quote.how == "verbatim" else quote.how
    identifier = digest("evidence", batch.namespace, quote.turn_id, quote.start, quote.end, quote.text)
    batch.node("Evidence", identifier, quote=quote.text, start=quote.start, end=quote.end, how=how)
    batch.edge("Evidence", identifier, "QUOTES", "Turn", quote.turn_id)
    return identifier


def _offset(moment: datetime) -> str:
    shift = moment.utcoffset()
    if shift is None:
        raise ValueError(f"{moment.isoformat()} has no offset; readers give every turn one")
    minutes = round(shift.total_seconds() / 60)
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"
