"""What the normaliser promises whatever the text, the zone and the time of speaking."""

from __future__ import annotations

import datetime as dt
import os
import time
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmem.errors import ConfigurationError, InputError
from graphmem.temporal import Policy, normalise
from graphmem.temporal import algebra as a
from graphmem.temporal.formulas import FORMULAS
from graphmem.temporal.table import load

SAID = dt.datetime(2023, 5, 25, 13, 14)
WORDS = sorted(
    {word for language in load().languages.values() for words in language.vocabulary.values() for word in words}
    | set("the of in on at since until before after ago last next this every from to between and was is will for".split())
    | {"10/11", "2019", "2023-05-07", "5pm", "30", "the 90s", "31", "99999999999", "0", ".", ",", "?", "!", "\n", "’s", "五月", "é"}
)  # fmt: skip
ZONELESS = [word for word in WORDS if word not in load().languages["en"].vocabulary["zone"]]
texts = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join))
offsets = st.integers(-12 * 60, 14 * 60).map(lambda m: dt.timezone(dt.timedelta(minutes=m)))
zones = st.one_of(
    offsets, st.sampled_from(["America/New_York", "America/Sao_Paulo", "Pacific/Apia", "Asia/Kathmandu"]).map(ZoneInfo)
)
said = st.datetimes(dt.datetime(1990, 1, 1), dt.datetime(2040, 12, 31))


def only(
    text: str, at: dt.datetime = SAID, policy: dict[str, str | int] | None = None
) -> tuple[dt.datetime | None, dt.datetime | None]:
    (expression,) = normalise(text, at, policy)
    assert expression.interval is not None
    return expression.interval.start, expression.interval.end


def day(text: str, at: dt.datetime = SAID, policy: dict[str, str | int] | None = None) -> str:
    start, end = only(text, at, policy)
    assert start is not None
    assert end is not None
    assert end - start == dt.timedelta(days=1)
    return start.date().isoformat()


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(texts, said, zones)
def test_any_text_gives_expressions_in_order_with_their_own_words(text: str, at: dt.datetime, zone: dt.tzinfo) -> None:
    found = normalise(text, at.replace(tzinfo=zone))
    assert [e.start for e in found] == sorted(e.start for e in found)
    for one, following in pairwise(found):
        assert one.end <= following.start
    for e in found:
        assert text[e.start : e.end] == e.text != ""
        assert 0 < e.confidence <= 1
        for interval in (e.interval, e.starts, e.ends, *e.alternatives):
            if interval is not None:
                a.checked(interval)
                assert all(b is None or b.tzinfo is not None for b in (interval.start, interval.end))
        if e.kind in ("duration", "recurrence", "unresolved"):
            assert e.interval is None


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(ZONELESS), max_size=8).map(" ".join), said, offsets)
def test_the_local_dates_do_not_depend_on_the_zone(text: str, at: dt.datetime, zone: dt.timezone) -> None:
    naive, aware = normalise(text, at), normalise(text, at.replace(tzinfo=zone))
    assert [e.interval and (e.interval.start, e.interval.end) for e in naive] == [
        e.interval and tuple(b and b.replace(tzinfo=None) for b in (e.interval.start, e.interval.end)) for e in aware
    ]


def test_the_clock_and_the_zone_of_the_machine_play_no_part(monkeypatch: pytest.MonkeyPatch) -> None:
    before = [normalise(t, SAID) for t in ("last Friday", "in May", "next year", "two hours ago")]
    try:
        for zone in ("Asia/Shanghai", "America/Los_Angeles"):
            monkeypatch.setitem(os.environ, "TZ", zone)
            time.tzset()
            assert [normalise(t, SAID) for t in ("last Friday", "in May", "next year", "two hours ago")] == before
    finally:
        monkeypatch.undo()
        time.tzset()


def test_half_past_midnight_belongs_to_the_new_day() -> None:
    assert day("The hens escaped yesterday.", dt.datetime(2023, 5, 25, 0, 30)) == "2023-05-24"


def test_yesterday_in_a_zone_is_the_speakers_yesterday_not_that_of_utc() -> None:
    at = dt.datetime(2023, 5, 25, 0, 30, tzinfo=dt.timezone(dt.timedelta(hours=14)))
    (found,) = normalise("The hens escaped yesterday.", at)
    assert found.interval is not None
    assert found.interval.start is not None
    assert found.interval.start.astimezone(dt.UTC) == dt.datetime(2023, 5, 23, 10, tzinfo=dt.UTC)


