"""Our own format: JSON Lines, one turn a line. Described in docs/transcripts.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import tzinfo
from typing import Any

from graphmem.errors import TranscriptError
from graphmem.transcripts.drafts import Report, SessionDraft, TurnDraft
from graphmem.transcripts.fields import Fields, shown
from graphmem.transcripts.json_documents import DECODER

NAME = "json lines"
_A_TURN = re.compile(r'^[\s\ufeff]*\{[^\n]*"(?:said_at|speaker|session)"\s*:', re.MULTILINE)


def looks_like(text: str) -> bool:
    """Whether some line begins an object with a turn's fields."""
    return _A_TURN.search(text) is not None


def read(text: str, where: str, zone: tzinfo, report: Report) -> Iterator[SessionDraft]:
    """The sessions of a file, in order of their first line. A line that is no turn is reported, the rest is read."""
    sessions: dict[tuple[str | None, str], list[TurnDraft]] = {}
    titles: dict[tuple[str | None, str], str | None] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        place = f"{where}:{number}"
        try:
            fields = Fields(_parsed(line), place, report)
            key = (fields.optional_label("conversation"), fields.label("session"))
            turn = _turn(fields, zone)
        except TranscriptError as exc:
            report(place, str(exc))
            continue
        sessions.setdefault(key, []).append(turn)
        titles[key] = titles.get(key) or fields.optional_label("title")
    for (conversation, session), turns in sessions.items():
        yield SessionDraft(NAME, conversation, session, tuple(turns), titles[conversation, session])


def _parsed(line: str) -> dict[str, Any]:
    try:
        value, end = DECODER.raw_decode(line.strip())
    except RecursionError:
        raise TranscriptError("the line is nested too deeply to be a turn") from None
    except ValueError as exc:
        raise TranscriptError(f"the line is no JSON ({exc}): {line.strip()[:60]!r}") from None
    if not isinstance(value, dict):
        raise TranscriptError(f"a turn must be a JSON object, but is {shown(value)}")
    if rest := line.strip()[end:]:
        raise TranscriptError(f"there is more on the line than one JSON object: {rest[:60]!r}")
    return value


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
