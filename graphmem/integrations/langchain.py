"""LangChain: a retriever over the turns of a memory, and a chat history that is kept in it. The only importer of langchain_core.

Both take an open :class:`~graphmem.memory.Memory`. It runs on a thread of its own, so LangChain's asynchronous methods (``ainvoke``,
``aget_messages``) work inside a running loop as well, and do not hold it up: LangChain calls the synchronous ones in an executor.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import uuid4

from pydantic import Field

from graphmem.errors import ConfigurationError, InputError
from graphmem.memory import Memory
from graphmem.moments import as_moment
from graphmem.records import NewTurn, Turn

try:
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.chat_history import BaseChatMessageHistory
    from langchain_core.documents import Document
    from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
    from langchain_core.retrievers import BaseRetriever
except ImportError as exc:
    raise ConfigurationError(
        "graphmem.integrations.langchain needs the extra graphmem[langchain]: pip install 'graphmem[langchain]'"
    ) from exc

SAID_AT = "said_at"
"""The key of a message's ``additional_kwargs`` that says when it was said: ISO text with an offset."""


class GraphmemRetriever(BaseRetriever):
    """The turns that bear on a question, best first, as documents.

    A document's ``page_content`` are the words of the turn, and its ``metadata`` hold ``turn_id`` and ``session_id`` (the source's own),
    ``speaker``, ``said_at`` (ISO text with the speaker's offset), ``score`` and ``namespace``; its ``id`` is the turn's in the graph.
    ``filters`` are further arguments of ``Memory.search_turns``: since, until, speaker, session, said_by, asked_at.
    Raises QuestionError, StoreError and ProviderError as ``Memory.search_turns`` does.
    """

    memory: Memory
    namespace: str | None = None
    limit: int = 10
    filters: dict[str, Any] = Field(default_factory=dict)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        space = self.memory.settings.namespace if self.namespace is None else self.namespace
        hits = self.memory.search_turns(query, self.limit, namespace=space, **self.filters)
        return [
            Document(
                id=hit.id,
                page_content=hit.text,
                metadata={
                    "turn_id": hit.turn_id,
                    "session_id": hit.session_id,
                    "speaker": hit.speaker,
                    "said_at": hit.said_at.isoformat(),
                    "score": hit.score,
                    "namespace": space,
                },
            )
            for hit in hits
        ]


class GraphmemChatMessageHistory(BaseChatMessageHistory):
    """The messages of one session, kept in a memory: what is added is stored and found at once, and read for its meaning when a window is
    full or by ``memory.flush``.

    Only what somebody said is kept: messages of a person and of the model that have text. System messages, tools' replies and calls of
    tools are no part of a conversation and are passed over. A message without an id gets one, so that adding it again adds nothing.
    It is spoken by its ``name`` or by ``user`` or ``assistant``, now or when ``additional_kwargs["said_at"]`` says.

    Args:
        memory: An open memory.
        session: A name of the caller's own for the conversation.
        user: Who speaks a HumanMessage that has no name. Facts are about this name, so give the person's.
        assistant: Who speaks an AIMessage that has no name.
        namespace: Whose memory; that of the settings if not given.
    """

    def __init__(
        self,
        memory: Memory,
        session: str,
        *,
        user: str = "user",
        assistant: str = "assistant",
        namespace: str | None = None,
    ) -> None:
        self.memory = memory
        self.session = session
        self.user = user
        self.assistant = assistant
        self.namespace = namespace

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]  # a list to fill in LangChain's base, read from the graph here
        """The session's turns in order, those of transcripts included, each in its latest words; none before the first is added."""
        return [self._message(turn) for turn in self.memory.turns(self.session, namespace=self.namespace)]

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Appends messages to the session. Raises InputError for a time that cannot be read."""
        turns = [turn for message in messages if (turn := self._turn(message)) is not None]
        if turns:
            self.memory.add(turns, session=self.session, namespace=self.namespace)

    def clear(self) -> None:
        """Raises InputError always: a memory only appends, and a history that merely looked empty would be a false promise."""
        raise InputError(
            f"the history of session {self.session!r} cannot be cleared: a memory only appends. "
            "Take another session for a fresh conversation; what was said before stays in the memory"
        )

    def _turn(self, message: BaseMessage) -> NewTurn | None:
        text = str(message.text)
        if not isinstance(message, HumanMessage | AIMessage) or not text.strip():
            return None
        role, speaker = ("user", self.user) if isinstance(message, HumanMessage) else ("assistant", self.assistant)
        if message.id is None:
            message.id = uuid4().hex
        return NewTurn(message.name or speaker, text, self._said_at(message), message.id, role)

    def _said_at(self, message: BaseMessage) -> datetime | None:
        return as_moment(message.additional_kwargs.get(SAID_AT), self.memory.settings.tzinfo, SAID_AT)

    def _message(self, turn: Turn) -> BaseMessage:
        spoken = turn.role == "assistant" if turn.role is not None else turn.speaker == self.assistant
        kind = AIMessage if spoken else HumanMessage
        kept = {SAID_AT: turn.said_at.isoformat()}
        return kind(content=turn.text, name=turn.speaker, id=turn.source_id, additional_kwargs=kept)
