"""Ages and stages of life, placed when somebody reads: "when I was 18" has no date until the memory knows when the speaker was born.

Nothing is written: the birth date is what holds of ``born_on`` at the times asked for, so a correction of it moves all that it dates, and a
question about what was known earlier sees what could be dated then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from graphmem.graph.connection import Graph, Row
from graphmem.graph.queries import load
from graphmem.graph.read_rows import zone
from graphmem.temporal import normalise, resolve_with_birth

BORN = "born_on"

Placed = dict[str, dict[str, Any]]


async def read_placed(
    graph: Graph,
    query: str,
    namespace: str,
    *,
    said_by: datetime | None,
    known_at: datetime | None,
    **parameters: Any,
) -> Sequence[Row]:
    """The rows of a query of ``cypher/read/`` that shows facts or events, each at its place in time."""
    seen = {"namespace": namespace, "said_by": said_by, "known_at": known_at}
    stages = await graph.read(load("read/life_stages"), **seen)
    births: list[Row] = []
    if stages:
        people = sorted({row["person"] for row in stages})
        births = await graph.read(load("read/history"), subjects=people, properties=[BORN], placed={}, **seen)
    return await graph.read(load(query), placed=placed(stages, births), **seen, **parameters)


def placed(stages: Sequence[Row], births: Sequence[Row]) -> Placed:
    """The intervals of statements by their identifiers, in the form of ``$placed``; those of unknown birth dates are left out.

    ``stages`` are rows of ``life_stages.cypher``, ``births`` rows of ``history.cypher``, of which the last of a person counts.
    """
    born = {row["period"]["subject_id"]: born_between(row["period"]["fact"]) for row in births}
    found: Placed = {}
    for row in stages:
        birth = born.get(row["person"])
        interval = None if birth is None else resolve_with_birth(row["life_stage"], birth, zone(row["offset"]))
        if interval is not None:
            found[row["id"]] = {
                "starts_at": interval.start,
                "ends_at": interval.end,
                "granularity": interval.granularity,
            }
    return found


def born_between(fact: Mapping[str, Any]) -> tuple[date, date] | None:
    """The first and the last day on which somebody may have been born, from the value of ``born_on``: a day, a month or a year."""
    for words in (fact["value"], f"in {fact['value']}"):
        for expression in normalise(words, fact["asserted_at"]):
            interval = expression.interval
            if interval is not None and interval.start is not None and interval.end is not None:
                return interval.start.date(), (interval.end - timedelta(microseconds=1)).date()
    return None
