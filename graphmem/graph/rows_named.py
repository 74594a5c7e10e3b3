"""Who and what is spoken of as nodes and relationships of a batch: entities, their names, properties, and how a mention was decided.

The forms are those of ``rows_said``.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from graphmem.graph.batch import Batch
from graphmem.graph.rows_said import Vector, add_evidence
from graphmem.ids import digest, normalise_name
from graphmem.records import Quote


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
