"""What a turn's own text says about how much it states: how much of it asks, and whether it names a time."""

from __future__ import annotations

import re

_MARK = re.compile("[?？؟]")
_END = re.compile("[.!。！\n]|[?？؟]+")

_UNIT = r"(?:second|minute|hour|day|night|evening|morning|afternoon|week|weekend|month|year|summer|winter|spring|fall|autumn|decade)s?"
_MONTH = "(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_NUMBER = r"(?:a|an|few|couple of|several|\d+|two|three|four|five|six|seven|eight|nine|ten)"
_TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|since|ago|(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    rf"|(?:last|next|this|past|previous|coming|few|couple of|several|other) (?:{_NUMBER} )?(?:{_UNIT}|{_MONTH})"
    rf"|for (?:\w+ )?{_UNIT}|(?:in|on|early|late|mid|until|of) {_MONTH}"
    rf"|(?:years?|months?|weeks?|days?) (?:from now|later|back|already))\b"
    rf"|\b(?:19|20)\d\d\b|\b\d\d?:\d\d\b|{_MONTH} \d|\d(?:st|nd|rd|th)?(?: of)? {_MONTH}\b"
)


def asking_share(text: str) -> float:
    """The share of a text's characters that stand in questions, from 0 to 1: what asks does not tell."""
    if _MARK.search(text) is None:
        return 0.0
    asking, begin = 0, 0
    for end in _END.finditer(text):
        if _MARK.match(end.group()) is not None:
            asking += end.end() - begin
        begin = end.end()
    return asking / len(text)


def names_time(text: str) -> bool:
    """Whether an English text seems to name a time. A quick look; ``graphmem.temporal`` reads what it means, at ingestion."""
    return _TIME.search(text.lower()) is not None
