"""From statements to the ones that answer: one rule a question form. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from graphmem.answer.anchors import anchor_statement
from graphmem.answer.asking import BECAME_OF
from graphmem.answer.beside import beside_anchor, told_together, value_beside
from graphmem.answer.best import (
    AS_WELL,
    CLOSE,
    EVER,
    NEW,
    Relevant,
    best,
    best_fit,
    latest_of_best,
    up_to_its_end,
    with_others,
)
from graphmem.answer.choice import Choice
from graphmem.answer.compose import citation_of, day_text, listed, span_text
from graphmem.answer.corrections import came_to_nothing, corrected, rescheduled
from graphmem.answer.in_touch import in_touch
from graphmem.answer.match import CARRIED, IN_TURN, LEANS, Match, covers, in_time
from graphmem.answer.offers import offer_of
from graphmem.answer.plan import Plan
from graphmem.answer.quoting import NEAREST_NOTE, made, quoted_turn, timed
from graphmem.answer.reasons import with_reason
from graphmem.answer.relevance import ENOUGH, TYPED, does, likely_of, others_of, rate, relevant_of
from graphmem.answer.statements import Statement
from graphmem.answer.told_times import moment_of, when_of
from graphmem.answer.words import numbers_in, stem_set, stems_of
from graphmem.answer.yes_no import yes_or_no, yes_or_no_of
from graphmem.ids import normalise_name

NEAR_ENOUGH = 0.6
"""How far behind the best score what stands first or last in time may be."""
HAPPENED = 0.12
"""How much worse than a plan a report may fit and still say when something was."""
MONTH = 31
"""Days within which what is told beside an event was so at the time of it."""


def choose(plan: Plan, statements: Sequence[Statement], asked_at: datetime) -> Choice | None:
    """The statements that answer the plan, or None where none is relevant."""
    if _asks_nothing(plan):
        return None
    rated = [rate(statement, plan) for statement in statements]
    relevant = relevant_of(rated, plan)
    if not relevant:
        if (told := value_beside(plan, rated, statements)) is not None:
            return told
        if (in_talk := in_touch(plan, statements)) is not None:
            return in_talk
        likely = likely_of(rated, plan)
        return _nearest(plan, likely, rated, statements, asked_at) if likely else _unmeasured(plan, statements)
    chosen = _ruled(plan, relevant, rated, statements, asked_at) or in_touch(plan, statements)
    if chosen is None and plan.form == "who_else":
        others = [m for m in relevant if m.said_as == "stated" and _others(m, plan)]
        if near := likely_of(rated, plan) or others:
            return _nearest(plan, near, rated, statements, asked_at)
    if chosen is None and (plan.anchor is not None or plan.form == "before_event") and plan.form != "who_else":
        return _nearest(plan, relevant, rated, statements, asked_at)
    if chosen is not None and plan.want == "reason":
        chosen = with_reason(plan, chosen, statements)
    return None if chosen is None else corrected(plan, chosen, statements)


def _asks_nothing(plan: Plan) -> bool:
    """Whether there is nothing to look for: a greeting, or numbers alone."""
    if plan.subjects or plan.time is not None or plan.anchor is not None:
        return False
    return all(term.kind == "number" or set(term.stems) <= stem_set("greeting") for term in plan.terms)


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
        "before_event": lambda: beside_anchor(plan, relevant, rated, statements),
        "after_event": lambda: beside_anchor(plan, relevant, rated, statements),
    }
    if plan.want == "yes_no" and plan.form in ("attribute", "current", "search"):
        return yes_or_no_of(plan, up_to_its_end(plan, relevant) or list(relevant), relevant)
    return rules.get(plan.form, lambda: best(plan, relevant))()


def _nearest(
    plan: Plan, likely: Relevant, rated: Relevant, statements: Sequence[Statement], asked_at: datetime
) -> Choice:
    """What comes nearest where nothing has the words of the question: said to be no more than that, with the next best beside it."""
    chosen = _ruled(plan, likely, rated, statements, asked_at) or _quoted(plan, likely)
    if plan.want not in ("time", *TYPED) and chosen.short is not None:
        first = {(each.turn_id, each.start) for each in chosen.citations[:1]}
        best = next((m for m in likely if (m.statement.hit.turn_id, m.statement.start) in first), likely[0])
        chosen = quoted_turn(plan, with_others(best, likely))
    if plan.form == "who_else" and chosen.short is None:
        chosen = replace(
            chosen,
            short=listed([_as_written(name, likely[0].statement) for name in _others(likely[0], plan)]),
        )
    beside = [m for m in likely if m.statement.hit.turn_id not in {each.turn_id for each in chosen.citations}]
    cited = (*chosen.citations, *(citation_of(m.statement) for m in beside))[:3]
    return replace(chosen, citations=cited, quoted=2, notes=(*chosen.notes, NEAREST_NOTE))


def _unmeasured(plan: Plan, statements: Sequence[Statement]) -> Choice | None:
    """What is told of that of which nobody said how many or how long: all that the question names, without a number."""
    if plan.want != "count" or plan.anchor is not None:
        return None
    free = replace(plan, want="thing", asked=None, form="attribute")
    told = [m for m in relevant_of([rate(each, free) for each in statements], free) if m.own and not m.missing]
    if not told:
        return None
    return replace(quoted_turn(plan, with_others(told[0], told)), quoted=2, notes=(NEAREST_NOTE,))


def _quoted(plan: Plan, likely: Relevant) -> Choice:
    """The likeliest in its own words, with the time it speaks of where a time is wanted."""
    time = when_of(likely[0].statement, plan) if plan.want == "time" else None
    if time is None:
        return quoted_turn(plan, with_others(likely[0], likely))
    return timed(plan, with_others(likely[0], likely), time)


# Forms ------------------------------------------------------------------------------------------------------------------------------


def _when(plan: Plan, relevant: Relevant, rated: Relevant) -> Choice | None:
    dated = [m for m in relevant if when_of(m.statement, plan) is not None]
    if not dated:
        return _when_told(plan, relevant)
    if not any(does(m, plan) for m in dated) and any(
        m.own and m.said_as == "stated" and does(m, plan) for m in relevant
    ):
        return _when_told(plan, [m for m in relevant if does(m, plan)])  # the time of something else is not its own
    if plan.past:
        happened = [m for m in dated if m.said_as == "stated" and m.fit >= best_fit(dated) - HAPPENED]
        dated = happened or dated
    chosen = rescheduled(plan, latest_of_best(dated), dated)
    time = when_of(chosen.statement, plan)
    if plan.past and chosen.said_as == "planned":
        if came_to_nothing(plan, chosen, rated):
            return None
        found = timed(plan, with_others(chosen, relevant), time)
        return replace(found, notes=("This was planned; whether it came about is not said.",))
    return timed(plan, with_others(chosen, relevant), time)


def _when_told(plan: Plan, relevant: Relevant) -> Choice:
    """Nobody named the time: what happened had happened when it was told."""
    chosen = latest_of_best(relevant)
    quoted = quoted_turn(plan, with_others(chosen, relevant))
    if not plan.past or chosen.said_as != "stated":
        return quoted
    note = "When exactly was not said; this is when it was told."
    return replace(quoted, short=f"by {day_text(chosen.statement.said_at)}", notes=(note,))


def _became_of(plan: Plan, relevant: Relevant, asked_at: datetime) -> Choice | None:
    """The last that is told to have happened to something, however far behind in rank."""
    happened = [
        m
        for m in relevant
        if m.own
        and m.said_as == "stated"
        and moment_of(m.statement, plan) <= asked_at
        and any(each.tense in ("past", "perfect") and each.verb not in _STATES for each in m.statement.clauses)
    ]
    top = max((m.coverage for m in happened), default=0.0)
    happened = [m for m in happened if m.coverage >= top - AS_WELL]
    if not happened:
        return None
    chosen = max(happened, key=lambda m: (m.statement.said_at, m.fit))
    return quoted_turn(plan, with_others(chosen, relevant))


_STATES = frozenset({"be", "have", "do", "think", "know", "want", "like", "love", "need", "mean", "say", "tell"})
"""Verbs that tell of no happening."""


def _ordered(plan: Plan, relevant: Relevant, asked_at: datetime) -> Choice:
    if BECAME_OF.search(plan.question) is not None and (became := _became_of(plan, relevant, asked_at)) is not None:
        return became
    happened = [m for m in relevant if m.said_as == "stated" and moment_of(m.statement, plan) <= asked_at]
    told = happened or list(relevant)
    if plan.time is not None:
        told = [m for m in told if in_time(m.statement, plan.time) == 1.0] or told
    if any(m.offers for m in told) and (plan.want != "thing" or plan.asked is not None):
        told = [m for m in told if m.offers]
    told = [m for m in told if does(m, plan)] or told
    top = max(m.score for m in told)
    good = [m for m in told if m.fit >= best_fit(told) - 2 * CLOSE and m.score >= top - NEAR_ENOUGH]
    good = good or [m for m in told if m.score == top]
    good.sort(key=lambda m: _place_in_time(m, plan))
    chosen = good[0] if plan.form == "first" else good[-1]
    time = when_of(chosen.statement, plan)
    if plan.want == "time":
        return timed(plan, with_others(chosen, relevant), time)
    return made(plan, with_others(chosen, relevant), offer_of(chosen.statement, plan), time=time)


def _place_in_time(found: Match, plan: Plan) -> tuple[datetime, bool, float]:
    """Where a match stands in a row by time: within a sitting what is said of now comes last, and of equals the best at the end asked for.

    What tells no time of its own counts as last for the day on which it was said: a minute later in a talk is not later in life.
    """
    now = bool(found.statement.stems & stem_set("asking", "now"))
    moment = moment_of(found.statement, plan)
    if plan.form == "first":
        return moment, now, -found.fit
    if when_of(found.statement, plan) is None:
        moment = moment.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return moment, now, found.fit


def _latest(plan: Plan, relevant: Relevant) -> Choice | None:
    within = up_to_its_end(plan, relevant)
    if not within:
        return None
    now = bool(set(stems_of(plan.question)) & stem_set("asking", "now"))
    chosen = latest_of_best([m for m in within if m.offers] or within, behind=EVER if now else NEW)
    offer = offer_of(chosen.statement, plan)
    if offer is None:
        return quoted_turn(plan, with_others(chosen, relevant))
    return made(plan, with_others(chosen, relevant), offer, time=plan.time)


def _at_time(plan: Plan, relevant: Relevant, statements: Sequence[Statement]) -> Choice | None:
    """What was so at a time: told of that time if there is such a statement, else what was said last before."""
    if plan.time is None:
        return _while(plan, relevant, statements)
    inside = [m for m in relevant if in_time(m.statement, plan.time) == 1.0]
    if not inside or best_fit(inside) < best_fit(relevant) - 2 * CLOSE:
        return None if plan.want == "age" else _latest(plan, relevant)
    so = [m for m in inside if m.said_as == "stated" and m.fit >= best_fit(inside) - 2 * CLOSE] if plan.past else []
    chosen = max(so or inside, key=lambda m: m.score)
    if plan.want == "yes_no":
        return yes_or_no(plan, chosen, relevant)
    return made(plan, with_others(chosen, relevant), offer_of(chosen.statement, plan), time=plan.time)


def _while(plan: Plan, relevant: Relevant, statements: Sequence[Statement]) -> Choice | None:
    """What was so while something else was: said within a month of it, else as it comes; an age only within a month."""
    together = told_together(plan, statements)
    if together is not None:
        return together
    anchor = anchor_statement(plan, statements)
    if anchor is None:
        return best(plan, relevant)
    at = moment_of(anchor)
    near = [m for m in relevant if abs(moment_of(m.statement, plan) - at).days <= MONTH and m.statement != anchor]
    if plan.want == "age":
        near = [m for m in near if abs(m.statement.said_at - at).days <= MONTH]
        if not near:
            return None  # an age that is told at another time is not the age then
    return best(plan, near or relevant)


def _how_long(plan: Plan, relevant: Relevant, rated: Relevant) -> Choice | None:
    """A length that was told, else the time from where something is said to begin to where the same is said to be over."""
    if any(m.offers for m in relevant):
        return best(plan, relevant)
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
        return best(plan, relevant)
    first = min(begun, key=lambda m: moment_of(m.statement, plan))
    last = max(over, key=lambda m: moment_of(m.statement, plan))
    start, end = moment_of(first.statement, plan), moment_of(last.statement, plan)
    if end <= start:
        return best(plan, relevant)
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
        for person in _others(each, plan):
            found.setdefault(person, each)
    if plan.time is not None:
        found = {who: each for who, each in found.items() if in_time(each.statement, plan.time) == 1.0} or found
    if not found:
        return None
    names = [_as_written(name, each.statement) for name, each in found.items()]
    matches = list({id(each): each for each in found.values()}.values())
    return made(plan, matches[:3], short=listed(names), quoted=min(3, len(matches)))


def _others(found: Match, plan: Plan) -> Sequence[str]:
    """The other people of a match by name, else by what they are ("my team lead")."""
    named = sorted(others_of(found.statement, plan))
    offer = None if named or not found.offers else offer_of(found.statement, plan)
    return named if offer is None else [offer.text.casefold()]


def _changed(plan: Plan, relevant: Relevant) -> Choice:
    """The latest of what was said of it, and the first, for comparison."""
    told = [m for m in relevant if m.said_as in ("stated", "denied") or m.statement.accepted or plan.dates]
    if plan.want == "time":
        told = [m for m in told if m.offers] or told
    covered = max((m.coverage for m in told), default=0.0)
    told = [m for m in told if m.coverage >= covered - AS_WELL]
    sure = max((_least(m, plan) for m in told), default=IN_TURN)
    told = [m for m in told if _least(m, plan) >= (CARRIED if sure >= CARRIED else IN_TURN)]
    covered = max((m.coverage for m in told), default=0.0)
    good = [m for m in told if m.coverage >= covered - 3 * CLOSE]
    valued = [m for m in good if numbers_in(m.statement.text)]
    good = valued if len(valued) > 1 else good
    good = sorted(good or relevant[:1], key=lambda m: (m.statement.said_at, m.statement.start))
    shown = (good[-1], good[0]) if len(good) > 1 else (good[-1],)
    time = when_of(good[-1].statement, plan) if plan.want == "time" else None
    return timed(plan, shown, time, quoted=2)


def _least(found: Match, plan: Plan) -> float:
    """How surely a match has the word of the question that it has least surely."""
    return min((covers(found.statement, term) for term in plan.terms if not term.aside), default=1.0)


def _as_written(name: str, statement: Statement) -> str:
    if name == normalise_name(statement.hit.speaker):
        return statement.hit.speaker
    at = statement.text.casefold().find(name)
    return statement.text[at : at + len(name)] if at >= 0 else name.title()
