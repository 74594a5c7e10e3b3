"""Whether words stand in a text, and where: letter by letter, but for case, spaces, accents, kinds of quotation marks and dashes."""

from __future__ import annotations

import re
import unicodedata

_ALIKE = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"', "–": "-", "—": "-", "\u2011": "-"})
_GAP = re.compile(r"\s*(?:\[?\.\.\.\]?|\[?…\]?)\s*")
_OUTER = " \t\n\"'.,;:!?…"
MOST_SKIPPED = 200
"""Characters that an ellipsis may stand for."""


def place(words: str, text: str) -> tuple[int, int] | None:
    """Where the words stand in the text, as code points; with an ellipsis inside, from the first piece to the last. None if they do not."""
    pieces = [piece for piece in (_plain(part)[0].strip(_OUTER) for part in _GAP.split(words)) if piece]
    if not pieces:
        return None
    plain, origin = _plain(text)
    start, at = -1, 0
    for piece in pieces:
        found = plain.find(piece, at)
        if found < 0 or (start >= 0 and found - at > MOST_SKIPPED):
            return None
        start = found if start < 0 else start
        at = found + len(piece)
    end = origin[at - 1] + 1
    while end < len(text) and unicodedata.category(text[end]) == "Mn":
        end += 1
    return origin[start], _with_ending(words, text, end)


def _with_ending(words: str, text: str, end: int) -> int:
    """The end moved over the punctuation that ends the words, as far as the text has it too."""
    whole = words.translate(_ALIKE).rstrip()
    for ch in whole[len(whole.rstrip(_OUTER)) :]:
        if end >= len(text) or text[end].translate(_ALIKE) != ch:
            break
        end += 1
    return end


def _plain(text: str) -> tuple[str, list[int]]:
    """A text in its comparable form, and for each of its characters the place in the text it came from."""
    plain: list[str] = []
    origin: list[int] = []
    for at, ch in enumerate(text.translate(_ALIKE)):
        form = unicodedata.normalize("NFKC", ch).casefold()
        if form.isspace() or not form:
            if plain and plain[-1] != " ":
                plain.append(" ")
                origin.append(at)
            continue
        if unicodedata.category(ch) in ("Mn", "Cf"):
            continue
        # An accent may come as a character of its own: both ways meet without it.
        for each in unicodedata.normalize("NFD", form):
            if unicodedata.category(each) != "Mn":
                plain.append(each)
                origin.append(at)
    return "".join(plain), origin
