"""The connection: the only file that imports the Neo4j driver, and where its errors become ours.

``Graph`` runs query files. Reads go in READ access mode, which the server enforces; appends run inside one managed transaction that the
driver repeats on a transient failure (a deadlock, a lost leader). Datetimes come back as aware Python datetimes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from typing import Any, Self, TypeVar

import neo4j
import neo4j.graph
from neo4j import exceptions as driver_errors
from neo4j.time import Date as DriverDate
from neo4j.time import DateTime as DriverDateTime
from neo4j.time import Duration as DriverDuration
from neo4j.time import Time as DriverTime
from tenacity import AsyncRetrying, retry_if_exception, stop_after_delay, wait_random

from graphmem.errors import CommitConflict, InputError, StoreError, StoreUnavailable
from graphmem.graph.queries import Query, for_server

T = TypeVar("T")
Row = dict[str, Any]


class Transaction:
    """A write transaction in progress. ``run`` takes a query file and its parameters and returns its rows."""

    def __init__(self, inner: neo4j.AsyncManagedTransaction, version: tuple[int, int]) -> None:
        self._inner = inner
        self._version = version

    async def run(self, query: Query, **parameters: Any) -> list[Row]:
        """Runs a query inside this transaction. Parameters must be exactly those that the file declares."""
        _check(query, parameters)
        result = await self._inner.run(for_server(query.text, self._version), parameters)
        return [plain(dict(record)) async for record in result]


class Graph:
    """A database with a graphmem graph. Made by ``connect``; safe to use from many tasks of one event loop."""

    def __init__(self, driver: neo4j.AsyncDriver, database: str, uri: str, version: tuple[int, int]) -> None:
        self._driver = driver
        self.database = database
        self.uri = uri
        self.version = version
        self.embedding_model: str | None = None
        """The model that whoever appends embeds with, once the store was opened with it."""

    @classmethod
    async def connect(cls, uri: str, user: str, password: str, database: str = "neo4j") -> Self:
        """Opens a driver and checks that the server answers.

        Raises StoreUnavailable when it does not, refuses the credentials or has no such database.
        """
        try:
            driver = neo4j.AsyncGraphDatabase.driver(
                uri,
                auth=(user, password),
                notifications_min_severity="OFF",
                user_agent="graphmem",
                max_transaction_retry_time=30,
            )
        except (ValueError, driver_errors.ConfigurationError, driver_errors.DriverError) as exc:
            raise StoreUnavailable(
                f"{uri!r} cannot be used as a Neo4j address: {exc}; give one such as neo4j://localhost:7687"
            ) from exc
        try:
            async with driver.session(database=database, default_access_mode=neo4j.READ_ACCESS) as session:
                result = await session.run(
                    "CALL dbms.components() YIELD name, versions WHERE name = 'Neo4j Kernel' RETURN versions[0] AS version"
                )
                record = await result.single()
        except BaseException as exc:
            await driver.close()
            if isinstance(exc, driver_errors.AuthError):
                raise StoreUnavailable(
                    f"{uri} refuses user {user!r}: check GRAPHMEM_NEO4J_USER and GRAPHMEM_NEO4J_PASSWORD"
                ) from exc
            if isinstance(exc, driver_errors.Neo4jError | driver_errors.DriverError | OSError):
                raise StoreUnavailable(
                    f"Neo4j at {uri} (database {database!r}) does not answer: {_first_line(exc)}; "
                    "check that it runs and that GRAPHMEM_NEO4J_URI and GRAPHMEM_NEO4J_DATABASE are right"
                ) from exc
            raise
        version = str(record["version"]) if record is not None else "0.0"
        major, minor = [*version.split("."), "0", "0"][:2]
        return cls(driver, database, uri, (int(major), int("".join(c for c in minor if c.isdigit()) or "0")))

    @property
    def has_search_clause(self) -> bool:
        """Whether the server knows the SEARCH clause with filters inside the vector index (Neo4j 2026 and later)."""
        return self.version[0] >= 2026

    async def close(self) -> None:
        """Closes the driver's connections."""
        await self._driver.close()

    async def read(self, query: Query, **parameters: Any) -> list[Row]:
        """Runs a query file in READ access mode and returns its rows. Parameters must be exactly those that it declares."""
        _check(query, parameters)
        text = for_server(query.text, self.version)

        async def work(transaction: neo4j.AsyncManagedTransaction) -> list[Row]:
            result = await transaction.run(text, parameters)
            return [plain(dict(record)) async for record in result]

        with _our_errors(query.name):
            async with self._driver.session(
                database=self.database, default_access_mode=neo4j.READ_ACCESS, fetch_size=1000
            ) as session:
                return await session.execute_read(work)

    async def stream(self, query: Query, **parameters: Any) -> AsyncIterator[Row]:
        """Like ``read``, row by row, for results that need not fit in memory."""
        _check(query, parameters)
        with _our_errors(query.name):
            async with self._driver.session(
                database=self.database, default_access_mode=neo4j.READ_ACCESS, fetch_size=1000
            ) as session:
                result = await session.run(for_server(query.text, self.version), parameters)
                async for record in result:
                    yield plain(dict(record))

    async def write(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """Runs ``work`` in one transaction: all of it is committed, or none.

        Raises CommitConflict when a uniqueness constraint says that another writer was first.
        """

        async def inner(transaction: neo4j.AsyncManagedTransaction) -> T:
            return await work(Transaction(transaction, self.version))

        with _our_errors("append"):
            async with self._driver.session(database=self.database) as session:
                return await session.execute_write(inner)

    async def define(self, statement: str, **parameters: Any) -> None:
        """Runs one schema statement, which Neo4j wants in a transaction of its own.

        Repeated while another process does the same: of several that open a new database at once, Neo4j stops all but one.
        """
        patience = AsyncRetrying(
            retry=retry_if_exception(_done_by_another),
            wait=wait_random(0.05, 0.5),
            stop=stop_after_delay(30),
            reraise=True,
        )
        with _our_errors("schema"):
            async for attempt in patience:
                with attempt:
                    async with self._driver.session(database=self.database) as session:
                        result = await session.run(for_server(statement, self.version), parameters)
                        await result.consume()

    async def explain(
        self, text: str, parameters: Mapping[str, Any], *, writes: bool = False
    ) -> tuple[str, dict[str, Any]]:
        """The type of a statement ("r" reads only) and its plan, without running it; in READ access mode unless it ``writes``."""
        mode = neo4j.WRITE_ACCESS if writes else neo4j.READ_ACCESS
        with _our_errors("explain"):
            async with self._driver.session(database=self.database, default_access_mode=mode) as session:
                result = await session.run("EXPLAIN " + for_server(text, self.version), dict(parameters))
                summary = await result.consume()
                return str(summary.query_type), dict(summary.plan or {})

    async def read_text(
        self,
        text: str,
        parameters: Mapping[str, Any],
        seconds: float,
        most_bytes: int,
        take: Callable[[list[Any]], bool],
    ) -> tuple[list[str], str, dict[str, Any]]:
        """Runs a text that is no query file, for the guard alone: in one READ transaction that is never committed or repeated.

        Each row goes to ``take`` as a list of ``graph_value``s until it returns False; one of more than about ``most_bytes`` is not looked
        at any further. Returns the names of the columns, the type of the
        statement and its plan (of an EXPLAIN). The server ends it after ``seconds``, the client two seconds later. Raises QueryStopped
        with the server's code and message when the query itself is at fault, StoreUnavailable when the connection is.
        """
        try:
            async with (
                asyncio.timeout(seconds + 2),
                self._driver.session(
                    database=self.database, default_access_mode=neo4j.READ_ACCESS, fetch_size=200
                ) as session,
                await session.begin_transaction(timeout=seconds) as transaction,
            ):
                result = await transaction.run(text, dict(parameters))
                columns = list(result.keys())
                async for record in result:
                    if rough_bytes(record.values(), most_bytes) > most_bytes:
                        raise QueryStopped(ROW_TOO_LARGE, f"a row of more than {most_bytes} bytes")
                    if not take([graph_value(value) for value in record.values()]):
                        break
                summary = await result.consume()
                return columns, str(summary.query_type), dict(summary.plan or {})
        except TimeoutError as exc:
            raise QueryStopped(
                "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration", "no answer in time"
            ) from exc
        except (driver_errors.BrokenRecordError, ValueError, OverflowError) as exc:
            raise QueryStopped(UNREADABLE, f"a value has no place in Python: {_first_line(exc)}") from exc
        except (
            driver_errors.ServiceUnavailable,
            driver_errors.SessionExpired,
            driver_errors.AuthError,
            OSError,
        ) as exc:
            raise StoreUnavailable(f"the connection to Neo4j was lost: {_first_line(exc)}; run it again") from exc
        except driver_errors.Neo4jError as exc:
            raise QueryStopped(str(exc.code), str(exc.message)) from exc
        except driver_errors.DriverError as exc:
            raise StoreError(f"the driver answers {_first_line(exc)}") from exc


ROW_TOO_LARGE = "graphmem.RowTooLarge"
UNREADABLE = "graphmem.Unreadable"
_READABLE = (str, bytes, bool, int, float, datetime, date, time, timedelta, type(None))


class QueryStopped(StoreError):
    """A text given to ``read_text`` failed in the server, which says why with a code; the guard makes a refusal of it."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


def rough_bytes(value: Any, most: int) -> int:
    """About how many bytes a driver value takes as text; counting ends a little beyond ``most``."""
    total, pending = 0, [value]
    while pending and total <= most:
        item = pending.pop()
        if isinstance(item, str | bytes):
            total += len(item) + 2
        elif isinstance(item, neo4j.graph.Path):
            pending += [*item.nodes, *item.relationships]
        elif isinstance(item, Mapping):
            total += 2 + sum(len(key) + 3 for key in item)
            # An embedding is never given out, so that it counts for nothing here.
            pending += [part for key, part in item.items() if key not in ("embedding", "embedding_next")]
        elif isinstance(item, list):
            total += 2 + len(item)
            pending += item if total <= most else []
        else:
            total += 8
    return total


def graph_value(value: Any) -> Any:
    """Like ``plain``, but nodes and relationships keep what they are: maps of labels or type, ends and properties; paths are lists.

    Raises ValueError for a date or time that Python has no place for (before the year 1 or after 9999).
    """
    if isinstance(value, neo4j.graph.Node):
        return {"labels": sorted(value.labels), "properties": graph_value(dict(value))}
    if isinstance(value, neo4j.graph.Relationship):
        ends = [None if node is None else node.get("id") for node in (value.start_node, value.end_node)]
        return {"type": value.type, "start": ends[0], "end": ends[1], "properties": graph_value(dict(value))}
    if isinstance(value, neo4j.graph.Path):
        steps = [graph_value(value.start_node)]
        for relationship, node in zip(value.relationships, value.nodes[1:], strict=True):
            steps += [graph_value(relationship), graph_value(node)]
        return steps
    if isinstance(value, dict):
        return {key: graph_value(item) for key, item in value.items()}
    if isinstance(value, list):
        return [graph_value(item) for item in value]
    converted = plain(value)
    if not isinstance(converted, _READABLE):
        raise ValueError(f"a {type(converted).__name__} came instead of a value")
    return converted


def plain(value: Any) -> Any:
    """A driver value as a plain Python one: aware datetimes, dates, lists and dicts; durations and times as ISO text."""
    if isinstance(value, DriverDateTime | DriverDate):
        return value.to_native()
    if isinstance(value, DriverDuration | DriverTime):
        return value.iso_format()
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def _check(query: Query, parameters: Mapping[str, Any]) -> None:
    if query.parameters != parameters.keys():
        raise TypeError(f"{query.name} takes {sorted(query.parameters)}, was given {sorted(parameters)}")


@contextmanager
def _our_errors(where: str) -> Iterator[None]:
    try:
        yield
    except driver_errors.ConstraintError as exc:
        raise CommitConflict(f"{where}: another writer was first: {_first_line(exc)}") from exc
    except (driver_errors.ServiceUnavailable, driver_errors.SessionExpired, driver_errors.AuthError, OSError) as exc:
        raise StoreUnavailable(f"{where}: the connection to Neo4j was lost: {_first_line(exc)}; run it again") from exc
    except driver_errors.CypherSyntaxError as exc:
        raise InputError(f"{where}: {_first_line(exc)}") from exc
    except (driver_errors.Neo4jError, driver_errors.DriverError) as exc:
        raise StoreError(f"{where}: Neo4j answers {_first_line(exc)}") from exc


def _done_by_another(exc: BaseException) -> bool:
    """Whether a schema statement failed because another process ran it at the same time: a deadlock, or IF NOT EXISTS was overtaken."""
    overtaken = "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists"
    return isinstance(exc, driver_errors.Neo4jError) and (
        isinstance(exc, driver_errors.TransientError) or exc.code == overtaken
    )


def _first_line(exc: BaseException) -> str:
    message = getattr(exc, "message", None) or str(exc) or type(exc).__name__
    return str(message).splitlines()[0].rstrip(": ")
