"""From the raw text of a reply to a typed one, or to what is wrong with it. Pure: no service, no clock.

What can be mended without guessing is mended and counted: a reasoning preamble or prose around the object, a code fence, broken escapes, a
trailing comma. All else is told apart and named, so that a reply which cannot be read is never taken for "nothing was found":

- the schema itself, sent back as a reply, would satisfy a model whose fields all have defaults; it is recognised first;
- so would ``{}`` or an object under another name (``{"result": {…}}``): an object that states none of the model's fields is refused;
- an object that ends inside is never closed by force, for what is missing at its end would be lost without a trace.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic

from pydantic import BaseModel, ValidationError

from graphmem.providers.chat import Fault, R

_THOUGHT = re.compile(r"<(think|thinking|reasoning|thought)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_END_OF_THOUGHT = re.compile(r"</(?:think|thinking|reasoning|thought)>", re.IGNORECASE)
_START_OF_THOUGHT = re.compile(r"<(?:think|thinking|reasoning|thought)>", re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[ \t]*[\w+-]*[ \t]*$", re.MULTILINE)
_LONE_BACKSLASH = re.compile(r'\\(?:(["\\/bfnrt])|(u[0-9a-fA-F]{4}))?')
_STRING_OR_TRAILING_COMMA = re.compile(r'"(?:\\.|[^"\\])*"|,(?=\s*[}\]])', re.DOTALL)
_OPENING = re.compile(r'\{\s*["}]')
_SHOWN_ERRORS = 5
_SHOWN_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class Readable(Generic[R]):
    """A typed reply, and what had to be mended to read it."""

    reply: R
    mended: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """What is wrong with a reply; ``why`` is written so that the model can act on it."""

    fault: Fault
    why: str
    mended: tuple[Fault, ...] = ()


def read_reply(
    raw: str | None, reply: type[R], *, finish: str | None = None, refusal: str | None = None
) -> Readable[R] | Unreadable:
    """Reads a reply of a chat model as ``reply``.

    Args:
        raw: The text of the message, or the arguments of the tool call that carries the reply.
        reply: The expected type; its JSON form is an object.
        finish: The service's reason for ending: ``stop``, ``length``, ``content_filter``, ``tool_calls`` …
        refusal: What the service says beside an empty message when the model declined.
    """
    text = (raw or "").removeprefix("\ufeff").strip()
    if refusal or finish == "content_filter":
        return Unreadable("refused", f"The model declined: {_short(refusal or 'content filter')}")
    if not text:
        if finish == "length":
            return Unreadable("cut_off", "The reply reached the length limit before its first character.")
        return Unreadable("empty", "The reply is empty.")
    mended: list[Fault] = []
    body, thinking = _without_thoughts(text)
    if body != text or thinking:
        mended.append("preamble")
    unfenced = _FENCE.sub("", body).strip()
    if unfenced != body.strip():
        mended.append("fenced")
    objects = list(_objects(unfenced))
    whole = [found for found in objects if found.value is not None]
    if objects and objects[-1].value is None:
        # Whatever stands before it may be a draft: the last object is the one that the model meant.
        fault: Fault = "not_json" if objects[-1].closed and finish != "length" else "cut_off"
        return Unreadable(fault, objects[-1].why, tuple(mended))
    if thinking or finish == "length":
        # A draft in an unfinished thought is no reply; only an object at the end (or, when the limit was reached, the whole text) is one.
        whole = [found for found in whole if found.end == len(unfenced) and (finish != "length" or found.start == 0)]
    if not whole:
        if finish == "length":
            return Unreadable("cut_off", "The reply reached the length limit before its JSON object.", tuple(mended))
        return Unreadable("not_json", f"There is no JSON object in it: {_short(unfenced)!r}", tuple(mended))
    chosen = _choose(whole, reply)
    if isinstance(chosen, Unreadable):
        return Unreadable(chosen.fault, chosen.why, tuple(mended))
    if "preamble" not in mended and (chosen.start > 0 or chosen.end < len(unfenced)):
        mended.append("preamble")
    mended.extend(chosen.mended)
    outcome = _as_model(chosen.value, reply)
    if isinstance(outcome, Unreadable):
        return Unreadable(outcome.fault, outcome.why, tuple(mended))
    return Readable(outcome, tuple(mended))


def without_thoughts(text: str) -> tuple[str, bool]:
    """A text without the reasoning that a model put before it, and whether there was any. An unclosed one is all thought."""
    body, thinking = _without_thoughts(text.strip())
    return ("" if thinking else body), thinking or body != text.strip()


def _without_thoughts(text: str) -> tuple[str, bool]:
    """The text after the reasoning, and whether it still stands in a thought that was never closed."""
    rest = text
    while (whole := _THOUGHT.match(rest)) is not None:
        rest = rest[whole.end() :].lstrip()
    end = None
    # Some chat templates swallow the opening tag, so that the reply begins inside the thought.
    for end in _END_OF_THOUGHT.finditer(rest):
        if "{" in rest[: end.start()] and _parsed(rest)[0] is not None:
            end = None  # the tag stands in a string of the reply itself
            break
    if end is not None:
        rest = rest[end.end() :]
    opened = _START_OF_THOUGHT.match(rest.lstrip())
    return rest.strip(), opened is not None


@dataclass(frozen=True, slots=True)
class _Found:
    """An object in the text: where, its value (None if it is no JSON, ``why`` says more), whether it is closed, what was mended."""

    start: int
    end: int
    value: dict[str, Any] | None
    closed: bool = True
    mended: tuple[Fault, ...] = ()
    why: str = ""


def _objects(text: str) -> Iterator[_Found]:
    """The outermost objects of a text, in order. A brace that no name or closing brace follows is prose ("as {x} says")."""
    at = 0
    while (opening := _OPENING.search(text, at)) is not None:
        start = opening.start()
        end = _end_of_object(text, start)
        if end is None:
            yield _Found(start, len(text), None, closed=False, why="The reply ends inside its JSON object.")
            return
        value, mended = _parsed(text[start:end])
        why = "" if value is not None else f"Its object is no valid JSON: {_json_error(text[start:end])}"
        yield _Found(start, end, value, True, mended, why)
        at = end


def _end_of_object(text: str, start: int) -> int | None:
    """The position after the brace that closes the object at ``start``, or None if it ends inside."""
    depth, quoted, at = 0, False, start
    while at < len(text):
        char = text[at]
        if quoted:
            if char == "\\":
                at += 1
            elif char == '"':
                quoted = False
        elif char == '"':
            quoted = True
        elif char in "{[":
            depth += 1
        elif char in "}]":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return None


def _parsed(text: str) -> tuple[dict[str, Any] | None, tuple[Fault, ...]]:
    """The object that a text is, mended where that takes no guess, and what was mended."""
    value = _loaded(text, strict=True)
    if value is not None:
        clean = _without_lone_surrogates(value)
        return clean, (() if clean == value else ("broken_escape",))
    faults: list[Fault] = []
    escaped = _LONE_BACKSLASH.sub(lambda found: found[0] if found[1] or found[2] else "\\\\", text)
    value = _loaded(escaped, strict=False)
    if value is not None:
        return _without_lone_surrogates(value), ("broken_escape",)
    uncommaed = _STRING_OR_TRAILING_COMMA.sub(lambda found: "" if found[0] == "," else found[0], escaped)
    if uncommaed != escaped:
        faults.append("not_json")
        value = _loaded(uncommaed, strict=True)
        if value is None:
            value = _loaded(uncommaed, strict=False)
            faults.append("broken_escape")
        elif escaped != text:
            faults.append("broken_escape")
    return (None, ()) if value is None else (_without_lone_surrogates(value), tuple(faults))


def _loaded(text: str, *, strict: bool) -> dict[str, Any] | None:
    """The object, or None. ``strict`` False lets raw line breaks and tabs stand in strings. NaN and Infinity are no JSON."""
    try:
        value = json.loads(text, strict=strict, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _json_error(text: str) -> str:
    try:
        json.loads(text, strict=False, parse_constant=_no_constant)
    except (ValueError, RecursionError) as exc:
        return _short(str(exc))
    return "it is not an object"


def _without_lone_surrogates(value: Any) -> Any:
    """Half of a surrogate pair stands for no character and can be stored nowhere; U+FFFD takes its place."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_without_lone_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {_without_lone_surrogates(name): _without_lone_surrogates(item) for name, item in value.items()}
    return value


