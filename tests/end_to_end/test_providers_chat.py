"""OpenAIChat against a local service of the same protocol, over a real socket."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from pydantic import BaseModel

from graphmem.errors import BudgetExceeded, ConfigurationError, ProviderUnavailable, ReplyError
from graphmem.providers.chat import ChatMessage, ChatModel, Completed, Role, ToolCall, ToolSpec
from graphmem.providers.failures import ServiceRefused, TooLong, UnusableReply
from graphmem.providers.openai_chat import ChatSettings, OpenAIChat
from graphmem.providers.pricing import Price
from graphmem.providers.schemas import REPLY_TOOL
from graphmem.providers.service import ServiceSettings
from tests.service import Received, Reply, Service, calls_tools, error, says
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


async def complete(chat: OpenAIChat, role: Role = "extract") -> Completed[Found]:
    return await chat.complete(role, "You read.", "Ana lives in Lisbon.", Found)


TEXT = json.dumps(GOOD)


@pytest.mark.parametrize(
    ("bad", "fault", "second_call"),
    [
        (says("<think>what now? {}</think>\n" + TEXT), "preamble", False),
        (says("```json\n" + TEXT + "\n```"), "fenced", False),
        (says(TEXT.replace("Lisbon", r"C:\dir\_x")), "broken_escape", False),
        (says(""), "empty", True),
        (says(None), "empty", True),
        (Reply(b""), "empty", True),
        (says(Found.model_json_schema()), "echoed_schema", True),
        (says(TEXT[:-9]), "cut_off", True),
        (says("There is nothing to remember."), "not_json", True),
        (says({"facts": [{"subject": "Ana"}]}), "wrong_shape", True),
        (says(None, refusal="I can't help with that."), "refused", True),
        (says("", finish="content_filter"), "refused", True),
    ],
)
async def test_each_bad_reply_is_told_apart_counted_and_mended_or_asked_for_again(
    service: Service, waits: Waits, bad: Reply, fault: str, second_call: bool
) -> None:
    service.script = [bad, says(GOOD)]
    chat = chat_with(service, waits)
    completed = await complete(chat)
    assert len(completed.reply.facts) == 1
    assert completed.usage.faults == {fault: 1}
    assert (completed.usage.calls, completed.usage.retries) == ((2, 1) if second_call else (1, 0))
    assert service.unused == (0 if second_call else 1)
    if second_call:
        assert "cannot be used" in service.chats[1].body["messages"][-1]["content"]


async def test_the_wrong_reply_goes_back_with_what_is_wrong(service: Service, waits: Waits) -> None:
    service.script = [says({"facts": [{"subject": "Ana"}]}), says(GOOD)]
    await complete(chat_with(service, waits))
    first, second = (request.body["messages"] for request in service.chats)
    assert second[: len(first)] == first  # the static part stays first, so that a service can cache it
    assert json.loads(second[2]["content"]) == {"facts": [{"subject": "Ana"}]}
    assert "facts.0.value: Field required" in second[3]["content"]


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        (says(None), "empty"),
        (says(Found.model_json_schema()), "echoed_schema"),
        (says("No."), "not_json"),
        (says({"facts": [{"subject": "Ana"}]}), "wrong_shape"),
        (says({}), "wrong_shape"),
    ],
)
async def test_a_reply_that_stays_wrong_is_an_error_that_names_fault_and_text(
    service: Service, waits: Waits, bad: Reply, fault: str
) -> None:
    service.script = [bad, bad, says(GOOD)]
    chat = chat_with(service, waits)
    with pytest.raises(UnusableReply, match=f"no usable reply .{fault}, asked 2 times") as raised:
        await complete(chat)
    content = bad.body["choices"][0]["message"]["content"] or ""
    assert raised.value.fault == fault
    assert raised.value.raw_digest == hashlib.sha256(content.encode()).hexdigest()
    assert isinstance(raised.value, ReplyError)
    assert service.unused == 1
    spent = chat.spent()["extract"]
    assert (spent.calls, spent.faults, spent.prompt_tokens) == (2, {fault: 2}, 200)


@pytest.mark.parametrize(
    "cut",
    [
        says(TEXT[:-9], finish="length"),
        says("", finish="length"),
        error(400, "This model's maximum context length is 8192 tokens.", code="context_length_exceeded"),
    ],
)
async def test_a_length_limit_is_an_error_of_its_own_and_is_not_asked_for_again(
    service: Service, waits: Waits, cut: Reply
) -> None:
    service.script = [cut, says(GOOD)]
    with pytest.raises(TooLong) as raised:
        await complete(chat_with(service, waits))
    assert raised.value.fault == "cut_off"
    assert service.unused == 1


@pytest.mark.parametrize(
    ("bad", "wait"),
    [
        (error(429, headers={"retry-after": "7"}), 7.0),
        (error(429, headers={"Retry-After-Ms": "1500"}), 1.5),
        (error(503, headers={"retry-after": "3"}), 3.0),
        (error(500), None),
        (error(502, "<html>Bad gateway</html>"), None),
        (Reply(b"<html>Bad gateway</html>", 502, {"content-type": "text/html"}), None),
        (error(529), None),
        (error(408), None),
        (says(GOOD, cut="before"), None),
        (says(GOOD, cut="inside"), None),
        (says(GOOD, delay=2.0), None),
        (says(GOOD, drip=0.15), None),  # no single read takes long
        (Reply({"error": {"message": "upstream overloaded", "code": 502}}), None),
    ],
)
async def test_what_can_pass_is_tried_again_no_sooner_than_asked(
    service: Service, waits: Waits, bad: Reply, wait: float | None
) -> None:
    service.script = [bad, says(GOOD)]
    completed = await complete(chat_with(service, waits, patience={"timeout": 0.5, "first_wait": 0.25}))
    assert completed.reply == Found.model_validate(GOOD)
    assert (completed.usage.calls, completed.usage.retries, completed.usage.faults) == (2, 1, {})
    (waited,) = waits
    floor = wait or 0.25
    assert floor <= waited <= floor + 0.25


async def test_retry_after_may_be_a_date(service: Service, waits: Waits) -> None:
    at = format_datetime(datetime.now(UTC) + timedelta(seconds=50), usegmt=True)
    service.script = [error(429, headers={"retry-after": at}), says(GOOD)]
    await complete(chat_with(service, waits))
    assert 30 < waits[0] <= 51


async def test_a_wait_that_is_too_long_is_not_waited(service: Service, waits: Waits) -> None:
    service.script = [error(429, headers={"retry-after": "3600"}), says(GOOD)]
    with pytest.raises(ProviderUnavailable, match="asks to wait 3600 s"):
        await complete(chat_with(service, waits))
    assert (waits, service.unused) == ([], 1)


async def test_a_service_that_stays_down_is_given_up_and_then_left_alone(service: Service, waits: Waits) -> None:
    service.script = lambda _: error(500)
    chat = chat_with(service, waits, patience={"attempts": 3, "failures_to_open": 3})
    with pytest.raises(ProviderUnavailable, match="after 3 failed attempts"):
        await complete(chat)
    with pytest.raises(ProviderUnavailable, match="taken for down"):
        await complete(chat)
    assert len(service.chats) == 3


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (error(401, "Incorrect API key provided"), "refused with 401: Incorrect API key.*Check the key"),
        (error(403, "No access"), "refused with 403"),
        (error(404, "The model `gpt-4o-mini` does not exist", code="model_not_found"), "Check base_url and the model"),
        (error(429, "You exceeded your quota", code="insufficient_quota"), "refused with 429"),
        (Reply(b"<html>Welcome</html>", 200, {"content-type": "text/html"}), "is base_url the address of the API"),
        (Reply([1], 200), "instead of an object"),
    ],
)
async def test_what_cannot_pass_is_told_at_once(service: Service, waits: Waits, bad: Reply, said: str) -> None:
    service.script = [bad, says(GOOD)]
    with pytest.raises(ServiceRefused, match=said):
        await complete(chat_with(service, waits))
    assert (waits, service.unused) == ([], 1)


def takes(*modes: str, message: str = "Bad Request") -> Callable[[Received], Reply]:
    """A service that takes these ways of asking and refuses all others."""

    def answer(request: Received) -> Reply:
        if request.mode not in modes:
            return error(400, message)
        return calls_tools((REPLY_TOOL, GOOD)) if request.mode == "tool" else says(GOOD)

    return answer


@pytest.mark.parametrize(
    ("mode", "tried"),
    [
        ("strict", ["strict"]),
        ("schema", ["strict", "schema"]),
        ("tool", ["strict", "schema", "tool"]),
        ("json", ["strict", "schema", "tool", "json"]),
        ("text", ["strict", "schema", "tool", "json", "text"]),
    ],
)
async def test_a_refused_way_of_asking_gives_way_to_the_next_and_that_is_remembered(
    service: Service, waits: Waits, mode: str, tried: list[str]
) -> None:
    service.script = takes(mode)
    for _ in range(2):  # a second client of the process knows it too
        completed = await complete(chat_with(service, waits))
        assert completed.reply == Found.model_validate(GOOD)
    assert [request.mode for request in service.chats] == [*tried, mode]


async def test_when_every_way_of_asking_is_refused_the_first_refusal_is_told(service: Service, waits: Waits) -> None:
    service.script = lambda request: error(400, f"we take no {request.mode}")
    with pytest.raises(ServiceRefused, match="we take no strict"):
        await complete(chat_with(service, waits))


async def test_a_way_that_worked_is_given_up_only_for_a_refusal_that_speaks_of_it(
    service: Service, waits: Waits
) -> None:
    service.script = takes("strict")
    chat = chat_with(service, waits)
    await complete(chat)
    service.script = takes("tool")
    with pytest.raises(ServiceRefused, match="Bad Request"):
        await complete(chat)
    service.script = takes("tool", message="response_format json_schema is not supported")
    await complete(chat)
    assert [request.mode for request in service.chats] == ["strict", "strict", "strict", "schema", "tool"]


async def test_rejected_parameters_are_left_out_from_then_on(service: Service, waits: Waits) -> None:
    def fussy(request: Received) -> Reply:
        for name in ("seed", "temperature", "max_completion_tokens"):
            if name in request.body:
                return error(400, f"Unsupported parameter: '{name}'", param=name)
        return says(GOOD)

    service.script = fussy
    chat = chat_with(service, waits, max_tokens=777)
    await complete(chat)
    await complete(chat)
    assert len(service.chats) == 5
    sent = service.chats[-1].body
    assert sent["max_tokens"] == 777
    assert not {"seed", "temperature", "max_completion_tokens"} & sent.keys()


async def test_each_role_has_its_model_and_an_account_and_summaries_the_default_temperature(
    service: Service, waits: Waits
) -> None:
    service.script = lambda _: says(GOOD)
    chat = chat_with(service, waits, models={"summarise": "gpt-4o", "judge": "gpt-4.1"})
    for role in ("extract", "summarise", "judge"):
        await complete(chat, role)
    assert [request.body["model"] for request in service.chats] == ["gpt-4o-mini", "gpt-4o", "gpt-4.1"]
    assert [request.body.get("temperature") for request in service.chats] == [0.0, None, 0.0]
    assert {role: usage.calls for role, usage in chat.spent().items()} == {"extract": 1, "summarise": 1, "judge": 1}


async def test_nothing_of_the_environment_is_sent(
    service: Service, waits: Waits, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_ADMIN_KEY"):
        monkeypatch.setenv(name, "from-the-environment")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    service.script = [says(GOOD)]
    await complete(chat_with(service, waits))
    assert "from-the-environment" not in str(service.chats[0].headers)


async def test_an_organisation_is_sent_along(service: Service) -> None:
    service.script = [says(GOOD)]
    at = ServiceSettings(service.base_url, "none", organisation="org-1")
    await complete(OpenAIChat(ChatSettings(at, "gpt-4o-mini")))
    assert service.chats[0].headers["openai-organization"] == "org-1"


async def test_all_clients_of_an_address_keep_to_its_concurrency(service: Service, waits: Waits) -> None:
    service.script = lambda _: says(GOOD, delay=0.02)
    chats = [chat_with(service, waits, patience={"concurrency": 3}) for _ in range(3)]
    await asyncio.gather(*(complete(chat) for chat in chats for _ in range(6)))
    assert len(service.chats) == 18
    assert service.most_at_once == 3


async def test_the_call_that_would_pass_a_limit_is_not_sent(service: Service, waits: Waits) -> None:
    service.script = lambda _: says(GOOD)
    chat = chat_with(service, waits, max_calls=2)
    with pytest.raises(BudgetExceeded, match="max_calls is 2"):
        await asyncio.gather(*(complete(chat) for _ in range(5)))
    await asyncio.sleep(0.1)
    assert len(service.chats) == 2


async def test_cost_never_passes_its_limit(service: Service, waits: Waits) -> None:
    service.script = lambda _: says(GOOD, prompt_tokens=100, completion_tokens=100)
    price = Price(prompt=10.0, completion=100.0)  # $0.011 a call, at most about $0.014
    chat = chat_with(service, waits, max_cost=0.06, max_tokens=120, prices={"gpt-4o-mini": price})
    calls = asyncio.gather(*(complete(chat) for _ in range(10)), return_exceptions=True)
    results = await asyncio.wait_for(calls, timeout=30)
    assert {type(result) for result in results} == {Completed, BudgetExceeded}
    assert chat.budget.cost == pytest.approx(0.011 * len(service.chats))
    assert 0.044 <= chat.budget.cost <= 0.06


async def test_a_limit_on_cost_needs_a_known_price(service: Service, waits: Waits) -> None:
    with pytest.raises(ConfigurationError, match="price of my-own-model is not known"):
        chat_with(service, waits, models={"judge": "my-own-model"}, max_cost=1.0)


async def test_tokens_that_the_service_does_not_count_are_estimated(service: Service, waits: Waits) -> None:
    body = dict(says(GOOD).body)
    del body["usage"]
    service.script = [Reply(body)]
    usage = (await complete(chat_with(service, waits))).usage
    assert usage.prompt_tokens > 10
    assert usage.completion_tokens > 10


async def test_text_that_no_encoding_can_carry_is_sent_all_the_same(service: Service, waits: Waits) -> None:
    service.script = [says(GOOD)]
    await chat_with(service, waits).complete("extract", "You read.", "half a pair: \ud83d, and 喜欢 🎉", Found)
    assert service.chats[0].body["messages"][1]["content"] == "half a pair: ?, and 喜欢 🎉"


LOOK = ToolSpec("search", "Finds turns.", {"type": "object", "properties": {"query": {"type": "string"}}})


async def test_a_step_calls_tools_and_goes_on_from_their_answers(service: Service, waits: Waits) -> None:
    service.script = [
        calls_tools(("search", {"query": "Lisbon"}), text="<think>hm</think>Looking."),
        says("In Lisbon."),
    ]
    chat = chat_with(service, waits)
    messages = [ChatMessage("system", "You answer."), ChatMessage("user", "Where does Ana live?")]
    step = await chat.step("answer", messages, [LOOK])
    assert step.message == ChatMessage("assistant", "Looking.", (ToolCall("call_0", "search", '{"query": "Lisbon"}'),))
    assert step.usage.faults == {"preamble": 1}
    messages += [step.message, ChatMessage("tool", "D1:1 Ana: I live in Lisbon", tool_call_id="call_0")]
    last = await chat.step("answer", messages, [LOOK])
    assert last.message == ChatMessage("assistant", "In Lisbon.")
    sent = service.chats[1].body["messages"]
    assert sent[2]["tool_calls"][0]["function"] == {"name": "search", "arguments": '{"query": "Lisbon"}'}
    assert sent[3] == {"role": "tool", "content": "D1:1 Ana: I live in Lisbon", "tool_call_id": "call_0"}
    assert service.chats[0].body["tools"][0]["function"]["name"] == "search"


async def test_an_empty_step_is_asked_for_once_more(service: Service, waits: Waits) -> None:
    service.script = [says(""), says("In Lisbon."), says(None), says(None)]
    chat = chat_with(service, waits)
    messages = [ChatMessage("user", "Where?")]
    assert (await chat.step("answer", messages, [])).usage.faults == {"empty": 1}
    with pytest.raises(UnusableReply) as raised:
        await chat.step("answer", messages, [])
    assert raised.value.fault == "empty"


async def test_a_step_that_is_cut_is_an_error_of_its_own(service: Service, waits: Waits) -> None:
    service.script = [calls_tools(("search", '{"query": "Lis'), finish="length")]
    with pytest.raises(TooLong):
        await chat_with(service, waits).step("answer", [ChatMessage("user", "Where?")], [LOOK])


def test_it_is_a_chat_model(service: Service, waits: Waits) -> None:
    assert isinstance(chat_with(service, waits), ChatModel)