def test_a_day_with_a_clock_change_keeps_its_midnights() -> None:
    (found,) = normalise("yesterday", dt.datetime(2023, 3, 13, 9, tzinfo=ZoneInfo("America/New_York")))
    assert found.interval is not None
    assert a.duration(found.interval) == dt.timedelta(hours=23)


def test_a_day_that_the_date_line_took_away_is_no_interval() -> None:
    (found,) = normalise("yesterday", dt.datetime(2011, 12, 31, 9, tzinfo=ZoneInfo("Pacific/Apia")))
    assert found.interval is None


def test_a_zone_in_the_words_counts_where_the_speakers_zone_is_known() -> None:
    (found,) = normalise(
        "The call is at 5pm EST tomorrow.", dt.datetime(2023, 1, 25, 13, tzinfo=ZoneInfo("Europe/Berlin"))
    )
    assert found.interval is not None
    assert found.interval.start is not None
    assert found.interval.start.isoformat() == "2023-01-26T23:00:00+01:00"


def test_offsets_count_code_points_and_typographic_apostrophes_are_read() -> None:
    text = "👩‍👩‍👧 In three days’ time, we’ll go — let us dine on Friday 🎉"
    found = normalise(text, SAID)
    assert [e.text for e in found] == ["In three days’ time", "Friday"]
    assert all(text[e.start : e.end] == e.text for e in found)


def test_a_leap_day_without_a_year_is_the_last_one_that_existed() -> None:
    assert day("It was on February 29.", dt.datetime(2023, 5, 25)) == "2020-02-29"


def test_a_month_ago_at_the_end_of_a_long_month_is_the_shorter_one() -> None:
    start, end = only("a month ago", dt.datetime(2023, 3, 31))
    assert (start, end) == (dt.datetime(2023, 2, 1), dt.datetime(2023, 3, 1))


def test_tense_decides_between_the_past_and_the_next_month() -> None:
    assert only("I moved in August.")[0] == dt.datetime(2022, 8, 1)
    assert only("I will move in August.")[0] == dt.datetime(2023, 8, 1)


def test_the_verb_nearest_to_the_expression_decides() -> None:
    assert day("I was tired, but I'll see her on Friday.") == "2023-05-26"
    assert day("I'll tell you: she left on Friday.") == "2023-05-19"


@pytest.mark.parametrize(
    "text",
    [
        "I may go.", "They were told to march.", "I second that motion, only now and then.", "See you soon!", "Hold on a second.",
        "Been up to anything lately?", "Don't fall down, spring into action.", "The shop is open 24/7.",
        "I ran 2000 miles and ate 365 eggs.", "April told me that June is nice.", "Give me a minute.", "It costs $2019.",
        "He is a second lieutenant.", "May the force be with you.", "At first I was unsure.", "That was the last time.",
        "Talk to you soon.", "I have 2 sisters and 1 dog.", "We will sit on a sun lounger.", "One day I will understand.",
        "Long time no see!", "In the end it worked.", "He's an old man in a hurry.", "It was a piece of cake.", "Back in a sec!",
        "a 5-minute walk", "version 3.11", "room 2023b", "call 555-1234", "1/2 cup of sugar", "He marched on.", "the Sun rose",
    ],
)  # fmt: skip
def test_what_names_no_time_gives_no_interval(text: str) -> None:
    assert [(e.text, e.interval) for e in normalise(text, SAID) if e.interval is not None] == []


def test_both_readings_of_an_ambiguous_date_are_kept() -> None:
    (found,) = normalise("It shipped on 10/11.", SAID)
    readings = [found.interval, *found.alternatives]
    assert [r.start for r in readings if r is not None][:2] == [dt.datetime(2022, 10, 11), dt.datetime(2022, 11, 10)]
    assert found.policies == ("day_month_order=month_first",)


def test_the_readings_of_an_anchored_expression_come_from_those_of_its_anchor() -> None:
    (found,) = normalise("Their son was born two days after Christmas.", SAID)
    assert [r.start for r in found.alternatives] == [dt.datetime(2023, 12, 27)]


def test_a_state_says_when_it_began() -> None:
    (found,) = normalise("She has rented it for three years.", SAID)
    assert found.kind == "open"
    assert found.interval is not None
    assert (found.interval.end, found.interval.end_stated) == (None, False)
    assert found.starts is not None
    assert (found.starts.start, found.starts.end) == (dt.datetime(2020, 1, 1), dt.datetime(2021, 1, 1))


