"""The wording of events: objects without their times, and short sentences in the third person."""

from __future__ import annotations

from collections.abc import Iterable

from graphmem.extract.with_rules.clauses import Clause
from graphmem.extract.with_rules.parse import Doc, Token
from graphmem.extract.with_rules.people import FIRST, Speech

_KEPT = frozenset(
    {"dobj", "prep", "attr", "acomp", "xcomp", "oprd", "dative", "agent", "ccomp", "pcomp", "pobj", "advmod", "npadvmod", "acl", "nmod"}
)  # fmt: skip
_DROPPED_INSIDE = frozenset({"relcl", "advcl", "parataxis", "cc", "punct", "intj", "mark", "neg"})
_ADVERBS = frozenset(
    {
        "back",
        "home",
        "there",
        "here",
        "abroad",
        "away",
        "together",
        "out",
        "up",
        "down",
        "online",
        "outside",
        "over",
        "off",
        "in",
        "around",
        "alone",
    }
)
LONGEST_OBJECT = 16
"""Words of an object; a longer one is cut at the last whole phrase that fits."""


def object_tokens(clause: Clause, timed: frozenset[int]) -> list[Token]:
    """The tokens after the verb that say what it is done to, with what belongs to them; times and side remarks left out."""
    head = clause.head
    kept: list[Token] = []
    if clause.antecedent is not None:
        kept.extend(_phrase(clause.antecedent, timed, inside=clause.antecedent))
    for child in head.children:
        if child.i < head.i or child.dep_ not in _KEPT or child.dep_ == "prt":
            continue
        if child.dep_ in ("advmod", "npadvmod") and child.lower_ not in _ADVERBS and child.dep_ == "advmod":
            continue
        phrase = _phrase(child, timed, inside=child)
        if child.dep_ == "prep" and len(phrase) == 1:
            continue
        if len(kept) + len(phrase) > LONGEST_OBJECT and kept:
            break
        kept.extend(phrase)
    return kept[: LONGEST_OBJECT + 8]


def _phrase(token: Token, timed: frozenset[int], inside: Token) -> list[Token]:
    """A token's subtree in order of text, without times, relative clauses and coordinated clauses."""
    if token.i in timed:
        return []
    before: list[Token] = []
    after: list[Token] = []
    for child in token.children:
        if child.dep_ in _DROPPED_INSIDE and not (child.dep_ in ("cc", "punct") and _joins_nouns(child, token)):
            continue
        if (
            child.dep_ == "conj"
            and child.pos_ in ("VERB", "AUX")
            and token.pos_ in ("VERB", "AUX")
            and any(grand.dep_ in ("nsubj", "nsubjpass") for grand in child.children)
        ):
            continue
        if child.dep_ == "prep" and _only_time(child, timed):
            continue
        (before if child.i < token.i else after).extend(_phrase(child, timed, inside))
    return [*before, token, *after]


def _joins_nouns(mark: Token, token: Token) -> bool:
    return mark.i > token.i and any(
        child.dep_ == "conj" and child.pos_ in ("NOUN", "PROPN", "ADJ", "NUM") for child in token.children
    )


def _only_time(prep: Token, timed: frozenset[int]) -> bool:
    objects = [child for child in prep.children if child.dep_ in ("pobj", "pcomp", "advmod")]
    return prep.i in timed or (bool(objects) and all(child.i in timed for child in objects))


def told_by(tokens: Iterable[Token], speech: Speech, subject: str) -> str:
    """Tokens as text with "my", "me" and "you" turned to the names they stand for; "their" where the owner is the subject."""
    parts: list[str] = []
    previous: Token | None = None
    for token in tokens:
        if previous is not None and (token.i != previous.i + 1 or previous.whitespace_):
            if token.tag_ != "POS" and not (token.is_punct and token.text in ",.;:!?)’'" and token.i == previous.i + 1):
                parts.append(" ")
        parts.append(_third(token, speech, subject))
        previous = token
    text = " ".join("".join(parts).split())
    return text.strip(' ,;:.!?-–—…"“”*~()')


