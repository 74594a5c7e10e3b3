"""A model that says what it said before: answers a question again from its trace, without a service."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence

from graphmem.answer.agent.trace import Planned, Trace
from graphmem.errors import ReplyError
from graphmem.providers.chat import ChatMessage, Completed, R, Role, Step, ToolCall, ToolSpec, Usage


def request_digest(messages: Sequence[ChatMessage], tools: Sequence[ToolSpec]) -> str:
    """A digest of a request: SHA-256, in hex, over its messages and the names of its tools."""
    sent = [
        [
            [
                each.role,
                each.content,
                [[call.id, call.name, call.arguments] for call in each.tool_calls],
                each.tool_call_id,
            ]
            for each in messages
        ],
        [tool.name for tool in tools],
    ]
    return hashlib.sha256(json.dumps(sent, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()


class ReplayChat:
    """A :class:`~graphmem.providers.chat.ChatModel` that gives the replies of a trace, in order.

    ``drifted`` are the numbers (from 0) of the steps whose request was not the one of the trace: the memory has changed since, or the
    program. Raises ReplyError when it is asked for more than the trace holds.
    """

    def __init__(self, trace: Trace) -> None:
        self._planned = next((each for each in trace.entries if isinstance(each, Planned)), None)
        self._replied = trace.replied
        self._next = 0
        self.drifted: list[int] = []

    async def complete(self, role: Role, system: str, user: str, reply: type[R]) -> Completed[R]:
        """The plan of the trace."""
        planned = self._planned
        if planned is None or planned.reply is None:
            raise ReplyError("the trace holds no plan of a model; it was made by rules or could not be used")
        return Completed(reply.model_validate(planned.reply), planned.model or "replay", "", Usage())

    async def step(self, role: Role, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec]) -> Step:
        """The next message of the trace."""
        if self._next >= len(self._replied):
            raise ReplyError(f"the trace holds {len(self._replied)} replies and was asked for one more")
        said = self._replied[self._next]
        if said.request != request_digest(messages, tools):
            self.drifted.append(self._next)
        self._next += 1
        calls = tuple(ToolCall(call.id, call.tool, call.arguments) for call in said.calls)
        return Step(ChatMessage("assistant", said.text, calls), said.model, Usage())

    def spent(self) -> Mapping[str, Usage]:
        """Nothing."""
        return {}
