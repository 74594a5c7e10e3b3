"""Clauses: who does what, said in which mood and tense.

A clause is a finite verb or a participle with what hangs on it, chains of verbs merged into one ("decided to start looking into" is
``look into``, decided). The mood says whether the speaker states that it is so, means to do it, asks, or imagines it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from graphmem.extract.with_rules.lexicon import words
from graphmem.extract.with_rules.parse import Span, Token

Mood = Literal["stated", "planned", "wished", "asked", "imagined", "commanded"]
Tense = Literal["past", "perfect", "present", "progressive", "future", "none"]
Ended = Literal["", "used_to", "no_longer", "ceased"]

_CLAUSAL = frozenset(
    {"ROOT", "conj", "ccomp", "advcl", "relcl", "xcomp", "pcomp", "acl", "parataxis", "csubj", "dep", "appos", "intj"}
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A predicate in its sentence.

    ``head`` is the verb that carries the meaning, ``chain`` the verbs merged into it, outermost first, ``head`` last. ``subject`` is
    the token that does it, None where the sentence leaves it out; ``antecedent`` is what a relative clause is about, when that is the
    object. ``ended`` tells how a state is said to be over. ``told`` is true under "I think that …" and the like.
    """

    head: Token
    chain: tuple[Token, ...]
    subject: Token | None
    antecedent: Token | None
    mood: Mood
    tense: Tense
    negated: bool
    passive: bool
    ended: Ended
    told: bool
    sentence: Span

    @property
    def lemma(self) -> str:
        """The verb's lemma with its particle: ``sign up``."""
        return with_particle(self.head)


def with_particle(verb: Token) -> str:
    """A verb's lemma and its particle, lower case."""
    particles = [child.lower_ for child in verb.children if child.dep_ == "prt"]
    return " ".join([verb.lemma_.lower(), *particles[:1]])


def clauses_of(sentence: Span) -> tuple[Clause, ...]:
    """The clauses of a sentence in order of their verbs."""
    merged: set[int] = set()
    found = []
    for token in sentence:
        if token.i in merged or not _heads_clause(token):
            continue
        chain = _chain(token)
        merged.update(link.i for link in chain)
        found.append(_clause(chain, sentence))
    return tuple(found)


def _heads_clause(token: Token) -> bool:
    if token.pos_ not in ("VERB", "AUX") or token.dep_ in ("aux", "auxpass", "amod", "compound"):
        return False
    if token.dep_ in _CLAUSAL:
        return True
    return any(child.dep_ in ("nsubj", "nsubjpass") for child in token.children)


def _chain(token: Token) -> tuple[Token, ...]:
    """The verb and the verbs that only carry on what it began."""
    links = [token]
    while (inner := _continuation(links[-1])) is not None:
        links.append(inner)
    return tuple(links)


def _continuation(verb: Token) -> Token | None:
    lemma = verb.lemma_.lower()
    merging = words("aspect") | words("ceasing") | words("deciding") | words("planning") | words("wishing")
    for child in verb.children:
        if child.i < verb.i or child.pos_ not in ("VERB", "AUX"):
            continue
        owns_subject = any(grand.dep_ in ("nsubj", "nsubjpass") for grand in child.children)
        if child.dep_ == "xcomp" and not owns_subject and (lemma in merging or lemma in ("use", "suppose")):
            return child
        if (
            child.dep_ == "advcl"
            and lemma in ("go", "get", "plan", "gon")
            and child.tag_ in ("VBG", "VB")
            and child.i == verb.i + 1
        ):
            return child
        if child.dep_ == "ccomp" and not owns_subject and child.tag_ in ("VB", "VBG") and lemma in merging:
            return child
    for child in verb.children:  # "thinking about going", "planning on going", "excited to start"
        if child.dep_ == "prep" and lemma in ("think", "plan", "dream", "talk", "look"):
            for grand in child.children:
                if grand.dep_ == "pcomp" and grand.tag_ == "VBG":
                    return grand
        if child.dep_ == "acomp" and verb.lemma_ == "be" and child.lower_ in words("announcing"):
            for grand in child.children:
                if grand.dep_ in ("xcomp", "ccomp") and grand.tag_ == "VB":
                    return grand
    return None


def _clause(chain: tuple[Token, ...], sentence: Span) -> Clause:
    outer, head = chain[0], chain[-1]
    subject = _subject(chain)
    antecedent = None
    if outer.dep_ == "relcl":
        if (subject is not None and subject.tag_ in ("WDT", "WP")) or (
            subject is not None and subject.lower_ == "that"
        ):
            subject = outer.head
        else:
            antecedent = outer.head
    elif subject is None:
        subject = _inherited(outer)
    tense = _tense(chain)
    ended = _ended(chain)
    return Clause(
        head=head,
        chain=chain,
        subject=subject,
        antecedent=antecedent,
        mood=_mood(chain, subject, tense, sentence),
        tense=tense,
        negated=any(_negated(link) for link in chain) and ended == "",
        passive=any(child.dep_ in ("auxpass", "nsubjpass") for child in head.children),
        ended=ended,
        told=_told(outer),
        sentence=sentence,
    )


