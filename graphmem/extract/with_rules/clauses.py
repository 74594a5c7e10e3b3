"""Clauses: who does what, said in which mood and tense.

A clause is a verb with what hangs on it, chains of verbs merged into one ("decided to start looking into" is ``look into``, decided).
The mood says whether the speaker states that it is so, means to do it, asks, or imagines it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphmem.extract.with_rules.lexicon import words
from graphmem.extract.with_rules.moods import Mood, mood_of, told
from graphmem.extract.with_rules.parse import opens_in_the_past
from graphmem.extract.with_rules.people import FIRST, SECOND
from graphmem.extract.with_rules.tenses import Ended, Tense, ended_of, is_finite, is_negated, is_topped, tense_of

if TYPE_CHECKING:
    from graphmem.extract.with_rules.parse import Span, Token

_CLAUSAL = frozenset(
    {"ROOT", "conj", "ccomp", "advcl", "relcl", "xcomp", "pcomp", "acl", "parataxis", "csubj", "dep", "appos", "intj"}
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A predicate in its sentence.

    ``head`` is the verb that carries the meaning, ``chain`` the verbs merged into it, outermost first, ``head`` last. ``subject`` is
    the token that does it, None where the sentence leaves it out; ``antecedent`` is what a relative clause is about, when that is the
    object. ``ended`` tells how a state is said to be over. ``told`` is true under "I think that …" and the like. ``finite`` is false
    for participles and infinitives, which state nothing of their own.
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
    finite: bool
    sentence: Span

    @property
    def lemma(self) -> str:
        """The verb's lemma with its particle: ``sign up``."""
        return with_particle(self.head)

    @property
    def outer(self) -> Token:
        """The first verb of the chain, which carries the tense."""
        return self.chain[0]

    @property
    def by_speaker(self) -> bool:
        """Whether the subject is, or includes, the speaker."""
        if self.subject is None:
            return True
        return any(token.lower_ in FIRST for token in (self.subject, *self.subject.conjuncts))


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
    merges = lemma in merging or lemma in ("use", "suppose")
    for child in verb.children:
        if child.i < verb.i or child.pos_ not in ("VERB", "AUX"):
            continue
        if any(grand.dep_ in ("nsubj", "nsubjpass") for grand in child.children):
            continue
        if child.dep_ == "xcomp" and merges:
            return child
        if child.dep_ == "ccomp" and merges and child.tag_ in ("VB", "VBG"):
            return child
        if (
            child.dep_ == "advcl"
            and lemma in ("go", "get", "plan", "gon")
            and child.tag_ in ("VBG", "VB")
            and child.i == verb.i + 1
        ):
            return child
    for child in verb.children:
        inner = _after_preposition(lemma, child) or _after_adjective(verb, child)
        if inner is not None:
            return inner
    return None


def _after_preposition(lemma: str, child: Token) -> Token | None:
    """ "thinking about going", "planning on going", "can't wait for" aside."""
    fitting = child.lower_ in ("about", "of", "on", "to", "for")
    if child.dep_ == "prep" and fitting and lemma in ("think", "plan", "dream", "talk", "look"):
        return next((grand for grand in child.children if grand.dep_ == "pcomp" and grand.tag_ == "VBG"), None)
    return None


def _after_adjective(verb: Token, child: Token) -> Token | None:
    """ "excited to start", "about to leave", "make sure to call"."""
    announcing = verb.lemma_ == "be" and child.dep_ in ("acomp", "oprd") and child.lower_ in words("announcing")
    making_sure = verb.lemma_ in ("make", "be") and child.lower_ == "sure"
    if not announcing and not making_sure:
        return None
    for grand in child.children:
        subjectless = not any(deep.dep_ in ("nsubj", "nsubjpass") for deep in grand.children)
        if grand.dep_ in ("xcomp", "ccomp") and grand.tag_ == "VB" and subjectless:
            return grand
    return None


def _clause(chain: tuple[Token, ...], sentence: Span) -> Clause:
    outer, head = chain[0], chain[-1]
    subject = _subject(chain)
    antecedent = None
    if outer.dep_ == "relcl":
        if subject is not None and (subject.tag_ in ("WDT", "WP") or subject.lower_ == "that"):
            subject = outer.head
        elif _lacks_object(chain):
            antecedent = outer.head
    elif subject is None and not opens_in_the_past(outer):
        subject = _inherited(outer)
    tense = tense_of(chain)
    ended = ended_of(chain)
    return Clause(
        head=head,
        chain=chain,
        subject=subject,
        antecedent=antecedent,
        mood=mood_of(chain, subject, tense, sentence),
        tense=tense,
        negated=any(is_negated(link) for link in chain) and ended == "" and not is_topped(chain),
        passive=any(child.dep_ in ("auxpass", "nsubjpass") for child in head.children),
        ended=ended,
        told=told(outer),
        finite=is_finite(outer),
        sentence=sentence,
    )


def _lacks_object(chain: tuple[Token, ...]) -> bool:
    """Whether a relative clause leaves its object to what it is about: "the dog that I adopted", not "the day when I slept"."""
    for link in chain:
        for child in link.children:
            if child.tag_ == "WRB" or (
                child.dep_ == "dobj" and child.tag_ not in ("WDT", "WP") and child.lower_ != "that"
            ):
                return False
            if child.dep_ == "prep" and any(grand.tag_ in ("WDT", "WP") for grand in child.children):
                return False
    return True


def _subject(chain: tuple[Token, ...]) -> Token | None:
    """The subject nearest before its verb: in "Ana, I've had a day" the name is only called."""
    for link in chain:
        before = [child for child in link.children if child.dep_ in ("nsubj", "nsubjpass") and child.i < chain[-1].i]
        if before:
            return before[-1]
    return None


def _inherited(verb: Token) -> Token | None:
    """The subject that a coordinated or a participle clause shares with the clause it hangs on."""
    current = verb
    climbing = ("conj", "xcomp", "advcl", "pcomp", "prep", "acomp", "ccomp", "attr", "agent")
    while current.dep_ in climbing and current.head != current:
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
            if child.dep_ in ("nsubj", "nsubjpass") and child.i < verb.i and _agrees(child, verb):
                return child
    return None


def _agrees(subject: Token, verb: Token) -> bool:
    """Whether a subject can be that of a verb: "relieves" has no "me" to do it."""
    return verb.tag_ != "VBZ" or subject.lower_ not in FIRST | SECOND | {"they", "them"}
