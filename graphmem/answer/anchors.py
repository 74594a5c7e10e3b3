"""The event after "before" and "after": the statement that tells of it, and when it was."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from graphmem.answer.choice import Choice
from graphmem.answer.match import about, match
from graphmem.answer.offers import object_of
from graphmem.answer.plan import Plan
from graphmem.answer.quoting import made
from graphmem.answer.relevance import ENOUGH
from graphmem.answer.statements import Statement
from graphmem.answer.told_times import moment_of
from graphmem.answer.words import stem_set, stems_of


def anchor_moment(plan: Plan, statements: Sequence[Statement]) -> datetime | None:
    """When the event happened, as the statement that tells of it best says."""
    found = anchor_statement(plan, statements)
    return None if found is None else moment_of(found)


def anchor_statement(plan: Plan, statements: Sequence[Statement]) -> Statement | None:
    """The statement that tells of the event best; None where none has its names and most of its words."""
    if plan.anchor is None:
        return None
    found = [match(each, plan, plan.anchor.terms) for each in statements]
    found = [
        m for m in found if m.stated and m.coverage >= ENOUGH and not any(term.kind != "word" for term in m.missing)
    ]
    return max(found, key=lambda m: m.score).statement if found else None


def given_up(plan: Plan, statements: Sequence[Statement]) -> Choice | None:
    """What somebody had before something new: what they say, in the same sitting, that they sold or replaced."""
    anchor = anchor_statement(plan, statements)
    if anchor is None or plan.anchor is None:
        return None
    for each in statements:
        if each == anchor or each.hit.session_id != anchor.hit.session_id or each.mood() != "stated":
            continue
        if each.stems & stem_set("disposing") and about(each, plan.subjects) >= 0.9:
            offer = object_of(each, stem_set("disposing"))
            if offer is not None and not _same_thing(offer.text, plan.anchor.text):
                return made(plan, [match(each, plan), match(anchor, plan)], offer)
    return None


def _same_thing(one: str, other: str) -> bool:
    return bool((set(stems_of(one)) & set(stems_of(other))) - stem_set("function_words"))
