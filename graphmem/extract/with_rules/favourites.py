"""Favourites: "my favourite colour is blue", "Dune is my favourite book". The kind of thing chooses among closed properties."""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.extract.with_rules.clauses import Clause
from graphmem.extract.with_rules.lexicon import favourites
from graphmem.extract.with_rules.names import mention_of
from graphmem.extract.with_rules.parse import Token
from graphmem.extract.with_rules.people import BARE, Speech, owner
from graphmem.extract.with_rules.standing import Standing
from graphmem.extract.with_rules.statements import statement, value_text
from graphmem.records import FactDraft, Mention

_FAVOURITE = frozenset({"favourite", "favorite", "fave", "fav"})


def favourites_of(
    clause: Clause, timed: frozenset[int], speech: Speech, subject: Mention | None
) -> Iterator[FactDraft]:
    """The favourites that a clause with "be" names, whichever side the favourite stands on."""
    if clause.head.lemma_ != "be" or clause.tense not in ("present", "perfect") or clause.subject is None:
        return
    complements = [
        child for child in clause.head.children if child.dep_ in ("attr", "acomp", "xcomp") and child.i > clause.head.i
    ]
    for kind, values in ((clause.subject, complements), *((c, [clause.subject]) for c in complements)):
        name = _owner_of_favourite(kind, speech)
        if name is None:
            continue
        whose = speech.self_mention(speech.quote_of(clause.sentence)) if name == speech.speaker else None
        if whose is None and name == speech.addressee:
            whose = speech.other_mention(speech.quote_of(clause.sentence))
        if whose is None:
            whose = Mention(name, "Person", speech.quote_of(clause.sentence))
        for value in values:
            for each in (value, *(other for other in value.conjuncts if other.pos_ in ("NOUN", "PROPN", "ADJ"))):
                fact = _favourite(kind, each, clause, timed, speech, whose)
                if fact is not None:
                    yield fact


def _owner_of_favourite(kind: Token, speech: Speech) -> str | None:
    if kind.lower_ not in _FAVOURITE and not any(child.lower_ in _FAVOURITE for child in kind.children):
        return None
    return owner(kind, speech)


def _favourite(
    kind: Token, value: Token, clause: Clause, timed: frozenset[int], speech: Speech, whose: Mention
) -> FactDraft | None:
    text = value_text(value, timed, speech, whose.name)
    if not text or value.lower_ in BARE or value == kind:
        return None
    category = kind.lemma_.lower()
    name = favourites().get(category, "favourite_thing")
    if name == "favourite_thing" and category not in _FAVOURITE:
        text = f"{category}: {text}"
    standing = Standing("denied" if clause.negated else "holds", None, None, 0.85)
    entity = mention_of(value, speech) if value.pos_ == "PROPN" else None
    return statement(whose, name, text, clause, speech, standing, value_mention=entity)
