"""What a single line of a plain-text transcript is: a session heading, the beginning of a turn, or neither. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from graphmem.transcripts.moments import Written, find

_MARKDOWN = re.compile(r"#{1,6}(?!#)\s*(?P<body>.*?)[\s#]*$")
_FRAMED = re.compile(r"(?:[-=*_~]{2,}|[\[(])\s*(?P<body>.*?)\s*(?:[-=*_~]{2,}|[\])])?\s*$")
_SESSION = re.compile(r"\W*session(?:\s+(?:#\s?)?\d+)?\W*", re.IGNORECASE)
_BEGINS_WITH_SESSION = re.compile(r"session\b", re.IGNORECASE)
_TITLE_EDGES = " \t-–—,;:|·•()[]"
_TITLE_TAIL = re.compile(r"(?:\s+(?:on|at)\b|[\s–—,;:|·•()\[\]-]+)+$", re.IGNORECASE)

_BRACKETED_STAMP = re.compile(r"[\[(](?P<stamp>[^\[\]()]{3,45})[\])]\s*(?:[-–—|]\s*)?(?P<rest>\S.*)$", re.DOTALL)
_BARE_STAMP = re.compile(
    r"(?P<stamp>\d[\d:./T ,-]{0,40}(?:\s?[ap]\.?m\b\.?)?(?:\s?(?:Z|UTC|GMT)\b)?(?:\s?[+-]\d{2}:?\d{2})?)"
    r"[\s,|–—-]{1,5}(?P<rest>[^\s\d].*)$",
    re.IGNORECASE | re.DOTALL,
)
_SPEAKER_STAMP = re.compile(
    r"(?P<speaker>[^:：\[\]()]{1,60}?)\s*[\[(](?P<stamp>[^\[\]()]{3,45})[\])]\s*[:：](?P<text>.*)$", re.DOTALL
)
_SPEAKER = re.compile(
    r"(?P<bold>\*\*|__)?(?P<speaker>[^:：]{0,60}?)(?(bold)(?:\*\*|__)?)[ \t]*(?P<colon>[:：])(?(bold)(?:\*\*|__)?)(?P<text>.*)$",
    re.DOTALL,
)
_NO_NAME = re.compile(r"[!?;\"“”/\\{}<>=|#*`\n,，、。！？]|\w{5}\.\s")
_PARTICLES = frozenset("al bin da de del della den der di do dos du el ibn la le van von y of the and und et".split())
_BRACKETS = re.compile(r"\([^()]*\)")


@dataclass(frozen=True, slots=True)
class Heading:
    """A session heading: when the session is held, as far as it says, and what else it says."""

    written: Written
    title: str | None

    @property
    def states_a_date(self) -> bool:
        """Whether it tries to state one."""
        return self.written.day is not None or self.written.error is not None


@dataclass(frozen=True, slots=True)
class Spoken:
    """The first line of a turn. ``speaker`` is empty where the line begins with the colon."""

    speaker: str
    text: str
    stamp: Written | None = None


def heading(line: str, *, after_blank: bool) -> Heading | None:
    """The heading that a line is, or None.

    A line that begins with # is one if it holds a date, or nothing but a time, or begins with "Session". Any other line is one if it
    holds a date and nothing more (a session's number, a weekday, brackets or rules about it), and is bracketed, ruled, or has an empty
    line before it.
    """
    if len(line) > 200:
        return None
    if match := _MARKDOWN.match(line):
        written = find(match["body"])
        title = _title(written)
        clock_alone = written.clock is not None and written.is_all
        if (
            written.day is None
            and written.error is None
            and not clock_alone
            and not _BEGINS_WITH_SESSION.match(title or "")
        ):
            return None
        return Heading(written, title)
    if not line[:1].strip():
        return None
    framed = _FRAMED.match(line)
    if framed is None and not after_blank:
        return None
    written = find(framed["body"] if framed else line)
    if written.day is None and written.error is None:
        return None
    title = _title(written)
    return Heading(written, title) if title is None or _SESSION.fullmatch(title) else None


def _title(written: Written) -> str | None:
    """What a heading says beside its date."""
    if written.is_all:
        return None
    return " ".join(_TITLE_TAIL.sub("", written.rest).strip(_TITLE_EDGES).split()) or None


def spoken(line: str) -> Spoken | None:
    """The beginning of a turn that a line is, or None. An indented line never is one."""
    if not line[:1].strip():
        return None
    for pattern in (_BRACKETED_STAMP, _BARE_STAMP):
        if match := pattern.match(line):
            stamp = find(match["stamp"])
            turn = _named(match["rest"])
            if turn is not None and stamp.is_all and _says_something(stamp):
                return Spoken(turn.speaker, turn.text, stamp)
    if (match := _SPEAKER_STAMP.match(line)) and _is_a_name(match["speaker"]):
        stamp = find(match["stamp"])
        if stamp.is_all and _says_something(stamp):
            return Spoken(match["speaker"].strip(), match["text"].strip(), stamp)
    return _named(line)


def _says_something(stamp: Written) -> bool:
    return stamp.day is not None or stamp.clock is not None or stamp.error is not None


def _named(text: str) -> Spoken | None:
    match = _SPEAKER.match(text)
    if match is None:
        return None
    after = match["text"]
    if match["colon"] == ":" and after[:1].strip():
        return None  # an address, a time, a ratio
    name = match["speaker"].strip()
    if name and not _is_a_name(name):
        return None
    return Spoken(name, after.strip())


def _is_a_name(text: str) -> bool:
    """Whether what stands before a colon may be a speaker: a word or two to five, each capitalised where its script has capitals."""
    bare = _BRACKETS.sub(" ", text).strip()
    if not bare or not (bare[0].isalnum() or bare[0] in "@_'\ufffd") or _NO_NAME.search(bare):
        return False
    if not any(letter.isalpha() for letter in bare):
        return False
    words = bare.split()
    if len(words) == 1:
        return True
    return len(words) <= 5 and all(
        not word[0].isalpha() or not word[0].islower() or word.casefold() in _PARTICLES for word in words
    )
