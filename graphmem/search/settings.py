"""What search weighs, and by how much: one frozen object, passed in."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Literal

from graphmem.errors import ConfigurationError
from graphmem.temporal import Policy


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """Weights of the stages of search, in the order in which they act. A weight of 0 turns its stage off, as does False.

    Weights were chosen on LoCoMo conversations 1 to 5 only; ``benchmarks/recall.py`` measures them on all ten and
    ``benchmarks/ablation.py`` turns them off one by one. What each means, and where it comes from, stands at the functions of ``fusion``
    and ``ranking``.

    What is looked at:
        dense_candidates, text_candidates: turns from the vector index and from full text.
        event_candidates: events, for the turns that they rest on.
        rerank_candidates: the best so many are read by a reranker, where there is one.
        dated_candidates: more turns of the time that the question names.
        link_properties, seldom: of the entities that the question names, facts of so many properties near to it, and the events of
            those that have at most so many.
        first_person: a speaker's name in the question becomes "I" before it is embedded.
        time_policy: how the time that the question names is read, where it can be read in several ways.
        counted_turns, counted_words: bounds of what is counted for word weights, so that size does not slow a search.

    What it weighs:
        fusion, rank_constant: scores added up (convex), or ranks (reciprocal_rank with its constant).
        text_weight: the share of words; the rest is meaning.
        saturation, length_normalisation: BM25's k1 and b.
        neighbour_words, neighbour_meaning: the shares of the adjacent turns.
        session_weight, session_best: the session's mean of its best so many.
        event_weight: turns that events near to the question rest on.
        link_weight: turns that the graph links to what the question names.
        dated_weight, dated_days: turns of the time that the question names and, less and less, of so many days after it.
        speaker_weight: turns of the speaker whom the question names.
        question_weight: taken from turns that ask.
        time_weight, asked_time_weight: turns that name a time; the second where the question asks when.
    """

    dense_candidates: int = 150
    text_candidates: int = 150
    event_candidates: int = 100
    rerank_candidates: int = 100
    first_person: bool = True
    time_policy: Policy = field(default_factory=Policy)
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
    link_weight: float = 0.1
    link_properties: int = 2
    seldom: int = 20
    dated_candidates: int = 50
    dated_weight: float = 0.2
    dated_days: int = 7
    speaker_weight: float = 0.3
    question_weight: float = 0.3
    time_weight: float = 0.08
    asked_time_weight: float = 0.3

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, int | float) and value < 0:
                raise ConfigurationError(f"{each.name} is {value}; it must not be negative")
        if self.fusion not in ("convex", "reciprocal_rank"):
            raise ConfigurationError(f"fusion is {self.fusion!r}; it must be convex or reciprocal_rank")
        for name in ("text_weight", "length_normalisation"):
            if getattr(self, name) > 1:
                raise ConfigurationError(f"{name} is {getattr(self, name)}; it must lie in [0, 1]")
        for name in (
            "dense_candidates",
            "text_candidates",
            "session_best",
            "rank_constant",
            "event_candidates",
            "link_properties",
            "dated_days",
            "dated_candidates",
            "rerank_candidates",
        ):
            if getattr(self, name) < 1:
                raise ConfigurationError(f"{name} is {getattr(self, name)}; it must be at least 1")
        for name in ("counted_turns", "counted_words"):
            if getattr(self, name) < 1:
                raise ConfigurationError(f"{name} is {getattr(self, name)}; it must be at least 1")

    @property
    def weighs_words(self) -> bool:
        """Whether what full text finds counts: with ranks it always does, with scores by its weight."""
        return self.fusion != "convex" or self.text_weight > 0
