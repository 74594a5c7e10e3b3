"""Cohere's reranker (v2 API). The only importer of cohere, and of httpx, whose errors Cohere's SDK lets through.

Scores lie in [0, 1]; each depends on the query and its text alone, so that long lists can be scored in parts.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

import cohere
import cohere.errors
import httpx
from cohere.core.api_error import ApiError
from cohere.core.parse_error import ParsingError
from cohere.core.request_options import RequestOptions

from graphmem.errors import ConfigurationError, ProviderError
from graphmem.providers.chat import Usage
from graphmem.providers.failures import MayPass, ServiceRefused
from graphmem.providers.limits import gate_to
from graphmem.providers.openai_client import storable
from graphmem.providers.pricing import Budget
from graphmem.providers.retry import PASSING_STATUS, Sleep, asked_wait, with_retries
from graphmem.providers.service import COHERE_URL, ServiceSettings

Meaning = Literal["may pass", "refused", "by status"]

MEANINGS: Mapping[type[Exception], Meaning] = {
    ApiError: "by status",
    ParsingError: "may pass",
    cohere.errors.BadRequestError: "by status",
    cohere.errors.ClientClosedRequestError: "may pass",
    cohere.errors.ForbiddenError: "by status",
    cohere.errors.GatewayTimeoutError: "may pass",
    cohere.errors.InternalServerError: "may pass",
    cohere.errors.InvalidTokenError: "by status",
    cohere.errors.NotFoundError: "by status",
    cohere.errors.NotImplementedError: "by status",
    cohere.errors.ServiceUnavailableError: "may pass",
    cohere.errors.TooManyRequestsError: "may pass",
    cohere.errors.UnauthorizedError: "by status",
    cohere.errors.UnprocessableEntityError: "by status",
    httpx.TransportError: "may pass",
}
"""What each error of the SDK means. A test fails when the vendor adds one."""

_MOST_TEXTS = 1000
"""Texts in one request that Cohere recommends not to exceed."""


@dataclass(frozen=True, slots=True)
class RerankerSettings:
    """Which reranking model is asked, and how.

    ``price`` is in US dollars for one request of at most 100 texts; None if it is not known, and then a limit on cost refuses to start.
    """

    service: ServiceSettings = field(default_factory=lambda: ServiceSettings(base_url=COHERE_URL))
    model: str = "rerank-v3.5"
    batch_texts: int = _MOST_TEXTS
    price: float | None = 0.002

    def __post_init__(self) -> None:
        if not 1 <= self.batch_texts <= _MOST_TEXTS:
            raise ConfigurationError(f"batch_texts is {self.batch_texts}; it must lie in [1, {_MOST_TEXTS}]")


class CohereReranker:
    """A :class:`~graphmem.providers.protocols.Reranker`. Belongs to the event loop that first uses it; safe to call from many of its tasks.

    Args:
        settings: Service and model.
        budget: Limits shared with other clients; None for none.
        sleep: How to wait between attempts.
    """

    def __init__(
        self, settings: RerankerSettings, *, budget: Budget | None = None, sleep: Sleep = asyncio.sleep
    ) -> None:
        self.settings = settings
        self.name = settings.model
        self._budget = Budget() if budget is None else budget
        if settings.price is None and self._budget.max_cost is not None:
            raise ConfigurationError(
                f"max_cost is {self._budget.max_cost}, but the price of {settings.model} is not known; give it as price"
            )
        self._http = httpx.AsyncClient(timeout=settings.service.timeout)
        self._client = cohere.AsyncClientV2(
            api_key=settings.service.api_key,
            base_url=settings.service.base_url,
            client_name="graphmem",
            httpx_client=self._http,
            log_warning_experimental_features=False,
        )
        self._gate = gate_to(settings.service)
        self._sleep = sleep
        self._spent = Usage()

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """How relevant each text is to the query, in [0, 1], by position. A blank text is not sent and scores 0.

        Raises:
            ProviderUnavailable: the service stays unreachable, or its answers stay incomplete.
            ServiceRefused: it declines the request.
            BudgetExceeded: the limit is reached.
        """
        scores = [0.0] * len(texts)
        places = [place for place, text in enumerate(texts) if text.strip()]
        if not query.strip() or not places:
            return scores
        size = self.settings.batch_texts
        for first in range(0, len(places), size):
            chosen = places[first : first + size]
            for place, score in zip(chosen, await self._batch(query, [texts[place] for place in chosen]), strict=True):
                scores[place] = score
        return scores

    def spent(self) -> Usage:
        """What has been used since it was made; a reranker counts calls, not tokens."""
        return self._spent

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def _batch(self, query: str, texts: Sequence[str]) -> list[float]:
        attempts = 0

        async def attempt() -> list[float]:
            nonlocal attempts
            attempts += 1
            return await self._attempt(query, texts, again=attempts > 1)

        return await with_retries(attempt, self.settings.service, self._gate, sleep=self._sleep)

    async def _attempt(self, query: str, texts: Sequence[str], *, again: bool) -> list[float]:
        price = (self.settings.price or 0.0) * math.ceil(len(texts) / 100)
        await self._budget.reserve(price)
        self._spent = self._spent.plus(Usage(calls=1, retries=int(again)))
        actual = 0.0
        where = self.settings.service.base_url
        try:
            async with asyncio.timeout(self.settings.service.timeout):
                answer = await self._client.rerank(
                    model=self.settings.model,
                    query=storable(query),
                    documents=storable(texts),
                    request_options=RequestOptions(max_retries=0),
                )
            actual = price
        except TimeoutError as exc:
            raise MayPass(f"{where} did not answer within {self.settings.service.timeout:g} s (timeout).") from exc
        except (ApiError, ParsingError, httpx.HTTPError) as exc:
            raise failure_of(exc, where, datetime.now(UTC)) from exc
        finally:
            self._budget.settle(price, actual)
        return read_scores(getattr(answer, "results", None), len(texts), self.settings.model)


def read_scores(results: Any, count: int, model: str) -> list[float]:
    """The scores of a reply by position. Raises MayPass if some are missing or are no numbers."""
    found: dict[int, float] = {}
    for result in results if isinstance(results, list) else []:
        index, score = getattr(result, "index", None), getattr(result, "relevance_score", None)
        if isinstance(index, int) and isinstance(score, int | float) and math.isfinite(score):
            found[index] = min(max(float(score), 0.0), 1.0)
    if found.keys() != set(range(count)):
        raise MayPass(f"{model} answered with scores for {len(found)} of {count} texts.", down=False)
    return [found[index] for index in range(count)]


def failure_of(exc: Exception, where: str, now: datetime) -> ProviderError:
    """An error of the SDK, or of httpx below it, as one of ours."""
    meaning = next((MEANINGS[kind] for kind in type(exc).__mro__ if kind in MEANINGS), "refused")
    status = getattr(exc, "status_code", None)
    said = _said(exc)
    # Status 200 comes with an error of the SDK when the body is no JSON: a gateway's page, or nothing.
    by_status = status == 200 or status in PASSING_STATUS or (status or 0) > 504
    passes = meaning == "may pass" or (meaning == "by status" and by_status)
    if passes:
        headers = {name.lower(): value for name, value in (getattr(exc, "headers", None) or {}).items()}
        down = not isinstance(exc, cohere.errors.TooManyRequestsError)
        return MayPass(f"{where} failed or cannot be reached: {said}", wait=asked_wait(headers, now), down=down)
    advice = {401: " Check the key.", 404: " Check base_url and the model's name."}.get(status or 0, "")
    return ServiceRefused(f"{where} refused with {status}: {said}{advice}", status=status, about=said)


def _said(exc: Exception) -> str:
    body = getattr(exc, "body", None)
    message = body.get("message") if isinstance(body, dict) else body
    status = getattr(exc, "status_code", None)
    return f"{status}: {message}"[:300] if status else f"{type(exc).__name__}: {exc}"[:300]
