"""What was read out of turns as nodes and relationships of a batch: events, facts, the extractions they come from, failed attempts.

The forms are those of ``rows_said``. An end that nobody stated is stored as ``OPEN_END``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime

from graphmem.graph.batch import Batch
from graphmem.graph.rows_named import property_id
from graphmem.graph.rows_said import Vector, add_evidence, day_token
from graphmem.ids import digest, namespace_label, normalise_name
from graphmem.records import OPEN_END, EventDraft, Extracted, FactDraft, Interval, TimeNote


def extraction_id(
    namespace: str, window: Sequence[str], extractor: str, version: str, replaces: Sequence[str] = ()
) -> str:
    """An extraction's identifier: of the turns it read anew, who read them, and what it replaces.

    The last, so that going back to an extractor whose reading was replaced is a reading of its own.
    """
    again = ("replaces", *sorted(replaces)) if replaces else ()
    return digest("extraction", namespace, extractor, version, *window, *again)


def add_extraction(
    batch: Batch,
    session_id: str,
    window: Sequence[str],
    extracted: Extracted,
    produced: Sequence[tuple[str, str]],
    replaces: Sequence[str] = (),
    **asked: str | None,
) -> str:
    """An Extraction node joined to what it produced, as (label, identifier), and to those it replaces; returns its identifier.

    ``asked`` are the prompts and models that took part: prompt, model, resolve_prompt, resolve_model.
    """
    identifier = extraction_id(batch.namespace, window, extracted.extractor, extracted.version, replaces)
    batch.node(
        "Extraction",
        identifier,
        session_id=session_id,
        window=list(window),
        extractor=extracted.extractor,
        version=extracted.version,
        refused=extracted.refused,
        usage=json.dumps(dict(extracted.usage), sort_keys=True),
        **asked,
    )
    for label, node in produced:
        batch.edge("Extraction", identifier, "PRODUCED", label, node)
    for earlier in replaces:
        batch.edge("Extraction", identifier, "REPLACES", "Extraction", earlier)
    return identifier


def add_attempt(batch: Batch, session_id: str, window: Sequence[str], extractor: str, version: str, reason: str) -> str:
    """An Attempt node for a window that failed; the same failure of the same window is written once."""
    identifier = digest("attempt", batch.namespace, extractor, version, reason, *window)
    return batch.node(
        "Attempt",
        identifier,
        session_id=session_id,
        window=list(window),
        extractor=extractor,
        version=version,
        reason=reason,
    )


def event_id(batch: Batch, draft: EventDraft, extractor: str) -> str:
    """An event's identifier: of where it is said and what is stated, by which version of which extractor."""
    quote = draft.quote
    stated = (draft.kind, draft.subject, draft.verb, draft.object)
    return digest("event", batch.namespace, quote.turn_id, quote.start, quote.end, *stated, extractor)


def add_event(
    batch: Batch,
    draft: EventDraft,
    time: TimeNote,
    extractor: str,
    asserted_at: datetime,
    searchable: str,
    embedding: Vector,
) -> str:
    """An Event node joined to its quotation; returns its identifier. ``time`` always has at least the turn's own day."""
    identifier = event_id(batch, draft, extractor)
    starts_at = _utc(time.start)
    batch.node(
        "Event",
        identifier,
        kind=draft.kind,
        subject=draft.subject,
        verb=draft.verb,
        object=draft.object,
        summary=draft.summary,
        aliases=list(draft.aliases),
        starts_at=starts_at,
        ends_at=_utc(time.end),
        granularity=time.granularity,
        time_expression=time.expression or None,
        time_rule=time.rule,
        time_confidence=time.confidence,
        policy=time.policy or None,
        alternatives=[f"{_iso(start)}/{_iso(end)}" for start, end in time.alternatives],
        recurrence=time.recurrence,
        life_stage=time.life_stage,
        confidence=draft.confidence,
        asserted_at=asserted_at.astimezone(UTC),
        searchable=searchable,
        scope=namespace_label(batch.namespace),
        day=day_token(starts_at) if starts_at is not None else None,
        embedding=list(embedding),
    )
    batch.edge("Event", identifier, "SUPPORTED_BY", "Evidence", add_evidence(batch, draft.quote))
    return identifier


def fact_id(batch: Batch, draft: FactDraft, subject: str, extractor: str) -> str:
    """A fact's identifier: of where it is said and what is stated, by which version of which extractor."""
    quote = draft.quote
    stated = (subject, draft.property, draft.value, draft.polarity)
    return digest("fact", batch.namespace, quote.turn_id, quote.start, quote.end, *stated, extractor)


def add_fact(
    batch: Batch,
    draft: FactDraft,
    subject: str,
    valid: Interval,
    extractor: str,
    asserted_at: datetime,
    searchable: str,
    embedding: Vector,
    value_entity: str | None = None,
) -> str:
    """A Fact node joined to its subject, its property, its value where that is an entity, and its quotation; returns its identifier.

    ``value_key`` is what tells two values apart when facts succeed one another: the value entity, else the value's normalised text.
    """
    identifier = fact_id(batch, draft, subject, extractor)
    batch.node(
        "Fact",
        identifier,
        property=draft.property,
        value=draft.value,
        value_key=value_entity or normalise_name(draft.value),
        value_type=draft.value_type,
        cardinality=draft.cardinality,
        **_typed(draft),
        unit=draft.unit,
        valid_from=_utc(valid.start) or asserted_at.astimezone(UTC),
        start_stated=valid.start_stated,
        valid_to=_utc(valid.end) or OPEN_END,
        end_stated=valid.end_stated and valid.end is not None,
        granularity=valid.granularity,
        time_expression=draft.time.expression if draft.time is not None else None,
        time_rule=draft.time.rule if draft.time is not None else None,
        policy=draft.time.policy or None if draft.time is not None else None,
        life_stage=draft.time.life_stage if draft.time is not None else None,
        asserted_at=asserted_at.astimezone(UTC),
        polarity=draft.polarity,
        inferred=draft.inferred,
        confidence=draft.confidence,
        searchable=searchable,
        scope=namespace_label(batch.namespace),
        embedding=list(embedding),
    )
    batch.edge("Entity", subject, "HAS_FACT", "Fact", identifier)
    batch.edge("Fact", identifier, "OF", "Property", property_id(batch.namespace, draft.property))
    if value_entity is not None:
        batch.edge("Fact", identifier, "VALUE", "Entity", value_entity)
    batch.edge("Fact", identifier, "SUPPORTED_BY", "Evidence", add_evidence(batch, draft.quote))
    return identifier


def _typed(draft: FactDraft) -> dict[str, object]:
    value = draft.typed
    if isinstance(value, bool):
        return {"flag": value}
    if isinstance(value, int | float):
        return {"number": float(value)}
    if isinstance(value, datetime):
        return {"moment": value.astimezone(UTC)}
    if isinstance(value, tuple):
        return {"items": list(value)}
    return {}


def _utc(moment: datetime | None) -> datetime | None:
    return None if moment is None else moment.astimezone(UTC)


def _iso(moment: datetime | None) -> str:
    return ".." if moment is None else moment.astimezone(UTC).isoformat()
