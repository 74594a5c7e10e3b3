"""The methods that ask what happened: events by subject, verb and words, and what lies before, after and during something.

Arguments as in ``facts``; ``verbs`` and ``words`` keep events with one of the verbs and with all of the words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from graphmem import search
from graphmem.errors import QuestionError
from graphmem.graph import read_events
from graphmem.graph.read import TimelineEntry
from graphmem.memory.arguments import number, text, texts
from graphmem.memory.connection import Opened
from graphmem.moments import Moment, as_moment
from graphmem.records import EventView

_IDENTIFIER = re.compile(r"[0-9a-f]{32}")


class Events(Opened):
    """What happened, how often, and in which order."""

    async def events(
        self,
        subject: str | None = None,
        *,
        verbs: Sequence[str] = (),
        words: Sequence[str] = (),
        since: Moment = None,
        until: Moment = None,
        namespace: str | None = None,
        said_by: Moment = None,
        known_at: Moment = None,
    ) -> tuple[EventView, ...]:
        """Events in the order in which they began; those without a time last."""
        return await read_events.events(
            self.graph,
            self._namespace(namespace),
            await self._subjects(subject, namespace, known_at),
            verbs=texts(verbs, "verbs"),
            words=texts(words, "words"),
            since=self._moment(since, "since"),
            until=self._moment(until, "until"),
            **self._seen(said_by, known_at),
        )

    async def count(
        self,
        subject: str | None = None,
        *,
        verbs: Sequence[str] = (),
        words: Sequence[str] = (),
        since: Moment = None,
        until: Moment = None,
        namespace: str | None = None,
        said_by: Moment = None,
        known_at: Moment = None,
    ) -> int:
        """How many events there are; one that was told twice counts once."""
        return await read_events.count(
            self.graph,
            self._namespace(namespace),
            await self._subjects(subject, namespace, known_at),
            verbs=texts(verbs, "verbs"),
            words=texts(words, "words"),
            since=self._moment(since, "since"),
            until=self._moment(until, "until"),
            **self._seen(said_by, known_at),
        )

    async def first(
        self,
        subject: str | None = None,
        *,
        verbs: Sequence[str] = (),
        words: Sequence[str] = (),
        since: Moment = None,
        until: Moment = None,
        limit: int = 1,
        namespace: str | None = None,
        said_by: Moment = None,
        known_at: Moment = None,
    ) -> tuple[EventView, ...]:
        """The first events that fit, the first first."""
        return await read_events.first(
            self.graph,
            self._namespace(namespace),
            await self._subjects(subject, namespace, known_at),
            verbs=texts(verbs, "verbs"),
            words=texts(words, "words"),
            since=self._moment(since, "since"),
            until=self._moment(until, "until"),
            limit=number(limit, "limit"),
            **self._seen(said_by, known_at),
        )

    async def last(
        self,
        subject: str | None = None,
        *,
        verbs: Sequence[str] = (),
        words: Sequence[str] = (),
        since: Moment = None,
        until: Moment = None,
        limit: int = 1,
        namespace: str | None = None,
        said_by: Moment = None,
        known_at: Moment = None,
    ) -> tuple[EventView, ...]:
        """The last events that fit, the last first."""
        return await read_events.last(
            self.graph,
            self._namespace(namespace),
            await self._subjects(subject, namespace, known_at),
            verbs=texts(verbs, "verbs"),
            words=texts(words, "words"),
            since=self._moment(since, "since"),
            until=self._moment(until, "until"),
            limit=number(limit, "limit"),
            **self._seen(said_by, known_at),
        )

    async def between(
        self,
        since: Moment,
        until: Moment,
        subject: str | None = None,
        *,
        namespace: str | None = None,
        said_by: Moment = None,
        known_at: Moment = None,
    ) -> tuple[TimelineEntry, ...]:
        """Facts that held and events that happened at some time of ``[since, until)``. Raises QuestionError if a bound is missing."""
        start, end = self._moment(since, "since"), self._moment(until, "until")
        if start is None or end is None:
            raise QuestionError("give both bounds, such as 2023-03-01 and 2023-06-01")
        return await read_events.between(
            self.graph,
            self._namespace(namespace),
            start,
            end,
            await self._subjects(subject, namespace, known_at),
            **self._seen(said_by, known_at),
        )

    async def before(
        self,
        when: Moment | EventView,
        subject: str | None = None,
        *,
        limit: int = 20,
        namespace: str | None = None,
        said_by: Moment = None,
        known_at: Moment = None,
    ) -> tuple[TimelineEntry, ...]:
        """What was so and what had happened before a time or an event, the nearest first.

        ``when`` is a time, an event, an event's identifier, or words that an event is looked up by. Raises QuestionError if none is found.
        """
        anchor = await self._anchor(when, namespace)
        where = (self.graph, self._namespace(namespace))
        subjects = await self._subjects(subject, namespace, known_at)
        seen = self._seen(said_by, known_at)
        if isinstance(anchor, datetime):
            return await read_events.before(*where, anchor, subjects, limit=number(limit, "limit"), **seen)
        return await read_events.before_event(*where, anchor, subjects, limit=number(limit, "limit"), **seen)

    async def after(
        self,
        when: Moment | EventView,
        subject: str | None = None,
        *,
        limit: int = 20,
        namespace: str | None = None,
        said_by: Moment = None,
        known_at: Moment = None,
    ) -> tuple[TimelineEntry, ...]:
        """What was so and what happened after a time or an event, the nearest first.

        ``when`` is a time, an event, an event's identifier, or words that an event is looked up by. Raises QuestionError if none is found.
        """
        anchor = await self._anchor(when, namespace)
        where = (self.graph, self._namespace(namespace))
        subjects = await self._subjects(subject, namespace, known_at)
        seen = self._seen(said_by, known_at)
        if isinstance(anchor, datetime):
            return await read_events.after(*where, anchor, subjects, limit=number(limit, "limit"), **seen)
        return await read_events.after_event(*where, anchor, subjects, limit=number(limit, "limit"), **seen)

    async def overlapping(
        self,
        event: str | EventView,
        subject: str | None = None,
        *,
        namespace: str | None = None,
        said_by: Moment = None,
        known_at: Moment = None,
    ) -> tuple[TimelineEntry, ...]:
        """What was so and what else happened while an event lasted. ``event`` as in ``before``, without times."""
        anchor = await self._anchor(event, namespace)
        if isinstance(anchor, datetime):
            raise QuestionError(f"{event!r} is a time; give an event, or use `between` for a stretch of time")
        return await read_events.overlapping(
            self.graph,
            self._namespace(namespace),
            anchor,
            await self._subjects(subject, namespace, known_at),
            **self._seen(said_by, known_at),
        )

    async def _anchor(self, when: Moment | EventView, namespace: str | None) -> datetime | str:
        """A moment, or the identifier of an event: as given, or of the event that the words describe best."""
        if isinstance(when, EventView):
            return when.id
        if isinstance(when, str):
            if _IDENTIFIER.fullmatch(when):
                return when
            try:
                moment = as_moment(when, self.settings.tzinfo, "when")
            except QuestionError:
                return await self._event_named(when, namespace)
        else:
            moment = self._moment(when, "when")
        if moment is None:
            raise QuestionError("give a time, an event's identifier, or words that describe an event")
        return moment

    async def _event_named(self, words: str, namespace: str | None) -> str:
        hits = await search.search_events(
            self.graph, self.embedder, text(words, "when"), namespace=self._namespace(namespace), limit=5
        )
        dated = [hit.event.id for hit in hits if hit.event.starts_at is not None]
        if not dated:
            raise QuestionError(f"no event with a time is described by {words!r}; give a time, or other words")
        return dated[0]
