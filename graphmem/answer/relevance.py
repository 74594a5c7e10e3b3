"""The test that evidence has to pass before it may answer. Pure.

Two tests. The words: the statement is about the right one and has the names, numbers and most of the words of the question. And the
person: where what fits the question best is said of somebody else, and nothing of the one asked about fits nearly as well, the memory does
not say. The second is what tells a question that cannot be answered from one that is only worded differently.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from graphmem.answer.match import (
    ALIKE,
    CODED,
    IN_TURN,
    NEAR,
    Match,
    covers,
    in_time,
    match,
    tells_anchor,
    whole_and_first,
)
from graphmem.answer.offers import offer_of
from graphmem.answer.plan import Plan, Term
from graphmem.answer.statements import Statement
from graphmem.answer.told_times import when_of
from graphmem.answer.words import alike, stem, stem_set, stems_of, witnesses
from graphmem.ids import normalise_name

HAPPENS = 0.1
"""What it counts to have the verb of a question that asks when."""
REPLY = 0.25
"""What it counts to be the reply to the question that is asked, or to another."""
REASONED = 0.15
"""What the words of a reason count: "because", "so that"."""
ENOUGH = 0.42
"""Share of the question's terms that evidence has to cover, by weight. This and the next were chosen on LoCoMo 1 to 5 (benchmarks/)."""
ABOUT = 0.8
"""How surely a statement has to be about the one asked about to count as theirs."""
MEANS_IT, MEANS_THE_SAME = 0.5, 0.62
"""Cosines of a sentence and a question (bge-small-en-v1.5) below which they are about different things: with a word of it, and without."""
SAID_BY = 0.6
"""How surely a statement is about who says it and names nobody: theirs, where it has what is wanted ("all four are on 3.1")."""
NEAREST = 0.25
"""Share of the terms from which a statement is worth showing beside a refusal."""
ELSE_BY = 0.05
"""By how much what is said of somebody else has to come nearer than all that is said of the one asked about."""
LIKELY = 4
"""So many statements may answer where none has the words of the question."""

TYPED = ("amount", "duration", "age", "count", "frequency", "name", "person")
"""What can be told by its form: without a number of that kind, a statement does not answer."""


SURE = NEAR + 0.01
"""A question of one or two words has few to tell by: none of them may only stand in the turns beside."""
_SAME_QUESTION: Mapping[str, frozenset[str]] = {
    "amount": frozenset({"how", "much"}), "count": frozenset({"how", "many"}), "duration": frozenset({"how", "long"}),
    "place": frozenset({"where"}), "person": frozenset({"who"}), "age": frozenset({"how", "old"}), "name": frozenset({"call"}),
}  # fmt: skip
"""Words of a question in the conversation that wants what the plan wants: what follows it answers both."""
_NEVER = frozenset({""})


def rate(statement: Statement, plan: Plan) -> Match:
    """The match of a statement, counting whether it offers what is wanted."""
    if plan.want == "time":
        time = when_of(statement, plan)
        offers = time is not None and (not plan.dates or time.granularity == "range")
        found = match(statement, plan, offers=offers)
        happens = plan.verb is not None and ({plan.verb} | alike(plan.verb) | witnesses(plan.verb)) & statement.stems
        return replace(found, fit=found.fit + HAPPENS) if happens else found
    offer = offer_of(statement, plan)
    if offer is not None and not statement.clauses and set(stems_of(offer.text)) <= statement.before_stems:
        offer = None  # "Tulip!" only repeats what somebody else has just said
    typed = plan.want in TYPED or (plan.asked is not None and stem(plan.asked) in _told_by_form())
    found = match(statement, plan, offers=offer is not None, typed=typed)
    matter = 0.0 if offer is None else _same_matter(statement, plan)
    if found.coverage >= 0.5 or matter < 0:
        found = replace(found, fit=found.fit + matter * REPLY)
    if plan.want == "name" and offer is not None and statement.stems & stem_set("naming"):
        found = replace(found, fit=found.fit + 0.15)
    if plan.want == "reason" and gives_reason(statement):
        found = replace(found, fit=found.fit + REASONED)
    if offer is None and any(set(term.stems) <= statement.stems for term in plan.excluded):
        return replace(found, fit=found.fit - 0.3)
    if offer is not None and any(
        witnesses(each) & set(stems_of(offer.text)) for term in plan.terms for each in term.stems
    ):
        return replace(found, fit=found.fit + 0.1)
    return found


