"""The embedder and the reranker against a local service of the same protocols, over a real socket."""

from __future__ import annotations

import asyncio
import math
import threading

import pytest

from graphmem.errors import BudgetExceeded, ConfigurationError, ProviderUnavailable, ReplyError
from graphmem.providers.cohere_reranker import CohereReranker, RerankerSettings
from graphmem.providers.failures import ServiceRefused
from graphmem.providers.openai_embedder import EmbedderSettings, OpenAIEmbedder
from graphmem.providers.pricing import Budget
from graphmem.providers.protocols import Embedder, Reranker
from graphmem.providers.service import ServiceSettings
from tests.service import Received, Reply, Service, error, vector_of
from tests.service.fixture import service

__all__ = ["service"]


class Waits(list[float]):
    """Stands in for sleeping, and keeps how long each wait would have been."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


def embedder_of(service: Service, waits: Waits | None = None, **settings: object) -> OpenAIEmbedder:
    at = ServiceSettings(service.base_url, "none", timeout=2.0)
    wanted = {"model": "text-embedding-3-large", "dimensions": 8} | settings
    return OpenAIEmbedder(EmbedderSettings(at, **wanted), sleep=waits if waits is not None else Waits())  # type: ignore[arg-type]


def unit(text: str, dimensions: int = 8) -> list[float]:
    return [value / 3.0 for value in vector_of(text, dimensions)]


def test_vectors_come_in_order_normalised_and_in_batches(service: Service) -> None:
    texts = [f"text number {number}" for number in range(10)]
    with embedder_of(service, batch_texts=4) as embedder:
        vectors = embedder.embed_documents(texts)
        assert isinstance(embedder, Embedder)
        assert (embedder.name, embedder.dimensions) == ("text-embedding-3-large@8", 8)
    assert vectors == [pytest.approx(unit(text)) for text in texts]
    assert [math.fsum(one * one for one in vector) for vector in vectors] == [pytest.approx(1.0)] * 10
    assert sorted(len(request.body["input"]) for request in service.requests) == [2, 4, 4]
    assert {request.body["dimensions"] for request in service.requests} == {8}


def test_batches_keep_to_their_tokens_too(service: Service) -> None:
    with embedder_of(service, batch_tokens=50) as embedder:
        embedder.embed_documents(["a" * 100, "b", "c" * 500, "d", "e"])
    assert sorted([text[0] for text in request.body["input"]] for request in service.requests) == [
        ["a", "b"],
        ["c"],
        ["d", "e"],
    ]


def test_a_query_has_the_prefix_of_its_model(service: Service) -> None:
    with embedder_of(service, query_prefix="query: ") as embedder:
        assert embedder.embed_query("Lisbon") == pytest.approx(unit("query: Lisbon"))


def test_nothing_gives_nothing_and_an_empty_text_has_a_vector(service: Service) -> None:
    with embedder_of(service) as embedder:
        assert embedder.embed_documents([]) == []
        assert service.requests == []
        assert embedder.embed_documents(["", "x"])[0] == pytest.approx(unit(" "))


def test_it_is_safe_to_call_from_threads_and_within_a_running_loop(service: Service) -> None:
    found: dict[int, list[float]] = {}
    with embedder_of(service) as embedder:

        async def inside_a_loop() -> list[float]:
            return await asyncio.to_thread(embedder.embed_query, "from a loop")

        def call(number: int) -> None:
            found[number] = embedder.embed_query(f"thread {number}")

        threads = [threading.Thread(target=call, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        assert asyncio.run(inside_a_loop()) == pytest.approx(unit("from a loop"))
        for thread in threads:
            thread.join()
    assert found == {number: pytest.approx(unit(f"thread {number}")) for number in range(8)}


@pytest.mark.parametrize(
    "bad",
    [
        error(429, headers={"retry-after": "2"}),
        error(500),
        Reply({"data": []}),
        Reply({"data": [{"index": 0, "embedding": [0.0] * 8}]}),
        Reply({"data": [{"index": 5, "embedding": [1.0] * 8}]}),
        Reply({"data": [{"index": 0, "embedding": [None] * 8}]}),
        Reply(b'{"data": [{"index": 0, "embedding": [NaN, 1, 1, 1, 1, 1, 1, 1]}]}'),
        Reply(b""),
        Reply({"data": [{"index": 0, "embedding": [1.0] * 8}]}, cut="inside"),
        Reply({}, delay=3.0),
    ],
)
def test_what_can_pass_is_tried_again(service: Service, bad: Reply) -> None:
    waits = Waits()
    service.faults.append(bad)
    with embedder_of(service, waits) as embedder:
        assert embedder.embed_query("Lisbon") == pytest.approx(unit("Lisbon"))
        assert (embedder.spent().calls, embedder.spent().retries) == (2, 1)
    assert len(waits) == 1
    assert waits[0] >= (2.0 if "retry-after" in bad.headers else 0.5)


def test_a_failing_batch_raises_its_own_error(service: Service) -> None:
    service.faults.append(error(401, "Incorrect API key"))
    with embedder_of(service) as embedder, pytest.raises(ServiceRefused, match="Incorrect API key"):
        embedder.embed_documents(["a", "b"])


def test_a_service_that_rejects_dimensions_is_asked_without_and_must_still_keep_to_them(service: Service) -> None:
    service.faults.extend(
        [error(400, "Unknown parameter: 'dimensions'"), Reply({"data": [{"index": 0, "embedding": [1.0] * 4}]})]
    )
    with (
        embedder_of(service) as embedder,
        pytest.raises(ReplyError, match="length 4, and dimensions is 8; set dimensions to 4"),
    ):
        embedder.embed_query("Lisbon")
    assert ["dimensions" in request.body for request in service.requests] == [True, False]


def test_a_text_that_is_too_long_is_cut_and_its_neighbours_are_not(service: Service) -> None:
    too_long = error(400, "This model's maximum context length is 8192 tokens")
    long = "word " * 40
    service.faults.extend([too_long, too_long])
    with embedder_of(service) as embedder:
        vectors = embedder.embed_documents([long, "Lisbon"])
    assert vectors == [pytest.approx(unit(long[:100])), pytest.approx(unit("Lisbon"))]


def test_the_embedder_keeps_to_a_budget(service: Service) -> None:
    at = ServiceSettings(service.base_url, "none")
    budget = Budget(max_calls=1)
    with OpenAIEmbedder(EmbedderSettings(at, dimensions=8), budget=budget) as embedder:
        embedder.embed_query("one")
        with pytest.raises(BudgetExceeded):
            embedder.embed_query("two")
    with pytest.raises(ConfigurationError, match="price of nomic is not known"):
        OpenAIEmbedder(EmbedderSettings(at, "nomic"), budget=Budget(max_cost=1.0))


def reranker_of(service: Service, waits: Waits | None = None, **settings: object) -> CohereReranker:
    at = ServiceSettings(service.address, "none", timeout=2.0)
    return CohereReranker(RerankerSettings(at, **settings), sleep=waits if waits is not None else Waits())  # type: ignore[arg-type]


async def test_scores_are_by_position_also_over_several_requests(service: Service) -> None:
    reranker = reranker_of(service, batch_texts=2)
    texts = ["I live in Lisbon", "Lisbon", "", "no word of it", "Where is Lisbon"]
    scores = await reranker.rerank("where is lisbon", texts)
    assert scores == [pytest.approx(score) for score in (1 / 3, 1 / 3, 0.0, 0.0, 1.0)]
    assert [len(request.body["documents"]) for request in service.requests] == [2, 2]
    assert isinstance(reranker, Reranker)
    request = service.requests[0]
    assert (request.path, request.body["model"], request.headers["authorization"]) == (
        "/v2/rerank",
        "rerank-v3.5",
        "Bearer none",
    )
    await reranker.close()


async def test_nothing_to_rank_asks_nobody(service: Service) -> None:
    reranker = reranker_of(service)
    assert await reranker.rerank("Lisbon", []) == []
    assert await reranker.rerank(" ", ["a", "b"]) == [0.0, 0.0]
    assert service.requests == []


@pytest.mark.parametrize(
    "bad",
    [
        error(429, headers={"retry-after": "2"}),
        error(500),
        error(503),
        error(504),
        error(502),
        Reply(b"<html>Bad gateway</html>", 502, {"content-type": "text/html"}),
        Reply(b""),
        Reply({"results": []}),
        Reply({"results": [{"index": 1, "relevance_score": 0.5}]}),
        Reply({"results": [{"index": 0, "relevance_score": "high"}]}),
        Reply({"results": [{"index": 0, "relevance_score": 0.5}]}, cut="inside"),
        Reply({}, cut="before"),
        Reply({}, delay=3.0),
    ],
)
async def test_a_ranking_that_fails_is_asked_for_again(service: Service, bad: Reply) -> None:
    waits = Waits()
    service.faults.append(bad)
    reranker = reranker_of(service, waits)
    assert await reranker.rerank("Lisbon", ["Lisbon"]) == [1.0]
    assert (reranker.spent().calls, reranker.spent().retries) == (2, 1)
    assert len(waits) == 1
    assert waits[0] >= (2.0 if "retry-after" in bad.headers else 0.5)


@pytest.mark.parametrize(
    ("status", "said"), [(400, "400: too odd"), (401, "Check the key"), (404, "Check base_url"), (422, "422")]
)
async def test_a_ranking_that_is_refused_is_told_at_once(service: Service, status: int, said: str) -> None:
    service.faults.append(error(status, "too odd"))
    with pytest.raises(ServiceRefused, match=said):
        await reranker_of(service).rerank("Lisbon", ["Lisbon"])
    assert len(service.requests) == 1


async def test_a_reranker_that_stays_down_is_given_up(service: Service) -> None:
    service.faults.extend([error(500)] * 6)
    with pytest.raises(ProviderUnavailable, match="after 6 failed attempts"):
        await reranker_of(service).rerank("Lisbon", ["Lisbon"])


async def test_the_reranker_keeps_to_a_budget(service: Service) -> None:
    at = ServiceSettings(service.address, "none")
    reranker = CohereReranker(RerankerSettings(at, price=0.002), budget=Budget(max_cost=0.003))
    await reranker.rerank("Lisbon", ["Lisbon"])
    with pytest.raises(BudgetExceeded):
        await reranker.rerank("Lisbon", ["Lisbon"])
    with pytest.raises(ConfigurationError, match=r"price of rerank-v3\.5"):
        CohereReranker(RerankerSettings(at, price=None), budget=Budget(max_cost=1.0))


def test_the_service_keeps_what_it_received(service: Service) -> None:
    with embedder_of(service) as embedder:
        embedder.embed_query("Lisbon")
    (request,) = service.requests
    assert isinstance(request, Received)
    assert (request.number, request.path, request.body["input"]) == (0, "/v1/embeddings", ["Lisbon"])
