"""What the extraction prompt asks a model for, as typed records. The lines that explain the fields are in the prompt, not in the schema.

Texts are empty where nothing was said, and ``event`` is 0: a schema with nulls costs more tokens with every call. Only the shape is
checked here. A field that is missing, or a value outside a list, does not spoil a whole reply: the conversion settles it, or refuses that
one statement and counts it.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator


def slim(schema: dict[str, Any]) -> None:
    """Takes titles and docstrings out of a JSON schema: each is sent with every call, and the prompt has said it."""
    schema.pop("title", None)
    schema.pop("description", None)
    for each in schema.get("properties", {}).values():
        each.pop("title", None)


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, json_schema_extra=slim)

    @model_validator(mode="before")
    @classmethod
    def _without_nothings(cls, given: Any) -> Any:
        """A null is a field left out; a number or a truth value where text belongs is its text."""
        if not isinstance(given, dict):
            return given
        return {name: _as_text(value, cls.model_fields.get(name)) for name, value in given.items() if value is not None}


def _as_text(value: Any, field: Any) -> Any:
    if field is None or field.annotation is not str or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else value


class EntityReply(_Part):
    """Somebody or something that is named."""

    name: str = ""
    type: str = ""
    about: str = ""


class ParticipantReply(_Part):
    """A name and its part in an event."""

    name: str = ""
    role: str = "Mentioned"


class EventReply(_Part):
    """Something done, planned, going on or not done."""

    turn: int = 0
    quote: str = ""
    kind: str = "event"
    subject: str = ""
    verb: str = ""
    object: str = ""
    summary: str = ""
    participants: list[ParticipantReply] = []
    place: str = ""
    aliases: list[str] = []
    time: str = ""
    start: str = ""
    end: str = ""
    confidence: float = 0.9


class FactReply(_Part):
    """A lasting statement about a subject."""

    turn: int = 0
    quote: str = ""
    subject: str = ""
    property: str = ""
    value: str = ""
    type: str = "string"
    unit: str = ""
    polarity: str = "holds"
    time: str = ""
    start: str = ""
    end: str = ""
    confidence: float = 0.9
    inferred: bool = False
    event: int = 0


class ExtractReply(_Part):
    """All that a window has to remember."""

    entities: list[EntityReply] = []
    events: list[EventReply] = []
    facts: list[FactReply] = []
