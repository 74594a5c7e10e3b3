"""Decisions of a model on all that a window leaves open, in one call, each checked against what was offered.

What a model may decide is narrow: one of the candidates shown with the mention, or a new entity, or nothing; an existing property or a new
canonical name; whether two tellings are one. Whatever lies outside is refused and counted, and the decision of the rules stands:

    choices_refused       a candidate that was not offered for this mention, or one that a veto keeps out
    nones_refused         "none" for what a fact is about
    names_refused         a canonical name, an alias or a property's name that the text does not bear out
    answers_missing       a question without an answer
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, cast, get_args

from graphmem.ids import normalise_name
from graphmem.providers.chat import ChatModel, Usage
from graphmem.records import Cardinality, ValueType
from graphmem.resolve.decide import (
    Candidate,
    Group,
    Known,
    Resolved,
    apart_from_namesakes,
    compatible,
    digits_of,
    veto_reason,
)
from graphmem.resolve.events import Coreference
from graphmem.resolve.questions import KnownProperty, OpenMention, OpenProperty, Questions, Shown, show, static_part
from graphmem.resolve.reply import MentionReply, PairReply, PropertyReply, ResolveReply

_PROPERTY = re.compile(r"[a-z][a-z0-9_]{0,59}")
_MOST_ALIASES = 4
_LONGEST_REASON = 200


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision on a mention. ``name``, ``type`` and ``aliases`` are what a new entity is to be called; for one that exists ``name`` is
    the mention's own, and ``aliases`` are further names that it has now been given."""

    resolved: Resolved
    decided_by: Literal["rule", "model"]
    name: str
    type: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PropertyDecision:
    """What a new name of a property was decided to be. ``is_new`` is False where it is a property that there is."""

    property: KnownProperty
    is_new: bool
    decided_by: Literal["rule", "model"]


