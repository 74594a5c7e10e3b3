"""The gate to a service: slots over threads and loops, and the circuit."""

from __future__ import annotations

import asyncio
import threading

import pytest

from graphmem.errors import ProviderUnavailable
from graphmem.providers.failures import MayPass, ServiceRefused
from graphmem.providers.limits import Circuit, Gate, gate_to
from graphmem.providers.service import ServiceSettings


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def gate(slots: int = 2, circuit: Circuit | None = None) -> Gate:
    return Gate("http://127.0.0.1:1", slots, circuit or Circuit(3, 30.0))


async def end_with(through: Gate, error: BaseException | None = None) -> None:
    """One request that ends like this."""
    async with through.request():
        if error is not None:
            raise error


async def fail(through: Gate, error: BaseException, times: int = 1) -> None:
    for _ in range(times):
        with pytest.raises(type(error)):
            await end_with(through, error)


async def test_no_more_requests_than_slots_run_at_once_over_all_loops_and_threads() -> None:
    through = gate(3)
    lock = threading.Lock()
    running = most = done = 0

    async def request() -> None:
        nonlocal running, most, done
        async with through.request():
            with lock:
                running += 1
                most = max(most, running)
            await asyncio.sleep(0.002)
            with lock:
                running -= 1
                done += 1

    async def many() -> None:
        await asyncio.gather(*(request() for _ in range(25)))

    threads = [threading.Thread(target=asyncio.run, args=(many(),)) for _ in range(3)]
    for thread in threads:
        thread.start()
    await many()
    for thread in threads:
        await asyncio.to_thread(thread.join)
    assert (most, running, done) == (3, 0, 100)


async def test_a_task_cancelled_while_it_waits_or_runs_loses_no_slot() -> None:
    through = gate(1)
    let_go = asyncio.Event()

    async def hold() -> None:
        async with through.request():
            await let_go.wait()

    holder, waiter = asyncio.create_task(hold()), asyncio.create_task(hold())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    waiter.cancel()
    holder.cancel()
    await asyncio.gather(holder, waiter, return_exceptions=True)
    await asyncio.wait_for(end_with(through), timeout=5)


async def test_a_slot_handed_to_a_task_in_the_moment_of_its_cancelling_goes_on_to_the_next() -> None:
    through = gate(1)
    let_go = asyncio.Event()

    async def hold() -> None:
        async with through.request():
            await let_go.wait()

    holder = asyncio.create_task(hold())
    await asyncio.sleep(0)
    waiter = asyncio.create_task(hold())
    await asyncio.sleep(0)
    let_go.set()
    await holder  # hands the slot over; the waiter has not run since
    waiter.cancel()
    await asyncio.gather(waiter, return_exceptions=True)
    await asyncio.wait_for(end_with(through), timeout=5)


async def test_the_circuit_opens_after_failures_in_a_row_and_lets_one_request_look() -> None:
    clock = Clock()
    through = gate(2, Circuit(3, 30.0, clock))
    await fail(through, MayPass("500"), times=2)
    await end_with(through)
    await fail(through, MayPass("500"), times=3)
    with pytest.raises(ProviderUnavailable, match="taken for down; it is tried again in 30 s"):
        await end_with(through)
    clock.now = 31.0
    async with through.request():  # the one that looks
        with pytest.raises(ProviderUnavailable, match="taken for down"):
            await end_with(through)
    await end_with(through)


async def test_a_look_that_fails_keeps_the_circuit_open_for_as_long_again() -> None:
    clock = Clock()
    through = gate(2, Circuit(1, 30.0, clock))
    await fail(through, MayPass("500"))
    clock.now = 31.0
    await fail(through, MayPass("500"))
    clock.now = 60.0
    with pytest.raises(ProviderUnavailable, match="tried again in 1 s"):
        await end_with(through)


async def test_a_look_that_is_abandoned_leaves_the_next_request_to_look() -> None:
    clock = Clock()
    through = gate(2, Circuit(1, 30.0, clock))
    await fail(through, MayPass("500"))
    clock.now = 31.0
    await fail(through, asyncio.CancelledError())
    await end_with(through)


@pytest.mark.parametrize("error", [MayPass("429", wait=1.0, down=False), ServiceRefused("400", status=400)])
async def test_a_service_that_answers_is_not_down(error: Exception) -> None:
    through = gate(2, Circuit(2, 30.0))
    await fail(through, error, times=5)
    await end_with(through)


def test_all_who_use_an_address_share_its_gate() -> None:
    one = gate_to(ServiceSettings("http://127.0.0.1:2/v1", "none"))
    assert gate_to(ServiceSettings("http://127.0.0.1:2/v1/", "another key")) is one
    assert gate_to(ServiceSettings("http://127.0.0.1:3/v1", "none")) is not one
