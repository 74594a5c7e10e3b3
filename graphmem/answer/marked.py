"""A question with the stretches that are spoken for, and what stands in the rest: names, and words that evidence has to cover."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from graphmem.answer.asking import HELPERS
from graphmem.answer.targets import Name, Term
from graphmem.answer.words import stem, stem_set, words_of

_ASIDE = re.compile(
    r"(?<!\bis)(?<!\bare)(?<!\bwas)(?<!\bwere)\s(?:on|for|during|at|in)\s+(?:(?:the|a|an|her|his|their|each)\s+)?$",
    re.IGNORECASE,
)
_COMPANION = re.compile(r"[A-Z][\w-]*\s+and\s+(?:her|his|their)\s+$")
"""Who is with the one asked about, and "we" in an answer: "Ana and her family"."""
_ORDINALS = frozenset("first second third fourth fifth sixth seventh eighth ninth tenth".split())
_CODE_AFTER = re.compile(r"\s+(?=[\w-]*\d)[A-Z][\w-]*(?![\w.])")


@dataclass(slots=True)
class MarkedText:
    """A text of which more and more is taken. ``names`` are those that occur in it, ``taken`` the stretches that are spoken for."""

    text: str
    names: Sequence[Name]
    taken: list[tuple[int, int]] = field(default_factory=list)

    def name_places(self) -> list[tuple[int, int, Name]]:
        places: list[tuple[int, int, Name]] = []
        for name in sorted(self.names, key=lambda each: -len(each.text)):
            for match in re.finditer(rf"(?<!\w){re.escape(name.text)}(?!\w)", self.text, re.IGNORECASE):
                if not any(start < match.end() and match.start() < end for start, end, _ in places):
                    places.append((match.start(), match.end(), name))
        places = self._with_codes(places)
        for match in re.finditer(r"\b[A-Z][\w-]*(?:\s+(?:&\s+)?[A-Z][\w-]*)*", self.text):
            words = match.group().split()
            start = match.start()
            while words and (start == 0 or stem(words[0]) in stem_set("function_words")):
                if (
                    start == 0
                    and stem(words[0]) not in stem_set("function_words")
                    and words[0].lower() not in HELPERS
                    and len(words) > 1
                ):
                    break
                start += len(words[0]) + 1
                words = words[1:]
            if not words or any(s < match.end() and start < e for s, e, _ in places) or self.is_taken(start):
                continue
            places.append((start, match.end(), Name(" ".join(words))))
        return sorted(places, key=lambda place: place[0])

    def _with_codes(self, places: Sequence[tuple[int, int, Name]]) -> list[tuple[int, int, Name]]:
        """Names with the code that follows each: "Quillmark L2" is one thing, of which the code tells."""
        found: list[tuple[int, int, Name]] = []
        for start, end, name in sorted(places, key=lambda place: place[0]):
            code = None if _is_code(name.text) or name.type == "Person" else _CODE_AFTER.match(self.text, end)
            if code is not None:
                found = [place for place in found if place[1] <= start]
                end, name = code.end(), Name(self.text[start : code.end()])
            if not any(begin < end and start < stop for begin, stop, _ in found):
                found.append((start, end, name))
        return found

    def list_of_names(self, start: int, places: Sequence[tuple[int, int, Name]]) -> int | None:
        """Where a list of names that begins here ends; None where no name begins here."""
        end = None
        for begin, stop, _ in places:
            between = self.text[start if end is None else end : begin]
            if begin >= start and re.fullmatch(r"\s*(?:,|and|or|&|,\s*and)?\s*", between) is not None:
                end = stop
        return end

    def terms_between(self, start: int, end: int, asked: str | None = None) -> tuple[Term, ...]:
        found: list[tuple[int, Term]] = []
        places = [place for place in self.name_places() if start <= place[0] < end and not self.is_taken(place[0])]
        for begin, _, name in places:
            companion = not name.text[:1].isupper() and self._is_companion(begin, name.text)
            aside = companion or _ASIDE.search(self.text[:begin]) is not None
            found.append(
                (
                    begin,
                    Term(
                        name.text,
                        tuple(w.stem for w in words_of(name.text)),
                        "number" if _is_code(name.text) else "word" if companion else "name",
                        aside,
                    ),
                )
            )
        inside = -1
        together = re.search(
            r"\b(?i:been|be|is|are|was|were)(?:\s+[A-Z][\w-]*)?(?:\s+still)?\s+(with)\s+[A-Z]", self.text[start:end]
        )
        if together is not None:
            found.append((start + together.start(1), Term("together", (stem("together"),))))
        for word in words_of(self.text[start:end]):
            at = start + word.start
            if word.end <= inside:
                continue
            inside = word.end
            if self.is_taken(at) or any(b <= at < e for b, e, _ in places):
                continue
            if word.stem in stem_set("function_words") and not word.number:
                continue
            owned = re.search(r"\w's?\s+$", self.text[:at]) is not None
            aside = _ASIDE.search(self.text[:at]) is not None or (
                not owned and self.text[at + len(word.text) :].startswith("'s ")
            )
            aside = aside or self._is_companion(at, word.text)
            aside = (
                aside
                or word.stem in stem_set("light")
                or (asked is not None and word.stem == stem(asked) and word.stem not in stem_set("coded"))
            )
            if word.stem in stem_set("collective") and re.search(r"\b(the|whole)\s+$", self.text[:at], re.IGNORECASE):
                continue
            exact = word.number or word.text.lower() in _ORDINALS
            found.append((at, Term(word.text, (word.stem,), "number" if exact else "word", aside and not exact)))
        unique: dict[tuple[str, ...], Term] = {}
        for _, term in sorted(found, key=lambda item: item[0]):
            unique.setdefault(term.stems, term)
        return tuple(unique.values())

    def _is_companion(self, at: int, word: str) -> bool:
        """Whether a word names who is with the one asked about ("Ana and her friends", "Ana's family"), and may be "we" in an answer."""
        owned = self.text[:at].rstrip().endswith(("'s", "'")) and stem(word) in stem_set("households")
        return owned or _COMPANION.search(self.text[:at]) is not None

    def take(self, phrases: Iterable[str]) -> bool:
        found = False
        for phrase in sorted(phrases, key=len, reverse=True):
            match = re.search(rf"\b{re.escape(phrase)}\b", self.text, re.IGNORECASE)
            if match is not None and not self.is_taken(match.start()):
                self.mark(match.start(), match.end())
                found = True
        return found

    def mark(self, start: int, end: int) -> None:
        self.taken.append((start, end))

    def is_taken(self, at: int) -> bool:
        return any(start <= at < end for start, end in self.taken)


def _is_code(name: str) -> bool:
    return " " not in name and any(ch.isdigit() for ch in name)
