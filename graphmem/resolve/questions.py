"""What a window leaves open, as records, and the one prompt that asks about all of it. Pure.

Candidates are listed once and numbered; a mention names those that were found for it, each with its score. Where a window leaves so much
open that the prompt would pass its length, the least telling goes first: facts, then the farther candidates, then words of the sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from graphmem.prompts import load
from graphmem.records import Cardinality, ValueType
from graphmem.resolve.decide import Candidate, Group, Resolved
from graphmem.resolve.events import Coreference, Telling

PROMPT = "resolve.v1"
MOST_CANDIDATES = 8
LONGEST = 7_600
"""Characters of the part of the prompt that changes: about 1,900 tokens of English, so that a window's two calls stay within 8,000."""


@dataclass(frozen=True, slots=True)
class OpenMention:
    """A group of mentions that rules leave open.

    ``by_rule`` is what they would decide; it is taken where the model's answer cannot be. ``candidates`` come best first. ``sentence`` is
    the one it stands in, ``said`` who said it and when, as it is shown. ``needed`` is True where a fact is about it, so that it has to be
    something.
    """

    group: Group
    by_rule: Resolved
    candidates: tuple[Candidate, ...]
    sentence: str
    said: str = ""
    needed: bool = False


@dataclass(frozen=True, slots=True)
class KnownProperty:
    """A property that there is."""

    name: str
    cardinality: Cardinality
    value_type: ValueType


@dataclass(frozen=True, slots=True)
class OpenProperty:
    """A property's name that is new, an example of its use, and the properties that are like it, best first."""

    name: str
    value_type: ValueType
    example: str
    similar: tuple[KnownProperty, ...] = ()


@dataclass(frozen=True, slots=True)
class Questions:
    """All that a window leaves open.

    ``facts`` are the latest facts of candidates by entity, as they are shown ("lives_in Lisbon"). ``types`` are the entity types; no other
    is taken. ``properties_known`` are all properties there are by name, so that a name that exists keeps its cardinality and type.
    """

    mentions: tuple[OpenMention, ...] = ()
    properties: tuple[OpenProperty, ...] = ()
    pairs: tuple[Coreference, ...] = ()
    types: tuple[str, ...] = ()
    facts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    properties_known: Mapping[str, KnownProperty] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.mentions or self.properties or self.pairs)


@dataclass(frozen=True, slots=True)
class Shown:
    """The part of the prompt that changes, and for each mention which candidate has which number in it."""

    text: str
    numbers: tuple[Mapping[int, Candidate], ...]


@dataclass(frozen=True, slots=True)
class _Measure:
    """How much is shown of each thing."""

    facts: int
    candidates: int
    sentence: int
    aliases: int


_MEASURES = (
    _Measure(3, MOST_CANDIDATES, 200, 4),
    _Measure(2, MOST_CANDIDATES, 160, 3),
    _Measure(1, MOST_CANDIDATES, 140, 2),
    _Measure(1, 5, 120, 2),
    _Measure(0, 4, 100, 1),
    _Measure(0, 3, 70, 1),
)


def static_part() -> str:
    """The system message: the same for every window."""
    return load(PROMPT).fill()


def show(questions: Questions, longest: int = LONGEST) -> Shown:
    """The questions as the model sees them, as fully as ``longest`` characters allow."""
    shown = _show(questions, _MEASURES[0])
    for measure in _MEASURES[1:]:
        if len(shown.text) <= longest:
            break
        shown = _show(questions, measure)
    return shown


def _show(questions: Questions, measure: _Measure) -> Shown:
    entities: dict[str, int] = {}
    known: list[str] = []
    numbers: list[dict[int, Candidate]] = []
    mentions = []
    for position, mention in enumerate(questions.mentions, start=1):
        offered: dict[int, Candidate] = {}
        for candidate in mention.candidates:
            if len(offered) == measure.candidates:
                break
            identifier = candidate.known.id
            if identifier not in entities:
                entities[identifier] = len(entities) + 1
                known.append(_known(entities[identifier], candidate, questions.facts.get(identifier, ()), measure))
            offered.setdefault(entities[identifier], candidate)
        numbers.append(offered)
        mentions.append(_mention(position, mention, offered, measure))
    sections = [
        ("Known entities", known),
        ("Mentions", mentions),
        ("New properties", [_property(number, each) for number, each in enumerate(questions.properties, start=1)]),
        ("Told twice?", [_pair(number, each) for number, each in enumerate(questions.pairs, start=1)]),
    ]
    text = "\n\n".join("\n".join([title, *lines]) for title, lines in sections if lines)
    return Shown(text, tuple(numbers))


def _known(number: int, candidate: Candidate, facts: Sequence[str], measure: _Measure) -> str:
    known = candidate.known
    others = [alias for alias in known.aliases if alias != known.name][: measure.aliases]
    also = f" also {', '.join(_cut(other, 40) for other in others)}" if others else ""
    told = [value for _, value in known.attributes[:1]] + list(facts[: measure.facts])
    return f"E{number} {_cut(known.name, 60)} ({known.type}){also}" + "".join(f"; {_cut(each, 60)}" for each in told)


def _mention(number: int, mention: OpenMention, offered: Mapping[int, Candidate], measure: _Measure) -> str:
    group = mention.group
    about = "".join(f", {_cut(value, 50)}" for _, value in group.attributes[:1])
    scores = " ".join(f"E{each} {candidate.score:.2f}" for each, candidate in offered.items()) or "no candidates"
    said = f"{_cut(mention.said, 60)}: " if mention.said else ""
    sentence = _around(mention.sentence, group.name, measure.sentence)
    return f'[M{number}] {_cut(group.name, 60)} ({group.type}{about}) – {said}"{sentence}" – {scores}'


def _property(number: int, given: OpenProperty) -> str:
    similar = ", ".join(
        f"{each.name} ({each.cardinality}, {each.value_type})" for each in given.similar[:MOST_CANDIDATES]
    )
    return f"[P{number}] {given.name} ({given.value_type}): {_cut(given.example, 100)} – {similar or 'nothing like it'}"


def _pair(number: int, pair: Coreference) -> str:
    return f"[T{number}] {_telling(pair.one)} – {_telling(pair.other)}"


def _telling(telling: Telling) -> str:
    when = "undated"
    if telling.dated and telling.starts_at is not None:
        when = f"{telling.starts_at.date()}, {telling.granularity}"
    return f"{_cut(telling.text, 140)} ({when})"


def _around(sentence: str, name: str, longest: int) -> str:
    """The part of a sentence about a name, where all of it is too long."""
    plain = " ".join(sentence.split())
    at = max(plain.casefold().find(name.casefold()), 0)
    begin = max(0, min(at - longest // 2, len(plain) - longest))
    return ("…" if begin else "") + _cut(plain[begin:], longest)


def _cut(text: str, longest: int) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= longest else plain[: longest - 1].rstrip() + "…"
