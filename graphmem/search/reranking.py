"""Reranking: a model that reads question and turn together puts the found turns in order. Optional; without one the fused order stands.

The first stages find, the last one orders, as in Nogueira and Cho, "Passage Re-ranking with BERT", 2019: what an index scores apart, a
cross-encoder reads side by side, which is dear and therefore done for the best candidates only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from graphmem.errors import ProviderError
from graphmem.providers.protocols import Reranker
from graphmem.records import Hit


class Hits(list[Hit]):
    """Turns that a search found, best first: a list, and who put it in order.

    ``reranked_by`` is the reranker that did, None if none did. ``rerank_problem`` says why one that should have did not; the order is then
    that of the fused scores.
    """

    __slots__ = ("rerank_problem", "reranked_by")

    def __init__(
        self, hits: Iterable[Hit] = (), reranked_by: str | None = None, rerank_problem: str | None = None
    ) -> None:
        super().__init__(hits)
        self.reranked_by = reranked_by
        self.rerank_problem = rerank_problem

    @property
    def report(self) -> dict[str, str | None]:
        """Who put them in order, and why a reranker did not, by name; nothing where there is none."""
        both = {"reranked_by": self.reranked_by, "rerank_problem": self.rerank_problem}
        return both if any(both.values()) else {}


async def rerank(question: str, hits: Sequence[Hit], reranker: Reranker | None, limit: int | None = None) -> Hits:
    """Orders turns by what a reranker says to the user's own question; ties, and what it fails on, keep their order.

    ``question`` is what the user asked, not a rewording of it that a tool was called with. ``limit`` cuts the result. Scores become the
    reranker's; ``parts`` keep the fused score under ``fused`` beside their pieces.
    """
    kept = list(hits)
    if reranker is None or not kept:
        return Hits(kept[:limit])
    try:
        scores = await reranker.rerank(question, [passage(hit) for hit in kept])
        if len(scores) != len(kept):
            raise ProviderError(f"it gave {len(scores)} scores for {len(kept)} texts")
    except ProviderError as exc:
        return Hits(kept[:limit], None, f"{reranker.name} did not rerank: {exc}")
    scored = [
        replace(hit, score=float(score), parts={**hit.parts, "fused": hit.score, "rerank": float(score)})
        for hit, score in zip(kept, scores, strict=True)
    ]
    return Hits(sorted(scored, key=lambda hit: -hit.score)[:limit], reranker.name)


def passage(hit: Hit) -> str:
    """A turn as a reranker reads it: day, speaker, words, captions."""
    shared = "".join(f" [{item.kind}: {item.caption}]" for item in hit.attachments if item.caption)
    return f"{hit.said_at:%Y-%m-%d} {hit.speaker}: {hit.text}{shared}"
