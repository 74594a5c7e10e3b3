"""One attempt at a call of an OpenAI-compatible service, and what its errors mean. The only importer of openai.

The SDK makes the request; its own retries are off, and the answer is read here, for compatible services leave out what the SDK's types
promise, answer an error with status 200, or a page of HTML.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

import openai
from openai import _exceptions as vendor  # its __all__ leaves out half of its errors

from graphmem.errors import ProviderError
from graphmem.providers.chat import ToolCall
from graphmem.providers.failures import MayPass, ServiceRefused
from graphmem.providers.retry import PASSING_STATUS, asked_wait
from graphmem.providers.service import ServiceSettings

Meaning = Literal["may pass", "refused", "by status"]

MEANINGS: Mapping[type[Exception], Meaning] = {
    vendor.APIConnectionError: "may pass",
    vendor.APITimeoutError: "may pass",
    vendor.APIStatusError: "by status",
    vendor.RateLimitError: "by status",
    vendor.ConflictError: "by status",
    vendor.InternalServerError: "by status",
    vendor.BadRequestError: "by status",
    vendor.AuthenticationError: "by status",
    vendor.PermissionDeniedError: "by status",
    vendor.NotFoundError: "by status",
    vendor.UnprocessableEntityError: "by status",
    vendor.OAuthError: "by status",
    vendor.OpenAIError: "refused",
    vendor.APIError: "refused",
    vendor.APIResponseValidationError: "refused",
    vendor.SubjectTokenProviderError: "refused",
    # Raised only by parts of the SDK that are not used here.
    vendor.LengthFinishReasonError: "refused",
    vendor.ContentFilterFinishReasonError: "refused",
    vendor.WebSocketConnectionClosedError: "refused",
    vendor.WebSocketQueueFullError: "refused",
}
"""What each error of the SDK means. A test fails when the vendor adds one."""

_NEVER_PASSES = ("insufficient_quota", "billing_hard_limit_reached")
"""Codes of status 429 after which waiting is of no use."""


@dataclass(frozen=True, slots=True)
class ChatReply:
    """A chat service's answer. Token counts are None where it states none."""

    model: str
    text: str
    finish: str | None
    refusal: str | None
    tool_calls: tuple[ToolCall, ...]
    prompt_tokens: int | None
    completion_tokens: int | None


class OpenAIClient:
    """A connection to a service. Belongs to the event loop that first uses it."""

    def __init__(self, settings: ServiceSettings) -> None:
        self.settings = settings
        self._client = openai.AsyncOpenAI(
            api_key=settings.api_key,
            base_url=settings.base_url,
            timeout=openai.Timeout(settings.timeout, connect=min(settings.timeout, 15.0)),
            max_retries=0,
        )
        # The SDK reads these from the environment when they are not given; what is not in the settings is not sent.
        self._client.organization = settings.organisation
        self._client.project = None

    async def chat(self, **parameters: Any) -> ChatReply:
        """Sends one chat request.

        Raises:
            MayPass: the attempt failed; another may not.
            ServiceRefused: the service declines it.
        """
        body = await self._send(self._client.chat.completions, storable(parameters))
        if body is None:
            return ChatReply(str(parameters["model"]), "", None, None, (), None, None)
        choice = _first(body.get("choices"))
        message = _mapping(choice.get("message"))
        usage = _mapping(body.get("usage"))
        return ChatReply(
            model=str(body.get("model") or parameters["model"]),
            text=_text(message.get("content")),
            finish=choice.get("finish_reason"),
            refusal=message.get("refusal"),
            tool_calls=tuple(_tool_calls(message.get("tool_calls"))),
            prompt_tokens=_count(usage.get("prompt_tokens")),
            completion_tokens=_count(usage.get("completion_tokens")),
        )

    async def embeddings(self, **parameters: Any) -> tuple[list[Any], int | None]:
        """Sends one request for embeddings: the entries of ``data`` as they came, and the tokens read. Raises as ``chat`` does."""
        body = await self._send(self._client.embeddings, storable(parameters) | {"encoding_format": "float"})
        data = (body or {}).get("data")
        return (data if isinstance(data, list) else []), _count(
            _mapping((body or {}).get("usage")).get("prompt_tokens")
        )

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.close()

    async def _send(self, resource: Any, parameters: Mapping[str, Any]) -> dict[str, Any] | None:
        """The object that the service answers; None for an empty body."""
        where = self.settings.base_url
        try:
            # The SDK's timeout is for each read; a service that drips its answer would never meet it.
            async with asyncio.timeout(self.settings.timeout):
                answer = await resource.with_raw_response.create(**parameters)
                content: bytes = answer.http_response.content
        except TimeoutError as exc:
            raise MayPass(f"{where} did not answer within {self.settings.timeout:g} s (timeout).") from exc
        except vendor.OpenAIError as exc:
            raise failure_of(exc, where, datetime.now(UTC)) from exc
        if not content.strip():
            return None
        try:
            body = json.loads(content)
        except ValueError as exc:
            raise ServiceRefused(
                f"{where} answered with no JSON but {content[:80]!r}; is base_url the address of the API, with its version?",
                status=200,
            ) from exc
        if not isinstance(body, dict):
            raise ServiceRefused(f"{where} answered with {str(body)[:80]!r} instead of an object.", status=200)
        if isinstance(body.get("error"), dict) and not body.get("choices") and not body.get("data"):
            error = body["error"]
            raise _by_status(_count(error.get("code")) or 502, error, {}, where, datetime.now(UTC))
        return body


