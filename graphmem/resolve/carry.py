"""What a person has decided about statements, carried over to another reading of the same turns. Pure.

A statement that was corrected, retracted or moved to its right owner stays so when another extractor states it again. It is the same
statement when it says the same of the same: owner, property (of an event: its kind) and value. Where the new reading words it otherwise,
it is the one that rests on the same words and speaks of the same property, of several the ones whose values share a word with its own;
unless it says just what the correction says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Undoing:
    """What undoes a statement: by its identifier, how (CORRECTS, RETRACTS or REPLACES), and the value that it states instead."""

    id: str
    kind: str
    values: frozenset[str]


@dataclass(frozen=True, slots=True)
class Statement:
    """A fact or an event as two readings of the same words are compared.

    ``owner`` is the entity it is about, the same for all that were decided to be one; ``values`` are the forms by which its value may be
    recognised. ``start`` and ``end`` are the code points of its turn that it quotes.
    """

    label: str
    id: str
    owner: str
    property: str
    values: frozenset[str]
    polarity: str
    turn: str
    start: int
    end: int
    undone_by: tuple[Undoing, ...] = ()


def carried(earlier: Sequence[Statement], again: Sequence[Statement]) -> list[tuple[Undoing, Statement]]:
    """Which of the statements of the new reading are undone, and by what. ``earlier`` are those of all readings before it."""
    found = []
    for statement in again:
        same = [other for other in earlier if _says_the_same(other, statement)]
        here = [other for other in same if _same_words(other, statement)]
        if not same:
            same = [
                other
                for other in earlier
                if _same_words(other, statement)
                and (other.label, other.property) == (statement.label, statement.property)
                and not any(each.kind == "CORRECTS" and each.values & statement.values for each in other.undone_by)
            ]
            here = [other for other in same if _words(other) & _words(statement)]
        undoings = {undoing.id: undoing for other in here or same for undoing in other.undone_by}
        found += [(undoing, statement) for undoing in undoings.values()]
    return found


def _says_the_same(one: Statement, other: Statement) -> bool:
    return (
        (one.label, one.owner, one.property, one.polarity) == (other.label, other.owner, other.property, other.polarity)
    ) and bool(one.values & other.values)


def _same_words(one: Statement, other: Statement) -> bool:
    return one.turn == other.turn and one.start < other.end and other.start < one.end


def _words(statement: Statement) -> set[str]:
    return {word for value in statement.values for word in value.split()}
