"""Trying again: only what can pass, with growing waits that have a random part, and no sooner than the service asks.

Waits are first_wait · 2ⁿ and up to as much again, so that many tasks that failed together do not return together (M. Brooker, "Exponential
Backoff and Jitter", AWS Architecture Blog, 2015, there with no floor).
"""

from __future__ import annotations

import asyncio
import logging
import math
import random
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type

from graphmem.errors import ProviderUnavailable
from graphmem.providers.failures import MayPass
from graphmem.providers.limits import Gate
from graphmem.providers.service import ServiceSettings

_log = logging.getLogger(__name__)

T = TypeVar("T")
Sleep = Callable[[float], Awaitable[None]]

PASSING_STATUS = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
"""HTTP statuses after which the same request may succeed: timeouts, a lock, too early, too many, faults of the server or its gateway."""


def asked_wait(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds that a reply asks to wait by ``Retry-After`` (seconds or an HTTP date, RFC 9110 section 10.2.3) or ``retry-after-ms``.

    ``headers`` has lower-case names. None if it does not ask, or not readably; a date that has passed is 0.
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        text = headers.get(name, "").strip()
        if not text:
            continue
        try:
            wait = float(text) * unit
        except ValueError:
            try:
                moment = parsedate_to_datetime(text)
            except ValueError:
                continue
            moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
            wait = (moment - now).total_seconds()
        if math.isfinite(wait):
            return max(wait, 0.0)
    return None


async def with_retries(
    attempt: Callable[[], Awaitable[T]],
    settings: ServiceSettings,
    gate: Gate,
    *,
    sleep: Sleep = asyncio.sleep,
    spread: Callable[[], float] = random.random,
) -> T:
    """The result of ``attempt``, each time through the gate, repeated while it raises MayPass and patience lasts.

    No slot is held while waiting. ``spread`` gives the random part, in [0, 1). The first wait is logged as a warning, so that whoever waits
    can be told why.

    Raises:
        ProviderUnavailable: attempts or patience are used up, a wait longer than allowed is asked for, or the circuit is open.
        ProviderError: what ``attempt`` raises that cannot pass.
    """
    failed = 0
    waited = 0.0

    def wait(state: RetryCallState) -> float:  # tenacity asks for the wait before it asks whether to stop
        failure = _failure(state)
        if failure.wait:
            # A little later than asked: clocks differ, and whoever was told the same should not return in the same instant.
            return failure.wait + spread() * min(settings.first_wait, 1.0)
        growing: float = settings.first_wait * 2.0**failed
        return min(growing * (1.0 + spread()), settings.max_wait)

    def stop(state: RetryCallState) -> bool:
        nonlocal failed, waited
        failure = _failure(state)
        if not failure.wait:  # a wait of 0 s is none: asked for again and again, it would never end
            failed += 1
            return failed >= settings.attempts or waited >= settings.patience
        if failure.wait > settings.max_wait or waited + failure.wait > settings.patience:
            raise ProviderUnavailable(
                f"{settings.base_url} asks to wait {failure.wait:.0f} s (waited so far: {waited:.0f} s); allowed are "
                f"{settings.max_wait:.0f} s at once and {settings.patience:.0f} s in all. Run again later, or set max_wait and patience."
            ) from failure
        return False

    async def sleeping(seconds: float) -> None:
        nonlocal waited
        waited += seconds
        await sleep(seconds)

    def tell(state: RetryCallState) -> None:
        if state.attempt_number > 1:
            return
        if _failure(state).wait:
            _log.warning("%s asks to wait; it is tried again then", settings.base_url)
        else:
            _log.warning(
                "%s failed or does not answer; it is tried again, %d attempts in all",
                settings.base_url,
                settings.attempts,
            )

    async def through_gate() -> T:
        async with gate.request():
            return await attempt()

    retrying = AsyncRetrying(
        wait=wait, stop=stop, sleep=sleeping, before_sleep=tell, retry=retry_if_exception_type(MayPass), reraise=True
    )
    try:
        return await retrying(through_gate)
    except MayPass as exc:
        raise ProviderUnavailable(f"{str(exc).rstrip('.')}. Given up after {failed} failed attempts.") from exc


def _failure(state: RetryCallState) -> MayPass:
    failure = state.outcome.exception() if state.outcome is not None else None
    assert isinstance(failure, MayPass)
    return failure
