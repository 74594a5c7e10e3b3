"""Reading again: what another extractor, or another version of it, has read is read by this one, and the new reading replaces the old.

Window by window, each in one transaction with what a person has decided about the old statements, so that a run may stop anywhere: the
next one finds the windows that are still the old extractor's, and no more. What was known before stays to be asked for by ``known_at``.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.graph.read_sessions import sessions
from graphmem.ingest.report import IngestReport, Progress, Tally
from graphmem.ingest.run import Ingestion
from graphmem.ingest.windows import outdated_windows


async def reextract(
    ingestion: Ingestion, namespace: str, sources: Sequence[str] = (), progress: Progress | None = None
) -> IngestReport:
    """Reads again all sessions of a namespace, or those with these identifiers of their source, where others have read them.

    Turns that nobody has read are left to ingestion. Raises InputError for a session that there is not, and what ``Ingestion.run`` raises.
    """
    stored = await sessions(ingestion.graph, namespace, sources)
    windows = await outdated_windows(ingestion.graph, ingestion.extractor, namespace, stored, ingestion.settings)
    return await ingestion.read_windows(windows, Tally((), progress))
