"""Facts of a clause: the table of wordings first, then the rules that need more than a verb and its object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from graphmem.extract.with_rules.clauses import Clause
from graphmem.extract.with_rules.dates import dates_of
from graphmem.extract.with_rules.favourites import favourites_of
from graphmem.extract.with_rules.intentions import plan_of, wish_of
from graphmem.extract.with_rules.names import person_of
from graphmem.extract.with_rules.patterns import Match, matches
from graphmem.extract.with_rules.people import BARE, SECOND, Speech
from graphmem.extract.with_rules.quantities import quantities_of
from graphmem.extract.with_rules.relations import relations_of
from graphmem.extract.with_rules.standing import Standing, standing_of_change, standing_of_state
from graphmem.extract.with_rules.statements import called_name, statement, value_mention, value_text
from graphmem.extract.with_rules.tenses import is_partly
from graphmem.extract.with_rules.times import Timed
from graphmem.records import FactDraft, Mention

if TYPE_CHECKING:
    from graphmem.extract.with_rules.parse import Token

_OPPOSITE = {"likes": "dislikes", "dislikes": "likes"}
_BARE_VALUES = frozenset({"works_as", "speaks_language", "does_activity", "diet", "relationship_status", "plays"})
_TURNED = frozenset({"now", "again", "anymore", "nowadays"})
_EMPTY_GERUNDS = frozenset(
    {"have", "see", "share", "make", "know", "be", "get", "do", "go", "hear", "think", "feel", "let", "say", "take", "give", "come"}
)  # fmt: skip


def facts_of(
    clause: Clause, times: tuple[Timed, ...], timed: frozenset[int], speech: Speech, event: int | None
) -> list[FactDraft]:
    """The facts that a clause states. ``event`` is the position of the clause's event, for facts that it establishes."""
    quote = speech.quote_of(clause.sentence)
    subjects = _subjects(clause, speech)
    subject = person_of(clause.subject, speech, quote) if clause.finite and subjects else None
    found: list[FactDraft] = []
    if clause.mood not in ("asked", "imagined", "commanded"):
        found.extend(relations_of(clause, times, speech, subject))
    if clause.mood in ("asked", "commanded"):
        return found
    if subject is not None and clause.by_speaker:
        found.extend(wish_of(clause, timed, speech, subject))
    if clause.mood == "imagined":
        return found
    found.extend(favourites_of(clause, timed, speech))
    found.extend(dates_of(clause, times, speech, subject))
    found.extend(quantities_of(clause, times, timed, speech, subject))
    if subject is None:
        return found
    if clause.mood == "planned":
        found.extend(plan_of(clause, times, timed, speech, subject, event))
        return found
    for match in matches(clause, timed):
        found.extend(_stated(match, clause, times, timed, speech, subjects, event))
    found.extend(_lasting(clause, times, timed, speech, subject))
    found.extend(_out_of_work(clause, times, speech, subject, event))
    return found


def _subjects(clause: Clause, speech: Speech) -> list[Mention]:
    """Those whom the clause is about, each on their own: "Priya and I are vegetarians" is about two."""
    quote = speech.quote_of(clause.sentence)
    if clause.subject is None:
        stated = clause.tense in ("past", "perfect", "present", "progressive") or clause.mood == "planned"
        return [speech.self_mention(quote)] if stated else []
    parts = [clause.subject, *(other for other in clause.subject.conjuncts if other.i < clause.head.i)]
    return [mention for part in parts if (mention := person_of(part, speech, quote)) is not None]


def _stated(
    match: Match,
    clause: Clause,
    times: tuple[Timed, ...],
    timed: frozenset[int],
    speech: Speech,
    subjects: list[Mention],
    event: int | None,
) -> Iterator[FactDraft]:
    pattern = match.pattern
    if clause.mood == "wished" and (pattern.property not in _OPPOSITE or pattern.value != "inner"):
        return
    if clause.outer.dep_ == "advcl" and any(
        child.lower_ in ("when", "while", "before", "after") for child in clause.outer.children
    ):
        return  # "when I turned ten", "before I moved": background, without a time of its own
    if _begun(match, clause) or pattern.change:
        standing = standing_of_change(clause, times, pattern.ends)
    else:
        standing = standing_of_state(clause, times, pattern.past)
    if standing is None:
        return
    tasting = pattern.property in _OPPOSITE
    if tasting and (_passing(match.value) or (clause.negated and not _denies(match, clause))):
        return
    value = match.value.lower_ if pattern.value == "self" else ""
    value = value or value_text(match.value, timed, speech, subjects[0].name, bare=pattern.property in _BARE_VALUES)
    if not any(ch.isalnum() for ch in value):
        return
    if any(child.lower_ == "no" and child.dep_ == "det" for child in match.value.children):
        standing = Standing("denied", standing.valid, standing.time, standing.confidence)
    if pattern.property in _OPPOSITE:
        speech.topic = value
    entity = None if pattern.property in _BARE_VALUES else value_mention(match.value, speech)
    establishing = event if pattern.change or _begun(match, clause) else None
    for subject in subjects:
        yield statement(
            subject, pattern.property, value, clause, speech, standing, value_mention=entity, event=establishing
        )
        yield from _opposite(subject, pattern.property, value, entity, clause, speech, standing)


