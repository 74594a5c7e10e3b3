"""Reads the rule table and compiles it. The table knows the words; this module knows only how a rule is written down.

A pattern is a regular expression with slots: ``{weekday}`` stands for any word that the language's vocabulary lists under *weekday*,
and its value is what the vocabulary says; ``{month:month_number}`` fills *month* from another list. A slot that is not in the vocabulary is
looked up among the language's ``patterns`` (digits, mostly) and its value is a whole number; one whose name starts with *opt* has no
value. A group called *span*, ``(?P<span>…)``, marks the part of the match that is the expression; the rest is its context.

A rule says what it ``needs``: words, or slots, one of which is in every text that it can match. A turn without any of them never meets
the rule's regular expression, which is what makes the table fast.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from graphmem.errors import ConfigurationError

Value = int | str | tuple[float, float]

_SLOT = re.compile(r"\{(?:([a-z_]+):)?([a-z_]+)\}")
_AGAIN = re.compile(r"_(?:two|three|four)$")
_FLAGS = re.IGNORECASE | re.VERBOSE
_WORD = re.compile(r"[a-z]+|\d|[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Rule:
    """One entry of the table. ``pattern`` finds it; a wrapper has ``before``, ``after`` or ``between`` instead, matched around an
    expression that is already known, in the order of its ``stage``.

    ``weak``: names a time only inside a wrapper (the bare "May" of "early May"). ``alone``: counts only where its sentence, or the whole
    turn, has nothing else. ``anchor``: ``said`` (the time of speaking) or ``previous`` (the expression before it).
    """

    id: str
    language: str
    formula: str
    args: Mapping[str, Any]
    confidence: float
    sources: Mapping[str, str]
    of: frozenset[str]
    needs: frozenset[str]
    slots: Mapping[str, str]
    weak: bool
    alone: str
    anchor: str
    stage: int
    order: int
    examples: tuple[str, ...]

    @property
    def pattern(self) -> re.Pattern[str] | None:
        """What the rule matches, compiled at its first use: most rules never meet a text."""
        return self._compiled("match")

    @property
    def before(self) -> re.Pattern[str] | None:
        """What stands before the expression that the rule wraps."""
        return self._compiled("before")

    @property
    def after(self) -> re.Pattern[str] | None:
        """What stands after it."""
        return self._compiled("after")

    @property
    def between(self) -> re.Pattern[str] | None:
        """What stands between the two expressions that the rule joins."""
        return self._compiled("between")

    def _compiled(self, part: str) -> re.Pattern[str] | None:
        source = self.sources.get(part)
        return None if source is None else _compile(source, self.id, part)

    def values(self, match: re.Match[str], language: Language) -> dict[str, Value]:
        """What the slots of a match stand for. A slot that a pattern has twice is written ``{month_two:month}`` the second time."""
        return {
            _AGAIN.sub("", name): language.value(self.slots.get(name, name), word)
            for name, word in match.groupdict().items()
            if word is not None and name != "span"
        }

    @property
    def wraps(self) -> bool:
        """Whether the rule is about expressions that other rules have found."""
        return "match" not in self.sources


@dataclass(frozen=True, slots=True)
class Language:
    """The words of one language: slot name → word → value, and the cues of tense.

    ``planned`` finds words that put something at a time whatever their own tense ("booked", "postponed"); its value, from the slot of the
    same name, names the entry of ``planned_gaps`` that must fill the text from there to the time ("… the flight for ").
    """

    code: str
    vocabulary: Mapping[str, Mapping[str, Value]]
    tense: re.Pattern[str] | None
    perfect: re.Pattern[str] | None
    no_more: re.Pattern[str] | None
    habit: re.Pattern[str] | None
    clause: re.Pattern[str] | None
    planned: re.Pattern[str] | None
    planned_gaps: Mapping[str, re.Pattern[str]]
    question: Mapping[str, re.Pattern[str]]
    half: str = ""
    """What adds a half to the number before it ("and a half")."""

    def value(self, slot: str, word: str) -> Value:
        """What a matched word of a slot stands for."""
        words = self.vocabulary.get(slot)
        if words is None:
            return int(word) if word.isdigit() else word
        key = _key(word)
        found = words.get(key)
        if found is None and slot == "number":
            whole, half, _ = key.partition(_key(self.half)) if self.half else (key, "", "")
            known = words.get(whole.strip())
            low, high = known if isinstance(known, tuple) else (float(whole), float(whole))
            return (low + 0.5, high + 0.5) if half else (low, high)
        return key if found is None else found


@dataclass(frozen=True, slots=True)
class Table:
    """The whole table: languages by code, rules in the order of the file, and which rules a word calls up."""

    languages: Mapping[str, Language]
    rules: tuple[Rule, ...]
    by_word: Mapping[str, tuple[int, ...]]
    holidays: Mapping[str, Mapping[str, Any]]
    foreign: Mapping[str, Any]

    def candidates(self, lowered: str) -> list[Rule]:
        """The rules that can match a text, given the text in lower case."""
        found: set[int] = set()
        by_word = self.by_word
        for word in set(_WORD.findall(lowered)):
            calls = by_word.get(word)
            if calls is not None:
                found.update(calls)
        return [self.rules[i] for i in sorted(found)]


def _key(word: str) -> str:
    return re.sub(r"[\s\-]+", " ", word.lower().rstrip(".")).strip()


def _alternatives(words: Mapping[str, Value]) -> str:
    ordered = sorted(words, key=len, reverse=True)
    return "|".join(re.escape(w).replace(r"\ ", r"[\s\-]+") for w in ordered)


def _words(words: Mapping[str, Value], section: Mapping[str, Any]) -> re.Pattern[str]:
    """Any of the words, as a whole word of the language."""
    left, right = section.get("boundary", ["", ""])
    return re.compile(f"{left}(?:{_alternatives(words)}){right}", re.IGNORECASE)


def _vocabulary(raw: Mapping[str, Any]) -> dict[str, dict[str, Value]]:
    """``[xx.slots.weekday] 0 = ["monday"]`` turned round: word → value. Numbers are ``[low, high]`` under their words, and tens
    are joined with ones ("twenty" and "one") by the joiners that the table lists."""
    vocabulary: dict[str, dict[str, Value]] = {}
    for slot, entries in raw.get("slots", {}).items():
        words: dict[str, Value] = {}
        for value, spellings in entries.items():
            for spelling in spellings:
                words[_key(spelling)] = int(value) if value.lstrip("-").isdigit() else value
        vocabulary[slot] = words
    numbers: dict[str, Value] = {_key(w): (float(v[0]), float(v[1])) for w, v in raw.get("number", {}).items()}
    tens, ones = raw.get("tens", {}), raw.get("ones", {})
    for one, value in ones.items():
        numbers[one] = (float(value), float(value))
    for ten, value in tens.items():
        numbers[ten] = (float(value), float(value))
        for one, more in ones.items():
            if more < 10:
                numbers[_key(ten + raw["joiner"] + one)] = (float(value + more), float(value + more))
    if numbers:
        vocabulary["number"] = numbers
    return vocabulary


class _Compiler:
    """Turns the patterns of one language into regular expressions."""

    def __init__(self, code: str, raw: Mapping[str, Any], vocabulary: Mapping[str, Mapping[str, Value]]) -> None:
        self.code, self.patterns, self.vocabulary = code, raw.get("patterns", {}), vocabulary
        self.left, self.right = raw.get("boundary", ["", ""])
        self.half = str(raw.get("half", ""))

    def expand(self, text: str, slots: dict[str, str], rule: str) -> str:
        def one(match: re.Match[str]) -> str:
            name, slot = match.group(1) or match.group(2), match.group(2)
            if slot in self.vocabulary:
                body = _alternatives(self.vocabulary[slot])
                if slot == "number":
                    body += r"|\d+(?:\.\d+)?"
                    if self.half:
                        body = rf"(?:{body})(?:\s{re.escape(self.half)})?"
            elif slot in self.patterns:
                body = self.expand(self.patterns[slot], slots, rule)
                if slot.startswith("opt"):
                    return body
            else:
                raise ConfigurationError(f"rules.toml, rule {rule}: there is no slot {slot!r} in language {self.code}")
            slots[name] = slot
            return f"(?P<{name}>{body})"

        return _SLOT.sub(one, text)

    def words(self, needs: list[str], rule: str) -> frozenset[str]:
        found: set[str] = set()
        for need in needs:
            slot = _SLOT.fullmatch(need)
            if need == "#":
                found.update("0123456789")
            elif slot is None:
                found.update(_WORD.findall(need.lower())[:1])
            elif slot.group(2) in self.vocabulary:
                # Of an entry with several words the longest is the rarest, and one is enough to call the rule up.
                for entry in self.vocabulary[slot.group(2)]:
                    found.add(max(_WORD.findall(entry), key=len))
            else:
                raise ConfigurationError(f"rules.toml, rule {rule}: needs the slot {need}, which has no words")
        return frozenset(found)

    def rule(self, raw: Mapping[str, Any], order: int) -> Rule:
        slots: dict[str, str] = {}
        sources: dict[str, str] = {}
        for part, left, right in (
            ("match", self.left, self.right), ("before", self.left, r"\Z"), ("after", "", self.right), ("between", "", r"\Z"),
        ):  # fmt: skip
            if part in raw:
                sources[part] = f"{left}(?:{self.expand(raw[part], slots, raw['id'])}){right}"
        return Rule(
            id=raw["id"], language=self.code, formula=raw["formula"], args=raw.get("args", {}), confidence=raw["confidence"],
            sources=sources, of=frozenset(raw.get("of", ())), needs=self.words(raw["needs"], raw["id"]), slots=slots, order=order,
            examples=tuple(raw["examples"]), weak=raw.get("weak", False), alone=raw.get("alone", ""),
            anchor=raw.get("anchor", "said"), stage=raw.get("stage", 0),
        )  # fmt: skip


@cache
def _compile(source: str, rule: str, part: str) -> re.Pattern[str]:
    try:
        return re.compile(source, re.IGNORECASE)
    except re.error as exc:
        raise ConfigurationError(f"rules.toml, rule {rule}, {part}: {exc}") from exc


@cache
def load() -> Table:
    """The table of this package, compiled once. Raises ``ConfigurationError`` if the file is not a table."""
    text = resources.files(__package__).joinpath("rules.toml").read_text(encoding="utf-8")
    raw = tomllib.loads(text)
    languages: dict[str, Language] = {}
    rules: list[Rule] = []
    holidays, foreign = raw.pop("holidays"), raw.pop("foreign")
    for code, section in raw.items():
        vocabulary = _vocabulary(section)
        tense = section.get("tense", {})
        parts = [f"(?P<{name}>{tense[name]})" for name in ("past", "future", "present") if name in tense]
        left, right = section.get("cue_boundary", ["", ""])
        cues = {
            name: re.compile(cue, _FLAGS) for name, cue in tense.items() if name not in ("past", "future", "present")
        }
        languages[code] = Language(
            code,
            vocabulary,
            tense=re.compile(f"{left}(?:{'|'.join(parts)}){right}", _FLAGS) if parts else None,
            perfect=cues.get("perfect"),
            no_more=cues.get("no_more"),
            habit=cues.get("habit"),
            clause=cues.get("clause"),
            planned=_words(vocabulary["planned"], section) if "planned" in vocabulary else None,
            planned_gaps={name: re.compile(gap + r"\Z", _FLAGS) for name, gap in section.get("planned", {}).items()},
            question={name: re.compile(pattern, _FLAGS) for name, pattern in section.get("question", {}).items()},
            half=section.get("half", ""),
        )
        compiler = _Compiler(code, section, vocabulary)
        for entry in section.get("rule", ()):
            rules.append(compiler.rule(entry, len(rules)))
    by_word: dict[str, list[int]] = {}
    for rule in rules:
        for word in rule.needs:
            by_word.setdefault(word, []).append(rule.order)
    return Table(languages, tuple(rules), {word: tuple(calls) for word, calls in by_word.items()}, holidays, foreign)
