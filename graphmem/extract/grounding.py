"""Grounding: a quotation must stand in its turn, and a time must be one that the rule table reads, before anything is built on them. Pure.

A quotation that is not in the turn letter by letter is aligned, by ever looser comparisons, and what is stored is always the turn's own
words:

1. ``verbatim``: it is there;
2. ``normalised``: it is, but for case, white space, kinds of quotes and dashes, or composed against decomposed characters (NFC, NFD);
3. ``elided``: its parts between "…" are there, in order;
4. ``fuzzy``: something alike is (rapidfuzz's partial ratio from ``THRESHOLD`` on), with the same digits and the same negations, since a
   quotation that differs in those says something else.

What cannot be aligned is refused. Offsets count code points.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from rapidfuzz import fuzz

from graphmem.records import Quote, Turn

How = Literal["verbatim", "normalised", "elided", "fuzzy"]

THRESHOLD = 88.0
"""Similarity, of 100, from which a stretch of the turn counts as what was quoted: a word in ten may differ, or its ending in five."""

SHORTEST_FUZZY = 12
"""Code points of a quotation that may be aligned by similarity; a shorter one is alike too many things."""

_SLACK = 24
"""How far, in code points, the edges of an aligned stretch may lie from where the comparison put them."""

_SAME = str.maketrans(
    dict.fromkeys("‘’‚‛′`´＇", "'") | dict.fromkeys("“”„‟″«»＂", '"') | dict.fromkeys("‐‑‒–—―−－", "-")
)
_UNSEEN = frozenset("\u200b\u200c\u200d\u2060\ufeff\u00ad")
_ELISION = re.compile(r"\s*(?:\[?\.\.\.\]?|\[?…\]?)\s*")
_NEGATION = re.compile(r"\b(?:no|not|never|none|nothing|nobody|without|cannot)\b|n't\b")


@dataclass(frozen=True, slots=True)
class Grounded:
    """A quotation of the turn's own words, how it was found, and how alike it is to what was given (0 to 1)."""

    quote: Quote
    how: How
    score: float = 1.0

    @property
    def aligned(self) -> bool:
        """Whether the words given were not the turn's, letter by letter."""
        return self.how != "verbatim"


def ground(quoted: str, turn: Turn) -> Grounded | None:
    """Where a quotation stands in a turn; None where nothing like it does, or it is empty."""
    text, wanted = turn.text, quoted.strip()
    if not any(char.isalnum() for char in wanted):
        return None
    at = text.find(wanted)
    if at >= 0:
        return Grounded(Quote(turn.id, at, at + len(wanted), wanted), "verbatim")
    plain = _as_compared(text)
    span = plain.find(wanted)
    if span is not None:
        return _found(turn, span, "normalised", 1.0)
    parts = [part for part in _ELISION.split(wanted.strip("\"'“”‘’«» ")) if any(char.isalnum() for char in part)]
    span = _in_order(plain, parts)
    if span is not None:
        return _found(turn, span, "elided", 1.0)
    return _alike(turn, plain, wanted)


def locate(name: str, text: str) -> tuple[int, int] | None:
    """Where a name stands in a text as a word of its own, whatever its case; None where it does not."""
    return _as_compared(text).find(name.strip(), whole_words=True)


