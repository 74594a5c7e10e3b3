"""Every example of the rule table is a test of its rule."""

from __future__ import annotations

import datetime as dt

import pytest

from graphmem.temporal import normalise
from graphmem.temporal.table import load

SAID = dt.datetime(2023, 5, 25, 13, 14)
CASES = [(rule.id, example) for rule in load().rules for example in rule.examples]


def bounds_of(written: str) -> tuple[dt.datetime | None, dt.datetime | None]:
    """The bounds of an ISO 8601 date, month, year or start/end; ``..`` is open."""
    if "/" in written:
        start, end = written.split("/")
        return tuple(None if part == ".." else dt.datetime.fromisoformat(part) for part in (start, end))  # type: ignore[return-value]
    numbers = [int(n) for n in written.split("-")]
    start = dt.datetime(*[*numbers, 1, 1][:3])
    if len(numbers) == 1:
        return start, start.replace(year=start.year + 1)
    if len(numbers) == 2:
        return start, (start + dt.timedelta(days=32)).replace(day=1)
    return start, start + dt.timedelta(days=1)


@pytest.mark.parametrize(("rule", "example"), CASES)
def test_rule_makes_of_its_example_what_the_table_says(rule: str, example: str) -> None:
    said, text = SAID, example
    if example.startswith("@"):
        stamp, text = example[1:].split(" ", 1)
        said = dt.datetime.fromisoformat(stamp)
    text, expected = text.rsplit(" => ", 1)
    found = normalise(text, said)
    if expected == "-":
        assert [(e.text, e.rule) for e in found if e.rule == rule or e.interval is not None] == []
        return
    mine = [e for e in found if e.rule == rule]
    assert len(mine) == 1, f"found {[(e.text, e.rule, e.interval) for e in found]}"
    (expression,) = mine
    assert text[expression.start : expression.end] == expression.text
    if expression.interval is None:
        assert f"{expression.kind} {expression.formula}" == expected
    else:
        assert (expression.interval.start, expression.interval.end) == bounds_of(expected)
