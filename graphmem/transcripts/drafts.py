"""What a reader makes of a file before anything has an identity: sessions and turns as their source names and orders them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from graphmem.records import Attachment

Report = Callable[[str, str], None]
"""Called with where and what for each thing that is skipped or changed."""


@dataclass(frozen=True, slots=True)
class TurnDraft:
    """A turn as read. ``own_id`` is the source's name for it, None if it has none; ``where`` is its place, for messages."""

    where: str
    own_id: str | None
    speaker: str
    text: str
    said_at: datetime
    role: str | None = None
    addressee: str | None = None
    attachments: tuple[Attachment, ...] = ()
    speaker_id: str | None = None


@dataclass(frozen=True, slots=True)
class SessionDraft:
    """Turns of one sitting that stand together in one file. ``conversation`` is the source's name for what it belongs to."""

    source: str
    conversation: str | None
    own_id: str | None
    turns: tuple[TurnDraft, ...]
    title: str | None = None
