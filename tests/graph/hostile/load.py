"""The hostile queries of the files beside this one: each with its kind and the words that its refusal must say."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LET_THROUGH = ("accepted", "silent", "stopped")
"""Keys of queries that may pass the guard: they must show nothing, tell nothing by failing, or end within their limits."""

VALUES: dict[str, Any] = {
    "key": "embedding",
    "label": "Turn",
    "labels": ["Turn"],
    "type": "HAS_FACT",
    "types": ["HAS_FACT"],
    "x": "000000000000",
    "map": {"name": "Ana"},
    "v": [1.0],
    "id": "neo4j-transaction-1",
    "url": "file:///etc/passwd",
    "procedure": "db.labels",
    "big": 10**9,
    "zero": 0,
    "garbage": "garbage",
    "regex": "(a+)+b",
}
"""Parameters that any of them may use."""


@dataclass(frozen=True)
class Hostile:
    """A query, the file it stands in, and its key there."""

    kind: str
    reason: str
    text: str


def hostile() -> list[Hostile]:
    """All of them."""
    found = []
    for path in sorted(Path(__file__).parent.glob("*.toml")):
        if path.stem != "honest":
            data = tomllib.loads(path.read_text(encoding="utf-8"))
            found += [Hostile(path.stem, reason, text) for reason, texts in data.items() for text in texts]
    return found
