"""The plan of a question: what it asks about, for which time, and by which operations. Pure rules; no model and no database.

A question is read by its words, not by a parse: parsers are made for statements, and a plan has to be the same for "where does ana
live" as for "Where does Ana live?". Names are given by the caller, who has looked up which runs of words are names in the namespace.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Literal

from graphmem.answer.words import Word, lexicon, stem, stem_set, stems_of, words_of
from graphmem.extract.vocabulary import properties
from graphmem.ids import normalise_name
from graphmem.records import Interval
from graphmem.temporal import question_filter
from graphmem.temporal.questions import Relation

Form = Literal[
    "current", "at_time", "before_event", "after_event", "first", "last", "when", "how_long", "how_many", "who_else", "changed",
    "attribute", "search",
]  # fmt: skip
Want = Literal[
    "place", "person", "time", "duration", "count", "amount", "age", "yes_no", "name", "thing", "reason", "manner"
]
TermKind = Literal["name", "number", "word"]


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a question: as written, as the memory knows it, and of which type (None for a name that it does not know)."""

    text: str
    known: str | None = None
    type: str | None = None


@dataclass(frozen=True, slots=True)
class Term:
    """Something the question is about, which an answer's evidence has to cover: a name, a number or code, or a word, by its stems."""

    text: str
    stems: tuple[str, ...]
    kind: TermKind = "word"
    aside: bool = False
    """Whether it only says in what connection ("on the trip"): evidence may leave it out."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """What stands after "before", "after" or "while": an event, or one value in a row of values, and how the question relates to it."""

    terms: tuple[Term, ...]
    text: str
    relation: Relation


@dataclass(frozen=True, slots=True)
class Plan:
    """What a question asks.

    ``subjects`` are whom or what it is about, by name; ``terms`` are the other words that evidence has to cover, in order.
    ``asked`` is the noun of "which N" or "what N"; ``properties`` are the known properties that its words ask for, the likeliest
    first. ``time`` is the time filter, an interval whose bounds may be open; ``excluded`` are names that do not count ("besides Ana").
    """

    question: str
    form: Form
    want: Want
    subjects: tuple[str, ...] = ()
    terms: tuple[Term, ...] = ()
    asked: str | None = None
    properties: tuple[str, ...] = ()
    time: Interval | None = None
    time_text: str | None = None
    anchor: Anchor | None = None
    excluded: tuple[Term, ...] = ()
    operations: tuple[str, ...] = ()
    hops: int = 1
    negated: bool = False
    past: bool = False
    open: bool = False
    """Whether it asks for no certain kind of thing, so that meaning tells more than words."""
    bullets: tuple[str, ...] = field(default=())


_PLAIN = str.maketrans({"’": "'", "‘": "'", "\u00a0": " ", "\u202f": " "})
_WH = re.compile(
    r"\b(who else|whom|whose|who|how long|how many|how much|how often|how old|how far|how tall|how big|how heavy|how|when|where|which|what|why)\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"(?<!\bis)(?<!\bare)(?<!\bwas)(?<!\bwere)\s(?:on|for|during|at|in)\s+(?:(?:the|a|an|her|his|their|each)\s+)?$", re.IGNORECASE
)
_LEAD = re.compile(r"\b(?:in|on|at|during|from|of|by)\s+(?:the\s+)?$", re.IGNORECASE)
_SOURCE = re.compile(r"\b(?:did|does|do|has|have)\s+((?:the\s+)?[\w-]+)\s+(?:say|said|tell|told|claim|claimed|state|report|mention)\b", re.IGNORECASE)
_AUX = frozenset(
    "is are was were am be been do does did has have had will would can could should may might must shall".split()
)
_ORDINAL_NUMBERS = {
    "first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th", "sixth": "6th", "seventh": "7th", "eighth": "8th",
    "ninth": "9th", "tenth": "10th",
}  # fmt: skip


def plan(question: str, asked_at: datetime, names: Sequence[Name] = ()) -> Plan:
    """The plan of a question asked at an aware datetime, given the names of the memory that occur in it.

    Words that name a time are read from ``asked_at``. Any text makes a plan; one without a form is a ``search``.
    """
    return _Reader(question, asked_at, names).plan()


@dataclass(slots=True)
class _Reader:
    """One question on its way to a plan. ``taken`` are the stretches of text that are spoken for."""

    question: str
    asked_at: datetime
    names: Sequence[Name]
    text: str = ""
    taken: list[tuple[int, int]] = field(default_factory=list)

    def plan(self) -> Plan:
        self.text = _unwrapped(self.question.translate(_PLAIN))
        wh, want, asked = self._asked_for()
        time, time_text, anchor = self._time()
        excluded = self._excluded()
        previous = anchor is None and self._take(lexicon()["asking"]["previous"])
        current = self._take(lexicon()["asking"]["now"])
        order = self._order(wh)
        self._take(lexicon()["asking"]["corrected"])
        changed = self._changed(wh)
        self._source()
        subjects = self._subjects(anchor)
        terms = self._terms(subjects, asked)
        form = self._form(wh, want, anchor, order, time, changed=changed, current=current, previous=previous)
        properties = properties_asked([*terms, *_as_terms(asked)], want, form)
        made = Plan(
            question=self.question,
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
            operations=_operations(form, want),
            hops=2 if anchor is not None or _possessive_chain(self.text) else 1,
            open=form in ("attribute", "search") and want in ("thing", "reason", "manner", "yes_no") and not properties,
            past=bool(re.search(r"\b(did|was|were|had)\b", self.text, re.IGNORECASE)),
            negated=bool(re.search(r"\b(not|n't|never)\b|n't\b", self.text, re.IGNORECASE)),
        )
        return _with_bullets(made)

    # What is asked for ----------------------------------------------------------------------------------------------------------

    def _asked_for(self) -> tuple[str, Want, str | None]:
        """The word of asking, what it wants, and the noun of "which N"."""
        match = _WH.search(self.text)
        if match is None or (
            match.start() > 0 and self._starts_with_helper() and not _inverted_later(self.text, match)
        ):
            yes_no = self._starts_with_helper()
            return ("", "yes_no" if yes_no else "thing", None)
        self._mark(match.start(), match.end())
        wh = match.group(1).lower()
        simple: dict[str, Want] = {
            "who else": "person", "who": "person", "whom": "person", "whose": "person", "how long": "duration", "how many": "count",
            "how much": "amount", "how often": "duration", "how old": "age", "when": "time", "where": "place", "why": "reason",
            "how": "manner", "how far": "amount", "how tall": "amount", "how big": "amount", "how heavy": "amount",
        }  # fmt: skip
        following = self._nouns_after(match.end())
        if wh in ("which", "what"):
            return self._which(wh, following, match.end())
        if wh in ("how many", "how much"):
            return (wh, simple[wh], following[0].text if following else None)
        return (wh, simple[wh], None)

    def _which(self, wh: str, following: Sequence[Word], at: int) -> tuple[str, Want, str | None]:
        head = following[-1] if following else None
        if head is None:
            head = self._head_of_what(at)
            if head is None:
                return (wh, "thing", None)
            if head.stem == stem("name"):
                return (wh, "name", None)
            want = _want_of(head)
            if want == "count" and not re.search(r"\bthe number of\b", self.text, re.IGNORECASE):
                want = "thing"
            return (wh, want, head.text)
        want = _want_of(head)
        if want == "time":
            for word in following:
                self._mark(word.start, word.end)
            return ("when", "time", head.text)
        return (wh, want, head.text)

    def _head_of_what(self, at: int) -> Word | None:
        """The noun of "what is X's noun", "what is the noun of …"."""
        rest = self.text[at:]
        match = re.match(r"\s*(?:is|are|was|were|'s)\s+(?:the\s+)?(.*)", rest, re.IGNORECASE)
        if match is None:
            return None
        start = at + match.start(1)
        words = [word for word in words_of(self.text[start:])]
        head = None
        for word in words:
            low = word.text.lower()
            if (
                low
                in ("of", "for", "in", "on", "at", "to", "after", "before", "with", "about", "when", "that", "during")
                or low in _AUX
            ):
                break
            if self.text[start + word.end : start + word.end + 2] in ("'s", "s'"):
                continue
            if (not word.capital and word.stem not in stem_set("function_words")) or low in ("name", "called"):
                head = word
        if head is None:
            return None
        return Word(head.text, head.start + start, head.end + start, head.stem)

    def _nouns_after(self, at: int) -> tuple[Word, ...]:
        """The words between "which" and the verb: "which version of Quillmark Desk" gives "version"."""
        found: list[Word] = []
        for word in words_of(self.text[at:]):
            low = word.text.lower()
            if low in _AUX or low in (
                "of",
                "for",
                "in",
                "on",
                "at",
                "to",
                "with",
                "from",
                "about",
                "the",
                "a",
                "an",
                "'s",
                "else",
                "and",
            ):
                break
            if word.capital and not found:
                break
            if found and (word.capital or _verbal(word.text)):
                break
            if found and self.text[at + found[-1].end : at + word.start].strip():
                break
            if not found and _verbal(word.text) and not word.text.lower().endswith("ing"):
                break
            found.append(Word(word.text, word.start + at, word.end + at, word.stem))
            if len(found) == 3:
                break
        return tuple(found)

    def _starts_with_helper(self) -> bool:
        words = words_of(self.text)
        return bool(words) and words[0].text.lower().removesuffix("n't") in _AUX

    # Time, order, anchors ---------------------------------------------------------------------------------------------------------

    def _time(self) -> tuple[Interval | None, str | None, Anchor | None]:
        """The time filter and its words, or the event that it hangs on."""
        found = question_filter(self.text, self.asked_at)
        if found is None or found.text.lower() in lexicon()["asking"]["now"]:
            return None, None, None
        if found.interval is not None:
            lead = _LEAD.search(self.text[: found.start])
            self._mark(found.start if lead is None else lead.start(), found.end)
            return found.interval, found.text, None
        if found.event is None:
            return None, None, None
        at = found.start + self.text[found.start : found.end].find(found.event)
        terms = self._terms_between(at, found.end)
        if not terms:
            return None, None, None
        self._mark(found.start, found.end)
        return None, None, Anchor(terms, found.event, found.relation)

    def _excluded(self) -> tuple[Term, ...]:
        for phrase in lexicon()["asking"]["besides"]:
            match = re.search(rf"\b{phrase}\b\s+([^,?.]+)", self.text, re.IGNORECASE)
            if match is not None and not self._is_taken(match.start()):
                inner = match.group(1)
                cut = re.search(rf"\s(?:{'|'.join(sorted(_AUX))})\s", inner)
                end = match.start(1) + (cut.start() if cut is not None else len(inner))
                terms = self._terms_between(match.start(1), end)
                self._mark(match.start(), end)
                return terms
        return ()

    def _order(self, wh: str) -> str | None:
        for kind in ("first", "last"):
            for phrase in sorted(lexicon()["asking"][kind], key=len, reverse=True):
                match = re.search(rf"\b{phrase}\b", self.text, re.IGNORECASE)
                if (
                    match is not None
                    and not self._is_taken(match.start())
                    and not _inside_name(match, self.names, self.text)
                ):
                    self._mark(match.start(), match.end())
                    return kind
        return None

    def _source(self) -> None:
        """Who is asked to have said it, where that is no name ("did support say"): the words are anybody's."""
        match = _SOURCE.search(self.text)
        if match is not None and not any(start <= match.start(1) < end for start, end, _ in self._name_places()):
            self._mark(match.start(1), match.end(1))

    def _changed(self, wh: str) -> bool:
        stems = stem_set("asking", "changed")
        for word in words_of(self.text):
            if word.stem in stems and wh in ("how", "what", "") and not self._is_taken(word.start):
                self._mark(word.start, word.end)
                return True
        return False

    def _take(self, phrases: Iterable[str]) -> bool:
        found = False
        for phrase in sorted(phrases, key=len, reverse=True):
            match = re.search(rf"\b{re.escape(phrase)}\b", self.text, re.IGNORECASE)
            if match is not None and not self._is_taken(match.start()):
                self._mark(match.start(), match.end())
                found = True
        return found

    # What it is about ------------------------------------------------------------------------------------------------------------

    def _subjects(self, anchor: Anchor | None) -> tuple[str, ...]:
        """Names that stand where a subject stands: owners, and what follows a helping verb."""
        found: list[str] = []
        for start, end, name in self._name_places():
            if self._is_taken(start):
                continue
            before = self.text[:start].rstrip().lower()
            after = self.text[end:]
            owner = after.startswith(("'s", "' "))
            last = before.rsplit(" ", 1)[-1] if before else ""
            joined = bool(found) and (before.endswith(" and") or before.endswith(","))
            if owner or last.removesuffix("n't") in _AUX or joined or self._follows_wh_clause(start):
                found.append(name.known or name.text)
        return tuple(dict.fromkeys(found))

    def _follows_wh_clause(self, start: int) -> bool:
        """In an embedded question the subject stands right after the word of asking: "where Ana lives"."""
        before = self.text[:start].rstrip()
        match = None
        for match in _WH.finditer(before):
            pass
        return match is not None and match.end() == len(before) and start > 0

    def _name_places(self) -> list[tuple[int, int, Name]]:
        places: list[tuple[int, int, Name]] = []
        for name in sorted(self.names, key=lambda each: -len(each.text)):
            for match in re.finditer(rf"(?<!\w){re.escape(name.text)}(?!\w)", self.text, re.IGNORECASE):
                if not any(start < match.end() and match.start() < end for start, end, _ in places):
                    places.append((match.start(), match.end(), name))
        for match in re.finditer(r"\b[A-Z][\w-]*(?:\s+(?:&\s+)?[A-Z][\w-]*)*", self.text):
            words = match.group().split()
            start = match.start()
            while words and (start == 0 or stem(words[0]) in stem_set("function_words")):
                if (
                    start == 0
                    and stem(words[0]) not in stem_set("function_words")
                    and words[0].lower() not in _AUX
                    and len(words) > 1
                ):
                    break
                start += len(words[0]) + 1
                words = words[1:]
            if not words or any(s < match.end() and start < e for s, e, _ in places) or self._is_taken(start):
                continue
            places.append((start, match.end(), Name(" ".join(words))))
        return sorted(places, key=lambda place: place[0])

    def _terms(self, subjects: Sequence[str], asked: str | None) -> tuple[Term, ...]:
        known = {normalise_name(name) for name in subjects}
        return tuple(
            term
            for term in self._terms_between(0, len(self.text), asked)
            if not (term.kind == "name" and normalise_name(term.text) in known)
        )

    def _terms_between(self, start: int, end: int, asked: str | None = None) -> tuple[Term, ...]:
        found: list[tuple[int, Term]] = []
        places = [place for place in self._name_places() if start <= place[0] < end and not self._is_taken(place[0])]
        for begin, _, name in places:
            text = name.known or name.text
            found.append((begin, Term(text, tuple(w.stem for w in words_of(name.text)), "name")))
        for word in words_of(self.text[start:end]):
            at = start + word.start
            if self._is_taken(at) or any(b <= at < e for b, e, _ in places):
                continue
            if word.stem in stem_set("function_words") and not word.number:
                continue
            aside = _ASIDE.search(self.text[:at]) is not None or self.text[at + len(word.text) :].startswith("'s ")
            aside = aside or word.stem in stem_set("light") or (asked is not None and word.stem == stem(asked))
            if word.stem in stem_set("collective") and re.search(r"\b(the|whole)\s+$", self.text[:at], re.IGNORECASE):
                continue
            exact = word.number or word.text.lower() in _ORDINAL_NUMBERS
            found.append((at, Term(word.text, (word.stem,), "number" if exact else "word", aside and not exact)))
        unique: dict[tuple[str, ...], Term] = {}
        for _, term in sorted(found, key=lambda item: item[0]):
            unique.setdefault(term.stems, term)
        return tuple(unique.values())

    # The form ----------------------------------------------------------------------------------------------------------------------

    def _form(
        self,
        wh: str,
        want: Want,
        anchor: Anchor | None,
        order: str | None,
        time: Interval | None,
        *,
        changed: bool,
        current: bool,
        previous: bool,
    ) -> Form:
        if wh == "who else":
            return "who_else"
        if previous or (anchor is not None and anchor.relation in ("before", "until")):
            return "before_event"
        if anchor is not None and anchor.relation in ("after", "since"):
            return "after_event"
        if changed:
            return "changed"
        if order is not None:
            return "first" if order == "first" else "last"
        if want == "time":
            return "when"
        if want == "duration":
            return "how_long"
        if want == "count":
            return "how_many"
        if time is not None or anchor is not None:
            return "at_time"
        if current or (want == "place" and _present(self.text)):
            return "current"
        if wh == "" and want == "thing":
            return "search"
        return "attribute"

    def _mark(self, start: int, end: int) -> None:
        self.taken.append((start, end))

    def _is_taken(self, at: int) -> bool:
        return any(start <= at < end for start, end in self.taken)


