"""The best of the matches that may answer, and what is made of it. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.answer.choice import Choice
from graphmem.answer.match import IN_TURN, REPLIED, WITNESSED, Match, covers
from graphmem.answer.offers import offer_of
from graphmem.answer.plan import Plan, Term
from graphmem.answer.quoting import made, quoted_turn
from graphmem.answer.relevance import ABOUT, TYPED
from graphmem.answer.statements import SaidAs
from graphmem.answer.told_times import moment_of
from graphmem.answer.words import stem, stem_set, stems_of

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
    if plan.want == "yes_no":
        gone = [m for m in within if not _only_names(plan, m)] or within
        gone = [m for m in gone if _said_as(plan, m) == "stated"] or gone
        return yes_or_no(plan, latest_of_best(gone, 2 * CLOSE, NEW), relevant)
    offer = offer_of(chosen.statement, plan)
    if offer is None:
        return quoted_turn(plan, with_others(chosen, relevant))
    return made(plan, with_others(chosen, relevant), offer)


def yes_or_no(plan: Plan, chosen: Match, relevant: Relevant) -> Choice:
    """Yes or no where the sentence itself has all that is asked; else only its words."""
    told = chosen.subject >= ABOUT and all(
        covers(chosen.statement, term) >= IN_TURN and not _only_hinted(chosen, term)
        for term in plan.terms
        if not term.aside
    )
    told = told and not _only_names(plan, chosen)
    short = {"stated": "Yes", "denied": "No", "planned": "It was planned"}.get(_said_as(plan, chosen)) if told else None
    return made(plan, with_others(chosen, relevant), short=short)


def _said_as(plan: Plan, found: Match) -> SaidAs:
    """How a match says what is asked: where it is asked if somebody went somewhere, by its clause of going."""
    going = bool(set(stems_of(plan.question)) & stem_set("going"))
    return found.statement.mood(stem_set("going_to")) if going and plan.past else found.said_as


def _only_names(plan: Plan, found: Match) -> bool:
    """Whether it is asked if somebody went somewhere, and the place is named of something else: a flight that was booked was not taken."""
    going = bool(set(stems_of(plan.question)) & stem_set("going"))
    return going and plan.past and not any(each.verb_stem & stem_set("going_to") for each in found.statement.clauses)


def _only_hinted(found: Match, term: Term) -> bool:
    """Whether a word is met only by one that goes with it: who thinks of a wedding need not be married."""
    return term.kind == "word" and WITNESSED <= covers(found.statement, term) < REPLIED


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
