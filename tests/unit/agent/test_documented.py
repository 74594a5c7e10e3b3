"""The worked examples of docs/prompts.md for planning and answering are what the code does, and no prompt is left out."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import graphmem.prompts
from graphmem.answer.agent.answering import AnswerArguments
from graphmem.answer.agent.plan import AgentPlan, PlanReply, by_model, by_rules, plan_text, request_text, time_of
from graphmem.answer.plan import Name, plan

TEXT = (Path(__file__).parents[3] / "docs" / "prompts.md").read_text(encoding="utf-8")
ASKED_AT = datetime(2024, 1, 10, 9, tzinfo=UTC)
OFFERED = ("entity_lookup", "cypher", "search", "grep_turns")
MARA = (Name("Mara", "Mara", "Person"),)


def block(kind: str) -> str:
    """The documented block of this kind."""
    found = re.search(rf"```{kind}\n(.*?)\n```", TEXT, re.DOTALL)
    assert found is not None
    return found[1]


def rules_for(question: str) -> AgentPlan:
    """What the rules make of the documented question."""
    return by_rules(plan(question, ASKED_AT, MARA), time_of(question, ASKED_AT), OFFERED)


def test_every_prompt_is_shown() -> None:
    prompts = {path.stem for path in Path(graphmem.prompts.__file__).parent.glob("*.md")}
    assert prompts == set(re.findall(r"^## (\w+\.v\d+):", TEXT, re.MULTILINE))


def test_the_documented_question_is_shown_and_planned_as_documented() -> None:
    shown = block("plan-request")
    question = shown.splitlines()[0].removeprefix("Question: ")
    rules = rules_for(question)
    assert request_text(question, ASKED_AT, rules, MARA, ["lives_in", "has_pet", "works_as"]) == shown
    planned = by_model(PlanReply.model_validate_json(block("plan-reply")), rules, OFFERED)
    assert plan_text(planned, ASKED_AT) == block("plan")


def test_the_documented_answer_is_read() -> None:
    read = AnswerArguments.model_validate_json(block("answer-reply"))
    assert (read.found, read.answer, [each.source for each in read.citations]) == (True, "Two", ["t4", "t9"])
