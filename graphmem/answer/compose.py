"""The wording of answers: the short answer first, with its time, then the words it rests on. Dates carry their year."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from graphmem.answer.choice import Choice
from graphmem.answer.plan import Plan
from graphmem.answer.statements import Statement
from graphmem.records import Citation, Interval

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def day_text(moment: datetime) -> str:
    """A date as it is shown: 5 November 2022."""
    return f"{moment.day} {MONTHS[moment.month - 1]} {moment.year}"


def time_text(interval: Interval) -> str:
    """An interval in words, no finer than it is known: a day, a month, a year, or from when to when."""
    start, end = interval.start, interval.end
    if start is None and end is None:
        return "at a time that was not said"
    if start is None:
        assert end is not None
        return f"before {day_text(end)}"
    if end is None:
        return f"since {_unit_text(start, interval.granularity)}"
    last = end - timedelta(microseconds=1)
    if interval.granularity == "month" and (start.year, start.month) == (last.year, last.month):
        return f"{MONTHS[start.month - 1]} {start.year}"
    if interval.granularity == "year" and start.year == last.year:
        return str(start.year)
    if start.date() == last.date():
        return day_text(start)
    return f"{day_text(start)} to {day_text(last)}"


def _unit_text(moment: datetime, granularity: str) -> str:
    if granularity == "year":
        return str(moment.year)
    if granularity == "month":
        return f"{MONTHS[moment.month - 1]} {moment.year}"
    return day_text(moment)


def said_line(citation: Citation) -> str:
    """Who said it, when, and the words."""
    return f"{citation.speaker}, {day_text(citation.said_at)}: “{citation.quote}”"


def answer_text(choice: Choice) -> str:
    """The answer as it is read: short first, then the time, the words it rests on, and what has to be said with it."""
    lines = " ".join(said_line(each) for each in choice.citations[: choice.quoted])
    if choice.short is None:
        head = lines
    else:
        when = (
            f" ({time_text(choice.time)})"
            if choice.facts and choice.time is not None and choice.form not in _DATED
            else ""
        )
        head = f"{choice.short}{when} — {lines}" if lines else choice.short
    return " ".join([head, *choice.notes])


_DATED = ("when", "how_long", "first_time")


def citation_of(statement: Statement, end: int | None = None) -> Citation:
    """The statement as a citation, its quotation reaching to ``end`` of the turn's text if that is farther."""
    stop = max(statement.end, end or 0)
    hit = statement.hit
    return Citation(
        turn_id=hit.turn_id,
        session_id=hit.session_id,
        speaker=hit.speaker,
        said_at=hit.said_at,
        quote=hit.text[statement.start : stop],
        start=statement.start,
        end=stop,
    )


def unknown_text(plan: Plan, near: Sequence[Citation] = ()) -> str:
    """What is said where the memory has nothing relevant: that it does not say, what was looked for, and what comes nearest."""
    about = ", ".join(dict.fromkeys([*plan.subjects, *(term.text for term in plan.terms)]))
    if plan.anchor is not None:
        about += f", {plan.anchor.relation} {plan.anchor.text}"
    when = f" ({plan.time_text})" if plan.time_text else ""
    asked = plan.question.strip()
    nearest = f" Nearest to it: {said_line(near[0])}" if near else ""
    return f"The memory does not say: {asked} Looked for: {about or asked}{when}.{nearest}"


def listed(values: Sequence[str]) -> str:
    """Values in a row, each once, "and" before the last."""
    unique = list(dict.fromkeys(values))
    return unique[0] if len(unique) == 1 else ", ".join(unique[:-1]) + " and " + unique[-1]


def span_text(days: int) -> str:
    """A length in days in the largest units that suit it."""
    if days >= 730:
        years, rest = divmod(days, 365)
        months = rest // 30
        return f"about {years} years" + (f" and {months} months" if 0 < months < 12 else "")
    if days >= 60:
        return f"about {round(days / 30.44)} months"
    if days >= 14:
        return f"about {round(days / 7)} weeks"
    return f"{days} day{'s' if days != 1 else ''}"


NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip


def number_word(count: int) -> str:
    """A count in words up to twelve, in digits above, with the digits beside the words."""
    return f"{NUMBERS[count].capitalize()} ({count})" if count < len(NUMBERS) else str(count)
