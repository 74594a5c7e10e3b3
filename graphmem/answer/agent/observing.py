"""What a tool gives back, and how it becomes the observation that a model reads: within a budget, and citable as far as shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from graphmem.answer.agent.rows import data, tokens_of
from graphmem.answer.agent.sources import Sources

Outcome = Literal["rows", "empty", "mistake", "repeated", "refused"]
"""``refused`` is a mistake in Cypher, told apart because its recovery is counted."""

FIRST_ROW = 2
"""So many budgets the first row of a reply may have."""
_OF_HANDLES = "tqfvn0123456789"

RowText = Callable[[Sources], str]
"""Writes a row; whatever it names gets its handle then, so that only what is shown can be cited."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a tool found: a line on it, rows, and what to do next. ``count`` are the rows that hold something, headings left out."""

    head: str
    rows: tuple[RowText, ...] = ()
    count: int | None = None
    hint: str | None = None
    more: str = "narrow the call to see them"
    """What to do for rows that did not fit."""


class Mistake(Exception):
    """A model's mistake, with what to do next. Never leaves this package."""

    def __init__(self, message: str, outcome: Outcome = "mistake") -> None:
        super().__init__(message)
        self.message = message
        self.outcome = outcome


@dataclass(frozen=True, slots=True)
class Observation:
    """A tool's reply as the model reads it, with how it ended, how many rows it shows and about how many tokens it is."""

    text: str
    outcome: Outcome
    rows: int = 0
    hint: str | None = None

    @property
    def tokens(self) -> int:
        """About how many."""
        return tokens_of(self.text)


def heading(text: str) -> RowText:
    """A row that is only a heading."""
    return lambda _: text


def observe(found: Found, sources: Sources, budget: int) -> Observation:
    """What was found, in at most ``budget`` tokens; rows that do not fit are counted, not named.

    A first row is shown also where it has up to ``FIRST_ROW`` budgets, as a turn that is read in full; what is more of it is cut off.
    """
    count = len(found.rows) if found.count is None else found.count
    spent = tokens_of(found.head) + (tokens_of(found.hint) if found.hint else 0) + 30
    lines: list[str] = []
    for write in found.rows:
        size = sources.size
        line = write(sources)
        if not lines and tokens_of(line) > FIRST_ROW * budget:
            line = _shortened(line, FIRST_ROW * budget)
            sources.keep_named(size, line)
            line = f"{line} … (cut; return less at once)"
        cost = tokens_of(line) + 1
        if lines and spent + cost > budget:
            sources.keep_first(size)
            break
        spent += cost
        lines.append(line)
    parts = [found.head]
    if lines:
        parts.append(data(lines))
    left = len(found.rows) - len(lines)
    if left:
        parts.append(f"{left} more did not fit; {found.more}.")
    if found.hint:
        parts.append(found.hint)
    return Observation("\n".join(parts), "rows" if count else "empty", min(count, len(lines)), found.hint)


def _shortened(line: str, budget: int) -> str:
    """The beginning of a line, of at most so many tokens; nothing of a handle is left where it is cut."""
    while (size := tokens_of(line)) > budget:
        line = line[: len(line) * budget // size]
    return line.rstrip(_OF_HANDLES)


def mistaken(mistake: Mistake) -> Observation:
    """A mistake as an observation."""
    return Observation(mistake.message, mistake.outcome)


def repeated(first: Observation, number: int) -> Observation:
    """The reply to a call that was made before: where it stands, and what else could be done. Its text is not sent again."""
    return Observation(
        f"This is the same call as number {number}, whose reply stands above ({first.outcome}, {first.rows} rows). "
        "Change the arguments, use another tool, or answer with what you have.",
        "repeated",
        first.rows,
    )


def joined(lines: Sequence[str]) -> str:
    """Sentences in one line."""
    return " ".join(line for line in lines if line)
