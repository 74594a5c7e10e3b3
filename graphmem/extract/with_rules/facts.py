"""Facts (to come)."""

from __future__ import annotations

from graphmem.extract.with_rules.clauses import Clause
from graphmem.extract.with_rules.people import Speech
from graphmem.extract.with_rules.times import Timed
from graphmem.records import FactDraft


def facts_of(clause: Clause, times: tuple[Timed, ...], speech: Speech, event: int | None) -> tuple[FactDraft, ...]:
    return ()
