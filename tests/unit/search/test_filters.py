"""Filters as parameters of a vector query and as clauses of a full-text query."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from graphmem.errors import QuestionError
from graphmem.graph.rows_said import speaker_key
from graphmem.ids import namespace_label
from graphmem.search.filters import Filter

MAY = datetime(2023, 5, 1, tzinfo=UTC)
JUNE = datetime(2023, 6, 1, tzinfo=UTC)


def test_a_namespace_alone_leaves_every_range_open() -> None:
    chosen = Filter("n")
    assert (
        chosen.ranges["since"]
        < datetime(1000, 1, 1, tzinfo=UTC)
        < datetime(9000, 1, 1, tzinfo=UTC)
        < chosen.ranges["until"]
    )
    assert chosen.ranges["speaker_from"] < speaker_key("Ana") < chosen.ranges["speaker_to"]
    assert chosen.clauses == f"+scope:{namespace_label('n')}^0"


def test_a_speaker_is_one_key_however_the_name_is_written() -> None:
    assert (
        Filter("n", speaker=" ANA ").ranges["speaker_from"]
        == Filter("n", speaker="Ana").ranges["speaker_to"]
        == speaker_key("ana")
    )


def test_days_of_a_half_open_interval_leave_out_the_day_that_begins_at_its_end() -> None:
    assert "+day:[20230501 TO 20230531]^0" in Filter("n", MAY, JUNE).clauses
    assert not Filter("n", MAY, JUNE).cuts_a_day


def test_days_are_those_of_utc() -> None:
    east = datetime(2023, 5, 2, 0, 30, tzinfo=timezone(timedelta(hours=2)))
    assert "+day:[20230501 TO *]^0" in Filter("n", since=east).clauses
    assert Filter("n", since=east).cuts_a_day


def test_a_namespace_never_reaches_the_query_as_text() -> None:
    assert "OR" not in Filter('x" OR scope:*').clauses


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"namespace": " "}, "namespace"),
        ({"namespace": "n", "since": datetime(2023, 5, 1)}, "no offset"),
        ({"namespace": "n", "since": JUNE, "until": MAY}, "later"),
        ({"namespace": "n", "since": MAY, "until": MAY}, "later"),
    ],
)
def test_a_filter_that_cannot_be_used_is_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(QuestionError, match=message):
        Filter(**arguments)  # type: ignore[arg-type]
