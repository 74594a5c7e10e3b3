"""The methods that ask what holds, and how it came about: facts at any of the three times.

``subject`` is a name, None for everyone; QuestionError for a name that the memory does not know. ``said_by`` counts only what had been said
by then, ``known_at`` only what the memory had learned by then; None: all.
"""

from __future__ import annotations

from graphmem.errors import QuestionError
from graphmem.graph import read, read_changes
from graphmem.graph.read import FactsResult, TimelineEntry
from graphmem.graph.read_changes import Change, Conflict, Diff, Gap, Length
from graphmem.memory.arguments import text
from graphmem.memory.connection import Opened
from graphmem.moments import Moment
from graphmem.records import FactView


class Facts(Opened):
    """What holds, held, changed, conflicts."""

    async def facts(
        self,
        subject: str | None = None,
        property: str | None = None,
        *,
        as_of: Moment = None,
        namespace: str | None = None,
        said_by: Moment = None,
        known_at: Moment = None,
    ) -> FactsResult:
        """What holds at ``as_of`` in the world (None: the latest); ``not_known_before`` has values for which that is too early."""
        return await read.facts(
            self.graph,
            self._namespace(namespace),
            await self._subjects(subject, namespace, known_at),
            _named(property),
            as_of=self._moment(as_of, "as_of"),
            **self._seen(said_by, known_at),
        )

    async def history(
        self,
        subject: str | None = None,
        property: str | None = None,
        *,
        namespace: str | None = None,
        said_by: Moment = None,
        known_at: Moment = None,
    ) -> tuple[FactView, ...]:
        """Every period of every value, in order, with its effective interval."""
        return await read.history(
            self.graph,
            self._namespace(namespace),
            await self._subjects(subject, namespace, known_at),
            _named(property),
            **self._seen(said_by, known_at),
        )

    async def timeline(
        self,
        subject: str | None = None,
        *,
        since: Moment = None,
        until: Moment = None,
        namespace: str | None = None,
        said_by: Moment = None,
        known_at: Moment = None,
    ) -> tuple[TimelineEntry, ...]:
        """Facts and events in order of time, of those that overlap ``[since, until)``."""
        return await read.timeline(
            self.graph,
            self._namespace(namespace),
            await self._subjects(subject, namespace, known_at),
            since=self._moment(since, "since"),
            until=self._moment(until, "until"),
            **self._seen(said_by, known_at),
        )

    async def changed(
        self,
        subject: str | None = None,
        property: str | None = None,
        *,
        since: Moment = None,
        until: Moment = None,
        namespace: str | None = None,
        said_by: Moment = None,
        known_at: Moment = None,
    ) -> tuple[Change, ...]:
        """When something changed in ``[since, until)``, oldest first."""
        return await read_changes.changed(
            self.graph,
            self._namespace(namespace),
            await self._subjects(subject, namespace, known_at),
            _named(property),
            since=self._moment(since, "since"),
            until=self._moment(until, "until"),
            **self._seen(said_by, known_at),
        )

    async def gaps(
        self,
        subject: str | None = None,
        property: str | None = None,
        *,
        namespace: str | None = None,
        said_by: Moment = None,
        known_at: Moment = None,
    ) -> tuple[Gap, ...]:
        """The stretches between two values in which none is known to have held, oldest first."""
        return await read_changes.gaps(
            self.graph,
            self._namespace(namespace),
            await self._subjects(subject, namespace, known_at),
            _named(property),
            **self._seen(said_by, known_at),
        )

    async def how_long(
        self,
        subject: str | None = None,
        property: str | None = None,
        *,
        as_of: Moment = None,
        namespace: str | None = None,
        said_by: Moment = None,
        known_at: Moment = None,
    ) -> tuple[Length, ...]:
        """How long each value held. ``as_of`` is up to when to measure what goes on; None: to when it was last said."""
        return await read_changes.how_long(
            self.graph,
            self._namespace(namespace),
            await self._subjects(subject, namespace, known_at),
            _named(property),
            as_of=self._moment(as_of, "as_of"),
            **self._seen(said_by, known_at),
        )

    async def conflicts(
        self,
        subject: str | None = None,
        property: str | None = None,
        *,
        namespace: str | None = None,
        said_by: Moment = None,
        known_at: Moment = None,
    ) -> tuple[Conflict, ...]:
        """Statements that overlap and disagree, with the words of both, and which one the order of trust prefers."""
        return await read_changes.conflicts(
            self.graph,
            self._namespace(namespace),
            await self._subjects(subject, namespace, known_at),
            _named(property),
            **self._seen(said_by, known_at),
        )

    async def denials(
        self,
        subject: str | None = None,
        property: str | None = None,
        *,
        as_of: Moment = None,
        namespace: str | None = None,
        said_by: Moment = None,
        known_at: Moment = None,
    ) -> tuple[FactView, ...]:
        """What is said not to hold: endings and denials after which nobody said that it does."""
        return await read_changes.denials(
            self.graph,
            self._namespace(namespace),
            await self._subjects(subject, namespace, known_at),
            _named(property),
            as_of=self._moment(as_of, "as_of"),
            **self._seen(said_by, known_at),
        )

    async def diff(
        self, earlier: Moment, later: Moment, *, namespace: str | None = None, said_by: Moment = None
    ) -> Diff:
        """What the memory learned between two of its own times (transaction times). Raises QuestionError if one is missing."""
        start, end = self._moment(earlier, "earlier"), self._moment(later, "later")
        if start is None or end is None:
            raise QuestionError("a difference lies between two times; give both")
        return await read_changes.diff(
            self.graph, self._namespace(namespace), start, end, said_by=self._moment(said_by, "said_by")
        )


def _named(property: str | None) -> tuple[str, ...]:
    return () if property is None else (text(property, "property"),)
