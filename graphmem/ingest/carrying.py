"""Carries a person's corrections, retractions and moves over to a new reading of turns, in the batch that replaces the old one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphmem.graph.batch import Batch
from graphmem.graph.connection import Graph, Row
from graphmem.graph.queries import load
from graphmem.graph.read import entities
from graphmem.ids import normalise_name
from graphmem.resolve.carry import Statement, Undoing, carried


async def carry_decisions(graph: Graph, batch: Batch, turns: Sequence[str]) -> None:
    """Joins what undid a statement of these turns to the statement of the batch that says the same again."""
    rows = await graph.read(load("resolve/statements_of_turns"), ids=list(turns))
    if not any(row["undone_by"] for row in rows):
        return
    again = _stated(batch)
    decided = [by for row in rows for by in row["undone_by"]]
    named = {row.get(name) for row in (*rows, *again, *decided) for name in _ENTITIES} - {None}
    groups = await entities(graph, batch.namespace, ids=sorted(named)) if named else ()
    one = {identifier: group.id for group in groups for identifier in group.ids}
    pairs = carried([_statement(row, one) for row in rows], [_statement(row, one) for row in again])
    for undoing, statement in pairs:
        batch.edge(statement.label, undoing.id, undoing.kind, statement.label, statement.id)


_ENTITIES = ("owner", "value_key")
"""Columns that may hold the identifier of an entity."""


def _statement(row: Mapping[str, Any], one: Mapping[str, str]) -> Statement:
    owner = row["owner"] or ""
    return Statement(
        row["label"],
        row["id"],
        one.get(owner, owner),
        row["property"] or row["kind"],
        _values(row, one),
        row["polarity"] or "",
        row["turn"],
        row["start"],
        row["end"],
        tuple(Undoing(by["id"], by["kind"], _values(by, one)) for by in row.get("undone_by", ())),
    )


def _values(row: Mapping[str, Any], one: Mapping[str, str]) -> frozenset[str]:
    if row.get("property") is None:
        return frozenset({normalise_name(f"{row['verb']} {row['object']}")})
    key = row["value_key"] or ""
    return frozenset({one.get(key, key), normalise_name(row["value"])})


def _stated(batch: Batch) -> list[Row]:
    """The facts and events of a batch as the query gives those of the graph."""
    owners = {fact: owner for owner, fact, _ in batch.edges.get(("Entity", "HAS_FACT", "Fact"), {})}
    turns = {quoting: turn for quoting, turn, _ in batch.edges.get(("Evidence", "QUOTES", "Turn"), {})}
    found = []
    for label in ("Fact", "Event"):
        for identifier, evidence, _ in batch.edges.get((label, "SUPPORTED_BY", "Evidence"), {}):
            words = batch.nodes["Evidence"][evidence]
            columns = ("property", "value", "value_key", "polarity", "kind", "verb", "object")
            own = batch.nodes[label][identifier]
            found.append(
                {name: own.get(name) for name in columns}
                | {"label": label, "id": identifier, "owner": owners.get(identifier), "turn": turns[evidence]}
                | {"start": words["start"], "end": words["end"]}
            )
    return found
