"""Our own format: JSON Lines, one turn a line. Described in docs/transcripts.md.

The same objects in one JSON array, or spread over several lines each, are read too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import tzinfo
from typing import Any

from graphmem.errors import TranscriptError
from graphmem.transcripts.drafts import Report, SessionDraft, TurnDraft
from graphmem.transcripts.fields import Fields, shown
from graphmem.transcripts.json_documents import DECODER, Cut, begins, objects

NAME = "json lines"
_A_TURN = re.compile(
    r'^[ \t\ufeff]*\[?\s{0,20}\{(?:[^\n]*|\s{0,20})"(?:said_at|speaker|session)"\s{0,20}:', re.MULTILINE
)
_A_DOCUMENT = re.compile(r"[\s\ufeff]*(?:\[|\{[ \t\r]*\n)")

_Key = tuple[str | None, str]


def looks_like(text: str) -> bool:
    """Whether it begins as JSON and holds an object with a turn's fields, or at least every second line begins as such an object."""
    if begins(text):
        return _A_TURN.search(text) is not None
    lines = [line for line in text.split("\n") if line.strip()]
    return 0 < len(lines) <= 2 * sum(_A_TURN.match(line) is not None for line in lines)


def read(text: str, where: str, zone: tzinfo, report: Report) -> Iterator[SessionDraft]:
    """The sessions of a file, in order of their first line. A line that is no turn is reported, the rest is read."""
    sessions: dict[_Key, list[TurnDraft]] = {}
    titles: dict[_Key, str | None] = {}
    for place, values in _document(text, where, report) if _A_DOCUMENT.match(text) else _lines(text, where, report):
        try:
            fields = Fields(values, place, report)
            key = (fields.optional_label("conversation"), fields.label("session"))
            turn = _turn(fields, zone)
        except TranscriptError as exc:
            report(place, str(exc))
            continue
        sessions.setdefault(key, []).append(turn)
        titles[key] = titles.get(key) or fields.optional_label("title")
    for (conversation, session), turns in sessions.items():
        yield SessionDraft(NAME, conversation, session, tuple(turns), titles[conversation, session])


def _lines(text: str, where: str, report: Report) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip(" \t\r\ufeff")
        if not line:
            continue
        try:
            value, end = DECODER.raw_decode(line)
        except (ValueError, RecursionError):
            value, end = {}, 0
        if end == len(line) and isinstance(value, dict):
            yield f"{where}:{number}", value
        elif end == len(line):
            report(f"{where}:{number}", f"a turn must be a JSON object, but is {shown(value)}")
        else:
            # A line that was cut off and then written on, or two turns on one line: whatever turns are whole are read.
            yield from ((f"{where}:{number}", part) for part in _whole(line, where, report, number))


def _document(text: str, where: str, report: Report) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, value in enumerate(_whole(text, where, report, 1), 1):
        yield f"{where}, turn {number}", value


def _whole(text: str, where: str, report: Report, first_line: int) -> Iterator[dict[str, Any]]:
    found = objects(text, where, lambda value: "speaker" in value or "said_at" in value, report, first_line=first_line)
    return (value for value in found if not isinstance(value, Cut))


def _turn(fields: Fields, zone: tzinfo) -> TurnDraft:
    attachments = fields.attachments("attachments")
    return TurnDraft(
        where=fields.where,
        own_id=fields.optional_label("id"),
        speaker=fields.label("speaker"),
        text=fields.text("text", may_be_empty=any(item.caption for item in attachments)),
        said_at=fields.moment("said_at", zone),
        role=fields.optional_label("role"),
        addressee=fields.optional_label("addressee"),
        attachments=attachments,
        speaker_id=fields.optional_label("speaker_id"),
    )
