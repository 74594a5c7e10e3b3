"""From statements to the ones that answer: one rule a question form, and an honest test of relevance before any of them. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from graphmem.answer.choice import Choice
from graphmem.answer.compose import citation_of, time_text
from graphmem.answer.match import Match, match
from graphmem.answer.offers import Offer, offer_of
from graphmem.answer.plan import Plan
from graphmem.answer.statements import Statement
from graphmem.ids import normalise_name
from graphmem.records import Interval

ENOUGH = 0.62
"""Share of the question's terms that the evidence has to cover. Chosen on the open questions of the stories and on LoCoMo 1 to 5."""
CLOSE = 0.08
"""Scores this near to the best count as equally good; time decides between them."""


def choose(plan: Plan, statements: Sequence[Statement], asked_at: datetime) -> Choice | None:
    """The statements that answer the plan, or None where none is relevant."""
    rated = [rate(statement, plan) for statement in statements]
    relevant = sorted((m for m in rated if is_relevant(m, plan)), key=lambda m: -m.score)
    if not relevant:
        return None
    by_form = {
        "when": _when, "first": _ordered, "last": _ordered, "current": _latest, "at_time": _latest, "how_many": _best, "how_long": _best,
        "who_else": _who_else, "changed": _changed, "before_event": _beside_anchor, "after_event": _beside_anchor,
    }  # fmt: skip
    return by_form.get(plan.form, _best)(plan, relevant, statements, asked_at)


def rate(statement: Statement, plan: Plan) -> Match:
    """The match of a statement, counting whether it offers what is wanted."""
    offers = when_of(statement) is not None if plan.want == "time" else offer_of(statement, plan) is not None
    return match(statement, plan, offers=offers)


def is_relevant(found: Match, plan: Plan) -> bool:
    """The test that an answer's evidence has to pass: about the right one, every name and number covered, most of the words too."""
    if plan.subjects and found.subject < 0.5:
        return False
    if any(term.kind in ("name", "number") for term in found.missing):
        return False
    if not plan.terms:
        return found.subject >= 0.9
    return found.coverage >= ENOUGH


def when_of(statement: Statement) -> Interval | None:
    """The time that a statement speaks of: the first of its expressions that has a place, the finest first."""
    placed = [e for e in statement.times if e.interval is not None and e.interval.start is not None]
    return placed[0].interval if placed else None


def moment_of(statement: Statement) -> datetime:
    """Where a statement stands in time: what it speaks of, else when it was said."""
    interval = when_of(statement)
    return interval.start if interval is not None and interval.start is not None else statement.said_at


def anchor_moment(plan: Plan, statements: Sequence[Statement]) -> datetime | None:
    """When the event after "before" or "after" happened, as the statement that tells of it best says."""
    if plan.anchor is None:
        return None
    found = [match(each, plan, plan.anchor.terms) for each in statements]
    found = [
        m for m in found if not any(t.kind != "word" for t in m.missing) and m.coverage >= ENOUGH and m.statement.stated
    ]
    return moment_of(max(found, key=lambda m: m.score).statement) if found else None


# Forms ------------------------------------------------------------------------------------------------------------------------------


def _best(plan: Plan, relevant: Sequence[Match], statements: Sequence[Statement], asked_at: datetime) -> Choice:
    chosen = _latest_of_best(_in_time(plan, relevant) or relevant)
    offer = offer_of(chosen.statement, plan)
    return _made(plan, _with_others(chosen, relevant), offer)


def _when(plan: Plan, relevant: Sequence[Match], statements: Sequence[Statement], asked_at: datetime) -> Choice:
    dated = [m for m in relevant if when_of(m.statement) is not None and m.statement.stated and not m.statement.negated]
    chosen = _latest_of_best(dated or relevant)
    time = when_of(chosen.statement)
    return _made(plan, _with_others(chosen, relevant), short=None if time is None else time_text(time), time=time)


def _ordered(plan: Plan, relevant: Sequence[Match], statements: Sequence[Statement], asked_at: datetime) -> Choice:
    happened = [
        m
        for m in relevant
        if m.statement.stated
        and not m.statement.negated
        and not m.statement.planned
        and moment_of(m.statement) <= asked_at
    ]
    good = [m for m in happened or relevant if m.score >= (happened or relevant)[0].score - 2 * CLOSE]
    good.sort(key=lambda m: (moment_of(m.statement), m.statement.said_at))
    chosen = good[0] if plan.form == "first" else good[-1]
    time = when_of(chosen.statement)
    if plan.want == "time":
        return _made(plan, _with_others(chosen, relevant), short=None if time is None else time_text(time), time=time)
    return _made(plan, _with_others(chosen, relevant), offer_of(chosen.statement, plan), time=time)


