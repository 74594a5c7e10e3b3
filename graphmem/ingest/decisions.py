"""What a window leaves open, gathered from the graph and asked in one call if there is a model; without one, the decisions of the rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from graphmem.extract.vocabulary import entity_types
from graphmem.graph.connection import Graph
from graphmem.graph.queries import load
from graphmem.ingest.asking import WindowChat
from graphmem.ingest.entities import Entities, Offered, by_rule_alone, entity_of
from graphmem.ingest.properties import known_properties, open_properties
from graphmem.ingest.tellings import Earlier, Told, pairs
from graphmem.providers.protocols import Embedder
from graphmem.records import FactDraft, Mention, Quote, Turn
from graphmem.resolve import Resolved
from graphmem.resolve.decide import group_key
from graphmem.resolve.events import Coreference, compare
from graphmem.resolve.questions import KnownProperty, OpenMention, Questions
from graphmem.resolve.with_model import Judged, PropertyDecision, decide_with_model

SHOWN_FACTS = 3
"""Latest facts of a candidate that a model may see."""

_END_OF_SENTENCE = re.compile(r"[.!?…。！？]+[\"'”’)\]]*(?=\s|$)|[。！？]|\n")


@dataclass(frozen=True, slots=True)
class Settled:
    """All decisions of a window: on its mentions, on new properties, and which tellings are one. ``counts`` is what was refused and what
    it cost; ``model`` is the one that was asked, if any."""

    judged: tuple[Judged, ...]
    same_events: tuple[Coreference, ...]
    properties_known: Mapping[str, KnownProperty] = field(default_factory=dict)
    properties: Mapping[str, PropertyDecision] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    model: str | None = None


def settle_by_rules(
    namespace: str, offered: Offered, threshold: float, told: Sequence[Told], earlier: Sequence[Earlier]
) -> Settled:
    """The decisions where no model is asked. What rules are unsure of stays apart."""
    judged = tuple(by_rule_alone(offered.by_rule(group, threshold)) for group in offered.groups)
    return Settled(judged, compare(pairs(told, earlier, _standing_for(namespace, judged))).same)


async def settle_with_model(
    graph: Graph,
    embedder: Embedder,
    chat: WindowChat,
    namespace: str,
    offered: Offered,
    threshold: float,
    facts: Sequence[FactDraft],
    told: Sequence[Told],
    earlier: Sequence[Earlier],
    turns: Mapping[str, Turn],
    vectors: Mapping[str, Sequence[float]],
) -> Settled:
    """The decisions where a model is asked about what rules leave open, in one call; none is made where nothing is open.

    Raises what ``ChatModel.complete`` raises.
    """
    by_rule = [offered.by_rule(group, threshold) for group in offered.groups]
    known = await known_properties(graph, namespace, facts)
    expected = tuple(map(by_rule_alone, by_rule))
    mentions = open_mentions(offered, by_rule, facts, turns)
    candidates = sorted({each.known.id for mention in mentions for each in mention.candidates})
    rows = await graph.read(load("resolve/latest_facts"), ids=candidates, limit=SHOWN_FACTS) if candidates else []
    questions = Questions(
        mentions,
        await open_properties(graph, embedder, namespace, facts, known, chat, vectors),
        compare(pairs(told, earlier, _standing_for(namespace, expected))).unsure,
        tuple(entity_types()),
        {row["id"]: row["facts"] for row in rows},
        known,
    )
    decisions = await decide_with_model(chat, questions)
    answered = {each.resolved.group.key: each for each in decisions.mentions}
    judged = tuple(answered.get(each.resolved.group.key, each) for each in expected)
    same = {frozenset({each.one.id, each.other.id}): each for each in decisions.same_events}
    for each in compare(pairs(told, earlier, _standing_for(namespace, judged))).same:
        same.setdefault(frozenset({each.one.id, each.other.id}), each)
    return Settled(judged, tuple(same.values()), known, decisions.properties, decisions.counts, decisions.model or None)


def open_mentions(
    offered: Offered, by_rule: Sequence[Resolved], facts: Sequence[FactDraft], turns: Mapping[str, Turn]
) -> tuple[OpenMention, ...]:
    """The groups that no exact alias settles, each with the sentence that it stands in."""
    needed = {group_key(fact.subject) for fact in facts}
    found = []
    for resolved in by_rule:
        group = resolved.group
        if offered.is_settled(group):
            continue
        quote = group.mentions[0].quote
        turn = turns[quote.turn_id]
        found.append(
            OpenMention(
                group,
                resolved,
                offered.candidates(group),
                sentence_around(turn.text, quote),
                f"{turn.speaker}, {turn.said_at.date()}",
                group.key in needed,
            )
        )
    return tuple(found)


def sentence_around(text: str, quote: Quote) -> str:
    """The sentence of a text that a quotation stands in, or the sentences from its first to its last word."""
    ends = [end.end() for end in _END_OF_SENTENCE.finditer(text)]
    begin = max((end for end in ends if end <= quote.start), default=0)
    end = min((end for end in ends if end >= quote.end), default=len(text))
    return text[begin:end].strip()


def _standing_for(namespace: str, judged: Sequence[Judged]) -> Callable[[Mention], str | None]:
    """Which entity a mention stands for by these decisions."""
    return Entities({each.resolved.group.key: entity_of(namespace, each) for each in judged}).of
