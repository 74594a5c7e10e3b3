"""The methods that keep a memory in order as extractors, models and decisions change; each by appending."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import TypeVar

from graphmem.errors import ConfigurationError, InputError
from graphmem.extract.protocol import Extractor
from graphmem.graph.connection import Graph
from graphmem.graph.rehearsal import rehearse
from graphmem.graph.write import Committed
from graphmem.ingest import Ingestion, IngestReport, Progress, Reembedded, pairs, reembed, reextract, store_statement
from graphmem.ingest.pairs import LikelyPair, Split
from graphmem.memory.arguments import number, text
from graphmem.memory.connection import Opened
from graphmem.memory.services import extractor_of
from graphmem.records import Quote

T = TypeVar("T")


class Maintaining(Opened):
    """Who is who by a person's decision, reading again with another extractor, embedding anew with another model."""

    async def likely_pairs(self, *, limit: int = 20, namespace: str | None = None) -> list[LikelyPair]:
        """Pairs of entities that could be one and that nobody has decided, each with facts and quotations, the likeliest first."""
        return await pairs.likely_pairs(self.graph, self._namespace(namespace), number(limit, "limit"))

    async def decide(
        self,
        one: str,
        other: str,
        *,
        same: bool,
        because: str = "",
        by: str = "user",
        namespace: str | None = None,
    ) -> Committed:
        """Appends a person's decision that two entities (identifiers) are one, or are two. The latest of a pair counts, and reads follow.

        ``because`` are the person's words, stored as a turn of ``by``. Raises InputError for an entity that there is not, or where other
        decisions stand against it; the message names them.
        """
        space = self._namespace(namespace)
        text(one, "one"), text(other, "other")
        words = text(because, "because").strip() or f"{one} and {other} are {'one' if same else 'two'}."

        async def change(graph: Graph, quote: Quote, now: datetime) -> Committed:
            return await pairs.decide(graph, space, one, other, same=same, reason=words, quote=quote, decided_at=now)

        return await self._decided(change, words, by, space)

    async def split(
        self,
        entity: str,
        name: str,
        places: Sequence[str],
        *,
        because: str = "",
        by: str = "user",
        namespace: str | None = None,
    ) -> Split:
        """Appends that what was said of an entity in some places is about another one, called ``name``; the old statements no longer count.

        ``places`` are turns (their identifiers, or their source's own) or quotations (``evidence_id`` of a citation). Raises InputError if
        there is no such entity, or nothing said of it rests on these places.
        """
        space = self._namespace(namespace)
        text(entity, "entity")
        if isinstance(places, str):
            raise InputError(f"places is the text {places!r}; give a list of turns or quotations")
        if not text(name, "name").strip() or not places:
            raise InputError("a split needs the other one's name, and the turns or quotations that are about it")
        where = [text(place, "places") for place in places]
        words = text(because, "because").strip() or f"In {', '.join(where)} it is {name} that is spoken of."

        async def change(graph: Graph, quote: Quote, now: datetime) -> Split:
            return await pairs.split(
                *(graph, self.embedder, space, entity, name, where), reason=words, quote=quote, decided_at=now
            )

        return await self._decided(change, words, by, space)

    async def _decided(
        self, change: Callable[[Graph, Quote, datetime], Awaitable[T]], words: str, by: str, space: str
    ) -> T:
        """Makes a change that rests on the person's words, which are stored as a turn once it is known that it will not be refused.

        The words and the change are two commits. Where somebody else decides between them so that the change is refused after all, the
        words stay, as a turn that nothing rests on.
        """
        if not text(by, "by").strip():
            raise InputError("a decision rests on who made it; give `by`")
        now = datetime.now(UTC)
        not_stored = Quote("", 0, len(words), words)
        await rehearse(self.graph, lambda graph: change(graph, not_stored, now))
        return await change(self.graph, await store_statement(self.graph, self.embedder, space, by, words, now), now)

    async def reembed(self, *, progress: Progress | None = None) -> Reembedded:
        """Moves the database, all its namespaces, to the embedding model of the settings. For a memory that is not open yet.

            await AsyncMemory.open(settings=new).reembed()

        The old vectors are in use until all new ones are made. Safe to stop and to repeat: what is embedded already is not embedded
        again. Raises ConfigurationError on a memory that is open, StoreMismatch if the database is half way to yet another model,
        ProviderError if the model fails.
        """
        if self._graph is not None:
            raise ConfigurationError("this memory is open with its model; close it, then move it to another one")
        graph, embedder = await self._reach()
        try:
            return await reembed(graph, embedder, progress)
        finally:
            await graph.close()
            await asyncio.to_thread(embedder.close)

    async def reextract(
        self,
        extractor: Extractor | str | None = None,
        *,
        namespace: str | None = None,
        sessions: Sequence[str] = (),
        progress: Progress | None = None,
    ) -> IngestReport:
        """Reads again what another extractor, or another version of it, has read; the new reading replaces the old. Safe to repeat.

        ``extractor`` None is that of the settings, a text one of their names (``rules``, ``model``). ``sessions`` are their source's
        identifiers; none: all of the namespace. A person's corrections and retractions are carried over, and ``known_at`` shows the old
        reading still. Windows that failed are in the report's ``failed``, and the next run tries them again. Raises InputError for a
        session that there is not, ConfigurationError for an extractor that the settings do not have.
        """
        if extractor is None:
            extractor = self.extractor
        elif isinstance(extractor, str):
            extractor = extractor_of(self.settings.with_changes(extractor=extractor), self.chat)
        chat = self.chat if extractor.name == "model" else None
        ingestion = Ingestion(self.graph, self.embedder, extractor, self.settings, chat)
        return await reextract(ingestion, self._namespace(namespace), sessions, progress)
