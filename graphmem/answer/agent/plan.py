"""The plan of a question that a model answers: made by the model, or by the rules of ``answer.plan``; which tools come first is code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from graphmem.answer.agent.rows import name as shown_name
from graphmem.answer.agent.rows import quoted, seen
from graphmem.answer.agent.switches import ToolName
from graphmem.answer.plan import Name
from graphmem.answer.plan import Plan as RulePlan
from graphmem.records import Interval
from graphmem.search.budget import one_line
from graphmem.temporal import Policy, question_filter
from graphmem.temporal.questions import QuestionTime

Operation = Literal["latest", "count", "compare", "order", "duration", "list", "open"]
Route = Literal["graph first", "search first"]
MOST_BULLETS = 5
MOST_NAMED = 8
"""Targets, or attributes, that a model's plan names."""
MOST_HOPS = 4
LONGEST_BULLET = 240
SHOWN_PROPERTIES = 40

_OF_FORM: dict[str, tuple[Operation, ...]] = {
    "current": ("latest",),
    "at_time": ("latest",),
    "before_event": ("order",),
    "after_event": ("order",),
    "first": ("order",),
    "last": ("order", "latest"),
    "when": ("order",),
    "how_long": ("duration",),
    "how_many": ("count",),
    "who_else": ("list",),
    "changed": ("compare", "order"),
    "attribute": ("open",),
    "search": ("open",),
}
_GRAPH = frozenset({"latest", "count", "compare", "order", "duration"})
"""Operations that a graph answers and a search does not: in APEX-MEM (ablation of tools) adding Search to them lowered accuracy."""


class PlanReply(BaseModel):
    """What the plan step asks a model for. The prompt says what each field is."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    bullets: list[str] = Field(min_length=1)
    targets: list[str] = []
    attributes: list[str] = []
    operations: list[str] = []
    hops: int = 1
    tools: list[str] = []


@dataclass(frozen=True, slots=True)
class AgentPlan:
    """How a question is to be answered.

    ``bullets`` are one to five lines for a reader; they name targets, time filter, operations and hops. ``time`` is the question's time
    filter, by ``temporal.question_filter`` and never by a model; ``time_text`` its words, ``anchor`` the event that it hangs on where it
    gives no interval of its own. ``start_with`` are the tools to begin with. ``form`` is the form of question that the rules see in it.
    """

    bullets: tuple[str, ...]
    targets: tuple[str, ...]
    attributes: tuple[str, ...]
    operations: tuple[Operation, ...]
    hops: int
    route: Route
    start_with: tuple[ToolName, ...]
    form: str
    made_by: Literal["model", "rules", "none"]
    time: Interval | None = None
    time_text: str | None = None
    anchor: str | None = None


def route(operations: Sequence[Operation], timed: bool) -> Route:
    """Whether the graph or a search comes first: a time, counting and order are the graph's, what is open the search's."""
    return "graph first" if timed or any(each in _GRAPH for each in operations) else "search first"


def by_rules(rules: RulePlan, time: QuestionTime | None, offered: Sequence[ToolName]) -> AgentPlan:
    """The plan that the rules make. ``time`` None leaves the question's time out, as an ablation."""
    lines = tuple(each for each in rules.bullets if not each.startswith("Time:"))
    operations = _OF_FORM[rules.form]
    plan = AgentPlan(
        bullets=lines[:MOST_BULLETS] or ("Look for what the question names.",),
        targets=(*rules.subjects, *(term.text for term in rules.terms)),
        attributes=rules.properties,
        operations=operations,
        hops=rules.hops,
        route=route(operations, time is not None),
        start_with=(),
        form=rules.form,
        made_by="rules",
        time=None if time is None else time.interval,
        time_text=None if time is None else time.text,
        anchor=None if time is None or time.event is None else f"{time.relation} {time.event}",
    )
    timed = [] if plan.time is None else [f"Time filter: {time_line(plan)}"]
    bullets = (*plan.bullets[: MOST_BULLETS - len(timed)], *timed)
    return replace(plan, bullets=bullets, start_with=_tools(plan.route, (), offered))


