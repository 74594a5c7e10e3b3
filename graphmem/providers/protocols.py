"""What graphmem asks of a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors of length 1, so that their dot product is their cosine.

    Calls are synchronous and may take a while; asynchronous callers use ``asyncio.to_thread``. An implementation is safe to call from
    several threads, and a text's vector depends on that text alone, never on what is embedded beside it: the graph may not depend on luck.
    """

    @property
    def name(self) -> str:
        """Model and version, such as ``bge-small-en-v1.5-q``. Vectors of different names are never compared; ``Meta`` keeps it."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of every vector."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each text to be found, in the same order.

        Raises:
            ProviderError: the model failed.
        """
        ...

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question or search phrase.

        Raises:
            ProviderError: the model failed.
        """
        ...


@runtime_checkable
class Reranker(Protocol):
    """Says how relevant each of some texts is to a question. Safe to call from many tasks of one event loop."""

    @property
    def name(self) -> str:
        """The model, such as ``rerank-v3.5``."""
        ...

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score in [0, 1] for each text, by position; more is more relevant.

        Raises:
            ProviderError: the model failed.
        """
        ...

    async def close(self) -> None:
        """Lets go of connections and models."""
        ...
