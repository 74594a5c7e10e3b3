"""Extraction without a model service: a small parser, a table of times, and rules over both."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from graphmem.extract.with_rules.people import speech_of
from graphmem.extract.with_rules.reading import read_turn
from graphmem.records import EventDraft, Extracted, FactDraft, Mention, Window
from graphmem.temporal import Policy

__all__ = ["RuleExtractor"]

_RULES = "5"
"""The version of the rules: another one where they find something else."""


class RuleExtractor:
    """Reads English turns by rules. Each turn is read alone, so what is found does not depend on how windows are cut.

    ``policy`` is how times are read that can be read in several ways; one of your own is part of the version, so that what was read by
    another can be read again. Raises ProviderUnavailable where the language model is not installed.
    """

    name = "rules"
    parallel = 1

    def __init__(self, policy: Policy | None = None) -> None:
        self._policy = policy
        self.version = _RULES if policy is None or not policy.chosen else f"{_RULES} {policy.chosen}"

    async def extract(self, window: Window) -> Extracted:
        """What ``read`` finds, read in a thread."""
        return await asyncio.to_thread(self.read, window)

    def read(self, window: Window) -> Extracted:
        """Events, facts and mentions of the new turns, in order of text. Pure."""
        events: list[EventDraft] = []
        facts: list[FactDraft] = []
        mentions: list[Mention] = []
        for turn in window.turns:
            reading = read_turn(speech_of(turn, window, self._policy))
            facts.extend(
                fact if fact.event is None else replace(fact, event=fact.event + len(events)) for fact in reading.facts
            )
            events.extend(reading.events)
            mentions.extend(reading.mentions)
        return Extracted(
            self.name, self.version, tuple(events), tuple(facts), tuple(mentions), usage={"turns": len(window.turns)}
        )
