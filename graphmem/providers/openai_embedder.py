"""Embeddings from any OpenAI-compatible service, behind the synchronous protocol: the asynchronous client runs in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from graphmem.errors import ConfigurationError, ReplyError
from graphmem.providers.chat import Usage
from graphmem.providers.failures import MayPass, ServiceRefused
from graphmem.providers.habits import habits_of, is_about_length, rejected_parameters
from graphmem.providers.limits import gate_to
from graphmem.providers.openai_client import OpenAIClient
from graphmem.providers.pricing import Budget, Price, tokens_about
from graphmem.providers.retry import Sleep, with_retries
from graphmem.providers.service import ServiceSettings

T = TypeVar("T")
_SHORTEST = 16
"""Characters below which a text is not halved any more when the service says that it is too long."""


@dataclass(frozen=True, slots=True)
class EmbedderSettings:
    """Which embedding model of a service is asked, and how.

    Attributes:
        service: Where, and with what patience.
        model: As the service knows it.
        dimensions: Length of the vectors; sent to the service, which must give this length.
        batch_texts: Texts in one request at most.
        batch_tokens: Tokens in one request at most, as estimated from above.
        query_prefix: Put before queries but not before documents, where the model's card asks for it.
        prices: Prices by model, over those of the table.
    """

    service: ServiceSettings
    model: str = "text-embedding-3-large"
    dimensions: int = 1024
    batch_texts: int = 256
    batch_tokens: int = 100_000
    query_prefix: str = ""
    prices: dict[str, Price] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("dimensions", "batch_texts", "batch_tokens"):
            if getattr(self, name) < 1:
                raise ConfigurationError(f"{name} is {getattr(self, name)}; it must be at least 1")
        if not self.model.strip():
            raise ConfigurationError(
                "the name of the embedding model is empty; give the name that the service knows it by"
            )


class OpenAIEmbedder:
    """An :class:`~graphmem.providers.protocols.Embedder`. Safe to call from several threads, not from its own event loop.

    A text that is longer than the model reads is cut by halves until it is taken. An empty text is sent as a space, for services refuse it.

    Args:
        settings: Service, model and sizes.
        budget: Limits shared with other clients; None for none.
        sleep: How to wait between attempts.

    Raises:
        ConfigurationError: the budget limits the cost, and the price of the model is not known.
    """

    def __init__(
        self, settings: EmbedderSettings, *, budget: Budget | None = None, sleep: Sleep = asyncio.sleep
    ) -> None:
        self.settings = settings
        self.name = f"{settings.model}@{settings.dimensions}"
        self.dimensions = settings.dimensions
        self._budget = Budget() if budget is None else budget
        self._price = self._budget.require_price(settings.model, settings.prices)
        self._client = OpenAIClient(settings.service)
        self._gate = gate_to(settings.service)
        self._habits = habits_of(settings.service.base_url, settings.model)
        self._sleep = sleep
        self._spent = Usage()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="embed-openai", daemon=True)
        self._thread.start()

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector of length 1 for each text, in order. Batches are sent together, within the service's concurrency."""
        return self._run(self._embed([text if text.strip() else " " for text in texts]))

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question."""
        return self.embed_documents([self.settings.query_prefix + text])[0]

    def spent(self) -> Usage:
        """What has been used since it was made."""
        return self._spent

    def close(self) -> None:
        """Closes the connections and ends the thread. Embedding after that raises RuntimeError, a caller's bug."""
        if self._thread.is_alive():
            self._run(self._client.close())
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def __enter__(self) -> OpenAIEmbedder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        running = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return running.result()
        except BaseException:
            running.cancel()  # an interrupted caller leaves no requests behind
            raise

    async def _embed(self, texts: Sequence[str]) -> list[list[float]]:
        try:
            async with asyncio.TaskGroup() as group:
                batches = [group.create_task(self._batch(batch)) for batch in self._batches(texts)]
        except ExceptionGroup as failed:
            raise failed.exceptions[0]  # noqa: B904 – the group is a trait of the machinery, not of what went wrong
        return [vector for batch in batches for vector in batch.result()]

    def _batches(self, texts: Sequence[str]) -> Iterator[list[str]]:
        batch: list[str] = []
        tokens = 0
        for text in texts:
            more = tokens_about(text)
            if batch and (len(batch) >= self.settings.batch_texts or tokens + more > self.settings.batch_tokens):
                yield batch
                batch, tokens = [], 0
            batch.append(text)
            tokens += more
        if batch:
            yield batch

    async def _batch(self, texts: list[str]) -> list[list[float]]:
        """The vectors of a batch; if it is too long it is halved, and a single text is cut."""
        try:
            return await self._request(texts)
        except ServiceRefused as exc:
            if not is_about_length(exc) or (len(texts) == 1 and len(texts[0]) < 2 * _SHORTEST):
                raise
        if len(texts) == 1:
            return await self._batch([texts[0][: len(texts[0]) // 2]])
        middle = len(texts) // 2
        return await self._batch(texts[:middle]) + await self._batch(texts[middle:])

    async def _request(self, texts: list[str]) -> list[list[float]]:
        while True:
            sent: dict[str, Any] = {"model": self.settings.model, "input": texts}
            if "dimensions" not in self._habits.without:
                sent["dimensions"] = self.settings.dimensions
            attempts = 0

            async def attempt(parameters: dict[str, Any] = sent) -> list[list[float]]:
                nonlocal attempts
                attempts += 1
                return await self._attempt(parameters, again=attempts > 1)

            try:
                return await with_retries(attempt, self.settings.service, self._gate, sleep=self._sleep)
            except ServiceRefused as exc:
                rejected = rejected_parameters(exc, sent)
                if not rejected:
                    raise
                self._habits.without |= rejected

    async def _attempt(self, parameters: dict[str, Any], *, again: bool) -> list[list[float]]:
        about = tokens_about(parameters["input"])
        most = 0.0 if self._price is None else self._price.of(about, 0)
        await self._budget.reserve(most)
        self._spent = self._spent.plus(Usage(calls=1, retries=int(again)))
        actual = 0.0
        try:
            data, tokens = await self._client.embeddings(**parameters)
            read = about if tokens is None else tokens
            self._spent = self._spent.plus(Usage(prompt_tokens=read))
            actual = 0.0 if self._price is None else self._price.of(read, 0)
        finally:
            self._budget.settle(most, actual)
        return read_vectors(data, len(parameters["input"]), self.settings)


def read_vectors(data: Sequence[Any], count: int, settings: EmbedderSettings) -> list[list[float]]:
    """The vectors of a reply in the order of its texts, normalised to length 1.

    Raises:
        MayPass: some are missing or are no vectors; services under load do that.
        ReplyError: they have another length than was asked for.
    """
    found: dict[int, list[float]] = {}
    for place, entry in enumerate(data):
        entry = entry if isinstance(entry, dict) else {}
        index, vector = entry.get("index", place), entry.get("embedding")
        numbers = _numbers(vector)
        if not isinstance(index, int) or numbers is None:
            raise MayPass(f"{settings.model} answered with an entry that is no vector: {str(entry)[:80]}", down=False)
        if len(numbers) != settings.dimensions:
            raise ReplyError(
                f"{settings.model} answered with vectors of length {len(numbers)}, and dimensions is {settings.dimensions}; "
                f"set dimensions to {len(numbers)}, or use a model whose length can be chosen"
            )
        length = float(np.linalg.norm(numbers))
        if not length > 0:
            raise MayPass(f"{settings.model} answered with a vector of length 0, which has no direction.", down=False)
        found[index] = (numbers / length).tolist()
    if found.keys() != set(range(count)):
        raise MayPass(f"{settings.model} answered with {len(found)} vectors for {count} texts.", down=False)
    return [found[index] for index in range(count)]


def _numbers(vector: Any) -> NDArray[np.float64] | None:
    try:
        numbers = np.asarray(vector, dtype=np.float64)
    except (TypeError, ValueError):
        return None
    return numbers if numbers.ndim == 1 and np.isfinite(numbers).all() else None
