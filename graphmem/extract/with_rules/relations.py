"""Kin, company and pets: "my sister Clara", "Biscuit is my dog", "I have a cat called Milo", "Jonas and I broke up"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from graphmem.extract.with_rules.clauses import Clause
from graphmem.extract.with_rules.lexicon import canonical_kin, kin, species
from graphmem.extract.with_rules.names import given_name, mention_of, name_it, named
from graphmem.extract.with_rules.people import FIRST, Speech, label_of, owner
from graphmem.extract.with_rules.standing import Standing, standing_of_change, standing_of_state
from graphmem.extract.with_rules.statements import statement
from graphmem.extract.with_rules.times import Timed
from graphmem.records import FactDraft, Mention

if TYPE_CHECKING:
    from graphmem.extract.with_rules.parse import Span, Token

_HELD = Standing("holds", None, None, 0.85)
_GETTING = frozenset({"get", "adopt", "buy", "rescue", "foster", "welcome"})
_ACQUAINTANCES = frozenset(
    {"friend", "buddy", "pal", "colleague", "coworker", "teammate", "neighbour", "neighbor", "coach", "mentor", "teacher", "doctor",
     "dentist", "therapist", "bff", "manager"}
)  # fmt: skip
"""Company that is worth a fact only with a name: anybody has friends."""
_PLURALS = frozenset({"NNS", "NNPS"})


def relations_of(
    clause: Clause, times: tuple[Timed, ...], speech: Speech, subject: Mention | None
) -> Iterator[FactDraft]:
    """What a clause says of who belongs to whom."""
    yield from _identified(clause, speech)
    yield from _possessed(clause, speech)
    yield from _kept(clause, times, speech, subject)
    yield from _parted(clause, times, speech)


def _possessed(clause: Clause, speech: Speech) -> Iterator[FactDraft]:
    """Each "my sister" and "Tom's cat" among the words of the clause."""
    for token in _own_words(clause):
        if token.pos_ not in ("NOUN", "PROPN") or not _is_relation(token) or token.dep_ == "compound":
            continue
        if token.dep_ == "attr" and clause.head.lemma_ == "be":
            continue
        given = given_name(token)
        if given is None and token.dep_ == "appos" and token.head.pos_ == "PROPN":
            given = named(token.head)  # "meet Toby, my puppy"
        called = given is None and token.dep_ in ("npadvmod", "intj", "ROOT", "appos", "dep", "oprd")
        if called or any(child.lower_ in ("future", "furry") for child in token.children):
            continue
        if given is not None and speech.is_called(given.text):
            continue  # "your friend, Deb": the name is only called
        if given is None and token.lemma_.lower() in _ACQUAINTANCES:
            continue
        by_pronoun = any(child.dep_ == "poss" and child.lower_ in ("his", "her") for child in token.children)
        if given is None and (by_pronoun or token.tag_ in _PLURALS):
            continue
        yield from _related(token, given, clause, speech)


def _own_words(clause: Clause) -> Iterator[Token]:
    heads = set(clause.chain)
    for token in clause.sentence:
        current = token
        while current not in heads and current.head != current and current.pos_ not in ("VERB", "AUX"):
            current = current.head
        if current in heads:
            yield token


def _is_relation(token: Token) -> bool:
    return bool({token.lemma_.lower(), token.lower_} & (kin().keys() | species()))


def _related(noun: Token, given: Span | None, clause: Clause, speech: Speech) -> Iterator[FactDraft]:
    """The relation that a possessed noun states, with the name it is given, if any."""
    holder, label = owner(noun, speech), label_of(noun, speech)
    if holder is None or label is None:
        return
    whose = speech.mention_by_name(holder, speech.quote_of(clause.sentence))
    if (
        any(child.dep_ == "poss" and child.lower_ in ("his", "her") for child in noun.children)
        and speech.last_person is not None
    ):
        whose = speech.last_person
    yield from _stated(whose, noun, given, label, clause, speech, _HELD)


def _stated(
    whose: Mention,
    noun: Token,
    given: Span | None,
    label: str,
    clause: Clause,
    speech: Speech,
    standing: Standing,
    *,
    indefinite: bool = False,
) -> Iterator[FactDraft]:
    lemma = noun.lemma_.lower()
    animal = lemma in species()
    kind = "Animal" if animal else "Person"
    word = lemma if lemma in kin() or animal else noun.lower_
    relation = canonical_kin().get(word, word)
    if given is not None:
        name_it(label, given.text, kind, speech)
        quote = speech.quote(given.start_char, given.end_char)
        other = Mention(given.text, kind, quote, attributes=(("described_as", label), ("relation", relation)))
    else:
        known = label if indefinite else speech.names.get(label, label)
        other = Mention(known, kind, speech.quote(noun.idx, noun.idx + len(noun)), attributes=(("relation", relation),))
    if other.name == whose.name:
        return
    speech.last_person = other
    if not animal:
        yield statement(whose, kin()[word], other.name, clause, speech, standing, value_mention=other)
        return
    value = other.name if other.name != label else relation
    yield statement(whose, "has_pet", value, clause, speech, standing, value_mention=other)
    if given is not None and lemma != "pet":
        yield statement(other, "species", relation, clause, speech, _HELD)


def _identified(clause: Clause, speech: Speech) -> Iterator[FactDraft]:
    """ "Biscuit is my dog", "my dog is called Biscuit", "my brother's name is Tom"."""
    subject, head = clause.subject, clause.head
    if subject is None or clause.negated:
        return
    if head.lower_ in ("called", "named") and _is_relation(subject):
        for child in head.children:
            if child.i > head.i and child.dep_ in ("oprd", "attr", "dobj", "npadvmod") and child.text[:1].isupper():
                yield from _related(subject, named(child), clause, speech)
    if head.lemma_ != "be":
        return
    for child in head.children:
        if child.dep_ != "attr":
            continue
        if subject.lemma_.lower() == "name" and child.pos_ == "PROPN":
            for possessor in subject.children:
                if possessor.dep_ == "poss" and _is_relation(possessor):
                    yield from _related(possessor, named(child), clause, speech)
        elif subject.pos_ == "PROPN" and child.pos_ == "NOUN" and _is_relation(child):
            yield from _related(child, named(subject), clause, speech)
        elif subject.lower_ in ("he", "she") and child.pos_ == "NOUN" and _is_relation(child):
            yield from _about_last_person(child, clause, speech)
        elif _is_relation(subject) and child.pos_ == "PROPN":
            yield from _related(subject, named(child), clause, speech)


def _about_last_person(noun: Token, clause: Clause, speech: Speech) -> Iterator[FactDraft]:
    """ "He's Farah's neighbour", of the person whom the turn has just named."""
    person, holder, label = speech.last_person, owner(noun, speech), label_of(noun, speech)
    if person is None or holder is None or label is None or holder == person.name:
        return
    name_it(label, person.name, person.type, speech)
    whose = speech.mention_by_name(holder, speech.quote_of(clause.sentence))
    yield from _stated(whose, noun, None, label, clause, speech, _HELD)


def _kept(clause: Clause, times: tuple[Timed, ...], speech: Speech, subject: Mention | None) -> Iterator[FactDraft]:
    """ "I have two cats, Milo and Luna", "we adopted a puppy", "I have a sister named Clara"."""
    if subject is None or clause.mood != "stated":
        return
    verb = clause.head.lemma_.lower()
    if verb in ("have", "own", "keep"):
        standing = standing_of_state(clause, times, "ended")
    elif verb in _GETTING:
        standing = standing_of_change(clause, times, ends=False)
    else:
        return
    if standing is None:
        return
    for child in clause.head.children:
        if child.dep_ != "dobj":
            continue
        for noun in (child, *child.conjuncts, *_nested(child)):
            if noun.pos_ not in ("NOUN", "PROPN") or not _is_relation(noun) or owner(noun, speech) is not None:
                continue
            names = list(_names_beside(noun))
            person = noun.lemma_.lower() in kin()
            if person and (verb != "have" or not names):
                continue
            if any(part.lower_ == "no" for part in noun.children):
                standing = Standing("denied", standing.valid, standing.time, standing.confidence)
            word = noun.lemma_.lower()
            label = f"{subject.name}'s {canonical_kin().get(word, word)}"
            for given in names or (None,):
                yield from _stated(subject, noun, given, label, clause, speech, standing, indefinite=True)


def _nested(token: Token) -> Iterator[Token]:
    """Nouns that the parser hung under the name of an earlier one: "a dog called Rex and two cats"."""
    for child in token.subtree:
        if child != token and child.dep_ == "conj" and child.pos_ == "NOUN" and child not in token.conjuncts:
            yield child


def _names_beside(noun: Token) -> Iterator[Span]:
    first = given_name(noun)
    if first is None:
        return
    yield first
    for other in first.root.conjuncts:
        if other.pos_ == "PROPN" and other.i > first.root.i and not _is_relation(other):
            yield named(other)


def _parted(clause: Clause, times: tuple[Timed, ...], speech: Speech) -> Iterator[FactDraft]:
    """ "Jonas and I broke up in April"."""
    particles = [child.lower_ for child in clause.head.children if child.dep_ == "prt"]
    if (
        clause.head.lemma_ not in ("break", "split")
        or "up" not in particles
        or clause.subject is None
        or clause.mood != "stated"
    ):
        return
    standing = standing_of_change(clause, times, ends=True)
    if standing is None:
        return
    both = [clause.subject, *clause.subject.conjuncts]
    if any(token.lower_ in FIRST for token in both):
        me = speech.self_mention(speech.quote_of(clause.sentence))
        for token in both:
            other = mention_of(token, speech) if token.lower_ not in FIRST else None
            if other is not None:
                yield statement(me, "has_partner", other.name, clause, speech, standing, value_mention=other)
