"""Which form a question has: how its answer is chosen. Pure."""

from __future__ import annotations

from graphmem.answer.asking import is_past
from graphmem.answer.targets import Anchor, Form, Want
from graphmem.answer.words import words_of
from graphmem.records import Interval


def form_of(
    text: str,
    wh: str,
    want: Want,
    anchor: Anchor | None,
    order: str | None,
    time: Interval | None,
    *,
    changed: bool,
    current: bool,
    previous: bool,
    excluded: bool,
) -> Form:
    if wh == "who else" or (excluded and want == "person"):
        return "who_else"
    if previous or (anchor is not None and anchor.relation in ("before", "until")):
        return "before_event"
    if anchor is not None and anchor.relation in ("after", "since"):
        return "after_event"
    if changed:
        return "changed"
    if order is not None:
        return "first" if order == "first" else "last"
    if want == "time":
        return "when"
    if want == "duration":
        return "how_long"
    if want == "count":
        return "how_many"
    if time is not None or anchor is not None:
        return "at_time"
    if current or (want == "place" and is_present(text)):
        return "current"
    if wh == "" and want == "thing":
        return "search"
    return "attribute"


def is_present(text: str) -> bool:
    """Whether a question is put in the present: "where does she live", and "where she lives"."""
    words = {word.text.lower() for word in words_of(text)}
    return not words & {"did", "was", "were", "had"} and not any(is_past(word) for word in words)
