"""Answers from facts: values of a property with the periods in which they held. One rule a question form; pure.

A fact answers only if it is of a property that the question asks for, of its subject, and if every other term of the question is in its
value or in the words it rests on. Where that is not so, nothing is chosen, and statements are looked at instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType

from graphmem.answer.choice import Choice
from graphmem.answer.compose import NUMBERS, day_text, listed, number_word, span_text, time_text
from graphmem.answer.periods import contains, meets, overlapping, relevant, shown_interval, shown_moment, start_of
from graphmem.answer.plan import Plan, Term
from graphmem.answer.shown_facts import conflicts_of, ended_before, last_day, of_facts, with_ending
from graphmem.answer.words import stem, stem_set, stems_of
from graphmem.graph.read import Period
from graphmem.ids import normalise_name
from graphmem.records import FactView, Interval

Moment = datetime
NO_ENDINGS: Mapping[str, FactView] = MappingProxyType({})


def from_facts(
    plan: Plan,
    periods: Sequence[Period],
    species: Mapping[str, str],
    moment: Moment,
    anchor_at: Moment | None,
    endings: Mapping[str, FactView] = NO_ENDINGS,
) -> Choice | None:
    """The choice among the periods of the properties asked for, or None.

    ``moment`` is the time the question is about where it names none. ``anchor_at`` is when the event after "before" or "after"
    happened, where that was found. ``species`` gives the kind of animal by name, ``endings`` the statement that ended a period, by the
    period's ``ended_by``.
    """
    own = [one for one in periods if relevant(plan, one.fact, species)]
    if not own:
        return None
    rules: Mapping[str, Callable[[], Choice | None]] = {
        "current": lambda: _holding(plan, own, moment, endings),
        "attribute": lambda: _holding(plan, own, moment, endings),
        "at_time": lambda: _at_time(plan, own, endings),
        "how_long": lambda: _how_long(plan, own, moment),
        "how_many": lambda: _how_many(plan, own, species, moment),
        "who_else": lambda: _who_else(plan, own, moment),
        "first": lambda: _edge(plan, own, last=False),
        "last": lambda: _edge(plan, own, last=True),
        "when": lambda: _when(plan, own, endings),
        "changed": lambda: _changed(plan, own),
        "before_event": lambda: _beside(plan, own, anchor_at, before=True),
        "after_event": lambda: _beside(plan, own, anchor_at, before=False),
    }
    rule = rules.get(plan.form)
    if rule is None:
        return None
    if plan.want == "yes_no":
        return _yes_or_no(plan, own, moment, endings)
    return rule()


# Forms ------------------------------------------------------------------------------------------------------------------------------


_EVER = re.compile(
    r"\b(?:has|have)\b (?!(?:to|a|an|the|any|got)\b)[^?]*\b(?:lived|worked|had|been|studied|used|owned)\b",
    re.IGNORECASE,
)
"""How all that was ever so is asked for: "which cities has Ana lived in"."""


def _ever(plan: Plan, own: Sequence[Period]) -> Choice | None:
    """All values of a property that has one at a time, in their order."""
    row = sorted(_first_property(plan, own), key=lambda one: start_of(one.fact))
    if _EVER.search(plan.question) is None or plan.want == "yes_no" or any(one.cardinality != "one" for one in row):
        return None
    return _steps(plan, row) if len({one.value_key for one in row}) > 1 else None


def _holding(plan: Plan, own: Sequence[Period], moment: Moment, endings: Mapping[str, FactView]) -> Choice | None:
    if (ever := _ever(plan, own)) is not None:
        return ever
    holding = [one for one in own if contains(one.fact.valid, moment)]
    if not holding:
        return _over(plan, own, endings)
    return _values(plan, _first_property(plan, holding), moment)


def _yes_or_no(plan: Plan, own: Sequence[Period], moment: Moment, endings: Mapping[str, FactView]) -> Choice | None:
    at = moment if plan.time is None or plan.time.start is None else plan.time.start
    if plan.past and plan.time is None:
        return None
    meant = [one for one in own if _is_meant(plan, one.fact)]
    holding = [one.fact for one in meant if contains(one.fact.valid, at)]
    if holding:
        return of_facts(plan.form, holding[:1], f"Yes: {holding[0].value}", shown_interval(holding[0]))
    if not meant:
        known = [one.fact for one in own if contains(one.fact.valid, at)]
        values = listed([fact.value for fact in known]) if known else ""
        return of_facts(plan.form, known, f"Not that was said; said was: {values}", None) if known else None
    over = _over(plan, meant, endings)
    return None if over is None else replace(over, short=f"No, not any more: {over.short}")


def _is_meant(plan: Plan, fact: FactView) -> bool:
    """Whether a fact is of what a question names: "is Runa Noor's sister" asks of Runa, "is Noor vegan" of no other diet."""
    others = plan.named - {normalise_name(fact.subject)}
    value = normalise_name(fact.value)
    if others and not any(value == name or set(name.split()) <= set(value.split()) for name in others):
        return False
    said = set(stems_of(fact.value)) | {each for quote in fact.evidence for each in stems_of(quote.quote)}
    words = [term.stems[0] for term in plan.terms if term.kind == "word" and term.stems[0] in stem_set("diets")]
    return all(word in said for word in words)


def _over(plan: Plan, own: Sequence[Period], endings: Mapping[str, FactView]) -> Choice | None:
    """Nothing holds any more: what held last, until when, and the words that ended it."""
    last = max(own, key=lambda one: start_of(one.fact))
    end = last.fact.valid.end
    if end is None:
        return None
    note = f"Not any more: it ended on {last_day(last.fact)}."
    held = of_facts(plan.form, [last.fact], last.fact.value, shown_interval(last.fact), (note,))
    return with_ending(held, last, endings)


def _at_time(plan: Plan, own: Sequence[Period], endings: Mapping[str, FactView]) -> Choice | None:
    if plan.time is None:
        return None
    own = _first_property(plan, own)
    inside = [one for one in own if overlapping(one.fact.valid, plan.time)]
    if inside:
        stated = [one for one in inside if meets(one.fact, plan.time)]
        if all(one.cardinality == "many" for one in inside) and plan.past:
            begun = [one for one in inside if contains(plan.time, start_of(one.fact))]
            stated = begun or stated
        return _values(plan, stated or inside, plan.time.start or plan.time.end)
    over = [one for one in own if one.ended_by in endings and ended_before(one.fact, plan.time)]
    if over and all(one.cardinality == "one" for one in own):
        last = max(over, key=lambda one: start_of(one.fact))
        until = last_day(last.fact)
        held = of_facts(plan.form, [last.fact], f"Not known for then: {last.fact.value} until {until}", None)
        return with_ending(held, last, endings)
    first = min(own, key=lambda one: start_of(one.fact))
    if plan.time.end is not None and plan.time.end <= start_of(first.fact) and not first.fact.valid.start_stated:
        since = day_text(shown_moment(start_of(first.fact), first.fact))
        note = f"This is not known before {since}."
        short = f"Not known before {since}; then {first.fact.value}"
        return replace(of_facts(plan.form, [first.fact], short, shown_interval(first.fact), (note,)), unknown=True)
    return None


def _how_long(plan: Plan, own: Sequence[Period], moment: Moment) -> Choice | None:
    measured = [one for one in own if contains(one.fact.valid, moment) and any(ch.isdigit() for ch in one.fact.value)]
    measured += [
        one for one in own if contains(one.fact.valid, moment) and set(stems_of(one.fact.value)) & stem_set("units")
    ]
    if measured:
        return _values(plan, measured[-1:], moment)
    terms = {each for term in plan.terms for each in term.stems}
    named = [one for one in own if set(stems_of(one.fact.value)) & terms]
    named = [one for one in named or own if one.fact.valid.start_stated] or named
    if not named:
        return None
    one = named[-1]
    start, end = start_of(one.fact), one.fact.valid.end or moment
    days = (end - start).days
    since = day_text(shown_moment(start, one.fact))
    until = f" to {last_day(one.fact)}" if one.fact.valid.end is not None else ""
    return of_facts(
        plan.form,
        [one.fact],
        f"{'' if one.fact.valid.start_stated else 'at least '}{span_text(days)} ({'from' if until else 'since'} {since}{until})",
        shown_interval(one.fact),
        () if one.fact.valid.start_stated else ("Since when was not said; this counts from when it was told first.",),
    )


def _how_many(plan: Plan, own: Sequence[Period], species: Mapping[str, str], moment: Moment) -> Choice | None:
    own = [one for one in own if one.cardinality == "many"]
    at = plan.time.start if plan.time is not None and plan.time.start is not None else moment
    holding = [one for one in own if contains(one.fact.valid, at)]
    if not holding:
        return None
    named = [one for one in holding if one.fact.value[:1].isupper()]
    kinds = {kind for one in named if (kind := species.get(normalise_name(one.fact.value))) is not None}
    unnamed = [
        one
        for one in holding
        if not one.fact.value[:1].isupper() and not (set(stems_of(one.fact.value)) & {stem(k) for k in kinds})
    ]
    if any(token in NUMBERS or token.isdigit() for one in unnamed for token in one.fact.value.lower().split()):
        return None
    counted = [*named, *unnamed]
    unique = list({normalise_name(one.fact.value): one for one in counted}.values())
    values = listed([one.fact.value for one in unique])
    return of_facts(
        plan.form,
        [one.fact for one in unique],
        f"{number_word(len(unique))}: {values}",
        None,
        quoted=min(3, len(unique)),
    )


def _who_else(plan: Plan, own: Sequence[Period], moment: Moment) -> Choice | None:
    holding = [one for one in own if contains(one.fact.valid, moment)]
    people = list({normalise_name(one.fact.subject): one for one in holding}.values())
    if not people:
        return None
    return of_facts(
        plan.form,
        [one.fact for one in people],
        listed([one.fact.subject for one in people]),
        None,
        quoted=min(3, len(people)),
    )


def _edge(plan: Plan, own: Sequence[Period], last: bool) -> Choice | None:
    ordered = sorted(_first_property(plan, own), key=lambda one: start_of(one.fact))
    one = ordered[-1] if last else ordered[0]
    if plan.want == "time":
        return _dated(plan, one)
    return of_facts(plan.form, [one.fact], one.fact.value, shown_interval(one.fact))


def _when(plan: Plan, own: Sequence[Period], endings: Mapping[str, FactView]) -> Choice | None:
    """When a value began, or was over where the question says so ("stop", "give up")."""
    stems = {each for term in plan.terms for each in term.stems}
    named = [one for one in own if set(stems_of(one.fact.value)) & stems]
    if len(named) != 1:
        return None
    end = named[0].fact.valid.end
    if not stems & stem_set("ceasing"):
        return _dated(plan, named[0])
    if end is None:
        return None
    ended = endings.get(named[0].ended_by) if named[0].ended_by is not None else None
    if ended is not None and ended.valid.start is not None and ended.evidence:
        interval = shown_interval(ended)
        unit = Interval(interval.start, None, interval.granularity)
        when = time_text(unit).removeprefix("since ")
        stated = ended.valid.start_stated
    else:
        when, stated = day_text(shown_moment(end, named[0].fact)), named[0].fact.valid.end_stated
    told = of_facts(plan.form, [named[0].fact], when if stated else f"by {when}", None)
    return with_ending(told, named[0], endings)


def _dated(plan: Plan, one: Period) -> Choice | None:
    valid = one.fact.valid
    if not valid.start_stated or valid.start is None:
        return None
    shown = shown_interval(one.fact)
    unit = Interval(shown.start, None, shown.granularity)
    return of_facts(plan.form, [one.fact], time_text(unit).removeprefix("since "), unit)


def _changed(plan: Plan, own: Sequence[Period]) -> Choice | None:
    ordered = sorted(_first_property(plan, own), key=lambda one: start_of(one.fact))
    if len(ordered) < 2 or any(one.cardinality != "one" for one in ordered):
        return None
    return _steps(plan, ordered)


def _steps(plan: Plan, ordered: Sequence[Period]) -> Choice:
    """Values one after the other, each with its time."""
    steps = [f"{one.fact.value} ({time_text(shown_interval(one.fact))})" for one in ordered]
    return of_facts(plan.form, [one.fact for one in reversed(ordered)], ", then ".join(steps), None, quoted=2)


def _beside(plan: Plan, own: Sequence[Period], anchor_at: Moment | None, before: bool) -> Choice | None:
    """The value right before or after another value of the row, or before or after the moment of an event."""
    anchor = plan.anchor
    if anchor is None and before:
        return _previous(plan, own)
    names = list(dict.fromkeys(one.fact.property for one in own))
    named = {one.fact.property for one in own if anchor is not None and _is_value(anchor.terms, one.fact)}
    for property_ in sorted(names, key=lambda name: name not in named):
        row = sorted((one for one in own if one.fact.property == property_), key=lambda one: start_of(one.fact))
        places = [i for i, one in enumerate(row) if anchor is not None and _is_value(anchor.terms, one.fact)]
        if places:
            at = places[0] if before else places[-1]
            others = row[:at] if before else row[at + 1 :]
            others = [one for one in others if one.value_key != row[at].value_key]
            if others:
                one = others[-1] if before else others[0]
                return of_facts(plan.form, [one.fact], one.fact.value, shown_interval(one.fact))
        elif anchor_at is not None and all(one.cardinality == "one" for one in row):
            if before:
                others = [one for one in row if start_of(one.fact) < anchor_at]
            else:
                others = [one for one in row if one.fact.valid.end is None or one.fact.valid.end > anchor_at]
                others = [one for one in others if start_of(one.fact) >= anchor_at] or others
            if others:
                one = others[-1] if before else others[0]
                return of_facts(plan.form, [one.fact], one.fact.value, shown_interval(one.fact))
    return None


def _previous(plan: Plan, own: Sequence[Period]) -> Choice | None:
    """The value before the one that holds last, where two are known."""
    row = sorted(_first_property(plan, own), key=lambda one: start_of(one.fact))
    earlier = [one for one in row if one.value_key != row[-1].value_key]
    if not earlier or any(one.cardinality != "one" for one in row):
        return None
    return of_facts(plan.form, [earlier[-1].fact], earlier[-1].fact.value, shown_interval(earlier[-1].fact))


def _is_value(terms: Sequence[Term], fact: FactView) -> bool:
    stems = {each for term in terms for each in term.stems if each not in stem_set("function_words")}
    value = set(stems_of(fact.value))
    names = {each for term in terms if term.kind != "word" for each in term.stems}
    return bool(stems) and (stems <= value or (bool(names) and bool(names & value) and names <= value))


# Parts ------------------------------------------------------------------------------------------------------------------------------


def _values(plan: Plan, holding: Sequence[Period], moment: Moment | None) -> Choice | None:
    """All values that hold, the latest asserted first, with their conflicts and doubts."""
    if plan.want in ("name", "person"):
        holding = [one for one in holding if one.fact.value[:1].isupper()]
        if not holding:
            return None
    ordered = sorted(holding, key=lambda one: one.fact.asserted_at, reverse=True)
    facts = [one.fact for one in ordered]
    unique = list({normalise_name(fact.value): fact for fact in facts}.values())
    short = listed([fact.value for fact in unique])
    notes = [
        *conflicts_of(unique),
        *(f"Possibly: {fact.value} is only dated to the {fact.valid.granularity}." for fact in unique if fact.possibly),
    ]
    return of_facts(
        plan.form,
        unique,
        short,
        shown_interval(unique[0]) if len(unique) == 1 else None,
        tuple(notes),
        quoted=min(2, len(unique)),
    )


def _first_property(plan: Plan, own: Sequence[Period]) -> list[Period]:
    """Those of the likeliest property that has any."""
    for name in plan.properties:
        found = [one for one in own if one.fact.property == name]
        if found:
            return found
    return list(own)