@dataclass(frozen=True, slots=True)
class Decisions:
    """The decisions of a window: mentions in the order of the questions, properties by the name asked about, the pairs that are one."""

    mentions: tuple[Judged, ...] = ()
    properties: Mapping[str, PropertyDecision] = field(default_factory=dict)
    same_events: tuple[Coreference, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    model: str = ""


async def decide_with_model(chat: ChatModel, questions: Questions) -> Decisions:
    """Asks once for all that is open; asks nothing where nothing is. Raises what ``ChatModel.complete`` raises."""
    if not questions:
        return Decisions()
    shown = show(questions)
    completed = await chat.complete("resolve", static_part(), shown.text, ResolveReply)
    return replace(judge(completed.reply, questions, shown), usage=completed.usage, model=completed.model)


def by_rules(questions: Questions) -> Decisions:
    """The decisions where no model is asked: those of the rules."""
    nothing = Shown("", tuple({} for _ in questions.mentions))
    return replace(judge(ResolveReply(), questions, nothing), counts={})


def judge(reply: ResolveReply, questions: Questions, shown: Shown) -> Decisions:
    """The decisions that a reply amounts to. Pure."""
    counts: Counter[str] = Counter()
    mentions = _Mentions(questions, shown, counts).judged({each.m: each for each in reversed(reply.mentions)})
    answers = {each.p: each for each in reversed(reply.new_properties)}
    properties = {
        asked.name: _property(asked, answers.get(number), questions.properties_known, counts)
        for number, asked in enumerate(questions.properties, start=1)
    }
    tellings = {each.t: each for each in reversed(reply.events)}
    same = tuple(
        joined
        for number, pair in enumerate(questions.pairs, start=1)
        if (joined := _pair(pair, tellings.get(number), counts)) is not None
    )
    return Decisions(mentions, properties, same, dict(sorted(counts.items())))


class _Mentions:
    """The mentions of a window. New entities of one canonical name are one, unless something keeps them apart."""

    def __init__(self, questions: Questions, shown: Shown, counts: Counter[str]) -> None:
        self._questions = questions
        self._shown = shown
        self._counts = counts
        self._names = {normalise_name(each.group.name) for each in questions.mentions}
        self._new: dict[str, Judged] = {}

    def judged(self, answers: Mapping[int, MentionReply]) -> tuple[Judged, ...]:
        return tuple(
            self._judge(mention, self._shown.numbers[number - 1], answers.get(number))
            for number, mention in enumerate(self._questions.mentions, start=1)
        )

    def _judge(self, mention: OpenMention, offered: Mapping[int, Candidate], answer: MentionReply | None) -> Judged:
        if answer is None:
            return self._by_rule(mention, "answers_missing")
        decision = answer.decision.strip().lower()
        if decision == "choose_existing":
            return self._existing(mention, offered.get(answer.entity), answer)
        if decision == "propose_new":
            return self._proposed(mention, answer)
        if decision == "none":
            if mention.needed:
                return self._by_rule(mention, "nones_refused")
            resolved = self._resolved(mention, answer, "none", None)
            return Judged(resolved, "model", mention.group.name, mention.group.type)
        return self._by_rule(mention, "choices_refused")

    def _existing(self, mention: OpenMention, chosen: Candidate | None, answer: MentionReply) -> Judged:
        group = mention.group
        if chosen is None or not compatible(group.type, chosen.known.type) or _vetoed(group, chosen):
            return self._by_rule(mention, "choices_refused")
        resolved = self._resolved(mention, answer, "choose_existing", chosen.known.id)
        return Judged(resolved, "model", group.name, chosen.known.type, self._aliases(mention, answer, group.name))

    def _proposed(self, mention: OpenMention, answer: MentionReply) -> Judged:
        group = mention.group
        name = group.name
        if answer.name.strip() and normalise_name(answer.name) != normalise_name(name):
            if self._borne_out(answer.name, mention):
                name = answer.name.strip()
            else:
                self._counts["names_refused"] += 1
        type_ = answer.type.strip() if answer.type.strip() in self._questions.types else group.type
        apart = apart_from_namesakes(group) if _is_taken(name, mention.candidates) else ""
        resolved = replace(self._resolved(mention, answer, "propose_new", None), apart=apart)
        judged = Judged(resolved, "model", name, type_, self._aliases(mention, answer, name))
        earlier = self._new.setdefault(normalise_name(name), judged)
        if earlier is judged:
            return judged
        if _conflict(earlier, group):
            return replace(judged, resolved=replace(resolved, apart=apart_from_namesakes(group)))
        return replace(
            judged, name=earlier.name, type=earlier.type, resolved=replace(resolved, apart=earlier.resolved.apart)
        )

    def _by_rule(self, mention: OpenMention, why: str) -> Judged:
        self._counts[why] += 1
        return Judged(mention.by_rule, "rule", mention.group.name, mention.group.type)

    def _resolved(
        self,
        mention: OpenMention,
        answer: MentionReply,
        decision: Literal["choose_existing", "propose_new", "none"],
        entity: str | None,
    ) -> Resolved:
        reason = " ".join(answer.reason.split())[:_LONGEST_REASON] or "no reason given"
        scored = tuple((each.known.id, round(each.score, 4)) for each in mention.candidates)
        return Resolved(mention.group, decision, entity, _confidence(answer.confidence), reason, scored)

    def _aliases(self, mention: OpenMention, answer: MentionReply, name: str) -> tuple[str, ...]:
        """Names that the text has for it. A model knows many more, which nobody here has used."""
        found = []
        for alias in answer.aliases:
            if normalise_name(alias) in ("", normalise_name(name), normalise_name(mention.group.name)):
                continue
            if self._borne_out(alias, mention):
                found.append(alias.strip())
            else:
                self._counts["names_refused"] += 1
        return tuple(dict.fromkeys(found))[:_MOST_ALIASES]

    def _borne_out(self, name: str, mention: OpenMention) -> bool:
        """Whether a name is one that the text uses: it stands in the sentence, is another mention's, or shares a word with this one's, and
        has no other digits."""
        plain, own = normalise_name(name), normalise_name(mention.group.name)
        if not plain or digits_of(plain) != digits_of(own):
            return False
        shares = bool(set(plain.split()) & set(own.split()))
        return shares or plain in self._names or plain in normalise_name(mention.sentence)


def _vetoed(group: Group, candidate: Candidate) -> bool:
    """What keeps a candidate out whatever a model says: other digits, another speaker's id, a relation that is another person's.

    That two people's names share no word keeps them apart by rule only: "Liz" and "Elizabeth" are for the model to see.
    """
    digits, others = digits_of(group.name), digits_of(candidate.alias)
    if digits and others and digits != others:
        return True
    return veto_reason(group, candidate.known, group.name) is not None


def _conflict(earlier: Judged, group: Group) -> bool:
    first = earlier.resolved.group
    as_known = Known("", earlier.name, earlier.type, (), first.speaker_id, first.attributes)
    return not compatible(first.type, group.type) or veto_reason(group, as_known, group.name) is not None


def _is_taken(name: str, candidates: Sequence[Candidate]) -> bool:
    """Whether a known entity bears the name: a new one is then set apart, for its identifier is made of its name."""
    plain = normalise_name(name)
    return any(plain in map(normalise_name, (each.known.name, *each.known.aliases)) for each in candidates)


def _property(
    asked: OpenProperty, answer: PropertyReply | None, known: Mapping[str, KnownProperty], counts: Counter[str]
) -> PropertyDecision:
    if answer is None:
        counts["answers_missing"] += 1
        return PropertyDecision(KnownProperty(asked.name, "many", asked.value_type), True, "rule")
    name = re.sub(r"[\s-]+", "_", answer.name.strip().lower()) or asked.name
    if not _PROPERTY.fullmatch(name):
        counts["names_refused"] += 1
        name = asked.name
    existing = known.get(name) or next((each for each in asked.similar if each.name == name), None)
    if existing is not None:
        return PropertyDecision(existing, False, "model")
    cardinality: Cardinality = "one" if answer.cardinality.strip().lower() == "one" else "many"
    declared = answer.value_type.strip().lower()
    value_type = cast(ValueType, declared) if declared in get_args(ValueType) else asked.value_type
    return PropertyDecision(KnownProperty(name, cardinality, value_type), True, "model")


def _pair(pair: Coreference, answer: PairReply | None, counts: Counter[str]) -> Coreference | None:
    if answer is None:
        counts["answers_missing"] += 1
        return None
    if not answer.same:
        return None
    reason = " ".join(answer.reason.split())[:_LONGEST_REASON] or "no reason given"
    return replace(pair, verdict="same", confidence=_confidence(answer.confidence), reason=reason, decided_by="model")


def _confidence(given: float) -> float:
    return round(min(max(given, 0.0), 1.0), 3)
