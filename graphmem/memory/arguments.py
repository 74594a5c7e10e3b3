"""What callers give to the methods of a memory, checked where it comes in: that it is of the kind that its type says, and can be stored.

The annotations say the same, but nothing checks them at run time, and what they would keep out fails far from here otherwise. Times are
checked where they are read (``graphmem/moments.py``).
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Sequence
from datetime import datetime

from graphmem.errors import InputError, QuestionError
from graphmem.records import Attachment, NewTurn, Session


def text(value: object, name: str) -> str:
    """The value, once it is known to be text that can be stored. Raises QuestionError, with ``name`` as what it was given for."""
    if not isinstance(value, str):
        raise QuestionError(f"{name} is {_shown(value)}; give text")
    wrong = unstorable(value)
    if wrong is not None:
        raise QuestionError(f"{name} has {wrong}")
    return value


def text_or_none(value: object, name: str) -> str | None:
    """Like ``text``, for an argument that may be left out."""
    return None if value is None else text(value, name)


def texts(values: object, name: str) -> Sequence[str]:
    """A list of texts. A text alone is refused: its characters would count as the members."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise QuestionError(f"{name} is {_shown(values)}; give a list of texts")
    return [text(value, name) for value in values]


def number(value: object, name: str) -> int:
    """The value, once it is known to be a whole number. Raises QuestionError."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise QuestionError(f"{name} is {_shown(value)}; give a whole number")
    return value


def unstorable(value: str) -> str | None:
    """What stands in a text that has no place in UTF-8 (half of a surrogate pair), None where all of it can be stored."""
    try:
        value.encode()
    except UnicodeEncodeError as exc:
        return (
            f"a lone surrogate, {value[exc.start]!r} at character {exc.start}, which cannot be stored; "
            "decode the text anew, or replace it with text.encode('utf-8', 'replace').decode()"
        )
    return None


def turns_given(turns: object) -> list[NewTurn]:
    """One turn or several as a list. Raises InputError, with the turn's place, for what is none or has a field of another kind."""
    if isinstance(turns, NewTurn):
        turns = [turns]
    if isinstance(turns, str | bytes) or not isinstance(turns, Iterable):
        raise InputError(f"turns is {_shown(turns)}; give a NewTurn, or a list of them")
    given = list(turns)
    for position, turn in enumerate(given, start=1):
        where = f"turn {position} of those to add"
        if not isinstance(turn, NewTurn):
            raise InputError(f"{where} is {_shown(turn)}; give a NewTurn, such as NewTurn('Ana', 'Hello.')")
        _check_turn(turn, where)
    return given


def sessions_given(source: object) -> tuple[Session, ...]:
    """Sessions already read. Raises InputError for what is none."""
    if isinstance(source, bytes) or not isinstance(source, Iterable):
        raise InputError(f"source is {_shown(source)}; give a path, or a list of sessions")
    given = tuple(source)
    for session in given:
        if not isinstance(session, Session):
            raise InputError(f"source has {_shown(session)} in it; give a path, or a list of sessions")
    return given


def _check_turn(turn: NewTurn, where: str) -> None:
    fields: list[tuple[str, object]] = [("speaker", turn.speaker), ("text", turn.text)]
    named = {"id": turn.id, "role": turn.role, "addressee": turn.addressee, "speaker_id": turn.speaker_id}
    fields += [(name, value) for name, value in named.items() if value is not None]
    if turn.said_at is not None and not isinstance(turn.said_at, datetime):
        raise InputError(
            f"{where} has said_at {_shown(turn.said_at)}; give an aware datetime, such as datetime(2024, 1, 1, tzinfo=UTC)"
        )
    if isinstance(turn.attachments, str) or not isinstance(turn.attachments, Sequence):
        raise InputError(f"{where} has attachments {_shown(turn.attachments)}; give a list of Attachment")
    for item in turn.attachments:
        if not isinstance(item, Attachment):
            raise InputError(
                f"{where} has the attachment {_shown(item)}; give an Attachment, such as Attachment('image')"
            )
        fields += [(f"attachment's {name}", getattr(item, name)) for name in ("kind", "caption", "address")]
    for name, value in fields:
        if not isinstance(value, str):
            raise InputError(f"{where} has {name} {_shown(value)}; give text")
        wrong = unstorable(value)
        if wrong is not None:
            raise InputError(f"{where} has in its {name} {wrong}")


def _shown(value: object) -> str:
    """A value in a message: cut short, and with its type where that does not show."""
    shown = reprlib.repr(value)
    return shown if value is None else f"{shown} ({type(value).__name__})"
