"""Properties of a window's facts: which names are new, what they are like, and facts in the terms of the property that was decided on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import mul

from graphmem.extract.vocabulary import PropertySpec, properties
from graphmem.extract.with_model.values import recast
from graphmem.graph.batch import Batch
from graphmem.graph.connection import Graph
from graphmem.graph.queries import load
from graphmem.graph.rows_named import add_property, add_resolution, property_id
from graphmem.ingest.asking import WindowChat
from graphmem.ingest.entities import OVER_FETCH, embed
from graphmem.ingest.wording import property_text
from graphmem.providers.protocols import Embedder
from graphmem.records import FactDraft, Turn
from graphmem.resolve.questions import MOST_CANDIDATES, KnownProperty, OpenProperty
from graphmem.resolve.with_model import PropertyDecision


async def known_properties(graph: Graph, namespace: str, facts: Sequence[FactDraft]) -> dict[str, KnownProperty]:
    """All properties that there are, by name: of the vocabulary, and those of the namespace where a fact has one that is not in it."""
    table = {spec.name: KnownProperty(spec.name, spec.cardinality, spec.value_type) for spec in properties().values()}
    if any(fact.property not in table for fact in facts):
        for row in await graph.read(load("resolve/properties"), namespace=namespace):
            table.setdefault(row["name"], KnownProperty(row["name"], row["cardinality"], row["value_type"]))
    return table


async def open_properties(
    graph: Graph,
    embedder: Embedder,
    namespace: str,
    facts: Sequence[FactDraft],
    known: Mapping[str, KnownProperty],
    chat: WindowChat,
    vectors: Mapping[str, Sequence[float]],
) -> tuple[OpenProperty, ...]:
    """The names of properties that nobody knows yet, each with the first fact that uses it and the properties nearest to it."""
    new: dict[str, FactDraft] = {}
    for fact in facts:
        if fact.property not in known:
            new.setdefault(fact.property, fact)
    if new and not chat.vocabulary:
        chat.vocabulary.update(await embed(embedder, [property_text(name) for name in properties()]))
    found = []
    for name, fact in new.items():
        vector = vectors[property_text(name)]
        near = {other: sum(map(mul, vector, chat.vocabulary[property_text(other)])) / 2 + 0.5 for other in properties()}
        near |= {each: score for each, score in await _similar(graph, namespace, vector) if each in known}
        best = sorted(near, key=lambda each: (-near[each], each))[:MOST_CANDIDATES]
        subject = fact.subject.speaker or fact.subject.name
        example = f"{subject} – {property_text(name)} – {fact.value}"
        found.append(OpenProperty(name, fact.value_type, example, tuple(known[each] for each in best)))
    return tuple(found)


def in_known_terms(
    fact: FactDraft, turn: Turn, known: Mapping[str, KnownProperty], decided: Mapping[str, PropertyDecision]
) -> FactDraft:
    """A fact under the property that its name was decided to be, its value in that property's type."""
    decision = decided.get(fact.property)
    property_ = known.get(fact.property) if decision is None else decision.property
    if property_ is None or (property_.name in properties() and property_.name == fact.property):
        return fact
    return recast(fact, PropertySpec(property_.name, property_.cardinality, property_.value_type, ""), turn)


def add_property_decisions(
    batch: Batch,
    facts: Sequence[FactDraft],
    decided: Mapping[str, PropertyDecision],
    turns: Mapping[str, Turn],
    vectors: Mapping[str, Sequence[float]],
) -> None:
    """Adds what each new name was decided to be, resting on the first of the facts, as they were read, that uses it."""
    for fact in facts:
        decision = decided.get(fact.property)
        if decision is None:
            continue
        chosen = decision.property
        add_property(batch, chosen.name, chosen.cardinality, chosen.value_type, vectors[property_text(chosen.name)])
        add_resolution(
            batch,
            property_id(batch.namespace, chosen.name),
            "Property",
            fact.property,
            "propose_new" if decision.is_new else "choose_existing",
            [fact.quote],
            turns[fact.quote.turn_id].said_at,
            0.7,
            "no property there is says this" if decision.is_new else f"says the same as {chosen.name}",
            decision.decided_by,
        )


async def _similar(graph: Graph, namespace: str, vector: Sequence[float]) -> list[tuple[str, float]]:
    if graph.has_search_clause:
        rows = await graph.read(
            load("resolve/similar_properties"), namespace=namespace, vector=vector, limit=MOST_CANDIDATES
        )
    else:
        rows = await graph.read(
            load("resolve/similar_properties_5"),
            namespace=namespace,
            vector=vector,
            limit=MOST_CANDIDATES,
            fetch=MOST_CANDIDATES * OVER_FETCH,
        )
    return [(row["name"], row["score"]) for row in rows]
