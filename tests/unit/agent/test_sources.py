"""Handles name what was returned, and nothing else can be cited."""

from __future__ import annotations

import re

import pytest

from graphmem.answer.agent.lines import fact_row, turn_row
from graphmem.answer.agent.observing import Found, observe
from graphmem.answer.agent.sources import Sources
from tests.unit.agent.builders import a_fact, a_quotation, a_turn


def test_the_same_thing_has_one_handle_and_kinds_are_counted_apart() -> None:
    sources = Sources()
    assert sources.turn(a_turn("one", 1)) == "t1"
    assert sources.turn(a_turn("two", 2)) == "t2"
    assert sources.turn(a_turn("one", 1)) == "t1"
    assert sources.quotation(a_quotation("one")) == "q1"
    assert sources.entity("f" * 32) == "n1"


def test_a_source_is_found_by_handle_identifier_or_its_own_name_if_only_one_bears_it() -> None:
    sources = Sources()
    turn = a_turn("one", 1)
    sources.turn(turn)
    assert sources.find(" [T1] ") is sources.find(turn.id) is sources.find("s1:1")
    assert sources.find("t2") is None
    assert sources.find("") is None
    twin = a_turn("another", 1)
    sources.turn(type(twin)("e" * 32, twin.turn_id, "s2", twin.speaker, twin.said_at, twin.text, 1.0))
    assert sources.find("s1:1") is None


def test_rows_that_do_not_fit_are_counted_and_cannot_be_cited() -> None:
    sources = Sources()
    rows = tuple(turn_row(a_turn(f"turn number {number} " + "word " * 30, number), 500) for number in range(1, 11))
    shown = observe(Found("10 turns", rows), sources, 200)
    assert shown.rows == sources.size < 10
    assert f"{10 - shown.rows} more did not fit" in shown.text
    assert sources.find(f"t{shown.rows + 1}") is None
    assert shown.tokens <= 230


def test_the_first_row_may_be_twice_the_budget_as_a_turn_that_is_read_in_full() -> None:
    sources = Sources()
    shown = observe(Found("1 turn", (turn_row(a_turn("word " * 400), 4000),)), sources, 300)
    assert shown.rows == 1
    assert "(cut" not in shown.text


@pytest.mark.parametrize("word", ["word", "слово"])
def test_what_is_cut_off_a_first_row_beyond_that_cannot_be_cited(word: str) -> None:
    sources = Sources()
    turns = [a_turn(f"{word} {number}", number) for number in range(1, 400)]

    def all_in_one(own: Sources) -> str:
        return ", ".join(f"{own.turn(turn)} {word}" for turn in turns)

    shown = observe(Found("1 row", (all_in_one,)), sources, 300)
    assert shown.tokens <= 660
    assert len(re.findall(r"\bt\d+", shown.text)) == sources.size < 399
    assert sources.find(f"t{sources.size}") is not None
    assert "(cut; return less at once)" in shown.text
    assert sources.turn(a_turn("another", 500)) == f"t{sources.size}"


def test_words_that_stand_above_are_not_sent_again() -> None:
    sources = Sources()
    fact = a_fact("Oslo", a_quotation("I moved to Oslo"))
    first = observe(Found("1 fact", (fact_row(fact, 100),)), sources, 500).text
    second = observe(Found("1 fact", (fact_row(fact, 100),)), sources, 500).text
    assert "I moved to Oslo" in first
    assert "I moved to Oslo" not in second
    assert "| q1" in second


def test_a_query_gets_the_identifiers_of_the_handles_it_names_and_of_no_others() -> None:
    sources = Sources()
    sources.entity("a" * 32)
    sources.turn(a_turn("one"))
    assert sources.parameters("MATCH (e:Entity {id: $n1}) WHERE $n2 = $limit RETURN e") == {"n1": "a" * 32}
