"""What a service was found to take: the way of asking for typed replies, and the parameters it rejects. Learned once a process.

Known by (base URL, model), since one address may serve models that differ.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from graphmem.providers.failures import ServiceRefused
from graphmem.providers.schemas import Mode

OPTIONAL = ("seed", "temperature", "max_completion_tokens", "max_tokens", "dimensions")
"""Parameters that a request can do without. The limit of tokens is tried under both of its names."""

_ABOUT_STRUCTURE = re.compile(
    r"response_format|json_schema|json_object|json mode|schema|structured|tool|function|grammar"
)
_ABOUT_LENGTH = re.compile(
    r"context_length_exceeded|maximum context length|context window|context size|context length|prompt is too long|input is too long"
    r"|too many tokens|maximum input length|reduce the length|string_above_max_length"
)
_ABOUT_MODEL = re.compile(r"model_not_found|model .{0,80}(does not exist|not found)")


@dataclass(slots=True)
class Habits:
    """What is known of one model at one address. ``mode`` is the way that has worked; ``without`` are parameters it rejects."""

    mode: Mode | None = None
    without: set[str] = field(default_factory=set)

    def modes(self, fitting: Sequence[Mode]) -> Sequence[Mode]:
        """The ways of asking still to be tried, best first: the one that has worked and those after it."""
        return fitting[fitting.index(self.mode) :] if self.mode in fitting else fitting

    def length_parameter(self) -> str | None:
        """The name under which the limit of tokens is sent; None if the service takes neither."""
        return next((name for name in ("max_completion_tokens", "max_tokens") if name not in self.without), None)


_habits: dict[tuple[str, str], Habits] = {}


def habits_of(base_url: str, model: str) -> Habits:
    """What this process has learned of a model at an address."""
    return _habits.setdefault((base_url.rstrip("/"), model), Habits())


def rejected_parameters(refused: ServiceRefused, sent: Collection[str]) -> set[str]:
    """The optional parameters among those sent that a refusal is about."""
    if refused.status not in (400, 404, 422):
        return set()
    return {name for name in OPTIONAL if name in sent and re.search(rf"\b{name}\b", refused.about)}


def is_about_length(refused: ServiceRefused) -> bool:
    """Whether the prompt is longer than the model reads."""
    return refused.status == 413 or (refused.status in (400, 422) and _ABOUT_LENGTH.search(refused.about) is not None)


def is_about_structure(refused: ServiceRefused, *, proven: bool) -> bool:
    """Whether another way of asking for a typed reply may be taken instead.

    Gateways refuse schemas with messages of every kind, also with none. As long as no way has worked, any refusal of the request's form
    counts; once one has, only a refusal that speaks of structure does.
    """
    if refused.status not in (400, 404, 422, 501) or _ABOUT_MODEL.search(refused.about):
        return False
    return not proven or _ABOUT_STRUCTURE.search(refused.about) is not None
