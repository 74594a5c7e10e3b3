"""The interval algebra, on intervals drawn at random: across clock changes, leap days, year ends and every civil offset."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from graphmem.errors import InputError
from graphmem.records import Interval
from graphmem.temporal import algebra as a

ZONES = [
    ZoneInfo("America/New_York"), ZoneInfo("Europe/Berlin"), ZoneInfo("America/Sao_Paulo"), ZoneInfo("Australia/Lord_Howe"),
    ZoneInfo("Asia/Kathmandu"), ZoneInfo("Pacific/Apia"), ZoneInfo("Africa/Cairo"), dt.UTC,
    dt.timezone(dt.timedelta(hours=-12)), dt.timezone(dt.timedelta(hours=14)),
]  # fmt: skip
FIRST, LAST = dt.datetime(1995, 1, 1), dt.datetime(2035, 1, 1)

zones = st.sampled_from(ZONES)
locals_ = st.one_of(
    st.datetimes(FIRST, LAST),
    st.builds(
        lambda day, hours: day + dt.timedelta(hours=hours),
        st.sampled_from(
            [dt.datetime(2024, 2, 29), dt.datetime(2023, 12, 31), dt.datetime(2023, 3, 12), dt.datetime(2023, 11, 5)]
        ),
        st.integers(0, 30),
    ),
)
moments = st.builds(lambda local, zone: local.replace(microsecond=0, tzinfo=zone), locals_, zones)


@st.composite
def intervals(draw: st.DrawFn, openness: bool = True) -> Interval:
    start, end = sorted((draw(moments), draw(moments)), key=lambda m: m.astimezone(dt.UTC))
    assume(start.astimezone(dt.UTC) < end.astimezone(dt.UTC))
    if openness:
        side = draw(st.sampled_from(["closed", "closed", "closed", "start", "end", "both"]))
        return Interval(None if side in ("start", "both") else start, None if side in ("end", "both") else end)
    return Interval(start, end)


@given(intervals(), intervals())
def test_before_meets_overlaps_and_their_converses_cover_every_pair_exactly_once(x: Interval, y: Interval) -> None:
    relations = [a.before(x, y), a.meets(x, y), a.overlaps(x, y), a.meets(y, x), a.after(x, y)]
    assert sum(relations) == 1


@given(intervals(), intervals(), moments)
def test_the_intersection_holds_a_moment_when_and_only_when_both_do(x: Interval, y: Interval, m: dt.datetime) -> None:
    shared = a.intersection(x, y)
    assert (shared is not None and a.contains(shared, m)) == (a.contains(x, m) and a.contains(y, m))


@given(intervals(), intervals(), moments)
def test_the_union_holds_a_moment_when_and_only_when_either_does(x: Interval, y: Interval, m: dt.datetime) -> None:
    joined = a.union(x, y)
    if joined is not None:
        assert a.contains(joined, m) == (a.contains(x, m) or a.contains(y, m))
    else:
        assert a.gap(x, y) is not None


@given(intervals(), intervals())
def test_during_means_that_the_intersection_changes_nothing(x: Interval, y: Interval) -> None:
    shared = a.intersection(x, y)
    assert a.during(x, y) == (shared is not None and a.equals(shared, x))


@given(intervals(), intervals(), intervals())
def test_during_and_before_are_transitive(x: Interval, y: Interval, z: Interval) -> None:
    if a.during(x, y) and a.during(y, z):
        assert a.during(x, z)
    if a.before(x, y) and a.before(y, z):
        assert a.before(x, z)


@given(intervals(openness=False), intervals(openness=False))
def test_durations_add_up_over_the_hull(x: Interval, y: Interval) -> None:
    hull, shared, gap = a.hull(x, y), a.intersection(x, y), a.gap(x, y)
    lengths = [a.duration(i) or dt.timedelta() for i in (x, y)]
    common = dt.timedelta() if shared is None else a.duration(shared)
    between = dt.timedelta() if gap is None else a.duration(gap)
    assert common is not None
    assert between is not None
    assert a.duration(hull) == sum(lengths, dt.timedelta()) - common + between


@given(intervals())
def test_only_an_interval_with_both_bounds_has_a_duration(x: Interval) -> None:
    assert (a.duration(x) is None) == a.is_open(x)


@given(locals_, zones)
def test_a_local_time_becomes_the_first_moment_at_or_after_it_on_the_clock(local: dt.datetime, zone: dt.tzinfo) -> None:
    local = local.replace(microsecond=0)
    moment = a.instant_from_local(local, zone)
    shown = moment.astimezone(dt.UTC).astimezone(zone).replace(tzinfo=None)
    assert shown >= local
    just_before = (moment.astimezone(dt.UTC) - dt.timedelta(seconds=1)).astimezone(zone).replace(tzinfo=None)
    assert just_before < local


@given(st.dates(dt.date(1995, 1, 1), dt.date(2035, 1, 1)), zones)
def test_local_days_follow_one_another_without_gap_or_overlap(day: dt.date, zone: dt.tzinfo) -> None:
    bounds = [a.instant_from_local(dt.datetime.combine(day, dt.time()) + dt.timedelta(days=n), zone) for n in range(3)]
    assume(bounds[0] < bounds[1] < bounds[2])
    assert a.meets(Interval(bounds[0], bounds[1]), Interval(bounds[1], bounds[2]))


def test_the_day_of_the_change_to_summer_time_has_twenty_three_hours() -> None:
    zone = ZoneInfo("America/New_York")
    day = Interval(
        a.instant_from_local(dt.datetime(2023, 3, 12), zone), a.instant_from_local(dt.datetime(2023, 3, 13), zone)
    )
    assert a.duration(day) == dt.timedelta(hours=23)


def test_the_day_of_the_change_back_has_twenty_five_hours() -> None:
    zone = ZoneInfo("America/New_York")
    day = Interval(
        a.instant_from_local(dt.datetime(2023, 11, 5), zone), a.instant_from_local(dt.datetime(2023, 11, 6), zone)
    )
    assert a.duration(day) == dt.timedelta(hours=25)


def test_a_midnight_that_the_clock_skips_becomes_the_first_moment_of_that_day() -> None:
    # Brazil used to change its clocks at midnight: 2018-11-04 started at 01:00.
    moment = a.instant_from_local(dt.datetime(2018, 11, 4), ZoneInfo("America/Sao_Paulo"))
    assert moment.isoformat() == "2018-11-04T01:00:00-02:00"


def test_a_time_that_happens_twice_is_the_first_of_the_two() -> None:
    moment = a.instant_from_local(dt.datetime(2023, 11, 5, 1, 30), ZoneInfo("America/New_York"))
    assert moment.utcoffset() == dt.timedelta(hours=-4)


def test_a_backward_interval_is_refused_and_the_message_names_both_bounds() -> None:
    with pytest.raises(InputError, match=r"2023-05-02T00:00:00 is not before 2023-05-01T00:00:00"):
        a.checked(Interval(dt.datetime(2023, 5, 2), dt.datetime(2023, 5, 1)))


def test_a_naive_bound_beside_an_aware_one_is_refused() -> None:
    with pytest.raises(InputError, match="mixes"):
        a.checked(Interval(dt.datetime(2023, 5, 1), dt.datetime(2023, 5, 2, tzinfo=dt.UTC)))
