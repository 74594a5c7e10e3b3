"""Events told again: the earlier tellings that the graph offers for a window's events, and the pairs to decide on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import combinations
from operator import mul

from graphmem.graph.batch import Batch
from graphmem.graph.connection import Graph, Row
from graphmem.graph.queries import load
from graphmem.ids import instant
from graphmem.ingest.entities import OVER_FETCH
from graphmem.ingest.wording import UNDATED, time_of
from graphmem.records import EventDraft, Mention, Turn
from graphmem.resolve.events import LIKELY, Coreference, Telling

NEAREST = 5
"""How many earlier tellings are compared with an event."""

_TOLD_AGAIN = ("event", "plan")
_ALWAYS = (datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC))

Pair = tuple[Telling, Telling, float]


@dataclass(frozen=True, slots=True)
class Told:
    """An event of the window with its identifier, its turn and its vector."""

    event: EventDraft
    id: str
    turn: Turn
    vector: Sequence[float]


@dataclass(frozen=True, slots=True)
class Earlier:
    """A telling in the graph that is near one of the window: the latter's identifier, the cosine, and when it was said."""

    to: str
    telling: Telling
    cosine: float
    said_at: datetime


def comparable(told: Sequence[Told], with_model: bool) -> list[Told]:
    """The events that may have been told before. Rules are never sure of one whose words name no time, so without a model it is left."""
    kinds = _TOLD_AGAIN if with_model else _TOLD_AGAIN[:1]
    return [
        each
        for each in told
        if each.event.kind in kinds and (with_model or time_of(each.event, each.turn).rule != UNDATED)
    ]


async def earlier_tellings(
    graph: Graph, namespace: str, told: Sequence[Told], replaced: Sequence[str]
) -> tuple[Earlier, ...]:
    """What the graph has near these events: of a time that overlaps, where the words name one."""
    if not told:
        return ()
    asked = {
        "namespace": namespace,
        "told": [_asked(each) for each in told],
        "limit": NEAREST,
        "least": (1 + LIKELY) / 2,
        "ids": list(replaced),
    }
    if graph.has_search_clause:
        rows = await graph.read(load("resolve/similar_events"), **asked)
    else:
        rows = await graph.read(load("resolve/similar_events_5"), **asked, fetch=NEAREST * OVER_FETCH)
    found: dict[str, list[Earlier]] = {}
    for row in rows:
        if row["id"] != row["to"]:
            own = Earlier(row["to"], _stored(row), 2 * row["score"] - 1, row["asserted_at"])
            found.setdefault(row["to"], []).append(own)
    return tuple(earlier for each in dict.fromkeys(one.id for one in told) for earlier in found.get(each, ()))


def pairs(told: Sequence[Told], earlier: Sequence[Earlier], entity_of: Callable[[Mention], str | None]) -> list[Pair]:
    """Tellings to compare, the later one first: with what the graph has, and those of the window with one another."""
    own = {each.id: _telling(each, entity_of) for each in told}
    found = [(own[each.to], each.telling, each.cosine) for each in earlier if each.to in own]
    for one, other in combinations(told, 2):
        cosine = sum(map(mul, one.vector, other.vector))
        if one.id != other.id and one.turn.id != other.turn.id and cosine >= LIKELY:
            found.append((own[other.id], own[one.id], cosine))
    return found


def add_same_events(
    batch: Batch, same: Sequence[Coreference], told: Sequence[Told], earlier: Sequence[Earlier]
) -> None:
    """Joins tellings of one happening. A decision is dated by the later telling, so that equal runs give equal graphs."""
    said = {each.id: each.turn.said_at for each in told} | {each.telling.id: each.said_at for each in earlier}
    for pair in same:
        decided_at = instant(max(said[pair.one.id], said[pair.other.id]))
        batch.edge(
            "Event",
            pair.one.id,
            "SAME_AS",
            "Event",
            pair.other.id,
            key=decided_at,
            decided_at=decided_at,
            decided_by=pair.decided_by,
            reason=pair.reason,
        )


def _telling(told: Told, entity_of: Callable[[Mention], str | None]) -> Telling:
    event = told.event
    time = time_of(event, told.turn)
    parts = [(part.role, entity) for part in event.participants if (entity := entity_of(part.mention)) is not None]
    return Telling(
        told.id,
        told.turn.id,
        event.kind,
        event.verb,
        event.object,
        event.summary,
        frozenset(entity for role, entity in parts if role == "Agent"),
        frozenset(entity for role, entity in parts if role != "Agent"),
        time.start,
        time.end,
        time.granularity,
        time.rule != UNDATED,
    )


def _asked(told: Told) -> dict[str, object]:
    """An event as the query is asked about it."""
    time = time_of(told.event, told.turn)
    dated = time.rule != UNDATED
    return {
        "id": told.id,
        "vector": told.vector,
        "since": time.start.astimezone(UTC) if dated and time.start is not None else _ALWAYS[0],
        "until": time.end.astimezone(UTC) if dated and time.end is not None else _ALWAYS[1],
    }


def _stored(row: Row) -> Telling:
    return Telling(
        row["id"],
        row["turn_id"],
        row["kind"],
        row["verb"],
        row["object"],
        row["summary"],
        frozenset(entity for role, entity in row["participants"] if role == "Agent"),
        frozenset(entity for role, entity in row["participants"] if role != "Agent"),
        row["starts_at"],
        row["ends_at"],
        row["granularity"],
        row["time_rule"] != UNDATED,
    )
