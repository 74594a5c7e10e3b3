"""How well a statement bears on a plan: which of the plan's terms it covers, whether it is about the right one, and what it offers.

Coverage counts: 1 for a word itself, a little less for another word for it, less again for what stands only beside the sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.answer.plan import Plan, Term
from graphmem.answer.statements import Statement
from graphmem.answer.words import alike, stem_set, stems_of, witnesses
from graphmem.ids import normalise_name

SAID, ALIKE, WITNESSED, IN_TURN, NEAR = 1.0, 0.9, 0.7, 0.6, 0.4
_WEIGHT = {"name": 1.6, "number": 2.0, "word": 1.0}


@dataclass(frozen=True, slots=True)
class Match:
    """A statement with its score. ``coverage`` is the weighted share of the plan's terms; ``missing`` are the terms it lacks.

    ``subject`` tells how surely it is about the plan's subject: 1 as its subject, less as somebody it names, 0 not at all.
    """

    statement: Statement
    coverage: float
    subject: float
    missing: tuple[Term, ...]
    weak: tuple[Term, ...]
    offers: bool
    score: float


def match(statement: Statement, plan: Plan, terms: Sequence[Term] | None = None, offers: bool = False) -> Match:
    """The match of a statement with a plan, or with these terms in place of the plan's."""
    wanted = plan.terms if terms is None else terms
    total = covered = 0.0
    missing: list[Term] = []
    weak: list[Term] = []
    for term in wanted:
        weight = _WEIGHT[term.kind]
        total += weight
        share = covers(statement, term)
        covered += weight * share
        if share == 0.0:
            missing.append(term)
        elif share < WITNESSED:
            weak.append(term)
    coverage = covered / total if total else 0.5
    subject = about(statement, plan.subjects)
    mood = 1.0
    if statement.asked or not statement.stated:
        mood = 0.55
    elif statement.negated and not plan.negated:
        mood = 0.8
    score = (0.75 * coverage + 0.25 * subject) * mood + 0.15 * statement.rank + (0.12 if offers else 0.0)
    return Match(statement, coverage, subject, tuple(missing), tuple(weak), offers, score)


def covers(statement: Statement, term: Term) -> float:
    """How surely a statement has this term, between 0 and 1."""
    if term.kind == "name":
        return _covers_name(statement, term)
    return min((_covers_stem(statement, each) for each in term.stems), default=0.0)


def _covers_name(statement: Statement, term: Term) -> float:
    name = normalise_name(term.text)
    if name in statement.about:
        return SAID
    own = [each for each in term.stems if each not in stem_set("function_words")] or list(term.stems)
    if all(each in statement.stems for each in own):
        return SAID
    if name in statement.turn_about or all(each in statement.turn_stems for each in own):
        return IN_TURN
    if all(each in statement.near_stems for each in own):
        return NEAR
    return 0.0


def _covers_stem(statement: Statement, each: str) -> float:
    if each in statement.stems:
        return SAID
    if alike(each) & statement.stems:
        return ALIKE
    if witnesses(each) & statement.stems:
        return WITNESSED
    if each in statement.turn_stems or alike(each) & statement.turn_stems:
        return IN_TURN
    if each in statement.near_stems or alike(each) & statement.near_stems or witnesses(each) & statement.turn_stems:
        return NEAR
    return 0.0


def about(statement: Statement, subjects: Sequence[str]) -> float:
    """How surely a statement is about all of these; 1 where there are none."""
    if not subjects:
        return 1.0
    return min(_about_one(statement, name) for name in subjects)


def _about_one(statement: Statement, name: str) -> float:
    whole = normalise_name(name)
    names = {whole, whole.split()[0]} if whole else set()
    if names & statement.subjects:
        return 1.0
    if names & statement.about:
        return 0.9
    own = set(stems_of(name))
    if own and own <= statement.stems:
        return 0.9
    if names & {normalise_name(statement.hit.speaker)}:
        return 0.6
    if names & statement.turn_about or (own and own <= statement.turn_stems):
        return 0.5
    return 0.2 if own and own <= statement.near_stems else 0.0
