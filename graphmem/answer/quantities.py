"""Numbers in a sentence with what they measure or count: money, lengths and weights, spans of time, ages, rates, counts, codes."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from graphmem.answer.offer import Offer, under_negation
from graphmem.answer.plan import Plan
from graphmem.answer.words import CODE, is_version, lexicon, stem, stem_set

if TYPE_CHECKING:
    from graphmem.extract.with_rules.parse import Span, Token

_CURRENCY = r"euros?|dollars?|pounds?|bucks|cents?|francs?|yen|usd|eur|gbp|[$€£¥]"
_MONEY = re.compile(
    rf"(?:[$€£¥]\s?\d[\d.,]*\d|[$€£¥]\s?\d|\d[\d.,]*\d|\d)(?:\s?(?:k|thousand|million))?\s*(?:{_CURRENCY})?",
    re.IGNORECASE,
)
_IN_CURRENCY = re.compile(_CURRENCY, re.IGNORECASE)
_NUMBER_WORD = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|"
    "forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|dozen|a couple|both|half|several"
)
_UNIT = "seconds?|minutes?|mins?|hours?|days?|nights?|weeks?|weekends?|months?|years?|decades?"
_DURATION = re.compile(
    rf"\b(?:about |around |almost |nearly |over |more than )?(?:\d[\d.,]*|{_NUMBER_WORD}|an?)"
    rf"(?:[\s-](?:and[\s-]a[\s-]half|and a quarter))?[\s-]+(?:{_UNIT})(?:\s+and\s+a\s+half)?\b"
    r"(?<!\ba second)(?!\s+(?:old|an?\s+(?:day|week|month|year)|per\b|every\b|each\b))",
    re.IGNORECASE,
)
"""A span of time; "three days a week" and "six years old" are none."""
_CODED_NUMBER = re.compile(r"(?:number|no\.|#|version|ticket|case|order)\s*(?:is\s+)?(\d+)\b", re.IGNORECASE)
_MEASURE = re.compile(
    rf"\b(?:\d[\d.,]*|{_NUMBER_WORD})[\s-]?(?:km/h|mph|km|kilometres?|kilometers?|miles?|metres?|meters?|m|cm|centimetres?|centimeters?|mm|"
    r"millimetres?|millimeters?|feet|foot|inch(?:es)?|kg|kilos?|kilograms?|pounds?|lbs?|stone|g|grams?|l|litres?|liters?|percent|degrees|%)"
    r"(?!\w)",
    re.IGNORECASE,
)
_HOW_MEASURED = re.compile(
    r"\b(?:how (?:far|tall|big|heavy|fast|deep|high|wide|long|thick)|weigh\w*|weight|height|distance)\b", re.I
)
_HOW_BIG = re.compile(r"\bhow (?:big|large|heavy|tall)\b|\bweigh", re.IGNORECASE)
_HEADS = re.compile(
    rf"\b(?:\d[\d.,]*|{_NUMBER_WORD})\s+(?:of (?:us|them)|people|persons|members|employees|colleagues|"
    r"players|students|kids|children|guests)\b",
    re.IGNORECASE,
)
"""How many belong to a group."""
_YEARS = rf"(?:\d{{1,3}}|(?:{_NUMBER_WORD})(?:-\w+)?)"
_AGE = re.compile(
    rf"\b({_YEARS})[\s-]years?[\s-]olds?\b|\b(?:turn(?:s|ed)?|turning|aged?|(?:i|he|she|who)(?:['’]s|['’]m| is| was| am))\s+({_YEARS})\b"
    rf"(?![.,]\d)(?!\s*(?:{_UNIT}|%|euros?|dollars?|pounds?|km|kilos?|kg|cm|metres?|meters?|miles?|of)\b)|\b({_YEARS}) years? of age\b",
    re.IGNORECASE,
)
_TIMES = re.compile(rf"\b(?:once|twice|thrice|(?:{_NUMBER_WORD}|\d+)\s+times)\b", re.IGNORECASE)
_FREQUENCY = re.compile(
    rf"\b(?:(?:every|each)\s+(?:other\s+|second\s+|single\s+)?\w+"
    rf"|(?:once|twice|{_NUMBER_WORD}|\d+|several|a few)(?:\s+times)?\s+(?:a|an|per|every)\s+\w+"
    r"|daily|weekly|monthly|yearly|annually|always|usually|often|sometimes|rarely|seldom|never)\b",
    re.IGNORECASE,
)


def amount(span: Span, plan: Plan) -> Offer | None:
    """A sum of money; a length, weight or speed where the question asks how far, how heavy or how fast."""
    if _HOW_MEASURED.search(plan.question) is not None:
        if _HOW_BIG.search(plan.question) is not None:
            return _first(span, plan, _MEASURE) or _first(span, plan, _HEADS)
        return _first(span, plan, _MEASURE) or _first(span, plan, _DURATION)
    return _first(span, plan, _MONEY, needs=_IN_CURRENCY)


def duration(span: Span, plan: Plan) -> Offer | None:
    """A span of time; how long ago something was only where that is asked."""
    ago = "ago" in plan.question.lower().split()
    for found in _DURATION.finditer(span.text):
        text, start = found.group().strip(), span.start_char + found.start()
        after = span.text[found.end() :].lstrip().lower()
        if text.lower().startswith(("a ", "an ")) and not _spanned(span.text[: found.start()]):
            continue
        lead = span.text[: found.start()].lower().split()
        lasting = bool(lead) and lead[-1] in ("for", "in")  # "I haven't heard for two weeks" tells a length
        if (ago or not after.startswith(("ago", "earlier", "later", "before", "after"))) and (
            lasting or not _denied(span, start, plan)
        ):
            return Offer(text, start, start + len(text))
    return None


_SPANNING = frozenset(
    "for about in took take takes taking within over almost nearly around after lasted last lasts of half than just only".split()
)
"""Words before "a day" that make it a span and not a rate."""


def _spanned(before: str) -> bool:
    words = before.split()
    return not words or words[-1].lower() in _SPANNING


def frequency(span: Span, plan: Plan) -> Offer | None:
    """How often: a rate, or for what is past how many times."""
    return _first(span, plan, _FREQUENCY) or (_first(span, plan, _TIMES) if plan.past else None)


def age(span: Span, plan: Plan) -> Offer | None:
    """An age in years."""
    for found in _AGE.finditer(span.text):
        text = next(group for group in found.groups() if group is not None)
        start = span.start_char + found.start() + found.group().find(text)
        if not _denied(span, start, plan):
            return Offer(text, start, start + len(text))
    return None


def count(span: Span, plan: Plan) -> Offer | None:
    """A number before the thing asked for ("four Quillmark L2 printers"), in its unit, or alone where the thing was named before."""
    asked = stem(plan.asked) if plan.asked is not None else None
    if asked == stem("times"):
        return _first(span, plan, _TIMES)
    if asked is not None and asked in _units():
        return _in_unit(span, plan, asked)
    numbers = [
        token
        for token in span
        if token.like_num and token.ent_type_ != "ORDINAL" and stem(token.text) not in stem_set("ordinals")
    ]
    for token in numbers:
        if asked is None or _counts(token, asked, span.end):
            return Offer(token.text, token.idx, token.idx + len(token.text))
    if asked is not None and any(stem(token.text) == asked for token in span):
        return None
    ages = [(span.start_char + each.start(), span.start_char + each.end()) for each in _AGE.finditer(span.text)]
    for token in numbers:
        if any(start <= token.idx < end for start, end in ages) or _clock(token, span):
            continue  # "since I was ten" and "at eight" count nothing
        alone = token.i + 1 >= span.end or token.nbor().pos_ not in ("NOUN", "PROPN", "SYM")
        if alone and token.ent_type_ not in ("DATE", "TIME", "MONEY") and not _pronoun(token):
            return Offer(token.text, token.idx, token.idx + len(token.text))
    return None


def code(span: Span, plan: Plan, known: AbstractSet[str]) -> Offer | None:
    """A code or a version number that the question does not have; the one nearest to the noun asked for."""
    asked = None if plan.asked is None else stem(plan.asked)
    versioned = asked in stem_set("versioned")
    places = [
        (found.group(), found.start()) for found in CODE.finditer(span.text) if versioned == is_version(found.group())
    ]
    places += [(found.group(1), found.start(1)) for found in _CODED_NUMBER.finditer(span.text)]
    nouns = [token.idx - span.start_char for token in span if stem(token.text) == asked]
    if nouns:
        places.sort(key=lambda place: min(abs(place[1] - at) for at in nouns))
    for text, at in places:
        start = span.start_char + at
        if text.casefold() not in known and not _denied(span, start, plan):
            return Offer(text, start, start + len(text))
    return None


def _first(span: Span, plan: Plan, pattern: re.Pattern[str], needs: re.Pattern[str] | None = None) -> Offer | None:
    for found in pattern.finditer(span.text):
        text = found.group().strip()
        start = span.start_char + found.start()
        if (needs is None or needs.search(text)) and not _denied(span, start, plan):
            return Offer(text, start, start + len(text))
    return None


def _denied(span: Span, at: int, plan: Plan) -> bool:
    return not plan.negated and under_negation(span, at)


def _units() -> AbstractSet[str]:
    return frozenset(stem(name) for names in lexicon()["unit"].values() for name in names)


def _in_unit(span: Span, plan: Plan, asked: str) -> Offer | None:
    """A number in the unit asked for, however that is written: "4 mm" for millimetres."""
    written = [spelling for spelling, names in lexicon()["unit"].items() if asked in {stem(name) for name in names}]
    spelled = sorted({*written, *(name for each in written for name in lexicon()["unit"][each])}, key=len, reverse=True)
    pattern = re.compile(rf"\b(?:\d[\d.,]*|{_NUMBER_WORD})[\s-]?(?:{'|'.join(spelled)})s?(?!\w)", re.IGNORECASE)
    return _first(span, plan, pattern)


def _counts(number: Token, asked: str, end: int) -> bool:
    """Whether a number counts a noun: nothing but what describes the noun stands between. "People" are whoever is counted."""
    for other in number.doc[number.i + 1 : min(number.i + 6, end)]:
        if stem(other.text) == asked or (asked in stem_set("anybody") and stem(other.text) in stem_set("people")):
            return True
        if other.pos_ not in ("ADJ", "ADV", "PROPN", "NUM") and other.dep_ not in ("compound", "amod", "nmod"):
            return False
    return False


def _clock(number: Token, span: Span) -> bool:
    """Whether a number is a time of day, or some of others who were named before ("at eight", "two of them")."""
    before = number.nbor(-1).lower_ if number.i > span.start else ""
    after = number.nbor().lower_ if number.i + 1 < span.end else ""
    return before in ("at", "by", "until", "till", "around", "past", "over", "under") or after == "of"


def _pronoun(number: Token) -> bool:
    """Whether "one" stands for a thing ("that one's open", "my fourth one", "one of my cats") and counts nothing."""
    followed = number.i + 1 < len(number.doc) and number.nbor().lower_ == "of"
    return number.lower_ == "one" and (followed or any(child.i < number.i for child in number.children))
