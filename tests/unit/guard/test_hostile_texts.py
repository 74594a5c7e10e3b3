"""Hostile queries are refused by their text alone, before a server sees anything, with a reason that says what is wrong."""

from __future__ import annotations

import pytest

from graphmem.errors import CypherRefused
from graphmem.graph.guard import confine
from graphmem.ids import namespace_label
from tests.graph.hostile.load import LET_THROUGH, VALUES, hostile

LABEL = namespace_label("mine")
ALL = hostile()
REFUSED = [case for case in ALL if case.reason not in LET_THROUGH]


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: f"{case.kind}: {case.text[:60]}")
def test_a_hostile_query_is_refused_with_its_reason(case: object) -> None:
    with pytest.raises(CypherRefused) as refusal:
        confine(case.text, VALUES, LABEL)  # type: ignore[attr-defined]
    assert case.reason in str(refusal.value)  # type: ignore[attr-defined]


def test_there_are_at_least_300_and_none_twice() -> None:
    assert len({case.text for case in ALL}) == len(ALL) >= 300


def test_each_refusal_says_what_to_do_instead() -> None:
    for case in REFUSED:
        with pytest.raises(CypherRefused) as refusal:
            confine(case.text, VALUES, LABEL)
        assert any(mark in str(refusal.value) for mark in (";", ",")), str(refusal.value)
