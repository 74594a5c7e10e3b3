"""Which regular expressions of ``=~`` are tried at all.

The server's engine backtracks: ``(a+)+b`` takes time that doubles with every character, between two looks at the clock. Taken are patterns
whose work is at most cubic: repeats stand on single characters, classes and dots only, at most three of them without bound; groups may be
optional but not repeated; no back references, no look-around.
"""

from __future__ import annotations

import re

MOST_REPEATS = 3
LONGEST_PATTERN = 200

_PIECE = re.compile(
    r"""
    (?P<group>\((?:\?:)?)
    | (?P<close>\)\??)
    | (?P<or>\|)
    | (?P<anchor>[\^$]|\\[bBAzZ])
    | (?P<one>\[\^?\]?(?:\\.|[^\]\\\[&])*\]|\\[dDwWsS]|\\[^A-Za-z0-9]|\\p\{[A-Za-z]+\}|[^()\[\]{}|*+?^$\\])
      (?P<repeat>[*+]|\{\d+,\}|\{(?P<low>\d{1,2})(?:,(?P<high>\d{1,2}))?\}|\?)?[?+]?
    """,
    re.VERBOSE | re.DOTALL,
)


def is_tame(pattern: str) -> bool:
    """Whether a pattern is of the kind described above."""
    if len(pattern) > LONGEST_PATTERN or any(character < " " for character in pattern):
        # A backspace comes of a single backslash before b, where two were meant; it would match nothing, without a word.
        return False
    position = 0
    flags = re.match(r"\(\?[ismu]+\)", pattern)
    if flags is not None:
        position = flags.end()
    repeats = depth = 0
    while position < len(pattern):
        found = _PIECE.match(pattern, position)
        if found is None or found.end() == position:
            return False
        repeat = found.group("repeat")
        if repeat is not None and repeat != "?" and found.group("high") is None and found.group("low") is None:
            repeats += 1
        depth += (found.group("group") is not None) - (found.group("close") is not None)
        if depth < 0:
            return False
        position = found.end()
    return repeats <= MOST_REPEATS and depth == 0
