"""From what was extracted to what is appended: times filled in, mentions resolved, everything embedded, one batch for one window."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from graphmem.errors import GraphmemError
from graphmem.extract.vocabulary import properties
from graphmem.graph.batch import Batch
from graphmem.graph.connection import Graph
from graphmem.graph.rows import (
    add_attempt,
    add_event,
    add_extraction,
    add_fact,
    add_property,
)
from graphmem.ingest.entities import Entities, resolve_window
from graphmem.ingest.report import Tally
from graphmem.ingest.windows import Planned
from graphmem.providers.protocols import Embedder
from graphmem.records import EventDraft, Extracted, FactDraft, Interval, Mention, TimeNote, Turn
from graphmem.settings import Settings

UNDATED = "utterance-day"
"""The rule of an event whose words name no time: it is taken to lie on the day it is told, with little confidence."""


async def window_batch(
    graph: Graph, embedder: Embedder, planned: Planned, extracted: Extracted, settings: Settings, tally: Tally
) -> Batch:
    """The batch of a window: entities decided against what the graph holds now, events, facts, and the Extraction that gave them."""
    batch = Batch(planned.window.namespace)
    turns = {turn.id: turn for turn in planned.window.turns}
    with tally.timed("resolve"):
        entities = await resolve_window(graph, embedder, batch, planned, mentions_of(extracted), settings)
    texts = [
        *(event_text(event) for event in extracted.events),
        *(fact_text(fact) for fact in extracted.facts),
        *(property_text(name) for name in {fact.property for fact in extracted.facts}),
    ]
    with tally.timed("embed memories"):
        unique = list(dict.fromkeys(texts))
        vectors = dict(zip(unique, await asyncio.to_thread(embedder.embed_documents, unique), strict=True))
    by = f"{extracted.extractor} {extracted.version}"
    events = [_add_event(batch, event, turns[event.quote.turn_id], entities, vectors, by) for event in extracted.events]
    facts = [_add_fact(batch, fact, turns[fact.quote.turn_id], entities, vectors, by) for fact in extracted.facts]
    for fact, identifier in zip(extracted.facts, facts, strict=True):
        if fact.event is not None:
            batch.edge("Event", events[fact.event], "ESTABLISHES", "Fact", identifier)
    produced = [("Event", identifier) for identifier in events] + [("Fact", identifier) for identifier in facts]
    extraction = add_extraction(batch, planned.window.session.id, planned.turn_ids, extracted, produced)
    for earlier in planned.replaces:
        batch.edge("Extraction", extraction, "REPLACES", "Extraction", earlier)
    return batch


def attempt_batch(planned: Planned, error: GraphmemError) -> Batch:
    """The batch of a window that failed: an Attempt that says why."""
    batch = Batch(planned.window.namespace)
    add_attempt(batch, planned.window.session.id, planned.turn_ids, planned.extractor, planned.version, str(error))
    return batch


def mentions_of(extracted: Extracted) -> list[Mention]:
    """Every mention in what was extracted, in order of text."""
    found: list[Mention | None] = list(extracted.mentions)
    for event in extracted.events:
        found += [participant.mention for participant in event.participants]
        found.append(event.place)
    for fact in extracted.facts:
        found += [fact.subject, fact.value_mention]
    mentions = [mention for mention in found if mention is not None]
    place = {
        turn: position for position, turn in enumerate(dict.fromkeys(mention.quote.turn_id for mention in mentions))
    }
    return sorted(mentions, key=lambda mention: (place[mention.quote.turn_id], mention.quote.start, mention.quote.end))


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
    """What is embedded and indexed of a fact: subject, property and value in words."""
    unit = f" {fact.unit}" if fact.unit else ""
    return f"{fact.subject.speaker or fact.subject.name} {fact.property.replace('_', ' ')} {fact.value}{unit}"


def property_text(name: str) -> str:
    """What is embedded of a property: its name in words."""
    return name.replace("_", " ")


def utterance_day(turn: Turn) -> TimeNote:
    """The day a turn was said, in its speaker's own zone: the time of an event whose words name none."""
    midnight = turn.said_at.replace(hour=0, minute=0, second=0, microsecond=0)
    return TimeNote("", UNDATED, "", "day", 0.3, midnight, midnight + timedelta(days=1))


def validity(fact: FactDraft, turn: Turn) -> Interval:
    """When a fact holds: as stated; a start that nobody stated is the utterance time, and how long before is unknown."""
    if fact.valid is None:
        return Interval(turn.said_at, None, "instant", start_stated=False, end_stated=False)
    if fact.valid.start is None:
        start = turn.said_at if fact.valid.end is None else min(turn.said_at, fact.valid.end)
        return replace(fact.valid, start=start, start_stated=False)
    return fact.valid


def _add_event(
    batch: Batch, event: EventDraft, turn: Turn, entities: Entities, vectors: Mapping[str, Sequence[float]], by: str
) -> str:
    time = event.time if event.time is not None else utterance_day(turn)
    text = event_text(event)
    identifier = add_event(batch, event, time, by, turn.said_at, text, vectors[text])
    for participant in event.participants:
        entity = entities.of(participant.mention)
        batch.edge("Event", identifier, "INVOLVES", "Entity", entity, key=participant.role, role=participant.role)
    if event.place is not None:
        batch.edge("Event", identifier, "AT", "Entity", entities.of(event.place))
    return identifier


def _add_fact(
    batch: Batch, fact: FactDraft, turn: Turn, entities: Entities, vectors: Mapping[str, Sequence[float]], by: str
) -> str:
    text = fact_text(fact)
    words = property_text(fact.property)
    known = properties().get(fact.property)
    cardinality, value_type = (known.cardinality, known.value_type) if known else (fact.cardinality, fact.value_type)
    add_property(batch, fact.property, cardinality, value_type, vectors[words])
    value = entities.of(fact.value_mention) if fact.value_mention is not None else None
    subject = entities.of(fact.subject)
    return add_fact(batch, fact, subject, validity(fact, turn), by, turn.said_at, text, vectors[text], value)
