"""What search weighs, and by how much: one frozen object, passed in."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

from graphmem.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """Weights of the stages of search, in the order in which they act. A weight of 0 turns its stage off, as does False.

    Weights were chosen on LoCoMo conversations 1 to 5 only; ``benchmarks/recall.py`` measures them on all ten and
    ``benchmarks/ablation.py`` turns them off one by one. What each means, and where it comes from, stands at the functions of ``fusion``.

    Candidates: ``dense_candidates`` turns are taken from the vector index, ``text_candidates`` from full text, and the turns that
    ``event_candidates`` events rest on. ``first_person``: a speaker's name in the question
    becomes "I" before it is embedded, since speakers do not call themselves by name. ``counted_turns`` and ``counted_words`` bound what is
    counted for word weights, so that a search costs the same whatever the size of the memory.

    Fusion: ``text_weight`` is the share of words, the rest is meaning. ``saturation`` and ``length_normalisation`` are BM25's k1 and b.
    ``neighbour_words`` and ``neighbour_meaning`` are the shares of the adjacent turns; ``session_weight`` that of the session's mean of
    ``session_best``; ``event_weight`` goes to turns that events near to the question rest on; ``speaker_weight`` to turns of the speaker
    whom the question names; ``question_weight`` is taken from turns that ask; ``time_weight`` goes to turns that name a time,
    ``asked_time_weight`` instead if the question asks when.
    """

    dense_candidates: int = 150
    text_candidates: int = 150
    event_candidates: int = 100
    first_person: bool = True
    fusion: Literal["convex", "reciprocal_rank"] = "convex"
    text_weight: float = 0.4
    rank_constant: int = 60
    saturation: float = 0.9
    length_normalisation: float = 0.75
    counted_turns: int = 10_000
    counted_words: int = 1_000
    neighbour_words: float = 0.5
    neighbour_meaning: float = 0.5
    session_weight: float = 0.6
    session_best: int = 2
    event_weight: float = 0.2
    speaker_weight: float = 0.3
    question_weight: float = 0.3
    time_weight: float = 0.08
    asked_time_weight: float = 0.3

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, int | float) and value < 0:
                raise ConfigurationError(f"{field.name} is {value}; it must not be negative")
        if self.fusion not in ("convex", "reciprocal_rank"):
            raise ConfigurationError(f"fusion is {self.fusion!r}; it must be convex or reciprocal_rank")
        for name in ("text_weight", "length_normalisation"):
            if getattr(self, name) > 1:
                raise ConfigurationError(f"{name} is {getattr(self, name)}; it must lie in [0, 1]")
        for name in ("dense_candidates", "text_candidates", "session_best", "rank_constant", "event_candidates"):
            if getattr(self, name) < 1:
                raise ConfigurationError(f"{name} is {getattr(self, name)}; it must be at least 1")
        for name in ("counted_turns", "counted_words"):
            if getattr(self, name) < 1:
                raise ConfigurationError(f"{name} is {getattr(self, name)}; it must be at least 1")