def _latest(plan: Plan, relevant: Sequence[Match], statements: Sequence[Statement], asked_at: datetime) -> Choice:
    within = _in_time(plan, relevant) or relevant
    offering = [m for m in within if m.offers and m.statement.stated and not m.statement.negated] or list(within)
    chosen = _latest_of_best(offering, margin=2 * CLOSE)
    offer = offer_of(chosen.statement, plan)
    return _made(plan, _with_others(chosen, relevant), offer, time=plan.time)


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
            if person in each.statement.about:
                found.setdefault(person, each)
    if not found:
        return None
    names = [_as_written(name, each.statement) for name, each in found.items()]
    matches = list({id(each): each for each in found.values()}.values())
    return _made(plan, matches[:3], short=_listed(names), quoted=min(3, len(matches)))


def _changed(plan: Plan, relevant: Sequence[Match], statements: Sequence[Statement], asked_at: datetime) -> Choice:
    good = [m for m in relevant if m.score >= relevant[0].score - 3 * CLOSE and m.statement.stated]
    good = sorted(good or relevant[:1], key=lambda m: m.statement.said_at)
    shown = (good[-1], good[0]) if len(good) > 1 else (good[-1],)
    return _made(plan, shown, quoted=2)


def _beside_anchor(
    plan: Plan, relevant: Sequence[Match], statements: Sequence[Statement], asked_at: datetime
) -> Choice:
    if plan.anchor is None:
        return _latest(plan, relevant, statements, asked_at)
    anchored = [match(s, plan, plan.anchor.terms) for s in statements]
    anchored = [
        m
        for m in anchored
        if not any(t.kind != "word" for t in m.missing) and m.coverage >= ENOUGH and m.statement.stated
    ]
    if not anchored:
        return _latest(plan, relevant, statements, asked_at)
    at = moment_of(max(anchored, key=lambda m: m.score).statement)
    before = plan.form == "before_event"
    anchor_stems = {each for term in plan.anchor.terms for each in term.stems}
    side = [
        m
        for m in relevant
        if ((moment_of(m.statement) < at) if before else (moment_of(m.statement) >= at))
        and not (anchor_stems <= m.statement.stems)
    ]
    if not side:
        return _latest(plan, relevant, statements, asked_at)
    good = [m for m in side if m.score >= side[0].score - 2 * CLOSE]
    good.sort(key=lambda m: moment_of(m.statement))
    chosen = good[-1] if before else good[0]
    offer = offer_of(chosen.statement, plan)
    return _made(plan, _with_others(chosen, relevant), offer)


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


# Between equals ----------------------------------------------------------------------------------------------------------------------


def _in_time(plan: Plan, matches: Sequence[Match]) -> list[Match]:
    """Those that were said, or speak of a time, up to the end of the plan's time filter."""
    if plan.time is None:
        return list(matches)
    end = plan.time.end
    return [m for m in matches if end is None or min(m.statement.said_at, moment_of(m.statement)) < end]


def _latest_of_best(matches: Sequence[Match], margin: float = CLOSE) -> Match:
    """Of the matches that are about as good as the best, the one said last: what is said later corrects what was said before."""
    best = max(m.score for m in matches)
    good = [m for m in matches if m.score >= best - margin]
    return max(good, key=lambda m: (m.statement.said_at, m.score))


def _with_others(chosen: Match, relevant: Sequence[Match]) -> tuple[Match, ...]:
    """The chosen match, then up to two of the next best from other turns."""
    found = [chosen]
    for each in relevant:
        if len(found) == 3 or each.score < chosen.score - 0.2:
            break
        if each.statement.hit.id not in {m.statement.hit.id for m in found}:
            found.append(each)
    return tuple(found)


def _as_written(name: str, statement: Statement) -> str:
    if name == normalise_name(statement.hit.speaker):
        return statement.hit.speaker
    at = statement.text.casefold().find(name)
    return statement.text[at : at + len(name)] if at >= 0 else name.title()


def _listed(names: Sequence[str]) -> str:
    unique = list(dict.fromkeys(names))
    return unique[0] if len(unique) == 1 else ", ".join(unique[:-1]) + " and " + unique[-1]
