"""A question read by its words: which word asks, what it wants, for when, about whom, and what else has to be covered.

A question is not parsed: parsers are made for statements, and a plan has to be the same for "where does ana live" as for "Where does
Ana live?". What one reading has spoken for is taken from the next: first the words of asking, then times and events that the question
hangs on, what is not to be counted, words of order, and last the names and the words that are left, which evidence has to cover.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from graphmem.answer.asking import BECAME_OF, HELPERS, WORD_OF_ASKING, asked_for
from graphmem.answer.forms import form_of, is_present
from graphmem.answer.marked import MarkedText
from graphmem.answer.opening import parted, unwrapped
from graphmem.answer.properties import properties_asked
from graphmem.answer.targets import Anchor, Name, Plan, Term
from graphmem.answer.words import lexicon, stem, stem_set, words_of
from graphmem.extract.with_rules.lexicon import kin
from graphmem.extract.with_rules.parse import parse
from graphmem.ids import normalise_name
from graphmem.records import Interval
from graphmem.temporal import Policy, question_filter

_PLAIN = str.maketrans({"’": "'", "‘": "'", "\u00a0": " ", "\u202f": " "})
_LASTS = re.compile(r"\b(?:does|do|will|would|can|could)\b[^?]*\blast\b", re.IGNORECASE)
_DOES = re.compile(
    r"\bwhat (?:does|did|do|has|is)\b[^?]*?\b(?:do|doing|done)\b(?:\s+(?:for (?:a living|work)|as a job))?"
    r"\s*(?:[?.!]|$|\b(?:before|after|now|then|in|at)\b)",
    re.IGNORECASE,
)
_LEAD = re.compile(r"\b(?:in|on|at|during|from|of|by)\s+(?:the\s+)?$", re.IGNORECASE)
_SOURCE = re.compile(
    r"\b(?:did|does|do|has|have)\s+((?:the\s+)?[\w-]+)\s+(?:say|said|tell|told|claim|claimed|state|report|mention)\b",
    re.IGNORECASE,
)
_ACCORDING = re.compile(r",?\s*\baccording to\s+(?:the\s+)?[\w-]+", re.IGNORECASE)
_RATE = re.compile(
    r"(?<!\bin )(?<!\bwithin )(?<!\bfor )\b(?:an?|per|each|every)\s+(?:hour|day|night|week|weekend|month|year|person)\b"
    r"(?!\s+(?:ago|later|before|after))",
    re.IGNORECASE,
)
"""How often or for what something counts: "a day", "per night". No time of its own."""
_KIN_NAMED = re.compile(r"'s\s+(?:[a-z]+\s+)?([a-z]+)\s+([A-Z][\w-]+)")
"""Whose kin has a name: "Leah's brother Sam", who is Sam."""
_GOES_ON = re.compile(r"\b(?:it|that|this|they|them|those|these|he|she|him|her)\b", re.IGNORECASE)
_MOVED_TO = re.compile(
    r"\b(?:moved|changed|postponed|rescheduled|shifted|put off|pushed)\b[^?]*\bto\s*\?*$|^to (?:which|what)\b",
    re.IGNORECASE,
)
_PHRASAL = re.compile(
    r"\b(?:look(?:s|ed|ing)?|nam(?:e|es|ed|ing)|tak(?:e|es|en|ing)|took|ask(?:s|ed|ing)?|inquir\w+) after\b",
    re.IGNORECASE,
)
"""Where "after" belongs to the verb."""
_NOT_LAST = re.compile(r"^\s*(?:names?|words?)\b", re.IGNORECASE)
_NEGATED = re.compile(r"\b(?:not|never|nothing|nobody|nowhere|no one)\b|n't\b", re.IGNORECASE)
_YEAR_AFTER = re.compile(r",\s*\d{4}\b")
"""The year of a date that ends what an event is told by: "on 30 August, 2023"."""
_APPOSED = re.compile(r"(?<=\w), (?:who is |which is )?one of (?:his|her|their|my|our|your|the) [\w' -]+(?=,|[?.!]|$)")
"""What only says who or what a name is: "Luna, one of her cats"."""
_TRYING = re.compile(r"\b(?:try|tries|tried|trying|want|wants|wanted|hope|hopes|plan|plans) (?:to|on) $", re.IGNORECASE)
"""What somebody tries to change has not become another yet."""
_IT = re.compile(r"(?:it|they|that|this|those|he|she)\b", re.IGNORECASE)


@dataclass(slots=True)
class Reader:
    """One question on its way to a plan."""

    question: str
    asked_at: datetime
    names: Sequence[Name]
    policy: Policy | None = None
    marked: MarkedText = field(init=False)
    lead: str = field(init=False)
    """What is said before the question is asked: "Felix said three years. What is right?"."""

    def __post_init__(self) -> None:
        plain = " ".join(self.question.translate(_PLAIN).split())
        self.lead, asking = parted(plain)
        self.marked = MarkedText(unwrapped(asking), self.names)

    def plan(self) -> Plan:
        """The plan, without its operations and bullets."""
        asking = asked_for(self.marked.text)
        wh, want, asked = asking.wh, asking.want, asking.noun
        self.marked.taken.extend(asking.taken)
        living = self.marked.take(lexicon()["asking"]["living"])
        time, time_text, anchor = self._time()
        excluded = self._excluded()
        previous = anchor is None and self.marked.take(lexicon()["asking"]["previous"])
        if anchor is not None and self._only_alters(anchor):
            previous, anchor = anchor.relation in ("before", "until"), None
        current = self.marked.take(lexicon()["asking"]["now"])
        order = self._order(wh)
        self.marked.take(each for each in lexicon()["asking"]["corrected"] if not _owned_word(self.marked.text, each))
        changed = self._changed(wh, asking.became)
        self._source()
        if (apposed := _APPOSED.search(self.marked.text)) is not None:
            self.marked.mark(apposed.start(), apposed.end())
        subjects = self._subjects(anchor)
        terms = self._terms(subjects, asked if wh in ("which", "what") else None)
        terms = (*terms, *self._told(terms))
        if living:
            terms = (*terms, Term("work", (stem("work"),)))
        form = form_of(
            self.marked.text,
            wh,
            want,
            anchor,
            order,
            time,
            changed=changed,
            current=current,
            previous=previous,
            excluded=bool(excluded),
        )
        properties = properties_asked([*terms, *_as_terms(asked)], want, form)
        if living or (
            not terms and subjects and want == "thing" and time is None and _DOES.search(self.marked.text) is not None
        ):
            properties = tuple(dict.fromkeys([*properties, "works_as", "works_at"]))
        return Plan(
            question=self.question,
            policy=self.policy,
            verb=_main_verb(self.marked.text, terms),
            form=form,
            want=want,
            subjects=subjects,
            terms=terms,
            asked=asked,
            properties=properties,
            time=time,
            time_text=time_text,
            anchor=anchor,
            excluded=excluded,
            hops=2 if anchor is not None or _possessive_chain(self.marked.text) else 1,
            open=form in ("attribute", "search") and want in ("thing", "reason", "manner", "yes_no") and not properties,
            past=not is_present(self.marked.text),
            negated=_NEGATED.search(self.marked.text) is not None,
        )

    # Time, order, anchors ---------------------------------------------------------------------------------------------------------

    def _time(self) -> tuple[Interval | None, str | None, Anchor | None]:
        """The time filter and its words, or the event that it hangs on."""
        unrated = _RATE.sub(lambda match: "_" * len(match.group()), self.marked.text)
        unrated = _PHRASAL.sub(lambda match: "_" * len(match.group()), unrated)
        found = question_filter(unrated, self.asked_at, self.policy)
        if found is not None and found.interval is not None and self._orders(found.start, found.end):
            return None, None, None
        if found is None or self.marked.is_taken(found.start) or found.text.lower() in lexicon()["asking"]["now"]:
            return None, None, None
        if found.interval is not None:
            lead = _LEAD.search(self.marked.text[: found.start])
            self.marked.mark(found.start if lead is None else lead.start(), found.end)
            return found.interval, found.text, None
        if found.event is None or WORD_OF_ASKING.match(found.event) is not None:
            return None, None, None
        at = found.start + self.marked.text[found.start : found.end].find(found.event)
        terms = self.marked.terms_between(at, found.end)
        if not terms:
            return None, None, None
        year = _YEAR_AFTER.match(self.marked.text, found.end)
        self.marked.mark(found.start, found.end if year is None else year.end())
        return None, None, Anchor(terms, found.event, found.relation)

    def _orders(self, start: int, end: int) -> bool:
        """Whether "the last night of the trip" is meant, which lies in the trip and not before today."""
        lead, rest = self.marked.text[:start].rstrip().lower(), self.marked.text[end:].lstrip().lower()
        words = self.marked.text[start:end].lower().split()
        return (
            len(words) == 2 and words[0] == "last" and lead.endswith("the") and rest.startswith(("of ", "that ", "in "))
        )

    def _only_alters(self, anchor: Anchor) -> bool:
        """Whether an event says no more than that what is asked about became another: "before it was raised"."""
        return (
            anchor.relation in ("before", "until", "after", "since")
            and _IT.match(anchor.text) is not None
            and all(term.kind == "word" and term.stems[0] in stem_set("altering") for term in anchor.terms)
        )

    def _excluded(self) -> tuple[Term, ...]:
        """Who does not count: the names that follow "besides", joined by commas or "and", or the words up to the next clause."""
        places = self.marked.name_places()
        for phrase in lexicon()["asking"]["besides"]:
            match = re.search(rf"\b{phrase}\b\s+([^?.]+)", self.marked.text, re.IGNORECASE)
            if match is not None and not self.marked.is_taken(match.start()):
                inner = match.group(1)
                cut = re.search(
                    rf",?\s(?:{'|'.join(sorted(HELPERS))}|{WORD_OF_ASKING.pattern})\s", inner, re.IGNORECASE
                )
                end = match.start(1) + (cut.start() if cut is not None else len(inner))
                listed = self.marked.list_of_names(match.start(1), places)
                end = min(end, listed) if listed is not None else min(end, match.start(1) + len(inner.split(",")[0]))
                terms = self.marked.terms_between(match.start(1), end)
                self.marked.mark(match.start(), end)
                return terms
        return ()

    def _order(self, wh: str) -> str | None:
        if wh == "how long":
            return None
        if wh == "what" and BECAME_OF.search(self.marked.text) is not None:
            return "last"
        for kind in ("first", "last"):
            for phrase in sorted(lexicon()["asking"][kind], key=len, reverse=True):
                match = re.search(rf"\b{phrase}\b", self.marked.text, re.IGNORECASE)
                if (
                    match is not None
                    and not (phrase == "last" and _LASTS.search(self.marked.text) is not None)
                    and not self.marked.is_taken(match.start())
                    and not _inside_name(match, self.names, self.marked.text)
                    and _NOT_LAST.match(self.marked.text[match.end() :]) is None
                ):
                    self.marked.mark(match.start(), match.end())
                    return kind
        return None

    def _source(self) -> None:
        """Who is asked to have said it, where that is no name ("did support say"): the words are anybody's."""
        told = _ACCORDING.search(self.marked.text)
        if told is not None and not self.marked.is_taken(told.start()):
            self.marked.mark(told.start(), told.end())
        match = _SOURCE.search(self.marked.text)
        if match is not None and not any(start <= match.start(1) < end for start, end, _ in self.marked.name_places()):
            self.marked.mark(match.start(1), match.end(1))

    def _changed(self, wh: str, became: bool) -> bool:
        became = became or (wh == "when" and _MOVED_TO.search(self.marked.text) is not None)
        stems = frozenset() if wh == "when" else stem_set("asking", "changed")
        stems |= stem_set("altering") if became else frozenset()
        for word in words_of(self.marked.text):
            if _TRYING.search(self.marked.text[: word.start]) is not None:
                continue
            if word.stem in stems and wh in ("how", "what", "when", "") and not self.marked.is_taken(word.start):
                self.marked.mark(word.start, word.end)
                return True
        return became

    # What it is about ------------------------------------------------------------------------------------------------------------

    def _told(self, terms: Sequence[Term]) -> tuple[Term, ...]:
        """What is told before the question, which its answer need not repeat."""
        told = MarkedText(self.lead, self.names).terms_between(0, len(self.lead))
        known = {term.stems for term in terms}
        goes_on = _GOES_ON.search(self.marked.text) is not None
        return tuple(
            Term(term.text, term.stems, term.kind if goes_on and term.kind == "name" else "word", aside=True)
            for term in told
            if term.stems not in known
        )

    def _subjects(self, anchor: Anchor | None) -> tuple[str, ...]:
        """Names that stand where a subject stands: owners, and what follows a helping verb."""
        found: list[str] = []
        for start, end, name in self.marked.name_places():
            if self.marked.is_taken(start):
                continue
            before = self.marked.text[:start].rstrip().lower()
            after = self.marked.text[end:]
            owner = after.startswith(("'s", "' "))
            if owner and (kin_named := _KIN_NAMED.match(after)) is not None and kin_named.group(1).lower() in kin():
                found.append(kin_named.group(2))
                continue
            last = before.rsplit(" ", 1)[-1] if before else ""
            joined = bool(found) and (before.endswith(" and") or before.endswith(","))
            if (
                owner
                or last.removesuffix("n't") in HELPERS
                or joined
                or self._follows_wh_clause(start)
                or self._opens_clause(start)
            ):
                found.append(name.known if name.known is not None and name.type == "Person" else name.text)
        if not found and anchor is not None:
            people = {normalise_name(name.text) for name in self.names if name.type == "Person"}
            pronoun = re.search(r"\b(?:she|he|her|his|him)\b", self.marked.text, re.IGNORECASE) is not None
            found += [
                term.text
                for term in anchor.terms
                if (pronoun and term.kind == "name") or normalise_name(term.text) in people
            ][:1]
        return tuple(dict.fromkeys(found))

    def _follows_wh_clause(self, start: int) -> bool:
        """In an embedded question the subject stands right after the word of asking: "where Ana lives"."""
        before = self.marked.text[:start].rstrip()
        return any(match.end() == len(before) for match in WORD_OF_ASKING.finditer(before))

    def _opens_clause(self, start: int) -> bool:
        """After "the last time" and "the book that" a subject follows too."""
        before = self.marked.text[:start].rstrip()
        return re.search(r"\b(?:that|time)$", before, re.IGNORECASE) is not None or (
            bool(before) and self.marked.is_taken(len(before) - 1)
        )

    def _terms(self, subjects: Sequence[str], asked: str | None) -> tuple[Term, ...]:
        known = {normalise_name(name) for name in subjects}
        known |= {normalise_name(name.text) for name in self.names if normalise_name(name.known or name.text) in known}
        return tuple(
            term
            for term in self.marked.terms_between(0, len(self.marked.text), asked)
            if not (term.kind == "name" and normalise_name(term.text) in known)
        )


