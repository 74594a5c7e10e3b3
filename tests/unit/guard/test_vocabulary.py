"""The labels and relationship types that a query may name are those that the writing queries make."""

from __future__ import annotations

from graphmem.graph.guard.vocabulary import LABELS, TYPES
from graphmem.graph.queries import load_all

WRITTEN = [name.removeprefix("write/") for name in load_all() if name.startswith("write/")]
DERIVED = {"NEXT"}
"""Made anew at any time, by cypher/derived."""


def test_the_labels_are_those_that_are_written() -> None:
    nodes = {name.removeprefix("node_") for name in WRITTEN if name.startswith("node_")}
    assert {label.lower() for label in LABELS} == nodes | {"commit"}


def test_the_types_are_those_that_are_written() -> None:
    labels = {label.lower() for label in LABELS}
    edges = [name.removeprefix("edge_").split("_") for name in WRITTEN if name.startswith("edge_")]
    types = {"_".join(words[1:-1]).upper() for words in edges if {words[0], words[-1]} <= labels}
    untold = {"_".join(words[1:]).upper() for words in edges if words[-1] not in labels}
    assert set(TYPES) == types | untold | DERIVED
