"""What a formula may look at: the time of speaking, the policy, the tense of the sentence, and what was found before it."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field
from typing import Literal

from graphmem.temporal.expression import Span
from graphmem.temporal.policy import Policy
from graphmem.temporal.table import Language

Tense = Literal["past", "present", "future", "none"]

_SENTENCE_END = re.compile(r"[.!?\n]+(?:\s|$)|[。！？]")
_REACH = 500
"""Characters to both sides in which a governing verb is looked for: a text without full stops may be as long as a book."""
_CLAUSE = re.compile(r"[,;:–—]|\s-\s|，")


@dataclass(slots=True)
class Context:
    """The surroundings of one expression. ``now`` is the speaker's naive local time; ``today`` is its date."""

    text: str
    now: dt.datetime
    policy: Policy
    language: Language
    start: int = 0
    end: int = 0
    inner: tuple[Span, ...] = ()
    trace: list[str] | None = None
    used: dict[str, str | int] = field(default_factory=dict)

    @property
    def today(self) -> dt.date:
        """The speaker's local date at the time of speaking."""
        return self.now.date()

    def choose(self, name: str) -> str:
        """A policy's value, noted as one that took part."""
        value = getattr(self.policy, name)
        self.used[name] = value
        return str(value)

    def days(self, name: str) -> int:
        """A policy's whole number, noted as one that took part."""
        return int(self.choose(name))

    def note(self, step: str) -> None:
        """One step of the arithmetic, kept if somebody asked for it."""
        if self.trace is not None:
            self.trace.append(step)

    def sentence(self) -> tuple[int, int]:
        """Where the sentence of the expression starts and ends."""
        begins = 0
        for match in _SENTENCE_END.finditer(self.text, 0, self.start):
            begins = match.end()
        following = _SENTENCE_END.search(self.text, self.end)
        return begins, len(self.text) if following is None else following.start()

    def tense(self) -> Tense:
        """The tense of the verb that governs the expression, by the nearest cue of the language's list.

        The distance counts characters; a punctuated boundary between the two costs as much as 25 of them, the start of another clause
        ("and he …") as much as 100, and a cue after the expression is a little farther than one before it. A word that puts something
        at the time ("booked … for") decides before any of them.
        """
        if self.language.tense is None:
            return "none"
        begins, ends = self.sentence()
        begins, ends = max(begins, self.start - _REACH), min(ends, self.end + _REACH)
        planned = self._planned(begins)
        if planned is not None:
            self.note(f"put at that time by a word of planning: {planned}")
            return planned
        best, best_distance = "none", 10_000
        for match in self.language.tense.finditer(self.text, begins, ends):
            if match.end() <= self.start:
                distance, between = self.start - match.end(), self.text[match.end() : self.start]
            elif match.start() >= self.end:
                distance, between = match.start() - self.end + 8, self.text[self.end : match.start()]
            else:
                continue
            distance += 25 * len(_CLAUSE.findall(between))
            if self.language.clause is not None:
                distance += 100 * len(self.language.clause.findall(between))
            if distance < best_distance:
                best, best_distance = match.lastgroup or "none", distance
        self.note(f"tense of the sentence: {best}")
        return best  # type: ignore[return-value]

    def _planned(self, begins: int) -> Tense | None:
        """Where the last word of planning before the expression puts it: ahead, or at the nearest such time (``none``) where the plan
        itself is over ("was due on"). ``None`` where there is no such word, or another verb or preposition comes between."""
        language = self.language
        if language.planned is None or language.tense is None:
            return None
        words = list(language.planned.finditer(self.text, begins, self.start))
        if not words:
            return None
        last = words[-1]
        kind = str(language.value("planned", last.group()))
        if language.planned_gaps[kind].match(self.text, last.end(), self.start) is None:
            return None
        cues = language.tense.finditer(self.text, last.end(), self.start)
        if any(cue.lastgroup == "past" for cue in cues):
            return None
        return "none" if kind.startswith("over") else "future"

    def asks(self) -> bool:
        """Whether the sentence is a question."""
        _, ends = self.sentence()
        return self.text[ends : ends + 1] in ("?", "？")

    def direction(self) -> int:
        """-1 where the sentence looks back, +1 where it looks ahead; without any verb it is a report."""
        return 1 if self.tense() in ("future", "present") else -1

    def perfect(self) -> bool:
        """Whether a perfect ("have played") governs the expression: a state that reaches the present. A past tense between the
        two takes it away again."""
        language = self.language
        if language.perfect is None or language.tense is None:
            return False
        begins, _ = self.sentence()
        perfects = list(language.perfect.finditer(self.text, begins, self.start))
        if not perfects:
            return False
        cues = language.tense.finditer(self.text, perfects[-1].end(), self.start)
        return all(cue.lastgroup != "past" for cue in cues)

    def no_more(self) -> bool:
        """Whether the sentence says that a state holds no longer."""
        return self._in_sentence(self.language.no_more)

    def habit(self) -> bool:
        """Whether the sentence tells of a habit, so that a bare "Friday" is every Friday."""
        return self._in_sentence(self.language.habit)

    def _in_sentence(self, words: re.Pattern[str] | None) -> bool:
        return words is not None and words.search(self.text, *self.sentence()) is not None
