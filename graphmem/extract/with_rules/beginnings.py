"""Beginnings: "I've been playing for four months" says when the playing started, and that is an event of its own."""

from __future__ import annotations

from dataclasses import replace

from graphmem.extract.with_rules.clauses import Clause
from graphmem.extract.with_rules.times import Timed
from graphmem.records import EventDraft, TimeNote


def beginning_of(clause: Clause, event: EventDraft, times: tuple[Timed, ...]) -> EventDraft | None:
    """The event of a lasting state's beginning, dated by "for four months" or "since May"; None where the state has no such time.

    It is drawn from the sentence rather than said, hence its low confidence.
    """
    if clause.tense != "perfect" or clause.negated or event.kind != "event" or clause.passive:
        return None
    if any(token.dep_ == "det" and token.lower_ == "no" for child in clause.head.children for token in child.children):
        return None
    timed = next((item for item in times if item.expression.starts is not None), None)
    if timed is None or timed.expression.starts is None:
        return None
    began = timed.expression.starts
    note: TimeNote = replace(
        timed.note, start=began.start, end=began.end, granularity=began.granularity, alternatives=(), recurrence=None
    )
    doing = gerund(clause.head.lemma_.lower()) if clause.head.tag_ != "VBG" else clause.head.lower_
    rest = event.summary.partition(f" {clause.head.lower_}")[2]
    summary = f"{event.subject} started {doing}{rest}"
    return replace(
        event,
        verb=f"start {doing}",
        summary=summary,
        aliases=(f"begin {doing} {event.object}".strip(), *event.aliases[:2]),
        time=note,
        confidence=0.5,
    )


def gerund(lemma: str) -> str:
    """The -ing form of a verb by the usual rules: live → living, run → running, be → being."""
    if lemma in ("be", "see", "flee", "agree"):
        return lemma + "ing"
    if lemma.endswith("ie"):
        return lemma[:-2] + "ying"
    if lemma.endswith("e"):
        return lemma[:-1] + "ing"
    short = (
        len(lemma) <= 4
        and lemma[-1] not in "aeiouwxyrnl"
        and lemma[-2:-1] in tuple("aeiou")
        and lemma[-3:-2] not in tuple("aeiou")
    )
    return lemma + (lemma[-1] if short or lemma in ("run", "win", "begin", "plan") else "") + "ing"
