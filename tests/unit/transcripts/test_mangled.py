"""A thousand mangled transcripts: nothing is raised, nothing well-formed is lost, nothing is given to the wrong time or conversation."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from transcript_builders import Written, json_lines, locomo, longmemeval, plain_text

from graphmem.transcripts import read

SEED = 20230508
CASES = 250
WRONG = (None, 5, -1.5, True, [], {}, ["x"], {"a": "b"}, "", "  \n", float("inf"), 10**5000)
IMPOSSIBLE = (
    "2023-02-30T10:00", "0000-01-01", "2023-05-08T25:00", "2023-13-01", "32 May 2023", "1:56 pm on 30 February, 2023",
    "2023/05/20 (Sat) 24:61", "tomorrow", "99999-01-01", "2023-05-08T10:00+99:00", "0001-01-01T00:00+14:00", "9999-12-31T23:59-14:00",
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A file to read and the turns that are still well-formed in it. ``exact``: nothing else may be read, not even a damaged turn."""

    data: bytes
    expected: frozenset[Written]
    exact: bool = False


@dataclass(frozen=True)
class Sound:
    """A transcript before it is mangled. ``pieces`` are the bytes of each turn as they stand in ``data``, in the order of ``written``."""

    data: bytes
    pieces: tuple[bytes, ...]
    written: tuple[Written, ...]

    @property
    def is_json(self) -> bool:
        return self.pieces[0].startswith(b"{")

    @property
    def has_lines(self) -> bool:
        return self.data.count(b"\n") > 1


def sound_json_lines(chance: random.Random) -> Sound:
    lines, written = json_lines(chance, 14)
    pieces = tuple(json.dumps(line, ensure_ascii=False).encode() for line in lines)
    return Sound(b"\n".join(pieces) + b"\n", pieces, tuple(written))


def sound_plain_text(chance: random.Random) -> Sound:
    lines, written = plain_text(chance, 14)
    pieces = tuple(f"{turn.speaker}: {turn.text}".encode() for turn in written)
    return Sound("\n".join(lines).encode() + b"\n", pieces, tuple(written))


def sound_locomo(chance: random.Random) -> Sound:
    samples, written = locomo(chance, 2, 2, 5)
    turns = [turn for sample in samples for session in (1, 2) for turn in sample["conversation"][f"session_{session}"]]
    return sound_document(samples, turns, written)


def sound_longmemeval(chance: random.Random) -> Sound:
    questions, written = longmemeval(chance, 2, 2, 5)
    turns = [turn for question in questions for session in question["haystack_sessions"] for turn in session]
    return sound_document(questions, turns, written)


def sound_document(document: list[Any], turns: list[Any], written: list[Written]) -> Sound:
    pieces = tuple(json.dumps(turn, ensure_ascii=False).encode() for turn in turns)
    return Sound(json.dumps(document, ensure_ascii=False).encode(), pieces, tuple(written))


def truncated(chance: random.Random, sound: Sound) -> Case:
    cut = chance.randrange(1, len(sound.data))
    ends = [sound.data.index(piece) + len(piece) for piece in sound.pieces]
    if not sound.is_json and cut not in ends:
        # In plain text, what is left of the turn that was cut may read as more of the one before it.
        ends[sum(end <= cut for end in ends) - 1] = cut + 1
    kept = {turn for end, turn in zip(ends, sound.written, strict=True) if end <= cut}
    return Case(sound.data[:cut], frozenset(kept))


def suffering(sound: Sound, number: int) -> set[Written]:
    """The turns that suffer when this one is damaged: a line of plain text without its name may read as more of the turn before it."""
    return set(sound.written[max(0, number - (not sound.is_json)) : number + 1])


def with_null_bytes(chance: random.Random, sound: Sound) -> Case:
    """NULs within turns damage those turns only; between turns they damage nothing."""
    data, hit = sound.data, set()
    for _ in range(chance.randint(1, 4)):
        number = chance.randrange(len(sound.pieces))
        start = data.find(sound.pieces[number])
        if start >= 0:
            hit.update(suffering(sound, number))
            at = start + chance.randrange(1, len(sound.pieces[number]))
            data = data[:at] + b"\x00" * chance.randint(1, 3) + data[at:]
    return Case(data, frozenset(sound.written) - hit)


def with_wrong_bytes(chance: random.Random, sound: Sound) -> Case:
    """Bytes that no UTF-8 has, written over the first character of some turns' texts."""
    data, hit = sound.data, set()
    for number in chance.sample(range(len(sound.pieces)), 3):
        piece = sound.pieces[number]
        first_word = sound.written[number].text.split()[0].encode()
        at = data.index(piece) + piece.index(first_word + b" ")
        data = data[:at] + bytes([chance.choice((0xFF, 0xC0, 0xFE, 0x80))]) + data[at + 1 :]
        hit.add(sound.written[number])
    return Case(data, frozenset(sound.written) - hit)


