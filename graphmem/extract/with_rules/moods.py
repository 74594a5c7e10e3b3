"""The mood of a clause: stated, planned, wished, asked, imagined or commanded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from graphmem.extract.with_rules.lexicon import words
from graphmem.extract.with_rules.parse import opens_in_the_past
from graphmem.extract.with_rules.people import FIRST

if TYPE_CHECKING:
    from graphmem.extract.with_rules.parse import Span, Token

Mood = Literal["stated", "planned", "wished", "asked", "imagined", "commanded"]

_MODALS = frozenset({"would", "could", "might", "may", "should", "must", "can", "ca", "ought", "'d", "’d"})
_INVERTING = frozenset(
    {"do", "does", "did", "have", "has", "are", "is", "am", "was", "were", "will", "can", "could", "would", "should", "may"}
)  # fmt: skip
_GUESSING = frozenset({"sound", "look", "seem"})


def auxiliaries(verb: Token) -> list[Token]:
    """The helpers before a verb."""
    return [child for child in verb.children if child.dep_ in ("aux", "auxpass") and child.i < verb.i]


def mood_of(chain: tuple[Token, ...], subject: Token | None, tense: str, sentence: Span) -> Mood:
    """The mood of a merged chain with its subject (None where the sentence leaves it out) and tense."""
    outer = chain[0]
    if _asked(outer, sentence):
        return "asked"
    if _imagined(outer):
        return "imagined"
    waiting = _cannot_wait(chain)
    for link in chain:
        modal = {child.lower_ for child in auxiliaries(link) if child.tag_ == "MD"} & _MODALS
        if modal and not (modal <= {"ca", "can"} and waiting):
            return "imagined"
    if waiting:
        return "planned"
    if _commanded(outer, subject):
        return "commanded"
    return _intended(chain, tense)


def _commanded(outer: Token, subject: Token | None) -> bool:
    if outer.lemma_.lower() == "let" and outer.tag_ == "VB":
        return True
    if subject is not None or opens_in_the_past(outer) or auxiliaries(outer):
        return False
    if outer.lower_ in ("set", "put", "cut", "let", "read", "hit", "shut") and outer.dep_ == "ROOT":
        return True
    return outer.tag_ in ("VB", "VBP") and outer.dep_ in ("ROOT", "conj", "ccomp", "parataxis")


def _cannot_wait(chain: tuple[Token, ...]) -> bool:
    outer = chain[0]
    if outer.lemma_.lower() != "wait":
        return False
    helpers = {child.lower_ for child in outer.children}
    return "ca" in helpers or "cannot" in helpers or ("can" in helpers and bool(helpers & {"not", "n't"}))


_PLANNING = frozenset(
    {
        "gon",
        "plan",
        "intend",
        "aim",
        "think",
        "consider",
        "talk",
        "look",
        "dream",
        "set",
        "arrange",
        "prepare",
        "schedule",
        "book",
    }
)


def _intended(chain: tuple[Token, ...], tense: str) -> Mood:
    for position, link in enumerate(chain[:-1]):
        lemma = link.lemma_.lower()
        following = chain[position + 1]
        if lemma == "go" and link.tag_ == "VBG" and following.tag_ == "VB":
            return "planned" if tense != "past" else "wished"
        if lemma in _PLANNING or link.lower_ == "gon":
            return "planned"
        if lemma in ("be", "suppose"):
            return "planned" if tense not in ("past", "perfect") else "wished"
        if lemma == "make" and following.tag_ == "VB":
            continue
        if lemma in words("wishing"):
            if (lemma == "have" and tense in ("past", "perfect")) or lemma in ("get", "got"):
                continue
            return "wished"
    return "planned" if tense == "future" else "stated"


def _asked(verb: Token, sentence: Span) -> bool:
    """Whether the clause is a question: it ends in "?" or inverts, unless a statement stands before the question proper."""
    if _inverted(verb):
        return True
    if not any("?" in token.text for token in sentence):
        return False
    predicates = [token for token in sentence if token.pos_ in ("VERB", "AUX") and token.i > verb.i]
    later_question = any(_inverted(token) for token in predicates)
    speaker = any(
        child.lower_ in ("i", "we") and child.i < verb.i
        for child in verb.children
        if child.dep_ in ("nsubj", "nsubjpass")
    )
    return not (later_question and speaker and verb.tag_ in ("VBD", "VBP", "VBZ", "VBN", "VBG"))


def _inverted(verb: Token) -> bool:
    if verb.dep_ in ("relcl", "advcl"):
        return False
    if any(child.tag_ in ("WP", "WRB", "WDT") and child.i < verb.i for child in verb.children):
        return verb.dep_ in ("ROOT", "conj", "parataxis") and "?" in verb.sent.text
    subject = next((child for child in verb.children if child.dep_ in ("nsubj", "nsubjpass")), None)
    if subject is None:
        return False
    helpers = [child for child in auxiliaries(verb) if child.lower_ in _INVERTING]
    if helpers and helpers[0].i < subject.i:
        return True
    return verb.lemma_ == "be" and verb.i < subject.i and verb.dep_ == "ROOT" and verb.i == verb.sent.start


def _imagined(verb: Token) -> bool:
    """Whether the clause stands under a condition, a modal, a wish or a guess."""
    for ancestor in _ladder(verb):
        marks = {
            child.lower_ for child in ancestor.children if child.dep_ in ("mark", "advmod") and child.i < ancestor.i
        }
        clausal = ancestor.dep_ in ("advcl", "ccomp", "pcomp", "xcomp", "conj", "dep")
        if clausal and marks & words("hypothetical_marks"):
            return True
        above = ancestor.head
        if _said_on_order(ancestor, above):
            return True
        if above == ancestor or above.pos_ not in ("VERB", "AUX", "ADJ"):
            continue
        lemma = above.lemma_.lower()
        if ancestor.dep_ in ("ccomp", "xcomp", "advcl") and lemma in _GUESSING and marks & {"like", "as", "that"}:
            return not any(child.lower_ in ("i", "we") for child in ancestor.children if child.dep_ == "nsubj")
        if ancestor.dep_ in ("ccomp", "xcomp"):
            if lemma in words("imagining"):
                return True
            if (
                any(child.lower_ in _MODALS for child in auxiliaries(above))
                and above.i < ancestor.i
                and lemma != "wait"
            ):
                return True
    return False


_ORDERED = frozenset({"say", "answer", "reply", "respond", "write", "claim", "pretend", "repeat", "tell", "state"})


def _said_on_order(clause: Token, above: Token) -> bool:
    """Whether somebody is only told to say it ("answer that Ana lives in Oslo"); what a speaker has told of themselves is so."""
    if clause.dep_ != "ccomp" or above.lemma_.lower() not in _ORDERED or above.tag_ not in ("VB", "VBP", "NN"):
        return False
    if any(child.dep_ in ("nsubj", "nsubjpass", "aux") for child in above.children):
        return False
    return not any(child.dep_ == "nsubj" and child.lower_ in FIRST for child in clause.children)


def _ladder(verb: Token) -> Iterator[Token]:
    """The verb and the clause heads above it, up to a relative clause, which states what it states."""
    current = verb
    while True:
        yield current
        if current.dep_ in ("ROOT", "relcl", "acl") or current.head == current:
            return
        if current.dep_ == "ccomp" and current.i < current.head.i:
            return
        conditional = any(
            child.lower_ in words("hypothetical_marks")
            for child in current.children
            if child.dep_ in ("mark", "advmod")
        )
        if current.dep_ == "advcl" and not conditional:
            return
        current = current.head


def told(verb: Token) -> bool:
    """Whether a clause is what somebody holds, hears or guesses: "I think that …", "it sounds like …"."""
    above = verb.head
    return (
        verb.dep_ == "ccomp"
        and above != verb
        and above.i < verb.i
        and above.lemma_.lower() in words("telling") | _GUESSING
    )