def properties_asked(terms: Sequence[Term], want: Want, form: Form) -> tuple[str, ...]:
    """The known properties that the words of a question ask for, in the order of the data file, then those whose names it has."""
    stems = {each for term in terms for each in term.stems}
    found: list[str] = []
    for name, entries in lexicon()["property"].items():
        for entry in entries:
            if "wants" in entry and want not in entry["wants"]:
                continue
            if all(any(stem(choice) in stems for choice in words.split("|")) for words in entry["words"]):
                found.append(name)
                break
    found += [name for name in properties() if name not in found and set(stems_of(name.replace("_", " "))) <= stems]
    return tuple(found)


@cache
def trigger_stems(name: str) -> frozenset[str]:
    """The stems by which a question asks for a property."""
    entries = lexicon()["property"].get(name, ())
    words = {stem(choice) for entry in entries for words in entry["words"] for choice in words.split("|")}
    return frozenset(words | set(stems_of(name.replace("_", " "))))


def _as_terms(asked: str | None) -> list[Term]:
    return [] if asked is None else [Term(asked, (stem(asked),))]


def _unwrapped(text: str) -> str:
    """The question without polite openers and greetings."""
    text = text.strip()
    changed = True
    while changed:
        changed = False
        for opener in lexicon()["asking"]["openers"]:
            match = re.match(rf"{re.escape(opener)}\b[\s,:!]*", text, re.IGNORECASE)
            if match is not None and match.end() < len(text):
                text, changed = text[match.end() :], True
    return text


