"""The best of the matches that may answer, and what is made of it. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.answer.choice import Choice
from graphmem.answer.match import Match
from graphmem.answer.offers import offer_of
from graphmem.answer.plan import Plan
from graphmem.answer.quoting import made, quoted_turn
from graphmem.answer.relevance import TYPED
from graphmem.answer.told_times import moment_of
from graphmem.answer.words import stem, stem_set

CLOSE = 0.08
"""Fits this near to the best count as equally good; time decides between them."""
RECENT = 0.1
"""How far behind the best score, search included, a later statement may be and still be preferred."""
EVER = 10.0
"""However far behind: what was told last of a number or a name that fits as well holds now."""
NEW = 0.4
"""How far behind the best score what was said last may be where it is asked what is so now."""
AS_WELL = 0.2
"""How much less of the question a statement may have and still tell of the same thing at another time."""
Relevant = Sequence[Match]


def best(plan: Plan, relevant: Relevant) -> Choice:
    within = up_to_its_end(plan, relevant) or list(relevant)
    if plan.want in TYPED or (plan.asked is not None and stem(plan.asked) in stem_set("coded")):
        offering = [m for m in within if m.offers] or within
        now = plan.time is None and not plan.past
        chosen = latest_of_best(offering, 2 * CLOSE, EVER) if now else latest_of_best(offering, behind=3 * RECENT)
    elif plan.past and plan.open:
        chosen = max(within, key=lambda m: m.score)
    else:
        chosen = latest_of_best(within)
    offer = offer_of(chosen.statement, plan)
    if offer is None:
        return quoted_turn(plan, with_others(chosen, relevant))
    return made(plan, with_others(chosen, relevant), offer)


def up_to_its_end(plan: Plan, matches: Relevant) -> list[Match]:
    """Those that were said, or speak of a time, up to the end of the plan's time filter."""
    if plan.time is None:
        return list(matches)
    end = plan.time.end
    return [m for m in matches if end is None or min(m.statement.said_at, moment_of(m.statement, plan)) < end]


def latest_of_best(matches: Relevant, margin: float = CLOSE, behind: float = RECENT) -> Match:
    """Of the matches that are about as good as the best, the one said last: what is said later corrects what was said before."""
    top = max(m.score for m in matches)
    good = [m for m in matches if m.fit >= best_fit(matches) - margin and m.score >= top - behind]
    good = good or [m for m in matches if m.score == top]
    return max(good, key=lambda m: (m.statement.said_at, m.score))


def best_fit(matches: Relevant) -> float:
    return max(m.fit for m in matches)


def with_others(chosen: Match, relevant: Relevant) -> tuple[Match, ...]:
    """The chosen match, then up to two of the next best from other turns."""
    found = [chosen]
    for each in relevant:
        if len(found) == 3 or each.fit < chosen.fit - 0.2:
            break
        if each.statement.hit.id not in {m.statement.hit.id for m in found}:
            found.append(each)
    return tuple(found)
