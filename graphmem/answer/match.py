"""How well a statement bears on a plan: which of the plan's terms it covers, whether it is about the right one, and what it offers.

Coverage counts: 1 for a word itself, a little less for another word for it, less again for what stands only beside the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache

from graphmem.answer.periods import contains
from graphmem.answer.plan import Plan, Term
from graphmem.answer.statements import SaidAs, Statement
from graphmem.answer.words import CODE, alike, codes_in, hints, is_version, lexicon, stem, stem_set, stems_of, witnesses
from graphmem.ids import normalise_name
from graphmem.records import Interval

SAID, ALIKE, CARRIED, REPLIED, WITNESSED, LEANS, IN_TURN, NEAR, NEAR_WITNESS = (
    1.0,
    0.9,
    0.85,
    0.8,
    0.7,
    0.65,
    0.6,
    0.4,
    0.25,
)
FAR = 0.2
"""What a number counts that was said a few turns before."""
LINKED = 0.3
"""What a name counts that is told of the same thing elsewhere."""
CODED = 0.62
"""What a code covers of a word such as "ticket" or "version", which it need not be told beside."""
_WEIGHT = {"name": 1.6, "number": 2.0, "word": 1.0}
RANKED, RANKED_OPEN = 1.7, 2.0
"""Weight of the search's own score beside the fit of words, for a question that wants a certain kind of thing, and for an open one."""
MEANT = 2.0
"""Weight of nearness in meaning, a cosine, beside the fit of words."""
TIMED = 1.0
"""Weight of the time that a question names, as one of its terms."""
OF_SEVERAL = 0.8
"""What the one who is meant most surely counts, of several whom a question is about."""
ANCHORED = 0.2
"""What it counts to name the event during which something is asked."""
ANCHORED_BY = 0.6
"""Share of an event's words by which a statement names it."""
ASIDE = 0.5
"""Weight of a word that only says in what connection, beside a word of the question proper."""


@dataclass(frozen=True, slots=True)
class Match:
    """A statement with how well it fits. ``coverage`` is the weighted share of the plan's terms; ``missing`` are the terms it lacks.

    ``own`` is false where it has none of them itself and only stands beside words that do. ``subject`` tells how surely it is about the
    plan's subject: 1 as its subject, less as somebody it names, 0 not at all.
    """

    statement: Statement
    coverage: float
    subject: float
    missing: tuple[Term, ...]
    own: bool
    offers: bool
    said_as: SaidAs
    fit: float
    ranked: float

    @property
    def stated(self) -> bool:
        """Whether it is told as something that is so, was so, or is going to be."""
        return self.said_as in ("stated", "planned")

    @property
    def score(self) -> float:
        """The fit of the words, what search thought of the turn (which counts more for an open question), and the nearness in meaning."""
        return self.fit + self.ranked * self.statement.rank + MEANT * self.statement.meaning


def match(
    statement: Statement, plan: Plan, terms: Sequence[Term] | None = None, offers: bool = False, typed: bool = False
) -> Match:
    """The match of a statement with a plan, or with these terms in place of the plan's.

    ``offers`` says that the statement has something of the kind wanted; with ``typed`` that kind vouches for the noun asked for
    ("which version": a version number).
    """
    wanted = plan.terms if terms is None else terms
    asked = None if plan.asked is None or terms is not None else stem(plan.asked)
    total = covered = 0.0
    missing: list[Term] = []
    for term in wanted:
        weight = _WEIGHT[term.kind] * (ASIDE if term.aside and len(wanted) > 1 else 1.0)
        share = covers(statement, term)
        if offers and typed and asked is not None and term.stems == (asked,):
            share = max(share, WITNESSED)
        total += weight
        covered += weight * share
        if share == 0.0:
            missing.append(term)
    if plan.time is not None and terms is None:
        total += TIMED
        covered += TIMED * in_time(statement, plan.time)
    coverage = covered / total if total else 0.5
    meant = terms is None and tells_anchor(statement, plan)
    subject = 0.0 if _anothers(statement, plan) else about(statement, plan.subjects)
    said_as = statement.mood(_verbs(wanted))
    fit = (0.75 * coverage + 0.25 * subject) * _mood(statement, said_as, plan) + (0.12 if offers else 0.0)
    fit += ANCHORED if meant else 0.0
    return Match(
        statement=statement,
        coverage=coverage,
        subject=subject,
        missing=tuple(missing),
        own=any(_has(statement, term) for term in wanted),
        offers=offers,
        said_as=said_as,
        fit=fit,
        ranked=RANKED_OPEN if plan.open else RANKED,
    )


_MINE = re.compile(r"\bmy (?:[\w-]+ )?([\w-]+)", re.IGNORECASE)


