"""A question is answered with a model: plan, first retrieval, loop. The one place that puts them together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from time import monotonic

from graphmem.answer.agent.loop import Loop
from graphmem.answer.agent.observing import Observation
from graphmem.answer.agent.plan import (
    AgentPlan,
    PlanReply,
    by_model,
    by_rules,
    plan_text,
    request_text,
    time_of,
    without_plan,
)
from graphmem.answer.agent.replay import ReplayChat
from graphmem.answer.agent.rows import tokens_of
from graphmem.answer.agent.schema_text import schema_text
from graphmem.answer.agent.scope import Scope
from graphmem.answer.agent.seed import first_retrieval
from graphmem.answer.agent.sources import Sources
from graphmem.answer.agent.switches import AgentSettings, ToolName
from graphmem.answer.agent.tools_cypher import SCHEMA_TOKENS
from graphmem.answer.agent.trace import AgentStep, Concluded, Planned, Seeded, Tokens, Trace, cypher_counts
from graphmem.answer.plan import Name
from graphmem.answer.plan import plan as rule_plan
from graphmem.answer.reads import Reads
from graphmem.errors import QuestionError, ReplyError
from graphmem.graph import read_changes
from graphmem.graph.connection import Graph
from graphmem.graph.read import EntityView
from graphmem.prompts import load
from graphmem.providers.chat import ChatMessage, ChatModel
from graphmem.providers.protocols import Embedder, Reranker
from graphmem.records import Answer
from graphmem.search import SearchSettings
from graphmem.temporal import Policy

_DEFAULT = AgentSettings()
_WEIGHTS = SearchSettings()


async def ask_with_model(
    graph: Graph,
    embedder: Embedder,
    chat: ChatModel,
    question: str,
    *,
    namespace: str,
    asked_at: datetime | None = None,
    as_of: datetime | None = None,
    said_by: datetime | None = None,
    known_at: datetime | None = None,
    agent: AgentSettings = _DEFAULT,
    reranker: Reranker | None = None,
    search: SearchSettings = _WEIGHTS,
) -> Answer:
    """Answers a question from one namespace with a model and tools, with citations, or says that the memory does not say.

    The answer is of the same kind as that of ``answer.ask``. Its ``details`` hold ``short`` (the answer alone), ``plan``, ``flags`` (what
    was wrong with the model's answer and dropped), ``conflicts``, ``calls``, ``cypher`` (how its queries went), ``limit`` where one was
    reached, and ``trace``.

    Args:
        question: One question, in any language that the model reads.
        asked_at: The moment of asking, from which "now" and "last year" are read; aware. The present if not given.
        as_of: The moment in the world that the answer should speak for, where the question names none.
        said_by: Only what had been said by then counts. With this or ``known_at`` the model gets no Cypher, which could not keep to it.
        known_at: Only what the memory had learned by then counts.
        agent: Switches and limits.
        reranker: Orders the first retrieval. If it fails, ``details["rerank_problem"]`` says why, and the order is search's.
        search: Weights of search, and the policy by which times in the question are read.

    Raises:
        QuestionError: the question is empty, or a time has no offset.
        StoreError: the database failed. ProviderError: the model service or the embedder did.
    """
    answer: Answer | None = None
    steps = ask_steps(
        graph,
        embedder,
        chat,
        question,
        namespace=namespace,
        asked_at=asked_at,
        as_of=as_of,
        said_by=said_by,
        known_at=known_at,
        agent=agent,
        reranker=reranker,
        search=search,
    )
    async for step in steps:
        if isinstance(step, Concluded):
            answer = step.answer
    assert answer is not None
    return answer


async def ask_steps(
    graph: Graph,
    embedder: Embedder,
    chat: ChatModel,
    question: str,
    *,
    namespace: str,
    asked_at: datetime | None = None,
    as_of: datetime | None = None,
    said_by: datetime | None = None,
    known_at: datetime | None = None,
    agent: AgentSettings = _DEFAULT,
    reranker: Reranker | None = None,
    search: SearchSettings = _WEIGHTS,
) -> AsyncGenerator[AgentStep]:
    """The same step by step: the plan, the first retrieval, then the model's messages and what its calls found, and last the conclusion,
    whose answer holds the trace. Arguments and errors as in ``ask_with_model``."""
    moment = _checked(question, asked_at, as_of, said_by, known_at)
    scope = Scope(
        graph,
        embedder,
        namespace,
        question.strip(),
        moment,
        moment if said_by is None else min(said_by, moment),
        agent,
        as_of=as_of,
        known_at=known_at,
        confined=said_by is not None or known_at is not None,
        reranker=reranker,
        search=search,
    )
    policy = search.time_policy.chosen
    started = monotonic()
    entries: list[AgentStep] = []
    offered = agent.offered(confined=scope.confined)
    rules, names, views = await _read(scope, offered)
    sources = Sources()
    planned, seeded, disagreed = await asyncio.gather(
        _planned(scope, chat, rules, names, offered),
        _seeded(scope, rules, views, sources),
        _disagreements(scope, views, sources),
        return_exceptions=True,
    )
    for outcome in (planned, seeded, disagreed):
        if isinstance(outcome, BaseException):
            raise outcome
    assert isinstance(planned, Planned)
    assert seeded is None or isinstance(seeded, Seeded)
    entries.append(planned)
    yield planned
    if seeded is not None:
        entries.append(seeded)
        yield seeded
    scope.time = planned.plan.time
    messages = await first_messages(scope, planned.plan, offered, None if seeded is None else seeded.text)
    loop = Loop(scope, chat, planned.plan, messages, sources, offered, spent=planned.tokens.estimated)
    async with aclosing(loop.steps()) as steps:
        async for step in steps:
            entries.append(step)
            if isinstance(step, Concluded):
                seconds = monotonic() - started
                trace = Trace(
                    scope.question, namespace, moment, agent, tuple(entries), seconds, as_of, said_by, known_at, policy
                )
                details = {
                    **step.answer.details,
                    **scope.reranked.report,
                    "cypher": cypher_counts(trace),
                    "trace": trace,
                }
                answer = replace(step.answer, details=details)
                step = replace(step, answer=answer)
            yield step


async def replay(
    graph: Graph, embedder: Embedder, trace: Trace, reranker: Reranker | None = None
) -> tuple[Answer, tuple[int, ...]]:
    """Answers the question of a trace again, from what the memory holds now, with the replies that the trace holds in place of a model.

    Returns the answer, and the numbers (from 0) of the steps at which a model would have been sent something else than then: the memory
    has changed since, or the program, or the ``reranker``. Raises ReplyError when more replies are needed than the trace holds, and what
    ``ask_with_model`` raises.
    """
    chat = ReplayChat(trace)
    answer = await ask_with_model(
        graph,
        embedder,
        chat,
        trace.question,
        namespace=trace.namespace,
        asked_at=trace.asked_at,
        as_of=trace.as_of,
        said_by=trace.said_by,
        known_at=trace.known_at,
        agent=trace.settings,
        reranker=reranker,
        search=SearchSettings(time_policy=Policy.parse(trace.time_policy)),
    )
    return answer, tuple(chat.drifted)


async def first_messages(
    scope: Scope, plan: AgentPlan, offered: tuple[ToolName, ...], seed: str | None
) -> list[ChatMessage]:
    """What the model is sent first: the prompt, the same for every question, then the question with its plan, and what it begins with.

    Where the plan begins with Cypher, the view of the schema comes along, which saves a step.
    """
    parts = [f"Question: {scope.question}", plan_text(plan, scope.asked_at)]
    if "schema_viewer" in offered and "cypher" in plan.start_with:
        parts.append(f"Schema:\n{schema_text(await scope.contents(), SCHEMA_TOKENS)}")
    if seed is not None:
        parts.append(seed)
    return [ChatMessage("system", load("answer.v1").text), ChatMessage("user", "\n\n".join(parts))]


@dataclass(frozen=True, slots=True)
class _Names:
    """The names in a question, and the properties that the memory knows."""

    names: tuple[Name, ...]
    properties: tuple[str, ...]


async def _read(scope: Scope, offered: tuple[ToolName, ...]) -> tuple[AgentPlan, _Names, list[EntityView]]:
    """What the rules make of the question: their plan, the names in it, and the entities of these names."""
    reads = Reads(scope.graph, scope.embedder, scope.namespace, scope.until, scope.known_at)
    names = [] if scope.settings.turns_only else await reads.names(scope.question)
    properties: tuple[str, ...] = ()
    if scope.settings.plan == "model" and not scope.settings.turns_only:
        properties = tuple(each for each, _ in (await scope.contents()).properties)
    policy = scope.search.time_policy
    time = time_of(scope.question, scope.asked_at, policy) if scope.settings.time_filter else None
    rules = by_rules(rule_plan(scope.question, scope.asked_at, names, policy), time, offered)
    return rules, _Names(tuple(names), properties), list(reads.known.values())


async def _disagreements(scope: Scope, views: Sequence[EntityView], sources: Sources) -> None:
    """Notes where statements on the names in the question disagree: an answer that rests on one of them says so, however it was found."""
    subjects = [each for view in views for each in view.ids]
    if subjects:
        found = await read_changes.conflicts(
            scope.graph, scope.namespace, subjects, said_by=scope.until, known_at=scope.known_at
        )
        for each in found:
            sources.conflict(each)


async def _planned(
    scope: Scope, chat: ChatModel, rules: AgentPlan, names: _Names, offered: tuple[ToolName, ...]
) -> Planned:
    """The plan: the model's, or that of the rules where the model gives none that can be used."""
    if scope.settings.plan == "none":
        return Planned(without_plan(rules), Tokens(), 0.0)
    if scope.settings.plan == "rules":
        return Planned(rules, Tokens(), 0.0)
    system = load("plan.v1").text
    user = request_text(scope.question, scope.asked_at, rules, names.names, names.properties)
    estimated = tokens_of(system) + tokens_of(user) + 8
    started = monotonic()
    try:
        done = await chat.complete("plan", system, user, PlanReply)
    except ReplyError as exc:
        return Planned(rules, Tokens(estimated=2 * estimated), monotonic() - started, fault=str(exc))
    tokens = Tokens(done.usage.prompt_tokens, done.usage.completion_tokens, estimated)
    plan = by_model(done.reply, rules, offered)
    return Planned(plan, tokens, monotonic() - started, done.reply.model_dump(), done.model)


async def _seeded(scope: Scope, plan: AgentPlan, views: list[EntityView], sources: Sources) -> Seeded | None:
    if not scope.settings.seeded:
        return None
    started = monotonic()
    seed: Observation = await first_retrieval(scope, plan, views, sources)
    return Seeded(seed.text, seed.rows, seed.tokens, monotonic() - started)


def _checked(question: str, asked_at: datetime | None, *others: datetime | None) -> datetime:
    if not question.strip():
        raise QuestionError("the question is empty; ask something, such as: Where does Ana live?")
    moment = datetime.now(UTC) if asked_at is None else asked_at
    for each in (moment, *others):
        if each is not None and each.tzinfo is None:
            raise QuestionError(
                f"{each.isoformat()} has no offset; give an aware datetime, such as {each.isoformat()}+00:00"
            )
    return moment
