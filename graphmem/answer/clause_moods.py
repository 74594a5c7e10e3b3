"""The mood in which an answer takes a clause: requests are plans, and what is told before a question, liked or possible is so. Pure."""

from __future__ import annotations

import re
from itertools import pairwise

from graphmem.answer.words import lexicon
from graphmem.extract.with_rules.clauses import Clause


def mood_in_answers(clause: Clause) -> str:
    """The mood of a clause as an answer takes it: a request is a plan and no question, and what somebody can do is so."""
    if _requests(clause):
        return "planned"
    if _told_first(clause) or _is_able(clause) or _enjoys(clause):
        return "stated"
    return clause.mood


def _enjoys(clause: Clause) -> bool:
    """Whether it tells what somebody likes doing, and so does: "I love painting", not "I'd love to paint"."""
    links = list(pairwise(clause.chain))
    liked = [inner for outer, inner in links if outer.lemma_.lower() in lexicon()["enjoying"]]
    would = any(child.dep_ == "aux" and child.lower_ in _WOULD for child in clause.outer.children)
    return clause.mood == "wished" and bool(liked) and liked[0].tag_ == "VBG" and not would


_WOULD = frozenset({"would", "'d", "’d", "d", "might", "could"})


def _is_able(clause: Clause) -> bool:
    helpers = {child.lower_ for child in clause.head.children if child.dep_ == "aux" and child.i < clause.head.i}
    marked = any(child.dep_ == "mark" for child in clause.head.children)
    return clause.mood == "imagined" and bool(helpers & {"can", "ca"}) and not marked and clause.subject is not None


_ASKED_AFTER = re.compile(
    r",\s+(?:(?:is|are|was|were|do|does|did|can|could|will|would|should)\s+\w+\s+\w[^,]*"
    r"|right|huh|eh|correct|no|yeah|yes|ok|okay|remember|you know"
    r"|(?:is|are|was|were|do|does|did|has|have|ca|wo|would|should)n['’]t\s+\w+"
    r"|(?:do you )?(?:want|wanna|care|fancy)\b[^,]*)\s*\?$",
    re.IGNORECASE,
)
"""What is asked after something that was told: "…, is that normal?", "…, right?", "…, want to join?"."""


def _told_first(clause: Clause) -> bool:
    """Whether a clause tells what the rest of its sentence asks about: "I paid 14.90 euros, is that normal?"."""
    if clause.mood != "asked" or clause.subject is None or clause.subject.i > clause.head.i:
        return False
    question = _ASKED_AFTER.search(clause.sentence.text)
    opens = clause.sentence[0].tag_ in ("WP", "WRB", "WDT", "MD") or clause.sentence[0].pos_ == "AUX"
    return question is not None and not opens and clause.head.idx < clause.sentence.start_char + question.start()


_REQUEST = re.compile(r"\b(?:could|would|can|will) you (?:please )?(\w+)|\bplease\b", re.IGNORECASE)


def _requests(clause: Clause) -> bool:
    """Whether a question asks the other to do something, and not to tell something: "Could you hold the button for five seconds?"."""
    found = _REQUEST.search(clause.sentence.text) if clause.mood == "asked" else None
    polite = found is not None and (
        found.group().lower().startswith(("could", "please")) or "please" in found.group().lower()
    )
    return polite and clause.lemma.split()[0] not in lexicon()["telling"]
