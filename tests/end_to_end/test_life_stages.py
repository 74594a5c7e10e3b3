"""Ages and stages of life get their dates when somebody reads, from the birth date that the memory knows by then."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphmem import AsyncMemory, Settings

TALK = [
    ("a", "2023-05-25T13:14:00+00:00", "When I was 18 I moved to Lisbon. I've been vegetarian since I was 15."),
    ("b", "2023-06-01T13:14:00+00:00", "As a child I had a dog called Rex. I stopped smoking when I was 30."),
]
BIRTH = ("c", "2023-07-01T10:00:00+00:00", "By the way, I was born on 3 March 1990.")


def write(path: Path, talk: list[tuple[str, str, str]]) -> Path:
    """One session for each turn."""
    lines = [{"session": name, "speaker": "Ana", "said_at": said, "text": text} for name, said, text in talk]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


def day(text: str) -> datetime:
    """Its first moment, UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.fixture
async def memory(settings: Settings, namespace: str, tmp_path: Path) -> AsyncMemory:
    """What was said of ages, before anybody said when Ana was born."""
    memory = await AsyncMemory.open(settings=settings, namespace=namespace)
    await memory.ingest(write(tmp_path / "talk.jsonl", TALK))
    return memory


async def test_a_birth_date_that_is_learned_later_dates_what_was_said_before(
    memory: AsyncMemory, tmp_path: Path
) -> None:
    async with memory:
        assert (await memory.facts("Ana", "lives_in", as_of="2010-01-01")).facts == ()
        [moved] = await memory.events("Ana", verbs=["move"])
        assert (moved.starts_at, moved.time_expression) == (None, "When I was 18")
        before = datetime.now(UTC)
        await memory.ingest(write(tmp_path / "birth.jsonl", [BIRTH]))

        [lives] = (await memory.facts("Ana", "lives_in", as_of="2010-01-01")).facts
        assert (lives.value, lives.valid.start, lives.valid.start_stated) == ("Lisbon", day("2008-03-03"), True)
        assert (lives.valid.granularity, lives.possibly) == ("year", False)
        [within] = (await memory.facts("Ana", "lives_in", as_of="2008-10-01")).facts
        assert within.possibly, "she may have moved later in the year that she was 18"
        [diet] = await memory.history("Ana", "diet")
        assert diet.valid.start == day("2005-03-03")
        [pet] = await memory.history("Ana", "has_pet")
        assert (pet.valid.start, pet.valid.end, pet.polarity) == (day("1993-03-03"), day("2003-03-03"), "holds")
        [moved] = await memory.events("Ana", verbs=["move"], since="2008-01-01", until="2010-01-01")
        assert (moved.starts_at, moved.ends_at) == (day("2008-03-03"), day("2009-03-03"))

        assert (await memory.facts("Ana", "lives_in", as_of="2010-01-01", known_at=before)).facts == ()


async def test_a_corrected_birth_date_moves_all_that_it_dates(memory: AsyncMemory, tmp_path: Path) -> None:
    async with memory:
        await memory.ingest(write(tmp_path / "birth.jsonl", [BIRTH]))
        [born] = (await memory.facts("Ana", "born_on")).facts
        await memory.correct(born.id, "1991", says="No, I was born in 1991.", by="Ana")
        [lives] = (await memory.facts("Ana", "lives_in", as_of="2011-01-01")).facts
        assert lives.valid.start == day("2009-01-01")
        [moved] = await memory.events("Ana", verbs=["move"])
        assert (moved.starts_at, moved.ends_at) == (day("2009-01-01"), day("2010-12-31")), "born on any day of 1991"


async def test_what_ended_at_some_moment_of_a_year_possibly_held_all_that_year(
    settings: Settings, namespace: str, tmp_path: Path
) -> None:
    talk = [
        ("a", "2009-05-01T10:00:00+00:00", "I work at Siemens."),
        ("b", "2023-05-01T10:00:00+00:00", "I left Siemens in 2010."),
    ]
    async with await AsyncMemory.open(settings=settings, namespace=namespace) as memory:
        await memory.ingest(write(tmp_path / "talk.jsonl", talk))
        held = {}
        for moment in ("2009-12-01", "2010-06-01", "2011-06-01"):
            found = (await memory.facts("Ana", "works_at", as_of=moment)).facts
            held[moment] = [(fact.value, fact.possibly) for fact in found]
        assert held == {"2009-12-01": [("Siemens", False)], "2010-06-01": [("Siemens", True)], "2011-06-01": []}
