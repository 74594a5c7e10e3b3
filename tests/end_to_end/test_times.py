"""What the times of a memory depend on beside the words: the birth date known by then, coarse endings, and the policy in force."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphmem import AsyncMemory, Settings
from graphmem.errors import ConfigurationError

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


async def test_the_policy_of_the_settings_is_stored_with_what_it_made_and_is_another_reading(
    settings: Settings, namespace: str, tmp_path: Path
) -> None:
    """05/10 is a day of May or of October, by the setting; a memory that changes its mind reads again under another version."""
    path = write(tmp_path / "talk.jsonl", [("a", "2023-12-01T10:00:00+00:00", "I moved to Porto on 05/10/2023.")])
    started = {}
    for order in ("month_first", "day_first"):
        chosen = settings.with_changes(time_policy=f"day_month_order={order}", namespace=f"{namespace}-{order}")
        async with AsyncMemory.open(settings=chosen) as memory:
            await memory.ingest(path, namespace=f"{namespace}-{order}")
            [lives] = await memory.history("Ana", "lives_in")
            found = await memory.cypher("MATCH (f:Fact {property: 'lives_in'}) RETURN f.policy")
            started[order] = lives.valid.start
            told = await memory.ask("When did Ana move to Porto?", asked_at="2023-12-02")
            assert told.time is not None
            assert told.time.start == lives.valid.start, "the question and the turns are read by the same policy"
            assert found.rows == ((f"day_month_order={order}",),)
            assert (memory.extractor.version == "5") == (order == "month_first")
    assert started == {"month_first": day("2023-05-10"), "day_first": day("2023-10-05")}


async def test_a_policy_that_there_is_not_is_refused_before_anything_is_read(settings: Settings) -> None:
    async with AsyncMemory.open(settings=settings.with_changes(time_policy="week_start=friday")) as memory:
        with pytest.raises(ConfigurationError, match="week_start is 'friday'; it must be one of monday, sunday"):
            await memory.ingest([])


async def test_a_question_is_held_to_the_time_it_names_also_by_an_event(
    settings: Settings, namespace: str, tmp_path: Path
) -> None:
    talk = [
        ("a", "2021-02-10T10:00:00+00:00", "I live in Utrecht. I adopted a parrot in January 2021."),
        ("b", "2022-03-20T10:00:00+00:00", "I adopted a cat last week."),
        ("c", "2022-06-05T10:00:00+00:00", "My wedding was yesterday!"),
        ("d", "2023-04-10T10:00:00+00:00", "I moved to Malmö last week."),
        ("e", "2023-09-10T10:00:00+00:00", "I adopted a tortoise yesterday."),
    ]
    questions = {
        "Where did Ana live before she moved to Malmö?": "Utrecht",
        "Where did Ana live at the time of the wedding?": "Utrecht",
        "What did Ana adopt between February and May 2022?": "cat",
        "Where did Ana move last spring?": "Malmö",
        "What did Ana adopt before the wedding?": "cat",
        "What did Ana adopt after she moved to Malmö?": "tortoise",
        "Where did Ana live in 2021?": "Utrecht",
    }
    async with AsyncMemory.open(settings=settings.with_changes(namespace=namespace)) as memory:
        await memory.ingest(write(tmp_path / "talk.jsonl", talk))
        for question, expected in questions.items():
            found = await memory.ask(question, asked_at="2024-01-10")
            assert expected in found.text, f"{question} {found.text}"
            assert found.citations, question
