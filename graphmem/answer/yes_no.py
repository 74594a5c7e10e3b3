"""Yes and no: only where one clause says of the one asked about all that is asked, in so many words. Pure.

A yes is the strongest thing that an answer can say, so it is held back where a word of the question only stands beside the sentence, where
the clause is another's, where the sentence undoes what it names ("forgot to", "nearly"), and where the question is itself negated. What is
told is then quoted, and said to be no more than what comes nearest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from graphmem.answer.best import CLOSE, NEW, latest_of_best, with_others
from graphmem.answer.choice import Choice
from graphmem.answer.match import Match, whole_and_first
from graphmem.answer.plan import Plan, Term
from graphmem.answer.quoting import NEAREST_NOTE, made
from graphmem.answer.reading import parsed
from graphmem.answer.statements import Reading, Statement
from graphmem.answer.words import alike, stem, stem_set, stems_of
from graphmem.ids import normalise_name

_UNDONE = re.compile(
    r"\b(?:nearly|almost|hardly|barely|scarcely|forgot|forgets?|fail(?:ed|s)?|refus(?:ed|es?)|jok(?:e|ed|ing)|kidding|pretend\w*|"
    r"turn(?:ed|ing)? (?:\w+ )?down|cancel\w*|called off|supposed to|wish\w*|dream\w*|wrong|mistake|"
    r"but (?:i|we|he|she|they) (?:never|didn['’]t)|"
    r"stopp?(?:ed|ing)?|quit|no longer|anymore|any more|used to|instead)\b",
    re.IGNORECASE,
)
"""What takes back, in the same sentence, what it names."""
_NOT_ONLY = re.compile(r"\bnot (?:just|only|merely)\b", re.IGNORECASE)
_PLAIN_VERBS = frozenset(
    {"be", "have", "do", "get", "go", "will", "would", "can", "could", "may", "might", "shall", "should", "must"}
)
"""Verbs of a question that a statement need not repeat."""


def yes_or_no_of(plan: Plan, within: Sequence[Match], relevant: Sequence[Match]) -> Choice:
    """The latest of the best that says yes or no; where none does, the latest of the best in its own words."""
    sure = [m for m in within if _verdict(plan, m) is not None]
    chosen = latest_of_best(sure or within, 2 * CLOSE, NEW)
    return yes_or_no(plan, chosen, relevant)


def yes_or_no(plan: Plan, chosen: Match, relevant: Sequence[Match]) -> Choice:
    """Yes, no or planned where the statement says so; else its words, as what comes nearest."""
    short = _verdict(plan, chosen)
    found = made(plan, with_others(chosen, relevant), short=short)
    return found if short is not None else replace(found, notes=(NEAREST_NOTE,))


def _verdict(plan: Plan, found: Match) -> str | None:
    statement = found.statement
    if plan.negated or _UNDONE.search(statement.text) is not None or statement.asked:
        return None
    clause = next((each for each in statement.clauses if _says_all(plan, statement, each)), None)
    if clause is None or clause.mood in ("asked", "imagined", "wished"):
        return None
    if clause.negated and _NOT_ONLY.search(statement.text) is None:
        return "No"
    if clause.mood == "planned" or found.said_as == "planned":
        return "It was planned" if plan.past else "It is planned"
    return "Yes"


def _says_all(plan: Plan, statement: Statement, clause: Reading) -> bool:
    """Whether a clause is said of one of those asked about, names the others, and has every word that is asked and the verb."""
    subjects = [whole_and_first(name) for name in plan.subjects]
    if subjects and not any(clause.subject in names for names in subjects):
        return False
    named = statement.about | {clause.subject or ""}
    if any(not names & named for names in subjects):
        return False
    if any(not _has(clause.stems, statement, term) for term in plan.terms if not term.aside):
        return False
    going = bool(set(stems_of(plan.question)) & stem_set("going"))
    if going:
        return bool(clause.verb_stem & stem_set("going_to"))
    verb = _verb(plan)
    return verb is None or bool(({verb} | alike(verb)) & clause.stems)


def _has(stems: AbstractSet[str], statement: Statement, term: Term) -> bool:
    if term.kind == "name" and normalise_name(term.text) in statement.about:
        return True
    return all(({each} | alike(each)) & stems for each in term.stems)


def _verb(plan: Plan) -> str | None:
    """The stem of the verb by which something is asked, None for one that says little."""
    heads = [span.root for span in parsed(plan.question).sents]
    verbs = [head for head in heads if head.pos_ == "VERB" and head.lemma_.lower() not in _PLAIN_VERBS]
    return stem(verbs[-1].text) if verbs else None
