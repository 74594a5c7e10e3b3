"""How much of a prompt a text takes, and how a text is cut to size."""

from __future__ import annotations

import math

from graphmem.search.words import stem, words_of

CUT = " […] "
_NEAR = 24
"""How far a cut may move to fall between two words, in characters."""


def estimated_tokens(text: str) -> int:
    """About how many tokens a text takes in a large language model: a quarter of its ASCII characters, and one for each other character.

    On the safe side for English prose (4.2 to 4.8 characters a token in the usual vocabularies); pass a tokenizer's own count where it
    has to be exact.
    """
    ascii_characters = sum(1 for character in text if character.isascii())
    return math.ceil(ascii_characters / 4) + len(text) - ascii_characters


def one_line(text: str) -> str:
    """A text with every run of white space, line breaks of all kinds among it, as one space: in a prompt it cannot pass for a line more."""
    return " ".join(text.split())


def excerpt(text: str, asked: str, size: int) -> str:
    """A text of at most ``size`` characters: the whole if it fits, else the stretch of it that holds most of the words asked for.

    Where something is left out, " […] " stands. Cuts fall between words where there are spaces.
    """
    if len(text) <= size:
        return text
    room = max(1, size - 2 * len(CUT))
    wanted = {stem(word) for word in words_of(asked)}
    held = [place for place, word in _places(text) if stem(word) in wanted]
    best = max(held, key=lambda first: (sum(first <= place < first + room for place in held), -first), default=0)
    begin = 0 if best < room // 2 else min(best - room // 8, len(text) - room)
    if begin > 0:
        begin = text.find(" ", begin, begin + _NEAR) + 1 or begin
    end = begin + room
    if end < len(text):
        space = text.rfind(" ", end - _NEAR, end)
        end = space if space > begin else end
    return (CUT.lstrip() if begin > 0 else "") + text[begin:end].strip() + (CUT.rstrip() if end < len(text) else "")


def _places(text: str) -> list[tuple[int, str]]:
    found, end = [], 0
    for part in text.split():
        start = text.index(part, end)
        end = start + len(part)
        found += [(start, word) for word in words_of(part)]
    return found