def by_model(reply: PlanReply, rules: AgentPlan, offered: Sequence[ToolName]) -> AgentPlan:
    """The model's plan. The time filter stays that of the rules, and so does what the model left out or does not know.

    What its bullets must name and do not is named in one more.
    """
    operations = tuple(
        each for each in get_args(Operation) if each in {word.strip().lower() for word in reply.operations}
    )
    bullets = _shortened(reply.bullets)[:MOST_BULLETS]
    operations = operations or rules.operations
    way = route(operations, rules.time is not None or rules.anchor is not None)
    plan = replace(
        rules,
        targets=_shortened(reply.targets)[:MOST_NAMED] or rules.targets,
        attributes=_shortened(reply.attributes)[:MOST_NAMED] or rules.attributes,
        operations=operations,
        hops=min(max(reply.hops, 1), MOST_HOPS),
        route=way,
        start_with=_tools(way, reply.tools, offered),
        made_by="model",
    )
    if not bullets:
        return plan
    unnamed = "; ".join(_unnamed(plan, " ".join(bullets).casefold()))
    return replace(plan, bullets=(*bullets[: MOST_BULLETS - 1], unnamed) if unnamed else bullets)


def _unnamed(plan: AgentPlan, said: str) -> Iterator[str]:
    """What the bullets of a plan must name, as far as it is not in what they say."""
    if any(each.casefold() not in said for each in plan.targets):
        yield f"Targets: {', '.join(plan.targets)}"
    if plan.time is not None and not all(
        bound is None or bound.date().isoformat() in said for bound in (plan.time.start, plan.time.end)
    ):
        yield f"Time filter: {time_line(plan)}"
    if any(each not in said for each in plan.operations):
        yield f"Operations: {', '.join(plan.operations)}"
    if "hop" not in said:
        yield f"Hops: {plan.hops}"


def without_plan(rules: AgentPlan) -> AgentPlan:
    """No plan, as an ablation: nothing is shown to the model but the time filter."""
    return replace(rules, bullets=(), start_with=(), made_by="none")


def time_of(question: str, asked_at: datetime, policy: Policy | None = None) -> QuestionTime | None:
    """The time constraint of a question, as the normaliser reads it."""
    return question_filter(question, asked_at, policy)


def request_text(
    question: str, asked_at: datetime, rules: AgentPlan, names: Sequence[Name], properties: Sequence[str]
) -> str:
    """What the plan step shows the model beside its prompt."""
    known = ", ".join(f"{quoted(each.known or each.text)} ({each.type or '?'})" for each in names[:12])
    listed = ", ".join(shown_name(each) for each in properties[:SHOWN_PROPERTIES])
    return "\n".join(
        (
            f"Question: {question}",
            f"Asked at: {_asked(asked_at)}",
            f"Time filter: {time_line(rules) or 'none'}",
            f"Names in it that the memory knows: {known or 'none'}",
            f"Properties of the memory: {listed or 'none'}",
        )
    )


def plan_text(plan: AgentPlan, asked_at: datetime) -> str:
    """The plan as the answering model reads it. A bullet can hold a name of the memory, so none of them can break its line."""
    lines = [f"Asked at: {_asked(asked_at)}"]
    if (timed := time_line(plan)) is not None and not any(timed in bullet for bullet in plan.bullets):
        lines.append(f"Time filter: {timed}")
    if plan.bullets:
        lines.append("Plan:")
        lines += [f"- {seen(one_line(each))}" for each in plan.bullets]
    if plan.start_with:
        lines.append(f"Start with: {', '.join(plan.start_with)}")
    return "\n".join(lines)


def time_line(plan: AgentPlan) -> str | None:
    """The time filter in one line, None where there is none."""
    if plan.time is not None:
        start = plan.time.start.isoformat(timespec="minutes") if plan.time.start is not None else ".."
        end = plan.time.end.isoformat(timespec="minutes") if plan.time.end is not None else ".."
        return f'[{start}, {end}) from "{plan.time_text}"'
    if plan.anchor is not None:
        return f'hangs on an event to be looked up first: "{plan.anchor}"'
    return None


def _tools(way: Route, wished: Sequence[str], offered: Sequence[ToolName]) -> tuple[ToolName, ...]:
    """The tools to begin with: the route's, then what the model wished for, as far as they are offered."""
    first: tuple[ToolName, ...] = ("entity_lookup", "cypher") if way == "graph first" else ("search",)
    last: tuple[ToolName, ...] = ("search",) if way == "graph first" else ("entity_lookup",)
    named = tuple(each for each in offered if each in wished)
    ordered = dict.fromkeys((*first, *(named or last)))
    found = tuple(each for each in ordered if each in offered)
    return found or tuple(offered[:2])


def _asked(moment: datetime) -> str:
    return f"{moment.isoformat(timespec='minutes')} ({moment:%A})"


def _shortened(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(one_line(each)[:LONGEST_BULLET] for each in texts if each.strip())
