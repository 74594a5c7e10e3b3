"""Names that are told of a thing once and left out afterwards: "rafting on the Soča", and later "we went rafting on Thursday". Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import pairwise

from graphmem.answer.match import ALIKE, IN_TURN, covers
from graphmem.answer.plan import Plan, Term
from graphmem.answer.statements import Statement
from graphmem.answer.words import codes_in, is_version, numbers_in, stem, stem_set, words_of
from graphmem.ids import normalise_name

Statements = tuple[Statement, ...]


def with_links(plan: Plan, statements: Statements) -> Statements:
    """The statements with the plan's names and codes that other statements tell beside a word which both share with the question.

    A person is never linked so, what is done links nothing, and nothing is linked
    where the statement names another thing, or another code, itself.
    """
    empty = stem_set("light") | stem_set("units") | stem_set("measuring")
    words = [t for t in plan.terms if t.kind == "word" and t.stems[0] not in empty and t.stems[0] != plan.verb]
    named = [term for term in plan.terms if term.kind != "word" and not _is_person(term, statements)]
    found = _compounded(plan, _spoken_for(plan, statements))
    for term in named:
        telling = [each for each in found if covers(each, term) >= IN_TURN]
        near = words if term.kind == "name" else _beside(term, plan.terms)
        bridges = [word for word in near if any(covers(each, word) >= ALIKE for each in telling)]
        if bridges:
            found = tuple(_linked(each, term, bridges) for each in found)
    return _dated(plan, _of_kind(plan, found))


def _compounded(plan: Plan, statements: Statements) -> Statements:
    """Statements that write as one what the question writes as two words, or the other way round: "road trip" and "roadtrip"."""
    words = [term for term in plan.terms if term.kind == "word"]
    if not words:
        return statements
    asked = [word for word in words_of(plan.question) if "-" not in word.text]
    pairs = {one.text.casefold() + two.stem: {one.stem, two.stem} for one, two in pairwise(asked)}
    whole = {each for term in words for each in term.stems if len(each) >= COMPOUND}
    return tuple(_with_compounds(each, pairs, whole) for each in statements)


COMPOUND = 7
"""Letters from which a word may be one that others write as two."""


def _with_compounds(statement: Statement, pairs: Mapping[str, AbstractSet[str]], whole: AbstractSet[str]) -> Statement:
    parted = {each for joined, parts in pairs.items() if joined in statement.stems for each in parts}
    said = words_of(statement.text) if whole - statement.stems else ()
    joined = {one.text.casefold() + two.stem for one, two in pairwise(said)} & whole
    return replace(statement, linked=statement.linked | parted | joined) if parted or joined else statement


def _dated(plan: Plan, statements: Statements) -> Statements:
    """Where the dates of a stay are asked, a run of days may be its dates, whatever else is said of them."""
    if not plan.dates:
        return statements
    stay = stem_set("stays") | {stem("date")}
    return tuple(
        replace(each, linked=each.linked | stay)
        if any(time.interval is not None and time.interval.granularity == "range" for time in each.times)
        else each
        for each in statements
    )


def _of_kind(plan: Plan, statements: Statements) -> Statements:
    """Codes that begin like one that is called what the question asks for: where "ticket QM-1" was said, QM-2 is a ticket too."""
    noun = "" if plan.asked is None else stem(plan.asked)
    if noun not in stem_set("coded") - stem_set("versioned"):
        return statements
    told = {series for each in statements if noun in each.stems for series in _series(each)}
    return tuple(replace(each, linked=each.linked | {noun}) if told & _series(each) else each for each in statements)


def _series(statement: Statement) -> frozenset[str]:
    return frozenset(code.split("-")[0].casefold() for code in codes_in(statement.text, versions=False) if "-" in code)


def _beside(number: Term, terms: Sequence[Term]) -> list[Term]:
    """The word that a number or a code stands before ("four L2 printers"), or else after ("room 2")."""
    at = terms.index(number)
    words = [term for term in (*terms[at + 1 :], *reversed(terms[:at])) if term.kind == "word"]
    return words[:1]


def _spoken_for(plan: Plan, statements: Statements) -> Statements:
    """Whoever works at a place means it by "we": "we print 120 labels a day"."""
    names = plan.named
    told = sorted((each for each in statements if _tells_job(each)), key=lambda each: each.said_at) if names else []
    if not any(names & each.about for each in told):
        return statements
    return tuple(_for_firm(each, names, told) for each in statements)


def _tells_job(statement: Statement) -> bool:
    speaker = normalise_name(statement.hit.speaker)
    works = any(each.subject == speaker and each.verb_stem & stem_set("working") for each in statement.clauses)
    return works and bool(statement.about - statement.present)


def _for_firm(statement: Statement, names: AbstractSet[str], told: Sequence[Statement]) -> Statement:
    """A statement with "we" is about where its speaker worked then, as far as they had told."""
    if not statement.stems & _WE:
        return statement
    own = [each for each in told if each.hit.speaker == statement.hit.speaker and each.said_at <= statement.said_at]
    firm = names & (own[-1].about - own[-1].present) if own else frozenset()
    return replace(statement, about=statement.about | firm)


_WE = frozenset({"we", "our", "us", "ours", "we're", "we've", "we'll"})


def _linked(statement: Statement, term: Term, bridges: Sequence[Term]) -> Statement:
    if covers(statement, term) > 0.0 or _names_another(statement, term):
        return statement
    if all(covers(statement, word) < ALIKE for word in bridges):
        return statement
    return replace(statement, linked=statement.linked | {normalise_name(term.text)})


def _is_person(term: Term, statements: Sequence[Statement]) -> bool:
    name = normalise_name(term.text)
    return any(name in each.present or name in each.people for each in statements)


def _names_another(statement: Statement, term: Term) -> bool:
    """Whether a statement has a name or a number of the same kind, of which it is told then."""
    if term.kind == "name":
        return bool(statement.others_named)
    if any(ch.isalpha() for ch in term.text) and any(ch.isdigit() for ch in term.text):
        return bool(codes_in(statement.text, is_version(term.text)))
    if any(ch.isdigit() for ch in term.text):
        return bool(numbers_in(statement.text))
    return bool(statement.stems & (stem_set("ordinals") | stem_set("numbers")))
