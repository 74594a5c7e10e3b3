"""From the scores of single signals to one score: pure functions over arrays, one entry a candidate.

Each stage takes scores and gives scores; what it adds can be told apart afterwards (Hit.parts). Numbers are float64.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]
Places = NDArray[np.int64]


def min_max(scores: Scores) -> Scores:
    """Scores stretched to [0, 1]; all 0 where all are equal."""
    if scores.size == 0:
        return scores
    low, high = float(scores.min()), float(scores.max())
    return (scores - low) / (high - low) if high > low else np.zeros_like(scores)


def convex(dense: Scores, text: Scores, text_weight: float) -> Scores:
    """A convex combination of min-max normalised scores, ``text_weight`` of it text.

    Bruch, Gai and Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", ACM TOIS 2023, section 4: it beats reciprocal rank
    fusion, and its one weight hardly depends on the corpus.
    """
    return text_weight * min_max(text) + (1.0 - text_weight) * min_max(dense)


def reciprocal_rank(signals: Sequence[Scores], constant: int = 60) -> Scores:
    """The sum over the signals of 1 / (constant + rank), stretched to [0, 1]; a score of 0 has no rank.

    Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion Outperforms Condorcet and Individual Rank Learning Methods", SIGIR 2009.
    """
    total = np.zeros_like(signals[0])
    for scores in signals:
        order = np.argsort(-scores, kind="stable")
        ranks = np.empty(len(scores))
        ranks[order] = np.arange(1, len(scores) + 1)
        total += np.where(scores > 0, 1.0 / (constant + ranks), 0.0)
    return min_max(total)


def better_neighbour(scores: Scores, before: Places, after: Places) -> Scores:
    """For each candidate the higher score of the turns right before and after it in its session; 0 where there is none (place -1).

    An answer stands beside its question, and seldom repeats its words.
    """
    padded = np.append(scores, 0.0)
    found: Scores = np.maximum(padded[before], padded[after])
    return found


def session_mean(scores: Scores, sessions: Places, best: int) -> Scores:
    """For each candidate the mean of the best few scores of its session.

    The passages of a document vouch for each other: Callan, "Passage-Level Evidence in Document Retrieval", SIGIR 1994, section 5.
    """
    found = np.zeros_like(scores)
    for session in np.unique(sessions):
        inside = sessions == session
        found[inside] = np.sort(scores[inside])[-best:].mean()
    return found
