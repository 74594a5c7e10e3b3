"""What a statement offers: a stretch of a turn that may be the short answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphmem.extract.with_rules.parse import Span


@dataclass(frozen=True, slots=True)
class Offer:
    """A short answer and up to where in the turn its words reach (the quotation has to reach as far)."""

    text: str
    start: int
    end: int


def under_negation(span: Span, at: int) -> bool:
    """Whether a place of a sentence stands under a negation of its clause: "It isn't 49 euros"."""
    return any(
        token.dep_ == "neg"
        and token.idx < at
        and not any(mark.text in ",;:" and token.i < mark.i and mark.idx < at for mark in span)
        for token in span
    )
