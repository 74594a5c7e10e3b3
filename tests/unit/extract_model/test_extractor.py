"""ModelExtractor over a real socket: one call a window, halves where a reply is cut, costs on the account."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest

from graphmem.errors import ReplyError
from graphmem.extract.with_model import ModelExtractor
from graphmem.extract.with_model.extractor import halve
from graphmem.providers.failures import TooLong
from graphmem.providers.openai_chat import ChatSettings, OpenAIChat
from graphmem.providers.service import ServiceSettings
from tests.service import Received, Reply, Service, says
from tests.service.fixture import service
from tests.unit.extract_model.windows import event, fact, window_of

__all__ = ["service"]

TOWNS = ("Lisbon", "Porto", "Faro", "Braga", "Evora")


@pytest.fixture
async def chat(service: Service) -> AsyncIterator[OpenAIChat]:
    at = ServiceSettings(base_url=service.base_url, api_key="none", attempts=1)
    chat = OpenAIChat(ChatSettings(at, "scripted"))
    yield chat
    await chat.close()


def towns(request: Received) -> Mapping[str, Any]:
    """A reply that finds a move and a home in each new turn of the request."""
    new = re.findall(r"^\[(\d+)\] .*I moved to (\w+)\.$", request.body["messages"][-1]["content"], re.MULTILINE)
    return {
        "entities": [{"name": town, "type": "Place"} for _, town in new],
        "events": [event(turn=int(n), quote=f"I moved to {town}", verb="move to", object=town) for n, town in new],
        "facts": [
            fact(turn=int(n), quote=f"I moved to {town}", value=town, event=i + 1) for i, (n, town) in enumerate(new)
        ],
    }


def new_turns(request: Received) -> int:
    """How many new turns a request shows."""
    return len(re.findall(r"^\[\d+\] ", request.body["messages"][-1]["content"], re.MULTILINE))


async def test_a_window_is_one_call_and_its_cost_is_counted(service: Service, chat: OpenAIChat) -> None:
    service.script = lambda request: says(towns(request), prompt_tokens=900, completion_tokens=80)
    found = await ModelExtractor(chat, "scripted").extract(window_of(*(f"I moved to {town}." for town in TOWNS)))
    assert [each.object for each in found.events] == list(TOWNS)
    assert [(each.value, each.event) for each in found.facts] == [(town, n) for n, town in enumerate(TOWNS)]
    assert (found.extractor, found.version) == ("model", "extract.v1 scripted")
    assert {name: found.usage[name] for name in ("calls", "prompt_tokens", "completion_tokens", "retries")} == {
        "calls": 1,
        "prompt_tokens": 900,
        "completion_tokens": 80,
        "retries": 0,
    }
    [request] = service.chats
    assert request.mode == "strict"


async def test_the_static_part_is_the_same_for_every_window(service: Service, chat: OpenAIChat) -> None:
    service.script = lambda request: says(towns(request))
    extractor = ModelExtractor(chat, "scripted")
    await extractor.extract(window_of("I moved to Faro."))
    await extractor.extract(window_of("Hello!", title="Another"))
    assert len({request.body["messages"][0]["content"] for request in service.chats}) == 1


async def test_a_reply_that_is_cut_halves_the_window_until_it_fits(service: Service, chat: OpenAIChat) -> None:
    def script(request: Received) -> Reply:
        return says(towns(request)) if new_turns(request) <= 2 else says('{"events": [{"turn": 1', finish="length")

    service.script = script
    found = await ModelExtractor(chat, "scripted").extract(window_of(*(f"I moved to {town}." for town in TOWNS)))
    assert [(fact.value, fact.event) for fact in found.facts] == [(town, n) for n, town in enumerate(TOWNS)]
    assert [each.object for each in found.events] == list(TOWNS)
    assert [new_turns(request) for request in service.chats] == [5, 2, 3, 1, 2]
    assert (found.usage["calls"], found.usage["fault_cut_off"]) == (5, 2)


async def test_one_turn_whose_reply_is_cut_is_an_error(service: Service, chat: OpenAIChat) -> None:
    service.script = lambda _: says('{"events": [', finish="length")
    with pytest.raises(TooLong):
        await ModelExtractor(chat, "scripted").extract(window_of("I moved to Faro."))


async def test_a_reply_that_never_gets_right_is_an_error_and_not_an_empty_extraction(
    service: Service, chat: OpenAIChat
) -> None:
    service.script = [says("I found nothing."), says("{}")]
    with pytest.raises(ReplyError):
        await ModelExtractor(chat, "scripted").extract(window_of("I moved to Faro."))


async def test_a_reply_that_finds_nothing_is_an_empty_extraction(service: Service, chat: OpenAIChat) -> None:
    service.script = [says({"entities": [], "events": [], "facts": []})]
    found = await ModelExtractor(chat, "scripted").extract(window_of("Hello!"))
    assert (found.events, found.facts, found.mentions, found.refused) == ((), (), (), 0)


async def test_a_window_without_new_turns_costs_nothing(service: Service, chat: OpenAIChat) -> None:
    found = await ModelExtractor(chat, "scripted").extract(window_of(context=["Hello!"]))
    assert (found.events, service.chats) == ((), [])


def test_the_second_half_is_shown_the_end_of_the_first() -> None:
    first, second = halve(window_of(*"abcdefgh", context=["x"]))
    assert ["".join(turn.text for turn in each) for each in (first.context, first.turns)] == ["x", "abcd"]
    assert ["".join(turn.text for turn in each) for each in (second.context, second.turns)] == ["xabcd", "efgh"]
