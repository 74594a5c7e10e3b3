"""What the text of a turn says about how much it states."""

from __future__ import annotations

import pytest

from graphmem.search.statements import asking_share, names_time


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("I moved to Porto.", 0.0, 0.0),
        ("Where do you live?", 1.0, 1.0),
        ("你喜欢什么？", 1.0, 1.0),
        ("أين تسكن؟", 1.0, 1.0),
        ("I moved to Porto. And you?", 0.2, 0.5),
        ("", 0.0, 0.0),
    ],
)
def test_the_share_of_questions_in_a_text(text: str, low: float, high: float) -> None:
    assert low <= asking_share(text) <= high


@pytest.mark.parametrize(
    "text", ["I left last Friday", "two weeks ago", "in May", "on 8 June", "back in 2016", "since then", "for a month"]
)
def test_a_text_that_names_a_time(text: str) -> None:
    assert names_time(text)


@pytest.mark.parametrize("text", ["I like boats", "maybe", "You may go", "a lasting thing", ""])
def test_a_text_that_names_none(text: str) -> None:
    assert not names_time(text)
