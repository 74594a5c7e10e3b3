"""Taking typed values out of parsed JSON, with a message that names the field where one is wrong. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, tzinfo
from typing import Any

from graphmem.errors import TranscriptError
from graphmem.records import Attachment
from graphmem.transcripts.drafts import Report
from graphmem.transcripts.moments import moment

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def shown(value: object) -> str:
    """A value as a message shows it: its type and at most 60 characters."""
    if value is None:
        return "null"
    text = ascii(value) if isinstance(value, str) else repr(value)
    kind = {
        "str": "the text",
        "dict": "an object",
        "list": "a list",
        "bool": "",
        "int": "the number",
        "float": "the number",
    }
    return f"{kind.get(type(value).__name__, '')} {text[:60]}{'…' if len(text) > 60 else ''}".strip()


def storable(text: str, where: str, report: Report) -> str:
    """The text with what no database can hold as text (NUL, half of a surrogate pair) replaced by U+FFFD, reported."""
    clean, count = _UNSTORABLE.subn("\ufffd", text)
    if count:
        report(
            where,
            f"{count} character(s) that cannot be stored (NUL, or half of a surrogate pair) are replaced by U+FFFD",
        )
    return clean


class Fields:
    """The fields of one JSON object. ``where`` is its place; ``report`` hears of what is left out or changed."""

    def __init__(self, values: Mapping[str, Any], where: str, report: Report) -> None:
        self.values, self.where, self.report = values, where, report

    def text(self, name: str, *, may_be_empty: bool = False) -> str:
        """A required text, as it is. Raises TranscriptError where it is missing, empty or no text."""
        if name not in self.values:
            raise TranscriptError(f"{name} is missing")
        value = self.values[name]
        if not isinstance(value, str):
            raise TranscriptError(f"{name} must be text, but is {shown(value)}")
        if not may_be_empty and not value.strip():
            raise TranscriptError(f"{name} is empty")
        return storable(value, self.where, self.report)

    def label(self, name: str) -> str:
        """A required name or id: text without white space around it, or a whole number."""
        value = self.values.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        return self.text(name).strip()

    def optional_label(self, name: str) -> str | None:
        """A name or id that may be absent, null or empty. One of a wrong type is left out and reported."""
        value = self.values.get(name)
        if value is None or value == "":
            return None
        try:
            return self.label(name)
        except TranscriptError as exc:
            self.report(self.where, f"{exc}; it is left out")
            return None

    def moment(self, name: str, zone: tzinfo) -> datetime:
        """A required date and time. Raises TranscriptError where it is missing or impossible."""
        try:
            return moment(self.text(name), zone)
        except TranscriptError as exc:
            message = str(exc)
            raise TranscriptError(message if message.startswith(name) else f"{name}: {message}") from exc

    def attachments(self, name: str) -> tuple[Attachment, ...]:
        """A list of ``{"kind", "caption", "address"}``, each optional. What is no such thing is left out and reported."""
        listed = self.values.get(name)
        if listed is None:
            return ()
        if not isinstance(listed, list):
            self.report(self.where, f"{name} must be a list, but is {shown(listed)}; it is left out")
            return ()
        kept = []
        for item in listed:
            if not isinstance(item, dict) or not all(
                isinstance(item.get(key, ""), str) for key in ("kind", "caption", "address")
            ):
                self.report(
                    self.where,
                    f"an attachment must be an object of texts (kind, caption, address), but is {shown(item)}; it is left out",
                )
                continue
            values = [storable(item.get(key, ""), self.where, self.report) for key in ("kind", "caption", "address")]
            kept.append(Attachment(values[0] or "file", values[1], values[2]))
        return tuple(kept)
