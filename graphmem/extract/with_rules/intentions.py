"""Wishes and plans as facts about the present: "I want to learn Italian", "we're thinking about renting a boat next month"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from graphmem.extract.with_rules.clauses import Clause
from graphmem.extract.with_rules.lexicon import words
from graphmem.extract.with_rules.people import BARE, SECOND, Speech
from graphmem.extract.with_rules.phrases import object_tokens, told_by
from graphmem.extract.with_rules.standing import Standing
from graphmem.extract.with_rules.statements import statement
from graphmem.extract.with_rules.times import Timed
from graphmem.records import FactDraft, Mention

if TYPE_CHECKING:
    from graphmem.extract.with_rules.parse import Token

_WISHING = frozenset({"want", "hope", "wanna", "wish", "dream"})
_COMPLETE = frozenset(
    {"travel", "move", "retire", "graduate", "marry", "swim", "dance", "paint", "write", "cook", "hike", "camp", "volunteer", "apply",
     "propose", "foster", "adopt", "teach", "sing", "ski", "surf", "climb", "run", "return", "emigrate", "garden"}
)  # fmt: skip
_CHATTING = frozenset(
    {"hear", "see", "know", "tell", "say", "thank", "share", "talk", "chat", "ask", "show", "let", "be", "try", "catch", "keep", "help",
     "make", "add", "mention", "congratulate", "remind", "give", "send", "feel", "wait", "stop"}
)  # fmt: skip


def wish_of(clause: Clause, timed: frozenset[int], speech: Speech, subject: Mention) -> Iterator[FactDraft]:
    """What the subject wishes to do, where it is more than a turn of talk ("I'd love to hear about it")."""
    if clause.negated or len(clause.chain) < 2:
        return
    outer = clause.outer
    conditional = any(child.lower_ in ("would", "'d", "’d") for child in outer.children if child.dep_ == "aux")
    present = clause.mood == "wished" and clause.tense in ("present", "progressive", "perfect")
    wishing = outer.lemma_.lower() in _WISHING and present
    if not wishing and not (conditional and outer.lemma_.lower() in ("love", "like", "want", "prefer")):
        return
    text = _doing(clause, timed, speech, subject.name)
    if text:
        yield statement(subject, "wants_to", text, clause, speech, Standing("holds", None, None, 0.7))


def plan_of(
    clause: Clause, times: tuple[Timed, ...], timed: frozenset[int], speech: Speech, subject: Mention, event: int | None
) -> Iterator[FactDraft]:
    """What the subject means to do. A bare "I'll …" without a time is a promise of the moment, no plan."""
    if clause.negated or event is None or subject.speaker not in (None, speech.speaker):
        return
    chosen = next((item for item in times if item.interval is not None), None)
    if clause.tense == "future" and len(clause.chain) == 1 and chosen is None:
        return
    lasting = any(link.lemma_.lower() in ("keep", "continue", "stay") for link in clause.chain)
    looking_forward = clause.outer.lemma_.lower() == "look"
    if chosen is None and (lasting or looking_forward or clause.head.lemma_.lower() in words("mental")):
        return
    text = _doing(clause, timed, speech, subject.name)
    if text:
        note = None if chosen is None else chosen.note
        yield statement(subject, "plans", text, clause, speech, Standing("holds", None, note, 0.7), event=event)


def _doing(clause: Clause, timed: frozenset[int], speech: Speech, subject: str) -> str:
    """What is wished or planned, from the first verb that is not part of the wishing; "" where it is only talk."""
    links: list[Token] = [link for link in clause.chain if link == clause.head or _carries(link, clause)]
    if any(link.lower_ == "make" for link in clause.chain[:-1]) or _about_it(clause.head):
        return ""
    rest = object_tokens(clause, timed)
    content = [token for token in rest if token.pos_ not in ("ADP", "PUNCT", "DET", "PART", "CCONJ")]
    bare = not content or all(token.lower_ in BARE | SECOND for token in content)
    if clause.head.lemma_.lower() in _CHATTING and (bare or any(token.lower_ in SECOND for token in rest)):
        return ""
    if clause.head.lemma_.lower() in _CHATTING and any(child.dep_ == "ccomp" for child in clause.head.children):
        return ""
    if bare and (content or clause.head.tag_ == "VB") and clause.head.lemma_.lower() not in _COMPLETE:
        return ""
    if clause.head.lemma_.lower() in ("hear", "know", "tell", "say", "thank", "let"):
        return ""
    verbs = " ".join([links[0].lemma_.lower(), *(link.lower_ for link in links[1:])])
    particles = " ".join(child.lower_ for child in clause.head.children if child.dep_ == "prt")
    return " ".join(part for part in (verbs, particles, told_by(rest, speech, subject)) if part)


def _about_it(head: Token) -> bool:
    """Whether the deed is done to an "it" that only the talk before explains."""
    return any(
        child.dep_ in ("dobj", "dative") and child.lower_ in ("it", "that", "this", "them") for child in head.children
    )


def _carries(link: Token, clause: Clause) -> bool:
    """Whether a verb of the chain belongs to the deed ("go camping", "start running") rather than to the wish."""
    following = clause.chain[clause.chain.index(link) + 1]
    return (
        link.lemma_.lower() in ("go", "start", "begin", "keep", "continue", "learn", "get")
        and following.tag_ in ("VBG", "VB")
        and (following.tag_ == "VBG" or link.tag_ == "VB")
    )
