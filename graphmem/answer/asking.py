"""The word of asking: which it is, what kind of answer it wants, and the noun of "which N" and "what is the N of". Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from graphmem.answer.targets import Want
from graphmem.answer.words import Word, lexicon, stem, stem_set, words_of

HELPERS = frozenset(
    "is are was were am be been do does did has have had will would can could should may might must shall".split()
)
"""Helping verbs, which stand before the subject of a question."""
WORD_OF_ASKING = re.compile(
    r"\b(who else|whom|whose|who|how (?:long|many|much|often|old|far|tall|big|heavy|fast|deep|high|wide)|how|when|where|which|what|why)\b",
    re.IGNORECASE,
)
_WANTS: Mapping[str, Want] = {
    "who else": "person", "who": "person", "whom": "person", "whose": "person", "how long": "duration", "how many": "count",
    "how much": "amount", "how often": "frequency", "how old": "age", "when": "time", "where": "place", "why": "reason", "how": "manner",
    "how far": "amount", "how tall": "amount", "how big": "amount", "how heavy": "amount", "how fast": "amount", "how deep": "amount",
    "how high": "amount", "how wide": "amount", "which": "thing", "what": "thing",
}  # fmt: skip
_COSTS = re.compile(
    r"^(?:'s|\s+\w+)\b[^?]*\b(?:costs?|weigh(?:s|ed)?|charged?|earn(?:s|ed)?|(?:pay|paid|pays)\s+for\s+\w+)\b"
    r"(?!\s+(?:of|to)\b)",
    re.IGNORECASE,
)
"""How "what" asks for an amount: "what did the bike cost", "what does he earn"."""
_CAUSED = re.compile(
    r"^(?:'s| is| was)?\s+(?:the\s+)?(?:reason\b|caus(?:ed|es|ing|e of)\b|made\b|led\b)", re.IGNORECASE
)
_BECAME = re.compile(
    r"^\s+(?:is|was|were|did|does|has|have)\b[^?]*\b(?:chang|rais|correct|lower|increas|reduc|cut|mov|updat|renam|set)(?:e|ed|es)?\b(?:[^?]*\s|\s+)to\b"
    r"(?:\s+(?:in|on|at|by|for|as|after|before)\b[^?]*)?\s*\?*$",
    re.IGNORECASE,
)
"""How "what" asks for the new value: "what was the budget raised to"."""
BECAME_OF = re.compile(r"\bwhat(?:'s| has| ever)? (?:happened to|became of|become of)\b", re.IGNORECASE)
"""How the last that is known of something is asked for."""
_DATED = re.compile(r"\b(?:date|day|month)s?\b", re.IGNORECASE)
_SURNAME = re.compile(r"\b(?:(?:last|family|full)\s+name|surname)s?\b", re.IGNORECASE)
_NUMBER_ONE = re.compile(r"\bnumber (?:one|two|1|2)\b", re.IGNORECASE)
_NUMBER_OF = re.compile(
    r"\bthe (?:\w+ )?number of\b(?!\s+(?:the|an?|my|our|your|his|her|their|[\w-]+'s)\b)", re.IGNORECASE
)
_NOTHING = frozenset({"thing", "things", "one", "ones"})
_SUBJECTS = frozenset({"i", "you", "he", "she", "it", "we", "they"})
_AFTER_NOUN = frozenset("of for in on at to with from about after before when that during the a an else and".split())


@dataclass(frozen=True, slots=True)
class Asked:
    """``wh`` is the word of asking in lower case, "" where there is none; ``taken`` are the stretches of text that it speaks for;
    ``became`` tells that the value is asked for that something was changed to."""

    wh: str
    want: Want
    noun: str | None = None
    taken: tuple[tuple[int, int], ...] = ()
    became: bool = False


def asked_for(text: str) -> Asked:
    """What a question asks for."""
    text = _NUMBER_ONE.sub(lambda first: " " * len(first.group()), text)  # "her number one goal" counts nothing
    match = WORD_OF_ASKING.search(text)
    helped = _starts_with_helper(text)
    if match is None or (match.start() > 0 and helped and not _inverted_later(text, match)):
        return Asked("", "yes_no" if helped else "thing")
    wh, place = match.group(1).lower(), match.span()
    if wh == "when" and (since := re.search(r"\bsince\s+$", text[: match.start()], re.IGNORECASE)) is not None:
        place = (since.start(), match.end())
    if wh in ("which", "what") and (surname := _SURNAME.search(text)) is not None:
        return Asked(wh, "name", "surname", (place, surname.span()))
    if wh == "what" and _CAUSED.match(text[match.end() :]) is not None:
        return Asked(wh, "reason", None, (place,))
    if wh == "what" and _BECAME.search(text[match.end() :]) is not None:
        dated = _DATED.search(text[match.end() :]) is not None
        return Asked(wh, "time" if dated else "thing", None, (place,), became=True)
    nouns = _nouns_after(text, match.end())
    if wh == "what" and not nouns and _COSTS.match(text[match.end() :]) is not None:
        return Asked(wh, "amount", None, (place,))
    if wh not in ("which", "what"):
        noun = nouns[-1].text if nouns and wh in ("how many", "how much") else None
        return Asked(wh, _WANTS[wh], noun, (place,))
    if nouns:
        if nouns[-1].stem in stem_set("identifying"):
            return Asked(wh, "thing", nouns[max(len(nouns) - 2, 0)].text, (place,))
        want = _want_of(nouns[-1])
        if want == "time":
            return Asked("when", "time", nouns[-1].text, (place, *((word.start, word.end) for word in nouns)))
        return Asked(wh, want, nouns[-1].text, (place,))
    if re.search(r"\b(?:called|named)\b[\s?.!]*$", text, re.IGNORECASE) is not None:
        return Asked(wh, "name", None, (place,))
    head = _head_of_what(text, match.end())
    if head is None:
        return Asked(wh, "thing", None, (place,))
    if head.stem == stem("name"):
        return Asked(wh, "name", None, (place,))
    if head.stem in stem_set("identifying"):
        head = _coded_after(text, match.end(), head)
    want = _want_of(head)
    if want != "count":
        return Asked(wh, want, head.text, (place,))
    counted = _NUMBER_OF.search(text)
    if counted is None:
        return Asked(wh, "thing", head.text, (place,))
    things = words_of(text[counted.end() :])
    return Asked(wh, want, things[0].text if things else head.text, (place,))


def _head_of_what(text: str, at: int) -> Word | None:
    """The noun of "what is X's noun" and "what is the noun of …"."""
    match = re.match(r"\s*(?:is|are|was|were|'s)\s+(?:the\s+)?", text[at:], re.IGNORECASE)
    if match is None:
        return None
    start = at + match.end()
    head = None
    for word in words_of(text[start:]):
        low = word.text.lower()
        if low in _AFTER_NOUN or low in HELPERS or low in _NOTHING:
            break
        if head is not None and (low in _SUBJECTS or word.capital or is_past(low)):
            break
        if text[start + word.end : start + word.end + 2] in ("'s", "s'"):
            continue
        if (not word.capital and word.stem not in stem_set("function_words")) or low in ("name", "called"):
            head = word
    return None if head is None else _moved(head, start)


def _coded_after(text: str, at: int, head: Word) -> Word:
    """The thing whose number is asked for, where it has a name of its own: "the number of the latest ticket"."""
    others = [word for word in words_of(text[at:]) if word.stem in stem_set("coded") - stem_set("identifying")]
    return _moved(others[-1], at) if others else head


def _nouns_after(text: str, at: int) -> tuple[Word, ...]:
    """The words between "which" and the verb: "which version of Quillmark Desk" gives "version"."""
    found: list[Word] = []
    if text[at : at + 2] == "'s":
        return ()
    for word in words_of(text[at:]):
        low = word.text.lower()
        if (
            low in HELPERS
            or low in _AFTER_NOUN
            or word.stem in stem_set("function_words")
            or word.capital
            or low.endswith("ly")
        ):
            break
        if found and text[at + found[-1].end : at + word.start].strip():
            break
        if is_past(low) and (found or not low.endswith("ing")):
            break
        found.append(_moved(word, at))
        if len(found) == 3:
            break
    return tuple(found)


def _moved(word: Word, by: int) -> Word:
    return Word(word.text, word.start + by, word.end + by, word.stem)


def _starts_with_helper(text: str) -> bool:
    words = words_of(text)
    return bool(words) and words[0].text.lower().removesuffix("n't") in HELPERS


def _inverted_later(text: str, match: re.Match[str]) -> bool:
    """Whether a helper follows a word of asking that is not the first: "In May, where did Ana live"."""
    following: Sequence[Word] = words_of(text[match.end() :])[:4]
    return any(word.text.lower() in HELPERS for word in following) and "," in text[: match.start()]


def _want_of(word: Word) -> Want:
    wants: tuple[Want, ...] = ("place", "time", "person", "amount", "count", "duration", "age")
    return next((want for want in wants if word.stem in stem_set("wanted", want)), "thing")


def is_past(low: str) -> bool:
    """Whether a word in lower case is a past tense or participle by its form."""
    return low.endswith("ed") or (stem(low) != low and low in _irregular_forms())


_NOT_PAST = frozenset({"children", "men", "women", "people", "goes", "running", "hurting"})
"""Irregular forms that are no past tense."""


@cache
def _irregular_forms() -> frozenset[str]:
    return frozenset(form for forms in lexicon()["irregular"].values() for form in forms) - HELPERS - _NOT_PAST
