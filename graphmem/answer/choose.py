"""From statements to the ones that answer: one rule a question form. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from graphmem.answer.anchors import anchor_moment, anchor_statement, given_up
from graphmem.answer.choice import Choice
from graphmem.answer.compose import citation_of, day_text, listed, span_text, time_text
from graphmem.answer.corrections import came_to_nothing, corrected, rescheduled
from graphmem.answer.match import IN_TURN, LEANS, Match, covers, in_time
from graphmem.answer.offer import Offer
from graphmem.answer.offers import offer_of
from graphmem.answer.plan import Plan
from graphmem.answer.quoting import made, quoted_turn
from graphmem.answer.relevance import (
    ENOUGH,
    TYPED,
    is_relevant,
    likely_of,
    moment_of,
    others_of,
    rate,
    relevant_of,
    when_of,
)
from graphmem.answer.statements import Statement
from graphmem.answer.words import codes_in, is_version, stem, stem_set, stems_of
from graphmem.ids import normalise_name

CLOSE = 0.08
"""Fits this near to the best count as equally good; time decides between them."""
RECENT = 0.1
"""How far behind the best score, search included, a later statement may be and still be preferred."""
AS_WELL = 0.2
"""How much less of the question a statement may have and still tell of the same thing at another time."""
HAPPENED = 0.12
"""How much worse than a plan a report may fit and still say when something was."""
NEAREST_NOTE = "This was not said in so many words; it is what comes nearest."
Relevant = Sequence[Match]


def choose(plan: Plan, statements: Sequence[Statement], asked_at: datetime) -> Choice | None:
    """The statements that answer the plan, or None where none is relevant."""
    rated = [rate(statement, plan) for statement in statements]
    relevant = relevant_of(rated, plan)
    if not relevant:
        likely = likely_of(rated, plan)
        return _nearest(plan, likely, rated, statements, asked_at) if likely else None
    chosen = _ruled(plan, relevant, rated, statements, asked_at)
    if chosen is None and plan.form == "who_else" and (likely := likely_of(rated, plan)):
        return _nearest(plan, likely, rated, statements, asked_at)
    if chosen is None and plan.anchor is not None and plan.form != "who_else":
        return _nearest(plan, relevant, rated, statements, asked_at)
    return None if chosen is None else corrected(plan, chosen, statements)


def _ruled(
    plan: Plan, relevant: Relevant, rated: Relevant, statements: Sequence[Statement], asked_at: datetime
) -> Choice | None:
    """What the rule of the question's form chooses."""
    rules: Mapping[str, Callable[[], Choice | None]] = {
        "when": lambda: _when(plan, relevant, rated),
        "first": lambda: _ordered(plan, relevant, asked_at),
        "last": lambda: _ordered(plan, relevant, asked_at),
        "current": lambda: _latest(plan, relevant),
        "at_time": lambda: _at_time(plan, relevant, statements),
        "who_else": lambda: _who_else(plan, relevant),
        "how_long": lambda: _how_long(plan, relevant, rated),
        "changed": lambda: _changed(plan, relevant),
        "before_event": lambda: _beside_anchor(plan, relevant, statements),
        "after_event": lambda: _beside_anchor(plan, relevant, statements),
    }
    return rules.get(plan.form, lambda: _best(plan, relevant))()


def _nearest(
    plan: Plan, likely: Relevant, rated: Relevant, statements: Sequence[Statement], asked_at: datetime
) -> Choice:
    """What comes nearest where nothing has the words of the question: said to be no more than that, with the next best beside it."""
    chosen = _ruled(plan, likely, rated, statements, asked_at) or quoted_turn(plan, _with_others(likely[0], likely))
    if plan.want not in ("time", *TYPED) and chosen.short is not None:
        first = {(each.turn_id, each.start) for each in chosen.citations[:1]}
        best = next((m for m in likely if (m.statement.hit.turn_id, m.statement.start) in first), likely[0])
        chosen = quoted_turn(plan, _with_others(best, likely))
    if plan.form == "who_else" and chosen.short is None:
        chosen = replace(
            chosen,
            short=listed(
                [_as_written(name, likely[0].statement) for name in sorted(others_of(likely[0].statement, plan))]
            ),
        )
    beside = [m for m in likely if m.statement.hit.turn_id not in {each.turn_id for each in chosen.citations}]
    cited = (*chosen.citations, *(citation_of(m.statement) for m in beside))[:3]
    return replace(chosen, citations=cited, quoted=2, notes=(*chosen.notes, NEAREST_NOTE))


