"""From a text to rows: read, checked, confined, explained, proved, run."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphmem.errors import CypherRefused
from graphmem.graph.connection import ROW_TOO_LARGE, UNREADABLE, Graph, QueryStopped
from graphmem.graph.guard.barriers import barriers
from graphmem.graph.guard.bounds import Bounds
from graphmem.graph.guard.clauses import parse
from graphmem.graph.guard.plans import prove
from graphmem.graph.guard.rules import check, check_parameters
from graphmem.graph.guard.scope import Additions, Scoped, scoped
from graphmem.graph.guard.sizes import LONGEST_LIST, LONGEST_RETURNED, of_value
from graphmem.graph.guard.tokens import shortened
from graphmem.graph.guard.values import shown, weight
from graphmem.ids import namespace_label

_EXPLAIN = "EXPLAIN "
_CYPHER_25 = (2025, 6)


@dataclass(frozen=True, slots=True)
class GuardLimits:
    """How long a guarded query may run (seconds), and how much it may give back (rows, bytes of all rows together as JSON)."""

    seconds: float = 10.0
    rows: int = 1_000
    bytes: int = 1_000_000


@dataclass(frozen=True, slots=True)
class GuardedResult:
    """The rows of a guarded query, in the order of ``columns``; ``truncated`` says that there were more than the limits let through.

    ``notices`` say what was mended of the query before the guard saw it, and why it may have found nothing, by whoever called it; the
    guard itself mends nothing.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    truncated: bool
    seconds: float
    bytes: int
    notices: tuple[str, ...] = ()


DEFAULT_LIMITS = GuardLimits()


async def run_guarded(
    graph: Graph, text: str, parameters: Mapping[str, Any], namespace: str, limits: GuardLimits = DEFAULT_LIMITS
) -> GuardedResult:
    """Runs a read-only Cypher query of a person or a model inside one namespace.

    ``parameters`` are values for its ``$names``. Values come back plain (values.py); times are aware datetimes in UTC as stored.
    Raises CypherRefused, with what to do instead, when the query is not let through, is wrong, or is stopped at a limit of time or memory;
    StoreUnavailable when the server is lost.
    """
    label = namespace_label(namespace)
    query = confine(text, parameters, label, "CYPHER 25 " if graph.version >= _CYPHER_25 else "CYPHER 5 ")
    given = {**parameters, **query.literals}
    started = time.monotonic()
    ahead = len(_EXPLAIN)
    try:
        _, kind, plan = await graph.read_text(
            _EXPLAIN + query.text, given, limits.seconds, limits.bytes, lambda row: False
        )
        if kind != "r":
            raise CypherRefused(
                f"the server says that this would do more than read (type {kind!r}); only queries that read are taken"
            )
        prove(plan, label, given)
        rows = _Rows(limits)
        ahead = 0
        columns, _, _ = await graph.read_text(query.text, given, limits.seconds, limits.bytes, rows.take)
    except QueryStopped as exc:
        raise _refusal(exc, query, limits, ahead) from exc
    names = tuple(query.columns.get(column, column) for column in columns)
    return GuardedResult(names, tuple(rows.taken), rows.truncated, time.monotonic() - started, rows.bytes)


def confine(text: str, parameters: Mapping[str, Any], label: str, prefix: str = "CYPHER 25 ") -> Scoped:
    """The text that is sent for a query, confined to the namespace of ``label``. Pure. Raises CypherRefused."""
    check_parameters(parameters, sum(of_value(value).size for value in parameters.values()))
    query, parser = parse(text)
    check(query, parser, parameters)
    bounds = Bounds(parser, parameters)
    bounds.whole(query)
    additions = Additions(
        barriers(query, parser, parameters), bounds.lists, bounds.texts, bounds.returned, bounds.unlimited
    )
    return scoped(query, text, parser.tokens, label, additions, prefix)


def _lists(row: list[Any]) -> Iterator[Any]:
    """The values of a row, and those of maps in it."""
    for value in row:
        yield value
        if isinstance(value, Mapping):
            yield from _lists(list(value.values()))


class _Rows:
    """Takes rows up to the limits."""

    def __init__(self, limits: GuardLimits) -> None:
        self._limits = limits
        self.taken: list[tuple[Any, ...]] = []
        self.truncated = False
        self.bytes = 0

    def take(self, row: list[Any]) -> bool:
        """Takes a row; False when no more are wanted."""
        if any(isinstance(value, list) and len(value) > LONGEST_RETURNED for value in _lists(row)):
            raise CypherRefused(
                f"one row holds a list of more than {LONGEST_RETURNED} elements; UNWIND it, count it, or cut it as in list[..100]"
            )
        values = tuple(shown(value) for value in row)
        size = sum(weight(value) for value in values)
        if len(self.taken) >= self._limits.rows or self.bytes + size > self._limits.bytes:
            self.truncated = True
            return False
        self.taken.append(values)
        self.bytes += size
        return True


def _as_data(message: str) -> str:
    """A message of a query that ran, quoted: the server writes the value that it stumbled over into it, which anybody may have said."""
    return json.dumps(message).replace("<", "\\u003c").replace(">", "\\u003e")


def _refusal(stopped: QueryStopped, query: Scoped, limits: GuardLimits, ahead: int) -> CypherRefused:
    """What a failure in the server means for the one who asked."""
    message = shortened(query.in_source(" ".join(stopped.message.partition('\n"')[0].split()), ahead))
    if not ahead:
        message = _as_data(message)
    if "TransactionTimedOut" in stopped.code or "Terminated" in stopped.code:
        return CypherRefused(
            f"the query ran longer than {limits.seconds:g} seconds and was stopped; match less, or add a LIMIT earlier"
        )
    if stopped.code == ROW_TOO_LARGE:
        return CypherRefused(
            f"one row holds more than the {limits.bytes} bytes of a whole answer; return fewer or shorter values"
        )
    if stopped.code == UNREADABLE:
        return CypherRefused(
            "the query gives a date or time before the year 1 or after 9999; return it as text, with toString()"
        )
    if "Memory" in stopped.code:
        return CypherRefused(
            "the query needed more memory than one may use and was stopped; collect, sort or match less"
        )
    if "ArithmeticError" in stopped.code and "graphmem_text" in query.text:
        return CypherRefused(
            "a division by zero, or a regular expression tried on a text that is too long for it; use CONTAINS, or fewer .*"
        )
    if "ArithmeticError" in stopped.code and "graphmem_list" in query.text:
        return CypherRefused(
            f"a division by zero, or a list of more than {LONGEST_LIST} elements gone through in one expression; use UNWIND for such a list"
        )
    if stopped.code.startswith("Neo.ClientError."):
        return CypherRefused(f"the server does not take the query: {message}")
    return CypherRefused(f"the server stopped the query ({stopped.code}): {message}; ask again, or for less")
