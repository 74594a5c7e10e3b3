"""Windows for tests: Ana and Ben, Thursday 25 May 2023, 13:14 in Lisbon summer time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

from graphmem.extract.with_model.convert import convert
from graphmem.extract.with_model.reply import ExtractReply
from graphmem.records import Extracted, Session, Turn, Window

SAID_AT = datetime(2023, 5, 25, 13, 14, tzinfo=timezone(timedelta(hours=1)))


def turn_of(text: str, position: int = 0, speaker: str = "Ana", **more: Any) -> Turn:
    """A turn, a minute after the one before it."""
    said_at = SAID_AT + timedelta(minutes=position)
    return Turn(f"t{position}", "test", "s1", f"s1:{position}", position, speaker, text, said_at, **more)


def window_of(*said: str | tuple[str, str], context: Sequence[str | tuple[str, str]] = (), title: str = "") -> Window:
    """A window of texts by Ana, or of (speaker, text)."""
    pairs = [("Ana", each) if isinstance(each, str) else each for each in (*context, *said)]
    turns = tuple(turn_of(text, position, speaker) for position, (speaker, text) in enumerate(pairs))
    session = Session("s1", "test", "s1", "test", SAID_AT, turns, title or None)
    speakers = tuple(dict.fromkeys(["Ana", "Ben", *(speaker for speaker, _ in pairs)]))
    return Window("test", session, turns[: len(context)], turns[len(context) :], speakers)


def converted(window: Window, **reply: Any) -> Extracted:
    """What a reply becomes."""
    return convert(ExtractReply.model_validate(reply), window, "model", "extract.v1 test")


def event(**fields: Any) -> Mapping[str, Any]:
    """An event of a reply, with everything it needs."""
    return {"turn": 1, "kind": "event", "subject": "Ana", "verb": "adopt", "object": "a kitten"} | fields


def fact(**fields: Any) -> Mapping[str, Any]:
    """A fact of a reply, with everything it needs."""
    return {"turn": 1, "subject": "Ana", "property": "lives_in", "value": "Lisbon"} | fields