# Forms ------------------------------------------------------------------------------------------------------------------------------


def _best(plan: Plan, relevant: Relevant) -> Choice:
    within = _in_time(plan, relevant) or list(relevant)
    if plan.want in TYPED or (plan.asked is not None and stem(plan.asked) in stem_set("coded")):
        offering = [m for m in within if m.offers] or within
        now = plan.time is None and not plan.past
        chosen = _latest_of_best(offering, 2 * CLOSE, 10.0) if now else _latest_of_best(offering, behind=3 * RECENT)
    elif plan.past and plan.open:
        chosen = max(within, key=lambda m: m.score)
    else:
        chosen = _latest_of_best(within)
    if plan.want == "yes_no":
        return _yes_or_no(plan, _latest_of_best(within, 2 * CLOSE, 10.0), relevant)
    offer = offer_of(chosen.statement, plan)
    if offer is None:
        return quoted_turn(plan, _with_others(chosen, relevant))
    return made(plan, _with_others(chosen, relevant), offer)


def _yes_or_no(plan: Plan, chosen: Match, relevant: Relevant) -> Choice:
    """Yes or no where the sentence itself has all that is asked; else only its words."""
    told = all(covers(chosen.statement, term) >= IN_TURN for term in plan.terms if not term.aside)
    short = {"stated": "Yes", "denied": "No", "planned": "It was planned"}.get(chosen.said_as) if told else None
    return made(plan, _with_others(chosen, relevant), short=short)


def _when(plan: Plan, relevant: Relevant, rated: Relevant) -> Choice | None:
    dated = [m for m in relevant if when_of(m.statement, plan) is not None]
    if not dated:
        return _when_told(plan, relevant)
    if plan.past:
        happened = [m for m in dated if m.said_as == "stated" and m.fit >= _best_fit(dated) - HAPPENED]
        dated = happened or dated
    chosen = rescheduled(plan, _latest_of_best(dated), dated)
    time = when_of(chosen.statement, plan)
    if plan.past and chosen.said_as == "planned":
        if came_to_nothing(plan, chosen, rated):
            return None
        found = made(plan, _with_others(chosen, relevant), short=None if time is None else time_text(time), time=time)
        return replace(found, notes=("This was planned; whether it came about is not said.",))
    return made(plan, _with_others(chosen, relevant), short=None if time is None else time_text(time), time=time)


def _when_told(plan: Plan, relevant: Relevant) -> Choice:
    """Nobody named the time: what happened had happened when it was told."""
    chosen = _latest_of_best(relevant)
    quoted = quoted_turn(plan, _with_others(chosen, relevant))
    if not plan.past or chosen.said_as != "stated":
        return quoted
    note = "When exactly was not said; this is when it was told."
    return replace(quoted, short=f"by {day_text(chosen.statement.said_at)}", notes=(note,))


def _ordered(plan: Plan, relevant: Relevant, asked_at: datetime) -> Choice:
    happened = [m for m in relevant if m.said_as == "stated" and moment_of(m.statement, plan) <= asked_at]
    told = happened or list(relevant)
    if plan.time is not None:
        told = [m for m in told if in_time(m.statement, plan.time) == 1.0] or told
    if any(m.offers for m in told):
        told = [m for m in told if m.offers]
    good = [m for m in told if m.fit >= _best_fit(told) - 2 * CLOSE]
    good.sort(key=lambda m: _place_in_time(m, plan))
    chosen = good[0] if plan.form == "first" else good[-1]
    time = when_of(chosen.statement, plan)
    if plan.want == "time":
        return made(plan, _with_others(chosen, relevant), short=None if time is None else time_text(time), time=time)
    return made(plan, _with_others(chosen, relevant), offer_of(chosen.statement, plan), time=time)


def _place_in_time(found: Match, plan: Plan) -> tuple[datetime, datetime, bool, float]:
    """Where a match stands in a row by time: within a turn what is said of now comes last, and of equals the best at the end asked for."""
    now = bool(found.statement.stems & stem_set("asking", "now"))
    return (
        moment_of(found.statement, plan),
        found.statement.said_at,
        now,
        -found.fit if plan.form == "first" else found.fit,
    )


