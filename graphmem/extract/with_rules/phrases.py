"""Phrases: which words belong to an object or a value, and how they read in the third person."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from graphmem.extract.with_rules.clauses import Clause
from graphmem.extract.with_rules.lexicon import words
from graphmem.extract.with_rules.people import Speech

if TYPE_CHECKING:
    from graphmem.extract.with_rules.parse import Token

_OF_VERB = frozenset(
    {"dobj", "prep", "attr", "acomp", "xcomp", "oprd", "dative", "agent", "ccomp", "advmod", "npadvmod", "nummod"}
)  # fmt: skip
_SIDE_REMARKS = frozenset({"advcl", "parataxis", "cc", "punct", "intj", "mark", "meta", "preconj"})
_PLACED = frozenset(
    {"back", "home", "there", "here", "abroad", "away", "together", "out", "up", "down", "online", "outside", "over", "off", "in",
     "around", "alone", "professionally", "remotely", "downtown", "overseas"}
)  # fmt: skip
LONGEST_OBJECT = 16
"""Words of an object; a longer one is cut at the last whole phrase that fits."""
LONGEST_RELATIVE = 9
"""Words of a relative clause that is still told with its noun."""


def object_tokens(clause: Clause, timed: frozenset[int]) -> list[Token]:
    """The tokens after the verb that say what it is done to, with what belongs to them; times and side remarks left out."""
    head = clause.head
    children = [child for child in head.children if child.i > head.i and child.dep_ in _OF_VERB]
    kept: list[Token] = []
    if clause.antecedent is not None:
        for child in [child for child in children if child.dep_ == "dative"]:
            kept.extend(phrase_of(child, timed))
            children.remove(child)
        kept.extend(phrase_of(clause.antecedent, timed, relatives=False))
    for child in children:
        if child.dep_ == "advmod" and child.lower_ not in _PLACED:
            continue
        if child.dep_ == "npadvmod" and child.lower_.endswith(("self", "selves")):
            continue
        if child.dep_ == "prep" and _only_time(child, timed):
            continue
        phrase = phrase_of(child, timed)
        if child.dep_ == "prep" and len(phrase) == 1:
            continue
        if child.tag_ in ("WDT", "WP") or (len(kept) + len(phrase) > LONGEST_OBJECT and kept):
            break
        kept.extend(phrase)
    return with_joints(kept[: LONGEST_OBJECT + 8])


def phrase_of(token: Token, timed: frozenset[int], *, relatives: bool = True, conjuncts: bool = True) -> list[Token]:
    """A token's subtree in order of text, without times, side remarks and clauses of their own.

    Short relative clauses stay with their noun if ``relatives``; coordinated words stay if ``conjuncts``.
    """
    if token.i in timed:
        return []
    before: list[Token] = []
    after: list[Token] = []
    for child in token.children:
        if child.dep_ in _SIDE_REMARKS or child.i in timed:
            continue
        if child.dep_ == "relcl" and (not relatives or len(list(child.subtree)) > LONGEST_RELATIVE):
            continue
        if child.dep_ == "conj" and (
            not conjuncts or _has_subject(child) or (child.pos_ == "VERB" and token.pos_ == "NOUN")
        ):
            continue
        if child.dep_ == "prep" and _only_time(child, timed):
            continue
        (before if child.i < token.i else after).extend(
            phrase_of(child, timed, relatives=relatives, conjuncts=conjuncts)
        )
    return [*before, token, *after]


def with_joints(tokens: list[Token]) -> list[Token]:
    """The tokens with the commas, hyphens and "and" that stand right between two of them."""
    joined: list[Token] = []
    for token in tokens:
        if joined and 1 < token.i - joined[-1].i <= 3:
            between = [token.doc[i] for i in range(joined[-1].i + 1, token.i)]
            if all(joint.is_punct or joint.dep_ in ("cc", "punct") for joint in between):
                joined.extend(between)
        joined.append(token)
    return joined


def _has_subject(token: Token) -> bool:
    return any(child.dep_ in ("nsubj", "nsubjpass") for child in token.children)


def _only_time(prep: Token, timed: frozenset[int]) -> bool:
    objects = [child for child in prep.children if child.dep_ in ("pobj", "pcomp", "advmod")]
    if prep.i in timed or (bool(objects) and all(child.i in timed for child in objects)):
        return True
    return " ".join(part.lower_ for part in prep.subtree if not part.is_punct) in words("fillers")


def told_by(tokens: Iterable[Token], speech: Speech, subject: str) -> str:
    """Tokens as text with "my", "me" and "you" turned to the names they stand for; "their" where the owner is the subject."""
    parts: list[str] = []
    previous: Token | None = None
    for token in tokens:
        if not any(ch.isalnum() or ch.isascii() for ch in token.text):
            continue  # emoji and the like
        apart = previous is not None and (token.i != previous.i + 1 or bool(previous.whitespace_))
        if apart and token.tag_ != "POS":
            parts.append(" ")
        parts.append(_third(token, speech, subject))
        previous = token
    text = " ".join("".join(parts).split())
    return text.strip(' ,;:.!?-–—…"“”*~()/')


def _third(token: Token, speech: Speech, subject: str) -> str:
    word = token.lower_
    own = speech.speaker == subject
    if word in ("mine", "ours"):
        return "theirs" if own else f"{speech.speaker}'s"
    if word in ("my", "our"):
        return "their" if own else f"{speech.speaker}'s"
    if word in ("me", "us", "i", "we"):
        return "them" if own and word in ("me", "us") else speech.speaker
    if word in ("myself", "ourselves"):
        return "themself" if own else speech.speaker
    if speech.addressee is not None:
        if word in ("your", "ur", "yours"):
            return "their" if subject == speech.addressee else f"{speech.addressee}'s"
        if word in ("you", "u", "ya", "yourself"):
            return speech.addressee
    if (
        token.is_sent_start
        and not token.is_upper
        and token.pos_ not in ("PROPN", "NUM")
        and token.ent_type_ == ""
        and word != "i"
    ):
        return str(token.text[:1].lower() + token.text[1:])
    return str(token.text)