def _anothers(statement: Statement, plan: Plan) -> bool:
    """Whether it tells of somebody else's what is asked of one: "my mother" is not Ana's where Otto says it."""
    speaker = normalise_name(statement.hit.speaker)
    if not plan.subjects or any(normalise_name(name).split()[:1] == speaker.split()[:1] for name in plan.subjects):
        return False
    owned = _owned(plan.subjects, plan.question)
    mine = (noun for found in _MINE.finditer(statement.text) for noun in found.group().split()[1:])
    return bool(owned) and any(stem(noun) in owned for noun in mine)


@lru_cache(maxsize=64)
def _owned(names: tuple[str, ...], question: str) -> frozenset[str]:
    """The stems of what a question says that somebody has, and of words alike: the mother of "Ana's mother". Once for all statements."""
    nouns = (re.findall(rf"{re.escape(name)}['’`´]s? (?:[\w-]+ )??([\w-]+)", question) for name in names)
    owned = {stem(noun) for found in nouns for noun in found}
    return frozenset(owned | {other for each in owned for other in alike(each)})


def tells_anchor(statement: Statement, plan: Plan) -> bool:
    """Whether a statement itself names the event during which something is asked: "on our canoe trip we saw …"."""
    if plan.anchor is None or plan.anchor.relation != "during" or not plan.anchor.terms:
        return False
    own = [term for term in plan.anchor.terms if _has(statement, term)]
    return ANCHORED_BY * len(plan.anchor.terms) <= len(own)


def in_time(statement: Statement, time: Interval) -> float:
    """Whether a statement speaks of the time asked about: 1 where it names it or was made in it, less where it was made soon after."""
    moments = [e.interval.start for e in statement.times if e.interval is not None and e.interval.start is not None]
    if any(contains(time, moment) for moment in (*moments, statement.said_at)):
        return 1.0
    if time.end is not None and time.end <= statement.said_at < time.end + timedelta(days=14):
        return 0.5
    return 0.3 if time.end is None or statement.said_at < time.end else 0.0


def _mood(statement: Statement, said_as: SaidAs, plan: Plan) -> float:
    if said_as in ("asked", "imagined"):
        return 0.55
    if said_as == "denied" and not plan.negated and plan.want != "yes_no":
        return 0.8
    if said_as == "planned" and plan.past:
        return 0.85
    return 1.05 if plan.form == "current" and statement.stems & stem_set("asking", "now") else 1.0


def _verbs(terms: Sequence[Term]) -> frozenset[str]:
    """The stems by which a clause may answer for one of these terms."""
    stems = {each for term in terms if term.kind == "word" for each in term.stems}
    return frozenset(stems.union(*(alike(each) | witnesses(each) for each in stems)))


def _has(statement: Statement, term: Term) -> bool:
    """Whether the sentence itself has a term, or a word that answers for it."""
    if term.kind == "name" and normalise_name(term.text) in statement.about:
        return True
    if set(term.stems) <= statement.linked:
        return True
    return all(({each} | alike(each) | witnesses(each)) & statement.stems for each in term.stems)


def covers(statement: Statement, term: Term) -> float:
    """How surely a statement has this term, between 0 and 1."""
    if term.kind == "name":
        return _covers_name(statement, term)
    if term.kind == "number":
        share = min(_covers_number(statement, each) for each in term.stems)
        return LINKED if share == 0.0 and normalise_name(term.text) in statement.linked else share
    return min((_covers_stem(statement, each) for each in term.stems), default=0.0)


def _covers_name(statement: Statement, term: Term) -> float:
    name = normalise_name(term.text)
    if name in statement.about:
        return SAID
    own = [each for each in term.stems if each not in stem_set("function_words")] or list(term.stems)
    if any(each in statement.stems and _goes_on(statement.text, each) for each in own if _coded(each)):
        return 0.0
    if all(each in statement.stems for each in own):
        return 0.0 if _coded(name) and _goes_on(statement.text, term.text) else SAID
    if name in statement.turn_about or all(each in statement.turn_stems for each in own):
        return 0.0 if _coded(name) and _goes_on(statement.hit.text, term.text) else IN_TURN
    if all(each in statement.replies_to for each in own):
        return REPLIED
    if statement.leaning and all(each in statement.before_stems for each in own):
        return LEANS
    codes = [each for each in own if any(ch.isdigit() for ch in each)]
    if codes and len(codes) < len(own) and all(_covers_number(statement, each) == SAID for each in codes):
        return CARRIED
    if name in statement.present or all(each in statement.near_stems for each in own):
        return NEAR
    return LINKED if name in statement.linked else 0.0


def _covers_number(statement: Statement, each: str) -> float:
    if each in statement.stems:
        return 0.0 if _goes_on(statement.text, each) else SAID
    if _in_words(each) & statement.stems:
        return SAID
    if CODE.fullmatch(each) is not None and codes_in(statement.text, is_version(each)):
        return 0.0
    if each in statement.turn_stems:
        return 0.0 if _goes_on(statement.hit.text, each) else IN_TURN
    if statement.leaning and each in statement.before_stems:
        return LEANS
    if each in statement.near_stems:
        return NEAR
    return FAR if each in statement.far_stems else 0.0


