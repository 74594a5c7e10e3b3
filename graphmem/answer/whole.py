"""Whether a question can only be answered by somebody who has read everything: one that counts, lists, or orders in time. Pure."""

from __future__ import annotations

import re
from datetime import datetime

from graphmem.answer.plan import plan

_LISTS = re.compile(
    r"\b(?:list|count|all|both|every\w*|each|total|altogether|in all|so far)\b"
    r"|\b(?:what|which)(?:\s+\w+)?\s+(?!(?:does|was|has|is|this|his|its|us|as|always|perhaps)\b)\w{2,}[^su\W]s\b",
    re.IGNORECASE,
)
"""Words of totality, and "what books", "which other cities": a plural after the word that asks."""

_WHOLE = ("how_many", "who_else", "before_event", "after_event", "first", "last", "changed", "how_long")


def needs_everything(question: str, asked_at: datetime) -> bool:
    """Whether a question counts, lists or orders in time, so that what was not read may change the answer however little it looks like
    the question: who asks where somebody lived before Lisbon has to read about Berlin."""
    made = plan(question, asked_at)
    return made.form in _WHOLE or made.want in ("count", "frequency") or bool(_LISTS.search(question))
