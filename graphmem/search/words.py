"""Words: how a text falls into them, which of a question's say what it is about, and how they become a full-text query.

A word is a run of letters, marks and digits; points and apostrophes within it belong to it ("v2.0.1", "don't"), as they do for the analyzer
of the index. Chinese, Japanese and Korean text has no spaces, and counts as the pairs of its characters, as in the ``cjk`` analyzer.

A query is made of quoted words only. Lower-cased, none of them is AND, OR or NOT, and within quotes no character but the quote and the
backslash has a meaning, neither of which a word can hold: no question, in whatever script and punctuation, is a syntax error.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable, Sequence

import snowballstemmer  # type: ignore[import-untyped]

MAX_WORDS = 100
"""Words of one question that are looked for; a longer text is cut there. The index itself refuses more than 1,024 clauses."""

_MAX_CHARACTERS = 20_000

FUNCTION_WORDS = frozenset(
    """a about after all am an and any are as at be because been before being but by can could did do does doing don't for from had has
    have having he her hers him his how i i'm if in into is it its itself let me might mine my no nor not of off on one only or other our
    ours out over own shall she should so some such than that the their theirs them then there these they this those through to too under
    until up us was we were what when where which while who whom whose why will with would you your yours""".split()
)
"""English words that say how a question is put, not what it is about."""

_CJK_CLASS = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_CJK = re.compile(f"[{_CJK_CLASS}]+")


def words_of(text: str) -> list[str]:
    """The words of a text in order, normalised (NFKC) and lower-cased; possessive endings are off."""
    plain = unicodedata.normalize("NFKC", text[:_MAX_CHARACTERS]).lower().replace("’", "'")
    found: list[str] = []
    for word in _pattern().findall(plain):
        if word.isascii():
            found.append(word.removesuffix("'s"))
        else:
            found.extend(_split(word))
    return found


def content_words(text: str) -> list[str]:
    """The words of a question that say what it is about, each once, at most ``MAX_WORDS``; all its words where nothing else is left."""
    words = list(dict.fromkeys(words_of(text)))
    return ([word for word in words if word not in FUNCTION_WORDS] or words)[:MAX_WORDS]


def has_cjk(text: str) -> bool:
    """Whether a text holds Chinese, Japanese or Korean characters."""
    return _CJK.search(text) is not None


def any_of(words: Iterable[str], field: str = "searchable") -> str:
    """The clause that asks for any of these words in a field, in the syntax of the full-text index.

    Words with composed letters are asked for in their decomposed form too: the index holds each text in the form that it came in.
    """
    forms = dict.fromkeys(form for word in words for form in (word, unicodedata.normalize("NFD", word)))
    return f"+{field}:(" + " ".join(quoted(form) for form in forms) + ")"


def quoted(text: str) -> str:
    """A text in quotes, as the full-text syntax wants it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


@functools.lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """An English word without its ending (Porter's second stemmer); any other as it is."""
    return str(_stemmer().stemWord(word)) if word.isascii() and len(word) > 2 else word


def count_stems(texts: Sequence[str], stems: Iterable[str]) -> tuple[list[list[int]], list[int]]:
    """How often each stem occurs in each text, and how many words each text has."""
    wanted = {each: place for place, each in enumerate(stems)}
    openings = {each[:2] for each in wanted}
    counts, lengths = [], []
    for text in texts:
        words = words_of(text)
        row = [0] * len(wanted)
        for word in words:
            if word[:2] in openings:
                place = wanted.get(stem(word))
                if place is not None:
                    row[place] += 1
        counts.append(row)
        lengths.append(len(words))
    return counts, lengths


def cjk_runs(word: str) -> list[tuple[str, bool]]:
    """A word as runs of Chinese, Japanese or Korean characters (True) and of others (False), in order."""
    found, end = [], 0
    for run in _CJK.finditer(word):
        if run.start() > end:
            found.append((word[end : run.start()], False))
        found.append((run.group(), True))
        end = run.end()
    return [*found, (word[end:], False)] if end < len(word) else found


def _split(word: str) -> list[str]:
    found: list[str] = []
    for run, cjk in cjk_runs(word):
        found += [run[i : i + 2] for i in range(max(1, len(run) - 1))] if cjk else [run]
    return found


@functools.cache
def letter() -> str:
    """The class of characters that words are made of, as part of a regular expression: what ``\\w`` matches, and combining marks."""
    marks, first = [], None
    for code in range(0x300, 0x10000):
        is_mark = unicodedata.category(chr(code)).startswith("M")
        if is_mark and first is None:
            first = code
        elif not is_mark and first is not None:
            marks.append(f"{chr(first)}-{chr(code - 1)}")
            first = None
    return f"[\\w{''.join(marks)}]"


@functools.cache
def _pattern() -> re.Pattern[str]:
    return re.compile(f"{letter()}+(?:['.]{letter()}+)*")


@functools.cache
def _stemmer() -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer("english")
