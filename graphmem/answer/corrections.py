"""What was taken back or put off later: an answer follows its own correction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graphmem.answer.choice import Choice
from graphmem.answer.compose import citation_of, day_text
from graphmem.answer.match import IN_TURN, NEAR, Match, about, covers
from graphmem.answer.offers import offer_of
from graphmem.answer.plan import Plan
from graphmem.answer.statements import Statement
from graphmem.answer.words import stem_set, stems_of

AGAIN = 2
"""Content words that a turn has to repeat of what it takes back."""
_KEPT = ("at_time", "first", "before_event", "who_else", "changed")
"""Forms that ask for what was so, whatever became of it."""


def corrected(plan: Plan, chosen: Choice, statements: Sequence[Statement]) -> Choice:
    """The choice, or what it was corrected to: a later turn that takes the same value back and offers another of the kind."""
    if plan.form in _KEPT or plan.want in ("time", "yes_no") or chosen.short is None or not chosen.citations:
        return chosen
    said = chosen.citations[0]
    value = {each for each in stems_of(chosen.short) if each not in stem_set("function_words")}
    for statement in sorted(statements, key=lambda s: s.said_at, reverse=True):
        if not value or statement.said_at < said.said_at:
            break
        if statement.hit.turn_id == said.turn_id and statement.start <= said.start:
            continue
        if not value <= statement.turn_stems or not statement.turn_stems & stem_set("correcting"):
            continue
        if about(statement, plan.subjects) < 0.5 or statement.mood() != "stated":
            continue
        if plan.terms and all(covers(statement, term) < NEAR for term in plan.terms):
            continue
        offer = offer_of(statement, plan)
        if offer is None or value <= set(stems_of(offer.text)):
            continue
        note = f"Corrected from {chosen.short}, said on {day_text(said.said_at)}."
        cited = citation_of(statement, offer.end)
        return replace(chosen, short=offer.text, citations=(cited, *chosen.citations), notes=(*chosen.notes, note))
    return chosen


def rescheduled(plan: Plan, chosen: Match, dated: Sequence[Match]) -> Match:
    """The match, or a later one that says of the same thing that it was put off to another time."""
    later = [
        m
        for m in dated
        if m.statement.said_at > chosen.statement.said_at
        and m.statement.stems & stem_set("rescheduling")
        and m.stated
        and all(covers(m.statement, term) >= IN_TURN for term in plan.terms if not term.aside)
        and not {each for term in plan.terms for each in term.stems} & stem_set("rescheduling")
    ]
    return max(later, key=lambda m: m.statement.said_at) if later else chosen


def came_to_nothing(plan: Plan, planned: Match, rated: Sequence[Match]) -> bool:
    """Whether it was said later that what was planned did not happen."""
    names = [term for term in plan.terms if term.kind == "name"]
    return any(
        m.said_as == "denied"
        and m.own
        and m.subject >= 0.9
        and m.statement.said_at > planned.statement.said_at
        and not m.missing
        and all(covers(m.statement, term) >= IN_TURN for term in names)
        for m in rated
    )


def taken_back(plan: Plan, chosen: Choice, statements: Sequence[Statement]) -> Choice:
    """A quoted answer with a later turn that takes it back: one in which the same person says it again, and that it was not so."""
    if chosen.short is not None or not chosen.citations or plan.form not in ("attribute", "search"):
        return chosen
    said = chosen.citations[0]
    told = {each for each in stems_of(said.quote) if each not in stem_set("function_words")}
    for statement in sorted(statements, key=lambda s: s.said_at, reverse=True):
        if statement.said_at <= said.said_at:
            break
        if statement.hit.speaker != said.speaker:
            continue
        again = told & {each for each in statement.turn_stems if each not in stem_set("function_words")}
        if (
            len(again) < AGAIN
            or about(statement, plan.subjects) < 0.5
            or not statement.turn_stems & stem_set("retracting")
        ):
            continue
        if not any(other.hit.id == statement.hit.id and any(c.negated for c in other.clauses) for other in statements):
            continue
        hit = statement.hit
        cited = citation_of(statement, len(hit.text.rstrip()))
        cited = replace(cited, quote=hit.text[: cited.end], start=0)
        note = f"It was told otherwise on {day_text(said.said_at)}: “{said.quote}”"
        return replace(chosen, citations=(cited, *chosen.citations), notes=(*chosen.notes, note))
    return chosen
