"""An event told again is one event: by rules where it is clear, left for a model where it is not."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem.resolve.events import LIKELY, MOST_UNSURE, SURE, Telling, compare, told_again

DAY = datetime(2023, 5, 19, tzinfo=UTC)
ONE = Telling(
    "a",
    "t1",
    "event",
    "adopt",
    "a kitten",
    "Ana adopted a kitten.",
    frozenset({"ana"}),
    frozenset(),
    DAY,
    DAY + timedelta(days=1),
)
OTHER = replace(ONE, id="b", turn_id="t9", verb="get", object="a cat", text="Ana got a cat.")


@pytest.mark.parametrize(
    ("changes", "cosine", "verdict"),
    [
        ({}, SURE, "same"),
        ({}, LIKELY, "unsure"),
        ({}, LIKELY - 0.01, "different"),
        ({"verb": "adopt", "object": "the grey kitten"}, LIKELY, "same"),
        ({"verb": "adopt", "object": "two puppies"}, LIKELY, "unsure"),
        ({"kind": "plan"}, 0.99, "different"),
        ({"kind": "denied"}, 0.99, "different"),
        ({"turn_id": "t1"}, 0.99, "different"),
        ({"agents": frozenset({"ben"})}, 0.99, "different"),
        ({"agents": frozenset({"ana", "ben"})}, 0.99, "unsure"),
        ({"agents": frozenset({"ana", "ben"})}, LIKELY, "different"),
        ({"starts_at": DAY + timedelta(days=1), "ends_at": DAY + timedelta(days=2)}, 0.99, "different"),
        ({"starts_at": DAY - timedelta(days=18), "ends_at": DAY + timedelta(days=13), "granularity": "month"}, SURE, "same"),
        ({"starts_at": None, "ends_at": None, "dated": False}, SURE, "unsure"),
        ({"starts_at": DAY + timedelta(days=9), "ends_at": DAY + timedelta(days=10), "dated": False}, SURE, "unsure"),
        ({"dated": False}, LIKELY, "different"),
    ],
)  # fmt: skip
def test_people_times_and_words_decide(changes: dict[str, Any], cosine: float, verdict: str) -> None:
    found = told_again(ONE, replace(OTHER, **changes), cosine)
    assert found.verdict == verdict, found.reason
    assert told_again(replace(OTHER, **changes), ONE, cosine).verdict == verdict


def test_two_coarse_times_are_not_enough_for_a_rule() -> None:
    one, other = (replace(each, granularity="year") for each in (ONE, OTHER))
    assert told_again(one, other, 0.99).verdict == "unsure"


def test_other_numbers_are_other_happenings() -> None:
    assert told_again(replace(ONE, object="3 books"), replace(OTHER, object="5 books"), 0.99).verdict == "different"


def test_a_pair_counts_once_and_only_the_nearest_unsure_ones_are_asked_about() -> None:
    others = [replace(OTHER, id=f"b{n}", turn_id=f"t{n + 2}") for n in range(MOST_UNSURE + 4)]
    pairs = [(ONE, other, LIKELY + n / 1000) for n, other in enumerate(others)]
    pairs += [(other, ONE, cosine) for _, other, cosine in pairs]
    found = compare([*pairs, (ONE, OTHER, 0.97)])
    assert [each.other.id for each in found.same] == ["b"]
    assert [each.other.id for each in found.unsure] == [f"b{n}" for n in reversed(range(4, MOST_UNSURE + 4))]
