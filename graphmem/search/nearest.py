"""What lies nearest to a vector: with the filter inside the index where the server can, else by fetching more than is wanted.

A server before Neo4j 2026 has no SEARCH clause, and its vector index knows no filter. There the nearest of the whole database are fetched,
what the filter drops is dropped afterwards, and if too little is left, more are fetched, up to ``MOST_FETCHED``. If even these are too few,
turns are compared one by one, all that the filter keeps; of events, names and properties fewer are found. A warning says so once a server.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from graphmem.graph.connection import Graph, Row
from graphmem.graph.queries import load
from graphmem.search.filters import Filter

MOST_FETCHED = 5_000
_FACTOR = 5
"""So many times as many as wanted are fetched first, and so many times as many again if that was too little."""

_log = logging.getLogger(__name__)
_warned: set[str] = set()


async def near_turns(graph: Graph, vector: Sequence[float], chosen: Filter, limit: int) -> list[Row]:
    """Where the nearest turns stand that the filter keeps, nearest first."""
    parameters = {"vector": list(vector), "limit": limit, **chosen.ranges}
    if graph.has_search_clause:
        return await graph.read(load("search/turns_dense"), **parameters)
    rows = await _fetched(graph, "search/turns_dense_5", limit, parameters)
    return rows if len(rows) >= limit else await graph.read(load("search/turns_exact_5"), **parameters)


async def turns_of_near_events(graph: Graph, vector: Sequence[float], chosen: Filter, limit: int) -> list[Row]:
    """Where the turns stand that the nearest events rest on, with the nearness of the best event of each."""
    parameters = {"vector": list(vector), "limit": limit, **chosen.ranges}
    if graph.has_search_clause:
        return await graph.read(load("search/turns_of_events"), **parameters)
    return await _fetched(graph, "search/turns_of_events_5", limit, parameters)


async def near_events(graph: Graph, vector: Sequence[float], chosen: Filter, limit: int) -> list[Row]:
    """The nearest events of the namespace, those only that overlap the filter's time where it has one, nearest first."""
    parameters: dict[str, Any] = {"namespace": chosen.namespace, "vector": list(vector), "limit": limit}
    if not graph.has_search_clause:
        times = {"since": chosen.since, "until": chosen.until}
        return await _fetched(graph, "search/events_dense_5", limit, {**parameters, **times})
    if chosen.since is None and chosen.until is None:
        return await graph.read(load("search/events_dense"), **parameters)
    return await graph.read(load("search/events_dense_between"), **parameters, **chosen.times)


async def near_names(graph: Graph, vector: Sequence[float], namespace: str, limit: int) -> list[Row]:
    """The nearest names of a namespace, with the identifiers of the entities that bear them."""
    return await _of_namespace(graph, "search/names_near", vector, namespace, limit)


async def near_properties(graph: Graph, vector: Sequence[float], namespace: str, limit: int) -> list[Row]:
    """The nearest properties of a namespace."""
    return await _of_namespace(graph, "search/properties_near", vector, namespace, limit)


async def _of_namespace(graph: Graph, query: str, vector: Sequence[float], namespace: str, limit: int) -> list[Row]:
    parameters = {"namespace": namespace, "vector": list(vector), "limit": limit}
    if graph.has_search_clause:
        return await graph.read(load(query), **parameters)
    return await _fetched(graph, f"{query}_5", limit, parameters)


async def _fetched(graph: Graph, query: str, limit: int, parameters: dict[str, Any]) -> list[Row]:
    if graph.uri not in _warned:
        _warned.add(graph.uri)
        _log.warning(
            "Neo4j %s at %s has no SEARCH clause: filters work after the vector index, not in it, and cost more; Neo4j 2026 has it",
            ".".join(map(str, graph.version)),
            graph.uri,
        )
    fetch = limit * _FACTOR
    while True:
        rows = await graph.read(load(query), fetch=fetch, **parameters)
        if len(rows) >= limit or fetch >= MOST_FETCHED:
            return rows
        fetch = min(fetch * _FACTOR, MOST_FETCHED)
