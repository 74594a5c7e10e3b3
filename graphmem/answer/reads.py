"""What an answer is made from: the names, periods and turns of a namespace, as of what was said and known by the times asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from graphmem.answer.plan import Name, Plan
from graphmem.answer.words import words_of
from graphmem.graph.connection import Graph
from graphmem.graph.read import EntityView, Period, entities, periods
from graphmem.ids import normalise_name
from graphmem.providers.protocols import Embedder
from graphmem.records import Hit
from graphmem.search import search_turns

LONGEST_NAME = 5
"""Words of a name that is looked up."""
CANDIDATES = 40
"""Turns that are read for an answer."""


@dataclass(slots=True)
class Reads:
    """The reads of one question. ``known`` fills with the entities that the question names."""

    graph: Graph
    embedder: Embedder
    namespace: str
    said_by: datetime
    known_at: datetime | None
    known: dict[str, EntityView] = field(default_factory=dict)

    async def names(self, question: str) -> list[Name]:
        """The runs of words of a question that are names in the namespace."""
        spans = _runs(question)
        found = []
        for view in await entities(self.graph, self.namespace, list(spans), known_at=self.known_at):
            for alias in view.aliases:
                text = spans.get(normalise_name(alias))
                if text is not None and normalise_name(view.name) not in self.known:
                    self.known[normalise_name(view.name)] = view
                    found.append(Name(text, view.name, view.type))
        return found

    async def turns(self, words: str, limit: int = CANDIDATES) -> list[Hit]:
        """The turns that search finds, said by the time asked for."""
        if not words.strip():
            return []
        until = self.said_by + timedelta(microseconds=1)
        return await search_turns(self.graph, self.embedder, words, namespace=self.namespace, limit=limit, until=until)

    async def periods(self, made: Plan) -> tuple[tuple[Period, ...], Mapping[str, str]]:
        """The periods of the properties that a plan asks for, of its subjects or of all, and what kind of animal each name is."""
        if not made.properties:
            return (), {}
        subjects = [
            each
            for name in made.subjects
            if (view := self.known.get(normalise_name(name))) is not None
            for each in view.ids
        ]
        if made.subjects and not subjects:
            return (), {}
        found = await self._periods(subjects, made.properties)
        kinds = await self._periods([], ("species",)) if "has_pet" in made.properties else ()
        return found, {normalise_name(one.fact.subject): one.fact.value for one in kinds}

    async def _periods(self, subjects: list[str], names: tuple[str, ...]) -> tuple[Period, ...]:
        return await periods(self.graph, self.namespace, subjects, names, said_by=self.said_by, known_at=self.known_at)


def _runs(question: str) -> dict[str, str]:
    """Every run of up to ``LONGEST_NAME`` words, by its normalised form."""
    words = [word for word in words_of(question.translate(str.maketrans({"’": "'"}))) if word.text]
    found = {}
    for first in range(len(words)):
        for last in range(first, min(first + LONGEST_NAME, len(words))):
            text = question[words[first].start : words[last].end]
            if not re.search(r"[?!.;:]\s", text):
                found[normalise_name(text)] = text
    return found