_REASON = re.compile(
    r"\b(?:because|cause[sd]?|due to|thanks to|so that|since|in order to|that's why|which is why|the reason|as i|i wanted|"
    r"(?:couldn|can)['’]t|(?:too|so) \w+ (?:to|that)|made me|after all|it turned out|turns out)\b",
    re.IGNORECASE,
)


def _told_by_form() -> frozenset[str]:
    return stem_set("versioned") | stem_set("sorted") | stem_set("hues")


def _same_matter(statement: Statement, plan: Plan) -> float:
    """1 where what is answered is the plan's own question, -1 where it is of the same kind but about other things, else 0."""
    if not _SAME_QUESTION.get(plan.want, _NEVER) <= statement.replies_to:
        return 0.0
    empty = stem_set("function_words") | stem_set("light") | _SAME_QUESTION[plan.want]
    asked = {each for each in statement.replies_to if each not in empty}
    own = {each for term in (*plan.terms, *plan.excluded) for each in term.stems}
    own |= {each for name in plan.subjects for each in stems_of(name)}
    own |= {other for each in own for other in alike(each) | witnesses(each)}
    if not asked - stem_set("asking", "first") - stem_set("asking", "last"):
        return 1.0 if any(covers(statement, term) >= NEAR for term in plan.terms if term.kind == "word") else 0.0
    if 2 * len(asked & own) >= len(asked):
        return 1.0
    return 0.0 if all(covers(statement, term) >= ALIKE for term in plan.terms) else -1.0


def gives_reason(statement: Statement) -> bool:
    """Whether a sentence, or the one after it in its turn, has the words by which reasons are given."""
    rest = re.split(r"(?<=[.!?])\s+", statement.hit.text[statement.start :])
    return _REASON.search(" ".join(rest[:2])) is not None


def relevant_of(rated: Sequence[Match], plan: Plan) -> list[Match]:
    """The matches that may answer, best first; none where what fits is said of somebody else.

    They pass the test of the words, or are likely and better than all that do.
    """
    found = [m for m in rated if is_relevant(m, plan)]
    if not found or said_of_another(rated, plan):
        return []
    best = max(m.score for m in found)
    found += [m for m in _likely(rated, plan) if m.score > best and m not in found]
    return sorted(found, key=lambda m: -m.score)


def is_relevant(found: Match, plan: Plan) -> bool:
    """The test of the words: about the right one, every name and number covered, most of the words too.

    Of one or two words none may be missing, of three one, of more up to half: a longer question has more words that its answer need not.
    """
    if plan.want == "age" and plan.subjects and found.subject < 1.0:
        return False
    if (plan.subjects and found.subject < 0.5) or _answers_another(found, plan):
        return False
    if (
        not found.stated
        and not (found.said_as == "denied" and (plan.negated or plan.want == "yes_no"))
        and not plan.open
        and plan.form != "changed"
    ):
        return False
    if plan.want == "yes_no" and found.said_as == "asked":
        return False
    if plan.negated and plan.want != "yes_no" and not plan.open and found.said_as != "denied":
        return False
    if any(term.kind in ("name", "number") for term in found.missing):
        return False
    if _needs_offer(plan) and not found.offers and not (plan.want == "duration" and found.statement.times):
        return False
    if plan.want == "person" and plan.subjects and not _takes_part(found, plan):
        return False
    if plan.want == "count" and not _has_what_is_counted(found, plan):
        return False
    if plan.want == "amount" and not _has_what_is_measured(found, plan):
        return False
    if plan.terms and not found.own and _needs_own(found, plan):
        return False
    if not _of_its_kind(found, plan):
        return False
    if (
        plan.want == "time"
        and plan.time is not None
        and plan.form == "when"
        and in_time(found.statement, plan.time) < 1.0
    ):
        return False
    weighty = sum(not term.aside for term in plan.terms)
    if (
        weighty <= 2
        and not (found.offers and found.statement.replies_to)
        and any(covers(found.statement, term) < SURE for term in plan.terms if not term.aside)
    ):
        return False
    allowed = (0, 0, 0, 1)[weighty] if weighty < 4 else weighty // 2
    replied = weighty == 2 and found.offers and _same_matter(found.statement, plan) > 0
    if replied:
        allowed = 1  # the same was asked in the conversation, in other words
    if sum(not term.aside for term in found.missing) > allowed + tells_anchor(found.statement, plan):
        return False
    if not plan.terms:
        return found.subject >= 0.9 and (plan.time is None or in_time(found.statement, plan.time) == 1.0)
    return found.coverage >= ENOUGH or replied