def _subject(chain: tuple[Token, ...]) -> Token | None:
    for link in chain:
        for child in link.children:
            if child.dep_ in ("nsubj", "nsubjpass") and child.i < chain[-1].i:
                return child
    return None


def _inherited(verb: Token) -> Token | None:
    """The subject that a coordinated or a participle clause shares with the clause it hangs on."""
    current = verb
    while (
        current.dep_ in ("conj", "xcomp", "advcl", "pcomp", "prep", "acomp", "ccomp", "attr", "agent")
        and current.head != current
    ):
        if current.dep_ == "ccomp" and current.tag_ in ("VBD", "VBZ", "VBP"):
            return None
        if current.dep_ == "xcomp":
            objects = [
                child for child in current.head.children if child.dep_ in ("dobj", "dative") and child.i < current.i
            ]
            if objects and current.tag_ == "VB":
                return objects[0]
        current = current.head
        for child in current.children:
            if child.dep_ in ("nsubj", "nsubjpass") and child.i < verb.i:
                return child
    return None


def _auxiliaries(verb: Token) -> list[Token]:
    return [child for child in verb.children if child.dep_ in ("aux", "auxpass") and child.i < verb.i]


def _tense(chain: tuple[Token, ...]) -> Tense:
    outer = chain[0]
    helpers = [child.lower_ for child in _auxiliaries(outer)]
    if any(word in ("will", "'ll", "’ll", "wo", "shall") for word in helpers):
        return "future"
    if outer.lemma_ == "use" and len(chain) > 1:
        return "past"
    if any(word in ("had", "'d", "’d") for word in helpers) and outer.tag_ in ("VBN", "VBD"):
        return "past"
    if any(word in ("have", "has", "'ve", "’ve") for word in helpers):
        return "perfect"
    if any(word in ("did", "was", "were") for word in helpers):
        return "past"
    if outer.tag_ == "VBD":
        return "past"
    if outer.tag_ == "VBG":
        if any(
            word in ("am", "is", "are", "'m", "'re", "'s", "’m", "’re", "’s", "been", "m", "re") for word in helpers
        ):
            return "progressive"
        return _borrowed(outer) if outer.dep_ != "ROOT" else "progressive"
    if outer.tag_ == "VBN":
        if any(word in ("is", "are", "am", "'s", "'re", "'m", "’s", "’re", "’m") for word in helpers):
            return "present"
        if outer.dep_ in ("conj", "advcl", "xcomp"):
            return _borrowed(outer)
        return "perfect" if outer.lemma_ == "be" or "been" in helpers else "past"
    if outer.tag_ in ("VBP", "VBZ"):
        return "present"
    return _borrowed(outer) if outer.dep_ in ("conj", "xcomp", "advcl", "pcomp", "ccomp") else "none"


def _borrowed(verb: Token) -> Tense:
    """The tense of the clause that a participle or a bare verb hangs on."""
    current = verb.head
    while current.pos_ not in ("VERB", "AUX") and current.head != current:
        current = current.head
    return _tense((current,)) if current != verb and current.pos_ in ("VERB", "AUX") else "none"


def _negated(verb: Token) -> bool:
    return any(
        child.dep_ == "neg" or child.lower_ in ("never", "hardly", "barely")
        for child in verb.children
        if child.i < verb.i + 2
    )


def _ended(chain: tuple[Token, ...]) -> Ended:
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
                _negated(link)
                and child.dep_ == "advmod"
                and child.lower_ in ("anymore", "longer", "more")
                and child.i > link.i
            ):
                return "no_longer"
    negated = any(_negated(link) for link in chain)
    tail = " ".join(token.lower_ for token in chain[-1].subtree)
    return "no_longer" if negated and ("anymore" in tail or "any more" in tail or "any longer" in tail) else ""


def _mood(chain: tuple[Token, ...], subject: Token | None, tense: Tense, sentence: Span) -> Mood:
    outer = chain[0]
    if _asked(outer, sentence):
        return "asked"
    if _imagined(outer):
        return "imagined"
    for link in chain:
        modal = {child.lower_ for child in _auxiliaries(link)} & _MODALS
        if modal and not (modal == {"ca"} and _cannot_wait(chain)):
            return "imagined"
    if _cannot_wait(chain):
        return "planned"
    if (
        subject is None
        and outer.tag_ in ("VB", "VBP")
        and outer.dep_ in ("ROOT", "conj", "ccomp", "parataxis")
        and not _auxiliaries(outer)
    ):
        return "commanded"
    if outer.lemma_.lower() == "let" and outer.tag_ == "VB":
        return "commanded"
    return _intended(chain, tense)


