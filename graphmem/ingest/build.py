"""From what was extracted to what is appended: times filled in, mentions resolved, everything embedded, one batch for one window."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from graphmem.errors import GraphmemError
from graphmem.extract.vocabulary import properties
from graphmem.graph.batch import Batch
from graphmem.graph.connection import Graph
from graphmem.graph.rows_named import add_property
from graphmem.graph.rows_stated import add_attempt, add_event, add_extraction, add_fact, event_id
from graphmem.ingest.asking import WindowChat
from graphmem.ingest.carrying import carry_decisions
from graphmem.ingest.decisions import Settled, settle_by_rules, settle_with_model
from graphmem.ingest.entities import Entities, add_entities, embed, look_up
from graphmem.ingest.properties import add_property_decisions, in_known_terms
from graphmem.ingest.report import Tally
from graphmem.ingest.tellings import Told, add_same_events, comparable, earlier_tellings
from graphmem.ingest.windows import Planned
from graphmem.ingest.wording import event_text, fact_text, property_text, time_of, validity
from graphmem.providers.chat import Usage
from graphmem.providers.protocols import Embedder
from graphmem.records import EventDraft, Extracted, FactDraft, Mention, Turn
from graphmem.resolve.questions import PROMPT as RESOLVE_PROMPT
from graphmem.settings import Settings

Vectors = Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Built:
    """A window's batch, and what was extracted with all that deciding on it has cost and refused."""

    batch: Batch
    extracted: Extracted


async def window_batch(
    graph: Graph,
    embedder: Embedder,
    chat: WindowChat | None,
    planned: Planned,
    extracted: Extracted,
    settings: Settings,
    tally: Tally,
) -> Built:
    """The batch of a window: entities decided against what the graph holds now, events, facts, and the Extraction that gave them.

    Where there is a model, it is asked once about what rules leave open. Raises what it raises.
    """
    batch = Batch(planned.window.namespace)
    turns = {turn.id: turn for turn in planned.window.turns}
    by = f"{extracted.extractor} {extracted.version}"
    with tally.timed("embed memories"):
        vectors = await embed(embedder, _texts(extracted.events, extracted.facts))
    told = [
        Told(event, event_id(batch, event, by), turns[event.quote.turn_id], vectors[event_text(event)])
        for event in extracted.events
    ]
    with tally.timed("resolve"):
        offered, names = await look_up(graph, embedder, planned, mentions_of(extracted), chat is not None)
        compared = comparable(told, chat is not None)
        earlier = await earlier_tellings(graph, batch.namespace, compared, planned.replaces)
        if chat is None:
            settled = settle_by_rules(batch.namespace, offered, settings.entity_threshold, compared, earlier)
        else:
            settled = await settle_with_model(
                graph,
                embedder,
                chat,
                batch.namespace,
                offered,
                settings.entity_threshold,
                extracted.facts,
                compared,
                earlier,
                turns,
                vectors,
            )
        entities = await add_entities(batch, embedder, offered, settled.judged, turns, names)
    facts, baseless = _facts(extracted.facts, entities, settled, turns)
    with tally.timed("embed memories"):
        chosen = [property_text(each.property.name) for each in settled.properties.values()]
        missing = [text for text in [*_texts((), facts), *chosen] if text not in vectors]
        vectors |= await embed(embedder, missing)
    add_property_decisions(batch, extracted.facts, settled.properties, turns, vectors)
    for each in told:
        _add_event(batch, each, entities, by)
    produced = [("Event", each.id) for each in told]
    for fact in facts:
        identifier = _add_fact(batch, fact, turns[fact.quote.turn_id], entities, vectors, by)
        produced.append(("Fact", identifier))
        if fact.event is not None:
            batch.edge("Event", told[fact.event].id, "ESTABLISHES", "Fact", identifier)
    add_same_events(batch, settled.same_events, told, earlier)
    extracted = _with_costs(extracted, settled, baseless, Usage() if chat is None else chat.usage)
    session, asked = planned.window.session.id, _asked(extracted, settled)
    add_extraction(batch, session, planned.turn_ids, extracted, produced, planned.replaces, **asked)
    if planned.replaces:
        await carry_decisions(graph, batch, planned.turn_ids)
    return Built(batch, extracted)


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


def _texts(events: Sequence[EventDraft], facts: Sequence[FactDraft]) -> list[str]:
    return [
        *(event_text(event) for event in events),
        *(fact_text(fact) for fact in facts),
        *(property_text(fact.property) for fact in facts),
    ]


def _facts(
    drafts: Sequence[FactDraft], entities: Entities, settled: Settled, turns: Mapping[str, Turn]
) -> tuple[list[FactDraft], int]:
    """The facts that are about something, in the terms of the properties decided on, and how many are about nothing."""
    kept = [
        in_known_terms(fact, turns[fact.quote.turn_id], settled.properties_known, settled.properties)
        for fact in drafts
        if entities.of(fact.subject) is not None
    ]
    return kept, len(drafts) - len(kept)


def _with_costs(extracted: Extracted, settled: Settled, baseless: int, usage: Usage) -> Extracted:
    """What was extracted, its usage with what deciding has cost: in the sums, and under ``resolve_…`` by itself."""
    counts = Counter(extracted.usage)
    counts.update(settled.counts)
    if baseless:
        counts["subjects_none"] = baseless
    if usage.calls:
        counts.update(usage.counts())
        counts.update(replace(usage, faults={}).counts("resolve_"))
    return replace(extracted, usage=dict(counts), refused=extracted.refused + baseless)


def _asked(extracted: Extracted, settled: Settled) -> dict[str, str | None]:
    """The prompts and models that took part. The version of extraction with a model names both."""
    prompt, _, model = extracted.version.partition(" ") if extracted.extractor == "model" else ("", "", "")
    return {
        "prompt": prompt or None,
        "model": model or None,
        "resolve_prompt": RESOLVE_PROMPT if settled.model else None,
        "resolve_model": settled.model,
    }


def _add_event(batch: Batch, told: Told, entities: Entities, by: str) -> None:
    event = told.event
    time = time_of(event, told.turn)
    identifier = add_event(batch, event, time, by, told.turn.said_at, event_text(event), told.vector)
    for participant in event.participants:
        entity = entities.of(participant.mention)
        if entity is not None:
            batch.edge("Event", identifier, "INVOLVES", "Entity", entity, key=participant.role, role=participant.role)
    place = entities.of(event.place) if event.place is not None else None
    if place is not None:
        batch.edge("Event", identifier, "AT", "Entity", place)


def _add_fact(batch: Batch, fact: FactDraft, turn: Turn, entities: Entities, vectors: Vectors, by: str) -> str:
    text = fact_text(fact)
    known = properties().get(fact.property)
    cardinality, value_type = (known.cardinality, known.value_type) if known else (fact.cardinality, fact.value_type)
    add_property(batch, fact.property, cardinality, value_type, vectors[property_text(fact.property)])
    value = entities.of(fact.value_mention) if fact.value_mention is not None else None
    subject = entities.of(fact.subject)
    assert subject is not None, "facts about nothing are left out before"
    return add_fact(batch, fact, subject, validity(fact, turn), by, turn.said_at, text, vectors[text], value)