def _needs_own(found: Match, plan: Plan) -> bool:
    """Whether a statement that has none of the words itself is no evidence: of when something was, or where it has no verb and no value."""
    if plan.want == "time":
        return True
    if plan.want in ("person", "place"):
        return not (found.statement.replies_to or found.statement.stems & stem_set("likewise"))
    return not found.offers and (plan.want == "yes_no" or not found.statement.clauses)


def likely_of(rated: Sequence[Match], plan: Plan) -> list[Match]:
    """The matches that most likely answer, best first, where none passes the test of the words; none where none is likely to.

    Other words may say the same, so the words of the question need not be there; but what it names has to be, and who it is about, and
    what it wants where that can be told by its form.
    """
    return [] if said_of_another(rated, plan) else _likely(rated, plan)


def _likely(rated: Sequence[Match], plan: Plan) -> list[Match]:
    """The same where it is known that nothing nearer is said of somebody else."""
    if not (plan.terms or plan.subjects):
        return []
    unreal = {m.statement.hit.id for m in rated if m.own and m.said_as in ("asked", "imagined")}
    found = [
        m
        for m in rated
        if (not plan.subjects or m.subject >= (1.0 if plan.want == "age" else 0.5))
        and m.said_as not in ("asked", "imagined")
        and not any(term.kind in ("name", "number") and not _sets_scene(term, m, plan) for term in m.missing)
        and (m.offers or not _needs_offer(plan))
        and (plan.want != "time" or m.own or m.offers or m.statement.hit.id not in unreal)
        and (m.statement.clauses or m.offers)
        and _of_its_kind(m, plan)
        and m.statement.cosine >= (MEANS_IT if _shares_a_word(m, plan) else MEANS_THE_SAME)
        and not _answers_another(m, plan)
        and (plan.want != "person" or not plan.subjects or _takes_part(m, plan))
        and (plan.form != "who_else" or m.offers or others_of(m.statement, plan))
        and (not _needs_a_word(plan) or _has_a_word(m, plan))
    ]
    if plan.want == "person":
        found = [m for m in found if does(m, plan)] or found
    return sorted(found, key=lambda m: -m.score)[:LIKELY]


def _of_its_kind(found: Match, plan: Plan) -> bool:
    """Whether what is named is of the kind asked for: Tulip may be a cat, and AB-12 alone a ticket or a device."""
    if plan.want == "name" and any(
        term.stems[0] in stem_set("kinds") and covers(found.statement, term) < IN_TURN for term in plan.terms
    ):
        return False
    asked = None if plan.asked is None else stem(plan.asked)
    if asked not in stem_set("coded") or asked in stem_set("versioned") or asked in found.statement.linked:
        return True
    return not any(term.stems == (asked,) and covers(found.statement, term) in (0.0, CODED) for term in plan.terms)


def others_of(statement: Statement, plan: Plan) -> frozenset[str]:
    """The people whom a statement is about or names, normalised: not those whom the question names, nor the one who says it of others."""
    named = plan.named | {normalise_name(term.text) for term in plan.excluded if term.kind == "name"}
    people = (statement.subjects & statement.about) | statement.people
    speaker = normalise_name(statement.hit.speaker)
    if people - named - {speaker}:
        people = people - {speaker}
    return frozenset(each for each in people - named if not named & set(each.split()))


def _sets_scene(term: Term, found: Match, plan: Plan) -> bool:
    """Whether a name only says where somebody else was too, and the statement names no other: it may have been clear to all who talked."""
    return plan.form == "who_else" and term.kind == "name" and does(found, plan) and not found.statement.others_named


def does(found: Match, plan: Plan) -> bool:
    """Whether a match has what the question says is done."""
    return any(term.stems[0] == plan.verb and covers(found.statement, term) >= IN_TURN for term in plan.terms)


def _needs_a_word(plan: Plan) -> bool:
    """Whether other words cannot say it: where the kind of answer alone would be met by anything, or one word is all that is asked."""
    alone = bool(plan.properties) and sum(term.kind == "word" for term in plan.terms) == 1
    return alone or plan.want in ("time", "yes_no", *TYPED)