def _owned_word(text: str, word: str) -> bool:
    """Whether a word describes what somebody has ("her right wrist"), and insists on nothing."""
    return re.search(rf"\b(?:my|your|his|her|our|their|\w+'s)\s+{word}\s+\w", text, re.IGNORECASE) is not None


def _as_terms(asked: str | None) -> list[Term]:
    return [] if asked is None else [Term(asked, (stem(asked),))]


def _inside_name(match: re.Match[str], names: Sequence[Name], text: str) -> bool:
    return any(
        found.start() <= match.start() < found.end()
        for name in names
        for found in re.finditer(re.escape(name.text), text, re.IGNORECASE)
    )


def _main_verb(text: str, terms: Sequence[Term]) -> str | None:
    """The verb at the head of a question, of its terms: what happened, of all that it names."""
    stems = {each for term in terms if term.kind == "word" for each in term.stems}
    asking = WORD_OF_ASKING.search(text)
    if asking is not None and text[: asking.start()].rstrip().endswith(","):
        text = text[asking.start() :]  # "Besides Ana, who sang?"
    heads = [sentence.root for sentence in parse(text).sents]
    verbal = ("VERB", "NOUN") if re.search(r"\b(?:did|does|do)\b", text, re.IGNORECASE) else ("VERB",)
    return next((found for head in heads if head.pos_ in verbal and (found := stem(head.text)) in stems), None)


def _possessive_chain(text: str) -> bool:
    return len(re.findall(r"\w's?\b\s+\w+", text)) > 1 and len(re.findall(r"'s\b", text)) > 1
