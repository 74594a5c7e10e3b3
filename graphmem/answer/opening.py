"""What stands around a question: polite openers, and what is told with it. Pure."""

from __future__ import annotations

import re

from graphmem.answer.words import lexicon

_SENTENCES = re.compile(
    r"(?<=[.!?])(?<!\bDr\.)(?<!\bMr\.)(?<!\bMrs\.)(?<!\bMs\.)(?<!\bSt\.)(?<!\bProf\.)(?<!\b[A-Z]\.)\s+(?=[A-Z])"
)
_GIVEN = re.compile(r",?\s(?:given|considering|seeing|now that)(?:\sthat)?\s([^?]+)\?*$", re.IGNORECASE)
"""What is told with a question, which its answer need not repeat."""


def parted(text: str) -> tuple[str, str]:
    """What is told and what is asked, where one sentence of several is a question, or one goes on "given that …"."""
    given = _GIVEN.search(text)
    if given is not None:
        return given.group(1), text[: given.start()] + "?"
    sentences = _SENTENCES.split(text)
    asked = [each for each in sentences if each.endswith("?")]
    if len(asked) != 1 or len(sentences) == 1 or len(asked[0].split()) < 3:
        return "", text
    return " ".join(each for each in sentences if each != asked[0]), asked[0]


def unwrapped(text: str) -> str:
    """The question without polite openers and greetings."""
    text = text.strip()
    changed = True
    while changed:
        changed = False
        for opener in lexicon()["asking"]["openers"]:
            match = re.match(rf"{re.escape(opener)}\b[\s,:!]*", text, re.IGNORECASE)
            if match is not None and match.end() < len(text):
                text, changed = text[match.end() :], True
    return text