def _choose(found: list[_Found], reply: type[BaseModel]) -> _Found | Unreadable:
    """The one object that is the reply. Two that differ and both fit are not chosen between: one may be a draft."""
    if len(found) == 1:
        return found[0]
    fitting = [one for one in found if not isinstance(_as_model(one.value, reply), Unreadable)]
    if len(fitting) > 1 and all(one.value == fitting[0].value for one in fitting):
        fitting = fitting[-1:]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        return Unreadable("not_json", f"There are {len(fitting)} different JSON objects in it that fit; give one.")
    return found[-1]


def _as_model(value: dict[str, Any] | None, reply: type[R]) -> R | Unreadable:
    assert value is not None
    names = {name for field, info in reply.model_fields.items() for name in (field, info.alias) if name}
    if is_schema(value) and not {"properties", "$defs"} & names:
        return Unreadable("echoed_schema", "It is the JSON schema itself; give an object that follows the schema.")
    if names and not names & value.keys():
        return Unreadable(
            "wrong_shape",
            f"It states none of the fields {', '.join(sorted(names))}; it has {_short(', '.join(value) or 'no fields')}.",
        )
    try:
        return reply.model_validate(value)
    except ValidationError as exc:
        return Unreadable("wrong_shape", summarise(exc))


def is_schema(value: dict[str, Any]) -> bool:
    """Whether an object is a JSON schema of an object rather than an object (also with values filled in under ``properties``)."""
    return isinstance(value.get("properties"), dict) and bool({"type", "$defs", "required", "title"} & value.keys())


def summarise(error: ValidationError) -> str:
    """What is wrong, field by field, in one short text that a model can act on: at most five fields, then how many more."""
    errors = error.errors(include_url=False, include_context=False)
    shown = [
        f"{'.'.join(str(step) for step in one['loc']) or 'the object'}: {one['msg']}"
        + ("" if one["type"] == "missing" else f" (was {_short(repr(one['input']))})")
        for one in errors[:_SHOWN_ERRORS]
    ]
    if len(errors) > _SHOWN_ERRORS:
        shown.append(f"and {len(errors) - _SHOWN_ERRORS} more")
    return "; ".join(shown)


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + "…"
