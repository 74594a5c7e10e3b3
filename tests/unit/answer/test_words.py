"""Words meet across inflections, and never across meanings."""

from __future__ import annotations

import pytest

from graphmem.answer.words import alike, stem, witnesses, words_of

TOGETHER = (
    ("move", "moved", "moving", "moves"),
    ("live", "lives", "living", "lived"),
    ("buy", "bought", "buys", "buying"),
    ("study", "studied", "studies"),
    ("stop", "stopped", "stopping"),
    ("allergy", "allergies"),
    ("child", "children"),
    ("release", "released", "releases"),
)


@pytest.mark.parametrize("forms", TOGETHER, ids=[forms[0] for forms in TOGETHER])
def test_inflected_forms_share_a_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize(
    ("one", "other"), [("Leeds", "lee"), ("QM-48213", "QM-48218"), ("3.1.0", "3.1.2"), ("bed", "be"), ("ring", "r")]
)
def test_different_words_do_not(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_words_stand_where_they_say_and_lose_their_possessive() -> None:
    text = "Noor’s red-haired friend, at 9.50 euros"
    assert [(word.text, text[word.start : word.end]) for word in words_of(text)] == [
        ("Noor", "Noor"),
        ("red-haired", "red-haired"),
        ("red", "red"),
        ("haired", "haired"),
        ("friend", "friend"),
        ("at", "at"),
        ("9.50", "9.50"),
        ("euros", "euros"),
    ]


def test_other_words_for_a_word_go_both_ways_and_signs_of_it_only_one() -> None:
    assert stem("purchase") in alike(stem("buy"))
    assert stem("buy") in alike(stem("purchase"))
    assert stem("hotel") in witnesses(stem("stay"))
    assert stem("stay") not in witnesses(stem("hotel"))


def test_a_comma_parts_words_and_not_digits() -> None:
    assert [word.text for word in words_of("last week,as you said")] == ["last", "week", "as", "you", "said"]
    assert [word.text for word in words_of("1,050 euros")] == ["1,050", "euros"]
