"""Times as users give them, in Python or on a command line, as aware datetimes."""

from __future__ import annotations

from datetime import date, datetime, tzinfo

from graphmem.errors import QuestionError

Moment = datetime | date | str | None
"""A datetime, a date (its first instant), or ISO text of either; without an offset it is in the memory's zone. None: no limit."""


def as_moment(value: Moment, zone: tzinfo, name: str) -> datetime | None:
    """The instant meant, aware. ``name`` is what the value was given for. Raises QuestionError for text that is no ISO date or time."""
    if value is None:
        return None
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip())
        except ValueError as exc:
            raise QuestionError(
                f"{name} is {value!r}, which is no ISO date or time; write it like 2023-05-01 or 2023-05-01T13:56+02:00"
            ) from exc
    if not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    return value if value.tzinfo is not None else value.replace(tzinfo=zone)