class _Plain:
    """A text as it is compared, with the place that each of its characters has in the original."""

    def __init__(self, text: str) -> None:
        chars: list[str] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in _segments(text):
            for char in _plain(text[start:end]):
                if char == " " and (not chars or chars[-1] == " "):
                    if chars:
                        self._ends[-1] = end
                    continue
                chars.append(char)
                self._starts.append(start)
                self._ends.append(end)
        self.text = "".join(chars)

    def find(self, wanted: str, begin: int = 0, *, whole_words: bool = False) -> tuple[int, int] | None:
        """The place in the original of the first occurrence from ``begin`` (a place in the original) on."""
        plain = _as_compared(wanted).text.strip()
        at = -1
        while plain:
            at = self.text.find(plain, at + 1)
            if at < 0:
                return None
            end = at + len(plain)
            if self._starts[at] >= begin and (not whole_words or self._is_apart(at, end)):
                return self.original(at, end)
        return None

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The place in the original of a stretch of this text."""
        return self._starts[start], self._ends[end - 1]

    def best_words(self, given: str, start: int, end: int) -> tuple[int, int]:
        """The stretch of whole words about a place that is most like what was given. A partial ratio compares equal lengths, so that a
        word left out of the quotation pushes another out of the stretch."""
        edges = [at for at in range(len(self.text) + 1) if self._is_edge(at)]
        starts = [at for at in edges if abs(at - start) <= _SLACK and at < end and self.text[at : at + 1] != " "]
        ends = [at for at in edges if abs(at - end) <= _SLACK and at > start and self.text[at - 1 : at] != " "]
        pairs = [(one, other) for one in starts for other in ends if one < other]
        return max(pairs, key=lambda pair: fuzz.ratio(given, self.text[pair[0] : pair[1]]), default=(start, end))

    def _is_edge(self, at: int) -> bool:
        return at in (0, len(self.text)) or not _joined(self.text[at - 1], self.text[at])

    def _is_apart(self, start: int, end: int) -> bool:
        return self._is_edge(start) and self._is_edge(end)


@lru_cache(maxsize=256)
def _as_compared(text: str) -> _Plain:
    # A turn is compared with every quotation and name of its statements.
    return _Plain(text)


def _joined(one: str, other: str) -> bool:
    """Whether two neighbours are of one word. Scripts without spaces between words have no edges to respect."""
    return all(unicodedata.category(char)[0] in "LNM" and ord(char) < 0x2E80 for char in (one, other))


def _segments(text: str) -> list[tuple[int, int]]:
    """Each character with the combining marks that follow it."""
    found: list[tuple[int, int]] = []
    for place, char in enumerate(text):
        if found and unicodedata.combining(char):
            found[-1] = (found[-1][0], place + 1)
        else:
            found.append((place, place + 1))
    return found


def _plain(segment: str) -> str:
    if segment in _UNSEEN:
        return ""
    folded = unicodedata.normalize("NFD", segment.translate(_SAME)).casefold()
    return " " if folded.isspace() else unicodedata.normalize("NFD", folded)


def _found(turn: Turn, span: tuple[int, int], how: How, score: float) -> Grounded:
    start, end = span
    while start < end and turn.text[start].isspace():
        start += 1
    while end > start and turn.text[end - 1].isspace():
        end -= 1
    return Grounded(Quote(turn.id, start, end, turn.text[start:end], how), how, score)


def _in_order(plain: _Plain, parts: list[str]) -> tuple[int, int] | None:
    if not parts:
        return None
    spans: list[tuple[int, int]] = []
    for part in parts:
        span = plain.find(part, spans[-1][1] if spans else 0)
        if span is None:
            return None
        spans.append(span)
    return spans[0][0], spans[-1][1]


def _alike(turn: Turn, plain: _Plain, wanted: str) -> Grounded | None:
    given = _as_compared(wanted).text.strip()
    if len(given) < SHORTEST_FUZZY or len(plain.text) < SHORTEST_FUZZY or len(given) > len(plain.text) * 1.3:
        return None
    best = fuzz.partial_ratio_alignment(given, plain.text, score_cutoff=THRESHOLD)
    if best is None:
        return None
    start, end = plain.best_words(given, best.dest_start, best.dest_end)
    stretch = plain.text[start:end]
    if re.findall(r"\d+", given) != re.findall(r"\d+", stretch):
        return None
    if len(_NEGATION.findall(given)) != len(_NEGATION.findall(stretch)):
        return None
    return _found(turn, plain.original(start, end), "fuzzy", round(best.score / 100, 3))
