"""Extraction with a chat model: one call for a window, halved where the reply does not fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from graphmem.extract.with_model.convert import convert
from graphmem.extract.with_model.render import static_part, window_part
from graphmem.extract.with_model.reply import ExtractReply
from graphmem.prompts import load
from graphmem.providers.chat import ChatModel, Usage
from graphmem.providers.failures import TooLong
from graphmem.records import Extracted, Window

PROMPT = "extract.v1"
OVERLAP = 5
"""Turns of the first half that the second half is shown as context, at most."""


class ModelExtractor:
    """Reads windows with a chat model. ``version`` names the prompt and the model: either changed gives another extraction.

    Args:
        chat: The service.
        model: The name of the model that ``chat`` uses for the role ``extract``.
        parallel: How many windows are sent at once.
    """

    name = "model"

    def __init__(self, chat: ChatModel, model: str, parallel: int = 8) -> None:
        self._chat = chat
        self._prompt = load(PROMPT)
        self.version = f"{self._prompt.title} {model}"
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
        except TooLong:
            if len(window.turns) == 1:
                raise
            halves = [await self.extract(half) for half in halve(window)]
            # What the cut reply cost is on the service's own account; that it was made is counted here.
            return merge(halves, {"calls": 1, "fault_cut_off": 1})
        extracted = convert(completed.reply, window, self.name, self.version)
        return replace(extracted, usage={**extracted.usage, **as_counts(completed.usage)})


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


def as_counts(usage: Usage) -> dict[str, int]:
    """What calls cost, as flat counts: calls, prompt_tokens, completion_tokens, retries, and ``fault_…`` for each kind of bad reply."""
    return {
        "calls": usage.calls,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "retries": usage.retries,
        **{f"fault_{name}": count for name, count in usage.faults.items()},
    }