def _shares_a_word(found: Match, plan: Plan) -> bool:
    """Whether any word of a question is said, or something that stands for it, or is said beside."""
    return any(covers(found.statement, term) > 0.0 for term in plan.terms if term.kind == "word")


def _has_a_word(found: Match, plan: Plan) -> bool:
    """Whether a statement has a word of a question beside its names: the date or the price of another thing is no answer.

    Words that only say what is measured ("cost", "long"), and the verb of a question that asks when, do not count beside others.
    """
    words = [term for term in plan.terms if term.kind == "word"]
    verb = plan.verb if plan.want == "time" else None
    telling = [term for term in words if term.stems[0] not in stem_set("measuring") and verb not in term.stems]
    return not words or any(covers(found.statement, term) >= IN_TURN for term in telling or words)


def _has_what_is_counted(found: Match, plan: Plan) -> bool:
    """Whether a statement, or what it replies to, has the thing that is counted, where the question has nothing else."""
    counted = None if plan.asked is None else (stem(plan.asked),)
    if counted is None or any(not term.aside and term.stems != counted for term in plan.terms):
        return True
    return covers(found.statement, Term(counted[0], counted)) >= IN_TURN


def _takes_part(found: Match, plan: Plan) -> bool:
    """Whether the one asked about takes part in what is done: who else is getting married is nobody's husband."""
    wanted = {each for term in plan.terms if term.kind == "word" for each in term.stems}
    doing = [each for each in found.statement.clauses if wanted & (each.verb_stem | each.stems)]
    if not doing and found.subject < ABOUT:
        return found.statement.leaning or bool(found.statement.replies_to)
    if not doing or any(each.subject is None for each in doing):
        return True
    names = {each for name in plan.subjects for each in whole_and_first(name)}
    statement = found.statement
    spoken = normalise_name(statement.hit.speaker) in names and any(each.stems & _ME for each in doing)
    return bool(spoken or names & (statement.about | statement.subjects))


_ME = frozenset({"me", "us", "my", "our", "we", "i"})


def _has_what_is_measured(found: Match, plan: Plan) -> bool:
    """Whether a statement has any of the things whose price or size is asked for: what is paid for a flat is no wage."""
    things = [t for t in plan.terms if t.kind == "word" and not t.aside and t.stems[0] not in stem_set("measuring")]
    return not things or any(covers(found.statement, term) >= IN_TURN for term in things)


def nearest_of(rated: Sequence[Match], plan: Plan) -> list[Match]:
    """Up to three matches that come nearest where nothing is relevant: about the one asked about, sharing some of the words."""
    near = [m for m in rated if m.subject >= 0.5 and m.coverage >= NEAREST and m.said_as not in ("asked", "imagined")]
    found: list[Match] = []
    for each in sorted(near, key=lambda m: -m.score):
        if all(each.statement.hit.id != other.statement.hit.id for other in found):
            found.append(each)
    return found[:3]


def _answers_another(found: Match, plan: Plan) -> bool:
    """Whether what is offered is the reply to another question of the same kind."""
    return found.offers and _same_matter(found.statement, plan) < 0


def _needs_offer(plan: Plan) -> bool:
    return plan.want in TYPED or (plan.asked is not None and stem(plan.asked) in stem_set("coded") | stem_set("hues"))


def said_of_another(rated: Sequence[Match], plan: Plan) -> bool:
    """Whether what comes nearest, by words, search and meaning, is said of somebody else and not of the one whom the question names."""
    if not plan.subjects:
        return False
    typed = _needs_offer(plan) and plan.want not in ("person", "name")
    pool = [m for m in rated if m.offers] if typed else rated
    own = max((_fit(m) for m in pool if m.subject >= (SAID_BY if typed else ABOUT)), default=0.0)
    other = max((_fit(m) for m in pool if m.subject < 0.5 and _of_somebody(m.statement)), default=0.0)
    return other > own + ELSE_BY


def _of_somebody(statement: Statement) -> bool:
    """Whether a statement is about a person: what is said of things alone is nobody else's."""
    return bool(statement.about & statement.present or statement.people)


def _fit(found: Match) -> float:
    return (0.3 + found.coverage) * found.statement.rank**3 * max(0.0, 1 + 3 * found.statement.meaning)
