"""What a turn's own text says about how much it states: how much of it asks, and whether it names a time."""

from __future__ import annotations

import re

_ASKS = re.compile(r"[^.!?。！？؟\n]*[?？؟]+")

_UNIT = r"(?:second|minute|hour|day|night|evening|morning|afternoon|week|weekend|month|year|summer|winter|spring|fall|autumn|decade)s?"
_MONTH = "(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_TIME = re.compile(
    rf"\b(?:yesterday|today|tonight|tomorrow|since|ago|{_WEEKDAY}|(?:19|20)\d\d|\d{{1,2}}:\d\d"
    rf"|(?:last|next|this|past|previous|coming|few|couple of|several|other) (?:few |couple of |\d+ |two |three )?(?:{_UNIT}|{_MONTH})"
    rf"|for (?:\w+ )?{_UNIT}|{_UNIT} (?:from now|later|back|already)"
    rf"|(?:in|on|since|early|late|mid|until|of) {_MONTH}|{_MONTH} \d+|\d+(?:st|nd|rd|th)?(?: of)? {_MONTH})\b",
    re.IGNORECASE,
)


def asking_share(text: str) -> float:
    """The share of a text's characters that stand in questions, from 0 to 1: what asks does not tell."""
    return sum(len(part) for part in _ASKS.findall(text)) / len(text) if text else 0.0


def names_time(text: str) -> bool:
    """Whether an English text seems to name a time. A quick look; ``graphmem.temporal`` reads what it means, at ingestion."""
    return _TIME.search(text) is not None
