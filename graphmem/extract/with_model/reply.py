"""What the extraction prompt asks a model for, as typed records. The lines that explain the fields are in the prompt, not in the schema."""

from __future__ import annotations

from graphmem.prompts import ReplyPart


class EntityReply(ReplyPart):
    """Somebody or something that is named."""

    name: str = ""
    type: str = ""
    about: str = ""


class ParticipantReply(ReplyPart):
    """A name and its part in an event."""

    name: str = ""
    role: str = "Mentioned"


class EventReply(ReplyPart):
    """Something done, planned, going on or not done."""

    turn: int = 0
    quote: str = ""
    kind: str = "event"
    subject: str = ""
    verb: str = ""
    object: str = ""
    summary: str = ""
    participants: tuple[ParticipantReply, ...] = ()
    place: str = ""
    aliases: tuple[str, ...] = ()
    time: str = ""
    start: str = ""
    end: str = ""
    confidence: float = 0.9


class FactReply(ReplyPart):
    """A lasting statement about a subject."""

    turn: int = 0
    quote: str = ""
    subject: str = ""
    property: str = ""
    value: str = ""
    type: str = "string"
    unit: str = ""
    polarity: str = "holds"
    time: str = ""
    start: str = ""
    end: str = ""
    confidence: float = 0.9
    inferred: bool = False
    event: int = 0


class ExtractReply(ReplyPart):
    """All that a window has to remember."""

    entities: tuple[EntityReply, ...] = ()
    events: tuple[EventReply, ...] = ()
    facts: tuple[FactReply, ...] = ()
