"""What grep looks for: literals, expressions, and what an index is asked for beforehand."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import QuestionError
from graphmem.search.pattern import expression, literal


def test_a_literal_is_found_as_it_is_and_syntax_means_nothing() -> None:
    assert literal("a.b (c)*").spans("x a.b (c)* a.b (c)*") == ((2, 10), (11, 19))
    assert literal("a.b").spans("acb") == ()


def test_case_matters_only_when_asked() -> None:
    assert literal("porto").spans("In PORTO") == ((3, 8),)
    assert literal("porto", case=True).spans("In PORTO") == ()


def test_white_space_stands_for_any_white_space() -> None:
    assert literal("two  words").spans("two\n words") == ((0, 10),)


def test_offsets_count_code_points() -> None:
    assert literal("c").spans("🎉🎉c") == ((2, 3),)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_composed_and_decomposed_letters_are_found_alike(form: str) -> None:
    text = unicodedata.normalize(form, "no café here")
    [(start, end)] = literal(unicodedata.normalize("NFC", "café")).spans(text)
    assert unicodedata.normalize("NFC", text[start:end]) == "café"


def test_an_expression_is_one() -> None:
    assert expression(r"sail(ing|ed)\b").spans("sailing, sailed, sails") == ((0, 7), (9, 15))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (r"(a+)+$", "within a repetition"),
        (r"(a*)*", "within a repetition"),
        (r"(\w+\s?)*x", "within a repetition"),
        (r"((ab)*c)*d", "within a repetition"),
        (r"(?:a{1,50}){30}", "within a repetition"),
        (r"(a|a)*b", "begin alike"),
        (r"(a|ab)+c", "begin alike"),
        (r"(\w|xy)*z", "begin alike"),
        (r"(x+)\1", "refers back"),
    ],
)
def test_an_expression_that_could_explode_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(QuestionError, match=reason):
        expression(text)


@pytest.mark.parametrize(
    "text", [r"\bfoo\b.*bar", r"(foo|bar)+", r"\d{4}-\d\d", r"(?:ab)?c", r"[a-z]+@[a-z.]+", r"(?i)x", r"a(?=b+)"]
)
def test_an_expression_that_cannot_explode_is_let_through(text: str) -> None:
    expression(text)


@pytest.mark.parametrize("text", ["[", "(", "*a", "(?P<x>", "\\", "a**"])
def test_what_is_no_expression_is_refused(text: str) -> None:
    with pytest.raises(QuestionError, match="is no regular expression"):
        expression(text)


@pytest.mark.parametrize("text", ["", "  ", "a" * 2000])
def test_nothing_and_too_much_are_refused(text: str) -> None:
    with pytest.raises(QuestionError, match="the text to look for"):
        literal(text)


def test_a_text_on_which_an_expression_takes_too_long_is_an_error() -> None:
    with pytest.raises(QuestionError, match="make it simpler"):
        expression("a.*b.*c.*d.*e.*f").spans("abcde" * 4000)


@pytest.mark.parametrize(
    ("pattern", "fragments"),
    [
        (literal("the sailing boats"), ("sailing", "boats")),
        (literal("SR-2023-052"), ("2023", "052")),
        (literal("喜欢吃"), ("喜欢", "欢吃")),
        (literal("猫"), ("猫",)),
        (literal("café"), ("caf",)),
        (literal("cafe\u0301"), ("caf",)),
        (literal("?! 🎉"), ()),
        (expression(r"sail(ing|ed) in \d+ (boats)+ x?y"), ("sail", "boats")),
        (expression("foo|bar"), ()),
        (expression("(foo)?bar"), ("bar",)),
        (expression("foo*bar"), ("bar",)),
        (expression("[fg]oo.bar"), ("bar",)),
    ],
)
def test_fragments_are_what_every_match_holds(pattern: object, fragments: tuple[str, ...]) -> None:
    assert pattern.fragments == fragments  # type: ignore[attr-defined]


@given(st.text(min_size=1, max_size=30), st.text(max_size=20), st.text(max_size=20))
def test_a_literal_is_found_in_every_text_that_holds_it(text: str, before: str, after: str) -> None:
    if text.strip():
        assert literal(text, case=True).spans(before + text + after)
