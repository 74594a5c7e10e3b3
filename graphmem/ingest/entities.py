"""Resolution at ingestion: asks the graph for what the pure decision needs, and adds what was decided to the window's batch."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.graph.batch import Batch
from graphmem.graph.connection import Graph, Row
from graphmem.graph.queries import load
from graphmem.graph.rows import add_alias, add_entity, add_resolution, entity_id
from graphmem.ids import normalise_name
from graphmem.ingest.windows import Planned
from graphmem.providers.protocols import Embedder
from graphmem.records import Mention
from graphmem.resolve import Candidate, Group, Known, Resolved, decide, group_mentions, names_to_look_up
from graphmem.resolve.decide import descriptions, group_key
from graphmem.settings import Settings

CANDIDATES = 8
"""How many vector candidates a decision sees."""

OVER_FETCH = 20
"""On a server that cannot filter inside the index: how many times as many are fetched, before those of other namespaces fall away."""


@dataclass(frozen=True, slots=True)
class Entities:
    """The entities that the mentions of a window stand for."""

    by_key: Mapping[tuple[str, str, str], str]

    def of(self, mention: Mention) -> str:
        """The identifier of the entity that a mention of this window stands for."""
        return self.by_key[group_key(mention)]


async def resolve_window(
    graph: Graph, embedder: Embedder, batch: Batch, planned: Planned, mentions: Sequence[Mention], settings: Settings
) -> Entities:
    """Decides what the mentions of a window stand for and adds entities, names and decisions to its batch."""
    session = planned.window.session
    groups = group_mentions(mentions, {turn.speaker: turn.speaker_id for turn in session.turns})
    exact = await _exact(graph, batch.namespace, groups)
    still_open = [group for group in groups if not exact.get(normalise_name(group.name))]
    vectors = await _embed(embedder, [group.name for group in still_open])
    similar = await asyncio.gather(*(_similar(graph, batch.namespace, vectors[group.name]) for group in still_open))
    candidates = dict(zip([group.key for group in still_open], similar, strict=True))
    decided = [decide(group, exact, candidates.get(group.key, []), settings.entity_threshold) for group in groups]
    names = {each.group.key: _new_names(each, exact) for each in decided}
    vectors |= await _embed(embedder, [name for own in names.values() for name in own if name not in vectors])
    said = {turn.id: turn.said_at for turn in planned.window.turns}
    return Entities({each.group.key: _add(batch, each, names[each.group.key], vectors, said) for each in decided})


def _add(
    batch: Batch,
    resolved: Resolved,
    names: Sequence[str],
    vectors: Mapping[str, Sequence[float]],
    said: Mapping[str, datetime],
) -> str:
    group = resolved.group
    entity = resolved.entity or entity_id(batch.namespace, group.name, group.type, resolved.apart)
    if resolved.decision == "propose_new":
        add_entity(batch, entity, group.name, group.type, group.speaker_id, group.attributes)
    for name in names:
        add_alias(batch, entity, name, group.type, vectors[name])
    quotes = list(dict.fromkeys(mention.quote for mention in group.mentions))
    add_resolution(
        batch,
        entity,
        "Entity",
        group.name,
        resolved.decision,
        quotes,
        said[quotes[0].turn_id],
        resolved.confidence,
        resolved.reason,
        "rule",
        resolved.candidates,
    )
    return entity


def _new_names(resolved: Resolved, exact: Mapping[str, Sequence[Known]]) -> list[str]:
    """The names that a decision gives to its entity and that it does not bear yet: the mention's own, and what it is described as."""
    return [
        name
        for name in (resolved.group.name, *descriptions(resolved.group))
        if resolved.entity is None or resolved.entity not in [known.id for known in exact.get(normalise_name(name), ())]
    ]


async def _exact(graph: Graph, namespace: str, groups: Sequence[Group]) -> dict[str, list[Known]]:
    names = sorted({name for group in groups for name in names_to_look_up(group)})
    rows = await graph.read(load("resolve/exact_aliases"), namespace=namespace, names=names)
    ambiguous = {row["name"] for row in rows if sum(other["name"] == row["name"] for other in rows) > 1}
    ids = sorted({row["id"] for row in rows if row["name"] in ambiguous})
    spoken = await graph.read(load("resolve/last_spoken"), ids=ids) if ids else []
    last = {row["id"]: row["last_spoken"] or "" for row in spoken}
    found: dict[str, list[Known]] = {}
    for row in rows:
        found.setdefault(row["name"], []).append(_known(row, last.get(row["id"], "")))
    return found


async def _similar(graph: Graph, namespace: str, vector: Sequence[float]) -> list[Candidate]:
    if graph.has_search_clause:
        rows = await graph.read(load("resolve/similar_aliases"), namespace=namespace, vector=vector, limit=CANDIDATES)
    else:
        rows = await graph.read(
            load("resolve/similar_aliases_5"),
            namespace=namespace,
            vector=vector,
            limit=CANDIDATES,
            fetch=CANDIDATES * OVER_FETCH,
        )
    return [Candidate(_known(row), row["alias"], row["score"]) for row in rows]


async def _embed(embedder: Embedder, names: Sequence[str]) -> dict[str, list[float]]:
    unique = list(dict.fromkeys(names))
    return dict(zip(unique, await asyncio.to_thread(embedder.embed_documents, unique), strict=True)) if unique else {}


def _known(row: Row, last_spoken: str = "") -> Known:
    return Known(
        id=row["id"],
        name=row["entity"],
        type=row["type"],
        aliases=tuple(row["aliases"]),
        external_id=row["external_id"],
        attributes=tuple(_pair(told) for told in row["attributes"] or ()),
        last_spoken=last_spoken,
    )


def _pair(told: str) -> tuple[str, str]:
    name, _, value = told.partition(": ")
    return name, value
