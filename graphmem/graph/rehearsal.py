"""A change tried out: all that it reads and checks, up to where it would write."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

from graphmem.graph.connection import Graph, Transaction

T = TypeVar("T")


class _ReachedWriting(Exception):
    """Ends a rehearsal; never leaves this file."""


class _Rehearsing(Graph):
    """Reads as the graph it is made from does, and ends at the first write."""

    def __init__(self, graph: Graph) -> None:
        self.__dict__.update(graph.__dict__)

    async def write(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        raise _ReachedWriting


async def rehearse(graph: Graph, change: Callable[[Graph], Awaitable[object]]) -> None:
    """Raises what the change would raise before it writes, and writes nothing.

    So that what a change rests on is not stored for one that is refused. Between the rehearsal and the change itself somebody else may
    commit, so the change checks again.
    """
    with suppress(_ReachedWriting):
        await change(_Rehearsing(graph))
