"""Our own format: what is read, what is reported, and which names things get."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from transcript_builders import as_lines, json_line

from graphmem.ids import digest
from graphmem.records import Attachment
from graphmem.transcripts import ReadResult, read, searchable_text


def read_lines(folder: Path, *turns: dict[str, Any], **options: Any) -> ReadResult:
    file = folder / "talk.jsonl"
    file.write_text(as_lines(list(turns)), encoding="utf-8")
    return read(file, **options)


def test_every_field_of_a_line_is_kept(tmp_path: Path) -> None:
    line = json_line(
        title="Moving",
        role="user",
        addressee="Bo",
        speaker_id="u-7",
        attachments=[{"kind": "image", "caption": "a cat", "address": "x/1.jpg"}],
    )
    result = read_lines(tmp_path, line)
    (session,) = result.sessions
    (turn,) = session.turns
    assert not result.problems
    assert (session.namespace, session.source_id, session.title, session.source) == (
        "default",
        "s1",
        "Moving",
        "json lines",
    )
    assert session.id == digest("session", "default", "s1")
    assert turn.id == digest("turn", "default", session.id, "s1:1")
    assert (turn.source_id, turn.position, turn.session_id) == ("s1:1", 0, session.id)
    assert (turn.speaker, turn.text, turn.role, turn.addressee, turn.speaker_id) == (
        "Ana",
        "I moved to the coast.",
        "user",
        "Bo",
        "u-7",
    )
    assert turn.attachments == (Attachment("image", "a cat", "x/1.jpg"),)
    assert turn.said_at == datetime(2023, 5, 8, 11, 56, tzinfo=UTC)
    assert turn.said_at.utcoffset() == timedelta(hours=2)
    assert session.started_at == turn.said_at


def test_a_time_without_offset_is_in_the_zone_given_and_keeps_its_wall_clock(tmp_path: Path) -> None:
    summer, winter = json_line(said_at="2023-07-01T10:00"), json_line(id="2", said_at="2023-12-01T10:00")
    result = read_lines(tmp_path, summer, winter, zone=ZoneInfo("Europe/Lisbon"))
    offsets = [turn.said_at.utcoffset() for turn in result.sessions[0].turns]
    assert offsets == [timedelta(hours=1), timedelta(0)]
    assert all(turn.said_at.hour == 10 for turn in result.sessions[0].turns)
    assert isinstance(result.sessions[0].turns[0].said_at.tzinfo, timezone)


def test_lines_out_of_time_order_are_sorted_and_equal_times_keep_their_order(tmp_path: Path) -> None:
    late = json_line(id="c", said_at="2023-05-08T15:00:00Z", text="third")
    early = json_line(id="a", said_at="2023-05-08T14:00:00Z", text="first")
    also = json_line(id="b", said_at="2023-05-08T14:00:00Z", text="second")
    (session,) = read_lines(tmp_path, late, early, also).sessions
    assert [(turn.position, turn.text) for turn in session.turns] == [(0, "first"), (1, "second"), (2, "third")]
    assert session.started_at.hour == 14


def test_a_conversation_named_in_the_file_gets_a_namespace_of_its_own(tmp_path: Path) -> None:
    result = read_lines(
        tmp_path, json_line(), json_line(conversation="work"), json_line(conversation=12), namespace="me"
    )
    assert [session.namespace for session in result.sessions] == ["me", "me-work", "me-12"]
    assert len({session.id for session in result.sessions}) == 3
    assert len({session.turns[0].id for session in result.sessions}) == 3


def test_the_same_line_twice_is_one_turn(tmp_path: Path) -> None:
    result = read_lines(tmp_path, json_line(), json_line())
    assert result.turns == 1
    assert not result.problems


@pytest.mark.parametrize(
    ("change", "named"),
    [({"text": "Else."}, "text"), ({"speaker": "Bo"}, "speaker"), ({"said_at": "2024-01-01"}, "time")],
)
def test_another_turn_under_the_same_id_is_reported_and_the_first_is_kept(
    tmp_path: Path, change: dict[str, str], named: str
) -> None:
    result = read_lines(tmp_path, json_line(), json_line(**change))
    assert [turn.text for turn in result.sessions[0].turns] == ["I moved to the coast."]
    (problem,) = result.problems
    assert problem.where.endswith("talk.jsonl:2")
    assert f"another {named}" in problem.what


def test_equal_turns_without_ids_are_told_apart_by_how_many_came_before(tmp_path: Path) -> None:
    ok = json_line(id=None, text="ok")
    first = read_lines(tmp_path, ok, ok)
    assert first.turns == 2
    ids = [turn.id for turn in first.sessions[0].turns]
    grown = read_lines(tmp_path, ok, ok, ok)
    assert [turn.id for turn in grown.sessions[0].turns][:2] == ids
    assert len({turn.source_id for turn in grown.sessions[0].turns}) == 3
    assert all(turn.source_id == f"t-{turn.id[:12]}" for turn in grown.sessions[0].turns)


def test_identities_depend_neither_on_the_file_name_nor_on_where_a_copy_lies(tmp_path: Path) -> None:
    lines = as_lines([json_line(id=None, text=str(n)) for n in range(4)])
    (tmp_path / "a.jsonl").write_text(lines)
    alone = read(tmp_path / "a.jsonl").sessions
    (tmp_path / "copies").mkdir()
    for name in ("z.txt", "copy of a.jsonl"):
        (tmp_path / "copies" / name).write_text(lines)
    assert read(tmp_path / "copies").sessions == alone


def test_a_session_spread_over_files_is_merged_in_order_of_time(tmp_path: Path) -> None:
    (tmp_path / "1.jsonl").write_text(as_lines([json_line(id="b", said_at="2023-05-08T15:00Z")]))
    (tmp_path / "2.jsonl").write_text(
        as_lines([json_line(id="a", said_at="2023-05-08T14:00Z"), json_line(id="c", said_at="2023-05-08T15:00Z")])
    )
    (session,) = read(tmp_path).sessions
    assert [turn.source_id for turn in session.turns] == ["a", "b", "c"]
    assert [turn.position for turn in session.turns] == [0, 1, 2]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"session": "s1", "speaker": "Ana"', "cut off or broken"),
        ("nothing of the kind", "cut off or broken"),
        ("[1, 2]", "must be a JSON object"),
        (json.dumps(json_line(session=None)), "session is missing"),
        (json.dumps(json_line(speaker=None)), "speaker is missing"),
        (json.dumps(json_line(speaker="  ")), "speaker is empty"),
        (json.dumps(json_line(speaker=["Ana"])), "speaker must be text"),
        (json.dumps(json_line(speaker=True)), "speaker must be text"),
        (json.dumps(json_line(text=None)), "text is missing"),
        (json.dumps(json_line(text=" \n")), "text is empty"),
        (json.dumps(json_line(text={"a": 1})), "text must be text"),
        (json.dumps(json_line(said_at=None)), "said_at is missing"),
        (json.dumps(json_line(said_at=1683554160)), "said_at must be text"),
        (json.dumps(json_line(said_at="2023-02-30T10:00")), "impossible date"),
        (json.dumps(json_line(said_at="0000-01-01")), "impossible date"),
        (json.dumps(json_line(said_at="2023-05-08T25:00")), "impossible time"),
        (json.dumps(json_line(said_at="0001-01-01T00:00+14:00")), "outside the years 1000 to 9990"),
        (json.dumps(json_line(said_at="0999-12-31T23:59:59Z")), "outside the years 1000 to 9990"),
        (json.dumps(json_line(said_at="9991-01-01")), "outside the years 1000 to 9990"),
        (json.dumps(json_line(said_at="9999-12-31T23:59:59Z")), "correct the year"),
        (json.dumps(json_line(said_at="2023-05-08T10:00+23:00")), "no place has"),
        (json.dumps(json_line(said_at="05/08/2023 10:00")), "day/month or month/day"),
        (json.dumps(json_line(said_at="last Friday")), "no date and time"),
        ('{"session":' + "[" * 200_000, "nested too deeply"),
    ],
)
def test_a_line_that_is_no_turn_is_reported_with_its_place_and_the_rest_is_read(
    tmp_path: Path, line: str, said: str
) -> None:
    file = tmp_path / "talk.jsonl"
    before, after = json.dumps(json_line(id="before")), json.dumps(json_line(id="after"))
    file.write_text(f"{before}\n{line}\n\n{after}\n", encoding="utf-8")
    result = read(file)
    assert [turn.source_id for turn in result.sessions[0].turns] == ["before", "after"]
    (problem,) = result.problems
    assert problem.where == f"{file}:2"
    assert said in problem.what


@pytest.mark.parametrize(
    "said_at", ["1000-01-01T00:00:00+00:00", "1900-03-01T10:00:00+01:00", "9990-12-31T23:59:59-12:00"]
)
def test_a_turn_of_long_ago_or_far_ahead_is_read(tmp_path: Path, said_at: str) -> None:
    file = tmp_path / "talk.jsonl"
    file.write_text(json.dumps(json_line(said_at=said_at)), encoding="utf-8")
    result = read(file)
    assert [turn.said_at.isoformat() for turn in result.sessions[0].turns] == [said_at]
    assert not result.problems


def test_a_turn_behind_one_that_was_cut_off_on_the_same_line_is_read(tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    file.write_text(f'{{"session": "s1", "speaker": "An{json.dumps(json_line())}{json.dumps(json_line(id="2"))}\n')
    result = read(file)
    assert [turn.source_id for turn in result.sessions[0].turns] == ["s1:1", "2"]
    assert len(result.problems) == 1


def test_a_list_of_turns_and_objects_over_several_lines_are_read_too(tmp_path: Path) -> None:
    turns = [json_line(), json_line(id="2")]
    (tmp_path / "list.json").write_text(json.dumps(turns, indent=2))
    (tmp_path / "spread.json").write_text("\n".join(json.dumps(turn, indent=2) for turn in turns))
    (tmp_path / "lines.jsonl").write_text(as_lines(turns))
    results = [read(tmp_path / name) for name in ("list.json", "spread.json", "lines.jsonl")]
    assert results[0].sessions == results[1].sessions == results[2].sessions
    assert not any(result.problems for result in results)


@pytest.mark.parametrize(
    "changes",
    [
        {"attachments": "cat.jpg"},
        {"attachments": [3]},
        {"attachments": [{"caption": 3}]},
        {"title": ["x"]},
        {"role": 1.5},
        {"addressee": {}},
        {"id": ["x"]},
        {"speaker_id": False},
    ],
)
def test_an_optional_field_of_a_wrong_type_is_left_out_and_reported_but_the_turn_is_read(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    result = read_lines(tmp_path, json_line(**changes))
    assert result.turns == 1
    (problem,) = result.problems
    assert "left out" in problem.what


def test_text_is_kept_exactly(tmp_path: Path) -> None:
    for text in (
        "  two spaces  ",
        "caf\u00e9",
        "cafe\u0301",
        "a\u2028b\x85c",
        "👩‍👩‍👧",
        "line\nline",
        "\ufeffbom",
        "x" * 10_000_000,
    ):
        (session,) = read_lines(tmp_path, json_line(text=text)).sessions
        assert session.turns[0].text == text


def test_characters_that_cannot_be_stored_become_replacement_characters_and_are_reported(tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    half = json.dumps(json_line(text="half \ud83d pair"))
    file.write_bytes((half + "\n" + json.dumps(json_line(id="2", text="x")).replace('"x"', '"nul \x00 byte"')).encode())
    result = read(file)
    assert [turn.text for turn in result.sessions[0].turns] == ["half \ufffd pair", "nul \ufffd byte"]
    assert [problem.where for problem in result.problems] == [f"{file}:1", f"{file}:2"]
    assert all("U+FFFD" in problem.what for problem in result.problems)


def test_an_image_without_words_is_a_turn(tmp_path: Path) -> None:
    (session,) = read_lines(
        tmp_path, json_line(text="", attachments=[{"kind": "image", "caption": "a red bicycle"}])
    ).sessions
    assert searchable_text(session.turns[0]) == "On 8 May 2023, Ana shared an image: a red bicycle"


def test_a_turn_is_found_by_the_speakers_own_date_name_words_and_captions(tmp_path: Path) -> None:
    line = json_line(
        said_at="2023-05-09T00:30:00+05:00", attachments=[{"kind": "image", "caption": "a cat"}, {"kind": "file"}]
    )
    (session,) = read_lines(tmp_path, line).sessions
    assert (
        searchable_text(session.turns[0]) == "On 9 May 2023, Ana said: I moved to the coast. Ana shared an image: a cat"
    )
