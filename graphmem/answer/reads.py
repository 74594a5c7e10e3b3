"""What an answer is made from: the names, periods and turns of a namespace, as of what was said and known by the times asked for."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from graphmem.answer.plan import Name, Plan
from graphmem.answer.words import lexicon, words_of, written_witnesses
from graphmem.graph.connection import Graph
from graphmem.graph.queries import load
from graphmem.graph.read import EntityView, Period, TimelineEntry, entities, periods, timeline
from graphmem.graph.read_rows import statement
from graphmem.ids import normalise_name
from graphmem.providers.protocols import Embedder, Reranker
from graphmem.records import Citation, FactView, Hit
from graphmem.search import Hits, rerank, search_turns
from graphmem.search.hits import hit_of

LONGEST_NAME = 5
"""Words of a name that is looked up."""
CANDIDATES = 40
"""Turns that are read for an answer."""
FEWER = 15
"""Turns of each further search."""
FEW, AGAIN = 4, 4
"""Turns of each search for what is said again later, and sentences that are looked for."""
AFTERTHOUGHT = 0.8
"""What the best turn of a further search counts, beside 1 for the best of the question's own."""
SOON = timedelta(days=14)
"""How long after a time what happened in it is still told."""
ENDINGS = 10
"""So many statements that ended something are read."""
NEIGHBOURED = 20
"""The first so many of them are read with the turns beside them."""


