"""The stages of ranking in order, over a pool. Pure: the same pool, question and settings give the same ranking."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from graphmem.search.fusion import (
    Flags,
    Scores,
    bm25,
    convex,
    neighbour_mean,
    reciprocal_rank,
    session_mean,
    with_neighbours,
    word_weights,
)
from graphmem.search.pool import Pool
from graphmem.search.question import Reading
from graphmem.search.settings import SearchSettings
from graphmem.search.words import count_stems, stem


@dataclass(frozen=True, slots=True)
class Counts:
    """How many turns the memory has, and how many of them hold each word of the question (both up to a bound)."""

    turns: int
    words: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Ranked:
    """The score of each of a pool's turns, and the pieces that it is the sum of."""

    scores: Scores
    parts: Mapping[str, Scores]


def rank(pool: Pool, question: Reading, counts: Counts, settings: SearchSettings) -> Ranked:
    """Words and meaning, each with its neighbours' share, fused; then what the session, the speaker and the turn's own text add."""
    meaning = neighbour_mean(pool.meaning, pool.before, pool.after, settings.neighbour_meaning)
    words = word_scores(pool, question, counts, settings)
    parts: dict[str, Scores] = {}
    if settings.fusion == "reciprocal_rank":
        own = parts["fused"] = reciprocal_rank([meaning, words], settings.rank_constant)
    else:
        parts["meaning"], parts["words"] = convex(meaning, words, settings.text_weight)
        own = parts["meaning"] + parts["words"]
    parts["session"] = session_mean(own, pool.sessions, settings.session_best) * settings.session_weight
    parts["event"] = settings.event_weight * pool.told
    parts["link"] = settings.link_weight * pool.linked.astype(np.float64)
    parts["dated"] = settings.dated_weight * of_time_asked(pool, question, settings)
    parts["speaker"] = settings.speaker_weight * whose(pool, question).astype(np.float64)
    parts["asking"] = -settings.question_weight * pool.asking
    time_weight = settings.asked_time_weight if question.asks_when else settings.time_weight
    parts["time"] = time_weight * pool.timed.astype(np.float64)
    return Ranked(np.sum(list(parts.values()), axis=0), parts)


def word_scores(pool: Pool, question: Reading, counts: Counts, settings: SearchSettings) -> Scores:
    """BM25 of each turn together with its neighbours' share.

    The index has scored words too, but with weights that count all memories of the database together, and without the neighbours.
    """
    weight_of: dict[str, float] = {}
    spoken = {stem(word) for names in question.speakers for name in names for word in name.lower().split()}
    inverse = word_weights(
        np.array([counts.words.get(word, 0) for word in question.words], dtype=np.float64), counts.turns
    )
    for word, weight in zip(question.words, inverse, strict=True):
        weight_of[stem(word)] = max(weight_of.get(stem(word), 0.0), float(weight))
    stems = [each for each in weight_of if each not in spoken] or list(weight_of)
    rows, own_lengths = count_stems(pool.texts, stems)
    lengths = np.array(own_lengths, dtype=np.float64)
    share = settings.neighbour_words
    return bm25(
        with_neighbours(
            np.array(rows, dtype=np.float64).reshape(len(pool), len(stems)), pool.before, pool.after, share
        ),
        with_neighbours(lengths, pool.before, pool.after, share),
        np.array([weight_of[each] for each in stems], dtype=np.float64),
        settings.saturation,
        settings.length_normalisation,
    )


def whose(pool: Pool, question: Reading) -> Flags:
    """Which turns are those of the one speaker whom the question names; or, where turns have roles, of the one who asks or is asked.

    Only ever a boost: a question may well name the wrong person, and the turns that show it must still be found.
    """
    if len(question.speakers) == 1:
        [names] = question.speakers
        return np.array([speaker in names for speaker in pool.speakers], dtype=np.bool_)
    if not question.speakers and question.speaks_of_me != question.speaks_of_you:
        role = "user" if question.speaks_of_me else "assistant"
        return np.array([each == role for each in pool.roles], dtype=np.bool_)
    return np.zeros(len(pool), dtype=np.bool_)


def of_time_asked(pool: Pool, question: Reading, settings: SearchSettings) -> Scores:
    """How far each turn belongs to the time that the question asks about: 1 if it was said then or tells of an event of then.

    What happens in May is told in May or soon after: the days after the time count less and less.
    """
    if question.time is None:
        return np.zeros(len(pool))
    start, end = (moment.timestamp() for moment in question.time)
    late = np.clip((pool.said_at - end) / (settings.dated_days * 86_400), 0.0, 1.0)
    said = np.where(pool.said_at >= start, 1.0 - late, 0.0)
    return np.maximum(said, pool.happened.astype(np.float64))
