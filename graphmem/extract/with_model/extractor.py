"""Extraction with a chat model: one call for a window, halved where the reply does not fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from graphmem.errors import ProviderError
from graphmem.extract.with_model.convert import convert
from graphmem.extract.with_model.render import static_part, window_part
from graphmem.extract.with_model.reply import ExtractReply
from graphmem.prompts import load
from graphmem.providers.chat import ChatModel
from graphmem.providers.failures import TooLong
from graphmem.records import Extracted, Window
from graphmem.temporal import Policy

PROMPT = "extract.v1"
OVERLAP = 5
"""Turns of the first half that the second half is shown as context, at most."""


class ModelExtractor:
    """Reads windows with a chat model. ``version`` names the prompt and the model: either changed gives another extraction.

    Args:
        chat: The service.
        model: The name of the model that ``chat`` uses for the role ``extract``.
        parallel: How many windows are sent at once.
        policy: How the rule table reads times that can be read in several ways; one of your own is part of ``version``.
    """

    name = "model"

    def __init__(self, chat: ChatModel, model: str, parallel: int = 8, policy: Policy | None = None) -> None:
        self._chat = chat
        self._prompt = load(PROMPT)
        self._policy = policy
        self.version = " ".join(filter(None, (self._prompt.title, model, "" if policy is None else policy.chosen)))
        self.parallel = parallel

    async def extract(self, window: Window) -> Extracted:
        """Events, facts and mentions of the new turns, in order of text.

        Raises what ``ChatModel.complete`` raises; TooLong only where even one turn alone does not fit.
        """
        if not window.turns:
            return Extracted(self.name, self.version, (), ())
        try:
            completed = await self._chat.complete(
                "extract", static_part(self._prompt.title), window_part(window), ExtractReply
            )
        except TooLong as exc:
            if len(window.turns) == 1:
                raise
            return await self._by_halves(window, exc.spent)
        extracted = convert(completed.reply, window, self.name, self.version, self._policy)
        return replace(extracted, usage={**extracted.usage, **completed.usage.counts()})

    async def _by_halves(self, window: Window, spent: Mapping[str, int]) -> Extracted:
        """A window that does not fit, as two. ``spent`` is what finding that out has cost; an error has all that it cost on it."""
        halves: list[Extracted] = []
        for half in halve(window):
            try:
                halves.append(await self.extract(half))
            except ProviderError as exc:
                counts = Counter(spent)
                for cost in (*(each.usage for each in halves), exc.spent):
                    counts.update(cost)
                exc.spent = dict(counts)
                raise
        return merge(halves, spent)


def halve(window: Window) -> tuple[Window, Window]:
    """A window as two, the first no longer than the second; the second is shown the last turns of the first as context."""
    middle = len(window.turns) // 2
    first, second = window.turns[:middle], window.turns[middle:]
    before = (*window.context, *first)
    return replace(window, turns=first), replace(
        window, turns=second, context=before[-max(OVERLAP, len(window.context)) :]
    )


def merge(parts: Sequence[Extracted], more: Mapping[str, int]) -> Extracted:
    """Extractions of consecutive parts of a window as one. ``more`` is added to what they cost."""
    counts: Counter[str] = Counter(more)
    offset = 0
    facts = []
    for part in parts:
        counts.update(part.usage)
        facts += [fact if fact.event is None else replace(fact, event=fact.event + offset) for fact in part.facts]
        offset += len(part.events)
    return replace(
        parts[0],
        events=tuple(event for part in parts for event in part.events),
        facts=tuple(facts),
        mentions=tuple(mention for part in parts for mention in part.mentions),
        refused=sum(part.refused for part in parts),
        usage=dict(sorted(counts.items())),
    )
