"""A question as a full-text query: words to look for, in any script, with nothing in them that a query parser could trip over.

Words are runs of letters, marks and digits; everything else separates them. They are lower-cased, so that AND, OR and NOT are words like
any other, and none can hold a character of the query syntax. Each goes in quotes all the same: an analyzer may split a word again (CJK text
into bigrams), and in quotes its pieces stay together.
"""

from __future__ import annotations

import re
import unicodedata

MAX_WORDS = 200
"""Words of one question that are looked for; a longer text is cut there. Lucene itself refuses more than 1,024 clauses."""

FUNCTION_WORDS = frozenset(
    """a about after all am an and any are as at be because been before being but by can could did do does doing for from had has have
    having he her hers him his how i if in into is it its itself let me might mine my no nor not of off on one only or other our ours out
    over own shall she should so some such than that the their theirs them then there these they this those through to too under until up
    us was we were what when where which while who whom whose why will with would you your yours""".split()
)
"""English words that say how a question is put, not what it is about."""

_WORD = re.compile(r"\w+(?:['’]\w+)*")
_CJK = re.compile(
    r"[\u1100-\u11ff\u2e80-\u303f\u3040-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)


def words_of(text: str) -> list[str]:
    """The words of a text, normalised (NFKC) and lower-cased, in order; at most ``MAX_WORDS``."""
    plain = unicodedata.normalize("NFKC", text).lower().replace("’", "'").replace("_", " ")
    found = []
    for match in _WORD.finditer(plain):
        found.append(match.group().removesuffix("'s"))
        if len(found) == MAX_WORDS:
            break
    return found


def content_words(text: str) -> list[str]:
    """The words of a question that say what it is about, each once; all its words where nothing else is left."""
    words = list(dict.fromkeys(words_of(text)))
    return [word for word in words if word not in FUNCTION_WORDS] or words


def has_cjk(text: str) -> bool:
    """Whether Chinese, Japanese or Korean characters occur in a text."""
    return _CJK.search(text) is not None


def any_of(words: list[str], field: str = "searchable") -> str:
    """The clause that asks for any of these words in a field, in Lucene's syntax."""
    return f"+{field}:(" + " ".join(f'"{escaped(word)}"' for word in words) + ")"


def escaped(text: str) -> str:
    """A text as it may stand within quotes in Lucene's syntax."""
    return text.replace("\\", "\\\\").replace('"', '\\"')