def _latest(plan: Plan, relevant: Relevant) -> Choice | None:
    within = _in_time(plan, relevant)
    if not within:
        return None
    chosen = _latest_of_best([m for m in within if m.offers] or within, behind=10.0)
    offer = offer_of(chosen.statement, plan)
    if offer is None:
        return quoted_turn(plan, _with_others(chosen, relevant))
    return made(plan, _with_others(chosen, relevant), offer, time=plan.time)


def _at_time(plan: Plan, relevant: Relevant, statements: Sequence[Statement]) -> Choice | None:
    """What was so at a time: told of that time if there is such a statement, else what was said last before."""
    if plan.time is None:
        return _while(plan, relevant, statements)
    inside = [m for m in relevant if in_time(m.statement, plan.time) == 1.0]
    if not inside or _best_fit(inside) < _best_fit(relevant) - 2 * CLOSE:
        return _latest(plan, relevant)
    chosen = max(inside, key=lambda m: m.score)
    if plan.want == "yes_no":
        return _yes_or_no(plan, chosen, relevant)
    return made(plan, _with_others(chosen, relevant), offer_of(chosen.statement, plan), time=plan.time)


def _while(plan: Plan, relevant: Relevant, statements: Sequence[Statement]) -> Choice:
    """What was so while something else was: said within a month of it, else as it comes."""
    anchor = anchor_statement(plan, statements)
    if anchor is None:
        return _best(plan, relevant)
    at = moment_of(anchor)
    near = [m for m in relevant if abs(moment_of(m.statement, plan) - at).days <= 31 and m.statement != anchor]
    return _best(plan, near or relevant)


def _how_long(plan: Plan, relevant: Relevant, rated: Relevant) -> Choice | None:
    """A length that was told, else the time from where something is said to begin to where the same is said to be over."""
    if any(m.offers for m in relevant):
        return _best(plan, relevant)
    named = [term for term in plan.terms if term.kind != "word"]
    told = [
        m
        for m in rated
        if m.said_as == "stated"
        and m.subject >= 0.5
        and m.coverage >= ENOUGH
        and all(covers(m.statement, term) >= IN_TURN for term in named)
    ]
    begun = [m for m in told if m.statement.stems & stem_set("starting")]
    over = [m for m in told if m.statement.stems & stem_set("over")]
    if not begun or not over:
        return _best(plan, relevant)
    first = min(begun, key=lambda m: moment_of(m.statement, plan))
    last = max(over, key=lambda m: moment_of(m.statement, plan))
    start, end = moment_of(first.statement, plan), moment_of(last.statement, plan)
    if end <= start:
        return _best(plan, relevant)
    short = f"{span_text((end - start).days)} (from {day_text(start)} to {day_text(end)})"
    return made(plan, [first, last], short=short, quoted=2)


def _who_else(plan: Plan, relevant: Relevant) -> Choice | None:
    """Everybody else of whom all is told that the question has."""
    found: dict[str, Match] = {}
    for each in relevant:
        if each.said_as != "stated" or any(
            covers(each.statement, term) < LEANS for term in plan.terms if not term.aside
        ):
            continue
        for person in sorted(others_of(each.statement, plan)):
            found.setdefault(person, each)
    if not found:
        return None
    names = [_as_written(name, each.statement) for name, each in found.items()]
    matches = list({id(each): each for each in found.values()}.values())
    return made(plan, matches[:3], short=listed(names), quoted=min(3, len(matches)))


def _changed(plan: Plan, relevant: Relevant) -> Choice:
    """The latest of what was said of it, and the first, for comparison."""
    covered = max(m.coverage for m in relevant)
    told = [
        m
        for m in relevant
        if (m.said_as in ("stated", "denied") or m.statement.accepted)
        and m.coverage >= covered - AS_WELL
        and all(covers(m.statement, t) >= IN_TURN for t in plan.terms if not t.aside)
    ]
    good = [m for m in told if m.fit >= _best_fit(told) - 3 * CLOSE]
    good = sorted(good or relevant[:1], key=lambda m: (m.statement.said_at, m.statement.start))
    shown = (good[-1], good[0]) if len(good) > 1 else (good[-1],)
    return made(plan, shown, quoted=2)


