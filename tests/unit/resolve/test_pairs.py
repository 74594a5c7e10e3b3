"""Which entities are offered as possibly one, and what follows from decisions."""

from __future__ import annotations

import pytest

from graphmem.resolve.pairs import Decided, Named, Near, between, likely, standing


def named(identifier: str, *names: str, type_: str = "Person", relation: str = "") -> Named:
    """An entity of these names."""
    return Named(identifier, (identifier,), type_, names, (), (relation,) if relation else ())


def offered(*entities: Named, near: tuple[Near, ...] = (), decided: tuple[Decided, ...] = ()) -> list[tuple[str, str]]:
    """The identifiers of the pairs."""
    return [(pair.one.id, pair.other.id) for pair in likely(entities, near, decided)]


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ana", "Ana's dog"), ("Ana's dog", "Ana's mother"), ("v2 of the plan", "v3 of the plan")],
)
def test_names_that_share_words_for_another_reason_are_not_offered(one: str, other: str) -> None:
    assert offered(named("a", one), named("b", other), near=(Near("a", "b", one, other, 0.95),)) == []


def test_a_word_that_many_bear_tells_nothing() -> None:
    assert offered(*(named(f"e{n}", f"Silva {chr(97 + n) * 4}") for n in range(6)))
    assert not offered(*(named(f"e{n}", f"Silva {chr(97 + n) * 4}") for n in range(7)))


def test_an_undecided_pair_is_offered_by_any_name_and_a_decided_one_never() -> None:
    one, other = named("a", "Lizzie", "Liz Moreno"), named("b", "Elizabeth Moreno")
    assert offered(one, other) == [("a", "b")]
    assert offered(one, other, decided=(Decided("b", "a", False, "2023"),)) == []
    assert offered(one, named("b", "Moreno Bakery", type_="Organization")) == []
    assert offered(named("a", "Sam", relation="brother of Ana"), named("b", "Sam", relation="colleague of Ana")) == []


def test_the_latest_decision_of_a_pair_stands_and_of_one_moment_that_they_are_two() -> None:
    decided = [Decided("a", "b", True, "2023"), Decided("b", "a", False, "2023"), Decided("c", "d", True, "2022")]
    assert {(each.one, each.same) for each in standing(decided)} == {("b", False), ("c", True)}


def test_two_that_are_one_through_others_are_found_by_the_shortest_way() -> None:
    decided = [Decided(*pair, True, "2023") for pair in (("a", "b"), ("b", "c"), ("c", "d"), ("b", "d"), ("a", "d"))]
    assert [(each.one, each.other) for each in between(decided, "a", "d")] == [("a", "b"), ("b", "d")]
    assert between([Decided("a", "b", True, "2023")], "a", "b") == []