_MODALS = frozenset({"would", "could", "might", "may", "should", "must", "can", "ca", "ought", "'d", "’d", "wouldn’t"})


def _cannot_wait(chain: tuple[Token, ...]) -> bool:
    outer = chain[0]
    return outer.lemma_.lower() == "wait" and any(child.lower_ in ("ca", "can", "cannot") for child in outer.children)


def _intended(chain: tuple[Token, ...], tense: Tense) -> Mood:
    for link in chain[:-1]:
        lemma = link.lemma_.lower()
        if lemma == "go" and link.tag_ == "VBG" and chain[chain.index(link) + 1].tag_ == "VB":
            return "planned"
        if (
            lemma in ("gon", "plan", "intend", "aim", "think", "consider", "talk", "look", "dream")
            or link.lower_ == "gon"
        ):
            return "planned"
        if lemma in ("set", "arrange", "prepare", "schedule", "book"):
            return "planned"
        if lemma == "be":
            return "planned" if tense != "past" else "wished"
        if lemma in words("wishing"):
            if lemma == "have" and tense == "past":
                continue
            if lemma == "get":
                continue
            return "wished"
    return "planned" if tense == "future" else "stated"


def _asked(verb: Token, sentence: Span) -> bool:
    """Whether the clause is a question: it ends in "?" or inverts, unless a statement stands before the question proper."""
    marks = [token for token in sentence if "?" in token.text]
    if _inverted(verb):
        return True
    if not marks:
        return False
    later_question = any(
        _inverted(token) for token in sentence if token.i > verb.i and token != verb and token.pos_ in ("VERB", "AUX")
    )
    has_subject = any(child.dep_ in ("nsubj", "nsubjpass") and child.i < verb.i for child in verb.children)
    first = any(child.lower_ in ("i", "we") for child in verb.children if child.dep_ in ("nsubj", "nsubjpass"))
    return not (later_question and has_subject and first and verb.tag_ in ("VBD", "VBP", "VBZ", "VBN", "VBG"))


def _inverted(verb: Token) -> bool:
    subject = next((child for child in verb.children if child.dep_ in ("nsubj", "nsubjpass")), None)
    if verb.dep_ in ("relcl", "advcl"):
        return False
    if any(child.tag_ in ("WP", "WRB", "WDT") and child.i < verb.i for child in verb.children):
        return verb.dep_ in ("ROOT", "conj", "parataxis") and "!" not in verb.sent.text[-2:] and "?" in verb.sent.text
    if subject is None:
        return False
    helpers = [child for child in _auxiliaries(verb) if child.lower_ in _INVERTING]
    if helpers and helpers[0].i < subject.i:
        return True
    return verb.lemma_ == "be" and verb.i < subject.i and verb.dep_ == "ROOT" and verb.i == verb.sent.start


_INVERTING = frozenset(
    {
        "do",
        "does",
        "did",
        "have",
        "has",
        "are",
        "is",
        "am",
        "was",
        "were",
        "will",
        "can",
        "could",
        "would",
        "should",
        "may",
    }
)


def _imagined(verb: Token) -> bool:
    """Whether the clause stands under a condition, a modal or a wish."""
    for ancestor in _ladder(verb):
        marks = [
            child.lower_ for child in ancestor.children if child.dep_ in ("mark", "advmod") and child.i < ancestor.i
        ]
        if ancestor.dep_ in ("advcl", "ccomp", "pcomp", "xcomp", "conj", "dep") and any(
            m in words("hypothetical_marks") for m in marks
        ):
            return True
        above = ancestor.head
        if above == ancestor or above.pos_ not in ("VERB", "AUX", "ADJ"):
            continue
        if ancestor.dep_ in ("ccomp", "xcomp"):
            if above.lemma_.lower() in words("imagining"):
                return True
            if (
                any(child.lower_ in _MODALS for child in _auxiliaries(above))
                and above.i < ancestor.i
                and above.lemma_ != "wait"
            ):
                return True
    return False


def _ladder(verb: Token) -> Iterator[Token]:
    """The verb and the clause heads above it, up to a relative clause, which states what it states."""
    current = verb
    while True:
        yield current
        if current.dep_ in ("ROOT", "relcl", "acl") or current.head == current:
            return
        if current.dep_ == "ccomp" and current.i < current.head.i:
            return
        if current.dep_ == "advcl" and not any(
            child.lower_ in words("hypothetical_marks")
            for child in current.children
            if child.dep_ in ("mark", "advmod")
        ):
            return
        current = current.head


def _told(verb: Token) -> bool:
    above = verb.head
    return verb.dep_ == "ccomp" and above != verb and above.i < verb.i and above.lemma_.lower() in words("telling")
