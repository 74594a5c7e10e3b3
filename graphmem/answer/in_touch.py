"""Who else somebody is in touch with: a conversation shows that by itself, whether or not anybody says so. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.answer.choice import Choice
from graphmem.answer.compose import listed
from graphmem.answer.periods import contains
from graphmem.answer.plan import Plan
from graphmem.answer.quoting import made
from graphmem.answer.relevance import rate
from graphmem.answer.statements import Statement
from graphmem.answer.words import stem_set
from graphmem.ids import normalise_name


def in_touch(plan: Plan, statements: Sequence[Statement]) -> Choice | None:
    """Who else talks with the one asked about, or who did at a time; None where that is not asked, or there is nobody to compare."""
    asked = plan.want == "person" and any(set(term.stems) & stem_set("contact") for term in plan.terms)
    if not asked or (plan.form != "who_else" and not (plan.form == "at_time" and plan.time is not None)):
        return None
    excluded = {normalise_name(term.text) for term in plan.excluded}
    named = plan.named
    with_them = [each for each in statements if named & each.present]
    if plan.time is not None:
        with_them = [each for each in with_them if contains(plan.time, each.said_at)]
    elif not any(excluded & each.present for each in with_them):
        return None
    told = sorted(with_them, key=lambda each: (each.said_at, each.start))
    first = {
        each.hit.speaker: each for each in reversed(told) if normalise_name(each.hit.speaker) not in named | excluded
    }
    if not first:
        return None
    found = sorted(first.values(), key=lambda each: each.said_at)
    return made(plan, [rate(each, plan) for each in found[:3]], short=listed([each.hit.speaker for each in found]))
