"""Time expressions: from words to intervals, by a table of rules that can be read and questioned."""

from __future__ import annotations

from graphmem.temporal.expression import Expression, Granularity, Kind
from graphmem.temporal.normaliser import normalise
from graphmem.temporal.policy import Policy

__all__ = ["Expression", "Granularity", "Kind", "Policy", "normalise"]
