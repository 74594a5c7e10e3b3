"""OpenAIChat against a local service of the same protocol, over a real socket."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from graphmem.providers.openai_chat import ChatSettings, OpenAIChat
from graphmem.providers.service import ServiceSettings
from tests.service import Service, says
from tests.service.fixture import service

__all__ = ["service"]


class Fact(BaseModel):
    subject: str
    value: str


class Found(BaseModel):
    facts: list[Fact] = []
    note: str = ""


GOOD = {"facts": [{"subject": "Ana", "value": "Lisbon"}], "note": ""}


class Waits(list[float]):
    """Stands in for sleeping, and keeps how long each wait would have been."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


@pytest.fixture
def waits() -> Waits:
    return Waits()


def chat_with(
    service: Service, waits: Waits, *, patience: dict[str, float] | None = None, **settings: object
) -> OpenAIChat:
    at = ServiceSettings(base_url=service.base_url, api_key="none", **(patience or {}))  # type: ignore[arg-type]
    return OpenAIChat(ChatSettings(at, "gpt-4o-mini", **settings), sleep=waits)  # type: ignore[arg-type]


async def test_a_good_reply_is_typed_and_its_cost_is_on_the_account(service: Service, waits: Waits) -> None:
    service.script = [says(GOOD, prompt_tokens=120, completion_tokens=30)]
    chat = chat_with(service, waits)
    completed = await chat.complete("extract", "You read.", "Ana lives in Lisbon.", Found)
    assert completed.reply == Found.model_validate(GOOD)
    assert (completed.usage.calls, completed.usage.prompt_tokens, completed.usage.completion_tokens) == (1, 120, 30)
    assert chat.spent() == {"extract": completed.usage}
    (request,) = service.chats
    assert request.mode == "strict"
    assert request.headers["authorization"] == "Bearer none"
    assert (request.body["temperature"], request.body["seed"]) == (0.0, 1)
    assert [message["role"] for message in request.body["messages"]] == ["system", "user"]
