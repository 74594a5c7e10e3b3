"""Reading transcripts: a file or a folder in, sessions of turns out, whatever the format. Described in docs/transcripts.md."""

from __future__ import annotations

from graphmem.transcripts.reading import NamespaceSummary, ReadResult, read
from graphmem.transcripts.wording import searchable_text

__all__ = ["NamespaceSummary", "ReadResult", "read", "searchable_text"]
