"""The chat model as a run of the ingestion asks it: what a window has asked once is neither sent nor paid for again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, cast

from pydantic import BaseModel

from graphmem.providers.chat import ChatMessage, ChatModel, Completed, Role, Step, ToolSpec, Usage

R = TypeVar("R", bound=BaseModel)


class WindowChat:
    """A ChatModel for one window. A window that gives way to another writer decides again; where what it asks is the same to the letter,
    so is the answer. ``usage`` is what its calls have cost, each counted once.

    ``vocabulary`` is shared by the windows of a run: vectors of the known properties' names, made when they are first needed.
    """

    def __init__(self, chat: ChatModel, vocabulary: dict[str, Sequence[float]]) -> None:
        self._chat = chat
        self._known: dict[tuple[str, str, str], Completed[Any]] = {}
        self.usage = Usage()
        self.vocabulary = vocabulary

    async def complete(self, role: Role, system: str, user: str, reply: type[R]) -> Completed[R]:
        """As ``ChatModel.complete``; the earlier reply where this was asked before."""
        asked = (role, system, user)
        if asked not in self._known:
            completed = await self._chat.complete(role, system, user, reply)
            self.usage = self.usage.plus(completed.usage)
            self._known[asked] = completed
        return cast("Completed[R]", self._known[asked])

    async def step(self, role: Role, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec]) -> Step:
        """As ``ChatModel.step``."""
        return await self._chat.step(role, messages, tools)

    def spent(self) -> Mapping[str, Usage]:
        """As ``ChatModel.spent``."""
        return self._chat.spent()
