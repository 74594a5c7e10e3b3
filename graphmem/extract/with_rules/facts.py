"""Facts of a clause: the table of wordings first, then the rules that need more than a verb and its object."""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.extract.with_rules.clauses import Clause
from graphmem.extract.with_rules.favourites import favourites_of
from graphmem.extract.with_rules.names import person_of
from graphmem.extract.with_rules.parse import Token
from graphmem.extract.with_rules.patterns import Match, matches
from graphmem.extract.with_rules.people import Speech
from graphmem.extract.with_rules.phrases import object_tokens, told_by
from graphmem.extract.with_rules.quantities import quantities_of
from graphmem.extract.with_rules.relations import relations_of
from graphmem.extract.with_rules.standing import Standing, standing_of_change, standing_of_state
from graphmem.extract.with_rules.statements import statement, value_mention, value_text
from graphmem.extract.with_rules.times import Timed
from graphmem.records import FactDraft, Mention

_AGAIN = frozenset({"now", "again", "nowadays", "lately", "anymore", "finally"})
_OPPOSITE = {"likes": "dislikes", "dislikes": "likes"}


def facts_of(
    clause: Clause, times: tuple[Timed, ...], timed: frozenset[int], speech: Speech, event: int | None
) -> list[FactDraft]:
    """The facts that a clause states. ``event`` is the position of the clause's event, for facts that it establishes."""
    quote = speech.quote_of(clause.sentence)
    subject = person_of(clause.subject, speech, quote)
    if clause.subject is None and clause.tense not in ("past", "perfect", "present", "progressive"):
        subject = None
    found = (
        [] if clause.mood in ("asked", "imagined", "commanded") else list(relations_of(clause, times, speech, subject))
    )
    if clause.mood in ("asked", "commanded"):
        return found
    found.extend(_wishes(clause, timed, speech, subject))
    if clause.mood == "imagined":
        return found
    found.extend(favourites_of(clause, timed, speech, subject))
    found.extend(quantities_of(clause, times, timed, speech, subject))
    if subject is None:
        return found
    if clause.mood == "planned":
        found.extend(_plan(clause, times, timed, speech, subject, event))
        return found
    for match in matches(clause, timed):
        found.extend(_stated(match, clause, times, timed, speech, subject, event))
    found.extend(_lasting(clause, times, timed, speech, subject))
    return _once(found)


def _stated(
    match: Match,
    clause: Clause,
    times: tuple[Timed, ...],
    timed: frozenset[int],
    speech: Speech,
    subject: Mention,
    event: int | None,
) -> Iterator[FactDraft]:
    pattern = match.pattern
    if clause.mood == "wished" and pattern.value != "inner" and match.verb != clause.chain[0]:
        return
    if clause.mood == "wished" and pattern.property not in ("likes", "dislikes"):
        return
    standing = (
        standing_of_change(clause, times, pattern.ends)
        if pattern.change
        else standing_of_state(clause, times, pattern.past)
    )
    if standing is None:
        return
    value = value_text(match.value, timed, speech, subject.name)
    if not any(ch.isalnum() for ch in value):
        return
    none_of = any(child.lower_ == "no" and child.dep_ == "det" for child in match.value.children)
    if none_of:
        standing = Standing("denied", standing.valid, standing.time, standing.confidence)
    if pattern.property in _OPPOSITE:
        speech.topic = value
    entity = value_mention(match.value, speech)
    yield statement(
        subject,
        pattern.property,
        value,
        clause,
        speech,
        standing,
        value_mention=entity,
        event=event if pattern.change else None,
    )
    opposite = _OPPOSITE.get(pattern.property)
    if opposite is None:
        return
    cued = any(token.lower_ in _AGAIN for token in clause.sentence)
    if standing.polarity == "holds" and cued:
        ended = Standing("ended", standing.valid, standing.time, standing.confidence)
        yield statement(subject, opposite, value, clause, speech, ended, value_mention=entity, inferred=True)
    if standing.polarity == "denied" and pattern.property == "likes":
        held = Standing("holds", standing.valid, standing.time, standing.confidence)
        yield statement(subject, opposite, value, clause, speech, held, value_mention=entity, inferred=True)


def _wishes(clause: Clause, timed: frozenset[int], speech: Speech, subject: Mention | None) -> Iterator[FactDraft]:
    """ "I want to learn Italian", "I'd love to go to Norway": a wish, which is a fact about the present."""
    if subject is None or clause.negated or len(clause.chain) < 2:
        return
    outer = clause.chain[0]
    lemma = outer.lemma_.lower()
    conditional = any(child.lower_ in ("would", "'d", "’d") for child in outer.children if child.dep_ == "aux")
    wishing = (
        lemma in ("want", "hope", "wanna", "wish", "dream")
        and clause.mood == "wished"
        and clause.tense in ("present", "progressive")
    )
    if not wishing and not (conditional and lemma in ("love", "like", "want", "prefer")):
        return
    text = _doing(clause, timed, speech, subject.name, start=1)
    if text:
        yield statement(subject, "wants_to", text, clause, speech, Standing("holds", None, None, 0.7))


def _plan(
    clause: Clause, times: tuple[Timed, ...], timed: frozenset[int], speech: Speech, subject: Mention, event: int | None
) -> Iterator[FactDraft]:
    if clause.negated or event is None or clause.head.lemma_.lower() in ("be", "try", "see", "let", "know"):
        return
    chosen = next((item for item in times if item.interval is not None), None)
    text = _doing(clause, timed, speech, subject.name, start=len(clause.chain) - 1)
    if text:
        note = None if chosen is None else chosen.note
        yield statement(subject, "plans", text, clause, speech, Standing("holds", None, note, 0.7), event=event)


def _doing(clause: Clause, timed: frozenset[int], speech: Speech, subject: str, start: int) -> str:
    links: list[Token] = list(clause.chain[start:])
    if not links:
        return ""
    verbs = " ".join([links[0].lemma_.lower(), *(link.lower_ for link in links[1:])])
    particles = " ".join(child.lower_ for child in clause.head.children if child.dep_ == "prt")
    rest = told_by(object_tokens(clause, timed), speech, subject)
    return " ".join(part for part in (verbs, particles, rest) if part)


def _lasting(
    clause: Clause, times: tuple[Timed, ...], timed: frozenset[int], speech: Speech, subject: Mention
) -> Iterator[FactDraft]:
    """ "He's been retired since 2020": a state with a start, whatever the state is."""
    if clause.head.lemma_ != "be" or clause.negated or clause.tense != "perfect":
        return
    standing = standing_of_state(clause, times)
    if standing is None or standing.valid is None or not standing.valid.start_stated:
        return
    for child in clause.head.children:
        if child.dep_ in ("acomp", "attr") and child.i > clause.head.i and child.i not in timed:
            value = value_text(child, timed, speech, subject.name)
            if value:
                yield statement(subject, "state", value, clause, speech, standing)


def _once(facts: list[FactDraft]) -> list[FactDraft]:
    unique: dict[tuple[str, str, str, str], FactDraft] = {}
    for fact in facts:
        unique.setdefault((fact.subject.name, fact.property, fact.value.casefold(), fact.polarity), fact)
    return list(unique.values())
