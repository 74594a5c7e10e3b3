"""Whether quotations mention what an answer claims: a check of words.

It catches a wrong quotation, not a wrong conclusion from the right one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from graphmem.answer.words import Word, alike, content, stem, stem_set, stems_of, witnesses, words_of

_NOT_CLAIMED = frozenset(
    stem(word)
    for word in """
    yes no not none nobody nothing never both neither unknown about around approximately since until before after between later earlier
    january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday
    day days week weeks month months year years hour hours minute minutes time times night morning afternoon evening
    spring summer autumn fall winter the a an
    """.split()
)
"""Words of answers that are worked out (dates, lengths, counts, yes and no), which no quotation need hold."""

_NUMBERS = {
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
    "eleven": "11", "twelve": "12", "once": "1", "twice": "2",
}  # fmt: skip
_WORDLESS = re.compile(r"[^\W\d_a-zA-Z]")


@dataclass(frozen=True, slots=True)
class Claim:
    """What an answer says, in words.

    ``specific`` are names and codes that the question does not hold, ``opening`` that of them which opens the answer and may owe its
    capital to that; ``new`` all words that it does not hold, ``asked`` the question's own and ``named`` those of them that are names.
    ``other_script`` are pairs of characters where it is not in Latin letters: words cannot be told apart there.
    """

    specific: frozenset[str]
    new: frozenset[str]
    asked: frozenset[str]
    named: frozenset[str] = frozenset()
    opening: frozenset[str] = frozenset()
    other_script: frozenset[str] = frozenset()


def claim_of(answer: str, question: str) -> Claim:
    """What an answer to a question claims."""
    in_question = [word for word in content(words_of(question)) if word.stem not in stem_set("function_words")]
    asked = frozenset(word.stem for word in in_question)
    named = frozenset(word.stem for word in in_question if _is_specific(word) and word.start > 0)
    words = [word for word in content(words_of(answer)) if word.stem not in _NOT_CLAIMED and word.stem not in asked]
    specific = frozenset(word.stem for word in words if _is_specific(word))
    pairs = _pairs(answer) | _pairs(question) if _WORDLESS.search(answer + question) else frozenset()
    opening = frozenset(
        word.stem for word in words if word.stem in specific and not answer[: word.start].strip(" \"'“")
    )
    return Claim(specific, frozenset(word.stem for word in words), asked, named, opening, pairs)


def mentions(claim: Claim, quote: str, read: Sequence[str] = ()) -> bool:
    """Whether a quotation, with what was ``read`` in it, has anything to do with a claim and its question.

    A name of the question counts only in the words themselves: that it is the speaker's, or the subject of what was read, says little.
    """
    own = stems_in((quote, *read))
    if claim.new & own or claim.other_script & _pairs(" ".join((quote, *read))) or claim.named & stems_in((quote,)):
        return True
    meant = {
        other for each in (claim.asked - claim.named) | claim.new for other in (each, *alike(each), *witnesses(each))
    }
    return bool(meant & own) or not (claim.new or claim.asked)


def unmentioned(claim: Claim, quotations: Iterable[Iterable[str]]) -> frozenset[str]:
    """The names and codes of an answer that none of its quotations holds. The word that opens it counts only if no name is held."""
    own = frozenset(stem for words in quotations for stem in stems_in(words))
    missing = frozenset(each for each in claim.specific if not _within(each, own))
    return missing if missing == claim.specific else missing - claim.opening


def stems_in(words: Iterable[str]) -> frozenset[str]:
    """The stems of some texts, numbers in words as digits too."""
    found = {each for text in words for each in stems_of(text)}
    return frozenset(found | {_NUMBERS[each] for each in found if each in _NUMBERS})


def _is_specific(word: Word) -> bool:
    plain_number = word.text.replace(",", "").replace(".", "").isdigit()
    return (word.capital or word.number) and not plain_number and word.stem not in _NUMBERS and not _is_date(word.text)


def _is_date(text: str) -> bool:
    return re.fullmatch(r"\d{1,4}(?:[-/.:]\d{1,4})*(?:st|nd|rd|th|am|pm|s)?", text, re.IGNORECASE) is not None


def _within(each: str, own: frozenset[str]) -> bool:
    """Whether a stem is among others, or begins one or is begun by one: "Liz" and "Lizzie", "Ponte" and "Pontes"."""
    return each in own or any(
        len(min(each, other, key=len)) >= 4 and (other.startswith(each) or each.startswith(other)) for other in own
    )


def _pairs(text: str) -> frozenset[str]:
    """Pairs of neighbouring characters of other scripts than Latin."""
    return frozenset(one + two for one, two in pairwise(text) if _WORDLESS.match(one) and _WORDLESS.match(two))
