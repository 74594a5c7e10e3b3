"""A trace is the whole course of a question: it survives being saved, its counts are right, and its replies can be given again."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphmem.answer.agent.observing import Outcome
from graphmem.answer.agent.plan import PlanReply, by_rules
from graphmem.answer.agent.replay import ReplayChat, request_digest
from graphmem.answer.agent.switches import AgentSettings
from graphmem.answer.agent.trace import (
    AgentStep,
    Called,
    Concluded,
    CypherCounts,
    Observed,
    Planned,
    Replied,
    Seeded,
    Tokens,
    Told,
    Trace,
    cypher_counts,
    from_json,
    load_trace,
    save,
    to_json,
)
from graphmem.answer.plan import plan as rule_plan
from graphmem.errors import InputError, ReplyError
from graphmem.providers.chat import ChatMessage
from graphmem.records import Answer, Interval
from tests.unit.agent.builders import SAID, a_fact, a_quotation, an_event

NOW = datetime(2023, 12, 1, tzinfo=UTC)
MESSAGES = (ChatMessage("system", "You answer."), ChatMessage("user", "Where?"))


def observed(number: int, tool: str, outcome: Outcome) -> Observed:
    return Observed(number, Called(f"c{number}", tool, "{}"), outcome, 1, 100 * number, 0.1, "text")


def a_trace(*entries: AgentStep) -> Trace:
    return Trace("Where?", "space", NOW, AgentSettings(), entries, 1.5, as_of=SAID)


@pytest.fixture
def whole() -> Trace:
    words = a_quotation("I moved to Oslo")
    fact = a_fact("Oslo", words)
    answer = Answer(
        "Where?", "Oslo", True, "current", (words,), (fact,), (an_event("moved", words),), Interval(SAID, None)
    )
    return a_trace(
        Planned(by_rules(rule_plan("Where does Mara live now?", NOW), None, ()), Tokens(90, 9, 100), 0.1, {"bullets": ["x"]}, "m"),
        Seeded("First", 3, 200, 0.2),
        Replied("", (Called("c1", "cypher", '{"query": "…"}'),), Tokens(900, 20, 1000), 0.3, "m", request_digest(MESSAGES, ())),
        observed(1, "cypher", "rows"),
        Told("unsound", "Mend it"),
        Concluded(answer, "tokens"),
    )  # fmt: skip


def test_a_saved_trace_is_the_same_trace(whole: Trace, tmp_path: Path) -> None:
    save(whole, tmp_path / "trace.json")
    assert load_trace(tmp_path / "trace.json") == whole
    assert from_json(to_json(whole)).answer == whole.answer


def test_what_is_no_trace_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no trace"):
        from_json("{}")
    with pytest.raises(InputError, match="cannot be read"):
        load_trace(tmp_path / "missing.json")


def test_a_trace_of_another_version_is_refused(whole: Trace) -> None:
    with pytest.raises(InputError, match="version 99"):
        from_json(to_json(whole).replace('"version": 1', '"version": 99'))


def test_tokens_are_summed_over_all_requests(whole: Trace) -> None:
    assert whole.prompt_tokens == 1100
    assert whole.rounds == 1
    assert a_trace(observed(1, "search", "rows"), observed(2, "search", "rows")).mean_observation == 150
    assert a_trace().mean_observation == 0


def test_success_and_recovery_of_cypher_are_counted_with_the_way_of_recovery() -> None:
    trace = a_trace(
        observed(1, "cypher", "refused"),
        observed(2, "cypher", "empty"),
        observed(3, "cypher", "rows"),
        observed(4, "cypher", "mistake"),
        observed(5, "search", "rows"),
        observed(6, "cypher", "repeated"),
        observed(7, "cypher", "empty"),
        observed(8, "grep_turns", "empty"),
    )
    assert cypher_counts(trace) == CypherCounts(5, 1, 4, 3, {"another query": 2, "none": 1, "search": 1})
    assert cypher_counts(a_trace()) == CypherCounts()


async def test_a_replay_gives_the_replies_in_order_and_tells_where_it_was_sent_something_else(whole: Trace) -> None:
    chat = ReplayChat(whole)
    assert (await chat.complete("plan", "", "", PlanReply)).reply.bullets == ["x"]
    step = await chat.step("answer", MESSAGES, ())
    assert step.message.tool_calls[0].name == "cypher"
    assert chat.drifted == []
    with pytest.raises(ReplyError, match="one more"):
        await chat.step("answer", MESSAGES, ())
    other = ReplayChat(whole)
    await other.step("answer", (*MESSAGES, ChatMessage("user", "more")), ())
    assert other.drifted == [0]


async def test_a_plan_that_no_model_made_cannot_be_replayed(whole: Trace) -> None:
    with pytest.raises(ReplyError, match="by rules"):
        await ReplayChat(a_trace(*whole.entries[1:])).complete("plan", "", "", PlanReply)
