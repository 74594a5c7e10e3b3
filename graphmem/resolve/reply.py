"""What the resolution prompt asks a model for, as typed records. Choices are checked against what was offered, not here."""

from __future__ import annotations

from graphmem.prompts import ReplyPart


class MentionReply(ReplyPart):
    """A decision on a mention. ``entity`` is 0 where none is chosen."""

    m: int = 0
    decision: str = ""
    entity: int = 0
    name: str = ""
    type: str = ""
    aliases: tuple[str, ...] = ()
    confidence: float = 0.7
    reason: str = ""


class PropertyReply(ReplyPart):
    """A decision on a property."""

    p: int = 0
    name: str = ""
    cardinality: str = "many"
    value_type: str = "string"


class PairReply(ReplyPart):
    """A decision on two tellings."""

    t: int = 0
    same: bool = False
    confidence: float = 0.7
    reason: str = ""


class ResolveReply(ReplyPart):
    """All decisions of a window."""

    mentions: tuple[MentionReply, ...] = ()
    new_properties: tuple[PropertyReply, ...] = ()
    events: tuple[PairReply, ...] = ()
