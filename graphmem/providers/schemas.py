"""How a typed reply is asked for: by a strict JSON schema, a plain one, a tool call, JSON mode, or words alone. Pure.

Services differ in what they take; ``MODES`` is the order in which they are tried. Strict schemas are a subset of JSON Schema (OpenAI's
guide to structured outputs): every object closed and every field required, no defaults, no free-form maps.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel

Mode = Literal["strict", "schema", "tool", "json", "text"]
MODES: tuple[Mode, ...] = ("strict", "schema", "tool", "json", "text")
REPLY_TOOL = "give_reply"

_NOT_STRICT = frozenset({"default", "title", "examples", "format", "pattern", "minLength", "maxLength", "uniqueItems"})
"""Keywords left out of a strict schema: not taken by all who take strict schemas. pydantic checks them in the reply all the same."""


def modes_for(reply: type[BaseModel]) -> tuple[Mode, ...]:
    """The modes that fit this type, best first."""
    return MODES if strict_schema(reply.model_json_schema()) is not None else MODES[1:]


def parameters_for(mode: Mode, reply: type[BaseModel]) -> dict[str, Any]:
    """The parameters of a chat request that ask for this type in this mode."""
    schema = reply.model_json_schema()
    if mode in ("strict", "schema"):
        named: dict[str, Any] = {"name": reply.__name__, "schema": schema}
        if mode == "strict":
            named |= {"schema": strict_schema(schema), "strict": True}
        return {"response_format": {"type": "json_schema", "json_schema": named}}
    if mode == "tool":
        function = {"name": REPLY_TOOL, "description": "Gives the reply.", "parameters": schema}
        return {
            "tools": [{"type": "function", "function": function}],
            "tool_choice": {"type": "function", "function": {"name": REPLY_TOOL}},
        }
    return {"response_format": {"type": "json_object"}} if mode == "json" else {}


def instructions_for(mode: Mode, reply: type[BaseModel]) -> str:
    """What the system message must say in this mode beside the prompt; empty where the service itself holds the model to the schema."""
    if mode in ("strict", "schema", "tool"):
        return ""
    schema = json.dumps(reply.model_json_schema(), ensure_ascii=False, separators=(",", ":"))
    return f"Answer with one JSON object that follows this JSON schema, and with nothing else:\n{schema}"


def strict_schema(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """The schema in the strict subset, or None if it cannot be said in it (free-form maps, any value)."""
    try:
        return _strict(schema)
    except _NotSayable:
        return None


class _NotSayable(Exception):
    """Never leaves this module."""


def _strict(node: Mapping[str, Any]) -> dict[str, Any]:
    if not node.keys() - _NOT_STRICT - {"description"}:
        raise _NotSayable  # any value
    if "prefixItems" in node or isinstance(node.get("additionalProperties"), Mapping):
        raise _NotSayable
    kept = {name: value for name, value in node.items() if name not in _NOT_STRICT}
    if "$ref" in kept:
        return {"$ref": kept["$ref"]}  # nothing may stand beside a reference
    if "oneOf" in kept:
        kept["anyOf"] = kept.pop("oneOf")
        kept.pop("discriminator", None)
    if "const" in kept:
        kept["enum"] = [kept.pop("const")]
    if "anyOf" in kept:
        kept["anyOf"] = [_strict(one) for one in kept["anyOf"]]
    if "items" in kept:
        kept["items"] = _strict(kept["items"])
    if "$defs" in kept:
        kept["$defs"] = {name: _strict(one) for name, one in kept["$defs"].items()}
    if kept.get("type") == "object":
        if "properties" not in kept:
            raise _NotSayable
        kept["properties"] = {name: _strict(one) for name, one in kept["properties"].items()}
        kept["required"] = list(kept["properties"])
        kept["additionalProperties"] = False
    return kept
