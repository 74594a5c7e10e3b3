"""LoCoMo- and LongMemEval-shaped files, with invented words."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from transcript_builders import locomo, longmemeval

from graphmem.ids import digest
from graphmem.records import Attachment
from graphmem.transcripts import ReadResult, read


def read_json(folder: Path, value: Any, namespace: str = "x") -> ReadResult:
    file = folder / "data.json"
    file.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return read(file, namespace)


def test_locomo_gives_each_sample_a_namespace_and_each_turn_its_dia_id(tmp_path: Path) -> None:
    samples, written = locomo(random.Random(1), 2, 11, 6)
    result = read_json(tmp_path, samples, "locomo")
    assert not result.problems
    assert result.formats == {"locomo": 1}
    assert (len(result.sessions), result.turns) == (22, 132)
    assert [space.namespace for space in result.namespaces] == ["locomo-conv-1", "locomo-conv-2"]
    first = result.sessions[0]
    assert (first.source_id, first.started_at) == ("session_1", datetime(2023, 5, 17, 13, 56, tzinfo=UTC))
    assert [turn.source_id for turn in first.turns] == [f"D1:{n}" for n in range(1, 7)]
    assert {turn.said_at for turn in first.turns} == {first.started_at}
    assert first.turns[0].id == digest("turn", "locomo-conv-1", first.id, "D1:1")
    assert first.turns[4].attachments == (Attachment("image", "a photo of a cat", "https://images.example/1.jpg"),)
    assert [session.source_id for session in result.sessions[:11]] == [f"session_{n}" for n in range(1, 12)]
    assert [turn.text for session in result.sessions for turn in session.turns] == [turn.text for turn in written]


def test_a_caption_without_an_address_and_an_address_without_a_caption_are_attachments(tmp_path: Path) -> None:
    samples, _ = locomo(random.Random(1), 1, 1, 2)
    first, second = samples[0]["conversation"]["session_1"]
    first["blip_caption"] = "a boat"
    second["img_url"] = ["a/1.jpg", "a/2.jpg"]
    turns = read_json(tmp_path, samples).sessions[0].turns
    assert turns[0].attachments == (Attachment("image", "a boat", ""),)
    assert turns[1].attachments == (Attachment("image", "", "a/1.jpg"), Attachment("image", "", "a/2.jpg"))


def test_a_single_sample_and_samples_on_lines_of_their_own_are_read(tmp_path: Path) -> None:
    samples, _ = locomo(random.Random(1), 2, 2, 3)
    expected = read_json(tmp_path, samples).sessions
    assert read_json(tmp_path, "\n".join(map(json.dumps, samples))).sessions == expected
    assert read_json(tmp_path, samples[0]).sessions == expected[:2]


def test_longmemeval_names_turns_by_session_and_place_and_takes_roles_as_speakers(tmp_path: Path) -> None:
    questions, _ = longmemeval(random.Random(2), 2, 3, 4)
    result = read_json(tmp_path, questions, "lme")
    assert not result.problems
    assert result.formats == {"longmemeval": 1}
    assert (len(result.sessions), result.turns) == (6, 24)
    session = result.sessions[0]
    assert (session.namespace, session.source_id) == ("lme-q1", "answer_0_0")
    assert session.started_at == datetime(2023, 5, 20, 2, 21, tzinfo=UTC)
    assert [(turn.source_id, turn.speaker, turn.role) for turn in session.turns[:2]] == [
        ("answer_0_0:1", "user", "user"),
        ("answer_0_0:2", "assistant", "assistant"),
    ]


def test_a_turn_left_out_does_not_shift_the_ids_of_those_after_it(tmp_path: Path) -> None:
    questions, _ = longmemeval(random.Random(2), 1, 1, 4)
    questions[0]["haystack_sessions"][0][1] = {"role": "assistant", "content": ""}
    result = read_json(tmp_path, questions)
    assert [turn.source_id for turn in result.sessions[0].turns] == ["answer_0_0:1", "answer_0_0:3", "answer_0_0:4"]
    (problem,) = result.problems
    assert problem.where.endswith("q1, session 1, turn 2")


@pytest.mark.parametrize(
    ("path", "value", "lost", "said"),
    [
        (("conversation", "session_1_date_time"), "1:56 pm on 30 February, 2023", 3, "impossible date"),
        (("conversation", "session_1_date_time"), None, 3, "must be text"),
        (("conversation", "session_1"), "hello", 3, "must be a list"),
        (("conversation", "session_1", 0), 5, 1, "must be an object"),
        (("conversation", "session_1", 0, "text"), "", 1, "text is empty"),
        (("conversation", "session_1", 0, "speaker"), None, 1, "speaker must be text"),
        (("conversation", "session_1", 0, "dia_id"), ["x"], 0, "dia_id must be text"),
        (("conversation", "session_1", 0, "img_url"), {"a": 1}, 0, "img_url must be a list"),
        (("conversation",), [], 9, "conversation must be an object"),
        (("sample_id",), None, 0, "no sample_id"),
    ],
)
def test_what_is_wrong_in_a_locomo_sample_is_reported_and_the_rest_is_read(
    tmp_path: Path, path: tuple[str | int, ...], value: Any, lost: int, said: str
) -> None:
    samples, written = locomo(random.Random(3), 2, 3, 3)
    place: Any = samples[0]
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    result = read_json(tmp_path, samples)
    assert result.turns == len(written) - lost
    (problem,) = result.problems
    assert said in problem.what
    assert "sample 1" in problem.where or "conv-1" in problem.where


@pytest.mark.parametrize(
    ("name", "value", "lost"),
    [
        ("haystack_dates", ["2023/05/20 (Sat) 02:21"], 3),
        ("haystack_dates", None, 6),
        ("haystack_sessions", None, 6),
        ("question_id", None, 0),
    ],
)
def test_what_is_wrong_in_a_longmemeval_question_is_reported(tmp_path: Path, name: str, value: Any, lost: int) -> None:
    questions, written = longmemeval(random.Random(3), 2, 2, 3)
    questions[1][name] = value
    result = read_json(tmp_path, questions)
    assert result.turns == len(written) - lost
    assert result.problems


def test_sessions_without_ids_are_named_by_their_start_and_first_turn(tmp_path: Path) -> None:
    questions, written = longmemeval(random.Random(3), 1, 2, 3)
    del questions[0]["haystack_session_ids"]
    result = read_json(tmp_path, questions)
    assert result.turns == len(written)
    assert all(session.source_id.startswith("s-") for session in result.sessions)
    questions[0]["haystack_sessions"][0].append({"role": "assistant", "content": "One more."})
    assert [session.id for session in read_json(tmp_path, questions).sessions] == [
        session.id for session in result.sessions
    ]


def test_a_file_cut_off_anywhere_gives_every_turn_before_the_cut(tmp_path: Path) -> None:
    samples, _ = locomo(random.Random(4), 2, 2, 3)
    text = json.dumps(samples, indent=1)
    seen = set()
    for cut in range(1, len(text), 7):
        whole = text[:cut].count('"text": ') if text[:cut].rstrip().endswith("}") else None
        result = read_json(tmp_path, text[:cut])
        seen.add(result.turns)
        assert result.problems
        if whole is not None:
            assert result.turns == whole
    assert seen == set(range(13))


def test_objects_after_a_broken_one_are_read(tmp_path: Path) -> None:
    samples, written = locomo(random.Random(5), 3, 2, 4)
    text = json.dumps(samples)
    at = text.index('"D2:3"')
    result = read_json(tmp_path, text[:at] + "###" + text[at:])
    assert result.turns == len(written) - 1
    assert [space.namespace for space in result.namespaces] == ["x-conv-1", "x-conv-2", "x-conv-3"]
    assert any("cut off or broken" in problem.what for problem in result.problems)


def test_turns_behind_a_lost_end_of_session_are_not_given_to_the_session_before(tmp_path: Path) -> None:
    questions, _ = longmemeval(random.Random(6), 2, 3, 3)
    text = json.dumps(questions)
    end = text.index("}], [")
    for damaged in (text[:end] + "#" + text[end + 1 :], text[: end - 3] + "# " + text[end + 5 :]):
        result = read_json(tmp_path, damaged)
        assert [len(session.turns) for session in result.sessions if session.namespace == "x-q1"] == [2]
        assert [len(session.turns) for session in result.sessions if session.namespace == "x-q2"] == [3, 3, 3]
        assert result.problems


def test_a_break_in_a_list_of_addresses_costs_that_turn_only(tmp_path: Path) -> None:
    samples, written = locomo(random.Random(7), 1, 2, 6)
    broken = json.dumps(samples).replace('["https://images.example/1.jpg"]', '["https://images.example/1.jpg]', 1)
    result = read_json(tmp_path, broken)
    assert result.turns == len(written) - 1
    assert {turn.source_id for turn in result.sessions[0].turns} == {"D1:1", "D1:2", "D1:3", "D1:4", "D1:6"}


def test_a_turn_that_is_cut_off_after_its_words_is_left_out_until_it_is_whole(tmp_path: Path) -> None:
    """What follows the words may be an image; read now and read whole later, the same turn would be two different ones."""
    samples, _ = locomo(random.Random(8), 1, 1, 2)
    samples[0]["conversation"]["session_1"][1]["blip_caption"] = "a boat"
    text = json.dumps(samples)
    assert read_json(tmp_path, text[: text.index('"a boat"')]).turns == 1
    questions, _ = longmemeval(random.Random(8), 1, 1, 2)
    text = json.dumps(questions)
    assert read_json(tmp_path, text[: text.rindex('"has_answer"')]).turns == 1
