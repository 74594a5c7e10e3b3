"""What the resolution prompt asks a model for, as typed records. Choices are checked against what was offered elsewhere."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator


def _slim(schema: dict[str, Any]) -> None:
    """Takes titles and docstrings out of a JSON schema: each is sent with every call."""
    schema.pop("title", None)
    schema.pop("description", None)
    for each in schema.get("properties", {}).values():
        each.pop("title", None)


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, json_schema_extra=_slim)

    @model_validator(mode="before")
    @classmethod
    def _without_nothings(cls, given: Any) -> Any:
        """A null is a field left out, and a number may carry the letter that it is shown with ("M3", "E12")."""
        if not isinstance(given, dict):
            return given
        return {
            name: value.strip().lstrip("MPTE[").rstrip("]") if cls.is_number(name) and isinstance(value, str) else value
            for name, value in given.items()
            if value is not None
        }

    @classmethod
    def is_number(cls, name: str) -> bool:
        """Whether a field holds a whole number."""
        field = cls.model_fields.get(name)
        return field is not None and field.annotation is int


class MentionReply(_Part):
    """A decision on a mention. ``entity`` is 0 where none is chosen."""

    m: int
    decision: str = ""
    entity: int = 0
    name: str = ""
    type: str = ""
    aliases: list[str] = []
    confidence: float = 0.7
    reason: str = ""


class PropertyReply(_Part):
    """A decision on a property."""

    p: int
    name: str = ""
    cardinality: str = "many"
    value_type: str = "string"


class PairReply(_Part):
    """A decision on two tellings."""

    t: int
    same: bool = False
    confidence: float = 0.7
    reason: str = ""


class ResolveReply(_Part):
    """All decisions of a window."""

    mentions: list[MentionReply] = []
    properties: list[PropertyReply] = []
    events: list[PairReply] = []
