"""A chat model behind any OpenAI-compatible service: typed replies, steps with tools, and an account of what it all cost."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphmem.errors import ConfigurationError, ProviderError
from graphmem.providers.chat import ChatMessage, Completed, Fault, R, Role, Step, ToolSpec, Usage
from graphmem.providers.failures import ServiceRefused, TooLong, UnusableReply
from graphmem.providers.habits import Habits, habits_of, is_about_length, is_about_structure, rejected_parameters
from graphmem.providers.limits import gate_to
from graphmem.providers.openai_client import ChatReply, OpenAIClient
from graphmem.providers.pricing import Budget, Price, tokens_about
from graphmem.providers.replies import Unreadable, read_reply, without_thoughts
from graphmem.providers.retry import Sleep, with_retries
from graphmem.providers.schemas import REPLY_TOOL, Mode, instructions_for, modes_for, parameters_for
from graphmem.providers.service import ServiceSettings


@dataclass(frozen=True, slots=True)
class ChatSettings:
    """Which models of a service are asked, and how.

    Attributes:
        service: Where, and with what patience.
        model: The model for every role that ``models`` does not name.
        models: The model by role.
        temperature: For all roles but ``summarise``, which uses the service's default; None for the default everywhere.
        seed: Sent where the service takes one; None for none.
        max_tokens: Longest reply, thoughts included. A reply that reaches it raises TooLong.
        max_calls: Requests that may be sent; None for no limit.
        max_cost: US dollars that may be spent; None for no limit.
        prices: Prices by model, over those of the table.
    """

    service: ServiceSettings
    model: str
    models: Mapping[Role, str] = field(default_factory=dict)
    temperature: float | None = 0.0
    seed: int | None = 1
    max_tokens: int = 8192
    max_calls: int | None = None
    max_cost: float | None = None
    prices: Mapping[str, Price] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not all(name.strip() for name in (self.model, *self.models.values())):
            raise ConfigurationError("the name of a chat model is empty; give the name that the service knows it by")
        if self.max_tokens < 1:
            raise ConfigurationError(f"max_tokens is {self.max_tokens}; it must be at least 1")

    def model_for(self, role: Role) -> str:
        """The model that a role uses."""
        return self.models.get(role, self.model)


class OpenAIChat:
    """A :class:`~graphmem.providers.chat.ChatModel`. Belongs to the event loop that first uses it; safe to call from many of its tasks.

    Beyond the errors of the protocol its methods raise ServiceRefused (a ProviderError) when the service declines a request, and TooLong
    (a ReplyError) when the prompt or the reply passes a length limit, so that the caller can ask for less. The error of an unusable reply
    says by ``fault`` what was wrong and by ``raw_digest`` with which text.

    Args:
        settings: Service, models and limits.
        budget: Limits shared with other clients; made from the settings if None.
        sleep: How to wait between attempts.

    Raises:
        ConfigurationError: there is a limit on cost, and the price of a model is not known.
    """

    def __init__(self, settings: ChatSettings, *, budget: Budget | None = None, sleep: Sleep = asyncio.sleep) -> None:
        self.settings = settings
        self.budget = Budget(settings.max_calls, settings.max_cost) if budget is None else budget
        self._prices = {
            model: self.budget.require_price(model, settings.prices)
            for model in {settings.model, *settings.models.values()}
        }
        self._client = OpenAIClient(settings.service)
        self._gate = gate_to(settings.service)
        self._sleep = sleep
        self._spent: dict[Role, Usage] = {}

    async def complete(self, role: Role, system: str, user: str, reply: type[R]) -> Completed[R]:
        """A reply of the given type. Asked at most twice: what is wrong with the first reply goes back with it."""
        account = _Account(role, self._spent)
        try:
            return await self._complete(account, system, user, reply)
        except ProviderError as exc:
            exc.spent = account.usage.counts()
            raise

    async def _complete(self, account: _Account, system: str, user: str, reply: type[R]) -> Completed[R]:
        messages: list[dict[str, Any]] = [{"role": "user", "content": user}]
        for last in (False, True):
            answer = await self._typed(account, system, messages, reply)
            raw = next((call.arguments for call in answer.tool_calls if call.name == REPLY_TOOL), answer.text)
            outcome = read_reply(raw, reply, finish=answer.finish, refusal=answer.refusal)
            account.faults(outcome.mended)
            if not isinstance(outcome, Unreadable):
                return Completed(outcome.reply, answer.model, digest_of(raw), account.usage)
            account.faults((outcome.fault,))
            if last or (outcome.fault == "cut_off" and answer.finish == "length"):
                raise _unusable(outcome, answer, raw, asked=1 + last)
            messages += _sent_back(raw, outcome, instructions_for("text", reply))
        raise AssertionError("unreachable")

    async def step(self, role: Role, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec]) -> Step:
        """The next message of a conversation in which the model may call tools. An empty one is asked for once more."""
        account = _Account(role, self._spent)
        asked: dict[str, Any] = {"messages": [_as_sent(message) for message in messages]}
        if tools:
            asked["tools"] = [_as_tool(tool) for tool in tools]
        for last in (False, True):
            answer = await self._request(account, asked)
            text, thought = without_thoughts(answer.text)
            account.faults(("preamble",) if thought else ())
            wrong = _wrong_step(answer, text)
            if wrong is None:
                return Step(ChatMessage("assistant", text, answer.tool_calls), answer.model, account.usage)
            account.faults((wrong.fault,))
            if last or wrong.fault == "cut_off":
                raise _unusable(wrong, answer, answer.text, asked=1 + last)
        raise AssertionError("unreachable")

    def spent(self) -> Mapping[str, Usage]:
        """What has been used since it was made, by role; failed attempts and unusable replies count too."""
        return {str(role): usage for role, usage in self._spent.items()}

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.close()

    async def _typed(
        self, account: _Account, system: str, messages: Sequence[Mapping[str, Any]], reply: type[R]
    ) -> ChatReply:
        """An answer to a request for a typed reply, in the first way that the service takes; which one it was is remembered."""
        habits = self._habits(account.role)
        first_refusal: ServiceRefused | None = None
        modes: Sequence[Mode] = habits.modes(modes_for(reply))
        for mode in modes:
            prompt = "\n\n".join(part for part in (system, instructions_for(mode, reply)) if part)
            asked = {"messages": [{"role": "system", "content": prompt}, *messages], **parameters_for(mode, reply)}
            try:
                answer = await self._request(account, asked)
            except ServiceRefused as exc:
                if not is_about_structure(exc, proven=habits.mode is not None):
                    raise
                first_refusal = first_refusal or exc
                continue
            if habits.mode is None or mode != modes[0]:
                habits.mode = mode
            return answer
        assert first_refusal is not None
        raise first_refusal

    async def _request(self, account: _Account, asked: Mapping[str, Any]) -> ChatReply:
        """An answer, with retries, without the optional parameters that the service rejects."""
        model = self.settings.model_for(account.role)
        habits = self._habits(account.role)
        while True:
            parameters = {"model": model, **asked, **self._optional(account.role, habits)}
            try:
                return await with_retries(
                    lambda sent=parameters: self._attempt(account, sent),  # type: ignore[misc]
                    self.settings.service,
                    self._gate,
                    sleep=self._sleep,
                )
            except ServiceRefused as exc:
                rejected = rejected_parameters(exc, parameters)
                if rejected:
                    habits.without |= rejected
                elif is_about_length(exc):
                    digest = digest_of("")
                    raise TooLong(f"The prompt is too long: {exc}", fault="cut_off", raw_digest=digest) from exc
                else:
                    raise

    async def _attempt(self, account: _Account, parameters: Mapping[str, Any]) -> ChatReply:
        """One request, within the budget and on the account."""
        price = self._prices[parameters["model"]]
        prompt = tokens_about(
            {name: parameters[name] for name in ("messages", "tools", "response_format") if name in parameters}
        )
        most = 0.0 if price is None else price.of(prompt, self.settings.max_tokens)
        await self.budget.reserve(most)
        account.called()
        actual = 0.0
        try:
            answer = await self._client.chat(**parameters)
            read = prompt if answer.prompt_tokens is None else answer.prompt_tokens
            written = tokens_about(answer.text) if answer.completion_tokens is None else answer.completion_tokens
            account.tokens(read, written)
            actual = 0.0 if price is None else price.of(read, written)
        finally:
            self.budget.settle(most, actual)
        return answer

    def _optional(self, role: Role, habits: Habits) -> dict[str, Any]:
        wanted: dict[str, Any] = {"seed": self.settings.seed}
        if role != "summarise":
            wanted["temperature"] = self.settings.temperature
        length = habits.length_parameter()
        if length is not None:
            wanted[length] = self.settings.max_tokens
        return {name: value for name, value in wanted.items() if value is not None and name not in habits.without}

    def _habits(self, role: Role) -> Habits:
        return habits_of(self.settings.service.base_url, self.settings.model_for(role))


class _Account:
    """What one request costs, written to the role's account as it goes, so that failed requests count too."""

    def __init__(self, role: Role, spent: dict[Role, Usage]) -> None:
        self.role: Role = role
        self.usage = Usage()
        self._spent = spent

    def called(self) -> None:
        self._add(Usage(calls=1, retries=1 if self.usage.calls else 0))

    def tokens(self, prompt: int, completion: int) -> None:
        self._add(Usage(prompt_tokens=prompt, completion_tokens=completion))

    def faults(self, faults: Sequence[Fault]) -> None:
        for fault in faults:
            self._add(Usage(faults={fault: 1}))

    def _add(self, more: Usage) -> None:
        self.usage = self.usage.plus(more)
        self._spent[self.role] = self._spent.get(self.role, Usage()).plus(more)


