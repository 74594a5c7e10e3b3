"""From statements to the ones that answer: one rule a question form, and an honest test of relevance before any of them. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from graphmem.answer.choice import Choice
from graphmem.answer.compose import citation_of, day_text, listed, time_text
from graphmem.answer.match import IN_TURN, LEANS, Match, about, covers, in_time, match
from graphmem.answer.offers import Offer, object_of, offer_of
from graphmem.answer.plan import Plan
from graphmem.answer.relevance import ENOUGH, TYPED, is_relevant, moment_of, rate, relevant_of, when_of
from graphmem.answer.statements import Statement
from graphmem.answer.words import stem, stem_set, stems_of
from graphmem.ids import normalise_name
from graphmem.records import Interval

CLOSE = 0.08
"""Fits this near to the best count as equally good; time decides between them."""

RECENT = 0.1
"""How far behind the best score, search included, a later statement may be and still be preferred."""


def choose(plan: Plan, statements: Sequence[Statement], asked_at: datetime) -> Choice | None:
    """The statements that answer the plan, or None where none is relevant."""
    rated = [rate(statement, plan) for statement in statements]
    relevant = relevant_of(rated, plan)
    if not relevant:
        return None
    by_form = {
        "when": _when, "first": _ordered, "last": _ordered, "current": _latest, "at_time": _at_time, "how_many": _best, "how_long": _best,
        "who_else": _who_else, "changed": _changed, "before_event": _beside_anchor, "after_event": _beside_anchor,
    }  # fmt: skip
    chosen = by_form.get(plan.form, _best)(plan, relevant, statements, asked_at)
    return None if chosen is None else corrected(plan, chosen, statements)


def anchor_moment(plan: Plan, statements: Sequence[Statement]) -> datetime | None:
    """When the event after "before" or "after" happened, as the statement that tells of it best says."""
    found = _anchor_statement(plan, statements)
    return None if found is None else moment_of(found)


def _anchor_statement(plan: Plan, statements: Sequence[Statement]) -> Statement | None:
    if plan.anchor is None:
        return None
    found = [match(each, plan, plan.anchor.terms) for each in statements]
    found = [
        m for m in found if not any(t.kind != "word" for t in m.missing) and m.coverage >= ENOUGH and m.statement.stated
    ]
    return max(found, key=lambda m: m.score).statement if found else None


# Forms ------------------------------------------------------------------------------------------------------------------------------


def _best(plan: Plan, relevant: Sequence[Match], statements: Sequence[Statement], asked_at: datetime) -> Choice:
    within = _in_time(plan, relevant) or relevant
    coded = plan.asked is not None and stem(plan.asked) in stem_set("coded")
    offering = [m for m in within if m.offers] if plan.want in TYPED or coded else []
    chosen = _latest_of_best(offering or within)
    offer = offer_of(chosen.statement, plan)
    return _made(plan, _with_others(chosen, relevant), offer)


def _when(plan: Plan, relevant: Sequence[Match], statements: Sequence[Statement], asked_at: datetime) -> Choice:
    dated = [
        m for m in relevant if when_of(m.statement, plan) is not None and m.statement.stated and not m.statement.negated
    ]
    chosen = _latest_of_best(dated or relevant)
    time = when_of(chosen.statement, plan)
    return _made(plan, _with_others(chosen, relevant), short=None if time is None else time_text(time), time=time)


def _ordered(plan: Plan, relevant: Sequence[Match], statements: Sequence[Statement], asked_at: datetime) -> Choice:
    happened = [
        m
        for m in relevant
        if m.statement.stated
        and not m.statement.negated
        and not m.statement.planned
        and moment_of(m.statement, plan) <= asked_at
    ]
    good = [m for m in happened or relevant if m.fit >= _best_fit(happened or relevant) - 2 * CLOSE]
    good.sort(key=lambda m: (moment_of(m.statement, plan), m.statement.said_at))
    chosen = good[0] if plan.form == "first" else good[-1]
    time = when_of(chosen.statement, plan)
    if plan.want == "time":
        return _made(plan, _with_others(chosen, relevant), short=None if time is None else time_text(time), time=time)
    return _made(plan, _with_others(chosen, relevant), offer_of(chosen.statement, plan), time=time)


def _latest(
    plan: Plan, relevant: Sequence[Match], statements: Sequence[Statement], asked_at: datetime
) -> Choice | None:
    within = _in_time(plan, relevant)
    if not within:
        return None
    offering = [m for m in within if m.offers and m.statement.stated and not m.statement.negated] or list(within)
    chosen = _latest_of_best(offering, behind=10.0)
    offer = offer_of(chosen.statement, plan)
    return _made(plan, _with_others(chosen, relevant), offer, time=plan.time)


def _at_time(
    plan: Plan, relevant: Sequence[Match], statements: Sequence[Statement], asked_at: datetime
) -> Choice | None:
    """What was so at a time: told of that time if there is such a statement, else what was said last before."""
    if plan.time is None:
        return _while(plan, relevant, statements, asked_at)
    inside = [m for m in relevant if in_time(m.statement, plan.time) == 1.0]
    if inside and max(m.fit for m in inside) >= _best_fit(relevant) - 2 * CLOSE:
        chosen = max(inside, key=lambda m: m.score)
        return _made(plan, _with_others(chosen, relevant), offer_of(chosen.statement, plan), time=plan.time)
    return _latest(plan, relevant, statements, asked_at)


def _while(plan: Plan, relevant: Sequence[Match], statements: Sequence[Statement], asked_at: datetime) -> Choice | None:
    """What was so while something else was: said within a month of it, else as it comes."""
    anchor = _anchor_statement(plan, statements)
    if anchor is None or plan.anchor is None:
        return _best(plan, relevant, statements, asked_at)
    at = moment_of(anchor)
    near = [m for m in relevant if abs(moment_of(m.statement, plan) - at).days <= 31 and m.statement != anchor]
    return _best(plan, near or relevant, statements, asked_at)


def _who_else(
    plan: Plan, relevant: Sequence[Match], statements: Sequence[Statement], asked_at: datetime
) -> Choice | None:
    excluded = {normalise_name(term.text) for term in plan.excluded}
    found: dict[str, Match] = {}
    for each in relevant:
        if not each.statement.stated or each.statement.negated:
            continue
        people = each.statement.subjects or {normalise_name(each.statement.hit.speaker)}
        for person in sorted(people - excluded):
            if person in each.statement.about and all(
                covers(each.statement, t) >= LEANS for t in plan.terms if not t.aside
            ):
                found.setdefault(person, each)
    if not found:
        return None
    names = [_as_written(name, each.statement) for name, each in found.items()]
    matches = list({id(each): each for each in found.values()}.values())
    return _made(plan, matches[:3], short=listed(names), quoted=min(3, len(matches)))


def _changed(plan: Plan, relevant: Sequence[Match], statements: Sequence[Statement], asked_at: datetime) -> Choice:
    told = [
        m
        for m in relevant
        if m.statement.stated and all(covers(m.statement, t) >= IN_TURN for t in plan.terms if not t.aside)
    ]
    good = [m for m in told if m.fit >= _best_fit(told) - 3 * CLOSE]
    good = sorted(good or relevant[:1], key=lambda m: m.statement.said_at)
    shown = (good[-1], good[0]) if len(good) > 1 else (good[-1],)
    return _made(plan, shown, quoted=2)


def _beside_anchor(
    plan: Plan, relevant: Sequence[Match], statements: Sequence[Statement], asked_at: datetime
) -> Choice | None:
    if plan.anchor is None:
        return _before_last(plan, relevant)
    at = anchor_moment(plan, statements)
    if at is None:
        whole = replace(plan, terms=(*plan.terms, *plan.anchor.terms), anchor=None)
        rated = sorted((m for s in statements if is_relevant(m := rate(s, whole), whole)), key=lambda m: -m.score)
        return _best(plan, rated, statements, asked_at) if rated else None
    before = plan.form == "before_event"
    anchor_stems = {each for term in plan.anchor.terms for each in term.stems}
    side = [
        m for m in relevant if (moment_of(m.statement, plan) < at) == before and not anchor_stems <= m.statement.stems
    ]
    side = [m for m in side if m.offers] or ([] if plan.want in TYPED else side)
    if before and plan.asked is not None:
        given_up = _given_up(plan, statements)
        if given_up is not None:
            return given_up
    if not side:
        return None
    good = [m for m in side if m.fit >= _best_fit(side) - 2 * CLOSE]
    good.sort(key=lambda m: moment_of(m.statement, plan))
    chosen = good[-1] if before else good[0]
    return _made(plan, _with_others(chosen, relevant), offer_of(chosen.statement, plan))


def _same_thing(one: str, other: str) -> bool:
    return bool((set(stems_of(one)) & set(stems_of(other))) - stem_set("function_words"))


def _before_last(plan: Plan, relevant: Sequence[Match]) -> Choice | None:
    """ "Where did she work before?": the value before the latest, where two are told."""
    told = sorted((m for m in relevant if m.offers and m.statement.stated), key=lambda m: moment_of(m.statement, plan))
    offers = [(m, offer_of(m.statement, plan)) for m in told]
    latest = offers[-1][1] if offers else None
    earlier = [
        (m, o)
        for m, o in offers
        if o is not None and latest is not None and not set(stems_of(o.text)) & set(stems_of(latest.text))
    ]
    return _made(plan, [earlier[-1][0]], earlier[-1][1]) if earlier else None


def _given_up(plan: Plan, statements: Sequence[Statement]) -> Choice | None:
    """What somebody had before something new: what they say, in the same sitting, that they sold or replaced."""
    anchor = _anchor_statement(plan, statements)
    if anchor is None:
        return None
    for each in statements:
        if each == anchor or each.hit.session_id != anchor.hit.session_id or not each.stated or each.negated:
            continue
        if each.stems & stem_set("disposing") and about(each, plan.subjects) >= 0.9:
            offer = object_of(each, stem_set("disposing"))
            if offer is not None and plan.anchor is not None and not _same_thing(offer.text, plan.anchor.text):
                others = [match(anchor, plan)] if anchor != each else []
                return _made(plan, [match(each, plan), *others], offer)
    return None


def _made(
    plan: Plan,
    matches: Sequence[Match],
    offer: Offer | None = None,
    short: str | None = None,
    time: Interval | None = None,
    quoted: int = 1,
) -> Choice:
    cited = tuple(
        citation_of(m.statement, offer.end if offer is not None and i == 0 else None) for i, m in enumerate(matches)
    )
    return Choice(plan.form, short if offer is None else offer.text, cited, time, quoted=quoted)


def corrected(plan: Plan, chosen: Choice, statements: Sequence[Statement]) -> Choice:
    """The choice, or what it was corrected to: a later turn that takes the same value back and offers another of the kind."""
    if (
        plan.form in ("at_time", "first", "before_event", "who_else", "changed")
        or chosen.short is None
        or not chosen.citations
    ):
        return chosen
    said = chosen.citations[0]
    value = {each for each in stems_of(chosen.short) if each not in stem_set("function_words")}
    if not value:
        return chosen
    for statement in sorted(statements, key=lambda s: s.said_at, reverse=True):
        if statement.said_at < said.said_at or (
            statement.hit.turn_id == said.turn_id and statement.start <= said.start
        ):
            break
        if not value <= statement.turn_stems or not (statement.turn_stems & stem_set("correcting")):
            continue
        if plan.subjects and match(statement, plan).subject < 0.5:
            continue
        offer = offer_of(statement, plan)
        if offer is None or set(stems_of(offer.text)) & value == value or not statement.stated or statement.negated:
            continue
        note = f"Corrected from {chosen.short}, said on {day_text(said.said_at)}."
        cited = citation_of(statement, offer.end)
        return replace(chosen, short=offer.text, citations=(cited, *chosen.citations), notes=(*chosen.notes, note))
    return chosen


# Between equals ----------------------------------------------------------------------------------------------------------------------


def _in_time(plan: Plan, matches: Sequence[Match]) -> list[Match]:
    """Those that were said, or speak of a time, up to the end of the plan's time filter."""
    if plan.time is None:
        return list(matches)
    end = plan.time.end
    return [m for m in matches if end is None or min(m.statement.said_at, moment_of(m.statement, plan)) < end]


def _latest_of_best(matches: Sequence[Match], margin: float = CLOSE, behind: float = RECENT) -> Match:
    """Of the matches that are about as good as the best, the one said last: what is said later corrects what was said before."""
    top = max(m.score for m in matches)
    good = [m for m in matches if m.fit >= _best_fit(matches) - margin and m.score >= top - behind]
    good = good or [m for m in matches if m.score == top]
    return max(good, key=lambda m: (m.statement.said_at, m.score))


def _best_fit(matches: Sequence[Match]) -> float:
    return max(m.fit for m in matches)


def _with_others(chosen: Match, relevant: Sequence[Match]) -> tuple[Match, ...]:
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
