"""What the reply models of all prompts share: a schema without words that the prompt has said, and patience with small slips."""

from __future__ import annotations

import re
from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic.fields import FieldInfo

_WHOLE_NUMBER = re.compile(r"\D*(\d+)\D*")


def slim(schema: dict[str, Any]) -> None:
    """Takes titles and docstrings out of a JSON schema: it is sent with every call, and the prompt explains the fields."""
    schema.pop("title", None)
    schema.pop("description", None)
    for each in schema.get("properties", {}).values():
        each.pop("title", None)


class ReplyPart(BaseModel):
    """A part of a reply. A null is a field left out; a number may stand where text belongs, and carry a letter where a number does ("M3").

    Texts are empty where nothing was said and numbers 0, for a schema with nulls costs more tokens with every call. A field that is missing
    does not spoil a whole reply: whoever reads it settles it, or refuses that one statement and counts it.
    """

    model_config = ConfigDict(extra="ignore", frozen=True, json_schema_extra=slim)

    @model_validator(mode="before")
    @classmethod
    def _mended(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        return {name: _as_kind(value, cls.model_fields.get(name)) for name, value in given.items() if value is not None}


def _as_kind(value: Any, field: FieldInfo | None) -> Any:
    if field is None:
        return value
    if field.annotation is str and not isinstance(value, str):
        if isinstance(value, bool):
            return "true" if value else "false"
        return str(value) if isinstance(value, int | float) else value
    if field.annotation is int and isinstance(value, str):
        found = _WHOLE_NUMBER.fullmatch(value)
        return found[1] if found is not None else 0 if not value.strip() else value
    return value
