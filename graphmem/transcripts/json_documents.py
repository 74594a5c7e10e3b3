"""The top-level objects of a JSON document, one by one, also of one that is cut off or broken. Pure.

A document of several hundred megabytes is never held as one tree of Python objects. Where an object cannot be parsed, what is whole
inside it is kept, the innermost broken object is marked as :class:`Cut`, and reading goes on at the next object.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from json.decoder import scanstring  # type: ignore[attr-defined]  # documented only by its use in json.JSONDecoder
from typing import Any

from graphmem.transcripts.drafts import Report
from graphmem.transcripts.fields import shown

_NEW_LINE = "\n"
_MAX_DEPTH = 12
_MAX_FAILURES = 100  # a document broken in more places than that is given up; each costs a search for the next object


def _whole_number(digits: str) -> int | float:
    # Python refuses to parse numbers of more than 4,300 digits; such a one is no reason to lose the object it stands in.
    return int(digits) if len(digits) <= 400 else float(digits)


DECODER = json.JSONDecoder(strict=False, parse_int=_whole_number)
"""Lets control characters stand in texts; :func:`graphmem.transcripts.fields.storable` deals with those."""


_ELEMENT_ENDS = re.compile(r"\}\s*(?:(?P<closes>\])|,\s*(?P<opens>\{))")
_LIST_OPENS = re.compile(r"\[\s*\{")
_NEXT_ELEMENT = re.compile(r"(?P<closes>\])|(?P<opens>\{)")
_TEXT_OR_NUL = re.compile(r'"(?:[^"\\]|\\.)*"|\x00', re.DOTALL)
_BEFORE = " \t\r\n\x00\ufeff\ufffd"
"""What may stand before a document: white space, a byte order mark, and what damage leaves."""


def begins(text: str) -> bool:
    """Whether a text begins as an object, or a list of objects, does."""
    start = text[:4096].lstrip(_BEFORE)
    return start.startswith("{") or (start.startswith("[") and start[1:].lstrip(_BEFORE)[:1] == "{")


class Cut(dict[str, Any]):
    """An object of which only the members before a break in the document are known."""


@dataclass(frozen=True, slots=True)
class _Part:
    value: Any
    end: int
    whole: bool


def objects(
    text: str, where: str, wanted: Callable[[dict[str, Any]], bool], report: Report, *, first_line: int = 1
) -> Iterator[dict[str, Any]]:
    """The objects of a JSON array, or objects that follow one another, in order.

    Args:
        wanted: Whether an object is one of the kind sought; used to find the next one after a break.
        where: The file, for reports. Each break is reported with its line.
        first_line: The number of the text's first line.
    """

    def report_at(position: int, what: str) -> None:
        report(f"{where}:{first_line + text.count(_NEW_LINE, 0, position)}", what)

    if "\x00" in text:
        cleaned = _TEXT_OR_NUL.sub(lambda match: " " if match[0] == "\x00" else match[0], text)
        if cleaned != text:
            report_at(text.index("\x00"), "there are NUL bytes between the values; they are passed over")
        text = cleaned
    failures = _Failures()
    at = _skip(text, 0, _BEFORE)
    in_array = text[at : at + 1] == "["
    at += in_array
    while (at := _skip(text, at)) < len(text):
        if in_array and text[at] == "]":
            in_array = False
            at += 1
            continue
        try:
            value, at = DECODER.raw_decode(text, at)
        except (ValueError, RecursionError) as exc:
            part = _salvage(text, at, 0, failures)
            report_at(
                part.end, f"the JSON is cut off or broken here ({_reason(exc)}); what is whole before and after is read"
            )
            if isinstance(part.value, dict) and wanted(part.value):
                yield part.value
            # Where a broken object ends is not known: the next one may begin inside what looks like a text of it.
            at = _next_wanted(text, part.end if part.whole else at + 1, wanted, failures)
            continue
        if isinstance(value, dict):
            yield value
        else:
            report_at(at, f"there must be an object here, but there is {shown(value)}")
    if failures.exhausted:
        report_at(
            failures.last, f"the JSON is broken in more than {_MAX_FAILURES} places; what follows this one is given up"
        )
    elif in_array:
        report_at(len(text), "the file ends before its list is closed; what is whole is read")


class _Failures:
    """Counts how often a next object had to be searched for."""

    def __init__(self) -> None:
        self.count = self.last = 0

    @property
    def exhausted(self) -> bool:
        return self.count > _MAX_FAILURES

    def enough(self, position: int) -> bool:
        """Counts one more and tells whether to give up."""
        self.count += 1
        self.last = position
        return self.exhausted


def _reason(exc: Exception) -> str:
    return exc.msg if isinstance(exc, json.JSONDecodeError) else "it is nested too deeply"


def _skip(text: str, at: int, characters: str = " \t\r\n,") -> int:
    while at < len(text) and text[at] in characters:
        at += 1
    return at


def _next_wanted(text: str, at: int, wanted: Callable[[dict[str, Any]], bool], failures: _Failures) -> int:
    while (at := text.find("{", at)) >= 0:
        try:
            value, end = DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            # A broken object of the kind sought is salvaged by the caller; any other is stepped into.
            if failures.enough(at):
                break
            part = _salvage(text, at, 0, failures)
            if isinstance(part.value, dict) and wanted(part.value):
                return at
            at += 1
            continue
        if isinstance(value, dict) and wanted(value):
            return at
        at = end
    return len(text)


def _salvage(text: str, at: int, depth: int, failures: _Failures) -> _Part:
    """What can be parsed of the value at ``at``, known to be broken: members and elements that are whole, and broken ones inside."""
    if depth < _MAX_DEPTH and text[at : at + 1] == "{":
        return _salvage_object(text, at + 1, depth, failures)
    if depth < _MAX_DEPTH and text[at : at + 1] == "[":
        return _salvage_array(text, at + 1, depth, failures)
    return _Part(None, at, whole=False)


def _salvage_object(text: str, at: int, depth: int, failures: _Failures) -> _Part:
    members = Cut()
    while True:
        at = _skip(text, at)
        if text[at : at + 1] == "}":
            return _Part(dict(members), at + 1, whole=True)
        if text[at : at + 1] != '"':
            return _Part(members, at, whole=False)
        try:
            name, after = scanstring(text, at + 1, False)
        except ValueError:
            return _Part(members, at, whole=False)
        at = _skip(text, after, " \t\r\n")
        if text[at : at + 1] != ":":
            return _Part(members, at, whole=False)
        part = _value(text, _skip(text, at + 1, " \t\r\n"), depth, failures)
        if part.whole or part.value is not None:
            members[name] = part.value
        at = part.end
        if not part.whole:
            return _Part(members, at, whole=False)


def _salvage_array(text: str, at: int, depth: int, failures: _Failures) -> _Part:
    elements: list[Any] = []
    while True:
        at = _skip(text, at)
        if text[at : at + 1] == "]":
            return _Part(elements, at + 1, whole=True)
        if at >= len(text):
            return _Part(elements, at, whole=False)
        part = _value(text, at, depth, failures)
        if part.whole or part.value is not None:
            elements.append(part.value)
        if not part.whole:
            # Go on at the next object of this list, or after the list if the broken one is its last.
            boundary = (_ELEMENT_ENDS if isinstance(part.value, Cut) else _NEXT_ELEMENT).search(text, part.end)
            of_objects = bool(elements) and isinstance(elements[-1], dict)
            if boundary is None or not of_objects or failures.enough(part.end):
                return _Part(elements, part.end, whole=False)
            if _LIST_OPENS.search(text, at, boundary.end()):  # the end of this list was lost in the damage
                return _Part(elements, part.end, whole=False)
            at = boundary.start("opens") if boundary["opens"] else boundary.start("closes")
            continue
        at = part.end


def _value(text: str, at: int, depth: int, failures: _Failures) -> _Part:
    try:
        value, end = DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        return _salvage(text, at, depth + 1, failures)
    return _Part(value, end, whole=True)