def _out_of_work(
    clause: Clause, times: tuple[Timed, ...], speech: Speech, subject: Mention, event: int | None
) -> Iterator[FactDraft]:
    """ "I lost my job", "she quit her job", "I was laid off", "he's been made redundant": whatever the work was, it is over.

    Where the employer or the profession is named the table has it.
    """
    verb = clause.lemma
    jobs = [
        child
        for child in clause.head.children
        if child.dep_ == "dobj" and child.lemma_.lower() == "job" and any(own.dep_ == "poss" for own in child.children)
    ]
    named = any(
        child.dep_ == "prep" and child.lower_ in ("at", "with", "as", "from", "by")
        for head in (clause.head, *jobs)
        for child in head.children
    )
    lost = verb in ("lose", "quit", "leave") and jobs
    dismissed = clause.passive and (
        verb in ("lay off", "fire", "dismiss", "sack")
        or (verb == "make" and any(child.lower_ == "redundant" for child in clause.head.children))
    )
    if named or not (lost or dismissed):
        return
    standing = standing_of_change(clause, times, ends=True)
    if standing is None:
        return
    for name in ("works_at", "works_as"):
        yield statement(subject, name, "", clause, speech, standing, event=event)


def _denies(match: Match, clause: Clause) -> bool:
    """Whether a negated liking is a lasting dislike: "I don't like olives", "I've never liked olives", not "I didn't like the soup"."""
    never = any(child.lower_ == "never" for child in match.verb.children)
    lasting = clause.tense == "present" or (clause.tense == "perfect" and never)
    return lasting and not is_partly(match.verb, match.value)


def _begun(match: Match, clause: Clause) -> bool:
    """Whether the chain says that a state began ("I started working at Acme"), which is a change."""
    before = clause.chain[: clause.chain.index(match.verb)]
    return any(link.lemma_.lower() in ("start", "begin") for link in before) and clause.tense in ("past", "perfect")


def _opposite(
    subject: Mention, name: str, value: str, entity: Mention | None, clause: Clause, speech: Speech, standing: Standing
) -> Iterator[FactDraft]:
    """What a liking says of the dislike: "I love it now" ends it, "I don't like sushi" is one."""
    other = _OPPOSITE.get(name)
    if other is None:
        return
    turned = any(
        child.lower_ in _TURNED and not (child.i > 0 and child.nbor(-1).lower_ in ("right", "less"))
        for link in clause.chain
        for child in link.children
    )
    turned = turned and len(value.split()) <= 3
    if standing.polarity == "holds" and turned:
        ended = Standing("ended", standing.valid, standing.time, standing.confidence)
        yield statement(subject, other, value, clause, speech, ended, value_mention=entity, inferred=True)
    if standing.polarity == "denied" and name == "likes":
        held = Standing("holds", standing.valid, standing.time, standing.confidence)
        yield statement(subject, other, value, clause, speech, held, value_mention=entity, inferred=True)


def _passing(value: Token) -> bool:
    """Whether a liked thing is only this one, here ("I love that photo", "I love your idea", "I love seeing it"): no lasting taste."""
    if called_name(value) is not None:
        return False
    if any(child.dep_ == "det" and child.lower_ in ("this", "that", "these", "those") for child in value.children):
        return True
    if any(child.lower_ in SECOND | {"its", "his", "her", "their"} for child in value.children if child.dep_ == "poss"):
        return True
    if value.tag_ in ("VBG", "VB"):
        objects = [
            child
            for child in value.children
            if child.dep_ in ("dobj", "ccomp", "nsubj", "xcomp") and child.i != value.i
        ]
        if any(child.lower_ in BARE | SECOND for child in objects):
            return True
        filled = any(child.dep_ in ("dobj", "attr", "acomp", "advmod") for child in value.children if child.i > value.i)
        return value.lemma_.lower() in _EMPTY_GERUNDS and not filled
    definite = any(child.dep_ == "det" and child.lower_ == "the" for child in value.children)
    if (
        definite
        and value.pos_ == "NOUN"
        and not any(child.dep_ in ("prep", "compound", "relcl") for child in value.children)
    ):
        return True
    return value.lower_.endswith("'s") or any(child.lower_ in SECOND for child in value.subtree)


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
