"""What the tools of one question work with: the memory, whose words count by when, and what was read once for all calls."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from graphmem.answer.agent.schema_text import Contents
from graphmem.answer.agent.switches import AgentSettings
from graphmem.graph.connection import Graph, Row
from graphmem.graph.guard import GuardLimits, run_guarded
from graphmem.graph.queries import load
from graphmem.moments import as_moment
from graphmem.providers.protocols import Embedder, Reranker
from graphmem.records import Interval
from graphmem.search import Hits, SearchSettings

_NO_WEIGHTS: dict[str, Any] = {
    each.name: 0.0 for each in fields(SearchSettings) if each.name.endswith("_weight") or each.name == "neighbour_words"
}
_UNREAD: dict[str, Any] = dict.fromkeys(
    ("event_weight", "link_weight", "dated_weight", "time_weight", "asked_time_weight"), 0.0
)
"""Turns off the stages of search that look at events and links, which is what was read out of turns."""

_STATED = "{0}.asserted_at <= $said_by AND {0}.created_at <= $known_at"
_SAID = "t.said_at <= $said_by AND t.created_at <= $known_at"
_COUNTS = (
    f"MATCH (f:Fact) WHERE {_STATED.format('f')} RETURN f.property AS name, count(*) AS n ORDER BY n DESC, name LIMIT 60",
    f"MATCH (v:Event)-[:INVOLVES|AT]->(e:Entity) WHERE {_STATED.format('v')} "
    "RETURN e.type AS name, count(DISTINCT e) AS n ORDER BY n DESC, name LIMIT 40",
    f"MATCH (v:Event) WHERE {_STATED.format('v')} RETURN v.kind AS name, count(*) AS n ORDER BY n DESC, name LIMIT 20",
    f"MATCH (t:Turn) WHERE {_SAID} RETURN t.speaker AS name, count(*) AS n ORDER BY n DESC, name LIMIT 20",
)
"""Properties, types, kinds of event and speakers, with how often each."""
_SPAN = f"MATCH (t:Turn) WHERE {_SAID} RETURN count(*) AS turns, min(t.said_at) AS first, max(t.said_at) AS last"
_LIMITS = GuardLimits(seconds=10.0, rows=100, bytes=100_000)
CANDIDATES = 5
OVER_FETCH = 20
WIDER = 4
"""So many times as much is searched for where some of it may not count yet."""
_NEVER = datetime(9999, 12, 31, tzinfo=UTC)


@dataclass(slots=True)
class Scope:
    """One question's view of one namespace: only what was said by ``until`` and known at ``known_at`` counts.

    ``time`` is the question's time filter, which a Cypher query can name as ``$since`` and ``$until``.
    """

    graph: Graph
    embedder: Embedder
    namespace: str
    question: str
    asked_at: datetime
    until: datetime
    settings: AgentSettings
    as_of: datetime | None = None
    known_at: datetime | None = None
    confined: bool = False
    reranker: Reranker | None = None
    reranked: Hits = field(default_factory=Hits)
    search: SearchSettings = field(default_factory=SearchSettings)
    time: Interval | None = None
    _contents: Contents | None = None
    _reading: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def searching(self) -> SearchSettings:
        """The weights of search under the switches. "Vector only" leaves nearness in meaning, and that of neighbours and sessions."""
        weights = self.search
        if self.settings.retrieval == "vector":
            weights = replace(weights, first_person=False, fusion="convex", **_NO_WEIGHTS)
        if self.settings.turns_only:
            weights = replace(weights, **_UNREAD)
        return weights if self.settings.time_filter else replace(weights, dated_weight=0.0)

    def moment(self, text: str | None, name: str) -> datetime | None:
        """A time that a model gives as an argument; without an offset it is in the asker's. Raises QuestionError."""
        zone = self.asked_at.tzinfo
        assert zone is not None
        return None if text is None or not text.strip() else as_moment(text, zone, name)

    def before(self, until: datetime | None) -> datetime:
        """The end of a filter on when something was said, which is never later than what counts."""
        last = self.until + timedelta(microseconds=1)
        return last if until is None else min(until, last)

    async def contents(self) -> Contents:
        """What the namespace holds; read once."""
        async with self._reading:
            if self._contents is None:
                self._contents = await self._count()
            return self._contents

    async def similar_names(self, name: str, limit: int = CANDIDATES) -> list[Row]:
        """The entities with a name near this one in meaning, best first, each once."""
        vector = await asyncio.to_thread(self.embedder.embed_query, name)
        if self.graph.has_search_clause:
            rows = await self.graph.read(
                load("resolve/similar_aliases"), namespace=self.namespace, vectors=[vector], limit=limit
            )
        else:
            rows = await self.graph.read(
                load("resolve/similar_aliases_5"),
                namespace=self.namespace,
                vectors=[vector],
                limit=limit,
                fetch=limit * OVER_FETCH,
            )
        found = list({row["id"]: row for row in reversed(rows)}.values())[::-1]
        counting = await self.counting([row["id"] for row in found])
        return [row for row in found if row["id"] in counting]

    async def counting(self, ids: Sequence[str]) -> frozenset[str]:
        """Those of these turns, events and entities that count; all of them where no time by which they must be said or known is given.

        For what a search has found, since its indexes hold what is said and known now.
        """
        if not self.confined or not ids:
            return frozenset(ids)
        rows = await self.graph.read(
            load("search/counting"),
            namespace=self.namespace,
            ids=list(ids),
            said_by=self.until.astimezone(UTC),
            known_at=None if self.known_at is None else self.known_at.astimezone(UTC),
        )
        return frozenset(row["id"] for row in rows)

    def wider(self, limit: int) -> int:
        """How many to search for, so that about ``limit`` of them count."""
        return limit * WIDER if self.confined else limit

    async def _count(self) -> Contents:
        (span,), properties, types, kinds, speakers = await asyncio.gather(
            self._rows(_SPAN), *(self._rows(query) for query in _COUNTS)
        )
        return Contents(_named(properties), _named(types), _named(kinds), _named(speakers), *span)

    async def _rows(self, query: str) -> tuple[tuple[Any, ...], ...]:
        times = {
            "said_by": (self.until if self.confined else _NEVER).astimezone(UTC),
            "known_at": (self.known_at or _NEVER).astimezone(UTC),
        }
        return (await run_guarded(self.graph, query, times, self.namespace, _LIMITS)).rows


def _named(rows: tuple[tuple[Any, ...], ...]) -> tuple[tuple[str, int], ...]:
    return tuple((str(name), int(count)) for name, count in rows if name is not None)
