"""Mentions of a window: what the graph offers for them, and the entities, names and decisions that are added to the window's batch."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from graphmem.graph.batch import Batch
from graphmem.graph.connection import Graph, Row
from graphmem.graph.queries import load
from graphmem.graph.rows_named import add_alias, add_entity, add_resolution, entity_id
from graphmem.ids import normalise_name
from graphmem.ingest.windows import Planned
from graphmem.providers.protocols import Embedder
from graphmem.records import Mention, Turn
from graphmem.resolve import Candidate, Group, Known, Resolved, decide, group_mentions, names_to_look_up
from graphmem.resolve.decide import compatible, descriptions, group_key, one_of_each, veto_reason
from graphmem.resolve.with_model import Judged

_DETERMINERS = frozenset("the that this those these my our your his her their a an".split())

BY_FACTS = BY_RECENCY = 2
"""How many of the candidates for a description come from facts that are like it, and from what was last spoken of."""

LOOK_BACK = 50
"""Turns in which something was last spoken of."""

CANDIDATES = 8
"""How many vector candidates a decision sees."""

OVER_FETCH = 20
"""On a server that cannot filter inside the index: how many times as many are fetched, before those of other namespaces fall away."""

Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Entities:
    """The entities that the mentions of a window stand for."""

    by_key: Mapping[Key, str | None]

    def of(self, mention: Mention) -> str | None:
        """The identifier of the entity that a mention of this window stands for, None where it was decided to be nothing."""
        return self.by_key[group_key(mention)]


@dataclass(frozen=True, slots=True)
class Offered:
    """The mentions of a window in groups, and what the graph offers for each: by exact name, and by nearness."""

    groups: tuple[Group, ...]
    exact: Mapping[str, Sequence[Known]]
    similar: Mapping[Key, Sequence[Candidate]]
    described: Mapping[Key, Sequence[Candidate]] = field(default_factory=dict)
    """For descriptions ("the restaurant from last time"): what facts like it are about, and what was last spoken of. For a model only."""

    def by_rule(self, group: Group, threshold: float) -> Resolved:
        """What rules decide."""
        return decide(group, self.exact, self.similar.get(group.key, ()), threshold)

    def is_settled(self, group: Group) -> bool:
        """Whether no model need be asked: it is a speaker, or the name is that of exactly one entity that it can be."""
        return group.speaker is not None or len(self.namesakes(group)) == 1

    def namesakes(self, group: Group) -> list[Known]:
        """The entities of exactly this name that it can be; those that were decided to be one count once."""
        return one_of_each(
            [
                known
                for known in self.exact.get(normalise_name(group.name), ())
                if compatible(group.type, known.type) and veto_reason(group, known, group.name) is None
            ]
        )

    def candidates(self, group: Group) -> tuple[Candidate, ...]:
        """What a model may choose from: those of exactly this name, then the nearest, each once; half of them by facts and recency for a
        description."""
        described = self.described.get(group.key, ())
        nearest = self.similar.get(group.key, ())[: CANDIDATES - len(described)]
        named = [Candidate(known, group.name, 1.0) for known in self.namesakes(group)]
        found: dict[str, Candidate] = {}
        for candidate in (*named, *nearest, *described):
            if compatible(group.type, candidate.known.type):
                found.setdefault(candidate.known.together or candidate.known.id, candidate)
        return tuple(found.values())[:CANDIDATES]


async def look_up(
    graph: Graph, embedder: Embedder, planned: Planned, mentions: Sequence[Mention], with_model: bool
) -> tuple[Offered, dict[str, Sequence[float]]]:
    """What the graph offers for the mentions of a window, and the vectors of the names that were not settled by themselves.

    With a model, namesakes of one name are searched for as well, since it can tell them apart.
    """
    session = planned.window.session
    namespace = planned.window.namespace
    groups = group_mentions(mentions, {turn.speaker: turn.speaker_id for turn in session.turns})
    offered = Offered(groups, await _exact(graph, namespace, groups), {})
    still_open = [
        group
        for group in groups
        if not (offered.is_settled(group) if with_model else offered.exact.get(normalise_name(group.name)))
    ]
    vectors = await embed(embedder, [group.name for group in still_open])
    similar = await _similar(graph, namespace, [vectors[group.name] for group in still_open])
    found = dict(zip([group.key for group in still_open], similar, strict=True))
    described = [group for group in still_open if with_model and is_described(group.name)]
    by_key = await _described(graph, namespace, described, vectors, planned.window.turns[0].said_at)
    return Offered(groups, offered.exact, found, by_key), vectors


async def add_entities(
    batch: Batch,
    embedder: Embedder,
    offered: Offered,
    judged: Sequence[Judged],
    turns: Mapping[str, Turn],
    vectors: dict[str, Sequence[float]],
) -> Entities:
    """Adds what was decided: new entities, the names that entities now bear, and the decisions."""
    names = [_new_names(each, offered.exact) for each in judged]
    vectors |= await embed(embedder, [name for own in names for name in own if name not in vectors])
    return Entities(
        {
            each.resolved.group.key: _add(batch, each, own, vectors, turns)
            for each, own in zip(judged, names, strict=True)
        }
    )


def is_described(name: str) -> bool:
    """Whether a mention describes what it means ("the restaurant I told you about") instead of naming it: no word of it is capitalised."""
    words = [word for word in name.split() if word.casefold() not in _DETERMINERS]
    return any(map(str.islower, name)) and not any(word[:1].isupper() for word in words)


def by_rule_alone(resolved: Resolved) -> Judged:
    """A decision of the rules as it is added."""
    return Judged(resolved, "rule", resolved.group.name, resolved.group.type)


def entity_of(namespace: str, judged: Judged) -> str | None:
    """The identifier of the entity that was decided on, None for nothing."""
    if judged.resolved.decision == "none":
        return None
    return judged.resolved.entity or entity_id(namespace, judged.name, judged.type, judged.resolved.apart)


async def embed(embedder: Embedder, texts: Sequence[str]) -> dict[str, Sequence[float]]:
    """Vectors by text."""
    unique = list(dict.fromkeys(texts))
    return dict(zip(unique, await asyncio.to_thread(embedder.embed_documents, unique), strict=True)) if unique else {}


def _add(
    batch: Batch,
    judged: Judged,
    names: Sequence[str],
    vectors: Mapping[str, Sequence[float]],
    turns: Mapping[str, Turn],
) -> str | None:
    resolved = judged.resolved
    group = resolved.group
    entity = entity_of(batch.namespace, judged)
    if entity is not None:
        if resolved.decision == "propose_new":
            add_entity(batch, entity, judged.name, judged.type, group.speaker_id, group.attributes)
        for name in names:
            add_alias(batch, entity, name, judged.type, vectors[name])
    quotes = list(dict.fromkeys(mention.quote for mention in group.mentions))
    add_resolution(
        batch,
        entity,
        "Entity",
        group.name,
        resolved.decision,
        quotes,
        turns[quotes[0].turn_id].said_at,
        resolved.confidence,
        resolved.reason,
        judged.decided_by,
        resolved.candidates,
    )
    return entity


def _new_names(judged: Judged, exact: Mapping[str, Sequence[Known]]) -> list[str]:
    """The names that a decision gives to its entity and that it does not bear yet: the mention's own, what it is described as, and those
    that a model found in the text."""
    resolved = judged.resolved
    if resolved.decision == "none":
        return []
    given = (judged.name, resolved.group.name, *judged.aliases, *descriptions(resolved.group))
    return [
        name
        for name in dict.fromkeys(given)
        if normalise_name(name)
        and (
            resolved.entity is None
            or resolved.entity not in [known.id for known in exact.get(normalise_name(name), ())]
        )
    ]


async def _exact(graph: Graph, namespace: str, groups: Sequence[Group]) -> dict[str, list[Known]]:
    names = sorted({name for group in groups for name in names_to_look_up(group)})
    rows = await graph.read(load("resolve/exact_aliases"), namespace=namespace, names=names)
    ambiguous = {row["name"] for row in rows if sum(other["name"] == row["name"] for other in rows) > 1}
    ids = sorted({row["id"] for row in rows if row["name"] in ambiguous})
    spoken = await _spoken(graph, ids)
    found: dict[str, list[Known]] = {}
    for row in rows:
        found.setdefault(row["name"], []).append(_known(row, spoken))
    return found


async def _spoken(graph: Graph, ids: Sequence[str]) -> dict[str, Row]:
    """When each of these entities was last spoken of, and with which it was decided to be one."""
    rows = await graph.read(load("resolve/last_spoken"), ids=list(ids)) if ids else []
    return {row["id"]: row for row in rows}


async def _similar(graph: Graph, namespace: str, vectors: Sequence[Sequence[float]]) -> list[list[Candidate]]:
    """For each vector the entities whose names are nearest, in one query."""
    found: list[list[Candidate]] = [[] for _ in vectors]
    if not vectors:
        return found
    if graph.has_search_clause:
        rows = await graph.read(load("resolve/similar_aliases"), namespace=namespace, vectors=vectors, limit=CANDIDATES)
    else:
        rows = await graph.read(
            load("resolve/similar_aliases_5"),
            namespace=namespace,
            vectors=vectors,
            limit=CANDIDATES,
            fetch=CANDIDATES * OVER_FETCH,
        )
    spoken = await _spoken(graph, sorted({row["id"] for row in rows}))
    for row in rows:
        found[row["place"]].append(Candidate(_known(row, spoken), row["alias"], row["score"]))
    return found


async def _described(
    graph: Graph, namespace: str, groups: Sequence[Group], vectors: Mapping[str, Sequence[float]], before: datetime
) -> dict[Key, list[Candidate]]:
    """For each description what it may mean by what is known and by what was last spoken of, of the types that it can be."""
    if not groups:
        return {}
    asked = {"namespace": namespace, "vectors": [vectors[group.name] for group in groups]}
    if graph.has_search_clause:
        rows = await graph.read(load("resolve/similar_facts"), **asked, limit=CANDIDATES)
    else:
        rows = await graph.read(load("resolve/similar_facts_5"), **asked, fetch=CANDIDATES * OVER_FETCH)
    recent = await graph.read(
        load("resolve/lately_spoken"),
        namespace=namespace,
        before=before.astimezone(UTC),
        turns=LOOK_BACK,
        limit=LOOK_BACK,
    )
    spoken = await _spoken(graph, sorted({row["id"] for row in (*rows, *recent)}))
    found: dict[Key, list[Candidate]] = {}
    for place, group in enumerate(groups):
        told = [Candidate(_known(row, spoken), row["alias"], row["score"]) for row in rows if row["place"] == place]
        late = [Candidate(_known(row, spoken), row["entity"], 0.5) for row in recent]
        own = [[each for each in kind if each.known.type == group.type] for kind in (told, late)]
        found[group.key] = own[0][:BY_FACTS] + own[1][:BY_RECENCY]
    return found


def _known(row: Row, spoken: Mapping[str, Row]) -> Known:
    known = spoken.get(row["id"], {})
    return Known(
        id=row["id"],
        name=row["entity"],
        type=row["type"],
        aliases=tuple(row["aliases"]),
        external_id=row["external_id"],
        attributes=tuple(_pair(told) for told in row["attributes"] or ()),
        last_spoken=known.get("last_spoken") or "",
        together=known.get("together") or "",
    )


def _pair(told: str) -> tuple[str, str]:
    name, _, value = told.partition(": ")
    return name, value
