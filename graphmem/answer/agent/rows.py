"""How what the memory holds is written for a model: one row a line, times as dates, and every text that came from a transcript as data.

A turn can hold anything: orders to the model, tool calls, closing tags. So no text of a transcript is ever written bare. It stands as a
JSON string, in which quotes, line breaks, angle brackets and characters that are not seen are escaped, inside a block that says it is data
and whose end the text cannot write.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta, tzinfo
from typing import Any

_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_.]{0,40}\Z")
_SEEN_JOINERS = frozenset("\u200c\u200d\ufe0f")
"""Format characters that belong to words and pictures: without them Persian and emoji fall apart."""

BEGIN, END = "<data>", "</data>"


def tokens_of(text: str) -> int:
    """About how many tokens a text is: a quarter of its ASCII characters, and one for each other character."""
    plain = sum(1 for ch in text if ch < "\x80")
    return -(-plain // 4) + len(text) - plain


def data(lines: Sequence[str]) -> str:
    """Rows as a block that is marked as data."""
    return "\n".join((BEGIN, *lines, END))


def quoted(text: str) -> str:
    """A text of a transcript as a JSON string that cannot end the block it stands in."""
    return seen(json.dumps(text, ensure_ascii=False))


def seen(text: str) -> str:
    """A text in which angle brackets and characters that are not seen, line breaks of all kinds among them, are escaped."""
    return "".join(map(_escaped, text))


def _escaped(ch: str) -> str:
    if ch in "<>":
        return f"\\u{ord(ch):04x}"
    if ch < "\x7f" or ch in _SEEN_JOINERS or unicodedata.category(ch) not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp"):
        return ch
    return json.dumps(ch)[1:-1]


def name(text: str) -> str:
    """A name of a property, type or column bare where it is one word of letters, anything else quoted."""
    return text if _BARE.match(text) else quoted(text)


def cut(text: str, longest: int, handle: str | None = None, at: int = 0) -> str:
    """A text quoted, cut at words when it is longer than ``longest`` characters, with how much is missing and how to get it.

    What is kept begins with the text, or somewhat before ``at`` if that lies beyond what would be kept. A sixth more is not worth cutting.
    """
    if len(text) <= longest + longest // 6:
        return quoted(text)
    start = 0 if at < longest * 2 // 3 else max(min(at - longest // 3, len(text) - longest), 0)
    while 0 < start < at and not text[start - 1].isspace():
        start += 1
    end = min(start + longest, len(text))
    if end < len(text) and (gap := text.rfind(" ", max(start, at), end)) > 0:
        end = gap
    kept = text[start:end].strip()
    more = f" (+{len(text) - len(kept)} characters" + (f', read=["{handle}"]' if handle is not None else "") + ")"
    return ("…" if start else "") + quoted(kept) + more


def moment(value: datetime, zone: tzinfo | None = None) -> str:
    """A time to the minute with its offset; a midnight as the date alone."""
    local = value if zone is None else value.astimezone(zone)
    if local.hour == local.minute == local.second == 0:
        return local.date().isoformat()
    return local.strftime("%Y-%m-%dT%H:%M") + (local.strftime("%z") if local.utcoffset() else "Z")


def day(value: datetime | None, zone: tzinfo | None = None) -> str:
    """A time to the day."""
    return "?" if value is None else (value if zone is None else value.astimezone(zone)).date().isoformat()


def span(start: datetime | None, end: datetime | None, granularity: str, zone: tzinfo | None = None) -> str:
    """An interval in the zone it was told in, no finer than it is known: ``2023-05`` for a month, ``2023-05-01..`` for what goes on."""
    if start is None and end is None:
        return "no time"
    if start is None:
        return f"..{day(end, zone)}"
    local = start if zone is None else start.astimezone(zone)
    unit = {"year": "%Y", "month": "%Y-%m"}.get(granularity)
    first = local.strftime(unit) if unit is not None else local.date().isoformat()
    if granularity in ("instant", "second", "minute", "hour"):
        first = moment(local)
    if end is None:
        return f"{first}.."
    last = (end if zone is None else end.astimezone(zone)) - timedelta(microseconds=1)
    if granularity in ("instant", "second", "minute", "hour", "part_of_day") and last.date() == local.date():
        return first
    same = last.strftime(unit) if unit is not None else last.date().isoformat()
    return first if same == first else f"{first}..{same}"


def held(start: datetime | None, end: datetime | None, *, start_stated: bool, zone: tzinfo | None = None) -> str:
    """When a fact held: ``since 2023-05-01``, ``2022-01-01 to 2023-05-01`` (the end is out), ``known since …`` if no start was stated."""
    first = "?" if start is None else day(start, zone)
    text = f"since {first}" if end is None else f"{first} to {day(end, zone)}"
    return text if start_stated else f"known {text}"


def cell(
    value: Any, longest: int, handle: str | None = None, special: Callable[[Any], str | None] = lambda value: None
) -> str:
    """A value of a Cypher row; ``handle`` is what a long text can be read on by, ``special`` writes values that stand for something."""
    if (written := special(value)) is not None:
        return written
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, datetime):
        return "open" if value.year == 9999 else moment(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str):
        return cut(value, longest, handle)
    if isinstance(value, Mapping):
        parts = (f"{name(str(key))}: {cell(item, longest, handle, special)}" for key, item in value.items())
        return "{" + ", ".join(parts) + "}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(cell(item, longest, handle, special) for item in value) + "]"
    return quoted(str(value))


def fitted(lines: Sequence[str], budget: int, *, always: int = 0) -> tuple[list[str], int]:
    """As many lines as fit into a budget of tokens, the first ``always`` of them in any case, and how many are left."""
    kept: list[str] = []
    spent = 0
    for number, line in enumerate(lines):
        spent += tokens_of(line) + 1
        if number >= always and spent > budget:
            break
        kept.append(line)
    return kept, len(lines) - len(kept)
