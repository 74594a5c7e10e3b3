"""Regular expressions: those whose work stays cubic are tried, those that may double it with every character are not."""

from __future__ import annotations

import pytest

from graphmem.graph.guard.regexes import is_tame

TAME = [
    "abc",
    ".*abc.*",
    "(?i).*lisbon.*",
    "(?i)ana|bo",
    r".*\bdog\b.*",
    r"(?:Mr|Mrs)?\.? Smith",
    "[A-Z][a-z]+",
    r"\d{4}-\d{2}",
    "^x.*y$",
    "D[0-9]+:[0-9]+",
]
WILD = [
    "(a+)+b",
    "(.*)*",
    "(a|aa)*",
    "(?:x{1,9}){1,9}",
    ".*.*.*.*",
    r"(.)\1",
    "(?=a)b",
    "(?<x>a)",
    "[a&&[b]]",
    "a" * 201,
    "(",
    "a)",
    "(?i)(a*)*",
    r"\Qx\E",
    "(a)*",
    "\bmoved\b",
]


@pytest.mark.parametrize("pattern", TAME)
def test_a_tame_pattern_is_tried(pattern: str) -> None:
    assert is_tame(pattern)


@pytest.mark.parametrize("pattern", WILD)
def test_a_wild_pattern_is_not(pattern: str) -> None:
    assert not is_tame(pattern)
