"""Records as nodes and relationships of a batch: the one place that says which property a field becomes.

Times are stored as instants in UTC; what a turn was said with stays beside them as ``offset`` ("+02:00"). Lists of records become JSON
text, since a Neo4j property holds no maps. ``searchable`` and the one-token fields beside it (``scope``, ``day``, ``speaker_key``) are
what the full-text indexes read: words to find, and filters that work inside the index.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime

from graphmem.graph.batch import Batch
from graphmem.ids import digest, namespace_label, normalise_name
from graphmem.records import (
    OPEN_END,
    Attachment,
    EventDraft,
    Extracted,
    FactDraft,
    Interval,
    Quote,
    Session,
    TimeNote,
    Turn,
)

Vector = Sequence[float]


def speaker_key(speaker: str) -> str:
    """A speaker's name as one token, for filters inside an index: ``p`` and 16 hex digits of its normalised form."""
    return "p" + digest("speaker", normalise_name(speaker))[:16]


def day_token(moment: datetime) -> str:
    """The UTC day of an instant as ``YYYYMMDD``, which sorts as text, for ranges inside a full-text index."""
    return f"{moment.astimezone(UTC):%Y%m%d}".zfill(8)


def attachments_text(attachments: Sequence[Attachment]) -> str | None:
    """Attachments as JSON text, None where there are none."""
    if not attachments:
        return None
    return json.dumps([[a.kind, a.caption, a.address] for a in attachments], ensure_ascii=False)


def attachments_of(text: str | None) -> tuple[Attachment, ...]:
    """The attachments that ``attachments_text`` wrote."""
    return tuple(Attachment(*parts) for parts in json.loads(text)) if text else ()


def add_session(batch: Batch, session: Session) -> None:
    """A Session node, without its turns."""
    batch.node(
        "Session",
        session.id,
        source_id=session.source_id,
        source=session.source,
        title=session.title,
        started_at=session.started_at.astimezone(UTC),
    )


def add_turn(batch: Batch, turn: Turn, searchable: str, embedding: Vector, replaces: str | None = None) -> None:
    """A Turn node in its session, with the words it is found by and their vector; ``replaces`` is the turn it revises."""
    batch.node(
        "Turn",
        turn.id,
        session_id=turn.session_id,
        source_id=turn.source_id,
        position=turn.position,
        speaker=turn.speaker,
        speaker_id=turn.speaker_id,
        role=turn.role,
        addressee=turn.addressee,
        text=turn.text,
        attachments=attachments_text(turn.attachments),
        said_at=turn.said_at.astimezone(UTC),
        offset=_offset(turn.said_at),
        searchable=searchable,
        scope=namespace_label(turn.namespace),
        day=day_token(turn.said_at),
        speaker_key=speaker_key(turn.speaker),
        embedding=list(embedding),
    )
    batch.edge("Session", turn.session_id, "HAS_TURN", "Turn", turn.id)
    if replaces is not None:
        batch.edge("Turn", turn.id, "REPLACES", "Turn", replaces)


def add_evidence(batch: Batch, quote: Quote) -> str:
    """An Evidence node for a quotation, joined to its turn; returns its identifier. ``how`` stands only where it was aligned."""
    how = None if quote.how == "verbatim" else quote.how
    identifier = digest("evidence", batch.namespace, quote.turn_id, quote.start, quote.end, quote.text)
    batch.node("Evidence", identifier, quote=quote.text, start=quote.start, end=quote.end, how=how)
    batch.edge("Evidence", identifier, "QUOTES", "Turn", quote.turn_id)
    return identifier


def entity_id(namespace: str, name: str, type_: str, apart: str = "") -> str:
    """An entity's identifier: the same whichever turn names it first. ``apart`` sets off a namesake that was decided to be another."""
    return digest("entity", namespace, normalise_name(name), type_, apart)


def add_entity(
    batch: Batch,
    identifier: str,
    name: str,
    type_: str,
    external_id: str | None = None,
    attributes: Sequence[tuple[str, str]] = (),
) -> None:
    """An Entity node. ``attributes`` are what was known of it when it was first named, kept to tell namesakes apart."""
    told = [f"{name}: {value}" for name, value in attributes] or None
    batch.node("Entity", identifier, name=name, type=type_, external_id=external_id, attributes=told)


def add_alias(batch: Batch, entity: str, text: str, type_: str, embedding: Vector) -> None:
    """A name of an entity, with the vector that finds it."""
    normalised = normalise_name(text)
    identifier = digest("alias", batch.namespace, entity, normalised)
    batch.node("Alias", identifier, text=text, normalised=normalised, type=type_, embedding=list(embedding))
    batch.edge("Alias", identifier, "NAMES", "Entity", entity)


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


def add_resolution(
    batch: Batch,
    target: str | None,
    target_label: str,
    mention: str,
    decision: str,
    quotes: Sequence[Quote],
    said_at: datetime,
    confidence: float,
    reason: str,
    decided_by: str,
    candidates: Sequence[tuple[str, float]] = (),
) -> str:
    """A Resolution node: which entity or property a mention was decided to be, by whom and why; returns its identifier.

    ``target`` is None where the decision was that the mention stands for nothing.
    """
    where = quotes[0]
    identifier = digest(
        "resolution", batch.namespace, target_label, mention, where.turn_id, where.start, where.end, decided_by
    )
    batch.node(
        "Resolution",
        identifier,
        mention=mention,
        target=target_label,
        decision=decision,
        candidates=[f"{candidate} {score:.4f}" for candidate, score in candidates],
        confidence=confidence,
        reason=reason,
        decided_by=decided_by,
        said_at=said_at.astimezone(UTC),
    )
    if target is not None:
        batch.edge("Resolution", identifier, "RESOLVED_TO", target_label, target)
    for quote in quotes:
        batch.edge("Resolution", identifier, "SUPPORTED_BY", "Evidence", add_evidence(batch, quote))
    return identifier


def property_id(namespace: str, name: str) -> str:
    """A property's identifier."""
    return digest("property", namespace, name)


def add_property(batch: Batch, name: str, cardinality: str, value_type: str, embedding: Vector) -> str:
    """A Property node; returns its identifier."""
    identifier = property_id(batch.namespace, name)
    batch.node(
        "Property", identifier, name=name, cardinality=cardinality, value_type=value_type, embedding=list(embedding)
    )
    return identifier


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


def _offset(moment: datetime) -> str:
    shift = moment.utcoffset()
    if shift is None:
        raise ValueError(f"{moment.isoformat()} has no offset; readers give every turn one")
    minutes = round(shift.total_seconds() / 60)
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"
