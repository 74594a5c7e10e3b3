"""Changing one's mind, by appending only: a person's correction or retraction of a fact.

Both are facts of their own, supported by a quotation from a turn that says so (stored before, or in the same transaction), with CORRECTS
or RETRACTS to every statement that is shown as one with the fact they are about. What they undo stays in the graph and stands again should
they be undone themselves (``graphmem/graph/read.py``, 2). A correction says another value of the same property; a retraction says only that
this was wrong.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from graphmem.errors import CommitConflict, InputError
from graphmem.graph.batch import Batch
from graphmem.graph.connection import Graph
from graphmem.graph.queries import load
from graphmem.graph.read import Period, entities, periods
from graphmem.graph.rows_stated import add_fact
from graphmem.graph.statements import add_statement, whole
from graphmem.graph.write import Committed, append, read_head
from graphmem.providers.protocols import Embedder
from graphmem.records import OPEN_END, FactDraft, Interval, Mention, Quote, Turn

BY_PERSON = "person"
"""Stands where an extractor's name and version stand in the identifier of an extracted fact."""

ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Correction:
    """What was appended: the fact that corrects or retracts, and the statements it undoes. ``committed`` has no counts if all was there."""

    fact_id: str
    undone: tuple[str, ...]
    committed: Committed


async def correct(
    graph: Graph,
    namespace: str,
    fact_id: str,
    value: str,
    says: Quote | Turn,
    embedder: Embedder,
    *,
    valid: Interval | None = None,
    value_entity: str | None = None,
    typed: int | float | bool | datetime | tuple[str, ...] | None = None,
    unit: str | None = None,
) -> Correction:
    """Appends that a fact's value is ``value``, as ``says`` says. ``valid`` None: for the same time as the fact it corrects.

    ``says`` is a quotation from a stored turn, or a turn (``graph/statements.py``) that is stored in the same transaction: where the
    correction is refused, or another writer was first, so are the words.
    ``value_entity`` is the identifier of the entity that the value is, where it is one; where the corrected value is an entity, the one
    of that name if it is not given. Done twice, it adds nothing. Raises InputError if
    the fact, the quoted turn or the value's entity is not in the namespace, if the quotation is not what stands in the turn, or if the
    fact no longer stands; CommitConflict if other writers were first five times in a row.
    """
    if value_entity is not None and not await entities(graph, namespace, ids=[value_entity]):
        raise InputError(f"there is no entity {value_entity!r} in namespace {namespace!r}")
    return await _append(graph, namespace, fact_id, says, embedder, "CORRECTS", value, valid, value_entity, typed, unit)


async def retract(graph: Graph, namespace: str, fact_id: str, says: Quote | Turn, embedder: Embedder) -> Correction:
    """Appends that a fact was wrong, as ``says`` says, without another value. Done twice, it adds nothing. Raises like ``correct``."""
    return await _append(graph, namespace, fact_id, says, embedder, "RETRACTS")


