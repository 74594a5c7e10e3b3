"""Retries: what passes is tried again, no sooner than asked, and no longer than allowed. Waits are recorded, not slept."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from graphmem.errors import ProviderUnavailable, ReplyError
from graphmem.providers.failures import MayPass, ServiceRefused
from graphmem.providers.limits import Circuit, Gate
from graphmem.providers.retry import asked_wait, with_retries
from graphmem.providers.service import ServiceSettings

NOW = datetime(2026, 5, 4, 12, 0, 0, tzinfo=UTC)


def settings(**changes: float) -> ServiceSettings:
    return ServiceSettings(base_url="http://127.0.0.1:1", api_key="none", **changes)  # type: ignore[arg-type]


def failing(*failures: Exception) -> Callable[[], object]:
    """An attempt that fails in these ways, then returns how often it was made."""
    left = list(failures)

    async def attempt() -> int:
        if left:
            raise left.pop(0)
        return len(failures) + 1

    return attempt


async def attempts(*failures: Exception, spread: float = 0.0, **changes: float) -> tuple[int, list[float]]:
    """How many attempts it took, and the waits between them."""
    waits: list[float] = []
    given = settings(**changes)
    gate = Gate(given.base_url, given.concurrency, Circuit(given.failures_to_open, given.open_for))

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    made = await with_retries(failing(*failures), given, gate, sleep=sleep, spread=lambda: spread)  # type: ignore[type-var,arg-type]
    return made, waits  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "Mon, 04 May 2026 12:01:30 GMT"}, 90.0),
        ({"retry-after": "Mon, 04 May 2026 14:01:30 +0200"}, 90.0),
        ({"retry-after": "Mon, 04 May 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "-5"}, 0.0),
        ({"retry-after": ""}, None),
        ({}, None),
    ],
)
def test_retry_after_is_read_as_seconds_or_as_a_date(headers: dict[str, str], wait: float | None) -> None:
    assert asked_wait(headers, NOW) == wait


async def test_waits_double_up_to_the_longest() -> None:
    made, waits = await attempts(*[MayPass("500")] * 5, first_wait=1.0, max_wait=6.0)
    assert (made, waits) == (6, [1.0, 2.0, 4.0, 6.0, 6.0])


async def test_waits_have_a_random_part_of_up_to_as_much_again() -> None:
    _, waits = await attempts(MayPass("500"), MayPass("500"), first_wait=1.0, spread=0.75)
    assert waits == [1.75, 3.5]


async def test_no_attempt_is_made_sooner_than_asked() -> None:
    _, waits = await attempts(
        MayPass("429", wait=7.0, down=False), MayPass("429", wait=3.0, down=False), spread=0.5, first_wait=1.0
    )
    assert waits == [7.5, 3.5]


async def test_waits_that_the_service_asks_for_use_up_no_attempts() -> None:
    made, _ = await attempts(*[MayPass("429", wait=1.0, down=False)] * 20, attempts=2)
    assert made == 21


async def test_asking_to_wait_0_seconds_for_ever_ends_all_the_same() -> None:
    with pytest.raises(ProviderUnavailable, match="after 3 failed attempts"):
        await attempts(*[MayPass("429", wait=0.0, down=False)] * 50, attempts=3)


@pytest.mark.parametrize("changes", [{"max_wait": 60.0}, {"patience": 60.0}])
async def test_a_wait_longer_than_allowed_is_given_up_at_once(changes: dict[str, float]) -> None:
    with pytest.raises(ProviderUnavailable, match="asks to wait 61 s"):
        await attempts(MayPass("429", wait=61.0, down=False), **changes)


async def test_attempts_are_limited_and_the_last_failure_is_told() -> None:
    with pytest.raises(ProviderUnavailable, match=r"answered 503.*after 3 failed attempts") as raised:
        await attempts(*[MayPass("it answered 503.")] * 3, attempts=3)
    assert not isinstance(raised.value, MayPass)


@pytest.mark.parametrize("error", [ServiceRefused("no", status=401), ReplyError("unreadable"), ValueError("a bug")])
async def test_what_cannot_pass_is_not_tried_again(error: Exception) -> None:
    with pytest.raises(type(error), match=str(error)):
        await attempts(error)


async def test_the_first_wait_is_logged_with_the_address_and_how_many_attempts_there_are(
    caplog: pytest.LogCaptureFixture,
) -> None:
    await attempts(*[MayPass("it answered 503.")] * 3, attempts=5)
    [told] = [record.getMessage() for record in caplog.records]
    assert told == "http://127.0.0.1:1 failed or does not answer; it is tried again, 5 attempts in all"


async def test_a_first_wait_that_the_service_asks_for_is_logged_as_such(caplog: pytest.LogCaptureFixture) -> None:
    await attempts(MayPass("429", wait=2.0, down=False), MayPass("503"))
    assert [record.getMessage() for record in caplog.records] == [
        "http://127.0.0.1:1 asks to wait; it is tried again then"
    ]


@pytest.mark.parametrize("said", ["it answered 503.", "it answered 503"])
async def test_a_failure_and_what_came_of_it_are_two_sentences(said: str) -> None:
    with pytest.raises(ProviderUnavailable, match=r"^it answered 503\. Given up after 2 failed attempts\.$"):
        await attempts(*[MayPass(said)] * 2, attempts=2)


async def test_an_open_circuit_ends_the_retries() -> None:
    with pytest.raises(ProviderUnavailable, match="taken for down"):
        await attempts(*[MayPass("500")] * 4, attempts=6, failures_to_open=2)
