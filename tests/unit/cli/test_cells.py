"""Values of a Cypher row are shown as a person reads them, never as Python writes them."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from graphmem.cli.cells import LONGEST, cell

IDA = {"id": "3c1d8938" + "0" * 24, "labels": ["Entity"], "properties": {"name": "Ida", "type": "Person"}}


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, ""),
        (True, "true"),
        (0.5, "0.5"),
        (1234567.0, "1234567"),
        ("[bold] pine", "[bold] pine"),
        (datetime(2024, 5, 1, 8, 30, tzinfo=UTC), "2024-05-01T08:30:00+00:00"),
        (date(2024, 5, 1), "2024-05-01"),
        ([], ""),
        (["pine", 2, None], "pine, 2, "),
        ([[1, 2], {"b": None}], "[1, 2], {b: }"),
        ({"b": [1, True], "a": "x"}, "a: x, b: [1, true]"),
        (IDA, "Entity(Ida, id 3c1d8938…)"),
        ([IDA, "Otto"], "Entity(Ida, id 3c1d8938…), Otto"),
        ({"who": IDA}, "who: Entity(Ida, id 3c1d8938…)"),
        ({"type": "HAS_FACT", "start": None, "end": None, "properties": {"created_at": "2024"}}, "HAS_FACT"),
        (
            {"type": "INVOLVES", "start": "ea3758dc77", "end": "3c1d893811", "properties": {"role": "Agent"}},
            "INVOLVES(ea3758dc… → 3c1d8938…, role: Agent)",
        ),
        ({"type": "train", "start": "Lund", "end": "Malmö", "properties": {}}, "end: Malmö, properties: {}, start: Lund, type: train"),
    ],
)  # fmt: skip
def test_a_value_is_shown_as_a_person_reads_it(value: Any, shown: str) -> None:
    assert cell(value) == shown


def test_a_text_is_cut_inside_a_node_and_whole_by_itself() -> None:
    text = "the shop by the harbour smells of pine and\nof tar, " * 3
    node = {"id": None, "labels": ["Turn"], "properties": {"text": text, "speaker": "Otto", "role": "user"}}
    assert cell(text) == text
    label, _, rest = cell(node).partition("(Otto, ")
    assert (label, rest[LONGEST - 1 :]) == ("Turn", "…, id ?)")
    assert "\n" not in rest
