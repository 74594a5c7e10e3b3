"""Questions that go through somebody: "What is the job of Noor's sister?" asks about whoever that sister is."""

from __future__ import annotations

import re
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
    kinship = tuple(term for term in plan.terms if set(term.stems) <= stems)
    link = replace(plan, properties=through, terms=kinship, time=None, want="person", form="attribute", asked=None)
    found = {
        one.fact.value
        for one in periods
        if one.fact.property in through
        and one.fact.value[:1].isupper()
        and contains(one.fact.valid, moment)
        and relevant(link, one.fact, species)
    }
    if len(found) != 1 or not kinship:
        return None
    rest = tuple(term for term in plan.terms if not set(term.stems) <= stems)
    [reached] = found
    owner = "|".join(re.escape(term.text) for term in kinship)
    named = rf"\b{re.escape(plan.subjects[0])}['’]s\s+(?:[a-z]+\s+)?(?:{owner})\b"
    return replace(
        plan,
        question=re.sub(named, reached, plan.question, count=1, flags=re.IGNORECASE),
        subjects=(reached,),
        terms=rest,
        properties=tuple(name for name in plan.properties if name not in through),
        hops=2,
    )
