"""Cypher lives in files, one query each, and is checked when it is loaded.

A file under ``cypher/`` opens with a header of comment lines: a sentence on what it answers or does, then ``// Parameters: $a, $b`` (or
``// Parameters: none``), which may run on over further comment lines. The parameters declared there and those the text uses must be the
same, else loading fails with the file and the difference. Values reach a query only as parameters.

Schema files may hold several statements, each ended by a semicolon at the end of a line.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path

from graphmem.errors import QueryFileError

_PACKAGED = Path(__file__).resolve().parent.parent / "_cypher"
_SIBLING = Path(__file__).resolve().parent.parent.parent / "cypher"
_NOT_CODE = re.compile(r"//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`[^`]*`", re.DOTALL)
_LANGUAGE = re.compile(r"^CYPHER 25\b[ \t]*\n?", re.MULTILINE)
_FILTERED_BY = re.compile(r"(?<=ON n\.embedding) WITH \[[^\]]*\]")
_DYNAMIC = re.compile(r"\$\(\s*\$([A-Za-z_][A-Za-z0-9_]*)\s*\)")


@dataclass(frozen=True, slots=True)
class Query:
    """A query file: its name (``read/facts``), what it answers, its parameters and its text as it can be pasted."""

    name: str
    purpose: str
    parameters: frozenset[str]
    text: str

    @property
    def statements(self) -> tuple[str, ...]:
        """The statements of a schema file, without their closing semicolons; for other files the text alone."""
        parts = re.split(r";[ \t]*(?:\n|$)", self.text)
        return tuple(part.strip() for part in parts if _NOT_CODE.sub("", part).strip())


def folder() -> Path:
    """Where the query files are: in the installed package if they are there, else beside it in a checkout."""
    return _PACKAGED if _PACKAGED.is_dir() else _SIBLING


@functools.cache
def load_all() -> dict[str, Query]:
    """Every query by name. Raises QueryFileError for a file with no header or with parameters that do not match it."""
    root = folder()
    found = {
        path.relative_to(root).with_suffix("").as_posix(): parse(
            path.relative_to(root).with_suffix("").as_posix(), path.read_text(encoding="utf-8")
        )
        for path in sorted(root.rglob("*.cypher"))
    }
    if not found:
        raise QueryFileError(
            f"there are no query files under {root}; the installation is incomplete, install graphmem again"
        )
    return found


def load(name: str) -> Query:
    """The query of this name, such as ``read/facts``. Raises QueryFileError if there is none."""
    queries = load_all()
    if name not in queries:
        raise QueryFileError(f"there is no query file {name}.cypher under {folder()}")
    return queries[name]


def parse(name: str, text: str) -> Query:
    """Reads a query file's text. Raises QueryFileError naming the file when header and text do not agree."""
    header = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        header.append(line[2:].strip())
    joined = "\n".join(header)
    purpose, found, declared_text = joined.partition("Parameters:")
    if not found or not purpose.strip():
        raise QueryFileError(f"{name}.cypher opens with no '// <what it answers>' and '// Parameters: …' header")
    declared_text = declared_text.partition("\nReturns:")[0]
    declared = frozenset(re.findall(r"\$([A-Za-z_][A-Za-z0-9_]*)", declared_text))
    used = parameters_used(text)
    if declared != used:
        parts = []
        if used - declared:
            parts.append("uses undeclared " + ", ".join(f"${p}" for p in sorted(used - declared)))
        if declared - used:
            parts.append("declares unused " + ", ".join(f"${p}" for p in sorted(declared - used)))
        raise QueryFileError(f"{name}.cypher {' and '.join(parts)}; its header and its text must agree")
    return Query(name=name, purpose=" ".join(purpose.split()), parameters=declared, text=text)


def for_server(text: str, version: tuple[int, int]) -> str:
    """A query as a server of this version (year or major, month or minor) takes it.

    Before 2025.06 a server knows one language, which is not named; before 2026 a vector index has no properties to filter by. What else
    such a server lacks, the SEARCH clause, is asked for otherwise, by files whose names end in ``_5``.
    """
    if version < (2025, 6):
        text = _LANGUAGE.sub("", text)
    return text if version >= (2026, 0) else _FILTERED_BY.sub("", text)


def parameters_used(text: str) -> frozenset[str]:
    """The parameters a Cypher text uses, strings, comments and quoted names left out. ``:$($label)`` uses ``label``."""
    code = _NOT_CODE.sub(" ", text)
    dynamic = set(_DYNAMIC.findall(code))
    plain = set(re.findall(r"\$([A-Za-z_][A-Za-z0-9_]*)", _DYNAMIC.sub(" ", code)))
    return frozenset(dynamic | plain)