def _beside_anchor(plan: Plan, relevant: Relevant, statements: Sequence[Statement]) -> Choice | None:
    """What was so last before, or first after, the event that the question names."""
    if plan.anchor is None:
        return _before_last(plan, relevant)
    at = anchor_moment(plan, statements)
    if at is None:
        whole = replace(plan, terms=(*plan.terms, *plan.anchor.terms), anchor=None)
        rated = sorted((m for s in statements if is_relevant(m := rate(s, whole), whole)), key=lambda m: -m.score)
        return _best(plan, rated) if rated else None
    before = plan.form == "before_event"
    if before and plan.want == "thing" and (gone := given_up(plan, statements)) is not None:
        return gone
    if (coded := _code_beside(plan, statements, before)) is not None:
        return coded
    anchor_stems = {each for term in plan.anchor.terms for each in term.stems}
    side = [
        m for m in relevant if (moment_of(m.statement, plan) < at) == before and not anchor_stems <= m.statement.stems
    ]
    side = [m for m in side if m.offers] or ([] if plan.want in TYPED else side)
    if not side:
        return None
    good = [m for m in side if m.fit >= _best_fit(side) - 2 * CLOSE]
    good.sort(key=lambda m: moment_of(m.statement, plan))
    chosen = good[-1] if before else good[0]
    offer = offer_of(chosen.statement, plan)
    if offer is None:
        return quoted_turn(plan, _with_others(chosen, relevant))
    return made(plan, _with_others(chosen, relevant), offer)


def _code_beside(plan: Plan, statements: Sequence[Statement], before: bool) -> Choice | None:
    """The code told before or after the one that the question names, of codes of the same kind in the order of their telling."""
    if plan.anchor is None or plan.asked is None or stem(plan.asked) not in stem_set("coded"):
        return None
    named = {each for term in plan.anchor.terms if term.kind == "number" for each in term.stems}
    version = any(is_version(each) for each in named)
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
    latest = set(stems_of(offers[-1][1].text)) if offers else set()
    earlier = [(m, offer) for m, offer in offers if not set(stems_of(offer.text)) & latest]
    return made(plan, [earlier[-1][0]], earlier[-1][1]) if earlier else None


def _dated_before(plan: Plan, relevant: Relevant) -> Choice | None:
    """The date that was told before another one was: of what was put off, when it should have been."""
    dated = sorted((m for m in relevant if m.fit >= _best_fit(relevant) - 3 * CLOSE), key=lambda m: m.statement.said_at)
    times = [(m, time) for m in dated if (time := when_of(m.statement, plan)) is not None]
    earlier = [(m, time) for m, time in times if time.start != times[-1][1].start]
    if not earlier:
        return None
    chosen, time = earlier[-1]
    return made(plan, _with_others(chosen, relevant), short=time_text(time), time=time)


# Between equals ----------------------------------------------------------------------------------------------------------------------


def _in_time(plan: Plan, matches: Relevant) -> list[Match]:
    """Those that were said, or speak of a time, up to the end of the plan's time filter."""
    if plan.time is None:
        return list(matches)
    end = plan.time.end
    return [m for m in matches if end is None or min(m.statement.said_at, moment_of(m.statement, plan)) < end]


def _latest_of_best(matches: Relevant, margin: float = CLOSE, behind: float = RECENT) -> Match:
    """Of the matches that are about as good as the best, the one said last: what is said later corrects what was said before."""
    top = max(m.score for m in matches)
    good = [m for m in matches if m.fit >= _best_fit(matches) - margin and m.score >= top - behind]
    good = good or [m for m in matches if m.score == top]
    return max(good, key=lambda m: (m.statement.said_at, m.score))


def _best_fit(matches: Relevant) -> float:
    return max(m.fit for m in matches)


def _with_others(chosen: Match, relevant: Relevant) -> tuple[Match, ...]:
    """The chosen match, then up to two of the next best from other turns."""
    found = [chosen]
    for each in relevant:
        if len(found) == 3 or each.fit < chosen.fit - 0.2:
            break
        if each.statement.hit.id not in {m.statement.hit.id for m in found}:
            found.append(each)
    return tuple(found)


def _as_written(name: str, statement: Statement) -> str:
    if name == normalise_name(statement.hit.speaker):
        return statement.hit.speaker
    at = statement.text.casefold().find(name)
    return statement.text[at : at + len(name)] if at >= 0 else name.title()
