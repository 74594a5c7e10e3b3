"""What is embedded and indexed of events, facts and properties, and the times of those whose words name none. Pure."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from graphmem.records import EventDraft, FactDraft, Interval, TimeNote, Turn

UNDATED = "utterance-day"
"""The rule of an event whose words name no time: it is taken to lie on the day it is told, with little confidence."""


def event_text(event: EventDraft) -> str:
    """What is embedded and indexed of an event: subject, verb, object, other wordings and the words of its time (Chronos, section 3)."""
    said = f" ({event.time.expression})" if event.time is not None and event.time.expression else ""
    return (
        "; ".join(
            dict.fromkeys([event.summary, f"{event.subject} {event.verb} {event.object}".strip(), *event.aliases])
        )
        + said
    )


def fact_text(fact: FactDraft) -> str:
    """What is embedded and indexed of a fact: subject, property and value in words. A bare number has its unit with it, which a value as
    said ("11 kilos") has already."""
    unit = f" {fact.unit}" if fact.unit and not any(map(str.isalpha, fact.value)) else ""
    return f"{fact.subject.speaker or fact.subject.name} {property_text(fact.property)} {fact.value}{unit}"


def property_text(name: str) -> str:
    """What is embedded of a property: its name in words."""
    return name.replace("_", " ")


def utterance_day(turn: Turn) -> TimeNote:
    """The day a turn was said, in its speaker's own zone: the time of an event whose words name none."""
    midnight = turn.said_at.replace(hour=0, minute=0, second=0, microsecond=0)
    return TimeNote("", UNDATED, "", "day", 0.3, midnight, midnight + timedelta(days=1))


def time_of(event: EventDraft, turn: Turn) -> TimeNote:
    """When an event happens: as its words say, else the day it is told."""
    return event.time if event.time is not None else utterance_day(turn)


def validity(fact: FactDraft, turn: Turn) -> Interval:
    """When a fact holds: as stated; a start that nobody stated is the utterance time, and how long before is unknown."""
    if fact.valid is None:
        return Interval(turn.said_at, None, "instant", start_stated=False, end_stated=False)
    if fact.valid.start is None:
        start = turn.said_at if fact.valid.end is None else min(turn.said_at, fact.valid.end)
        return replace(fact.valid, start=start, start_stated=False)
    return fact.valid
