"""LoCoMo (Maharana et al., "Evaluating Very Long-Term Conversational Memory of LLM Agents", 2024): a list of samples, each with a
conversation.

A sample's ``sample_id`` names the conversation. Its sessions are ``session_1``, ``session_2``, … with a time each in
``session_1_date_time``; that time is the time of every turn, and their order tells which came first. A turn's ``dia_id`` is its own id;
its image becomes an attachment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, tzinfo
from typing import Any

from graphmem.errors import TranscriptError
from graphmem.records import Attachment
from graphmem.transcripts.drafts import Report, SessionDraft, TurnDraft
from graphmem.transcripts.fields import Fields, shown, storable
from graphmem.transcripts.json_documents import Cut, begins, objects

NAME = "locomo"
_SIGNS = re.compile(r'"session_\d+(?:_date_time)?"\s*:')
_SESSION = re.compile(r"session_(\d+)")


def looks_like(text: str) -> bool:
    """Whether a JSON document has numbered sessions."""
    return begins(text) and _SIGNS.search(text) is not None


def read(text: str, where: str, zone: tzinfo, report: Report) -> Iterator[SessionDraft]:
    """The sessions of every sample, in order. What cannot be read is reported with sample, session and turn."""
    for number, sample in enumerate(objects(text, where, _is_sample, report), 1):
        place = f"{where}, sample {number}"
        talk = sample.get("conversation")
        if not isinstance(talk, dict):
            report(place, f"conversation must be an object, but is {shown(talk)}; the sample is left out")
            continue
        name = Fields(sample, place, report).optional_label("sample_id")
        if name is None:
            name = f"sample-{number}"
            report(place, f"it has no sample_id; its turns are read as conversation {name!r}")
        yield from _sessions(talk, name, f"{where}, {name}", zone, report)


def _is_sample(value: dict[str, Any]) -> bool:
    return "conversation" in value


def _sessions(talk: dict[str, Any], name: str, place: str, zone: tzinfo, report: Report) -> Iterator[SessionDraft]:
    numbered = [(int(match[1]), key) for key in talk if (match := _SESSION.fullmatch(key))]
    for _, key in sorted(numbered):
        where = f"{place}, {key}"
        listed = talk[key]
        if not isinstance(listed, list):
            report(where, f"a session must be a list of turns, but is {shown(listed)}; it is left out")
            continue
        if not listed:
            continue
        try:
            said_at = Fields(talk, where, report).moment(f"{key}_date_time", zone)
        except TranscriptError as exc:
            report(where, f"{exc}; its {len(listed)} turns are left out")
            continue
        turns = []
        for position, value in enumerate(listed, 1):
            try:
                turns.append(_turn(value, f"{where}, turn {position}", said_at, report))
            except TranscriptError as exc:
                report(f"{where}, turn {position}", str(exc))
        yield SessionDraft(NAME, name, key, tuple(turns))


def _turn(value: object, where: str, said_at: datetime, report: Report) -> TurnDraft:
    if not isinstance(value, dict):
        raise TranscriptError(f"a turn must be an object, but is {shown(value)}")
    if isinstance(value, Cut):
        raise TranscriptError("the turn is cut off or broken; it is left out")
    fields = Fields(value, where, report)
    attachments = _images(fields)
    return TurnDraft(
        where=where,
        own_id=fields.optional_label("dia_id"),
        speaker=fields.label("speaker"),
        text=fields.text("text", may_be_empty=any(item.caption for item in attachments)),
        said_at=said_at,
        attachments=attachments,
    )


def _images(fields: Fields) -> tuple[Attachment, ...]:
    """One attachment for each address; the caption, of which there is one, goes with the first."""
    caption = fields.values.get("blip_caption") or ""
    addresses = fields.values.get("img_url") or []
    if isinstance(addresses, str):
        addresses = [addresses]
    if not isinstance(caption, str):
        fields.report(fields.where, f"blip_caption must be text, but is {shown(caption)}; it is left out")
        caption = ""
    if not isinstance(addresses, list) or not all(isinstance(address, str) for address in addresses):
        fields.report(fields.where, f"img_url must be a list of texts, but is {shown(addresses)}; it is left out")
        addresses = []
    if caption and not addresses:
        addresses = [""]
    return tuple(
        Attachment(
            "image",
            storable(caption, fields.where, fields.report) if first == 0 else "",
            storable(address, fields.where, fields.report),
        )
        for first, address in enumerate(addresses)
    )
