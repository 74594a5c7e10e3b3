"""The methods that answer: a question in plain words, a Cypher query, which names and properties there are."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import replace
from datetime import datetime
from typing import Any

from graphmem import answer
from graphmem.answer.agent import AgentSettings, AgentStep, Concluded, ask_steps
from graphmem.answer.agent.cypher_hints import hints_on
from graphmem.answer.agent.directions import mend
from graphmem.errors import BudgetExceeded, ConfigurationError
from graphmem.graph import read, read_changes
from graphmem.graph.guard import GuardedResult, run_guarded
from graphmem.graph.read import EntityView, PropertyView
from graphmem.memory.arguments import text
from graphmem.memory.online import Online
from graphmem.moments import Moment
from graphmem.providers.chat import ChatModel
from graphmem.records import Answer


class Asking(Online):
    """Asking."""

    async def ask(
        self,
        question: str,
        *,
        namespace: str | None = None,
        asked_at: Moment = None,
        as_of: Moment = None,
        said_by: Moment = None,
        known_at: Moment = None,
        agent: AgentSettings | None = None,
    ) -> Answer:
        """Answers a question with citations, or says that the memory does not say and what was looked for.

        ``asked_at`` is when it is asked, from which "now" and "a year ago" are read; None: now. The other times as in ``facts``. Where the
        settings name a chat model it reads what tools bring it; without one, rules compile the question to queries. ``agent`` are switches
        and limits for this question in place of those of the settings; ConfigurationError without a chat model.

        Where ``ingest(lazy=True)`` has left turns unread, those of sessions that bear on the question are read first, and kept; for a
        question that counts, lists or orders in time, all. ``details["coverage"]`` says how many of the ``turns`` of the namespace are
        ``read``, how many of them just now (``read_now``), and what could not be (``problems``).
        """
        text(question, "question")
        switches = self._agent(agent)
        if self.chat is not None:
            times = (asked_at, as_of, said_by, known_at)
            async with aclosing(self._steps(self.chat, question, namespace, switches, *times)) as steps:
                answers = [step.answer async for step in steps if isinstance(step, Concluded)]
            return answers[-1]
        asked, held, said, known = self._times(asked_at, as_of, said_by, known_at)
        where = self._namespace(namespace)
        coverage = await self._read_first(question, where, asked, said, known)
        found = await answer.ask(
            self.graph,
            self.embedder,
            question,
            namespace=where,
            asked_at=asked,
            as_of=held,
            said_by=said,
            known_at=known,
            reranker=self.reranker,
            policy=self.policy,
        )
        return self._with_coverage(found, coverage)

    def ask_steps(
        self,
        question: str,
        *,
        namespace: str | None = None,
        asked_at: Moment = None,
        as_of: Moment = None,
        said_by: Moment = None,
        known_at: Moment = None,
        agent: AgentSettings | None = None,
    ) -> AsyncGenerator[AgentStep]:
        """Answers with the chat model of the settings, step by step: the plan, what the tools found, and last the conclusion.

        Arguments as in ``ask``. Raises ConfigurationError where no chat model is set.
        """
        text(question, "question")
        if self.chat is None:
            raise ConfigurationError("there is no chat model to follow; set GRAPHMEM_CHAT_MODEL, or use ask()")
        return self._steps(self.chat, question, namespace, self._agent(agent), asked_at, as_of, said_by, known_at)

    def _agent(self, given: AgentSettings | None) -> AgentSettings:
        """The switches and limits given for a question, else those of the settings."""
        if given is not None and self.chat is None:
            raise ConfigurationError(
                "agent is given, but there is no chat model that it is about; set GRAPHMEM_CHAT_MODEL"
            )
        return AgentSettings.parse(self.settings.agent) if given is None else given

    async def _steps(
        self,
        chat: ChatModel,
        question: str,
        namespace: str | None,
        agent: AgentSettings,
        asked_at: Moment,
        as_of: Moment,
        said_by: Moment,
        known_at: Moment,
    ) -> AsyncGenerator[AgentStep]:
        asked, held, said, known = self._times(asked_at, as_of, said_by, known_at)
        where = self._namespace(namespace)
        coverage = await self._read_first(question, where, asked, said, known)
        steps = ask_steps(
            self.graph,
            self.embedder,
            chat,
            question,
            namespace=where,
            asked_at=asked,
            as_of=held,
            said_by=said,
            known_at=known,
            agent=agent,
            reranker=self.reranker,
            search=self.weights,
        )
        try:
            async with aclosing(steps):
                async for step in steps:
                    if isinstance(step, Concluded):
                        step = replace(step, answer=self._with_coverage(step.answer, coverage))
                    yield step
        except BudgetExceeded as exc:
            raise BudgetExceeded(
                f"{exc}; a question begins anew each time it is asked, so it needs a higher limit or none "
                "(GRAPHMEM_MAX_CALLS, GRAPHMEM_MAX_COST), or no chat model, to be answered by rules"
            ) from exc

    def _times(
        self, asked_at: Moment, as_of: Moment, said_by: Moment, known_at: Moment
    ) -> tuple[datetime | None, datetime | None, datetime | None, datetime | None]:
        return (
            self._moment(asked_at, "asked_at"),
            self._moment(as_of, "as_of"),
            self._moment(said_by, "said_by"),
            self._moment(known_at, "known_at"),
        )

    async def cypher(
        self, query: str, parameters: Mapping[str, Any] | None = None, *, namespace: str | None = None
    ) -> GuardedResult:
        """Runs a reading Cypher query within one namespace, up to a limit of time, rows and bytes. Values go in ``parameters``.

        Arrows that run against the schema are turned first, and ``notices`` of the result say which. Where nothing was found they also
        say what the graph does not have of that which the query names. Raises CypherRefused, with the reason, for a query that could
        write, reach another namespace or run without bound.
        """
        mended = mend(text(query, "query"))
        result = await run_guarded(self.graph, mended.text, parameters or {}, self._namespace(namespace))
        return replace(result, notices=(*mended.notices, *hints_on(mended.text, result.rows)))

    async def entities(self, name: str | None = None, *, namespace: str | None = None) -> tuple[EntityView, ...]:
        """The entities of this name, whichever of their names it is; without one, all of them. Most mentioned first."""
        return await read.entities(
            self.graph, self._namespace(namespace), () if name is None else (text(name, "name"),)
        )

    async def properties(self, subject: str | None = None, *, namespace: str | None = None) -> tuple[PropertyView, ...]:
        """The properties of which something is known, of a subject or of everyone, the most used first."""
        return await read_changes.properties(
            self.graph, self._namespace(namespace), await self._subjects(subject, namespace)
        )
