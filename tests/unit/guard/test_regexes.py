"""Regular expressions: those whose work stays cubic are tried, those that may double it with every character are not."""

from __future__ import annotations

import pytest

from graphmem.graph.guard.regexes import shape

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
    "(?i).*(dog|cat|puppy).*(sick|ill|vet).*",
    r"\+?\d{1,3}[- ]?\d{3}[- ]?\d{4}",
    "|".join(["word"] * 30),
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
    "a?" * 30 + "a" * 30,
    "(a|a)" * 20 + "b",
    "(a|b|c)?" * 8,
    "a{1,99}a{1,99}b",
    ".{0,30}x.{0,30}y.{0,30}",
]


@pytest.mark.parametrize("pattern", TAME)
def test_a_tame_pattern_is_tried(pattern: str) -> None:
    assert shape(pattern) is not None


@pytest.mark.parametrize("pattern", WILD)
def test_a_wild_pattern_is_not(pattern: str) -> None:
    assert shape(pattern) is None


def test_the_work_grows_with_choices_and_with_the_length_once_for_each_repeat() -> None:
    plain, wide = shape(".*a.*b"), shape("(?i).*(a|b|c).*x?")
    assert plain is not None
    assert wide is not None
    assert plain.work(1_000) == 1_000**2
    assert wide.work(1_000) == 6 * 1_000**2
    assert wide.longest(6 * 1_000**2) == 1_000
