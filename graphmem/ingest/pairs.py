"""A person's decisions on who is who: pairs of entities that could be one, that two are one or are two, and that one was two all along.

Everything is appended: SAME_AS and DISTINCT_FROM with who decided, when and why, of which the latest of a pair counts; where one entity
stood for two, its statements of some turns are restated on the right one, with REPLACES and the same evidence. The person's words are
stored as a turn, and a Resolution rests on them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem.errors import CommitConflict, InputError
from graphmem.graph.batch import Batch
from graphmem.graph.connection import Graph, Row
from graphmem.graph.queries import load
from graphmem.graph.read import EntityView, entities
from graphmem.graph.read_rows import zone
from graphmem.graph.rows_named import add_alias, add_entity, add_resolution, entity_id
from graphmem.graph.write import Committed, append, read_head
from graphmem.ids import digest, instant
from graphmem.ingest.decisions import sentence_around
from graphmem.ingest.entities import OVER_FETCH
from graphmem.providers.protocols import Embedder
from graphmem.records import Citation, Quote
from graphmem.resolve.pairs import LEAST, Decided, Named, Near, between, likely, standing

NEIGHBOURS = 8
"""Names that each name is compared with."""

SHOWN = 3
"""Facts and quotations that a pair is shown with, of each side."""

ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Side:
    """An entity of a pair with what is known of it: its latest facts, and sentences that speak of it, the latest first."""

    entity: EntityView
    facts: tuple[str, ...]
    quotations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class LikelyPair:
    """Two entities that could be one, how much speaks for it (0 to 1), and what."""

    one: Side
    other: Side
    score: float
    because: str


@dataclass(frozen=True, slots=True)
class Split:
    """What a split appended: the entity that the statements are now about, and the statements restated. Without counts: all was there."""

    entity: str
    restated: tuple[str, ...]
    committed: Committed


async def likely_pairs(graph: Graph, namespace: str, limit: int = 20) -> list[LikelyPair]:
    """The pairs of a namespace to ask a person about, the likeliest first."""
    groups = {each.id: each for each in await entities(graph, namespace)}
    asked: dict[str, Any] = {"namespace": namespace, "least": LEAST}
    if graph.has_search_clause:
        rows = await graph.read(load("resolve/near_names"), **asked, limit=NEIGHBOURS)
    else:
        rows = await graph.read(load("resolve/near_names_5"), **asked, fetch=NEIGHBOURS * OVER_FETCH)
    near = [Near(row["one"], row["other"], row["name"], row["other_name"], row["score"]) for row in rows]
    decided = await _decided(graph, [identifier for each in groups.values() for identifier in each.ids])
    pairs = likely([_named(each) for each in groups.values()], near, decided)[:limit]
    ids = sorted({identifier for pair in pairs for side in (pair.one, pair.other) for identifier in side.ids})
    told = await graph.read(load("resolve/latest_facts"), ids=ids, limit=SHOWN) if ids else []
    facts = {row["id"]: row["facts"] for row in told}
    quoted = await graph.read(load("resolve/quotations"), ids=ids, limit=SHOWN) if ids else []
    quotations = {row["id"]: [_citation(each) for each in row["quotations"]] for row in quoted}

    def side(named: Named) -> Side:
        own = [citation for identifier in named.ids for citation in quotations.get(identifier, [])]
        return Side(
            groups[named.id],
            tuple(fact for identifier in named.ids for fact in facts.get(identifier, []))[:SHOWN],
            tuple(sorted(own, key=lambda citation: citation.said_at, reverse=True)[:SHOWN]),
        )

    return [LikelyPair(side(pair.one), side(pair.other), pair.score, pair.because) for pair in pairs]


async def decide(
    graph: Graph, namespace: str, one: str, other: str, *, same: bool, reason: str, quote: Quote, decided_at: datetime
) -> Committed:
    """Appends that two entities are one, or are two, as ``quote`` says. Raises InputError where that would not come about.

    It would not where an entity is not in the namespace; where two are to be distinct that are one through others as well; and where two
    are to be one of which others were decided to be distinct: those pairs are to be decided first, and the message names them.
    """

    async def work() -> Batch:
        known = {
            identifier: each for each in await entities(graph, namespace, ids=[one, other]) for identifier in each.ids
        }
        for identifier in (one, other):
            if identifier not in known:
                raise InputError(f"there is no entity {identifier!r} in namespace {namespace!r}")
        if one == other:
            raise InputError(f"{one!r} is one entity; give two, or split it")
        _refuse_contradiction(await _decided(graph, list(known)), known, one, other, same)
        batch = Batch(namespace)
        at = instant(decided_at)
        kind = "SAME_AS" if same else "DISTINCT_FROM"
        batch.edge("Entity", one, kind, "Entity", other, key=at, decided_at=at, decided_by="person", reason=reason)
        decision, target = ("choose_existing", other) if same else ("propose_new", one)
        add_resolution(
            *(batch, target, "Entity", known[one].name, decision, [quote], decided_at, 1.0, reason, "person"),
            [(other, 1.0)],
        )
        return batch

    return await _append(graph, namespace, work)


async def split(
    graph: Graph,
    embedder: Embedder,
    namespace: str,
    entity: str,
    name: str,
    places: Sequence[str],
    *,
    reason: str,
    quote: Quote,
    decided_at: datetime,
) -> Split:
    """Appends that what was said of an entity in these turns or quotations is about another one, ``name``: those statements on it.

    ``places`` are identifiers of turns or evidence, or turns' own identifiers. The new entity is distinct from the old one; splitting
    more off under the same name adds to it. Raises InputError if there is no such entity, or nothing of it rests on these places.
    """
    restated: list[str] = []
    made = entity_id(namespace, name, "", f"split from {entity}")
    [vector] = await asyncio.to_thread(embedder.embed_documents, [name])

    async def work() -> Batch:
        found = await entities(graph, namespace, ids=[entity])
        if not found:
            raise InputError(f"there is no entity {entity!r} in namespace {namespace!r}")
        asked = {"namespace": namespace, "entity": entity, "places": list(places)}
        rows = await graph.read(load("resolve/statements_of_entity"), **asked)
        mentions = await graph.read(load("resolve/mentions_of_entity"), **asked)
        again = await entities(graph, namespace, ids=[made])
        for place in places:
            several = {row["turn_id"] for row in mentions if row["source_id"] == place}
            if len(several) > 1:
                raise InputError(f"{place!r} is a turn of several sessions; give one of {', '.join(sorted(several))}")
        if not rows and not mentions and not again:
            raise InputError(f"nothing that is said of {found[0].name!r} ({entity}) rests on {', '.join(places)}")
        batch = Batch(namespace)
        add_entity(batch, made, name, found[0].type)
        add_alias(batch, made, name, found[0].type, vector)
        if made not in found[0].ids and not again:
            at = instant(decided_at)
            batch.edge(
                *("Entity", made, "DISTINCT_FROM", "Entity", entity),
                **{"key": at, "decided_at": at, "decided_by": "person", "reason": reason},
            )
        new = {row["properties"]["id"]: _restated_id(row, made) for row in rows}
        restated[:] = list(new.values())
        for row in rows:
            _restate(batch, row, entity, made, new)
        quotes = [Quote(row["turn_id"], row["start"], row["end"], row["quote"]) for row in mentions]
        if rows or mentions:
            add_resolution(
                *(batch, made, "Entity", name, "propose_new", [quote, *quotes], decided_at, 1.0, reason, "person"),
                [(entity, 1.0)],
            )
        return batch

    committed = await _append(graph, namespace, work)
    return Split(made, tuple(restated), committed)


async def _append(graph: Graph, namespace: str, work: Callable[[], Any]) -> Committed:
    for attempt in range(ATTEMPTS):
        base = await read_head(graph, namespace)
        batch: Batch = await work()
        try:
            return await append(graph, batch, base)
        except CommitConflict:
            if attempt == ATTEMPTS - 1:
                raise
    raise AssertionError("unreachable")


def _refuse_contradiction(
    decided: Sequence[Decided], known: dict[str, EntityView], one: str, other: str, same: bool
) -> None:
    if not same:
        way = between(decided, one, other)
        if way:
            links = ", ".join(f"{each.one} and {each.other}" for each in way)
            raise InputError(
                f"{one} and {other} are one through others as well; decide first which of these are distinct: {links}"
            )
        return
    for each in standing(decided):
        sides = {known[identifier].id for identifier in (each.one, each.other) if identifier in known}
        if not each.same and len(sides) == 2 and {each.one, each.other} != {one, other}:
            raise InputError(
                f"{each.one} and {each.other} were decided to be distinct on {each.decided_at[:10]} ({each.reason}), and this would make "
                "them one; decide that pair first"
            )


def _restated_id(row: Row, entity: str) -> str:
    return digest("restated", row["properties"]["id"], entity)


def _restate(batch: Batch, row: Row, old: str, made: str, new: dict[str, str]) -> None:
    """The statement with the right entity in the place of the wrong one, and otherwise as it was."""
    label, properties = row["label"], dict(row["properties"])
    earlier = properties.pop("id")
    identifier = new[earlier]
    for name in ("namespace", "created_at", "embedding_next"):
        properties.pop(name, None)
    if properties.get("value_key") == old:
        properties["value_key"] = made

    def right(entity: str) -> str:
        return made if entity == old else entity

    batch.node(label, identifier, **properties)
    batch.edge(label, identifier, "REPLACES", label, earlier)
    for evidence in row["evidence"]:
        batch.edge(label, identifier, "SUPPORTED_BY", "Evidence", evidence)
    for owner in row["owners"]:
        batch.edge("Entity", right(owner), "HAS_FACT", "Fact", identifier)
    for value in row["value_entities"]:
        batch.edge("Fact", identifier, "VALUE", "Entity", right(value))
    for property_ in row["properties_of"]:
        batch.edge("Fact", identifier, "OF", "Property", property_)
    for part, role in row["participants"]:
        batch.edge("Event", identifier, "INVOLVES", "Entity", right(part), key=role, role=role)
    for place in row["at"]:
        batch.edge("Event", identifier, "AT", "Entity", right(place))
    for fact in row["establishes"]:
        batch.edge("Event", identifier, "ESTABLISHES", "Fact", new.get(fact, fact))
    for event in row["established_by"]:
        batch.edge("Event", new.get(event, event), "ESTABLISHES", "Fact", identifier)


async def _decided(graph: Graph, ids: Sequence[str]) -> list[Decided]:
    rows = await graph.read(load("resolve/decisions"), ids=list(ids)) if ids else []
    return [
        Decided(row["one"], row["other"], row["same"], row["decided_at"], row["decided_by"], row["reason"])
        for row in rows
    ]


def _named(view: EntityView) -> Named:
    relations = tuple(told.removeprefix("relation: ") for told in view.attributes if told.startswith("relation: "))
    return Named(view.id, view.ids, view.type, view.aliases, view.external_ids, relations)


def _citation(row: Row) -> Citation:
    """The sentence that a mention stands in."""
    sentence = sentence_around(row["text"], Quote("", row["start"], row["end"], row["quote"]))
    start = row["text"].find(sentence)
    return Citation(
        turn_id=row["turn_id"],
        session_id=row["session_id"],
        speaker=row["speaker"],
        said_at=row["said_at"].astimezone(zone(row["offset"])),
        quote=sentence,
        start=start,
        end=start + len(sentence),
        evidence_id=row["evidence_id"],
    )
