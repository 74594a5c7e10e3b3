"""The way in: transcripts become turns at once, and turns become memories window by window. Start reading at ``run``."""

from __future__ import annotations

from graphmem.ingest.reembed import Reembedded, reembed
from graphmem.ingest.reextract import reextract
from graphmem.ingest.report import IngestReport, NamespaceReport, Progress
from graphmem.ingest.run import Ingestion
from graphmem.ingest.spoken import store_statement

__all__ = [
    "IngestReport",
    "Ingestion",
    "NamespaceReport",
    "Progress",
    "Reembedded",
    "reembed",
    "reextract",
    "store_statement",
]
