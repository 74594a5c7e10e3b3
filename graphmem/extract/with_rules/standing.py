"""Whether a fact holds, is over or is denied, and in what period, from the tense, the negation and the time of its clause."""

from __future__ import annotations

from dataclasses import dataclass, replace

from graphmem.extract.with_rules.clauses import Clause
from graphmem.extract.with_rules.times import Timed
from graphmem.records import Interval, Polarity, TimeNote


@dataclass(frozen=True, slots=True)
class Standing:
    """A fact's polarity and period. ``valid`` is None where the clause states no bound: ingestion takes the utterance time."""

    polarity: Polarity
    valid: Interval | None = None
    time: TimeNote | None = None
    confidence: float = 0.7


def standing_of_state(clause: Clause, times: tuple[Timed, ...], past: str = "ended") -> Standing | None:
    """The standing of what is said to be so ("I live in Rome"); None where the clause says nothing of the kind.

    ``past`` is what a past tense without a time means: "ended", "holds" or "none"; "event"
    says nothing even with one (eating an apple yesterday is no habit).
    """
    chosen = _with_interval(times)
    note = None if chosen is None else chosen.note
    stage = _life_stage(times)
    if clause.ended == "used_to":
        closing = _closing(times)
        if closing is not None:
            return Standing("holds", closing, note, 0.7)
        return Standing("ended", None, note or stage, 0.75)
    if clause.ended in ("no_longer", "ceased"):
        return Standing("ended", _ending(chosen), note or (stage and stage.bounding("UNTIL")), 0.8)
    if clause.tense in ("past",):
        if clause.negated:
            return None
        if past == "event":
            return None
        if chosen is not None and chosen.interval is not None:
            return Standing("holds", _within(chosen), note, 0.7)
        if stage is not None:
            return Standing("ended", None, stage, 0.7)
        return None if past == "none" else Standing("holds" if past == "holds" else "ended", None, None, 0.5)
    if clause.tense == "none" or clause.tense == "future":
        return None
    if clause.negated:
        return Standing("denied", _from(chosen) if _since(times) is not None else None, note, 0.75)
    since = _since(times)
    if since is not None:
        return Standing("holds", since[0], since[1], 0.85)
    if stage is not None and clause.tense == "perfect":
        return Standing("holds", None, stage.bounding("FROM"), 0.8)
    if clause.tense == "perfect" and chosen is None and clause.head.lemma_ != "be":
        return Standing("holds", None, None, 0.7)
    return Standing("holds", None, None, 0.8)


def standing_of_change(clause: Clause, times: tuple[Timed, ...], ends: bool) -> Standing | None:
    """The standing of what a change brings about or ends ("moved to Rome"); None while it has not happened."""
    if clause.negated or clause.tense not in ("past", "perfect") or clause.ended == "used_to":
        return None
    chosen = _with_interval(times)
    stage = _life_stage(times)
    note = chosen.note if chosen is not None else stage and stage.bounding("UNTIL" if ends else "FROM")
    return Standing("ended" if ends else "holds", _ending(chosen) if ends else _from(chosen), note, 0.8)


def _with_interval(times: tuple[Timed, ...]) -> Timed | None:
    return next((item for item in times if item.interval is not None), None)


def _life_stage(times: tuple[Timed, ...]) -> TimeNote | None:
    """The age that dates a clause once somebody knows the birth date ("when I was 18")."""
    return next((item.note for item in times if item.note.life_stage is not None), None)


def _ending(timed: Timed | None) -> Interval | None:
    """When something ended: at some moment of a period, so that within the period nobody knows whether it still held."""
    if timed is None or timed.interval is None or timed.interval.start is None:
        return None
    ends = timed.interval.end
    return replace(timed.interval, start_stated=True, end_stated=ends is not None)


def _from(timed: Timed | None) -> Interval | None:
    """From the start of a period on, with no end."""
    if timed is None or timed.interval is None or timed.interval.start is None:
        return None
    return Interval(timed.interval.start, None, timed.interval.granularity, True, False)


def _within(timed: Timed) -> Interval | None:
    interval = timed.interval
    if interval is None:
        return None
    if timed.since:
        return _from(timed)
    return replace(interval, start_stated=interval.start is not None, end_stated=interval.end is not None)


def _since(times: tuple[Timed, ...]) -> tuple[Interval, TimeNote] | None:
    """The start of a state that goes on: "since 2019", "for three years" with the perfect."""
    for timed in times:
        if timed.expression.starts is not None and timed.expression.starts.start is not None:
            began = timed.expression.starts
            return Interval(began.start, None, began.granularity, True, False), timed.note
        if timed.since and timed.interval is not None and timed.interval.start is not None:
            return Interval(timed.interval.start, None, timed.interval.granularity, True, False), timed.note
    return None


def _closing(times: tuple[Timed, ...]) -> Interval | None:
    """The period of something that is over, where its end or its period is stated: "until May", "in 2019"."""
    for timed in times:
        interval = timed.interval
        if interval is None:
            continue
        if timed.until:
            return Interval(None, interval.end, interval.granularity, False, interval.end is not None)
        return _within(timed)
    return None