def in_another_encoding(chance: random.Random, sound: Sound) -> Case:
    encoding = chance.choice(("utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "utf-32", "latin-1", "cp1252"))
    text = sound.data.decode()
    if encoding.startswith("utf"):
        return Case(text.encode(encoding), frozenset(sound.written), exact=True)
    plain = {turn for turn in sound.written if turn.text.isascii() and turn.speaker.isascii()}
    return Case(text.encode(encoding, "ignore"), frozenset(plain))


def with_rubbish(chance: random.Random, sound: Sound) -> Case:
    """Bytes of any kind written into a turn. In the formats that have lines, nothing else suffers."""
    number = chance.randrange(len(sound.pieces))
    piece = sound.pieces[number]
    start = chance.randrange(len(piece))
    at = sound.data.index(piece) + start
    data = (
        sound.data[:at]
        + chance.randbytes(chance.randint(1, 40))
        + sound.data[at + chance.randint(0, len(piece) - start) :]
    )
    return Case(data, frozenset(sound.written) - suffering(sound, number) if sound.has_lines else frozenset())


def with_a_huge_turn(chance: random.Random, sound: Sound) -> Case:
    number = chance.randrange(len(sound.pieces))
    turn = sound.written[number]
    huge = turn.text + " word" * chance.choice((10, 1_000, 100_000))
    text, longer = (json.dumps(value, ensure_ascii=False)[1:-1].encode() for value in (turn.text, huge))
    if text not in sound.pieces[number]:
        text, longer = turn.text.encode(), huge.encode()
    piece = sound.pieces[number].replace(text, longer)
    return Case(
        sound.data.replace(sound.pieces[number], piece),
        frozenset(sound.written) - {turn} | {replace(turn, text=huge)},
        exact=True,
    )


def with_a_huge_line_of_nothing(chance: random.Random, sound: Sound) -> Case:
    if not sound.has_lines:
        return truncated(chance, sound)
    at = sound.data.index(b"\n", chance.randrange(len(sound.data) - 1)) + 1
    rubbish = chance.choice((b"{", b"[", b'"', b"\\", b'{"a":', b"x: ", b" ,", b"# ")) * chance.choice((1_000, 100_000))
    data = sound.data[:at] + rubbish + b"\n" + sound.data[at:]
    before = max((n for n, piece in enumerate(sound.pieces) if sound.data.index(piece) < at), default=None)
    hit = set() if before is None else {sound.written[before]}
    # In plain text the line may be a continuation of the turn before it.
    return Case(data, frozenset(sound.written) - hit)


def with_wrong_types(chance: random.Random, sound: Sound) -> Case:
    return changed(chance, sound, ("speaker", "role", "text", "content", "said_at", "session"), WRONG)


def with_impossible_dates(chance: random.Random, sound: Sound) -> Case:
    if sound.data.startswith(b"[{"):
        return with_impossible_session_dates(chance, sound)
    if not sound.is_json:
        number = chance.randrange(len(sound.pieces))
        stamp = chance.choice(("[2023-02-30 10:00] ", "[25:00] ", "2023-13-01 10:00 ", "[05/08/2023, 10:00] ")).encode()
        data = sound.data.replace(b"\n" + sound.pieces[number] + b"\n", b"\n" + stamp + sound.pieces[number] + b"\n")
        return Case(data, frozenset(sound.written) - {sound.written[number]}, exact=True)
    return changed(chance, sound, ("said_at",), IMPOSSIBLE)


def with_impossible_session_dates(chance: random.Random, sound: Sound) -> Case:
    document = json.loads(sound.data)
    holder = chance.choice(document)
    talk = holder.get("conversation")
    if talk is not None:
        name = f"session_{chance.choice((1, 2))}"
        talk[f"{name}_date_time"] = chance.choice((*IMPOSSIBLE, *WRONG))
        texts = {turn["text"] for turn in talk[name]}
    else:
        place = chance.choice((0, 1))
        holder["haystack_dates"][place] = chance.choice((*IMPOSSIBLE, *WRONG))
        texts = {turn["content"] for turn in holder["haystack_sessions"][place]}
    return Case(dumped(document), frozenset(turn for turn in sound.written if turn.text not in texts), exact=True)


def changed(chance: random.Random, sound: Sound, names: tuple[str, ...], values: tuple[Any, ...]) -> Case:
    """Fields of a few turns replaced by values that they cannot have."""
    if not sound.is_json:
        return truncated(chance, sound)
    data, hit = sound.data, set()
    for number in chance.sample(range(len(sound.pieces)), 3):
        value = json.loads(sound.pieces[number])
        name = chance.choice([name for name in names if name in value])
        value[name] = chance.choice([other for other in values if not may_be(name, other, value)])
        if chance.random() < 0.2:
            del value[name]
        data = data.replace(sound.pieces[number], dumped(value))
        hit.add(sound.written[number])
    return Case(data, frozenset(sound.written) - hit, exact=True)


def may_be(name: str, other: Any, turn: dict[str, Any]) -> bool:
    """A whole number is a good enough name, and no words are enough where an image speaks."""
    if type(other) is int:
        return name in ("speaker", "role", "session")
    return isinstance(other, str) and name == "text" and "blip_caption" in turn


def dumped(value: Any) -> bytes:
    """As JSON, also numbers longer than Python turns into text by default."""
    stand_in = {"long": False}

    def prepare(item: Any) -> Any:
        if isinstance(item, dict):
            return {key: prepare(part) for key, part in item.items()}
        if isinstance(item, list):
            return [prepare(part) for part in item]
        if type(item) is int and item > 10**400:
            stand_in["long"] = True
            return "@long@"
        return item

    return json.dumps(prepare(value), ensure_ascii=False).replace('"@long@"', "1" + "0" * 5000).encode()


MANGLERS: tuple[Callable[[random.Random, Sound], Case], ...] = (
    truncated,
    with_null_bytes,
    with_wrong_bytes,
    in_another_encoding,
    with_rubbish,
    with_a_huge_turn,
    with_a_huge_line_of_nothing,
    with_wrong_types,
    with_impossible_dates,
)


@pytest.mark.parametrize("build", [sound_json_lines, sound_plain_text, sound_locomo, sound_longmemeval])
def test_mangled_transcripts_raise_nothing_and_lose_no_well_formed_turn(
    tmp_path: Path, build: Callable[[random.Random], Sound]
) -> None:
    file = tmp_path / "mangled"
    for number in range(CASES):
        chance = random.Random(f"{SEED} {build.__name__} {number}")
        sound = build(chance)
        mangle = MANGLERS[number % len(MANGLERS)]
        case = mangle(chance, sound)
        file.write_bytes(case.data)
        told = f"case {number}: {mangle.__name__}"

        result = read(file, "x")

        got = frozenset(
            Written(
                None if turn.namespace == "x" else turn.namespace.removeprefix("x-"),
                turn.speaker,
                turn.said_at,
                turn.text,
            )
            for session in result.sessions
            for turn in session.turns
        )
        assert case.expected <= got or lost_its_name(case, got), f"{told}: lost {sorted(map(str, case.expected - got))}"
        if case.exact:
            assert got == case.expected, f"{told}: made up {got - case.expected}"
        # What was cut or overwritten in plain text leaves other plain text, and a cut between lines leaves lines: nothing shows.
        visible = case.exact or (sound.is_json and not case.data.endswith((b"}", b"\n")))
        if len(got) < len(sound.written) and visible:
            assert result.problems, f"{told}: silent about a loss"
        assert all(problem.where.startswith(str(file)) and len(problem.what) < 400 for problem in result.problems), told
        moments = {turn.text: turn.said_at for turn in sound.written}
        assert {turn.said_at for turn in got} <= set(moments.values()), f"{told}: a turn at a time that nobody wrote"
        assert all(turn.said_at == moments.get(turn.text, turn.said_at) for turn in got), (
            f"{told}: a turn at another's time"
        )


def lost_its_name(case: Case, got: frozenset[Written]) -> bool:
    """A cut before a sample's name leaves its turns in a conversation with a name made up, which is reported."""
    return {(turn.speaker, turn.said_at, turn.text) for turn in case.expected} <= {
        (turn.speaker, turn.said_at, turn.text) for turn in got
    }


def test_a_line_of_ten_megabytes_is_read_and_one_of_rubbish_reported(tmp_path: Path) -> None:
    sound = sound_json_lines(random.Random(SEED))
    first = json.loads(sound.pieces[0])
    first |= {"id": "huge", "text": "x" * 10_000_000}
    file = tmp_path / "huge.jsonl"
    file.write_bytes(json.dumps(first).encode() + b"\n" + b'{"a":' * 2_000_000 + b"\n" + sound.data)
    result = read(file)
    assert result.turns == len(sound.written) + 1
    assert {problem.where for problem in result.problems} == {f"{file}:2"}
