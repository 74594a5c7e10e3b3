"""Facts against a plan: whether a fact has to do with what is asked, and its interval as it is compared and shown."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from graphmem.answer.plan import Plan, Term
from graphmem.answer.properties import trigger_stems
from graphmem.answer.words import alike, lexicon, stem, stem_set, stems_of, witnesses
from graphmem.extract.with_rules.lexicon import kin
from graphmem.ids import normalise_name
from graphmem.records import FactView, Interval


def relevant(plan: Plan, fact: FactView, species: Mapping[str, str] | None = None) -> bool:
    """Whether a fact has to do with all that the question names."""
    if fact.property not in plan.properties or not _fits(plan, fact) or _only_repeats(plan, fact):
        return False
    if plan.subjects and normalise_name(fact.subject) not in {normalise_name(name) for name in plan.subjects}:
        return False
    if any(
        normalise_name(term.text) in (normalise_name(fact.subject), normalise_name(fact.value))
        for term in plan.excluded
    ):
        return False
    triggers = trigger_stems(fact.property)
    words = set(stems_of(fact.value)) | set(stems_of(fact.property.replace("_", " "))) | set(stems_of(fact.subject))
    kind = (species or {}).get(normalise_name(fact.value))
    if kind is not None:
        words |= set(stems_of(kind))
    if kind is not None and not _of_kind(plan, kind):
        return False
    said = {each for quote in fact.evidence for each in stems_of(quote.quote)}
    about_people = fact.property in kin().values()
    return all(
        _covered(term, words, said, triggers)
        or (about_people and plan.want in ("person", "name") and term.kind == "name" and term.aside)
        or (fact.property in lexicon()["placed"] and _asks_place(term, plan))
        for term in plan.terms
    )


def _asks_place(term: Term, plan: Plan) -> bool:
    """Whether a word only says that a place is asked for ("which city"), which the value of a place need not repeat."""
    asked = None if plan.asked is None else stem(plan.asked)
    return plan.want == "place" and term.stems == (asked,) and asked in stem_set("towns")


def _only_repeats(plan: Plan, fact: FactView) -> bool:
    """Whether a value says no more than the question: "Ana's partner" where it is asked what Ana does with her partner."""
    if plan.form not in ("current", "attribute", "at_time") or plan.want in ("time", "duration", "yes_no"):
        return False
    asked = {each for term in plan.terms for each in term.stems} | {
        each for name in plan.subjects for each in stems_of(name)
    }
    return set(stems_of(fact.value)) - stem_set("function_words") <= asked


def _fits(plan: Plan, fact: FactView) -> bool:
    """Whether a value is of the kind that the question wants: a number for "how much", somebody for "who"."""
    if plan.form in ("who_else", "how_many", "how_long"):
        return True
    if plan.want in ("amount", "duration", "age"):
        return any(ch.isdigit() for ch in fact.value) or bool(set(stems_of(fact.value)) & stem_set("numbers"))
    if plan.want == "person":
        return fact.property in {*kin().values(), "married_to", "engaged_to", "has_partner", "has_pet"}
    if plan.want == "place":
        return fact.property in lexicon()["placed"]
    return True


def _of_kind(plan: Plan, kind: str) -> bool:
    """Whether an animal of this kind may be meant: the question names no other kind."""
    asked = {each for term in plan.terms for each in term.stems} & stem_set("animals")
    own = set(stems_of(kind))
    return not asked or bool(asked & own) or any(alike(each) & own for each in asked)


def _covered(term: Term, words: set[str], said: set[str], triggers: frozenset[str]) -> bool:
    if term.kind == "word" and set(term.stems) <= stem_set("ceasing"):
        return True
    if term.kind == "word" and all(each in triggers for each in term.stems):
        # A word that asks for the property by its kind ("dog" for has_pet) has to be met where the facts say the kind.
        return term.stems[0] not in stem_set("kinds") or bool(
            {*term.stems, *alike(term.stems[0]), *witnesses(term.stems[0])} & (words | said)
        )
    own = [each for each in term.stems if each not in stem_set("function_words")] or list(term.stems)
    return all(
        each in words or each in said or (term.kind == "word" and (alike(each) & (words | said))) for each in own
    )


def start_of(fact: FactView) -> datetime:
    """Where a fact begins: as stated, else when it was said."""
    return fact.valid.start or fact.asserted_at


def contains(valid: Interval, moment: datetime) -> bool:
    """Whether a moment lies in an interval."""
    return (valid.start is None or valid.start <= moment) and (valid.end is None or moment < valid.end)


def overlapping(valid: Interval, time: Interval) -> bool:
    """Whether two intervals share a moment."""
    after = valid.start is not None and time.end is not None and valid.start >= time.end
    before = valid.end is not None and time.start is not None and valid.end <= time.start
    return not (after or before)


def meets(fact: FactView, time: Interval) -> bool:
    """Whether a fact holds through most of a time: through its middle."""
    if time.start is None or time.end is None:
        return True
    return contains(fact.valid, time.start + (time.end - time.start) / 2)


def shown_moment(moment: datetime, fact: FactView) -> datetime:
    """An instant at the offset of who said it: midnight in Berlin is not the evening before."""
    return moment.astimezone(fact.evidence[0].said_at.tzinfo) if fact.evidence else moment


def shown_interval(fact: FactView) -> Interval:
    """A fact's interval at the offset of who said it."""
    start, end = fact.valid.start, fact.valid.end
    return Interval(
        None if start is None else shown_moment(start, fact),
        None if end is None else shown_moment(end, fact),
        fact.valid.granularity,
        fact.valid.start_stated,
        fact.valid.end_stated,
    )
