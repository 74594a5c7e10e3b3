"""The stages of ranking in order, over a pool. Pure: the same pool, question and settings give the same ranking."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphmem.search.fusion import Scores, better_neighbour, convex, min_max, reciprocal_rank, session_mean
from graphmem.search.pool import Pool
from graphmem.search.settings import SearchSettings
from graphmem.search.words import words_of


@dataclass(frozen=True, slots=True)
class Ranked:
    """Scores of a pool and the pieces that they are the sum of."""

    scores: Scores
    parts: dict[str, Scores]


def rank(pool: Pool, question: str, settings: SearchSettings) -> Ranked:
    """Fusion, then the neighbours, the session and the named speaker."""
    if settings.fusion == "reciprocal_rank":
        own = reciprocal_rank([pool.dense, pool.text], settings.rank_constant)
        parts = {"fused": own}
    else:
        own = convex(pool.dense, pool.text, settings.text_weight)
        parts = {
            "dense": (1.0 - settings.text_weight) * min_max(pool.dense),
            "text": settings.text_weight * min_max(pool.text),
        }
    parts["neighbour"] = settings.neighbour_weight * better_neighbour(own, pool.before, pool.after)
    scores = own + parts["neighbour"]
    parts["session"] = settings.session_weight * session_mean(scores, pool.sessions, settings.session_best)
    scores = scores + parts["session"]
    parts["speaker"] = np.where(spoken_by_named(pool, question), (settings.speaker_boost - 1.0) * scores, 0.0)
    return Ranked(scores + parts["speaker"], parts)


def spoken_by_named(pool: Pool, question: str) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which candidates were said by somebody whose name, or a word of it, is in the question."""
    asked = set(words_of(question))
    named = {speaker for speaker in set(pool.speakers) if asked & set(words_of(speaker))}
    return np.array([speaker in named for speaker in pool.speakers], dtype=np.bool_)
