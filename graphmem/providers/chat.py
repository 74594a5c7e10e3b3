"""What graphmem asks of a chat model: one typed reply, or one step of a loop with tools. The protocol and its records; no SDK here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, TypeVar, runtime_checkable

from pydantic import BaseModel

R = TypeVar("R", bound=BaseModel)

Role = Literal["extract", "resolve", "plan", "answer", "summarise", "judge"]
"""What a call is for: each may have a model of its own, and usage is counted by it."""

Fault = Literal[
    "empty", "preamble", "fenced", "echoed_schema", "broken_escape", "not_json", "wrong_shape", "cut_off", "refused"
]
"""What can be wrong with a reply. Preambles, fences and broken escapes are mended in place and counted; the others cost a second call."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What calls have cost. ``retries`` are calls beyond the first for one request; ``faults`` counts what was wrong with replies."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    retries: int = 0
    faults: Mapping[str, int] = field(default_factory=dict)

    def counts(self, prefix: str = "") -> dict[str, int]:
        """As flat counts, each name with ``prefix`` before it; and ``fault_…`` for each kind of bad reply, without it."""
        paid = {
            "calls": self.calls,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "retries": self.retries,
        }
        faults = {f"fault_{name}": count for name, count in self.faults.items()}
        return {f"{prefix}{name}": count for name, count in paid.items()} | faults

    def plus(self, other: Usage) -> Usage:
        """The sum of both."""
        faults = {name: self.faults.get(name, 0) + other.faults.get(name, 0) for name in {*self.faults, *other.faults}}
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.retries + other.retries,
            dict(sorted(faults.items())),
        )


@dataclass(frozen=True, slots=True)
class Completed(Generic[R]):
    """A typed reply, the model that gave it, the digest of its raw text, and what it cost."""

    reply: R
    model: str
    raw_digest: str
    usage: Usage


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model sees it: its name, what it does, and the JSON schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that a model makes. ``arguments`` is its raw JSON text, which may be wrong."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A message of a conversation with a model. ``tool_calls`` belong to an assistant's, ``tool_call_id`` to a tool's."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a loop: what the model says, which tools it calls, and what the step cost."""

    message: ChatMessage
    model: str
    usage: Usage


@runtime_checkable
class ChatModel(Protocol):
    """A chat service. Safe to call from many tasks of one event loop.

    Both methods raise ProviderUnavailable when the service stays unreachable, BudgetExceeded at the limit of calls or cost, and ReplyError
    when a reply cannot be used even after the model was told what was wrong with it.
    """

    async def complete(self, role: Role, system: str, user: str, reply: type[R]) -> Completed[R]:
        """A reply of the given type. ``system`` is the static part, which a service can cache; ``user`` the part that changes."""
        ...

    async def step(self, role: Role, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec]) -> Step:
        """The next message of a conversation in which the model may call tools."""
        ...

    def spent(self) -> Mapping[str, Usage]:
        """What has been used since it was made, by role."""
        ...
