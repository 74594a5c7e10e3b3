"""Facts against later statements: a change that no fact tells of still counts.

Rules read less than people say. Where a fact of a property with one value at a time is the newest, and somebody has said since, with a
verb that changes that property, something else about the same one, the statement answers and the fact is shown as what was before.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime

from graphmem.answer.choice import Choice
from graphmem.answer.compose import day_text
from graphmem.answer.match import IN_TURN, Match, covers
from graphmem.answer.offers import offer_of
from graphmem.answer.periods import start_of
from graphmem.answer.plan import Plan
from graphmem.answer.quoting import made, quoted_turn
from graphmem.answer.relevance import rate
from graphmem.answer.statements import Statement
from graphmem.answer.told_times import moment_of
from graphmem.answer.words import lexicon, numbers_in, stem, stem_set, stems_of
from graphmem.ids import normalise_name


def denied(chosen: Choice, told: Choice | None) -> Choice:
    """The choice from facts to a question of yes or no, or a later statement's plain No, which says it better than an end of a period."""
    if told is None or told.short != "No" or not chosen.citations or not told.citations:
        return chosen
    if told.citations[0].said_at <= chosen.citations[0].said_at:
        return chosen
    return replace(told, citations=(*told.citations, *chosen.citations), facts=chosen.facts)


def ended_since(plan: Plan, chosen: Choice, statements: Sequence[Statement]) -> Choice:
    """The Yes of facts to "is it still so", or what was said since, of all that the question names, with a word of ending."""
    if (
        plan.want != "yes_no"
        or plan.form != "current"
        or not chosen.facts
        or not (chosen.short or "").startswith("Yes")
    ):
        return chosen
    since = max(each.said_at for each in chosen.citations)
    named = [term for term in plan.terms if term.kind != "word"]
    later = [
        m
        for m in (rate(each, plan) for each in statements if each.said_at > since and each.stems & stem_set("over"))
        if named
        and m.said_as == "stated"
        and m.subject >= 0.5
        and all(covers(m.statement, term) >= IN_TURN for term in named)
    ]
    if not later:
        return chosen
    newest = max(later, key=lambda m: m.statement.said_at)
    found = made(plan, [newest], short="No, not any more")
    return replace(found, citations=(*found.citations, *chosen.citations), facts=chosen.facts)


def updated(plan: Plan, chosen: Choice, statements: Sequence[Statement], moment: datetime) -> Choice:
    """The choice from facts, or what was said since of the same thing. ``moment`` is the time asked about."""
    if plan.form not in ("current", "attribute", "at_time") or plan.want == "yes_no" or len(chosen.facts) != 1:
        return chosen
    fact = chosen.facts[0]
    if fact.property not in lexicon()["change"] or not fact.evidence:
        return chosen
    until = moment if plan.time is None or plan.time.end is None else plan.time.end
    since = max(each.said_at for each in fact.evidence)
    verbs = stem_set("change", fact.property)
    later = [
        m
        for m in (rate(each, plan) for each in statements if each.said_at > since and each.stems & verbs)
        if m.said_as == "stated" or moment_of(m.statement) < moment
        if _changes(m, plan, verbs)
        and start_of(fact) < moment_of(m.statement) < until
        and _says_else(m, plan, fact.value)
    ]
    if not later:
        return chosen
    newest = max(later, key=lambda m: (m.statement.said_at, m.fit))
    offer = offer_of(newest.statement, plan)
    found = quoted_turn(plan, [newest]) if offer is None else made(plan, [newest], offer)
    note = f"Before, on {day_text(since)}: {fact.value}."
    return replace(found, citations=(*found.citations, *chosen.citations), facts=chosen.facts, notes=(note,))


def _changes(found: Match, plan: Plan, verbs: AbstractSet[str]) -> bool:
    """Whether the one asked about is said to have done what changes the property, or to do it."""
    names = {part for name in plan.subjects for part in (normalise_name(name), normalise_name(name).split()[0])}
    return found.stated and any(
        (not names or clause.subject in names)
        and stem(clause.verb.split()[0]) in verbs
        and (clause.mood in ("stated", "planned") or found.statement.accepted)
        and not clause.negated
        for clause in found.statement.clauses
    )


def _says_else(found: Match, plan: Plan, value: str) -> bool:
    """Whether a statement offers another value; of a job that it only describes, whether it does not name the old one."""
    offer = offer_of(found.statement, plan)
    known = set(stems_of(value))
    if offer is None:
        return plan.want == "thing" and not known & found.statement.stems
    if numbers_in(value):
        return bool(numbers_in(offer.text)) and numbers_in(offer.text) != numbers_in(value)
    return not set(stems_of(offer.text)) & (known - stem_set("function_words"))
