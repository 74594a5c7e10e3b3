"""What search weighs, and by how much: one frozen object, passed in."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

from graphmem.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """Weights of the stages of search. A weight of 0 turns its stage off.

    Chosen on LoCoMo conversations 1 to 5 only; benchmarks/recall.py measures them, benchmarks/ablation.py turns them off one by one.
    """

    dense_candidates: int = 100
    text_candidates: int = 100
    fusion: Literal["convex", "reciprocal_rank"] = "convex"
    text_weight: float = 0.4
    rank_constant: int = 60
    neighbour_weight: float = 0.5
    session_weight: float = 0.3
    session_best: int = 3
    speaker_boost: float = 1.15

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, int | float) and value < 0:
                raise ConfigurationError(f"{field.name} is {value}; it must not be negative")
        if not 0.0 <= self.text_weight <= 1.0:
            raise ConfigurationError(f"text_weight is {self.text_weight}; it must lie in [0, 1]")
        for name in ("dense_candidates", "text_candidates", "session_best", "rank_constant"):
            if getattr(self, name) < 1:
                raise ConfigurationError(f"{name} is {getattr(self, name)}; it must be at least 1")
