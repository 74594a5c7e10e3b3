"""Reranking orders what was found, and its failure leaves the order as it was and says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from graphmem.errors import ProviderUnavailable
from graphmem.records import Attachment, Hit
from graphmem.search import rerank

HITS = [
    Hit(str(n), f"t{n}", "s", "Ana", datetime(2023, 5, 1, tzinfo=UTC), f"text {n}", 3.0 - n, {"words": 1.0})
    for n in range(3)
]


@dataclass
class Scripted:
    """Gives the scores that it is told to, or fails."""

    scores: list[float] = field(default_factory=list)
    name: str = "scripted"
    asked: list[tuple[str, list[str]]] = field(default_factory=list)

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        self.asked.append((query, list(texts)))
        if not self.scores:
            raise ProviderUnavailable("no answer in 10 s")
        return self.scores

    async def close(self) -> None:
        """Nothing to let go of."""


async def test_the_reranker_decides_the_order_and_the_pieces_stay() -> None:
    made = await rerank("q", HITS, Scripted([0.1, 0.9, 0.5]))
    assert [hit.id for hit in made] == ["1", "2", "0"]
    assert made.reranked_by == "scripted"
    assert made[0].score == 0.9
    assert made[0].parts == {"words": 1.0, "fused": 2.0, "rerank": 0.9}


async def test_equal_scores_keep_the_fused_order() -> None:
    assert [hit.id for hit in (await rerank("q", HITS, Scripted([0.5, 0.5, 0.5])))] == ["0", "1", "2"]


async def test_a_reranker_that_fails_is_reported_and_the_fused_order_stands() -> None:
    made = await rerank("q", HITS, Scripted(), limit=2)
    assert [hit.id for hit in made] == ["0", "1"]
    assert made.reranked_by is None
    assert made.rerank_problem == "scripted did not rerank: no answer in 10 s"


async def test_a_wrong_number_of_scores_is_a_failure() -> None:
    assert "gave 1 scores for 3 texts" in ((await rerank("q", HITS, Scripted([0.5]))).rerank_problem or "")


async def test_without_a_reranker_nothing_changes() -> None:
    made = await rerank("q", HITS, None, limit=1)
    assert (made, made.reranked_by, made.rerank_problem) == ([HITS[0]], None, None)


async def test_it_is_asked_the_question_with_day_speaker_words_and_captions() -> None:
    shown = Hit(
        "1", "t", "s", "Ana", datetime(2023, 5, 1, tzinfo=UTC), "Look", 1.0, attachments=(Attachment("image", "a dog"),)
    )
    model = Scripted([1.0])
    await rerank("What is it?", [shown], model)
    assert model.asked == [("What is it?", ["2023-05-01 Ana: Look [image: a dog]"])]
