"""Words as questions and statements are compared by: tokens with their places, and stems that meet across inflections.

A stem is only ever compared with another stem, so it need not be a word. The table of irregular forms and of words that mean alike is
data (``lexicon.toml``).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from graphmem.extract.vocabulary import read_table

_WORD = re.compile(r"[^\W_]+(?:(?:[.:/\-'’&]|(?<=\d),(?=\d))[^\W_]+)*|[$€£¥]")
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_VOWELS = frozenset("aeiouy")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text: as written, where it stands (code points), and its stem."""

    text: str
    start: int
    end: int
    stem: str

    @property
    def capital(self) -> bool:
        """Whether it is written with a capital letter."""
        return self.text[:1].isupper()

    @property
    def number(self) -> bool:
        """Whether it is made of digits or is a code with digits in it."""
        return any(ch.isdigit() for ch in self.text)


@cache
def lexicon() -> Mapping[str, Any]:
    """The data file of this package."""
    return MappingProxyType(read_table(__package__, "lexicon.toml"))


def words_of(text: str) -> tuple[Word, ...]:
    """The words of a text in order. A possessive ending is cut off; a hyphenated word counts whole and, after it, in its parts."""
    found: list[Word] = []
    for match in _WORD.finditer(text):
        word = _without_possessive(match.group())
        found.append(Word(word, match.start(), match.start() + len(word), stem(word)))
        if "-" in word and not any(ch.isdigit() for ch in word):
            at = match.start()
            for part in word.split("-"):
                found.append(Word(part, at, at + len(part), stem(part)))
                at += len(part) + 1
    return tuple(found)


def stems_of(text: str) -> tuple[str, ...]:
    """The stems of a text's words in order."""
    return tuple(word.stem for word in words_of(text))


def _without_possessive(word: str) -> str:
    for ending in ("'s", "’s", "'S", "’S"):
        if word.endswith(ending):
            return word[: -len(ending)]
    return word


@cache
def _irregular() -> Mapping[str, str]:
    table: dict[str, str] = {}
    for base, forms in lexicon()["irregular"].items():
        for form in forms:
            table[form] = base
    return MappingProxyType(table)


@cache
def stem(word: str) -> str:
    """The stem of an English word: irregular forms by table, else the endings of plural, past and participle off.

    After M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980, steps 1 and 5a: those undo inflection and leave
    derivation alone.
    """
    plain = unicodedata.normalize("NFKC", word).casefold().replace("’", "'")
    if plain in _irregular():
        plain = _irregular()[plain]
    if any(ch.isdigit() for ch in plain) or len(plain) <= 3 or not plain.isascii():
        return plain
    return _closed(_stripped(plain))


def _stripped(word: str) -> str:
    if word.endswith("sses") or word.endswith("ies") or word.endswith("ied"):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        rest = word[: -len(ending)]
        if word.endswith(ending) and len(rest) >= 3 and any(ch in _VOWELS for ch in rest):
            return _completed(rest)
    return word


_ONLY_WITH_E = (
    *("at", "iz", "u", "nc", "rc", "rg", "dg", "lg", "rv", "lv", "rs", "ns", "ps"),
    *("bl", "cl", "dl", "fl", "gl", "kl", "pl", "tl", "zl"),
)
"""What no verb ends in without an "e" after it: "dance", "serve", "settle", "rescue"."""


def _completed(rest: str) -> str:
    """What an ending was taken from, with the "e" it had lost: "mov" is "move", "rais" is "raise", "danc" is "dance", "stopp" is "stop"."""
    if rest.endswith(_ONLY_WITH_E):
        return rest + "e"
    if rest[-1] == rest[-2] and rest[-1] not in "aeioulsz":
        return rest[:-1]
    if rest[-1] in "scvg" and rest[-2] in _VOWELS and rest[-3] in _VOWELS:
        return rest + "e"
    short = _measure(rest) == 1 and rest[-1] not in "aeiouwxy" and rest[-2] in _VOWELS and rest[-3] not in _VOWELS
    return rest + "e" if short else rest


def _measure(word: str) -> int:
    """How often a vowel is followed by a consonant (Porter's m)."""
    shape = "".join(
        "v" if ch in "aeiou" or (ch == "y" and at > 0 and word[at - 1] not in "aeiou") else "c"
        for at, ch in enumerate(word)
    )
    return len(re.findall("v+c+", shape))


def _closed(word: str) -> str:
    """Final "e" of a longer word off and "y" levelled, so that "release" and "released" meet, and "study" and "studied"."""
    if word.endswith("e") and _measure(word[:-1]) > 1:
        return word[:-1]
    if word.endswith("ll") and _measure(word[:-1]) > 1:
        return word[:-1]
    if word.endswith("y") and len(word) > 3:
        return word[:-1] + "i"
    return word


@cache
def stem_set(*path: str) -> frozenset[str]:
    """A list of the lexicon, by its keys, as stems."""
    node: Any = lexicon()
    for key in path:
        node = node[key]
    return frozenset(stem(word) for word in node)


@cache
def _groups() -> Mapping[str, frozenset[str]]:
    """For each stem the stems that mean much the same."""
    table: dict[str, set[str]] = {}
    for group in lexicon()["alike"]:
        stems = {stem(word) for word in group}
        for each in stems:
            table.setdefault(each, set()).update(stems - {each})
    return MappingProxyType({each: frozenset(others) for each, others in table.items()})


@cache
def _witnesses() -> Mapping[str, frozenset[str]]:
    """For each stem of a question the stems of a statement that answer for it, though they mean something else."""
    return MappingProxyType(_table_of("witness"))


@cache
def _hints() -> Mapping[str, frozenset[str]]:
    return MappingProxyType(_table_of("hint"))


def _table_of(name: str) -> dict[str, frozenset[str]]:
    return {stem(word): frozenset(stem(other) for other in others) for word, others in lexicon()[name].items()}


def alike(one: str) -> frozenset[str]:
    """Stems that mean much the same as this one."""
    return _groups().get(one, frozenset())


def witnesses(one: str) -> frozenset[str]:
    """Stems of a statement that answer for this stem of a question ("live" is answered by "moved to")."""
    return _witnesses().get(one, frozenset())


@cache
def written_witnesses(one: str) -> tuple[str, ...]:
    """The witnesses of a stem as they are written, for a search."""
    found = next((others for word, others in lexicon()["witness"].items() if stem(word) == one), ())
    return tuple(found)


def hints(one: str) -> frozenset[str]:
    """Stems of a statement that only hint at this stem of a question ("stay": "booked", "three nights")."""
    return _hints().get(one, frozenset())


CODE = re.compile(r"(?<![\w.])(?=[\w.-]*\d)[A-Za-z0-9]+(?:[.-][A-Za-z0-9]+)+(?!\w)")
"""A code: letters and digits joined by points or hyphens (QM-48213, 3.1.2)."""


def codes_in(text: str, versions: bool) -> tuple[str, ...]:
    """The codes of a text: version numbers (digits and points), or all others."""
    return tuple(code for code in CODE.findall(text) if is_version(code) == versions)


def is_version(code: str) -> bool:
    """Whether a code is a version number."""
    return re.fullmatch(r"[vV]?\d+(?:\.\d+)+", code) is not None


def numbers_in(text: str) -> frozenset[str]:
    """The numbers of a text in digits."""
    return frozenset(_NUMBER.findall(text))


def content(words: Iterable[Word]) -> tuple[Word, ...]:
    """The words that say what a text is about: function words and words of asking left out."""
    empty = stem_set("function_words")
    return tuple(word for word in words if word.stem not in empty and len(word.stem) > 0)
