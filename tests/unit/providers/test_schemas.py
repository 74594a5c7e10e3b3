"""How a typed reply is asked for, and what a refusal of the way of asking teaches."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from graphmem.providers.failures import ServiceRefused
from graphmem.providers.habits import Habits, is_about_length, is_about_structure, rejected_parameters
from graphmem.providers.schemas import MODES, instructions_for, modes_for, parameters_for, strict_schema


class Dog(BaseModel):
    kind: Literal["dog"]
    born: date | None = None


class Cat(BaseModel):
    kind: Literal["cat"]


class Home(BaseModel):
    pets: list[Dog | Cat] = Field(default_factory=list, description="All that live there.")
    street: str = Field("", max_length=50)


class Free(BaseModel):
    extra: dict[str, int] = {}


class Anything(BaseModel):
    value: Any = None


def objects_in(node: object) -> list[dict[str, Any]]:
    """Every schema of an object within a schema."""
    if isinstance(node, list):
        return [found for item in node for found in objects_in(item)]
    if not isinstance(node, dict):
        return []
    return [node] * (node.get("type") == "object") + [found for item in node.values() for found in objects_in(item)]


def test_a_strict_schema_closes_every_object_and_requires_every_field() -> None:
    strict = strict_schema(Home.model_json_schema())
    assert strict is not None
    assert len(objects_in(strict)) == 3
    for one in objects_in(strict):
        assert one["additionalProperties"] is False
        assert one["required"] == list(one["properties"])
    assert strict["properties"]["pets"]["description"] == "All that live there."
    assert not {"default", "maxLength", "format", "const", "oneOf"} & set(str(strict).replace("'", " ").split())


@pytest.mark.parametrize("reply", [Free, Anything])
def test_what_a_strict_schema_cannot_say_is_asked_for_by_a_plain_one(reply: type[BaseModel]) -> None:
    assert strict_schema(reply.model_json_schema()) is None
    assert modes_for(reply) == MODES[1:]
    assert modes_for(Home) == MODES


def test_where_no_schema_is_sent_the_prompt_holds_it() -> None:
    for mode in MODES:
        asked = parameters_for(mode, Home)
        in_parameters = "street" in str(asked)
        assert in_parameters != ("street" in instructions_for(mode, Home)), mode


def test_the_way_that_worked_is_tried_first_and_ways_before_it_no_more() -> None:
    habits = Habits()
    assert habits.modes(MODES) == MODES
    habits.mode = "tool"
    assert habits.modes(MODES) == ("tool", "json", "text")


def test_the_limit_of_tokens_is_known_under_two_names() -> None:
    habits = Habits()
    names = []
    while (name := habits.length_parameter()) is not None:
        names.append(name)
        habits.without.add(name)
    assert names == ["max_completion_tokens", "max_tokens"]


REFUSALS = {
    "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.": "temperature",
    "Unsupported parameter: 'max_completion_tokens'": "max_completion_tokens",
    "Unrecognized request argument supplied: seed": "seed",
}


@pytest.mark.parametrize(("said", "parameter"), REFUSALS.items())
def test_a_parameter_that_a_refusal_names_is_left_out(said: str, parameter: str) -> None:
    sent = {"model": "m", "seed": 1, "temperature": 0.0, "max_completion_tokens": 9}
    assert rejected_parameters(ServiceRefused("", status=400, about=said), sent) == {parameter}
    assert rejected_parameters(ServiceRefused("", status=401, about=said), sent) == set()


def test_refusals_for_length_are_recognised() -> None:
    for said in (
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
        "the request exceeds the available context size",
        '{"code": "context_length_exceeded"}',
    ):
        assert is_about_length(ServiceRefused("", status=400, about=said))
    assert is_about_length(ServiceRefused("", status=413))
    assert not is_about_length(ServiceRefused("", status=400, about="'response_format' is not supported"))


def test_another_way_is_tried_after_any_refusal_of_form_until_one_has_worked() -> None:
    bare = ServiceRefused("", status=400, about="Bad Request")
    about_it = ServiceRefused("", status=400, about="Invalid parameter: 'response_format' of type 'json_schema'")
    assert is_about_structure(bare, proven=False)
    assert not is_about_structure(bare, proven=True)
    assert is_about_structure(about_it, proven=True)
    for status in (401, 403, 429):
        assert not is_about_structure(ServiceRefused("", status=status, about="json_schema"), proven=False)
    assert not is_about_structure(
        ServiceRefused("", status=404, about="The model `x` does not exist or you do not have access"), proven=False
    )
