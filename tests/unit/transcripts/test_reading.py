"""Finding files, decoding them, picking a reader, and what a preview can show."""

from __future__ import annotations

import os
import random
from datetime import UTC, datetime
from pathlib import Path

import pytest
from transcript_builders import as_lines, json_line, json_lines, locomo, plain_text

from graphmem.errors import TranscriptError
from graphmem.transcripts import read


def test_a_path_where_nothing_is_raises(tmp_path: Path) -> None:
    with pytest.raises(TranscriptError, match="does not exist"):
        read(tmp_path / "nowhere.jsonl")


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(TranscriptError, match="neither a file nor a folder"):
        read(tmp_path / "pipe")
    result = read(tmp_path)
    assert not result.sessions
    assert "no regular file" in result.problems[0].what


def test_a_folder_is_read_in_order_of_paths_and_hidden_files_are_passed_over(tmp_path: Path) -> None:
    for place in ("b/2.jsonl", "a.txt", "b/.hidden.jsonl", ".git/x.jsonl"):
        file = tmp_path / place
        file.parent.mkdir(exist_ok=True)
        file.write_text(as_lines([json_line(session=place, conversation=place.replace("/", "_"))]))
    result = read(tmp_path)
    assert [session.source_id for session in result.sessions] == ["a.txt", "b/2.jsonl"]
    assert not result.problems


def test_files_that_are_no_transcripts_are_reported(tmp_path: Path) -> None:
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)
    (tmp_path / "notes.md").write_text("# Notes\n\nNothing: at all.\n")
    (tmp_path / "package.json").write_text('{"name": "x"}')
    (tmp_path / "empty.txt").write_text(" \n")
    (tmp_path / "talk.jsonl").write_text(as_lines([json_line()]))
    result = read(tmp_path)
    assert result.turns == 1
    assert [Path(problem.where).name for problem in result.problems] == [
        "empty.txt",
        "notes.md",
        "package.json",
        "picture.png",
    ]
    assert "empty" in result.problems[0].what
    assert all("no transcript in a known format" in problem.what for problem in result.problems[1:])


def test_an_empty_folder_is_reported(tmp_path: Path) -> None:
    assert "no files" in read(tmp_path).problems[0].what


def test_the_reader_is_picked_by_content_not_by_name(tmp_path: Path) -> None:
    import json

    samples, _ = locomo(random.Random(1), 1, 1, 2)
    lines, _ = json_lines(random.Random(1), 2)
    texts, _ = plain_text(random.Random(1), 2)
    (tmp_path / "a.jsonl").write_text(json.dumps(samples))
    (tmp_path / "b.txt").write_text(as_lines(lines))
    (tmp_path / "c.json").write_text("\n".join(texts))
    result = read(tmp_path)
    assert result.formats == {"locomo": 1, "json lines": 1, "plain text": 1}
    assert result.turns == 6


def test_json_quoted_in_a_plain_text_turn_does_not_make_it_json_lines(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text('# 2023-05-08\nAna: Look:\n{"speaker": "Bo", "text": "x"}\nBo: I see.\n')
    result = read(tmp_path / "a.txt")
    assert result.formats == {"plain text": 1}
    assert result.turns == 2


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_encodings_with_a_mark_give_the_same_turns(tmp_path: Path, encoding: str) -> None:
    lines, written = json_lines(random.Random(2), 5)
    (tmp_path / "a.jsonl").write_bytes(as_lines(lines).encode(encoding))
    result = read(tmp_path / "a.jsonl")
    assert not result.problems
    assert {turn.text for session in result.sessions for turn in session.turns} == {turn.text for turn in written}


def test_bytes_that_are_not_utf8_are_replaced_and_reported_with_the_line_of_the_first(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(as_lines([json_line(), json_line(id="2", text="caf\u00e9")]).encode("latin-1"))
    result = read(file)
    assert [turn.text for turn in result.sessions[0].turns] == ["I moved to the coast.", "caf\ufffd"]
    (problem,) = result.problems
    assert problem.where == f"{file}:2"
    assert "0xe9" in problem.what


def test_a_preview_has_counts_speakers_and_range_of_each_namespace(tmp_path: Path) -> None:
    turns = [
        json_line(conversation="b", session="2", speaker="Bo", said_at="2023-06-01T10:00Z"),
        json_line(conversation="b", session="1", speaker="Ana", said_at="2023-05-01T10:00Z"),
        json_line(conversation="b", session="1", id="2", speaker="Bo", said_at="2023-05-01T10:05Z"),
        json_line(conversation="a"),
    ]
    (tmp_path / "a.jsonl").write_text(as_lines(turns))
    first, second = read(tmp_path / "a.jsonl", "me").namespaces
    assert (first.namespace, first.sessions, first.turns, first.speakers) == ("me-b", 2, 3, ("Ana", "Bo"))
    assert (first.first, first.last) == (datetime(2023, 5, 1, 10, tzinfo=UTC), datetime(2023, 6, 1, 10, tzinfo=UTC))
    assert second.namespace == "me-a"


def test_reading_twice_gives_equal_results(tmp_path: Path) -> None:
    samples, _ = locomo(random.Random(1), 2, 3, 4)
    (tmp_path / "a.json").write_text(str(samples))
    (tmp_path / "b.txt").write_text("\n".join(plain_text(random.Random(1), 30)[0]))
    assert read(tmp_path) == read(tmp_path)
