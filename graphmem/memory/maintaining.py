"""The methods that keep a memory in order as extractors, models and decisions change; each by appending."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from graphmem.errors import ConfigurationError
from graphmem.extract.protocol import Extractor
from graphmem.ingest import Ingestion, IngestReport, Progress, Reembedded, reembed, reextract
from graphmem.memory.connection import Opened
from graphmem.memory.services import extractor_of


class Maintaining(Opened):
    """Reading again with another extractor, embedding anew with another model."""

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
