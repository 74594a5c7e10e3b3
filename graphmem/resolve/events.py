"""Event coreference: whether two tellings are of one happening. Rules decide what is clear; what is not goes to a model, if there is one.

Told again means: the same people do it, the times overlap, and the words are close. Two tellings are joined by SAME_AS, so that counting
counts once; where rules are unsure and no model is asked they stay two, for two can be joined later and a wrong join hides a happening.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from graphmem.ids import normalise_name

Verdict = Literal["same", "unsure", "different"]

SURE = 0.95
"""Cosine of two events' embeddings from which close words alone suffice. With the local embedder no two different doings of the same
people (lunch and dinner, two races) were so close; of true retellings in other words about half are, and most of the rest pass LIKELY."""

LIKELY = 0.90
"""Cosine from which two events may be one. Different doings of the same people reach 0.93."""

MOST_UNSURE = 8
"""Pairs of a window that a model is asked about, at most: the nearest first."""

_COMPARED = frozenset({"event", "plan"})
_COARSE = frozenset({"month", "season", "quarter", "year", "decade", "century", "range"})
_SMALL = frozenset("a an the his her their its my our some".split())


@dataclass(frozen=True, slots=True)
class Telling:
    """An event as told in one turn.

    ``agents`` are the identifiers of the entities that do it, ``others`` of the rest that take part. ``dated`` is False where the words
    name no time, so that the interval is only the day of telling. ``text`` is what a model is shown.
    """

    id: str
    turn_id: str
    kind: str
    verb: str
    object: str
    text: str
    agents: frozenset[str]
    others: frozenset[str] = frozenset()
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    granularity: str = "day"
    dated: bool = True


@dataclass(frozen=True, slots=True)
class Coreference:
    """What was decided about two tellings, with how much confidence (0 to 1), why, and by whom."""

    one: Telling
    other: Telling
    verdict: Verdict
    confidence: float
    reason: str
    decided_by: Literal["rule", "model"] = "rule"


@dataclass(frozen=True, slots=True)
class Compared:
    """The pairs that are one for certain, and those to ask a model about, nearest first."""

    same: tuple[Coreference, ...]
    unsure: tuple[Coreference, ...]


def compare(pairs: Iterable[tuple[Telling, Telling, float]]) -> Compared:
    """Decides pairs of tellings, each with the cosine of their embeddings (twice a vector index's score, less one). A pair counts once."""
    decided: dict[frozenset[str], tuple[float, Coreference]] = {}
    for one, other, cosine in pairs:
        decided.setdefault(frozenset({one.id, other.id}), (cosine, told_again(one, other, cosine)))
    same = tuple(found for _, found in decided.values() if found.verdict == "same")
    unsure = sorted(
        ((cosine, found) for cosine, found in decided.values() if found.verdict == "unsure"),
        key=lambda pair: (-pair[0], pair[1].one.id, pair[1].other.id),
    )
    return Compared(same, tuple(found for _, found in unsure[:MOST_UNSURE]))


def told_again(one: Telling, other: Telling, cosine: float) -> Coreference:
    """Whether the second telling is of what the first tells."""

    def verdict(value: Verdict, confidence: float, reason: str) -> Coreference:
        return Coreference(one, other, value, round(confidence, 3), reason)

    apart = _apart(one, other, cosine)
    if apart is not None:
        return verdict("different", 0.8, apart)
    doubt = _doubt(one, other)
    alike = one.verb.casefold() == other.verb.casefold() and _objects_agree(one.object, other.object)
    if doubt is None and (cosine >= SURE or alike):
        how = "the same words" if alike else "close words"
        return verdict("same", min(cosine, 0.95), f"same people, overlapping times, {how} ({cosine:.2f})")
    if doubt is not None and cosine < SURE and not alike:
        return verdict("different", 0.6, f"{doubt}, and the words are not close ({cosine:.2f})")
    return verdict("unsure", 0.5, doubt or f"same people and overlapping times, but other words ({cosine:.2f})")


def _apart(one: Telling, other: Telling, cosine: float) -> str | None:
    """Why they cannot be one, or None."""
    if one.turn_id == other.turn_id:
        return "told in one turn, which tells a thing once"
    if one.kind != other.kind or one.kind not in _COMPARED:
        return f"{one.kind} and {other.kind}"
    if not one.agents & other.agents:
        return "other people"
    if one.dated and other.dated and not _overlap(one, other):
        return "at other times"
    digits = [re.findall(r"\d+", each.object) for each in (one, other)]
    if all(digits) and digits[0] != digits[1]:
        return f"other numbers: {one.object!r}, {other.object!r}"
    return f"other words ({cosine:.2f})" if cosine < LIKELY else None


def _doubt(one: Telling, other: Telling) -> str | None:
    """Why a rule cannot be sure that they are one, or None."""
    if not (one.dated and other.dated):
        return "a telling names no time"
    if one.agents != other.agents:
        return "not all of the same people"
    if one.granularity in _COARSE and other.granularity in _COARSE:
        return "times too coarse to tell two happenings apart"
    return None


def _overlap(one: Telling, other: Telling) -> bool:
    starts_before = one.starts_at is None or other.ends_at is None or one.starts_at < other.ends_at
    return starts_before and (other.starts_at is None or one.ends_at is None or other.starts_at < one.ends_at)


def _objects_agree(one: str, other: str) -> bool:
    words = [frozenset(normalise_name(each).split()) - _SMALL for each in (one, other)]
    return bool(words[0] and words[1]) and (words[0] <= words[1] or words[1] <= words[0])
