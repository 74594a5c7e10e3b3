"""Which regular expressions of ``=~`` are tried at all, and how much work they are.

The server's engine backtracks: ``(a+)+b`` takes time that doubles with every character, between two looks at the clock. Taken are patterns
whose work is at most cubic: repeats stand on single characters, classes and dots only, at most three of them without bound; groups may be
optional but not repeated; no back references, no look-around. What is optional, bounded (``a{1,9}``) or one of several (``a|b``) makes
the work that many times as much, and these multiply: ``a?`` thirty times over is a thousand million ways.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MOST_REPEATS = 3
MOST_CHOICES = 1_000
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


@dataclass(frozen=True, slots=True)
class Shape:
    """A pattern has ``repeats`` without bound and, for each way through these, at most ``choices`` others."""

    repeats: int
    choices: int

    def work(self, length: float) -> float:
        """Steps on a text of so many characters, at most."""
        return float(self.choices * max(1.0, length) ** max(1, self.repeats))

    def longest(self, steps: float) -> int:
        """The length of the longest text on which it takes no more steps than these."""
        return int((steps / self.choices) ** (1 / max(1, self.repeats)))


def shape(pattern: str) -> Shape | None:
    """The shape of a pattern of the kind described above, None for any other."""
    if len(pattern) > LONGEST_PATTERN or any(character < " " for character in pattern):
        # A backspace comes of a single backslash before b, where two were meant; it would match nothing, without a word.
        return None
    position = 0
    flags = re.match(r"\(\?[ismu]+\)", pattern)
    if flags is not None:
        position = flags.end()
    repeats, choices, branches = 0, 1, [1]
    while position < len(pattern):
        found = _PIECE.match(pattern, position)
        if found is None or found.end() == position:
            return None
        repeat, low, high = found.group("repeat", "low", "high")
        if repeat == "?":
            choices *= 2
        elif high is not None:
            choices *= max(1, int(high) - int(low) + 1)
        elif repeat is not None and low is None:
            repeats += 1
        if found.group("group") is not None:
            branches.append(1)
        elif found.group("or") is not None:
            branches[-1] += 1
        elif found.group("close") is not None:
            choices *= branches.pop() * (2 if found.group("close").endswith("?") else 1)
            if not branches:
                return None
        position = found.end()
    if len(branches) > 1:
        return None
    choices *= branches[0]
    return Shape(repeats, choices) if repeats <= MOST_REPEATS and choices <= MOST_CHOICES else None
