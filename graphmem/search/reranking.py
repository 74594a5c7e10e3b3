"""Reranking: a model that reads question and turn together puts the found turns in order. Optional; without one the fused order stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graphmem.errors import ProviderError
from graphmem.providers.protocols import Reranker
from graphmem.records import Hit


@dataclass(frozen=True, slots=True)
class Reranked:
    """Turns in their final order.

    ``by`` is the model that ordered them, None if none did. ``problem`` says why one that should have did not; the order is then the one
    that came in.
    """

    hits: tuple[Hit, ...]
    by: str | None = None
    problem: str | None = None


async def rerank(question: str, hits: Sequence[Hit], reranker: Reranker | None, limit: int | None = None) -> Reranked:
    """Orders turns by what a reranker says to the user's own question; ties, and what it fails on, keep their order.

    ``question`` is what the user asked, not a rewording of it that a tool was called with. ``limit`` cuts the result. Scores become the
    reranker's; ``parts`` keep the fused score under ``fused`` beside their pieces.
    """
    kept = list(hits)
    if reranker is None or not kept:
        return Reranked(tuple(kept[:limit]))
    try:
        scores = await reranker.rerank(question, [passage(hit) for hit in kept])
        if len(scores) != len(kept):
            raise ProviderError(f"{reranker.name} gave {len(scores)} scores for {len(kept)} texts")
    except ProviderError as exc:
        return Reranked(tuple(kept[:limit]), None, f"{reranker.name} did not rerank: {exc}")
    scored = [
        replace(hit, score=float(score), parts={**hit.parts, "fused": hit.score, "rerank": float(score)})
        for hit, score in zip(kept, scores, strict=True)
    ]
    return Reranked(tuple(sorted(scored, key=lambda hit: -hit.score)[:limit]), reranker.name)


def passage(hit: Hit) -> str:
    """A turn as a reranker reads it: day, speaker, words, captions."""
    shared = "".join(f" [{item.kind}: {item.caption}]" for item in hit.attachments if item.caption)
    return f"{hit.said_at:%Y-%m-%d} {hit.speaker}: {hit.text}{shared}"
