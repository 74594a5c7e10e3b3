"""What holds for a service over the whole process: how many requests are in flight, and whether it is taken for down.

Memories, embedders and facades may each run an event loop of their own in a thread of their own; an asyncio.Semaphore belongs to one loop,
so the slots here are handed out under a lock and waited for as futures, in order of arrival.

The circuit breaker (M. Nygard, "Release It!", 2007, section 5.2) lets a single request through once its time is up, however many wait, and
takes a rate limit for what it is: a sign that the service is up.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager

from graphmem.errors import ProviderUnavailable, ReplyError
from graphmem.providers.failures import MayPass, ServiceRefused
from graphmem.providers.service import ServiceSettings

Clock = Callable[[], float]
"""Seconds of a clock that never goes back."""


class Circuit:
    """Opens after ``failures`` in a row, and after ``open_for`` seconds lets one request through to see whether the service is back."""

    def __init__(self, failures: int, open_for: float, clock: Clock = time.monotonic) -> None:
        self._failures = failures
        self._open_for = open_for
        self._clock = clock
        self._lock = threading.Lock()
        self._in_a_row = 0
        self._opened_at: float | None = None
        self._probing = False

    def enter(self) -> float | None:
        """None if a request may go; else for how many seconds it may not. Each entry is followed by ``passed``, ``failed`` or ``left``."""
        with self._lock:
            if self._opened_at is None:
                return None
            left = self._opened_at + self._open_for - self._clock()
            if left > 0 or self._probing:
                return max(left, 0.0)
            self._probing = True
            return None

    def passed(self) -> None:
        """The service answered, whatever it said."""
        with self._lock:
            self._in_a_row, self._opened_at, self._probing = 0, None, False

    def failed(self) -> None:
        """The service failed."""
        with self._lock:
            self._in_a_row += 1
            if self._probing or self._in_a_row >= self._failures:
                self._opened_at = self._clock()
            self._probing = False

    def left(self) -> None:
        """The request was abandoned; nothing is known of the service."""
        with self._lock:
            self._probing = False


class Gate:
    """The one way to a service: a slot, and the circuit."""

    def __init__(self, base_url: str, slots: int, circuit: Circuit) -> None:
        self.base_url = base_url
        self._slots = slots
        self._circuit = circuit
        self._lock = threading.Lock()
        self._taken = 0
        self._waiting: deque[Future[None]] = deque()

    def narrow(self, slots: int) -> None:
        """Sets the number of slots to this if it is smaller."""
        with self._lock:
            self._slots = min(self._slots, slots)

    @asynccontextmanager
    async def request(self) -> AsyncIterator[None]:
        """Holds a slot while the body runs, and learns from how it ends whether the service is up.

        Raises:
            ProviderUnavailable: the circuit is open.
        """
        await self._take()
        try:
            shut_for = self._circuit.enter()
            if shut_for is not None:
                raise ProviderUnavailable(
                    f"{self.base_url} failed several times in a row and is taken for down; it is tried again in {shut_for:.0f} s"
                )
            try:
                yield
            except MayPass as exc:
                if exc.down:
                    self._circuit.failed()
                else:
                    self._circuit.passed()
                raise
            except (ServiceRefused, ReplyError):
                self._circuit.passed()
                raise
            except BaseException:
                self._circuit.left()
                raise
            self._circuit.passed()
        finally:
            self._give_back()

    async def _take(self) -> None:
        turn: Future[None] = Future()
        with self._lock:
            if self._taken < self._slots and not self._waiting:
                self._taken += 1
                return
            self._waiting.append(turn)
        try:
            await asyncio.wrap_future(turn)
        except BaseException:
            # Cancelled while waiting; if the slot was handed over at that very moment, it goes on to the next.
            with self._lock:
                handed_over = turn not in self._waiting
                if not handed_over:
                    self._waiting.remove(turn)
            if handed_over:
                self._give_back()
            raise

    def _give_back(self) -> None:
        with self._lock:
            self._taken -= 1
            chosen: list[Future[None]] = []
            while self._waiting and self._taken < self._slots:
                turn = self._waiting.popleft()
                # Taken also for one that is being cancelled: its task sees that the slot was handed over, and gives it back.
                self._taken += 1
                chosen.append(turn)
        for turn in chosen:
            if turn.set_running_or_notify_cancel():
                turn.set_result(None)


_gates: dict[str, Gate] = {}
_gates_lock = threading.Lock()


def gate_to(settings: ServiceSettings) -> Gate:
    """The gate of this process to a service, known by its address."""
    address = settings.base_url.rstrip("/")
    with _gates_lock:
        gate = _gates.get(address)
        if gate is None:
            circuit = Circuit(settings.failures_to_open, settings.open_for)
            gate = _gates[address] = Gate(address, settings.concurrency, circuit)
    gate.narrow(settings.concurrency)
    return gate