def _want_of(word: Word) -> Want:
    for want in ("place", "time", "person", "amount", "count", "duration", "age"):
        if word.stem in stem_set("wanted", want):
            return want
    return "thing"


def _verbal(word: str) -> bool:
    low = word.lower()
    return low.endswith("ed") or (stem(low) != low and low in _irregular_forms())


def _irregular_forms() -> frozenset[str]:
    return frozenset(form for forms in lexicon()["irregular"].values() for form in forms) - {"children", "men", "women"}


def _inverted_later(text: str, match: re.Match[str]) -> bool:
    """Whether a helper and a subject follow a word of asking that is not the first: "In May, where did Ana live"."""
    following = words_of(text[match.end() :])[:4]
    return any(word.text.lower() in _AUX for word in following) and "," in text[: match.start()]


def _inside_name(match: re.Match[str], names: Sequence[Name], text: str) -> bool:
    return any(
        found.start() <= match.start() < found.end()
        for name in names
        for found in re.finditer(re.escape(name.text), text, re.IGNORECASE)
    )


def _present(text: str) -> bool:
    words = {word.text.lower() for word in words_of(text)}
    return bool(words & {"is", "are", "does", "do"}) and not words & {"did", "was", "were", "had"}


def _possessive_chain(text: str) -> bool:
    return len(re.findall(r"\w's?\b\s+\w+", text)) > 1 and len(re.findall(r"'s\b", text)) > 1


