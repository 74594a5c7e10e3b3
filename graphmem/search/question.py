"""What a question says about the turns that answer it, besides its words: whose, and whether it asks for a time."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from graphmem.ids import normalise_name
from graphmem.search.words import FUNCTION_WORDS, content_words, letter, words_of
from graphmem.temporal import Policy, normalise

MAX_NAME_WORDS = 3
_MAX_NAMES = 120

_LONGEST = 2_000
"""Characters of a question in which a time is looked for."""
_WHENEVER = (datetime(2003, 3, 3, 10, tzinfo=UTC), datetime(2031, 8, 21, 10, tzinfo=UTC))
"""Two moments as unlike as can be: what a text means the same at both, it means at any."""

_ASKS_WHEN = re.compile(
    r"\bwhen\b|\bhow long ago\b|\bsince when\b|\b(?:what|which) (?:\w+ )?(?:date|day|week|weekend|month|season|year|time)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A question as search reads it.

    ``words`` are what full text looks for; ``meaning`` is the text that is embedded; ``speakers`` are those whom it names, each with all
    names under which that person speaks; ``time`` is the time it asks about, ``[start, end)``, if it names one; ``asks_when`` whether it
    asks for a time; ``speaks_of_me`` and ``speaks_of_you`` whether it says "I" or "you".
    """

    text: str
    words: tuple[str, ...]
    meaning: str
    speakers: tuple[tuple[str, ...], ...]
    time: tuple[datetime, datetime] | None
    asks_when: bool
    speaks_of_me: bool
    speaks_of_you: bool


def read(
    text: str,
    speakers: Mapping[str, tuple[str, ...]],
    first_person: bool = True,
    asked_at: datetime | None = None,
    policy: Policy | None = None,
) -> Reading:
    """Reads a question; ``speakers`` maps the names in it that are speakers' (normalised) to the names under which they speak.

    ``asked_at`` is the moment from which "last month" is counted; without it such words name no time, and dates still do.
    ``policy`` is how a time is read that can be read in several ways.
    """
    meaning = in_first_person(text, speakers) if first_person and speakers else text
    plain = set(words_of(text))
    return Reading(
        text=text,
        words=tuple(content_words(text)),
        meaning=meaning,
        speakers=tuple(sorted(set(speakers.values()))),
        time=time_asked_about(text, asked_at, policy),
        asks_when=_ASKS_WHEN.search(text) is not None,
        speaks_of_me=not plain.isdisjoint(("i", "me", "my", "mine", "i'm", "i've")),
        speaks_of_you=not plain.isdisjoint(("you", "your", "yours", "you're", "you've")),
    )


def time_asked_about(
    text: str, asked_at: datetime | None, policy: Policy | None = None
) -> tuple[datetime, datetime] | None:
    """The first period that a question names ("in May 2023", "on 8 June 2022"), with both its ends; None if it names none.

    Without ``asked_at`` only what is the same whenever it is asked. Naive dates are those of UTC.
    """
    moments = (asked_at,) if asked_at is not None else _WHENEVER
    readings = [
        {
            (e.start, e.interval.start, e.interval.end): e.interval
            for e in normalise(text[:_LONGEST], moment, policy)
            if e.interval is not None
        }
        for moment in moments
    ]
    for key, interval in readings[0].items():
        if interval.start is not None and interval.end is not None and all(key in reading for reading in readings):
            return interval.start, interval.end
    return None


def possible_names(text: str) -> list[str]:
    """Every run of up to three words that could be a name, normalised: what is looked up among the names that the memory knows."""
    found = [normalise_name(text[start:end]) for start, end in _runs(text)]
    return list(dict.fromkeys(name for name in found if name))[:_MAX_NAMES]


def could_be_people(text: str) -> set[str]:
    """Of the possible names those that are written as people's names are: "art" in "Which art does Ana like?" is not Art's.

    That is with a capital letter, or in a script without capitals; any, where the text has no capital but its first.
    """
    return {normalise_name(text[start:end]) for start, end in _runs(text) if _written_as_name(text, start)}


def _written_as_name(text: str, start: int) -> bool:
    return not text[start].islower() or not any(character.isupper() for character in text[1:])


def in_first_person(text: str, names: Iterable[str]) -> str:
    """A question as its speaker would put it: "When did Ana move?" becomes "When did I move?", "Ana's dog" becomes "my dog".

    A speaker is seldom named in the speaker's own turns. An embedder weighs the name all the same, and finds turns in which the name
    occurs: those said *to* that person.
    """
    wanted = set(names)
    pieces, end = [], 0
    for first, last in _runs(text):
        if first < end:
            continue
        run = text[first:last]
        if normalise_name(run) in wanted and _written_as_name(text, first):
            own = re.search(r"['’]s?$", run) is not None
            pieces += [text[end:first], "my" if own else "I"]
            end = last
    return "".join(pieces) + text[end:]


def _runs(text: str) -> list[tuple[int, int]]:
    """The places of runs of one to three words, the longest first at each; none begins or ends with a function word."""
    places = [match.span() for match in _word().finditer(text)]
    bare = [text[a:b].lower().removesuffix("'s").removesuffix("’s") in FUNCTION_WORDS for a, b in places]
    runs = []
    for first in range(len(places)):
        for last in range(min(first + MAX_NAME_WORDS, len(places)) - 1, first - 1, -1):
            if not bare[first] and not bare[last]:
                runs.append((places[first][0], places[last][1]))
    return runs


@functools.cache
def _word() -> re.Pattern[str]:
    return re.compile(f"{letter()}+(?:['’.-]{letter()}+)*(?:(?<=s)['’])?")