def _third(token: Token, speech: Speech, subject: str) -> str:
    word = token.lower_
    if word in ("my", "our", "mine", "ours"):
        return "their" if subject == speech.speaker else f"{speech.speaker}'s"
    if word in ("me", "i", "us", "we"):
        return "them" if subject == speech.speaker and word in ("me", "us") else speech.speaker
    if word in ("myself", "ourselves"):
        return "themself" if subject == speech.speaker else speech.speaker
    if speech.addressee is not None:
        if word in ("your", "ur", "yours"):
            return "their" if subject == speech.addressee else f"{speech.addressee}'s"
        if word in ("you", "u", "ya"):
            return speech.addressee
    return str(token.text)


def sentence_of(clause: Clause, subject: str, object_text: str, time_text: str = "") -> str:
    """A short sentence in the third person: the subject, the verbs of the chain, the object as it was said."""
    parts = [subject, verb_phrase(clause, subject)]
    if object_text:
        parts.append(object_text)
    if time_text:
        parts.append(time_text)
    return " ".join(part for part in parts if part).strip()


def verb_phrase(clause: Clause, subject: str) -> str:
    """The verb with its helpers and chain, first person turned to third."""
    doc = clause.head.doc
    outer = clause.chain[0]
    helpers = [child for child in outer.children if child.dep_ in ("aux", "auxpass", "neg") and child.i < outer.i]
    first = min([outer.i, *(child.i for child in helpers)])
    words: list[str] = []
    for position in range(first, clause.head.i + 1):
        token = doc[position]
        if token in clause.chain or any(
            token.head == link and token.dep_ in ("aux", "auxpass", "neg", "prt") for link in clause.chain
        ):
            words.append(_agreeing(token, clause))
        elif token.dep_ == "prep" and token.head in clause.chain[:-1]:
            words.append(token.lower_)
    words.extend(child.lower_ for child in clause.head.children if child.dep_ == "prt" and child.i > clause.head.i)
    if clause.ended == "no_longer":
        words.insert(0, "no longer" if not any(word in ("not", "n't") for word in words) else "")
    return " ".join(word for word in words if word)


_AGREE = {
    "am": "is", "'m": "is", "’m": "is", "m": "is", "'re": "is", "’re": "is", "are": "is", "have": "has", "'ve": "has", "’ve": "has",
    "were": "was", "do": "does", "'ll": "will", "’ll": "will", "n't": "not", "n’t": "not", "gon": "going", "na": "to", "wo": "will",
    "ca": "can", "'d": "had", "’d": "had", "'s": "is", "’s": "is",
}  # fmt: skip


def _agreeing(token: Token, clause: Clause) -> str:
    word = token.lower_
    if token.dep_ in ("aux", "auxpass", "neg") or token.lemma_ in ("be", "have") or word in ("gon", "na"):
        if token.dep_ == "auxpass" and word in ("'s", "’s"):
            return "is"
        if word in _AGREE and (token.tag_ in ("VBP", "VBD", "VBZ", "MD", "RB", "TO") or word in ("gon", "na")):
            return _AGREE[word] if token.tag_ != "TO" else "to"
    helped = any(child.dep_ in ("aux", "auxpass") for child in token.children)
    if token.tag_ == "VBP" and not helped and clause.subject is not None and clause.subject.lower_ in FIRST | {"you"}:
        return third_singular(word)
    return word


def third_singular(verb: str) -> str:
    """A present verb as said of one other: work → works, try → tries."""
    if verb in ("have", "do", "go"):
        return {"have": "has", "do": "does", "go": "goes"}[verb]
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh")) else "s")


def between(doc: Doc, first: int, last: int) -> str:
    """The text of tokens ``first`` to ``last``, both included."""
    return str(doc[first : last + 1].text)
