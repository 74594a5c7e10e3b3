"""The arguments of the tools: what a model may give, and how what it gave is read. A wrong argument is a mistake that says what to do."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from graphmem.answer.agent.observing import Mistake
from graphmem.answer.agent.rows import quoted
from graphmem.providers.chat import ToolSpec
from graphmem.providers.replies import summarise

A = TypeVar("A", bound="Arguments")
_SHOWN = 120


class Arguments(BaseModel):
    """Base of all tools' arguments."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class NoArguments(Arguments):
    """Of a tool that needs none."""


class LookupArguments(Arguments):
    """Of entity_lookup."""

    name: str = Field(description="name or handle (n1)", min_length=1)
    properties: list[str] = []
    as_of: str | None = Field(None, description="ISO date: what held then")


class CypherArguments(Arguments):
    """Of cypher."""

    query: str = Field(min_length=1)


class SearchArguments(Arguments):
    """Of search and search_events."""

    query: str = Field(min_length=1)
    since: str | None = Field(None, description="ISO date")
    until: str | None = Field(None, description="ISO date, excluded")
    limit: int = Field(8, ge=1, le=30)


class TurnArguments(Arguments):
    """Of search_turns."""

    query: str = ""
    read: list[str] = Field([], description="handles of turns to read in full with their neighbours, instead of query")
    speaker: str | None = None
    since: str | None = Field(None, description="said from, ISO date")
    until: str | None = None
    limit: int = Field(8, ge=1, le=30)


class GrepArguments(Arguments):
    """Of grep_turns and grep_events."""

    text: str = Field(description="exact text, any case", min_length=1)
    regex: bool = False
    since: str | None = None
    until: str | None = None
    limit: int = Field(10, ge=1, le=50)


def spec(name: str, about: str, arguments: type[Arguments]) -> ToolSpec:
    """A tool as a model sees it. Titles and defaults are left out of the schema: they are sent with every request and say nothing."""
    schema = arguments.model_json_schema()
    return ToolSpec(name, about, _slim(schema))


def read_arguments(tool: str, raw: str, arguments: type[A]) -> A:
    """The arguments of a call. Raises Mistake, with what is wrong and an example, where they cannot be read."""
    try:
        given = json.loads(raw) if raw.strip() else {}
    except ValueError as exc:
        raise Mistake(
            f"The arguments of {tool} are no JSON object ({exc}): {_short(raw)}. Call it again, as in {example(arguments)}"
        ) from exc
    if isinstance(given, str):
        return read_arguments(tool, given, arguments)
    if not isinstance(given, dict):
        raise Mistake(f"The arguments of {tool} must be one JSON object, as in {example(arguments)}")
    known = list(arguments.model_fields)
    unknown = [key for key in given if key not in known]
    if unknown:
        near = difflib.get_close_matches(str(unknown[0]), known, n=1, cutoff=0.5)
        told = f"did you mean {near[0]}?" if near else f"it takes {', '.join(known) or 'none'}."
        raise Mistake(f"{tool} has no argument {quoted(str(unknown[0])[:40])}; {told}")
    try:
        return arguments.model_validate({key: value for key, value in given.items() if value is not None})
    except ValidationError as exc:
        raise Mistake(f"{tool}: {summarise(exc)}. Call it again, as in {example(arguments)}") from exc


def example(arguments: type[Arguments]) -> str:
    """Arguments that would be taken."""
    shown: Mapping[str, Any] = {
        "name": "Ana", "query": "MATCH (e:Entity) RETURN e.name LIMIT 5" if arguments is CypherArguments else "Ana's new job",
        "text": "SR-2023-052", "found": True, "answer": "Lisbon", "citations": [{"source": "t1", "quote": "the exact words"}],
    }  # fmt: skip
    return json.dumps({name: shown[name] for name in arguments.model_fields if name in shown}, ensure_ascii=False)


def _slim(node: Any) -> Any:
    """A JSON schema without titles, defaults and docstrings of objects, and with "or null" left to being optional."""
    if isinstance(node, list):
        return [_slim(item) for item in node]
    if not isinstance(node, dict):
        return node
    if "anyOf" in node and len(kept := [one for one in node["anyOf"] if one != {"type": "null"}]) == 1:
        node = {**{key: value for key, value in node.items() if key != "anyOf"}, **kept[0]}
    slim = {
        key: {name: _slim(one) for name, one in value.items()} if key in ("properties", "$defs") else _slim(value)
        for key, value in node.items()
        if key not in ("title", "default", "minLength")
    }
    if slim.get("type") == "object":
        slim.pop("description", None)
    return slim


def _short(text: str) -> str:
    return quoted(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")
