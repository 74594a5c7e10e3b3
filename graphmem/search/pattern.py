"""What grep looks for: a text word for word, or a regular expression, with what an index can be asked beforehand.

A literal is found wherever it stands, within words too; runs of white space match each other, and composed letters their decomposed forms.
A regular expression is checked before it runs: one in which repetition is nested in repetition, or that refers back, can take time without
bound on an unlucky text, and is refused. What is let through runs with a time limit on every text.

Fragments are the runs of letters and digits that every match must hold. They are what the full-text index is asked for, so they err on the
side of asking for less: what an analyzer might treat in another way than this module is left out.
"""

from __future__ import annotations

import re
import re._constants as codes  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import regex  # type: ignore[import-untyped]

from graphmem.errors import QuestionError
from graphmem.search.words import cjk_runs

MAX_CHARACTERS = 1_000
MATCH_SECONDS = 0.2
"""Time for one text."""

MANY = 20
"""From so many repetitions on, a bounded one counts as unbounded."""

_SHORTEST_FRAGMENT = 3
_STOP_WORDS = frozenset(
    "a an and are as at be but by for if in into is it no not of on or s such t that the their then there these they this to was will "
    "with www".split()
)
"""What the analyzers leave out of the index."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern. ``fragments`` are runs of letters and digits, lower-cased, that every match holds; they may be none."""

    shown: str
    compiled: Any
    fragments: tuple[str, ...]

    def spans(self, text: str) -> tuple[tuple[int, int], ...]:
        """Where it matches: ``[start, end)`` in code points, without overlap. Raises QuestionError if a text takes too long."""
        try:
            return tuple(match.span() for match in self.compiled.finditer(text, timeout=MATCH_SECONDS))
        except TimeoutError as exc:
            raise QuestionError(
                f"the expression {self.shown!r} takes more than {MATCH_SECONDS} s on one text of {len(text)} characters; "
                "make it simpler, with fewer repetitions in a row"
            ) from exc


def literal(text: str, case: bool = False) -> Pattern:
    """A text to be found as it is; upper and lower case alike unless ``case``. Raises QuestionError if it is empty or too long."""
    _check(text)
    forms = dict.fromkeys((text, unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)))
    either = "|".join(_spaced(form) for form in forms)
    return Pattern(text, regex.compile(either, 0 if case else regex.IGNORECASE), _fragments([text]))


def expression(text: str, case: bool = False) -> Pattern:
    """A regular expression in Python's syntax. Raises QuestionError, with the reason, if it cannot be read or could take for ever."""
    _check(text)
    try:
        tree = parser.parse(text)
        compiled = regex.compile(text, 0 if case else regex.IGNORECASE)
    except (re.error, regex.error, OverflowError, RecursionError) as exc:
        raise QuestionError(f"{text!r} is no regular expression: {exc}") from exc
    reason = _explodes(tree, within=False)
    if reason is not None:
        raise QuestionError(f"the expression {text!r} could take for ever on some texts: {reason}; write it without")
    return Pattern(text, compiled, _fragments(_literals(tree)))


def _check(text: str) -> None:
    if not text.strip():
        raise QuestionError("the text to look for is empty")
    if len(text) > MAX_CHARACTERS:
        raise QuestionError(f"the text to look for has {len(text)} characters; at most {MAX_CHARACTERS} are looked for")


def _spaced(text: str) -> str:
    return r"[\s\x1c-\x1f]+".join(regex.escape(part) for part in text.split())


def _explodes(tree: Iterable[tuple[Any, Any]], *, within: bool) -> str | None:
    """Why a parsed expression could explode, None if it cannot: nothing that is repeated may itself repeat, or choose."""
    for code, value in tree:
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            low, high, body = value
            many = high is codes.MAXREPEAT or high >= MANY
            if within and (many or low != high):
                return "a repetition stands within a repetition"
            reason = _explodes(body, within=within or many)
        elif code is codes.BRANCH:
            if within and _may_start_alike(value[1]):
                return "alternatives that can begin alike are repeated"
            reason = next(filter(None, (_explodes(each, within=within) for each in value[1])), None)
        elif code in (codes.GROUPREF, codes.GROUPREF_EXISTS):
            return "it refers back to a group"
        elif code is codes.SUBPATTERN:
            reason = _explodes(value[-1], within=within)
        elif code is codes.ATOMIC_GROUP:
            reason = _explodes(value, within=within)
        elif code in (codes.ASSERT, codes.ASSERT_NOT):
            reason = _explodes(value[1], within=within)
        else:
            continue
        if reason is not None:
            return reason
    return None


def _may_start_alike(branches: Iterable[Iterable[tuple[Any, Any]]]) -> bool:
    starts = []
    for branch in branches:
        first = next(iter(branch), None)
        if first is None or first[0] is not codes.LITERAL:
            return True
        starts.append(chr(first[1]).lower())
    return len(set(starts)) < len(starts)


def _literals(tree: Iterable[tuple[Any, Any]]) -> list[str]:
    """Stretches of literal characters that every match of a parsed expression holds."""
    found, current = [], ""
    for code, value in tree:
        if code is codes.LITERAL:
            current += chr(value)
            continue
        if code is codes.AT:
            continue
        found.append(current)
        current = ""
        if code is codes.SUBPATTERN:
            found += _literals(value[-1])
        elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT) and value[0] > 0:
            found += _literals(value[2])
    return [*found, current]


def _fragments(stretches: Iterable[str]) -> tuple[str, ...]:
    found: list[str] = []
    for stretch in stretches:
        stable = "".join(
            c if _stable(c, after) else " " for c, after in zip_longest(stretch, stretch[1:], fillvalue="")
        )
        for run in re.findall(r"[^\W_]+", stable):
            for part, cjk in cjk_runs(run.lower()):
                if cjk:
                    found += [part[i : i + 2] for i in range(max(1, len(part) - 1))]
                elif len(part) >= _SHORTEST_FRAGMENT and not any(part in word for word in _STOP_WORDS):
                    found.append(part)
    return tuple(dict.fromkeys(found))


def _stable(character: str, after: str) -> bool:
    """Whether a character is the same in every Unicode form and has one lower case: only such may stand in a fragment."""
    return (
        (not after or unicodedata.category(after)[0] != "M")
        and unicodedata.normalize("NFD", character) == character == unicodedata.normalize("NFKC", character)
        and len(character.lower()) == 1
        and len(character.upper()) == 1
        and unicodedata.category(character)[0] in "LN"
    )
