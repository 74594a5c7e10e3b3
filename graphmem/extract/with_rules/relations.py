"""Kin, company and pets: "my sister Clara", "Biscuit is my dog", "I have a cat called Milo", "Jonas and I broke up"."""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.extract.with_rules.clauses import Clause
from graphmem.extract.with_rules.lexicon import kin, species
from graphmem.extract.with_rules.names import given_name, mention_of, named
from graphmem.extract.with_rules.parse import Span, Token
from graphmem.extract.with_rules.people import FIRST, Speech, described, owner
from graphmem.extract.with_rules.standing import Standing, standing_of_change, standing_of_state
from graphmem.extract.with_rules.statements import statement
from graphmem.extract.with_rules.times import Timed
from graphmem.records import FactDraft, Mention

_HELD = Standing("holds", None, None, 0.85)
_GETTING = frozenset({"get", "adopt", "buy", "rescue", "foster", "welcome"})


def relations_of(
    clause: Clause, times: tuple[Timed, ...], speech: Speech, subject: Mention | None
) -> Iterator[FactDraft]:
    """What a clause says of who belongs to whom."""
    yield from _possessed(clause, speech)
    yield from _identified(clause, speech)
    yield from _kept(clause, times, speech, subject)
    yield from _parted(clause, times, speech)


def _possessed(clause: Clause, speech: Speech) -> Iterator[FactDraft]:
    """Each "my sister" and "Tom's cat" among the words of the clause."""
    for token in _own_words(clause):
        lemma = token.lemma_.lower()
        if token.pos_ not in ("NOUN", "PROPN") or not (lemma in kin() or lemma in species()):
            continue
        name = owner(token, speech)
        if name is None or any(
            child.dep_ == "poss" and child.lower_ in ("his", "her", "their") for child in token.children
        ):
            continue
        if token.dep_ == "compound" or (token.dep_ == "attr" and clause.head.lemma_ == "be"):
            continue
        plural = token.tag_ in ("NNS", "NNPS")
        given = given_name(token)
        label = described(token, speech)
        if (plural and given is None) or label is None:
            continue
        yield from _related(_whose(name, clause, speech), token, given, label, clause, speech, _HELD)


def _own_words(clause: Clause) -> Iterator[Token]:
    heads = set(clause.chain)
    for token in clause.sentence:
        current = token
        while current not in heads and current.head != current and current.pos_ not in ("VERB", "AUX"):
            current = current.head
        if current in heads:
            yield token


def _whose(name: str, clause: Clause, speech: Speech) -> Mention:
    quote = speech.quote_of(clause.sentence)
    known = name in (speech.speaker, speech.addressee)
    return Mention(name, "Person", quote, speaker=name if known else None)


def _related(
    subject: Mention,
    noun: Token,
    given: Span | None,
    label: str,
    clause: Clause,
    speech: Speech,
    standing: Standing,
    event: int | None = None,
) -> Iterator[FactDraft]:
    lemma = noun.lemma_.lower()
    if lemma in species():
        yield from _pet(subject, noun, given, label, clause, speech, standing, event)
        return
    name = kin()[lemma]
    if given is not None:
        person = Mention(
            given.text, "Person", speech.quote(given.start_char, given.end_char), attributes=(("described_as", label),)
        )
        speech.names[label] = given.text
    else:
        text = speech.names.get(label, label)
        person = Mention(
            text, "Person", speech.quote(noun.idx, noun.idx + len(noun)), attributes=(("relation", lemma),)
        )
    speech.last_person = person
    yield statement(subject, name, person.name, clause, speech, standing, value_mention=person, event=event)


def _pet(
    subject: Mention,
    noun: Token,
    given: Span | None,
    label: str,
    clause: Clause,
    speech: Speech,
    standing: Standing,
    event: int | None,
) -> Iterator[FactDraft]:
    kind = noun.lemma_.lower()
    if given is not None:
        animal = Mention(
            given.text, "Animal", speech.quote(given.start_char, given.end_char), attributes=(("species", kind),)
        )
        speech.names[label] = given.text
    else:
        known = speech.names.get(label, label)
        animal = Mention(known, "Animal", speech.quote(noun.idx, noun.idx + len(noun)), attributes=(("species", kind),))
    value = animal.name if given is not None or animal.name != label else kind
    speech.last_person = animal
    yield statement(subject, "has_pet", value, clause, speech, standing, value_mention=animal, event=event)
    if given is not None and kind != "pet":
        yield statement(animal, "species", kind, clause, speech, _HELD)


def _identified(clause: Clause, speech: Speech) -> Iterator[FactDraft]:
    """ "Biscuit is my dog", "my dog is called Biscuit", "my brother's name is Tom"."""
    subject = clause.subject
    if subject is None or clause.negated:
        return
    head = clause.head
    if head.lemma_ == "be":
        for child in head.children:
            if child.dep_ != "attr":
                continue
            if subject.lemma_.lower() == "name" and child.pos_ == "PROPN":
                yield from _by_name(subject, child, clause, speech)
            elif (
                subject.pos_ == "PROPN"
                and child.pos_ == "NOUN"
                and _relation_noun(child)
                and owner(child, speech) is not None
            ):
                label = described(child, speech)
                if label is not None:
                    whose = _whose(str(owner(child, speech)), clause, speech)
                    yield from _related(whose, child, named(subject), label, clause, speech, _HELD)
            elif _relation_noun(subject) and child.pos_ == "PROPN" and owner(subject, speech) is not None:
                label = described(subject, speech)
                if label is not None:
                    yield from _related(
                        _whose(str(owner(subject, speech)), clause, speech),
                        subject,
                        named(child),
                        label,
                        clause,
                        speech,
                        _HELD,
                    )
    if head.lower_ in ("called", "named") and _relation_noun(subject) and owner(subject, speech) is not None:
        for child in head.children:
            if child.i > head.i and child.dep_ in ("oprd", "attr", "dobj", "npadvmod") and child.text[:1].isupper():
                label = described(subject, speech)
                if label is not None:
                    yield from _related(
                        _whose(str(owner(subject, speech)), clause, speech),
                        subject,
                        named(child),
                        label,
                        clause,
                        speech,
                        _HELD,
                    )


def _relation_noun(token: Token) -> bool:
    return token.lemma_.lower() in kin() or token.lemma_.lower() in species()


def _by_name(name: Token, value: Token, clause: Clause, speech: Speech) -> Iterator[FactDraft]:
    for child in name.children:
        if child.dep_ == "poss" and _relation_noun(child) and owner(child, speech) is not None:
            label = described(child, speech)
            if label is not None:
                yield from _related(
                    _whose(str(owner(child, speech)), clause, speech), child, named(value), label, clause, speech, _HELD
                )


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
            if not _relation_noun(noun) or noun.pos_ not in ("NOUN", "PROPN") or owner(noun, speech) is not None:
                continue
            lemma = noun.lemma_.lower()
            names = list(_names_beside(noun))
            if lemma in kin():
                if verb not in ("have",):
                    continue
                for given in names:
                    yield from _related(subject, noun, given, f"{subject.name}'s {lemma}", clause, speech, standing)
            elif names:
                for given in names:
                    yield from _pet(subject, noun, given, f"{subject.name}'s {lemma}", clause, speech, standing, None)
            else:
                yield from _pet(subject, noun, None, f"{subject.name}'s {lemma}", clause, speech, standing, None)


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
    root = first.root
    for other in root.conjuncts:
        if other.pos_ == "PROPN" and other.i > root.i and not _relation_noun(other):
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
