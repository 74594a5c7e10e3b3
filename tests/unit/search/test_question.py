"""What search reads in a question besides its words."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graphmem.search.question import could_be_people, in_first_person, possible_names, read, time_asked_about


@pytest.mark.parametrize(
    ("question", "names", "told"),
    [
        ("When did Ana move?", ["ana"], "When did I move?"),
        ("What is Ana's dog called?", ["ana"], "What is my dog called?"),
        ("What is Ana’s dog called?", ["ana"], "What is my dog called?"),
        ("where does ANA live", ["ana"], "where does I live"),
        ("Did Ana Sousa tell Tom?", ["ana sousa"], "Did I tell Tom?"),
        ("Did Ana Sousa tell Tom?", ["ana", "tom"], "Did I Sousa tell I?"),
        ("Is banana bread good?", ["ana"], "Is banana bread good?"),
        ("James' boat", ["james"], "my boat"),
        ("Which art does Art like?", ["art"], "Which art does I like?"),
        ("which art does ana like?", ["ana"], "which art does I like?"),
        ("小明喜欢什么 小明 ?", ["小明"], "小明喜欢什么 I ?"),
        ("", ["ana"], ""),
    ],
)
def test_a_speaker_is_asked_about_as_the_speaker_would_ask(question: str, names: list[str], told: str) -> None:
    assert in_first_person(question, names) == told


def test_names_of_up_to_three_words_are_looked_up_and_function_words_are_not() -> None:
    names = possible_names("When did Ana Sousa Lima arrive?")
    assert {"ana", "ana sousa", "ana sousa lima", "sousa lima arrive"} <= set(names)
    assert not any(name in ("when", "did") or name.startswith("did ") for name in names)


def test_a_word_written_small_is_nobodys_name_where_capitals_are_used() -> None:
    assert "grace" not in could_be_people("What grace did Ana show?")
    assert "grace" in could_be_people("what grace did ana show?")
    assert "小明" in could_be_people("Where does 小明 live?")


def test_a_question_that_names_a_speaker_keeps_its_words_and_changes_its_meaning_only() -> None:
    reading = read("When did Ana move to Porto?", {"ana": ("Ana",)})
    assert reading.words == ("ana", "move", "porto")
    assert reading.meaning == "When did I move to Porto?"
    assert reading.speakers == (("Ana",),)


def test_the_change_of_person_can_be_turned_off() -> None:
    assert read("When did Ana move?", {"ana": ("Ana",)}, first_person=False).meaning == "When did Ana move?"


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("When did she leave?", True),
        ("What day is the wedding?", True),
        ("In which year was it?", True),
        ("Since when does it hold?", True),
        ("What does she like?", False),
        ("Whenever", False),
        ("How many days?", False),
    ],
)
def test_questions_for_a_time_are_told_from_others(question: str, asks: bool) -> None:
    assert read(question, {}).asks_when is asks


def test_me_and_you_are_noticed() -> None:
    assert read("What did I tell my boss?", {}).speaks_of_me
    assert read("What did you recommend?", {}).speaks_of_you
    assert not read("What did Ana say?", {}).speaks_of_me


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("What did Ana do in May 2023?", datetime(2023, 5, 1, tzinfo=UTC), datetime(2023, 6, 1, tzinfo=UTC)),
        (
            "What did Ana buy on 8 June 2022, and why?",
            datetime(2022, 6, 8, tzinfo=UTC),
            datetime(2022, 6, 9, tzinfo=UTC),
        ),
    ],
)
def test_a_date_in_a_question_is_the_time_that_it_asks_about(question: str, first: datetime, last: datetime) -> None:
    assert time_asked_about(question, None) == (first, last)


@pytest.mark.parametrize("question", ["What did Ana do last month?", "What did she do?", "When did she move?", ""])
def test_what_depends_on_when_it_is_asked_is_no_time_unless_that_is_given(question: str) -> None:
    assert time_asked_about(question, None) is None


def test_relative_words_are_read_from_the_moment_of_asking() -> None:
    asked_at = datetime(2023, 6, 10, tzinfo=UTC)
    found = time_asked_about("What did Ana do last month?", asked_at)
    assert found == (datetime(2023, 5, 1, tzinfo=UTC), datetime(2023, 6, 1, tzinfo=UTC))