def failure_of(exc: Exception, where: str, now: datetime) -> ProviderError:
    """An error of the SDK as one of ours."""
    meaning = next((MEANINGS[kind] for kind in type(exc).__mro__ if kind in MEANINGS), "refused")
    if meaning == "may pass":
        reason = f" ({exc.__cause__})" if str(exc.__cause__ or "") else ""
        return MayPass(f"{where} cannot be reached or broke off: {exc}{reason}")
    if meaning == "by status" and isinstance(exc, vendor.APIStatusError):
        body = exc.body if isinstance(exc.body, dict) else {"message": str(exc.body or exc)}
        return _by_status(exc.status_code, _mapping(body.get("error")) or body, exc.response.headers, where, now)
    return ServiceRefused(f"{where} cannot be used: {exc}", about=str(exc))


def _by_status(
    status: int, error: Mapping[str, Any], headers: Mapping[str, str], where: str, now: datetime
) -> ProviderError:
    said = str(error.get("message") or error)[:300]
    about = json.dumps(error, ensure_ascii=False, default=str)
    if (status in PASSING_STATUS or status > 504) and not any(code in about for code in _NEVER_PASSES):
        return MayPass(
            f"{where} answered {status}: {said}", wait=asked_wait(headers, now), down=status not in (408, 409, 425, 429)
        )
    advice = {401: " Check the key.", 403: " Check what the key may do.", 404: " Check base_url and the model's name."}
    return ServiceRefused(f"{where} refused with {status}: {said}{advice.get(status, '')}", status=status, about=about)


def storable(value: Any) -> Any:
    """The value with each half of a surrogate pair replaced: it stands for no character and cannot be sent."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, Mapping):
        return {name: storable(item) for name, item in value.items()}
    if isinstance(value, Sequence):
        return [storable(item) for item in value]
    return value


def _first(value: Any) -> Mapping[str, Any]:
    return _mapping(value[0]) if isinstance(value, list) and value else {}


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _text(content: Any) -> str:
    """The text of a message; some services send it in parts."""
    if isinstance(content, list):
        return "".join(str(_mapping(part).get("text") or "") for part in content)
    return content if isinstance(content, str) else ""


def _tool_calls(value: Any) -> list[ToolCall]:
    calls = []
    for number, call in enumerate(value if isinstance(value, list) else []):
        function = _mapping(_mapping(call).get("function"))
        arguments = function.get("arguments")
        text = arguments if isinstance(arguments, str) else json.dumps(arguments or {}, ensure_ascii=False)
        calls.append(ToolCall(str(_mapping(call).get("id") or f"call_{number}"), str(function.get("name") or ""), text))
    return calls
