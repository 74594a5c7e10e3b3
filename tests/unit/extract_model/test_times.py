"""The rule table reads the words; the model's own interval counts where it does not, and is kept where they differ."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone

import pytest

from graphmem.extract.with_model.times import DIFFERS, read_time
from graphmem.records import Interval, Quote
from tests.unit.extract_model.windows import converted, event, fact, turn_of, window_of


def days(interval: Interval | None) -> tuple[date | None, date | None]:
    """The bounds as dates."""
    assert interval is not None
    return (
        None if interval.start is None else interval.start.date(),
        None if interval.end is None else interval.end.date(),
    )


def test_a_disagreement_is_stored_with_both_readings_and_said() -> None:
    found = converted(
        window_of("We met last Friday."),
        events=[event(quote="We met last Friday", time="last Friday", start="2023-05-12", end="2023-05-13")],
    )
    note = found.events[0].time
    assert note is not None
    assert note.start is not None
    assert (note.start.date(), DIFFERS in note.policy, found.usage["times_differ"]) == (date(2023, 5, 19), True, 1)
    assert datetime(2023, 5, 12, tzinfo=timezone(timedelta(hours=1))) in [start for start, _ in note.alternatives]


def test_a_finer_reading_of_vague_words_is_no_disagreement() -> None:
    found = converted(
        window_of("We met two weeks ago."),
        events=[event(quote="We met", time="two weeks ago", start="2023-05-11", end="2023-05-12")],
    )
    assert found.usage["times_differ"] == 0


def test_the_models_interval_is_taken_where_the_table_has_none_and_marked() -> None:
    found = converted(
        window_of("We met the morning after the wedding."),
        events=[event(quote="We met", time="the morning after the wedding", start="2023-05-21", end="2023-05-22")],
    )
    note = found.events[0].time
    assert note is not None
    assert (note.rule, note.expression, note.granularity) == ("model", "the morning after the wedding", "day")


def test_the_expression_nearest_to_the_quotation_counts_where_a_turn_has_several() -> None:
    text = "I left in 2019 and I came back in 2021."
    start = text.index("I came")
    read = read_time("in 2021", "", "", turn_of(text), Quote("t0", start, len(text), text[start:]))
    assert read is not None
    assert days(read.interval) == (date(2021, 1, 1), date(2022, 1, 1))


@pytest.mark.parametrize(
    ("start", "end", "bounds", "granularity"),
    [
        ("2023-05", "2023-06", (date(2023, 5, 1), date(2023, 6, 1)), "month"),
        ("2023", "", (date(2023, 1, 1), None), "year"),
        ("", "2023-05-03", (None, date(2023, 5, 3)), "day"),
        ("2023-05-01", "2023-05-01", (date(2023, 5, 1), date(2023, 5, 2)), "day"),
        ("2023-05-01", "2023-05-08", (date(2023, 5, 1), date(2023, 5, 8)), "week"),
        ("2023-05-01T10:00", "2023-05-01T12:00", (date(2023, 5, 1), date(2023, 5, 1)), "hour"),
    ],
)
def test_intervals_of_a_model_are_read_in_the_speakers_zone(
    start: str, end: str, bounds: tuple[date | None, date | None], granularity: str
) -> None:
    read = read_time("once upon a time", start, end, turn_of("once upon a time"), Quote("t0", 0, 4, "once"))
    assert read is not None
    assert (days(read.interval), read.note.granularity) == (bounds, granularity)


@pytest.mark.parametrize("written", ["soon", "2023-13-45", "20230501", "2023-02-30", "0000"])
def test_what_is_no_date_is_no_interval(written: str) -> None:
    assert read_time("", written, "", turn_of("Hm."), Quote("t0", 0, 2, "Hm")) is None


def test_a_recurrence_keeps_its_formula() -> None:
    read = read_time("every Friday", "2023-05-26", "", turn_of("I swim every Friday"), Quote("t0", 0, 6, "I swim"))
    assert read is not None
    assert (read.note.recurrence, read.interval) == ("FREQ=WEEKLY;BYDAY=FR", None)


@pytest.mark.parametrize(
    ("text", "fields", "valid"),
    [
        ("I've lived here for three years now", {"time": "for three years now"}, (date(2020, 1, 1), None)),
        ("I moved here in May 2021", {"time": "in May 2021", "start": "2021-05", "end": "2021-06", "event": 1}, (date(2021, 5, 1), None)),
        ("I lived here in 2019", {"time": "in 2019", "start": "2019", "end": "2020"}, (date(2019, 1, 1), date(2020, 1, 1))),
        ("I lived here until March", {"time": "until March"}, (None, date(2023, 4, 1))),
        ("I lived here until March", {"time": "until March", "polarity": "ended"}, (date(2023, 4, 1), None)),
        ("I live here now, as of 2022", {"time": "as of 2022"}, (date(2022, 1, 1), None)),
        ("I live here", {}, None),
    ],
)  # fmt: skip
def test_a_fact_holds_from_its_time_on_unless_its_end_is_stated(
    text: str, fields: dict[str, object], valid: tuple[date | None, date | None] | None
) -> None:
    found = converted(window_of(text), events=[event(quote=text, object="here")], facts=[fact(quote=text, **fields)])
    interval = found.facts[0].valid
    if valid is None:
        assert interval is None
        return
    assert interval is not None
    if "three years" not in text:
        assert days(interval) == valid
    assert (interval.start_stated, interval.end_stated) == (valid[0] is not None, valid[1] is not None)
