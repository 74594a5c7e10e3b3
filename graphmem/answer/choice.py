"""What was chosen to answer with, whichever way it was found: the short answer, its time, and the words it rests on."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.records import Citation, FactView, Interval


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer before it is worded.

    ``short`` is the answer itself, None where only words can be quoted; ``citations`` come in order of importance, and the first
    ``quoted`` of them are shown. ``time`` is what it speaks for. ``notes`` are sentences to be said with it: conflicts, doubts. ``unknown``
    is true where it only says since when something is known.
    """

    form: str
    short: str | None
    citations: tuple[Citation, ...]
    time: Interval | None = None
    facts: tuple[FactView, ...] = ()
    notes: tuple[str, ...] = ()
    quoted: int = 1
    unknown: bool = False