@dataclass(slots=True)
class Reads:
    """The reads of one question. ``known`` fills with the entities that the question names.

    ``reranker`` puts the turns in order by ``question``, as the user asked it; ``reranked`` is what came of that last.
    """

    graph: Graph
    embedder: Embedder
    namespace: str
    said_by: datetime
    known_at: datetime | None
    reranker: Reranker | None = None
    question: str = ""
    reranked: Hits = field(default_factory=Hits)
    known: dict[str, EntityView] = field(default_factory=dict)

    async def names(self, question: str) -> list[Name]:
        """The runs of words of a question that are names in the namespace."""
        spans = runs_of(question)
        found = []
        for view in await entities(self.graph, self.namespace, list(spans), known_at=self.known_at):
            for alias in view.aliases:
                text = spans.get(normalise_name(alias))
                if text is not None and _is_name(text, view) and normalise_name(view.name) not in self.known:
                    self.known[normalise_name(view.name)] = view
                    found.append(Name(text, view.name, view.type))
        return found

    async def turns(self, made: Plan) -> list[Hit]:
        """The turns that searches for the question, for other words for it and for its anchor find, scores stretched to 1 for the best."""
        searches = [self._search(made.question, CANDIDATES, None)]
        words = other_words(made)
        if words:
            searches.append(self._search(words, FEWER, None))
        if made.anchor is not None:
            searches.append(
                self._search(
                    " ".join([*made.subjects, made.anchor.text, *(term.text for term in made.terms)]), FEWER, None
                )
            )
        if made.form == "before_event" and made.asked is not None:
            gone = " ".join(lexicon()["disposing"])
            searches.append(self._search(" ".join([*made.subjects, gone, made.asked]), FEWER, None))
        if made.time is not None and made.time.end is not None:
            searches.append(self._search(f"{made.question} {words}", FEWER, made.time.end))
            if made.time.start is not None:
                searches.append(self._search(made.question, FEWER, made.time.end + SOON, made.time.start))
        found: dict[str, Hit] = {}
        for position, hits in enumerate(await asyncio.gather(*searches)):
            best = max((hit.score for hit in hits), default=1.0) or 1.0
            for hit in hits:
                score = hit.score / best * (1.0 if position == 0 else AFTERTHOUGHT)
                if hit.id not in found or found[hit.id].score < score:
                    found[hit.id] = replace(hit, score=score)
        fused = await self._known(sorted(found.values(), key=lambda hit: (-hit.score, hit.id)))
        self.reranked = await rerank(self.question or made.question, fused, self.reranker)
        if self.reranked.reranked_by is None:
            return fused
        best = max(self.reranked[0].score, 1e-9)
        return [replace(hit, score=hit.score / best) for hit in self.reranked]

    async def said_again(self, citation: Citation) -> list[Hit]:
        """Turns said later that come near a sentence of a quotation, a few for each of its first sentences."""
        sentences = [each for each in re.split(r"(?<=[.!?])\s+", citation.quote) if len(each.split()) > 2][:AGAIN]
        since = citation.said_at + timedelta(microseconds=1)
        found: dict[str, Hit] = {}
        for hits in await asyncio.gather(*(self._search(each, FEW, None, since) for each in sentences)):
            for hit in hits:
                found.setdefault(hit.id, hit)
        return await self._known(list(found.values()))

    async def _known(self, hits: list[Hit]) -> list[Hit]:
        """The turns that the memory had by the transaction time asked for."""
        if self.known_at is None or not hits:
            return hits
        rows = await self.graph.read(load("search/turns_known"), ids=[hit.id for hit in hits], known_at=self.known_at)
        ids = {row["id"] for row in rows}
        return [hit for hit in hits if hit.id in ids]

    async def _search(
        self, words: str, limit: int, before: datetime | None, since: datetime | None = None
    ) -> list[Hit]:
        until = self.said_by + timedelta(microseconds=1)
        if before is not None:
            until = min(until, before)
        if since is not None and since >= until:
            return []
        return await search_turns(
            self.graph, self.embedder, words, namespace=self.namespace, limit=limit, since=since, until=until
        )

    async def around(self, hits: Sequence[Hit], reach: int = 1) -> tuple[list[Hit], dict[str, tuple[str, int]]]:
        """The turns right before and after these, up to ``reach`` turns off, and where all of them stand: (session, position) by turn.

        A neighbour gets half the score of the turn that it stands beside.
        """
        first = hits[:NEIGHBOURED]
        rows = await self.graph.read(load("search/turns_beside"), ids=[hit.id for hit in first], reach=reach)
        scores = {hit.id: hit.score for hit in hits}
        places = {row["id"]: (row["session_id"], row["position"]) for row in rows}
        found: dict[str, Hit] = {}
        for row in rows:
            if row["id"] in scores or row["said_at"] > self.said_by:
                continue
            before = found.get(row["id"])
            score = max(scores[row["beside"]] / 2, 0.0 if before is None else before.score)
            found[row["id"]] = replace(hit_of(row), score=score)
        return await self._known(list(found.values())), places

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

    async def endings(self, made: Plan, found: Sequence[Period]) -> Mapping[str, FactView]:
        """The statements that ended these periods, by identifier, for a question that may have to tell of an end."""
        if made.form not in ("current", "attribute", "when", "at_time"):
            return {}
        ids = list(dict.fromkeys(one.ended_by for one in found if one.ended_by is not None))[:ENDINGS]
        rows = await asyncio.gather(
            *(
                self.graph.read(
                    load("read/fact"), namespace=self.namespace, fact=each, said_by=self.said_by, known_at=self.known_at
                )
                for each in ids
            )
        )
        return {row["fact"]["id"]: statement(row["fact"], row, row["evidence"]) for (row, *_) in rows}

    async def portrait_of(
        self, view: EntityView, relations: Sequence[str]
    ) -> tuple[tuple[Period, ...], tuple[Period, ...]]:
        """All periods of an entity, and those of these relations of anybody."""
        own = await self._periods(list(view.ids), ())
        return own, await self._periods([], tuple(relations))

    async def timeline_of(
        self, view: EntityView, since: datetime | None, until: datetime | None
    ) -> tuple[TimelineEntry, ...]:
        """What began in a time, a day more on both sides, of an entity: facts and events."""
        day = timedelta(days=1)
        return await timeline(
            self.graph,
            self.namespace,
            list(view.ids),
            since=None if since is None else since - day,
            until=None if until is None else until + day,
            said_by=self.said_by,
            known_at=self.known_at,
        )

    async def _periods(self, subjects: list[str], names: tuple[str, ...]) -> tuple[Period, ...]:
        return await periods(self.graph, self.namespace, subjects, names, said_by=self.said_by, known_at=self.known_at)


def _is_name(text: str, view: EntityView) -> bool:
    """Whether words of a question name an entity: written small they do only where it is somebody; "Ana's dog" is two words, not a name."""
    return "'s " not in text and (text[:1].isupper() or view.type in ("Person", "Animal"))


def other_words(made: Plan) -> str:
    """The question in other words: its subjects and terms with the words that may answer for them; nothing where there are none."""
    signs = [word for term in made.terms for each in term.stems for word in written_witnesses(each)]
    if not signs:
        return ""
    return " ".join(dict.fromkeys([*made.subjects, *(term.text for term in made.terms), *signs]))


def runs_of(question: str) -> dict[str, str]:
    """Every run of up to ``LONGEST_NAME`` words, by its normalised form."""
    words = [word for word in words_of(question.replace("’", "'")) if word.text]
    found = {}
    for first in range(len(words)):
        for last in range(first, min(first + LONGEST_NAME, len(words))):
            text = question[words[first].start : words[last].end]
            if not re.search(r"(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bProf)(?<!\bSt)(?<!\b[A-Z])[?!.;:]\s", text):
                found[normalise_name(text)] = text
    return found
