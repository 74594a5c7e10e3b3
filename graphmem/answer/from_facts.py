"""Answers from facts: values of a property with the periods in which they held. One rule a question form; pure.

A fact answers only if it is of a property that the question asks for, of its subject, and if every other term of the question is in its
value or in the words it rests on. Where that is not so, nothing is chosen, and statements are looked at instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from graphmem.answer.choice import Choice
from graphmem.answer.compose import day_text, time_text
from graphmem.answer.plan import Plan, Term
from graphmem.answer.words import alike, stem, stem_set, stems_of, witnesses
from graphmem.graph.read import Period
from graphmem.ids import normalise_name
from graphmem.records import Citation, FactView, Interval

Moment = datetime


def from_facts(
    plan: Plan, periods: Sequence[Period], species: Mapping[str, str], moment: Moment, anchor_at: Moment | None
) -> Choice | None:
    """The choice among the periods of the properties asked for, or None.

    ``moment`` is the time the question is about where it names none. ``anchor_at`` is when the event after "before" or "after"
    happened, where that was found. ``species`` gives the kind of animal by name.
    """
    own = [one for one in periods if relevant(plan, one.fact, species)]
    if not own:
        return None
    rules: Mapping[str, Callable[[], Choice | None]] = {
        "current": lambda: _holding(plan, own, moment),
        "attribute": lambda: _holding(plan, own, moment),
        "at_time": lambda: _at_time(plan, own),
        "how_long": lambda: _how_long(plan, own, moment),
        "how_many": lambda: _how_many(plan, own, species, moment),
        "who_else": lambda: _who_else(plan, own, moment),
        "first": lambda: _edge(plan, own, last=False),
        "last": lambda: _edge(plan, own, last=True),
        "when": lambda: _when(plan, own),
        "changed": lambda: _changed(plan, own),
        "before_event": lambda: _beside(plan, own, anchor_at, before=True),
        "after_event": lambda: _beside(plan, own, anchor_at, before=False),
    }
    rule = rules.get(plan.form)
    return None if rule is None else rule()


def relevant(plan: Plan, fact: FactView, species: Mapping[str, str] | None = None) -> bool:
    """Whether a fact has to do with all that the question names."""
    if fact.property not in plan.properties:
        return False
    if plan.subjects and normalise_name(fact.subject) not in {normalise_name(name) for name in plan.subjects}:
        return False
    if any(
        normalise_name(term.text) in (normalise_name(fact.subject), normalise_name(fact.value))
        for term in plan.excluded
    ):
        return False
    triggers = _triggers(plan, fact.property)
    words = set(stems_of(fact.value)) | set(stems_of(fact.property.replace("_", " "))) | set(stems_of(fact.subject))
    kind = (species or {}).get(normalise_name(fact.value))
    if kind is not None:
        words |= set(stems_of(kind))
    said = {each for quote in fact.evidence for each in stems_of(quote.quote)}
    return all(_covered(term, words, said, triggers) for term in plan.terms)


def _triggers(plan: Plan, name: str) -> frozenset[str]:
    from graphmem.answer.plan import trigger_stems

    return trigger_stems(name)


def _covered(term: Term, words: set[str], said: set[str], triggers: frozenset[str]) -> bool:
    if term.kind == "word" and all(each in triggers for each in term.stems):
        # A word that asks for the property by its kind ("dog" for has_pet) has to be met where the facts say the kind.
        return term.stems[0] not in stem_set("kinds") or bool(
            {*term.stems, *alike(term.stems[0]), *witnesses(term.stems[0])} & (words | said)
        )
    own = [each for each in term.stems if each not in stem_set("function_words")] or list(term.stems)
    return all(
        each in words or each in said or (term.kind == "word" and (alike(each) & (words | said))) for each in own
    )


# Forms ------------------------------------------------------------------------------------------------------------------------------


def _holding(plan: Plan, own: Sequence[Period], moment: Moment) -> Choice | None:
    holding = [one for one in own if _contains(one.fact.valid, moment)]
    if not holding:
        return _over(plan, own)
    return _values(plan, _first_property(plan, holding), moment)


def _over(plan: Plan, own: Sequence[Period]) -> Choice | None:
    """Nothing holds any more: what held last, and until when."""
    last = max(own, key=lambda one: _start(one.fact))
    end = last.fact.valid.end
    if end is None:
        return None
    note = f"Not any more: it ended on {day_text(_local(end, last.fact))}."
    return _of_facts(plan.form, [last.fact], last.fact.value, _shown(last.fact), (note,))


def _at_time(plan: Plan, own: Sequence[Period]) -> Choice | None:
    if plan.time is None:
        return None
    own = _first_property(plan, own)
    inside = [one for one in own if _overlaps(one.fact.valid, plan.time)]
    if inside:
        stated = [one for one in inside if _meets(one.fact, plan.time)]
        return _values(plan, stated or inside, plan.time.start or plan.time.end)
    first = min(own, key=lambda one: _start(one.fact))
    if plan.time.end is not None and plan.time.end <= _start(first.fact) and not first.fact.valid.start_stated:
        since = day_text(_local(_start(first.fact), first.fact))
        note = f"This is not known before {since}."
        return _of_facts(
            plan.form, [first.fact], f"Not known before {since}; then {first.fact.value}", _shown(first.fact), (note,)
        )
    return None


def _how_long(plan: Plan, own: Sequence[Period], moment: Moment) -> Choice | None:
    measured = [one for one in own if _contains(one.fact.valid, moment) and any(ch.isdigit() for ch in one.fact.value)]
    measured += [
        one for one in own if _contains(one.fact.valid, moment) and set(stems_of(one.fact.value)) & stem_set("units")
    ]
    if measured:
        return _values(plan, measured[-1:], moment)
    named = [one for one in own if one.fact.valid.start_stated]
    if not named:
        return None
    one = named[-1]
    start, end = _start(one.fact), one.fact.valid.end or moment
    days = (end - start).days
    since = day_text(_local(start, one.fact))
    until = f" to {day_text(_local(one.fact.valid.end, one.fact))}" if one.fact.valid.end is not None else ""
    return _of_facts(
        plan.form, [one.fact], f"{span_text(days)} ({'from' if until else 'since'} {since}{until})", _shown(one.fact)
    )


def span_text(days: int) -> str:
    """A length in days in the largest units that suit it."""
    if days >= 730:
        years, rest = divmod(days, 365)
        months = rest // 30
        return f"about {years} years" + (f" and {months} months" if 0 < months < 12 else "")
    if days >= 60:
        return f"about {round(days / 30.44)} months"
    if days >= 14:
        return f"about {round(days / 7)} weeks"
    return f"{days} day{'s' if days != 1 else ''}"


def _how_many(plan: Plan, own: Sequence[Period], species: Mapping[str, str], moment: Moment) -> Choice | None:
    own = [one for one in own if one.cardinality == "many"]
    at = plan.time.start if plan.time is not None and plan.time.start is not None else moment
    holding = [one for one in own if _contains(one.fact.valid, at)]
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
    values = _listed([one.fact.value for one in unique])
    return _of_facts(
        plan.form,
        [one.fact for one in unique],
        f"{number_word(len(unique))}: {values}",
        None,
        quoted=min(3, len(unique)),
    )


NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip


def number_word(count: int) -> str:
    """A count in words up to twelve, in digits above, with the digits beside the words."""
    return f"{NUMBERS[count].capitalize()} ({count})" if count < len(NUMBERS) else str(count)


def _who_else(plan: Plan, own: Sequence[Period], moment: Moment) -> Choice | None:
    holding = [one for one in own if _contains(one.fact.valid, moment)]
    people = list({normalise_name(one.fact.subject): one for one in holding}.values())
    if not people:
        return None
    return _of_facts(
        plan.form,
        [one.fact for one in people],
        _listed([one.fact.subject for one in people]),
        None,
        quoted=min(3, len(people)),
    )


def _edge(plan: Plan, own: Sequence[Period], last: bool) -> Choice | None:
    ordered = sorted(_first_property(plan, own), key=lambda one: _start(one.fact))
    one = ordered[-1] if last else ordered[0]
    if plan.want == "time":
        return _dated(plan, one)
    return _of_facts(plan.form, [one.fact], one.fact.value, _shown(one.fact))


def _when(plan: Plan, own: Sequence[Period]) -> Choice | None:
    """When a value began (or ended, where the question says so): only where the time was stated, else the event's words tell."""
    named = [one for one in own if set(stems_of(one.fact.value)) & {each for term in plan.terms for each in term.stems}]
    return _dated(plan, named[-1]) if len(named) == 1 else None


