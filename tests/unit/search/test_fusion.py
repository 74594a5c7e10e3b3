"""The stages of ranking, each alone."""

from __future__ import annotations

import numpy as np
import pytest

from graphmem.search.fusion import (
    bm25,
    convex,
    min_max,
    neighbour_mean,
    reciprocal_rank,
    session_mean,
    with_neighbours,
    word_weights,
)


def scores(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float64)


def places(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64)


def test_min_max_stretches_to_zero_and_one() -> None:
    assert min_max(scores(2, 4, 3)).tolist() == [0, 1, 0.5]


def test_min_max_of_equal_scores_tells_nothing() -> None:
    assert min_max(scores(2, 2)).tolist() == [0, 0]
    assert min_max(scores()).tolist() == []


def test_cosines_that_hardly_differ_are_hardly_told_apart() -> None:
    meaning, _ = convex(scores(0.700, 0.703), scores(0, 0), 0.4)
    assert 0 < meaning.max() < 0.02


def test_convex_combination_weighs_its_two_parts() -> None:
    meaning, words = convex(scores(0, 1), scores(5, 0), 0.25)
    assert meaning.tolist() == [0, 0.75]
    assert words.tolist() == [0.25, 0]


def test_reciprocal_rank_prefers_what_both_signals_rank_high() -> None:
    fused = reciprocal_rank([scores(3, 2, 1), scores(0, 5, 4)])
    assert fused.argmax() == 1
    assert fused.max() == 1


def test_reciprocal_rank_gives_nothing_for_a_score_of_zero() -> None:
    fused = reciprocal_rank([scores(1, 0, 0), scores(0, 0, 1)])
    assert fused[1] == 0


def test_neighbours_lend_a_share_and_session_ends_lend_nothing() -> None:
    assert with_neighbours(scores(1, 0, 10), places(-1, 0, -1), places(1, -1, -1), 0.5).tolist() == [1, 0.5, 10]


def test_neighbour_mean_is_a_mean_where_neighbours_are_missing_too() -> None:
    assert neighbour_mean(scores(4, 4, 4), places(-1, 0, 1), places(1, 2, -1), 0.5).tolist() == [4, 4, 4]
    assert neighbour_mean(scores(), places(), places(), 0.5).tolist() == []


def test_bm25_rises_with_counts_and_sinks_with_length() -> None:
    weights = scores(1.0)
    often, once = bm25(np.array([[3.0], [1.0]]), scores(10, 10), weights, 0.9, 0.4)
    short, long = bm25(np.array([[1.0], [1.0]]), scores(5, 50), weights, 0.9, 0.4)
    assert often > once
    assert short > long


def test_bm25_without_normalisation_ignores_length() -> None:
    first, second = bm25(np.array([[1.0], [1.0]]), scores(5, 50), scores(1.0), 0.9, 0.0)
    assert first == second


def test_bm25_of_no_words_is_zero() -> None:
    assert bm25(np.zeros((2, 0)), scores(3, 4), scores(), 0.9, 0.4).tolist() == [0, 0]


def test_rare_words_weigh_more_and_no_weight_is_negative() -> None:
    rare, common, everywhere = word_weights(scores(1, 50, 200), 100)
    assert rare > common > everywhere >= 0


@pytest.mark.parametrize(("best", "mean"), [(1, 5.0), (2, 4.0), (9, 3.0)])
def test_a_session_counts_by_its_best_turns(best: int, mean: float) -> None:
    found = session_mean(scores(5, 3, 1, 7), places(0, 0, 0, 1), best)
    assert found.tolist() == [mean, mean, mean, 7]