@pytest.mark.parametrize(
    ("policy", "text", "expected"),
    [
        ({"last_week": "calendar"}, "They painted the hall last week.", ("2023-05-15", "2023-05-22")),
        ({"last_week": "rolling"}, "They painted the hall last week.", ("2023-05-18", "2023-05-25")),
        (
            {"week_start": "sunday", "last_week": "calendar"},
            "They painted the hall last week.",
            ("2023-05-14", "2023-05-21"),
        ),
        ({"recently_days": 7}, "I joined recently.", ("2023-05-18", "2023-05-26")),
        ({"soon_days": 3}, "I'm moving soon.", ("2023-05-25", "2023-05-29")),
        ({"day_month_order": "day_first"}, "It shipped on 10/11.", ("2022-11-10", "2022-11-11")),
        ({"hemisphere": "south"}, "They sailed last summer.", ("2022-12-01", "2023-03-01")),
        ({"seasons": "astronomical"}, "They sailed last summer.", ("2022-06-21", "2022-09-22")),
        ({"fiscal_year_month": 4}, "the FY2023 budget", ("2022-04-01", "2023-04-01")),
        ({"next_weekday": "next_week"}, "next Friday works", ("2023-06-02", "2023-06-03")),
        ({"country": "CA"}, "on Thanksgiving 2022", ("2022-10-10", "2022-10-11")),
    ],
)
def test_a_policy_changes_the_reading_and_is_named_in_what_it_made(
    policy: dict[str, str | int], text: str, expected: tuple[str, str]
) -> None:
    (found,) = normalise(text, SAID, policy)
    assert found.interval is not None
    assert found.interval.start is not None
    assert found.interval.end is not None
    assert (found.interval.start.date().isoformat(), found.interval.end.date().isoformat()) == expected
    assert {f"{name}={value}" for name, value in policy.items()} <= set(found.policies)


def test_a_policy_that_played_no_part_is_not_named() -> None:
    (found,) = normalise("yesterday", SAID, {"hemisphere": "south"})
    assert found.policies == ()


@pytest.mark.parametrize(
    "values", [{"week_start": "friday"}, {"no_such_policy": 1}, {"soon_days": 0}, {"country": "usa"}]
)
def test_an_unknown_policy_or_value_is_refused_by_name(values: dict[str, str | int]) -> None:
    with pytest.raises(ConfigurationError, match=next(iter(values))):
        Policy().override(values)


def test_a_policy_can_be_written_on_one_line() -> None:
    assert Policy.parse("week_start=sunday, soon_days=14") == Policy(week_start="sunday", soon_days=14)
    with pytest.raises(ConfigurationError, match="name=value"):
        Policy.parse("sunday")


def test_the_time_of_speaking_must_be_a_datetime() -> None:
    with pytest.raises(InputError, match="said_at"):
        normalise("yesterday", "2023-05-25")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="text"):
        normalise(None, SAID)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("Nos vimos el 7 de mayo de 2023.", "7 de mayo de 2023", "2023-05-07"),
        ("Le 3 juillet j'ai commencé.", "3 juillet", "2022-07-03"),
        ("Мы встретились 7 мая 2021.", "7 мая 2021", "2021-05-07"),
        ("Wir trafen uns am 12. März 2021.", "12. März 2021", "2021-03-12"),
    ],
)
def test_a_date_of_another_language_is_read_by_dateparser_with_low_confidence(
    text: str, words: str, expected: str
) -> None:
    (found,) = normalise(text, SAID)
    assert (found.text, found.rule, day(text)) == (words, "dateparser", expected)
    assert found.confidence < 0.5


def test_every_rule_has_an_id_of_its_own_a_known_formula_a_pattern_that_compiles_and_examples() -> None:
    rules = load().rules
    assert len({r.id for r in rules}) == len(rules)
    for rule in rules:
        assert rule.formula in FORMULAS, rule.id
        assert any((rule.pattern, rule.before, rule.after, rule.between)), rule.id
        assert rule.examples, rule.id


def test_the_index_calls_up_every_rule_that_matches_one_of_its_own_examples() -> None:
    table = load()
    for rule in table.rules:
        if rule.pattern is None:
            continue
        for example in rule.examples:
            text = example.rsplit(" => ", 1)[0]
            if rule.pattern.search(text):
                assert rule in table.candidates(text.lower()), (rule.id, text)
