"""What was so before or after the event, or the value, that a question names. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from graphmem.answer.anchors import anchor_moment, anchor_statement, given_up
from graphmem.answer.best import AS_WELL, CLOSE, Relevant, best, best_fit, with_others
from graphmem.answer.choice import Choice
from graphmem.answer.match import ANCHORED_BY, IN_TURN, Match, covers
from graphmem.answer.offer import Offer
from graphmem.answer.offers import offer_of
from graphmem.answer.plan import Plan
from graphmem.answer.quoting import made, quoted_turn, timed
from graphmem.answer.relevance import TYPED, is_relevant, likely_of, rate
from graphmem.answer.statements import Statement
from graphmem.answer.told_times import moment_of, when_of
from graphmem.answer.words import codes_in, is_version, numbers_in, stem, stem_set, stems_of


def beside_anchor(plan: Plan, relevant: Relevant, rated: Relevant, statements: Sequence[Statement]) -> Choice | None:
    """What was so last before, or first after, the event that the question names. ``rated`` are all matches, relevant or not."""
    if plan.anchor is None:
        return _swapped(plan, rated) or _before_last(plan, relevant)
    at = _anchored_at(plan, statements)
    if at is None:
        return told_together(plan, statements)
    before = plan.form == "before_event"
    if before and plan.want == "thing" and (gone := given_up(plan, statements)) is not None:
        return gone
    if (told := value_beside(plan, rated, statements)) is not None:
        return told
    if (together := _in_one_phrase(plan, rated)) is not None:
        return best(plan, [together])
    anchor_stems = {each for term in plan.anchor.terms for each in term.stems}
    side = [
        m
        for m in relevant
        if (_stands_at(m, plan) < at) == before
        and (not anchor_stems <= m.statement.stems or (not before and m.own and m.offers))
    ]
    side = [m for m in side if m.offers] or ([] if plan.want in TYPED else side)
    if not side:
        likely = likely_of(rated, plan)
        side = [m for m in likely if m.offers and (_stands_at(m, plan) < at) == before]
        side = [m for m in side if not anchor_stems & m.statement.stems]
    if not side:
        return told_together(plan, statements)
    good = [m for m in side if m.fit >= best_fit(side) - 2 * CLOSE]
    good.sort(key=lambda m: _stands_at(m, plan))
    chosen = good[-1] if before else good[0]
    if plan.want == "time" and (time := when_of(chosen.statement, plan)) is not None:
        return timed(plan, with_others(chosen, relevant), time)
    offer = offer_of(chosen.statement, plan)
    if offer is None:
        return quoted_turn(plan, with_others(chosen, relevant))
    return made(plan, with_others(chosen, relevant), offer)


def _in_one_phrase(plan: Plan, rated: Relevant) -> Match | None:
    """The best match that says itself what was before or after the event: "after the road trip we went for a walk"."""
    if plan.anchor is None or plan.want in ("time", *TYPED):
        return None
    stems = [set(term.stems) for term in plan.anchor.terms]
    phrase = re.compile(rf"\b{plan.anchor.relation}\b((?:\W+[\w'’-]+){{1,8}})", re.IGNORECASE)
    likely = likely_of(rated, plan)
    for each in sorted(rated, key=lambda m: -m.score):
        found = phrase.search(each.statement.text)
        words = set() if found is None else set(stems_of(found.group(1)))
        if (
            stems
            and sum(one <= words for one in stems) >= ANCHORED_BY * len(stems)
            and (each in likely or is_relevant(each, plan))
        ):
            return each
    return None


def _anchored_at(plan: Plan, statements: Sequence[Statement]) -> datetime | None:
    """When the event was; where times are asked for, when it was told: dates that were planned before it lie after it."""
    if not plan.dates:
        return anchor_moment(plan, statements)
    found = anchor_statement(plan, statements)
    return None if found is None else found.said_at


def _stands_at(found: Match, plan: Plan) -> datetime:
    return found.statement.said_at if plan.dates else moment_of(found.statement, plan)


def told_together(plan: Plan, statements: Sequence[Statement]) -> Choice | None:
    """What is told of in the same breath as the event: "the last show is on 9 June, then I'm free"."""
    anchored = () if plan.anchor is None else plan.anchor.terms
    whole = replace(plan, terms=(*plan.terms, *anchored), anchor=None)
    fitting = sorted((m for s in statements if is_relevant(m := rate(s, whole), whole)), key=lambda m: -m.score)
    return best(plan, fitting) if fitting else None


def value_beside(plan: Plan, rated: Relevant, statements: Sequence[Statement]) -> Choice | None:
    """The value beside another one where both are told together ("58 mm instead of 62 mm"), or codes in the order of their telling."""
    return code_beside(plan, statements) or _swapped(plan, rated)


_UNIT = r"(?:mm|cm|m|km|kg|g|l|ml|euros?|dollars?|pounds?|percent|hours?|days?)\b"
_VALUE = rf"(?:[$€£]?\d[\d.,]*\d|[$€£]?\d|[A-Z][\w-]*)(?:\s(?:[A-Z][\w-]*|{_UNIT}))*"
_SWAPPED = (
    re.compile(rf"(?P<new>{_VALUE}),? (?:instead of|rather than|and not) (?P<old>{_VALUE})"),
    re.compile(rf"\bfrom (?P<old>{_VALUE}) to (?P<new>{_VALUE})"),
)
_CHANGING = re.compile(
    r"\b(?:instead|rather|set|chang\w+|rais\w+|lower\w*|cut|increas\w+|reduc\w+|went|go(?:es)?|mov\w+|switch\w*)\b",
    re.I,
)


def _swapped(plan: Plan, rated: Relevant) -> Choice | None:
    """What a sentence that tells of a change says was there before."""
    if plan.form != "before_event" or plan.want not in ("thing", "amount", "count", "place"):
        return None
    for each in sorted(rated, key=lambda m: -m.score):
        if not each.own or _CHANGING.search(each.statement.text) is None:
            continue
        if any(covers(each.statement, term) < IN_TURN for term in plan.terms):
            continue
        for pattern in _SWAPPED:
            found = pattern.search(each.statement.text)
            if found is not None and not any(
                e.start <= each.statement.start + found.start("old") < e.end for e in each.statement.times
            ):
                return made(plan, [each], short=found.group("old"))
    return None


def code_beside(plan: Plan, statements: Sequence[Statement]) -> Choice | None:
    """The code told before or after the one that the question names, of codes of the same kind in the order of their telling."""
    if plan.anchor is None or plan.asked is None or stem(plan.asked) not in stem_set("coded"):
        return None
    named = {each for term in plan.anchor.terms if term.kind == "number" for each in term.stems}
    version = any(is_version(each) for each in named)
    before = plan.form == "before_event"
    told = [
        (each, code)
        for each in sorted(statements, key=lambda each: (each.said_at, each.start))
        if each.mood() == "stated" and stem(plan.asked) in each.turn_stems
        for code in codes_in(each.text, version)
    ]
    at = next((i for i, (_, code) in enumerate(told) if code.casefold() in named), None)
    others = [] if at is None else told[:at] if before else told[at + 1 :]
    others = [(each, code) for each, code in others if code.casefold() not in named]
    if not others:
        return None
    chosen, code = others[-1] if before else others[0]
    return made(plan, [rate(chosen, plan)], short=code)


def _before_last(plan: Plan, relevant: Relevant) -> Choice | None:
    """ "Where did she work before?": the value before the latest, where two are told."""
    if plan.want == "time":
        return _dated_before(plan, relevant)
    told = [m for m in relevant if m.offers]
    covered = max((m.coverage for m in told), default=0.0)
    told = sorted((m for m in told if m.coverage >= covered - AS_WELL), key=lambda m: moment_of(m.statement, plan))
    offers: list[tuple[Match, Offer]] = [(m, o) for m in told if (o := offer_of(m.statement, plan)) is not None]
    earlier = [(m, offer) for m, offer in offers if not _same_value(offer.text, offers[-1][1].text)]
    return made(plan, [earlier[-1][0]], earlier[-1][1]) if earlier else None


def _same_value(one: str, other: str) -> bool:
    """Whether two values are one: numbers by their numbers ("900 euros" is not "1,050 euros"), others by a word that they share."""
    if numbers_in(one) and numbers_in(other):
        return numbers_in(one) == numbers_in(other)
    return bool(set(stems_of(one)) & set(stems_of(other)))


def _dated_before(plan: Plan, relevant: Relevant) -> Choice | None:
    """The date that was told before another one was: of what was put off, when it should have been."""
    dated = sorted((m for m in relevant if m.fit >= best_fit(relevant) - 3 * CLOSE), key=lambda m: m.statement.said_at)
    times = [(m, time) for m in dated if (time := when_of(m.statement, plan)) is not None]
    earlier = [(m, time) for m, time in times if time.start != times[-1][1].start]
    if not earlier:
        return None
    chosen, time = earlier[-1]
    return timed(plan, with_others(chosen, relevant), time)