def _dated(plan: Plan, one: Period) -> Choice | None:
    valid = one.fact.valid
    if not valid.start_stated or valid.start is None:
        return None
    shown = _local_interval(one.fact)
    unit = Interval(shown.start, None, shown.granularity)
    return _of_facts(plan.form, [one.fact], time_text(unit).removeprefix("since "), unit)


def _changed(plan: Plan, own: Sequence[Period]) -> Choice | None:
    ordered = sorted(_first_property(plan, own), key=lambda one: _start(one.fact))
    if len(ordered) < 2 or any(one.cardinality != "one" for one in ordered):
        return None
    steps = [f"{one.fact.value} ({time_text(_local_interval(one.fact))})" for one in ordered]
    return _of_facts(plan.form, [one.fact for one in reversed(ordered)], ", then ".join(steps), None, quoted=2)


def _beside(plan: Plan, own: Sequence[Period], anchor_at: Moment | None, before: bool) -> Choice | None:
    """The value right before or after another value of the row, or before or after the moment of an event."""
    anchor = plan.anchor
    for property_ in dict.fromkeys(one.fact.property for one in own):
        row = sorted((one for one in own if one.fact.property == property_), key=lambda one: _start(one.fact))
        places = [i for i, one in enumerate(row) if anchor is not None and _is_value(anchor.terms, one.fact)]
        if places:
            at = places[0] if before else places[-1]
            others = row[:at] if before else row[at + 1 :]
            others = [one for one in others if one.value_key != row[at].value_key]
            if others:
                one = others[-1] if before else others[0]
                return _of_facts(plan.form, [one.fact], one.fact.value, _shown(one.fact))
        elif anchor_at is not None:
            if before:
                others = [one for one in row if _start(one.fact) < anchor_at]
            else:
                others = [one for one in row if one.fact.valid.end is None or one.fact.valid.end > anchor_at]
                others = [one for one in others if _start(one.fact) >= anchor_at] or others
            if others:
                one = others[-1] if before else others[0]
                return _of_facts(plan.form, [one.fact], one.fact.value, _shown(one.fact))
    return None