def _operations(form: Form, want: Want) -> tuple[str, ...]:
    table: Mapping[str, tuple[str, ...]] = {
        "current": ("latest",), "at_time": ("value at a time",), "before_event": ("order", "value before"),
        "after_event": ("order", "value after"), "first": ("order", "first"), "last": ("order", "latest"), "when": ("date",),
        "how_long": ("duration",), "how_many": ("count",), "who_else": ("list", "exclude"), "changed": ("compare", "order"),
        "attribute": ("look up",), "search": ("search",),
    }  # fmt: skip
    return table[form]


def _with_bullets(made: Plan) -> Plan:
    from dataclasses import replace

    return replace(made, bullets=bullets(made))


def bullets(made: Plan) -> tuple[str, ...]:
    """One to five lines that show the plan to a reader."""
    about = ", ".join([*made.subjects, *(term.text for term in made.terms)]) or "anything"
    lines = [f"Targets: {about}" + (f" (properties: {', '.join(made.properties)})" if made.properties else "")]
    if made.time is not None:
        lines.append(f"Time: {made.time_text} = {_shown(made.time)}")
    if made.anchor is not None:
        lines.append(f"Anchor: {made.anchor.relation} {made.anchor.text}")
    lines.append(
        f"Wanted: {made.asked or made.want}, form {made.form}, operations: {', '.join(made.operations)}; hops: {made.hops}"
    )
    if made.excluded:
        lines.append("Not counted: " + ", ".join(term.text for term in made.excluded))
    return tuple(lines[:5])


def _shown(time: Interval) -> str:
    start = time.start.date().isoformat() if time.start is not None else ".."
    end = time.end.date().isoformat() if time.end is not None else ".."
    return f"[{start}, {end})"
