"""The methods that keep a memory in order as extractors, models and decisions change; each by appending."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.extract.protocol import Extractor
from graphmem.ingest import Ingestion, IngestReport, Progress, reextract
from graphmem.memory.connection import Opened
from graphmem.memory.services import extractor_of


class Maintaining(Opened):
    """Reading again with another extractor."""

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
