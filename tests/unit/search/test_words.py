"""Words of questions and of turns, in any script, and the full-text queries made of them."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.search.words import MAX_WORDS, any_of, content_words, count_stems, has_cjk, quoted, stem, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("When did Ana's sister move?", ["when", "did", "ana", "sister", "move"]),
        ("ANA’S SISTER", ["ana", "sister"]),
        ("C++ (v2.0.1): AND/OR?", ["c", "v2.0.1", "and", "or"]),
        ("ticket SR-2023-052", ["ticket", "sr", "2023", "052"]),
        ("don't 3.5% x~2 NOT", ["don't", "3.5", "x", "2", "not"]),
        ("小明喜欢咖啡", ["小明", "明喜", "喜欢", "欢咖", "咖啡"]),
        ("猫", ["猫"]),
        ("iPhone电池v2", ["iphone", "电池", "v2"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("أين تسكن؟", ["أين", "تسكن"]),
        ("Ωmega ﬁne ①", ["ωmega", "fine", "1"]),
        ('" * ? 🎉', []),
        ("", []),
    ],
)
def test_a_text_falls_into_words(text: str, words: list[str]) -> None:
    assert words_of(text) == words


def test_letters_with_combining_marks_are_the_same_word_as_precomposed_ones() -> None:
    assert words_of(unicodedata.normalize("NFD", "José café")) == words_of(unicodedata.normalize("NFC", "José café"))


def test_only_what_a_question_is_about_is_looked_for() -> None:
    assert content_words("What did Tom say about the boat, and who was on the boat?") == ["tom", "say", "boat"]


def test_a_question_of_function_words_alone_keeps_them() -> None:
    assert content_words("Who are you?") == ["who", "are", "you"]


def test_a_very_long_question_is_cut() -> None:
    assert len(content_words(" ".join(f"word{i}" for i in range(5000)))) == MAX_WORDS


@given(st.text(max_size=200))
def test_no_text_becomes_query_syntax(text: str) -> None:
    """Between the quotes of a clause stands no quote and no backslash; outside them only what search itself puts there."""
    clause = any_of(content_words(text))
    inside = re.findall(r'"([^"]*)"', clause)
    assert not any("\\" in word for word in inside)
    assert re.sub(r'"[^"]*"', "", clause).strip(" ") in (
        "+searchable:()",
        f"+searchable:({' ' * max(0, len(inside) - 1)})",
    )


def test_a_word_is_asked_for_in_both_forms_of_its_letters() -> None:
    assert any_of(["café", "tea"]) == '+searchable:("café" "cafe\u0301" "tea")'


def test_quotes_and_backslashes_are_escaped_within_quotes() -> None:
    assert quoted('a"b\\c') == '"a\\"b\\\\c"'


def test_stems_of_one_word_agree_and_other_scripts_stay() -> None:
    assert stem("hiking") == stem("hikes") == stem("hiked")
    assert stem("喜欢") == "喜欢"


def test_stems_are_counted_in_each_text() -> None:
    counts, lengths = count_stems(["Hiking! We hiked, she hikes.", "Nothing of it"], [stem("hike"), stem("sea")])
    assert counts == [[3, 0], [0, 0]]
    assert lengths == [5, 3]


def test_cjk_is_told_from_other_scripts() -> None:
    assert has_cjk("これ")
    assert has_cjk("한국어")
    assert not has_cjk("café Ω हिन्दी")
