"""Which statements of a new reading a person's decisions on the old one apply to."""

from __future__ import annotations

from graphmem.resolve.carry import Statement, Undoing, carried


def fact(
    identifier: str, value: str, start: int = 0, end: int = 10, *undone_by: Undoing, owner: str = "ana"
) -> Statement:
    """That somebody likes something, as quoted from a turn."""
    return Statement("Fact", identifier, owner, "likes", frozenset({value}), "holds", "t1", start, end, undone_by)


def undoing(kind: str, value: str) -> Undoing:
    """A person's decision."""
    return Undoing("decision", kind, frozenset({value}))


def reached(earlier: list[Statement], *again: Statement) -> set[str]:
    """The statements of the new reading that are undone."""
    return {statement.id for _, statement in carried(earlier, again)}


RETRACTED = fact("old", "tea", 0, 10, undoing("RETRACTS", "tea"))


def test_the_same_statement_is_undone_wherever_in_the_window_it_is_quoted_from() -> None:
    assert reached([RETRACTED], fact("new", "tea", 40, 50)) == {"new"}
    assert reached([RETRACTED], fact("new", "tea", 40, 50, owner="tom")) == set()


def test_other_wording_of_the_same_words_is_undone_and_its_neighbour_that_was_kept_is_not() -> None:
    earlier = [RETRACTED, fact("kept", "figs")]
    again = fact("green", "green tea", 5, 9), fact("figs", "figs"), fact("both", "ripe figs")
    assert reached(earlier, *again) == {"green"}


def test_a_statement_of_just_what_the_correction_says_stands() -> None:
    corrected = fact("old", "tea", 0, 10, undoing("CORRECTS", "coffee"))
    assert reached([corrected], fact("new", "coffee")) == set()
    assert reached([corrected], fact("new", "cocoa")) == {"new"}


def test_where_it_was_said_twice_and_undone_once_the_same_words_decide() -> None:
    earlier = [RETRACTED, fact("later", "tea", 40, 50)]
    assert reached(earlier, fact("first", "tea", 2, 8), fact("second", "tea", 42, 48)) == {"first"}
