"""Tense, negation and ending of a chain of verbs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from graphmem.extract.with_rules.lexicon import words
from graphmem.extract.with_rules.moods import auxiliaries
from graphmem.extract.with_rules.parse import opens_in_the_past, opens_without_subject

if TYPE_CHECKING:
    from graphmem.extract.with_rules.parse import Token

Tense = Literal["past", "perfect", "present", "progressive", "future", "none"]
Ended = Literal["", "used_to", "no_longer", "ceased"]

_WILL = frozenset({"will", "'ll", "’ll", "wo", "shall"})
_HAD = frozenset({"had", "'d", "’d"})
_HAVE = frozenset({"have", "has", "'ve", "’ve", "ve"})
_WAS = frozenset({"did", "was", "were"})
_IS = frozenset({"am", "is", "are", "'m", "'re", "'s", "’m", "’re", "’s", "m", "re"})
_SAME_IN_PAST = frozenset({"quit", "hit", "cut", "beat", "split", "shut", "set", "put"})
_SHARING = frozenset({"conj", "xcomp", "advcl", "pcomp", "ccomp", "csubj", "acl"})


def tense_of(chain: tuple[Token, ...]) -> Tense:
    """The tense of the outermost verb, or of the clause that a participle or a bare verb hangs on."""
    outer = chain[0]
    if opens_in_the_past(outer):
        return "past"
    if outer.lemma_ == "use" and len(chain) > 1:
        return "past"
    helpers = {child.lower_ for child in auxiliaries(outer)}
    if is_have_got(outer):
        return "present"
    helped = _by_helper(outer, helpers)
    if helped is not None:
        return helped
    if outer.tag_ == "VBD":
        return "past"
    if outer.tag_ == "VBP" and outer.lower_ in _SAME_IN_PAST:
        return "past"
    if outer.tag_ in ("VBP", "VBZ"):
        return "present"
    if outer.tag_ == "VBG":
        if outer.dep_ in _SHARING:
            return _borrowed(outer)
        return "progressive" if opens_without_subject(outer) else "none"
    if outer.tag_ == "VBN":
        if outer.dep_ in ("conj", "advcl", "xcomp"):
            return _borrowed(outer)
        return "perfect" if outer.lemma_ == "be" or "been" in helpers else "past"
    return _borrowed(outer) if outer.dep_ in _SHARING else "none"


def is_have_got(verb: Token) -> bool:
    """Whether the verb is "got" in "I've got a dog", which is "have" in the present."""
    if verb.lower_ != "got" or not any(child.lower_ in _HAVE | {"'s", "’s"} for child in auxiliaries(verb)):
        return False
    return any(child.dep_ == "dobj" for child in verb.children)


def _by_helper(outer: Token, helpers: set[str]) -> Tense | None:
    if helpers & _WILL:
        return "future"
    if helpers & _HAD and outer.tag_ in ("VBN", "VBD"):
        return "past"
    if helpers & _HAVE:
        return "perfect"
    if helpers & _WAS:
        return "past"
    if helpers & {"do", "does"}:
        return "present"
    if "been" in helpers:
        return "perfect"
    if helpers & _IS:
        return "progressive" if outer.tag_ == "VBG" else "present"
    return None


def _borrowed(verb: Token) -> Tense:
    current = verb.head
    while current.pos_ not in ("VERB", "AUX") and current.head != current:
        current = current.head
    if current == verb or current.pos_ not in ("VERB", "AUX"):
        return "none"
    return tense_of((current,))


def is_finite(verb: Token) -> bool:
    """Whether a verb carries a tense of its own, or shares that of the verb it is coordinated with."""
    if opens_without_subject(verb) or verb.tag_ in ("VBD", "VBP", "VBZ"):
        return True
    if any(
        child.tag_ in ("MD", "VBD", "VBP", "VBZ") or child.lower_ in _HAVE | _IS | {"been"}
        for child in auxiliaries(verb)
    ):
        return True
    if any(child.tag_ == "TO" for child in auxiliaries(verb)):
        return False
    if verb.dep_ == "conj" and verb.head.pos_ in ("VERB", "AUX"):
        return is_finite(verb.head)
    return verb.dep_ == "ROOT" and verb.tag_ != "VBG"


def is_negated(verb: Token) -> bool:
    """Whether "not" or "never" stands on the verb."""
    near = [child for child in verb.children if child.i < verb.i + 2]
    near += [inner for child in near if child.dep_ in ("aux", "auxpass") for inner in child.children]
    return any(child.dep_ == "neg" or child.lower_ in ("never", "hardly", "barely") for child in near)


def is_topped(chain: tuple[Token, ...]) -> bool:
    """Whether what "never" denies is only a higher degree: "I've never liked a job so much", "never seen a better film". It was so."""
    verb = chain[-1]
    helpers = {child.lower_ for link in chain for child in link.children}
    if "never" not in helpers or tense_of(chain) not in ("past", "perfect"):
        return False
    return any(_is_degree(token, verb) for token in verb.subtree if token.i > verb.i and _in_clause(token, verb))


def _in_clause(token: Token, verb: Token) -> bool:
    for above in token.ancestors:
        if above == verb:
            return True
        if above.pos_ in ("VERB", "AUX"):
            return False
    return False


def _is_degree(token: Token, verb: Token) -> bool:
    following = [other.lower_ for other in token.doc[token.i + 1 : token.i + 4]]
    if token.lower_ == "such":
        return following[:1] != ["as"]
    if token.lower_ in words("degrees") and following:
        phrase = " ".join([token.lower_, *following])
        fixed = any(f"{phrase} ".startswith(f"{other} ") for other in words("not_degrees"))
        return token.dep_ != "det" and token.nbor().pos_ in ("ADJ", "ADV") and not fixed
    if token.tag_ not in ("JJR", "RBR") or verb.lemma_.lower() in words("growing"):
        return False
    counted = following[:1] == ["than"] and (token.nbor(2).like_num or following[1] in ("a", "an"))
    return token.nbor(-1).lower_ not in ("any", "no") and not counted


def is_partly(verb: Token, value: Token) -> bool:
    """Whether a negation leaves room: "I don't always like it", "not as much as coffee", "don't like all of them"."""
    if any(child.lower_ in words("partly") and child.dep_ == "advmod" for child in verb.children):
        return True
    if value.lower_ in words("not_every") or any(child.lower_ in words("not_every") for child in value.children):
        return True
    rest = " ".join(token.lower_ for token in verb.subtree if token.i > verb.i)
    return " as much as " in f" {rest} " or " more than " in f" {rest} "


def ended_of(chain: tuple[Token, ...]) -> Ended:
    """How a state is said to be over: "used to", "no longer" and "not … anymore", or "stopped …"."""
    for link in chain:
        if link.lemma_ == "use" and link.i + 1 < len(link.doc) and link.nbor().lower_ == "to" and len(chain) > 1:
            return "used_to"
        if link.lemma_.lower() in words("ceasing") and link != chain[-1]:
            return "ceased"
        if any(
            child.lower_ == "longer" and any(g.lower_ in ("no", "any") for g in child.children)
            for child in link.children
        ):
            return "no_longer"
        for child in link.children:
            if (
                is_negated(link)
                and child.dep_ == "advmod"
                and (
                    child.lower_ in ("anymore", "longer") or (child.lower_ == "more" and child.nbor(-1).lower_ == "any")
                )
                and child.i > link.i
            ):
                return "no_longer"
    tail = " ".join(token.lower_ for token in chain[-1].subtree)
    over = "anymore" in tail or "any more" in tail or "any longer" in tail
    return "no_longer" if over and any(is_negated(link) for link in chain) else ""
