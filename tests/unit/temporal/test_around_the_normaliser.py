"""Explanations, ages, and the times of questions."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from graphmem.errors import InputError, QuestionError
from graphmem.records import Interval
from graphmem.temporal import explain, normalise, question_filter, resolve_with_birth, with_event, written

SAID = dt.datetime(2023, 5, 25, 13, 14)
EVENT = Interval(dt.datetime(2020, 3, 1), dt.datetime(2020, 3, 4), "day")


def test_an_explanation_tells_the_rule_the_arithmetic_and_the_result() -> None:
    (found,) = explain("two weekends ago", SAID)
    assert found.expression == normalise("two weekends ago", SAID)[0]
    assert (found.expression.rule, found.formula) == ("en.ago", "ago")
    assert "2023-05-25T13:14:00" in found.anchor
    assert found.steps == (
        "count -2 weekend(s) from 2023-05-25",
        "the last complete weekend before 2023-05-25 starts on 2023-05-20",
        "[2023-05-13T00:00:00, 2023-05-15T00:00:00), to the weekend",
    )


def test_the_steps_of_an_anchored_expression_begin_with_those_of_its_anchor() -> None:
    (found,) = explain("Their son was born two days after Christmas.", SAID)
    assert found.anchor == "the expression that it wraps"
    assert found.steps[0] == "tense of the sentence: past"
    assert "2022-12-25" in found.steps[1]
    assert found.steps[-1] == "[2022-12-27T00:00:00, 2022-12-28T00:00:00), to the day"


def test_an_explanation_without_an_interval_says_what_there_is_instead() -> None:
    (found,) = explain("every Friday she bakes", SAID)
    assert found.steps[-1] == "no interval: recurrence FREQ=WEEKLY;BYDAY=FR"


def test_every_expression_that_normalise_finds_can_be_explained() -> None:
    text = "I moved in early 2020, broke my leg the next day, have run for 3 years and swim every Friday."
    assert [e.expression for e in explain(text, SAID)] == list(normalise(text, SAID))


def test_an_open_bound_is_written_with_two_dots() -> None:
    assert written(Interval(None, dt.datetime(2020, 1, 1))) == "[.., 2020-01-01T00:00:00)"


@pytest.mark.parametrize(
    ("text", "birth", "start", "end"),
    [
        ("in my twenties", dt.date(1990, 6, 15), "2010-06-15", "2020-06-15"),
        ("when I was 18", dt.date(1990, 6, 15), "2008-06-15", "2009-06-15"),
        ("on my 30th birthday", dt.date(1990, 6, 15), "2020-06-15", "2020-06-16"),
        ("when I was 18", (dt.date(1990, 1, 1), dt.date(1990, 12, 31)), "2008-01-01", "2009-12-31"),
        ("when I was 21", dt.date(2000, 2, 29), "2021-02-28", "2022-02-28"),
        ("since I was 10", dt.date(1990, 6, 15), "2000-06-15", None),
    ],
)
def test_an_age_is_placed_once_the_birth_is_known(
    text: str, birth: dt.date | tuple[dt.date, dt.date], start: str, end: str | None
) -> None:
    (found,) = normalise(f"I did it {text}.", SAID)
    assert (found.kind, found.interval) == ("unresolved", None)
    placed = resolve_with_birth(found.life_stage, birth)
    assert placed is not None
    assert placed.start == dt.datetime.fromisoformat(start)
    assert placed.end == (None if end is None else dt.datetime.fromisoformat(end))


def test_an_age_is_placed_in_the_zone_that_is_given() -> None:
    (found,) = normalise("when I was 18", SAID)
    placed = resolve_with_birth(found.life_stage, dt.date(1990, 6, 15), ZoneInfo("Asia/Tokyo"))
    assert placed is not None
    assert placed.start is not None
    assert placed.start.isoformat() == "2008-06-15T00:00:00+09:00"


def test_what_is_no_age_is_not_placed_by_a_birth() -> None:
    (found,) = normalise("every Friday", SAID)
    assert resolve_with_birth(found.life_stage, dt.date(1990, 6, 15)) is None


def test_a_birth_range_that_runs_backward_is_refused() -> None:
    (found,) = normalise("in my twenties", SAID)
    with pytest.raises(InputError, match="lies before the first"):
        resolve_with_birth(found.life_stage, (dt.date(1990, 6, 15), dt.date(1989, 6, 15)))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What did she do last summer?", "[2022-06-01T00:00:00, 2022-09-01T00:00:00)"),
        ("What happened between March and May?", "[2023-03-01T00:00:00, 2023-06-01T00:00:00)"),
        ("Where did he work before 2019?", "[.., 2019-01-01T00:00:00)"),
        ("How many times did she run in May 2023?", "[2023-05-01T00:00:00, 2023-06-01T00:00:00)"),
        ("What has he done since last Christmas?", "[2022-12-25T00:00:00, ..)"),
        ("What did Ana do yesterday before lunch?", "[2023-05-24T00:00:00, 2023-05-25T00:00:00)"),
        ("她去年做了什么？", "[2022-01-01T00:00:00, 2023-01-01T00:00:00)"),
    ],
)
def test_a_questions_own_dates_make_its_filter(question: str, expected: str) -> None:
    found = question_filter(question, SAID)
    assert found is not None
    assert found.interval is not None
    assert (found.relation, found.event, written(found.interval)) == ("during", None, expected)


@pytest.mark.parametrize(
    ("question", "relation", "event", "second"),
    [
        ("Where did she live before she moved?", "before", "she moved", None),
        ("Where did Ana live before Lisbon?", "before", "Lisbon", None),
        ("Before she moved to Rome, where did Ana live?", "before", "she moved to Rome", None),
        ("What did he do right after the wedding?", "after", "the wedding", None),
        ("What was she reading at the time of the wedding?", "during", "the wedding", None),
        ("Where was Ana working when she met Tom?", "during", "she met Tom", None),
        ("When Ana lived in Rome, who was her boss?", "during", "Ana lived in Rome", None),
        ("What has Ana done since she retired?", "since", "she retired", None),
        ("Who visited between the wedding and the move?", "between", "the wedding", "the move"),
        ("她搬家之前住在哪里？", "before", "她搬家", None),
    ],
)
def test_a_question_about_the_time_of_an_event_names_the_event(
    question: str, relation: str, event: str, second: str | None
) -> None:
    found = question_filter(question, SAID)
    assert found is not None
    assert (found.relation, found.event, found.second, found.interval) == (relation, event, second, None)
    assert question[found.start : found.end].strip() == found.text


@pytest.mark.parametrize(
    "question",
    [
        "Where does Ana live?",
        "When did she move?",
        "Has he been up to anything lately?",
        "When was the wedding?",
        "Who may come?",
    ],
)
def test_a_question_without_a_time_has_no_filter(question: str) -> None:
    assert question_filter(question, SAID) is None


def test_a_date_inside_the_words_of_an_event_comes_along() -> None:
    found = question_filter("After she moved in 2019, what did she do?", SAID)
    assert found is not None
    assert found.event == "she moved in 2019"
    assert found.expression is not None
    assert found.expression.text == "2019"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Where did she live before she moved?", "[.., 2020-03-01T00:00:00)"),
        ("Where did she live after she moved?", "[2020-03-04T00:00:00, ..)"),
        ("Where has she lived since she moved?", "[2020-03-01T00:00:00, ..)"),
        ("Who helped while she moved?", "[2020-03-01T00:00:00, 2020-03-04T00:00:00)"),
    ],
)
def test_the_interval_of_the_event_makes_the_filter(question: str, expected: str) -> None:
    found = question_filter(question, SAID)
    assert found is not None
    assert written(with_event(found, EVENT)) == expected


def test_between_two_events_is_from_the_end_of_the_one_to_the_start_of_the_other() -> None:
    found = question_filter("Who visited between the wedding and the move?", SAID)
    assert found is not None
    later = Interval(dt.datetime(2021, 1, 1), dt.datetime(2021, 1, 2))
    assert written(with_event(found, EVENT, later)) == "[2020-03-04T00:00:00, 2021-01-01T00:00:00)"
    with pytest.raises(QuestionError, match="the move"):
        with_event(found, EVENT)
    with pytest.raises(QuestionError, match="empty"):
        with_event(found, later, EVENT)


def test_before_an_event_without_a_known_start_is_an_error_that_names_it() -> None:
    found = question_filter("Where did she live before she moved?", SAID)
    assert found is not None
    with pytest.raises(QuestionError, match="she moved"):
        with_event(found, Interval(None, dt.datetime(2020, 1, 1)))
