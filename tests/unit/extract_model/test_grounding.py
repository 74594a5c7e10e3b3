"""A quotation stands in its turn, is aligned with it, or is refused; what is stored is always the turn's own words."""

from __future__ import annotations

import unicodedata

import pytest

from graphmem.extract.grounding import ground, locate
from graphmem.graph.batch import Batch
from graphmem.graph.rows_said import add_evidence
from tests.unit.extract_model.windows import turn_of


@pytest.mark.parametrize(
    ("text", "quoted", "how", "stored"),
    [
        ("Well, I moved to Porto.", "I moved to Porto", "verbatim", "I moved to Porto"),
        ("Well, I  moved\nto Porto.", "I moved to Porto", "normalised", "I  moved\nto Porto"),
        ("It’s “fine” – really", "It's \"fine\" - really", "normalised", "It’s “fine” – really"),
        ("I MOVED to Porto", "i moved to porto", "normalised", "I MOVED to Porto"),
        ("I moved\u200b to Porto", "I moved to Porto", "normalised", "I moved\u200b to Porto"),
        ("I moved, after years of wanting to, to Porto.", "I moved ... to Porto", "elided", "I moved, after years of wanting to, to Porto"),
        ("I moved over to Porto last spring", "I moved to Porto last spring", "fuzzy", "I moved over to Porto last spring"),
        ("Ja, ich wohne jetzt in Köln", unicodedata.normalize("NFD", "in Köln"), "normalised", "in Köln"),
        (unicodedata.normalize("NFD", "wohne in Köln, ja"), "in Köln", "normalised", unicodedata.normalize("NFD", "in Köln")),
        ("🎉🎉 我去年搬到了上海。", "我去年搬到了上海", "verbatim", "我去年搬到了上海"),
        ("أعيش في القاهرة الآن", "أعيش في القاهرة", "verbatim", "أعيش في القاهرة"),
    ],
)  # fmt: skip
def test_a_quotation_is_found(text: str, quoted: str, how: str, stored: str) -> None:
    found = ground(quoted, turn_of(text))
    assert found is not None
    assert (found.how, found.quote.text) == (how, stored)
    assert text[found.quote.start : found.quote.end] == stored
    assert found.aligned == (how != "verbatim")


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("I moved to Porto.", "I live in Lisbon now"),
        ("The meeting is on 5 May at noon.", "The meeting is on 6 May at noon."),
        ("I do not like the new flat at all", "I do like the new flat at all"),
        ("I have moved to Porto.", "Portugal"),
        ("I moved to Porto ... or did I", "to Porto ... I moved"),
        ("", "anything at all"),
        ("I moved.", ""),
        ("I moved.", "…"),
        ("I moved.", "?!"),
    ],
    ids=["unlike", "digits", "negation", "too short", "parts out of order", "empty turn", "empty", "ellipsis", "marks"],
)
def test_what_is_not_there_is_refused(text: str, quoted: str) -> None:
    assert ground(quoted, turn_of(text)) is None


def test_offsets_count_code_points() -> None:
    found = ground("in Köln", turn_of("👩‍👩‍👧 in Ko\u0308ln"))
    assert found is not None
    assert (found.quote.start, found.quote.end) == (6, 14)


def test_a_name_is_located_as_a_word_of_its_own() -> None:
    assert locate("Al", "Also, al came") == (6, 8)
    assert locate("Al", "Also") is None
    assert locate("上海", "我搬到了上海。") == (4, 6)


def test_a_quotation_that_was_aligned_is_stored_with_how_and_one_letter_by_letter_without() -> None:
    turn = turn_of("I live in “Porto”.")
    stored = []
    for quoted in ('I live in "Porto"', "I live in"):
        batch, found = Batch("n"), ground(quoted, turn)
        assert found is not None
        identifier = add_evidence(batch, found.quote)
        stored.append(batch.nodes["Evidence"][identifier].get("how"))
    assert stored == ["normalised", None]
