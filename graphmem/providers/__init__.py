"""Model services and local models, each behind a protocol. Nothing above this package knows which one it talks to."""

from __future__ import annotations

from graphmem.providers.local_embedder import LocalEmbedder
from graphmem.providers.protocols import Embedder

__all__ = ["Embedder", "LocalEmbedder"]