def _in_words(number: str) -> frozenset[str]:
    """A small number as a word: "3" is "three"."""
    names = lexicon()["numbers"][:20]
    return frozenset({names[int(number) - 1]}) if number.isdecimal() and 1 <= int(number) <= len(names) else frozenset()


def _coded(name: str) -> bool:
    return any(ch.isdigit() for ch in name)


def _goes_on(text: str, name: str) -> bool:
    """Whether a name or code only occurs as the beginning of a longer one: "L2" in "L2 Plus"."""
    places = list(re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE))
    return bool(places) and all(re.match(r"[ -][A-Z][a-z]+\b", text[place.end() :]) for place in places)


_ON_VERSION = re.compile(
    r"\b(?:on|to|at|with|says|said|is|are)\s+(?:firmware\s+|version\s+)?v?\d+(?:\.\d+)+", re.IGNORECASE
)
"""How a version is said to be in use: "all four are on 3.2.1"."""


_OFF_TO = re.compile(r"(?:\b(?:am|is|are|was|were|be)|['’](?:m|s|re)) off (?:to|for)\b", re.IGNORECASE)
"""How somebody is said to go: "next month I'm off to Lisbon"."""


def _covers_stem(statement: Statement, each: str) -> float:
    same = {each, *alike(each)}
    if (
        each in stem_set("coded")
        and each not in statement.turn_stems
        and codes_in(statement.text, each in stem_set("versioned"))
    ):
        return CODED
    if each in statement.linked:
        return WITNESSED
    if each in stem_set("installing") and _ON_VERSION.search(statement.text) is not None:
        return WITNESSED
    if each in stem_set("leaving") and _OFF_TO.search(statement.text) is not None:
        return ALIKE
    if "-" in each and all(stem(part) in statement.stems for part in each.split("-")):
        return SAID
    if statement.hit.attachments and each in stem_set("shown"):
        return SAID
    if each in statement.stems:
        return SAID
    if same & statement.stems:
        return ALIKE
    signs = witnesses(each)
    if signs & statement.stems:
        if same & (statement.turn_stems | statement.near_stems):
            return CARRIED
        return WITNESSED + 0.05 * min(len(signs & statement.stems) - 1, 2)
    if hints(each) & statement.stems:
        return NEAR
    if same & statement.replies_to:
        return REPLIED
    if same & statement.turn_stems:
        return CARRIED if statement.leaning else IN_TURN
    if statement.leaning and same & statement.before_stems:
        return LEANS
    if same & statement.near_stems or signs & statement.turn_stems:
        return NEAR
    return NEAR_WITNESS if signs & statement.near_stems else 0.0


def about(statement: Statement, subjects: Sequence[str]) -> float:
    """How surely a statement is about these; 1 where there are none. Of several one has to be meant, the others count a little."""
    if not subjects:
        return 1.0
    each = [_about_one(statement, name) for name in subjects]
    return OF_SEVERAL * max(each) + (1 - OF_SEVERAL) * min(each)


def whole_and_first(name: str) -> set[str]:
    """How somebody of this name is called, normalised: by the whole of it or by its first word."""
    whole = normalise_name(name)
    return {whole, whole.split()[0]} if whole else set()


def _about_one(statement: Statement, name: str) -> float:
    whole, names = normalise_name(name), whole_and_first(name)
    speaker = normalise_name(statement.hit.speaker)
    if _short_for(whole, speaker):
        names.add(speaker)
    if names & statement.subjects:
        return 1.0
    if names & statement.about:
        return 0.9
    own = set(stems_of(name))
    if own and own <= statement.stems:
        return 0.9
    if statement.leaning and own and own <= statement.before_stems and not _speaks(statement, names):
        return 0.8
    if speaker in names:
        return 0.6
    if speaker in statement.subjects:
        return 0.3 if names & statement.turn_about else 0.0
    if names & statement.turn_about or (own and own <= statement.turn_stems):
        return 0.5
    return 0.2 if own and own <= statement.near_stems else 0.0


def _speaks(statement: Statement, names: AbstractSet[str]) -> bool:
    """Whether a statement is said of its speaker, or the one asked about is a speaker: then "it" is nobody."""
    return bool(statement.subjects & {normalise_name(statement.hit.speaker)}) or bool(names & statement.turn_about)


def _short_for(one: str, other: str) -> bool:
    """Whether one name is the other cut short: Mel for Melanie."""
    short, long = sorted((one.split()[0] if one else "", other.split()[0] if other else ""), key=len)
    return 3 <= len(short) < len(long) and long.startswith(short)
