"""What the names in a question stand for: speakers and entities, through the names that the memory knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from graphmem.graph.connection import Graph
from graphmem.graph.queries import load
from graphmem.graph.rows_said import speaker_key
from graphmem.search import question
from graphmem.search.filters import Filter


@dataclass(frozen=True, slots=True)
class Names:
    """What the names in a question stand for.

    ``speakers``: by normalised name, the names under which the person speaks: several, where speakers were decided to be one person.
    ``entities``: the identifiers of all entities that are named whole, and of what was decided to be the same.
    """

    speakers: Mapping[str, tuple[str, ...]]
    entities: tuple[str, ...]


async def names_meant(graph: Graph, query: str, namespace: str) -> Names:
    """What the names in a question stand for in this namespace.

    Through the names that the memory knows: "Liz" finds turns of Elizabeth once the two are one entity. A name that two speakers
    bear stands for neither, unless somebody decided that they are one.
    """
    names = question.possible_names(query)
    rows = await graph.read(load("search/names_meant"), namespace=namespace, names=names) if names else []
    entities = tuple(dict.fromkeys(row["id"] for row in rows if row["whole"]))
    written = question.could_be_people(query)
    people = [row for row in rows if row["type"] == "Person" and row["name"] in written]
    if not people:
        return Names({}, entities)
    everything = Filter(namespace).clauses
    query_of = {row["text"]: f"{everything} +speaker_key:{speaker_key(row['text'])}^0" for row in people}
    heard = await graph.read(load("search/speakers_of_keys"), queries=sorted(set(query_of.values())))
    speaker_of = {row["words"]: str(row["speaker"]) for row in heard}
    meant: dict[str, dict[bool, dict[str, set[str]]]] = {}
    for row in people:
        speaker = speaker_of.get(query_of[row["text"]])
        if speaker is not None:
            whole = meant.setdefault(row["name"], {}).setdefault(bool(row["whole"]), {})
            whole.setdefault(row["person"], set()).add(speaker)
    found: dict[str, tuple[str, ...]] = {}
    for name, kinds in meant.items():
        persons = kinds.get(True) or kinds[False]
        speakers = set().union(*persons.values())
        if len(persons) == 1 or len(speakers) == 1:
            found[name] = tuple(sorted(speakers))
    return Names(found, entities)
