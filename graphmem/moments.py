"""Times as users give them, in Python or on a command line, as aware datetimes."""

from __future__ import annotations

from datetime import UTC, date, datetime, tzinfo

from graphmem.errors import QuestionError

Moment = datetime | date | str | None
"""A datetime, a date (its first instant), or ISO text of either; without an offset it is in the memory's zone. None: no limit."""


def as_moment(value: Moment, zone: tzinfo, name: str) -> datetime | None:
    """The instant meant, aware. ``name`` is what the value was given for. Raises QuestionError for what is no date or time."""
    if value is None:
        return None
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip())
        except ValueError as exc:
            raise QuestionError(
                f"{name} is {value!r}, which is no ISO date or time; write it like 2023-05-01 or 2023-05-01T13:56+02:00"
            ) from exc
    if not isinstance(value, date):
        raise QuestionError(
            f"{name} is {value!r} ({type(value).__name__}); give a datetime, a date, or text like 2023-05-01 or 2023-05-01T13:56+02:00"
        )
    if not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    moment = value if value.tzinfo is not None else value.replace(tzinfo=zone)
    try:
        moment.astimezone(UTC)
    except (OverflowError, ValueError) as exc:
        raise QuestionError(
            f"{name} is {moment.isoformat()}, which lies outside the calendar once it is turned into UTC"
        ) from exc
    return moment
