"""One turn, read top to bottom: parse, times, clauses, events, facts, names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphmem.extract.with_rules.beginnings import beginning_of
from graphmem.extract.with_rules.clauses import Clause, clauses_of
from graphmem.extract.with_rules.events import Found, event_of, noted
from graphmem.extract.with_rules.facts import facts_of
from graphmem.extract.with_rules.names import SPEAKERS, mentions_of, note_person
from graphmem.extract.with_rules.parse import parse
from graphmem.extract.with_rules.patterns import learn_types
from graphmem.extract.with_rules.people import Speech
from graphmem.extract.with_rules.times import Timed, assign, times_of
from graphmem.records import EventDraft, FactDraft, Mention

if TYPE_CHECKING:
    from graphmem.extract.with_rules.parse import Span


@dataclass(frozen=True, slots=True)
class Reading:
    """What a turn says, in order of text. A fact's ``event`` counts within this reading's events."""

    events: tuple[EventDraft, ...]
    facts: tuple[FactDraft, ...]
    mentions: tuple[Mention, ...]


def read_turn(speech: Speech) -> Reading:
    """The drafts of one turn."""
    doc = parse(speech.turn.text)
    doc.user_data[SPEAKERS] = {
        part for who in (*speech.people, speech.speaker, speech.addressee) if who for part in (who, who.split()[0])
    }
    times = times_of(speech.turn, doc, speech.policy)
    events: list[EventDraft] = []
    facts: list[FactDraft] = []
    timed = frozenset(index for item in times if not item.measures for index in item.tokens)
    for sentence in doc.sents:
        for found in _read_sentence(sentence, times, timed, speech):
            position = None
            if found.event is not None:
                position = len(events)
                events.append(found.event)
                began = None if found.clause is None else beginning_of(found.clause, found.event, found.times)
                if began is not None:
                    events.append(began)
            if found.clause is not None:
                facts.extend(facts_of(found.clause, found.times, timed, speech, position))
        note_person(sentence, speech)
    return Reading(tuple(events), tuple(_once(facts)), mentions_of(doc, speech))


def _read_sentence(sentence: Span, times: tuple[Timed, ...], timed: frozenset[int], speech: Speech) -> list[Found]:
    clauses = clauses_of(sentence)
    given = assign(times, clauses, sentence)
    for clause in clauses:
        if clause.mood in ("stated", "planned"):
            learn_types(clause, timed, speech)
    found: list[Found] = []
    borrowed: Timed | None = None
    used: set[int] = set()
    for clause in clauses:
        own = tuple(given.get(clause.head.i, ()))
        event = event_of(clause, own, timed, speech, borrowed)
        if event is not None and own:
            used.update(item.expression.start for item in own if item.note == event.time)
        found.append(Found(clause, event, own))
        if own and own[0].interval is not None and clause.mood == "stated" and _dates_the_clause(own[0], clause):
            borrowed = own[0]
    loose = tuple(item for items in given.values() for item in items if item.expression.start not in used)
    if loose and not _asks(clauses, sentence):
        event = noted(sentence, loose, timed, speech)
        if event is not None:
            found.append(Found(None, event, loose))
    return found


def _dates_the_clause(timed: Timed, clause: Clause) -> bool:
    """Whether a time says when the clause happened, rather than describe a noun in it ("a 1968 guitar")."""
    above = timed.root.head
    return above in clause.chain or (above.dep_ == "prep" and above.head in clause.chain)


def _asks(clauses: tuple[Clause, ...], sentence: Span) -> bool:
    return bool(clauses) and all(clause.mood in ("asked", "imagined", "commanded") for clause in clauses)


def _once(facts: list[FactDraft]) -> list[FactDraft]:
    """A turn states a thing once, however often it repeats it: the surest statement stays, the first among equals."""
    best: dict[tuple[str, str, str, str], FactDraft] = {}
    for fact in facts:
        key = (fact.subject.name, fact.property, fact.value.casefold(), fact.polarity)
        if key not in best or (fact.confidence, fact.valid is not None) > (
            best[key].confidence,
            best[key].valid is not None,
        ):
            best[key] = fact
    return list(best.values())