def digest_of(raw: str) -> str:
    """SHA-256 of a raw reply, in hex."""
    return hashlib.sha256(raw.encode("utf-8", "surrogatepass")).hexdigest()


def _unusable(wrong: Unreadable, answer: ChatReply, raw: str, *, asked: int) -> UnusableReply:
    kind: Callable[..., UnusableReply] = TooLong if wrong.fault == "cut_off" else UnusableReply
    return kind(
        f"{answer.model} gave no usable reply ({wrong.fault}, asked {asked} time{'s' if asked > 1 else ''}): {wrong.why}",
        fault=wrong.fault,
        raw_digest=digest_of(raw),
    )


def _sent_back(raw: str, wrong: Unreadable, instructions: str) -> list[dict[str, Any]]:
    """The wrong reply and what is wrong with it, as messages. A service may refuse an empty message, so none is sent."""
    told = f"That reply cannot be used. {wrong.why}"
    if wrong.fault != "echoed_schema":  # who gave back the schema would do so again
        told += f"\n{instructions}"
    note = {"role": "user", "content": told}
    return [{"role": "assistant", "content": raw}, note] if raw.strip() else [note]


def _wrong_step(answer: ChatReply, text: str) -> Unreadable | None:
    if answer.finish == "length":
        return Unreadable("cut_off", "The message was cut at the length limit.")
    if answer.refusal or answer.finish == "content_filter":
        return Unreadable("refused", f"The model declined: {answer.refusal or 'content filter'}")
    return Unreadable("empty", "The message is empty.") if not text and not answer.tool_calls else None


def _as_sent(message: ChatMessage) -> dict[str, Any]:
    sent: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        sent["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
        sent["content"] = message.content or None
    if message.tool_call_id is not None:
        sent["tool_call_id"] = message.tool_call_id
    return sent


def _as_tool(tool: ToolSpec) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
    return {"type": "function", "function": function}