def _is_value(terms: Sequence[Term], fact: FactView) -> bool:
    stems = {each for term in terms for each in term.stems if each not in stem_set("function_words")}
    value = set(stems_of(fact.value))
    names = {each for term in terms if term.kind != "word" for each in term.stems}
    return bool(stems) and (stems <= value or (bool(names) and bool(names & value) and names <= value))


# Parts ------------------------------------------------------------------------------------------------------------------------------


def _values(plan: Plan, holding: Sequence[Period], moment: Moment | None) -> Choice:
    """All values that hold, the latest asserted first, with their conflicts and doubts."""
    if plan.want in ("name", "person") and any(one.fact.value[:1].isupper() for one in holding):
        holding = [one for one in holding if one.fact.value[:1].isupper()]
    ordered = sorted(holding, key=lambda one: one.fact.asserted_at, reverse=True)
    facts = [one.fact for one in ordered]
    unique = list({normalise_name(fact.value): fact for fact in facts}.values())
    short = _listed([_with_unit(fact) for fact in unique])
    notes = [
        *_conflicts(unique),
        *(f"Possibly: {fact.value} is only dated to the {fact.valid.granularity}." for fact in unique if fact.possibly),
    ]
    return _of_facts(
        plan.form,
        unique,
        short,
        _shown(unique[0]) if len(unique) == 1 else None,
        tuple(notes),
        quoted=min(2, len(unique)),
    )


def _with_unit(fact: FactView) -> str:
    return fact.value


def _conflicts(facts: Sequence[FactView]) -> list[str]:
    found = []
    for fact in facts:
        for lost in fact.conflicts:
            said = lost.evidence[0] if lost.evidence else None
            who = f" ({said.speaker}, {day_text(said.said_at)})" if said is not None else ""
            found.append(f"Conflict: {lost.value} was said too{who}.")
    return found


def _first_property(plan: Plan, own: Sequence[Period]) -> list[Period]:
    """Those of the likeliest property that has any."""
    for name in plan.properties:
        found = [one for one in own if one.fact.property == name]
        if found:
            return found
    return list(own)


def _of_facts(
    form: str,
    facts: Sequence[FactView],
    short: str,
    time: Interval | None,
    notes: tuple[str, ...] = (),
    quoted: int = 1,
) -> Choice:
    """A choice with the last quotation of each fact first: what was said last says it best."""
    cited: list[Citation] = []
    for fact in facts:
        cited += [each for each in reversed(fact.evidence)][:1]
    for fact in facts:
        cited += [each for each in fact.evidence if each not in cited]
    return Choice(form, short, tuple(cited[:5]), time, tuple(facts), notes, quoted)


def _start(fact: FactView) -> datetime:
    return fact.valid.start or fact.asserted_at


def _contains(valid: Interval, moment: datetime) -> bool:
    return (valid.start is None or valid.start <= moment) and (valid.end is None or moment < valid.end)


def _overlaps(valid: Interval, time: Interval) -> bool:
    after = valid.start is not None and time.end is not None and valid.start >= time.end
    before = valid.end is not None and time.start is not None and valid.end <= time.start
    return not (after or before)


def _meets(fact: FactView, time: Interval) -> bool:
    """Whether a fact holds through most of a time: through its middle."""
    if time.start is None or time.end is None:
        return True
    return _contains(fact.valid, time.start + (time.end - time.start) / 2)


def _local(moment: datetime, fact: FactView) -> datetime:
    """An instant at the offset of who said it: midnight in Berlin is not the evening before."""
    return moment.astimezone(fact.evidence[0].said_at.tzinfo) if fact.evidence else moment


def _local_interval(fact: FactView) -> Interval:
    start, end = fact.valid.start, fact.valid.end
    return Interval(
        None if start is None else _local(start, fact),
        None if end is None else _local(end, fact),
        fact.valid.granularity,
        fact.valid.start_stated,
        fact.valid.end_stated,
    )


def _shown(fact: FactView) -> Interval:
    return _local_interval(fact)


def _listed(values: Sequence[str]) -> str:
    unique = list(dict.fromkeys(values))
    return unique[0] if len(unique) == 1 else ", ".join(unique[:-1]) + " and " + unique[-1]
