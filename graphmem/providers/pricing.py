"""What calls cost: a table of prices, estimates before, and a budget that is asked before each call."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import tomllib
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from graphmem.errors import BudgetExceeded, ConfigurationError

BYTES_PER_TOKEN = 2.5
"""For estimates that should rather be too high: English has about 4.5 bytes of UTF-8 to a token, Chinese about 3, digits and code fewer."""

_DATE = re.compile(r"-\d{4}-?\d{2}-?\d{2}$")


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens."""

    prompt: float
    completion: float

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        """What these tokens cost, in US dollars. Tokens that the service reads from its cache count in full."""
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / 1_000_000


def price_of(model: str, overrides: Mapping[str, Price] | None = None) -> Price | None:
    """The price of a model: from ``overrides``, else from the table; None if neither knows it, for it is not guessed."""
    for name in (model, _DATE.sub("", model)):
        price = (overrides or {}).get(name) or _table().get(name)
        if price is not None:
            return price
    return None


def tokens_about(content: Any) -> int:
    """An upper estimate of the tokens of a text, or of anything that goes out as JSON."""
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    return int(len(text.encode("utf-8", "replace")) / BYTES_PER_TOKEN) + 1


@cache
def _table() -> dict[str, Price]:
    text = (files("graphmem.providers") / "prices.toml").read_text(encoding="utf-8")
    return {name: Price(**prices) for name, prices in tomllib.loads(text)["models"].items()}


class Budget:
    """Limits on calls and cost, asked before each call. One may be shared by several clients, threads and loops.

    A call reserves the most that it can cost. If it fits only once calls under way have settled for less, it waits for them; so the limit
    is never passed, and what is left of it at the end is less than the most one call can cost. Attempts that fail count as calls, and as
    free.

    Args:
        max_calls: Requests that may be sent, repeated ones included; None for no limit.
        max_cost: US dollars; None for no limit.

    Raises:
        ConfigurationError: a limit is negative.
    """

    def __init__(self, max_calls: int | None = None, max_cost: float | None = None) -> None:
        for name, limit in (("max_calls", max_calls), ("max_cost", max_cost)):
            if limit is not None and not limit >= 0:
                raise ConfigurationError(f"{name} is {limit}; it must be at least 0")
        self.max_calls = max_calls
        self.max_cost = max_cost
        self._lock = threading.Lock()
        self._calls = 0
        self._cost = 0.0
        self._reserved = 0.0
        self._under_way = 0
        self._waiting: list[Future[None]] = []

    @property
    def calls(self) -> int:
        """Requests sent so far."""
        return self._calls

    @property
    def cost(self) -> float:
        """US dollars spent so far, of the calls whose price is known."""
        return self._cost

    def require_price(self, model: str, overrides: Mapping[str, Price] | None = None) -> Price | None:
        """The price of a model; raises ConfigurationError if there is a limit on cost and the price is not known."""
        price = price_of(model, overrides)
        if price is None and self.max_cost is not None:
            raise ConfigurationError(
                f"max_cost is {self.max_cost}, but the price of {model} is not known; give it under prices, or limit max_calls instead"
            )
        return price

    async def reserve(self, most: float) -> None:
        """Counts a call that costs at most ``most`` US dollars. To be followed by ``settle``.

        Raises:
            BudgetExceeded: it would pass a limit.
        """
        while True:
            with self._lock:
                if self.max_calls is not None and self._calls >= self.max_calls:
                    means = (
                        "and as many requests were sent" if self.max_calls else "so no request may be sent to a model"
                    )
                    raise BudgetExceeded(f"max_calls is {self.max_calls}, {means}")
                if self.max_cost is None or self._cost + self._reserved + most <= self.max_cost:
                    self._calls += 1
                    self._reserved += most
                    self._under_way += 1
                    return
                if self._cost + most > self.max_cost or self._under_way == 0:
                    raise BudgetExceeded(
                        f"max_cost is ${self.max_cost:.4f}; ${self._cost:.4f} is spent and the next call may cost ${most:.4f}"
                    )
                settled: Future[None] = Future()
                self._waiting.append(settled)
            await asyncio.wrap_future(settled)

    def settle(self, most: float, actual: float) -> None:
        """Ends a reservation of ``most`` with what the call did cost."""
        with self._lock:
            self._under_way -= 1
            self._reserved = self._reserved - most if self._under_way else 0.0
            self._cost += actual
            waiting, self._waiting = self._waiting, []
        for one in waiting:
            if one.set_running_or_notify_cancel():
                one.set_result(None)
