"""Who somebody is, what is known of them, and what they did in a time: read from many facts and events, not from one sentence. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal

from graphmem.answer.choice import Choice
from graphmem.answer.match import match
from graphmem.answer.periods import contains
from graphmem.answer.plan import Plan
from graphmem.answer.quoting import quoted_turn
from graphmem.answer.shown_facts import of_facts
from graphmem.answer.statements import Statement
from graphmem.extract.with_rules.lexicon import kin
from graphmem.graph.read import EntityView, Period, TimelineEntry
from graphmem.ids import normalise_name
from graphmem.records import EventView, FactView, Interval

Kind = Literal["who", "about", "doings"]

_WHO = re.compile(r"(?:(?:so|and),? )?who(?:'s| is| was| are) (?:this |that )?(?P<name>.+)", re.IGNORECASE)
_ABOUT = re.compile(
    r"(?:.*\b(?:tell me|know|known|remember|learned|everything|anything|summar\w+)\b.*\babout|describe) (?P<name>.+)",
    re.IGNORECASE,
)
_DOINGS = re.compile(
    r"what (?:did|has|had) (?P<name>.+?) (?:do|done|been doing|been up to|get up to)\b(?! (?:for|with|about|to|as)\b).*",
    re.IGNORECASE,
)
IDENTITY = (
    "works_as", "works_at", "studies", "studies_at", "species", "lives_in", "married_to", "engaged_to", "has_partner", "born_in",
)  # fmt: skip
"""Properties that tell who or what somebody is, the most telling first."""
TELLING = (
    *IDENTITY,
    "age",
    "has_pet",
    "diet",
    "allergic_to",
    "likes",
    "dislikes",
    "plays",
    "learns",
    "owns",
    "does_activity",
)
"""Properties that are worth telling of somebody, the most telling first."""
RELATIONS = (*dict.fromkeys(kin().values()), "married_to", "engaged_to", "has_partner", "has_pet")
"""Properties whose values are somebody: read the other way round they tell who that is."""
FEW, SEVERAL = 4, 8
"""How many facts say who somebody is, and how many what is known of them."""
DEEDS = 5
"""How many events are told of a time."""
SURE = 0.75
"""Confidence of an event from which it is told."""


def biography_asked(made: Plan, views: Iterable[EntityView]) -> tuple[Kind, EntityView] | None:
    """Which of the entities that a question names it asks about as a whole, and how; None where it asks for something certain.

    What somebody did is asked about as a whole only for a time.
    """
    asked = made.question.strip().rstrip("?.! ").replace("’", "'")
    patterns: tuple[tuple[Kind, re.Pattern[str]], ...] = (("who", _WHO), ("about", _ABOUT), ("doings", _DOINGS))
    for kind, pattern in patterns:
        found = pattern.fullmatch(asked)
        if found is None or (kind == "doings" and (made.time is None or made.time.start is None or made.terms)):
            continue
        name = normalise_name(found.group("name"))
        for view in views:
            if name in _names(view):
                return kind, view
    return None


def _names(view: EntityView) -> set[str]:
    """All names of an entity, normalised."""
    return {normalise_name(alias) for alias in (view.name, *view.aliases)}


def portrait(
    made: Plan, kind: Kind, view: EntityView, own: Sequence[Period], related: Sequence[Period], moment: datetime
) -> Choice | None:
    """Who somebody is at a moment, by what they are to others and by their own facts; with ``about`` more of these.

    ``own`` are the periods of the one asked about, ``related`` those of relations, of anybody, of which it may be the value.
    """
    names = _names(view)
    to_others = [one.fact for one in related if normalise_name(one.fact.value) in names]
    to_others = [
        fact for fact in to_others if contains(fact.valid, moment) and normalise_name(fact.subject) not in names
    ]
    order = TELLING if kind == "about" else IDENTITY
    holding = [one.fact for one in own if one.fact.property in order and contains(one.fact.valid, moment)]
    holding.sort(key=lambda fact: (order.index(fact.property), -fact.asserted_at.timestamp()))
    told = [(_relation(fact), fact) for fact in to_others[:2]] + [(_statement(fact), fact) for fact in holding]
    told = list({text.casefold(): (text, fact) for text, fact in reversed(told)}.values())[::-1]
    told = told[: SEVERAL if kind == "about" else FEW]
    if not told:
        return None
    chosen = of_facts(made.form, [fact for _, fact in told], "; ".join(text for text, _ in told), None)
    cited = tuple({(each.turn_id, each.start): each for each in chosen.citations}.values())
    return replace(chosen, citations=cited, quoted=min(3, len(cited)))


def introduced(made: Plan, view: EntityView, statements: Sequence[Statement]) -> Choice | None:
    """The turn that says best who somebody is, or else that names them first, where no fact does."""
    names = _names(view)
    said = "|".join(re.escape(alias) for alias in (view.name, *view.aliases))
    telling = re.compile(
        rf"(?:\b(?i:my|our|his|her|their|a|the)\s+(?:[\w-]+\s+)?[\w-]+,?\s+(?:{said})\b|\bnam(?:e|ed)\b.{{0,12}}(?:{said})\b"
        rf"|\bcalled\s+(?:{said})\b|\b(?:{said})(?:,| is| was)\s+(?:my|our|his|her|their|the|an?)\b)"
    )
    own = re.compile(rf"\b(?i:this is|i'm|i’m|i am|my name is|it's|it’s) (?:{said})\b|\b(?:{said}) (?:here|from)\b")
    naming = [
        each
        for each in statements
        if (names & each.about or own.search(each.text))
        and (normalise_name(each.hit.speaker) not in names or own.search(each.text))
    ]
    if not naming:
        return None
    told = [each for each in naming if own.search(each.text)] or [
        each for each in naming if telling.search(each.text) is not None
    ]
    chosen = min(told or naming, key=lambda each: (each.said_at, each.start))
    return quoted_turn(made, [match(chosen, made)])


def _relation(fact: FactView) -> str:
    """What a value is to the subject of a fact: "Ana's sister", "engaged to Ana"."""
    if fact.property.startswith("has_"):
        return f"{fact.subject}'s {fact.property.removeprefix('has_').replace('_', ' ')}"
    return f"{fact.property.replace('_', ' ')} {fact.subject}"


def _statement(fact: FactView) -> str:
    if fact.property == "species":
        return f"{'an' if fact.value[:1].lower() in 'aeiou' else 'a'} {fact.value}"
    return f"{fact.property.replace('_', ' ')} {fact.value}"


def doings(made: Plan, view: EntityView, entries: Sequence[TimelineEntry]) -> Choice | None:
    """What somebody did in the time of a plan, in order: events that are told of it, before those that were only told in it."""
    names = _names(view)
    events = [entry.event for entry in entries if entry.event is not None]
    done = [
        event
        for event in events
        if event.kind == "event"
        and event.confidence >= SURE
        and event.object
        and event.evidence
        and normalise_name(event.subject) in names
        and made.time is not None
        and _within(event, made.time)
    ]
    done.sort(key=lambda event: (event.time_expression is None, -event.confidence))
    kept = sorted(done[:DEEDS], key=_started)
    if not kept:
        return None
    cited = tuple(event.evidence[-1] for event in kept)
    return Choice(made.form, "; ".join(event.summary for event in kept), cited, made.time, quoted=len(cited))


def _started(event: EventView) -> datetime:
    """When an event began, at the offset of who told it."""
    assert event.starts_at is not None
    return event.starts_at.astimezone(event.evidence[-1].said_at.tzinfo)


def _within(event: EventView, time: Interval) -> bool:
    """Whether an event began on a day of an interval, by the calendar of who told it."""
    if event.starts_at is None or time.start is None:
        return False
    day = _started(event).date()
    return time.start.date() <= day and (time.end is None or day < time.end.date())
