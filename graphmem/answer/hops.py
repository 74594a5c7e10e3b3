"""Questions that go through somebody: "What is the job of Noor's sister?" asks about whoever that sister is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from graphmem.answer.periods import contains, relevant
from graphmem.answer.plan import Plan
from graphmem.answer.properties import trigger_stems
from graphmem.extract.with_rules.lexicon import kin
from graphmem.graph.read import Period


def links(plan: Plan) -> tuple[str, ...]:
    """The properties by which the one asked about is reached from the one named; none where the question asks for that link itself."""
    if len(plan.subjects) != 1:
        return ()
    through = tuple(name for name in plan.properties if name in set(kin().values()) or name == "has_pet")
    stems = frozenset(each for name in through for each in trigger_stems(name))
    beyond = [term for term in plan.terms if not set(term.stems) <= stems]
    asks_more = bool(beyond) or plan.want in ("age", "time", "place", "amount", "duration")
    return through if through and asks_more and plan.want not in ("count",) else ()


def hopped(plan: Plan, periods: Sequence[Period], species: Mapping[str, str], moment: datetime) -> Plan | None:
    """The plan about the one who is reached, None where nobody is, or more than one."""
    through = links(plan)
    stems = frozenset(each for name in through for each in trigger_stems(name))
    link = replace(plan, properties=through, terms=tuple(t for t in plan.terms if set(t.stems) <= stems), time=None)
    found = {
        one.fact.value
        for one in periods
        if one.fact.property in through
        and one.fact.value[:1].isupper()
        and contains(one.fact.valid, moment)
        and relevant(link, one.fact, species)
    }
    if len(found) != 1:
        return None
    rest = tuple(term for term in plan.terms if not set(term.stems) <= stems)
    return replace(
        plan,
        subjects=tuple(found),
        terms=rest,
        properties=tuple(name for name in plan.properties if name not in through),
        hops=2,
    )
