"""Dates that are facts about somebody: "Maya was born on 29 July 2020", "my birthday is on 3 May"."""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.extract.with_rules.clauses import Clause
from graphmem.extract.with_rules.people import Speech, owner
from graphmem.extract.with_rules.standing import Standing
from graphmem.extract.with_rules.statements import statement
from graphmem.extract.with_rules.times import Timed
from graphmem.records import FactDraft, Mention

BIRTHS = ("day", "month", "year")
"""How exactly a birth date may be known."""


def dates_of(clause: Clause, times: tuple[Timed, ...], speech: Speech, subject: Mention | None) -> Iterator[FactDraft]:
    """When somebody was born, as a date, and on which day of the year the birthday is, as said."""
    timed = next((item for item in times if item.interval is not None and item.interval.start is not None), None)
    if timed is None or timed.interval is None or clause.mood not in ("stated", "planned") or clause.negated:
        return
    held = Standing("holds", None, timed.note, 0.85)
    expression = timed.expression.text.strip(" .,!")
    born = clause.head.lower_ == "born" and clause.passive
    if born and subject is not None and subject.type in ("Person", "Animal") and timed.expression.granularity in BIRTHS:
        exact = timed.expression.granularity == "day"
        yield statement(
            subject, "born_on", expression, clause, speech, held, typed=timed.interval.start if exact else None
        )
    noun = clause.subject
    if noun is not None and noun.lemma_.lower() == "birthday" and clause.head.lemma_ == "be":
        holder = owner(noun, speech)
        if holder is not None:
            whose = speech.mention_by_name(holder, speech.quote_of(clause.sentence))
            yield statement(whose, "birthday", expression, clause, speech, held)
