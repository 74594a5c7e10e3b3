"""Every error of the SDKs is mapped to one of ours: these tests fail when a vendor adds one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import cohere.errors
import httpx
import httpx2
import openai
import pytest
from cohere.core.api_error import ApiError
from cohere.core.parse_error import ParsingError

from graphmem.errors import ProviderError
from graphmem.providers import cohere_reranker, openai_client
from graphmem.providers.failures import MayPass, ServiceRefused

FROM_UNUSED_PARTS = {
    "APIRemovedInV1",
    "MissingDependencyError",
    "MutuallyExclusiveAuthError",
    "StreamAlreadyConsumed",
    "_AmbiguousModuleClientUsageError",
}
"""Errors of openai's Azure client, streams, extras, module-level client and old interface; loaded with those parts, if at all."""

NOW = datetime(2026, 5, 4, 12, 0, 0, tzinfo=UTC)


def all_below(kind: type[Exception]) -> Iterator[type[Exception]]:
    """The class and all classes made from it."""
    yield kind
    for child in kind.__subclasses__():
        yield from all_below(child)


def test_every_error_of_openai_has_a_meaning() -> None:
    found = {kind for kind in all_below(openai.OpenAIError) if kind.__module__.partition(".")[0] == "openai"}
    assert {kind for kind in found if kind.__name__ not in FROM_UNUSED_PARTS} == set(openai_client.MEANINGS)


def test_every_error_of_cohere_has_a_meaning() -> None:
    for name in cohere.errors.__all__:
        getattr(cohere.errors, name)  # they are loaded at first use
    found = {kind for kind in all_below(ApiError) if kind.__module__.startswith("cohere.")}
    assert found | {ParsingError, httpx.TransportError} == set(cohere_reranker.MEANINGS)


@pytest.mark.parametrize(("status", "passes"), [(400, False), (401, False), (404, False), (408, True), (409, True), (422, False),
    (429, True), (500, True), (501, False), (503, True), (529, True), (599, True)])  # fmt: skip
def test_a_status_means_the_same_for_both(status: int, passes: bool) -> None:
    client = openai.AsyncOpenAI(api_key="none", base_url="http://127.0.0.1:1")
    response = httpx2.Response(
        status, json={"error": {"message": "so it is"}}, request=httpx2.Request("POST", "http://127.0.0.1:1")
    )
    from_openai = openai_client.failure_of(client._make_status_error_from_response(response), "there", NOW)
    from_cohere = cohere_reranker.failure_of(ApiError(status_code=status, body={"message": "so it is"}), "there", NOW)
    for error in (from_openai, from_cohere):
        assert type(error) is (MayPass if passes else ServiceRefused)
        assert isinstance(error, ProviderError)
        assert str(status) in str(error)
        assert "so it is" in str(error)
