"""What a search is confined to. A filter works inside the indexes, so that what it keeps is never crowded out by what it drops."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta

from graphmem.errors import QuestionError
from graphmem.graph.rows_said import day_token, speaker_key
from graphmem.ids import namespace_label

EARLIEST = datetime(1, 1, 1, tzinfo=UTC)
LATEST = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
_LAST_TEXT = "\uffff"
"""Sorts after every key and identifier."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Turns of one namespace, said in ``[since, until)``, by one speaker, in one session (its identifier in the graph)."""

    namespace: str
    since: datetime | None = None
    until: datetime | None = None
    speaker: str | None = None
    session_id: str | None = None

    def __post_init__(self) -> None:
        if not self.namespace.strip():
            raise QuestionError("the namespace to search is empty; name one")
        for name, moment in (("since", self.since), ("until", self.until)):
            if moment is not None and moment.tzinfo is None:
                raise QuestionError(
                    f"{name} is {moment.isoformat()}, which has no offset; give an aware datetime, such as {moment.isoformat()}+00:00"
                )
        if self.since is not None and self.until is not None and self.until <= self.since:
            raise QuestionError(
                f"until is {self.until.isoformat()} and since {self.since.isoformat()}; until must be later"
            )

    @property
    def cuts_a_day(self) -> bool:
        """Whether a bound in time lies within a UTC day."""
        return any(
            moment is not None and moment.astimezone(UTC).time() != time() for moment in (self.since, self.until)
        )

    def within(self, since: datetime, until: datetime) -> Filter | None:
        """The same filter, and said in ``[since, until)`` too; None if that leaves nothing."""
        first = since if self.since is None else max(self.since, since)
        last = until if self.until is None else min(self.until, until)
        return replace(self, since=first, until=last) if first < last else None

    @property
    def times(self) -> dict[str, datetime]:
        """``since`` and ``until`` as instants, open ends as the ends of the calendar."""
        return {
            "since": EARLIEST if self.since is None else self.since.astimezone(UTC),
            "until": LATEST if self.until is None else self.until.astimezone(UTC),
        }

    @property
    def ranges(self) -> dict[str, object]:
        """The filter as parameters of a vector query: an index filter knows no OR, so what is not asked for is a range that holds all."""
        key = None if self.speaker is None else speaker_key(self.speaker)
        return {
            "namespace": self.namespace,
            **self.times,
            "speaker_from": "" if key is None else key,
            "speaker_to": _LAST_TEXT if key is None else key,
            "session_from": "" if self.session_id is None else self.session_id,
            "session_to": _LAST_TEXT if self.session_id is None else self.session_id,
        }

    @property
    def clauses(self) -> str:
        """The filter as clauses of a full-text query, worth nothing in its score. Days are whole, so exact times remain to be checked."""
        found = [f"+scope:{namespace_label(self.namespace)}^0"]
        if self.since is not None or self.until is not None:
            first = "*" if self.since is None else day_token(self.since)
            last = "*" if self.until is None else day_token(self.until - timedelta(microseconds=1))
            found.append(f"+day:[{first} TO {last}]^0")
        if self.speaker is not None:
            found.append(f"+speaker_key:{speaker_key(self.speaker)}^0")
        if self.session_id is not None:
            found.append(f'+session_id:"{self.session_id}"^0')
        return " ".join(found)

    @property
    def until_day(self) -> str:
        """Clauses for what began before ``until``, however long ago: what lasted into the time asked about began at any time before it."""
        return Filter(self.namespace, until=self.until).clauses
