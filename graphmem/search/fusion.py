"""From the scores of single signals to one score: pure functions over arrays, one entry a candidate.

Each stage takes scores and gives scores; what it adds can be told apart afterwards (``Hit.parts``). Numbers are float64.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]
Places = NDArray[np.int64]
Flags = NDArray[np.bool_]


NARROWEST = 0.15
"""Cosines that lie closer together than this are not stretched to the whole of [0, 1]: the differences between a few turns that are all
alike would count as much as those between hundreds."""


def min_max(scores: Scores, narrowest: float = 0.0) -> Scores:
    """Scores stretched to [0, 1], or less far where all lie within ``narrowest``; all 0 where all are equal."""
    if scores.size == 0:
        return scores
    low, width = float(scores.min()), float(scores.max() - scores.min())
    return (scores - low) / max(width, narrowest) if width > 0 else np.zeros_like(scores)


def convex(meaning: Scores, words: Scores, words_weight: float) -> tuple[Scores, Scores]:
    """The two parts of a convex combination of min-max normalised cosines and word scores, ``words_weight`` of it words.

    Bruch, Gai and Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", ACM TOIS 2023, section 4: it beats reciprocal rank
    fusion, and its one weight hardly depends on the corpus.
    """
    return (1.0 - words_weight) * min_max(meaning, NARROWEST), words_weight * min_max(words)


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


def with_neighbours(values: NDArray[np.float64], before: Places, after: Places, share: float) -> NDArray[np.float64]:
    """Values of each turn plus a share of those of the turns right before and after it in its session (place -1: there is none).

    What is said in a conversation leans on what stands beside it: an answer seldom repeats the words of its question. Adding the
    neighbours' counts makes each turn a small overlapping passage, as in Kaszkiel and Zobel, "Effective Ranking with Arbitrary Passages",
    JASIST 2001, with the turn itself in the middle and heavier.
    """
    padded = np.concatenate([values, np.zeros_like(values[:1])])
    found: NDArray[np.float64] = values + share * (padded[before] + padded[after])
    return found


def neighbour_mean(scores: Scores, before: Places, after: Places, share: float) -> Scores:
    """The mean of each turn's score and those of its neighbours, which weigh ``share``.

    For cosines it is, up to the lengths of sums, the cosine to the weighted sum of the three vectors: a passage's vector.
    """
    if scores.size == 0:
        return scores
    weights = 1.0 + share * ((before >= 0).astype(np.float64) + (after >= 0).astype(np.float64))
    return with_neighbours(scores, before, after, share) / weights


def bm25(
    counts: NDArray[np.float64], lengths: Scores, weights: Scores, saturation: float, normalisation: float
) -> Scores:
    """BM25 of texts from the counts of the question's words in them (texts by words), their lengths and the words' weights.

    Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, section 3.4.3; k1 is ``saturation`` and b
    ``normalisation``. Counts that hold shares of other texts make it the section's 3.6.1 (weighted fields before saturation).
    """
    if counts.size == 0:
        return np.zeros(len(lengths))
    mean = float(lengths.mean()) or 1.0
    norm = saturation * (1.0 - normalisation + normalisation * lengths / mean)
    found: Scores = (weights * counts / np.maximum(counts + norm[:, None], 1e-9)).sum(axis=1)
    return found


def word_weights(turns_with: Scores, turns: int) -> Scores:
    """The inverse document frequency of words, from how many of the memory's turns hold each; never negative.

    The form that Lucene uses, the same section with 1 added within the logarithm.
    """
    known = np.minimum(turns_with, float(turns))
    found: Scores = np.log1p((turns - known + 0.5) / (known + 0.5))
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