async def _append(
    graph: Graph,
    namespace: str,
    fact_id: str,
    says: Quote | Turn,
    embedder: Embedder,
    kind: Literal["CORRECTS", "RETRACTS"],
    value: str | None = None,
    valid: Interval | None = None,
    value_entity: str | None = None,
    typed: int | float | bool | datetime | tuple[str, ...] | None = None,
    unit: str | None = None,
) -> Correction:
    if isinstance(says, Turn):
        quote, said_at = whole(says), says.said_at
    else:
        quote, said_at = says, await _said(graph, namespace, says)
    for attempt in range(ATTEMPTS):
        base = await read_head(graph, namespace)
        about = await _about(graph, namespace, fact_id)
        period = await _period(graph, namespace, about)
        if kind == "RETRACTS":
            value, value_entity = about["fact"]["value"], about["value_entity"]
            valid = Interval(said_at, None, "instant", start_stated=False, end_stated=False)
        assert value is not None
        if value_entity is None and about["value_entity"] is not None:
            value_entity = await _entity_named(graph, namespace, value)
        draft = FactDraft(
            Mention(about["subject"], "", quote),
            about["property"],
            value,
            quote,
            value_type=about["value_type"],
            cardinality=about["cardinality"],
            typed=typed,
            unit=unit,
            polarity="holds" if kind == "CORRECTS" else "denied",
            confidence=1.0,
        )
        batch = Batch(namespace)
        words = f"{about['subject']} {about['property'].replace('_', ' ')} {value}" + (f" {unit}" if unit else "")
        [vector] = await asyncio.to_thread(embedder.embed_documents, [words])
        when = valid if valid is not None else _stated(period, about["fact"])
        identifier = add_fact(
            batch,
            draft,
            about["subject_id"],
            _begun(when, said_at),
            BY_PERSON,
            said_at,
            words,
            vector,
            value_entity,
        )
        if not about["stands"] and identifier not in about["undone_by"]:
            raise InputError(
                f"fact {fact_id!r} ({about['property']} {about['fact']['value']!r}) no longer stands; "
                "look at its history and correct what holds now"
            )
        undone = period.members if period is not None else (fact_id,)
        for statement in undone:
            batch.edge("Fact", identifier, kind, "Fact", statement)
        derived = await add_statement(graph, batch, says, embedder) if isinstance(says, Turn) else []
        try:
            return Correction(identifier, undone, await append(graph, batch, base, derived=derived))
        except CommitConflict:
            if attempt == ATTEMPTS - 1:
                raise
    raise AssertionError("unreachable")


async def _said(graph: Graph, namespace: str, quote: Quote) -> datetime:
    """When the quoted turn was said, once it is known to say it."""
    rows = await graph.read(load("read/turn"), namespace=namespace, turn=quote.turn_id)
    if not rows:
        raise InputError(f"there is no turn {quote.turn_id!r} in namespace {namespace!r}; store it before it is quoted")
    if not quote.text or rows[0]["text"][quote.start : quote.end] != quote.text:
        raise InputError(
            f"turn {rows[0]['turn_id']!r} does not say {quote.text!r} at {quote.start}:{quote.end}; quote it word for word"
        )
    said_at: datetime = rows[0]["said_at"]
    return said_at


async def _entity_named(graph: Graph, namespace: str, name: str) -> str | None:
    """The one entity of this name, so that a corrected value is the same as when it is stated elsewhere; None if none or several are."""
    found = await entities(graph, namespace, [name])
    return found[0].id if len(found) == 1 else None


async def _about(graph: Graph, namespace: str, fact_id: str) -> Mapping[str, Any]:
    rows = await graph.read(load("read/fact"), namespace=namespace, fact=fact_id, said_by=None, known_at=None)
    if not rows:
        raise InputError(f"there is no fact {fact_id!r} in namespace {namespace!r}")
    return rows[0]


async def _period(graph: Graph, namespace: str, about: Mapping[str, Any]) -> Period | None:
    """The period that the fact is shown in; None for an ending, a denial, or what never came to hold."""
    found = await periods(graph, namespace, [about["subject_id"]], [about["property"]])
    return next((period for period in found if about["fact"]["id"] in period.members), None)


def _stated(period: Period | None, fact: Mapping[str, Any]) -> Interval:
    """The time that statements speak of: without the end that a later value, an ending or a denial put to it."""
    if period is None:
        end = fact["valid_to"] if fact["valid_to"] < OPEN_END else None
        return Interval(fact["valid_from"], end, fact["granularity"], fact["start_stated"], fact["end_stated"])
    valid = period.fact.valid
    own = period.ended_by is None
    return Interval(
        valid.start, valid.end if own else None, valid.granularity, valid.start_stated, own and valid.end_stated
    )


def _begun(valid: Interval, said_at: datetime) -> Interval:
    """The interval with a start: what nobody stated to have begun holds when it is said or, where it is over, right before its end."""
    if valid.start is not None:
        return valid
    start = said_at if valid.end is None else min(said_at, valid.end)
    return Interval(start, valid.end, valid.granularity, start_stated=False, end_stated=valid.end_stated)
