"""The loop: the model reasons and calls tools, observes what they return, and answers. Theory of operation.

1. The messages only grow at their end, and the tools stay the same, so that a service's prefix cache holds for all but the newest part.
2. The calls of one step run concurrently. Their replies are written in the order of the calls, which is also the order of handles: the same
   replies of a model give the same messages, whatever finishes first.
3. A model's mistake is an observation that says what to do next. A call that was made before is not made again: the model is told where its
   reply stands. Errors of the database and of the service are raised.
4. The answer is a call of the tool ``answer``. It is checked (``answering``); what is wrong with it is told once. A model that answers that
   nothing is known, before anything was looked for, is told to look, once.
5. The loop ends with a sound answer, or at a limit: of calls, of steps in a row that only repeat calls, or of prompt tokens (one more step
   would not leave enough for a last one). At a limit the model is asked once, without tools, for its answer; what it then says is checked
   as any other, and what does not hold is dropped. So the prompts of all requests together stay within the budget, but for the first.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from dataclasses import dataclass, field

from graphmem.answer.agent.answering import AnswerArguments, Checked, check, conclude, told
from graphmem.answer.agent.arguments import read_arguments, spec
from graphmem.answer.agent.observing import Found, Mistake, Observation, mistaken, observe, repeated
from graphmem.answer.agent.plan import AgentPlan
from graphmem.answer.agent.replay import request_digest
from graphmem.answer.agent.rows import tokens_of
from graphmem.answer.agent.scope import Scope
from graphmem.answer.agent.sources import Sources
from graphmem.answer.agent.switches import ToolName
from graphmem.answer.agent.toolbox import carry_out, specs
from graphmem.answer.agent.trace import AgentStep, Called, Concluded, Observed, Replied, Tokens, Told, Why
from graphmem.providers.chat import ChatMessage, ChatModel, Step, ToolCall, ToolSpec
from graphmem.providers.replies import Readable, read_reply

ANSWER = "answer"
ANSWER_SPEC = spec(ANSWER, "Gives the final answer, with citations; or that the memory does not say.", AnswerArguments)
LAST_REPLY = 300
"""Tokens of the request for the last answer beside the messages."""

_LIMITS = {
    "calls": "No more calls are left.",
    "repeats": "You repeat calls that were made.",
    "tokens": "There is no room for more.",
}
_LAST = (
    "{why} Give your final answer now from what stands above, without tools: one JSON object with found, answer, citations "
    '(a list of {{"source": handle, "quote": words}}), facts, start, end; found false if it does not say.'
)
_LOOK_FIRST = (
    "Nothing was looked for yet beside the first retrieval. Before saying that the memory does not say it, "
    "call {tools} once with other words; then answer."
)
_NO_ANSWER = "Call a tool, or the tool answer with found, answer and citations. Text alone is no answer."


@dataclass(slots=True)
class Loop:
    """One question in the loop. ``messages`` are what the model is sent, beginning with the system's and the first of the user."""

    scope: Scope
    chat: ChatModel
    plan: AgentPlan
    messages: list[ChatMessage]
    sources: Sources
    offered: tuple[ToolName, ...]
    spent: int = 0
    searched: list[str] = field(default_factory=list)
    _tools: tuple[ToolSpec, ...] = ()
    _calls: int = 0
    _repeats: int = 0
    _seen: dict[tuple[str, str], tuple[int, Observation]] = field(default_factory=dict)
    _told: set[Why] = field(default_factory=set)
    _counted: int = 0
    _counted_messages: int = 0

    def __post_init__(self) -> None:
        self._tools = (*specs(self.offered), ANSWER_SPEC)

    async def steps(self) -> AsyncGenerator[AgentStep]:
        """Runs to the end; the last step is the conclusion. Raises StoreError and ProviderError."""
        while (limit := self._limit()) is None:
            replied, step = await self._ask(self._tools)
            yield replied
            answer, problem = self._answer_in(step.message)
            if problem is not None:
                if "not an answer" in self._told:
                    yield self._concluded(self._check(AnswerArguments(found=True, answer=step.message.content)))
                    return
                yield self._tell("not an answer", problem, step.message)
                continue
            if answer is not None:
                checked = self._check(answer)
                wrong = self._not_yet(checked)
                if wrong is None:
                    yield self._concluded(checked)
                    return
                yield self._tell(*wrong, step.message)
            async for observed in self._carry_out([call for call in step.message.tool_calls if call.name != ANSWER]):
                yield observed
        async for last in self._at(limit):
            yield last

    # Asking ----------------------------------------------------------------------------------------------------------------------------

    async def _ask(self, tools: Sequence[ToolSpec]) -> tuple[Replied, Step]:
        """Sends the messages; the reply is appended to them."""
        estimated = self._prompt(tools)
        digest = request_digest(self.messages, tools)
        started = time.monotonic()
        step = await self.chat.step("answer", self.messages, tools)
        seconds = time.monotonic() - started
        self.spent += estimated
        self.messages.append(step.message)
        calls = tuple(Called(call.id, call.name, call.arguments) for call in step.message.tool_calls)
        tokens = Tokens(step.usage.prompt_tokens, step.usage.completion_tokens, estimated)
        return Replied(step.message.content, calls, tokens, seconds, step.model, digest, last=not tools), step

    def _prompt(self, tools: Sequence[ToolSpec]) -> int:
        """About how many tokens the next request has."""
        for message in self.messages[self._counted_messages :]:
            self._counted += tokens_of_message(message)
        self._counted_messages = len(self.messages)
        return self._counted + tokens_of_tools(tools)

    def _limit(self) -> str | None:
        """The limit that is reached, None if there is room for a step with tools and for a last one after it."""
        if self._calls >= self.scope.settings.max_calls:
            return "calls"
        if self._repeats >= self.scope.settings.max_repeats:
            return "repeats"
        prompt = self._prompt(self._tools)
        room = 2 * prompt + LAST_REPLY + self.scope.settings.observation_tokens
        first = len(self.messages) <= 2
        return None if first or self.spent + room <= self.scope.settings.prompt_tokens else "tokens"

    async def _at(self, limit: str) -> AsyncIterator[AgentStep]:
        """Asks once for the answer without tools."""
        text = _LAST.format(why=_LIMITS[limit])
        self.messages.append(ChatMessage("user", text))
        yield Told("limit", text)
        replied, step = await self._ask(())
        yield replied
        answer, _ = self._answer_in(step.message)
        if answer is None:
            answer = AnswerArguments(found=True, answer=step.message.content)
        yield self._concluded(self._check(answer), limit)

    # Answers ---------------------------------------------------------------------------------------------------------------------------

    def _answer_in(self, message: ChatMessage) -> tuple[AnswerArguments | None, str | None]:
        """The answer that a message gives, or what is wrong with it. Neither where it calls tools only."""
        given = next((call for call in message.tool_calls if call.name == ANSWER), None)
        if given is not None:
            try:
                return read_arguments(ANSWER, given.arguments, AnswerArguments), None
            except Mistake as mistake:
                return None, mistake.message
        if message.tool_calls:
            return None, None
        outcome = read_reply(message.content, AnswerArguments)
        return (outcome.reply, None) if isinstance(outcome, Readable) else (None, _NO_ANSWER)

    def _check(self, answer: AnswerArguments) -> Checked:
        return check(answer, self.sources, self.scope.question, self.scope.until)

    def _not_yet(self, checked: Checked) -> tuple[Why, str] | None:
        """Why an answer is not taken yet, and what the model is told: each reason once."""
        if not checked.reply.found and not self._calls and self.offered and "unsearched" not in self._told:
            return "unsearched", _LOOK_FIRST.format(tools=" or ".join(self.plan.start_with or self.offered[:2]))
        if checked.reply.found and not checked.supported and "unsound" not in self._told:
            return "unsound", told(checked)
        return None

    def _tell(self, why: Why, text: str, message: ChatMessage) -> Told:
        """Tells the model something about its answer: as the reply to its call, or as a message where there was none."""
        self._told.add(why)
        given = [call for call in message.tool_calls if call.name == ANSWER]
        for call in given:
            self.messages.append(ChatMessage("tool", text, tool_call_id=call.id))
        if why == "not an answer":
            for call in message.tool_calls:
                if call.name != ANSWER:
                    self.messages.append(ChatMessage("tool", "Not carried out.", tool_call_id=call.id))
        if not message.tool_calls:
            self.messages.append(ChatMessage("user", text))
        return Told(why, text)

    def _concluded(self, checked: Checked, limit: str | None = None) -> Concluded:
        details = {"plan": self.plan.bullets, "calls": self._calls}
        if limit is not None:
            details["limit"] = limit
        zone = self.scope.asked_at.tzinfo
        assert zone is not None
        answer = conclude(checked, self.sources, self.plan, self.scope.question, self.searched, zone, details)
        return Concluded(answer, limit)

    # Calls -----------------------------------------------------------------------------------------------------------------------------

    async def _carry_out(self, calls: Sequence[ToolCall]) -> AsyncIterator[Observed]:
        """Carries out the calls of a step together, and appends their replies in the order of the calls."""
        allowed = calls[: max(self.scope.settings.max_calls - self._calls, 0)]
        fresh: dict[tuple[str, str], ToolCall] = {}
        for call in allowed:
            if key_of(call) not in self._seen:
                fresh.setdefault(key_of(call), call)
        outcomes = await asyncio.gather(*(self._timed(call) for call in fresh.values()), return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                raise outcome
        found = {
            key: outcome for key, outcome in zip(fresh, outcomes, strict=True) if not isinstance(outcome, BaseException)
        }
        for call in calls:
            self._calls += 1
            number, key, seconds = self._calls, key_of(call), 0.0
            if call not in allowed:
                observation = Observation("Not carried out: no more calls are left.", "mistake")
            elif key in self._seen:
                observation = repeated(self._seen[key][1], self._seen[key][0])
            else:
                result, seconds = found[key]
                observation = self._observation(result)
                self._seen[key] = (number, observation)
                self.searched.append(shown_call(call))
            self.messages.append(ChatMessage("tool", observation.text, tool_call_id=call.id))
            yield Observed(
                number,
                Called(call.id, call.name, call.arguments),
                observation.outcome,
                observation.rows,
                observation.tokens,
                seconds,
                observation.text,
                observation.hint,
            )
        if calls:
            self._repeats = 0 if fresh else self._repeats + 1

    async def _timed(self, call: ToolCall) -> tuple[Found | Mistake, float]:
        started = time.monotonic()
        outcome = await carry_out(call, self.offered, self.scope, self.sources)
        return outcome, time.monotonic() - started

    def _observation(self, outcome: Found | Mistake) -> Observation:
        if isinstance(outcome, Mistake):
            return mistaken(outcome)
        return observe(outcome, self.sources, self.scope.settings.observation_tokens)


def key_of(call: ToolCall) -> tuple[str, str]:
    """What makes two calls the same: the tool and its arguments, whatever the order and spacing of their JSON."""
    try:
        return call.name, json.dumps(json.loads(call.arguments), sort_keys=True, ensure_ascii=False)
    except (ValueError, RecursionError):
        return call.name, " ".join(call.arguments.split())


def shown_call(call: ToolCall) -> str:
    """A call as a reader sees it: the tool and its first argument."""
    try:
        given = json.loads(call.arguments)
        first = next(iter(given.values()), "") if isinstance(given, dict) else given
    except (ValueError, RecursionError):
        first = call.arguments
    text = " ".join(str(first).split())
    return f"{call.name}({text[:80]}{'…' if len(text) > 80 else ''})"


def tokens_of_message(message: ChatMessage) -> int:
    """About how many tokens a message is, with its calls and what frames it."""
    calls = sum(tokens_of(call.name) + tokens_of(call.arguments) + 8 for call in message.tool_calls)
    return tokens_of(message.content) + calls + 4


def tokens_of_tools(tools: Sequence[ToolSpec]) -> int:
    """About how many tokens the tools' specifications are."""
    return sum(
        tokens_of(json.dumps([tool.name, tool.description, dict(tool.parameters)], ensure_ascii=False))
        for tool in tools
    )
