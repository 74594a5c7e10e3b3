"""Plain text: which lines are headings, turns and continuations, and when each turn was said."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from graphmem.transcripts import ReadResult, read


def read_text(folder: Path, text: str, zone: str = "UTC") -> ReadResult:
    file = folder / "talk.txt"
    file.write_text(text, encoding="utf-8")
    return read(file, zone=ZoneInfo(zone))


@pytest.mark.parametrize(
    ("heading", "clock", "title"),
    [
        ("# 2023-05-08 13:56", "13:56", None),
        ("## Session 3 — 8 May 2023, 1:56 pm", "13:56", "Session 3"),
        ("[2023-05-08T13:56+00:00]", "13:56", None),
        ("### Trip planning (8 May 2023)", "00:00", "Trip planning"),
        ("8 May 2023", "00:00", None),
        ("Monday, 8 May 2023 at 1:56 pm", "13:56", None),
        ("=== Session 4: May 8th, 2023 ===", "00:00", "Session 4"),
        ("---- 2023/05/08 (Mon) 13:56 ----", "13:56", None),
        ("1:56 p.m. on 8 May, 2023", "13:56", None),
        ("Session #4 on 8th of May, 2023 at 12 am", "00:00", "Session #4"),
        ("08.05.2023 13:56", "13:56", None),
        ("2023-05-08T13:56:00Z", "13:56", None),
        ("Date: 2023-05-08 12:00 pm", "12:00", None),
        ("## Session 3\nDate: 2023-05-08", "00:00", "Session 3"),
    ],
)
def test_headings_of_many_shapes_date_the_turns_below(
    tmp_path: Path, heading: str, clock: str, title: str | None
) -> None:
    result = read_text(tmp_path, f"{heading}\nAna: Hello.\nBo: Hi.\n")
    (session,) = result.sessions
    assert not result.problems
    assert session.title == title
    assert [(turn.speaker, turn.text, turn.said_at.strftime("%F %R")) for turn in session.turns] == [
        ("Ana", "Hello.", f"2023-05-08 {clock}"),
        ("Bo", "Hi.", f"2023-05-08 {clock}"),
    ]


def test_a_heading_without_offset_takes_the_zone_and_one_with_an_offset_keeps_it(tmp_path: Path) -> None:
    result = read_text(
        tmp_path, "# 2023-05-08 13:56\nAna: a\n\n# 2023-05-09 13:56 -03:00\nAna: b\n[14:00] Bo: c\n", "Asia/Tokyo"
    )
    offsets = [turn.said_at.utcoffset() for session in result.sessions for turn in session.turns]
    assert offsets == [timedelta(hours=9), timedelta(hours=-3), timedelta(hours=-3)]


@pytest.mark.parametrize(
    "line",
    [
        "[14:10] Ana: Hello.",
        "14:10 Ana: Hello.",
        "14:10 - Ana: Hello.",
        "(2:10 pm) **Ana:** Hello.",
        "Ana [14:10]: Hello.",
        "2023-05-08 14:10 Ana: Hello.",
        "[2023-05-08 14:10] Ana: Hello.",
        "2023-05-08T14:10+00:00 Ana: Hello.",
        "Ana (8 May 2023, 2:10 pm): Hello.",
    ],
)
def test_a_line_may_carry_its_own_time(tmp_path: Path, line: str) -> None:
    result = read_text(tmp_path, f"# 2023-05-08 13:56\nBo: Hi.\n{line}\nBo: And now?\n")
    (session,) = result.sessions
    assert not result.problems
    assert [(turn.speaker, turn.text, turn.said_at.strftime("%R")) for turn in session.turns] == [
        ("Bo", "Hi.", "13:56"),
        ("Ana", "Hello.", "14:10"),
        ("Bo", "And now?", "14:10"),
    ]


def test_times_of_day_go_past_midnight(tmp_path: Path) -> None:
    (session,) = read_text(tmp_path, "# 2023-05-08 23:50\n[23:58] Ana: a\n[00:02] Bo: b\n").sessions
    assert [turn.said_at.date() for turn in session.turns] == [date(2023, 5, 8), date(2023, 5, 9)]


def test_without_headings_dated_lines_make_sessions_that_long_pauses_part(tmp_path: Path) -> None:
    text = "2023-05-08 23:00 Ana: a\n2023-05-09 00:30 Bo: b\n2023-05-09 09:00 Ana: c\n"
    result = read_text(tmp_path, text)
    assert [[turn.text for turn in session.turns] for session in result.sessions] == [["a", "b"], ["c"]]


def test_lines_without_a_speaker_continue_the_turn_before(tmp_path: Path) -> None:
    words = (
        "One\ntwo at http://x.example and 10:30.\n\n  Three: indented\nHere is what I need: bread\n## A heading of mine"
    )
    (session,) = read_text(tmp_path, f"# 2023-05-08\nAna: {words}\nBo: Hi\n").sessions
    assert [turn.text for turn in session.turns] == [words, "Hi"]


@pytest.mark.parametrize(
    "name",
    [
        "Ana",
        "user",
        "agent_7",
        "Dr. Smith",
        "J. R. R. Tolkien",
        "Maria de la Cruz",
        "安娜",
        "آنا",
        "O'Brien",
        "Ana (Lisbon)",
    ],
)
def test_names_of_many_kinds_are_speakers(tmp_path: Path, name: str) -> None:
    (session,) = read_text(tmp_path, f"# 2023-05-08\n{name}: Hello: you.\n").sessions
    assert [(turn.speaker, turn.text) for turn in session.turns] == [(name, "Hello: you.")]


def test_a_full_width_colon_needs_no_space(tmp_path: Path) -> None:
    (session,) = read_text(tmp_path, "# 2023-05-08\n安娜：你好\n").sessions
    assert (session.turns[0].speaker, session.turns[0].text) == ("安娜", "你好")


def test_turns_below_an_impossible_date_are_counted_and_those_dated_themselves_are_read(tmp_path: Path) -> None:
    result = read_text(
        tmp_path, "# 2023-02-30\nAna: a\nmore\nBo: b\n[2023-03-01 10:00] Bo: c\n\n## Session 7\nAna: d\n"
    )
    assert [turn.text for session in result.sessions for turn in session.turns] == ["c"]
    assert [(problem.where.rpartition(":")[2], problem.what.count("2 turn")) for problem in result.problems] == [
        ("1", 1),
        ("7", 0),
    ]
    assert "impossible date" in result.problems[0].what
    assert "no date stands above" in result.problems[1].what


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("[25:61] Bo: x\nmore of it", "impossible time"),
        ("[2023-02-30 10:00] Bo: x", "impossible date"),
        ("[05/08/2023, 10:00] Bo: x", "day/month or month/day"),
        (": x", "speaker is missing"),
        ("Bo:", "says nothing"),
    ],
)
def test_a_line_that_cannot_be_a_turn_is_reported_and_the_rest_is_read(tmp_path: Path, line: str, said: str) -> None:
    result = read_text(tmp_path, f"# 2023-05-08\nAna: before\n{line}\nAna: after\n")
    assert [turn.text for turn in result.sessions[0].turns] == ["before", "after"]
    (problem,) = result.problems
    assert problem.where.endswith("talk.txt:3")
    assert said in problem.what


def test_prose_before_the_first_turn_is_reported_once_and_a_title_is_not(tmp_path: Path) -> None:
    result = read_text(tmp_path, "# Our trip\n\nWe wrote this down.\nAnd this.\n\n# 2023-05-08\nAna: a\n")
    (problem,) = result.problems
    assert problem.where.endswith(":3")
    assert "2 line(s)" in problem.what


def test_a_text_that_grows_keeps_its_identities(tmp_path: Path) -> None:
    text = "# 2023-05-08\nAna: ok\nAna: ok\nBo: fine\n"
    before = read_text(tmp_path, text).sessions[0]
    after = read_text(tmp_path, text + "Ana: ok\n\n# 2023-05-09\nAna: ok\n").sessions
    assert after[0].id == before.id
    assert after[0].source_id == before.source_id
    assert after[0].turns[:3] == before.turns
    assert len({turn.id for session in after for turn in session.turns}) == 5


def test_windows_and_old_mac_line_ends_make_no_difference(tmp_path: Path) -> None:
    text = "# 2023-05-08\nAna: One\ntwo\nBo: Hi\n"
    expected = read_text(tmp_path, text).sessions
    for end in (b"\r\n", b"\r"):
        (tmp_path / "talk.txt").write_bytes(text.encode().replace(b"\n", end))
        assert read(tmp_path / "talk.txt").sessions == expected


def test_turns_under_a_date_that_cannot_be_computed_with_are_left_out_and_counted(tmp_path: Path) -> None:
    result = read_text(
        tmp_path, "# 9999-12-31 23:00\nAna: a\nBo: b\n\n# 2023-05-08\nAna: c\n9999-12-31 10:00 Bo: d\nBo: e\n"
    )
    assert [turn.text for session in result.sessions for turn in session.turns] == ["c", "e"]
    above, own = result.problems
    assert above.where.endswith(":1")
    assert "outside the years 1000 to 9990" in above.what
    assert "2 turn(s) below" in above.what
    assert own.where.endswith(":7")
    assert own.what.endswith("correct the year; the turn is left out")
