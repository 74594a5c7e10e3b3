"""Prices, and budgets that are asked before each call."""

from __future__ import annotations

import asyncio

import pytest

from graphmem.errors import BudgetExceeded, ConfigurationError
from graphmem.providers.pricing import Budget, Price, price_of, tokens_about


def test_a_price_is_looked_up_by_name_with_or_without_a_date_and_settings_come_first() -> None:
    assert price_of("gpt-4o-mini") == Price(0.15, 0.6)
    assert price_of("gpt-4o-mini-2024-07-18") == price_of("gpt-4o-mini")
    assert price_of("gpt-4o-mini", {"gpt-4o-mini": Price(1.0, 2.0)}) == Price(1.0, 2.0)
    assert price_of("somebody/else") is None
    assert price_of("gpt-4o-mini-of-somebody-else") is None


def test_tokens_cost_what_the_price_says() -> None:
    assert Price(2.0, 8.0).of(500_000, 250_000) == pytest.approx(3.0)


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("Where did Ana live before Lisbon?", 8), ("他昨天去了北京", 8)])
def test_estimates_of_tokens_are_from_above(text: str, tokens: int) -> None:
    assert tokens < tokens_about(text) <= 2.5 * tokens + 1


async def test_the_call_beyond_the_limit_is_not_made() -> None:
    budget = Budget(max_calls=2)
    await budget.reserve(0.0)
    await budget.reserve(0.0)
    with pytest.raises(BudgetExceeded, match="max_calls is 2"):
        await budget.reserve(0.0)
    assert budget.calls == 2


async def test_a_call_that_could_pass_the_limit_on_cost_is_not_made() -> None:
    budget = Budget(max_cost=1.0)
    await budget.reserve(0.6)
    budget.settle(0.6, 0.5)
    with pytest.raises(
        BudgetExceeded, match=r"max_cost is \$1\.0000; \$0\.5000 is spent and the next call may cost \$0\.6000"
    ):
        await budget.reserve(0.6)
    await budget.reserve(0.5)


async def test_a_call_that_fits_only_once_others_have_settled_waits_for_them() -> None:
    budget = Budget(max_cost=1.0)
    await budget.reserve(0.6)
    second = asyncio.create_task(budget.reserve(0.6))
    await asyncio.sleep(0)
    assert not second.done()
    budget.settle(0.6, 0.1)
    await asyncio.wait_for(second, timeout=5)
    budget.settle(0.6, 0.1)
    assert budget.cost == pytest.approx(0.2)


async def test_a_call_that_waits_is_told_when_it_does_not_fit_after_all() -> None:
    budget = Budget(max_cost=1.0)
    await budget.reserve(0.6)
    second = asyncio.create_task(budget.reserve(0.6))
    await asyncio.sleep(0)
    budget.settle(0.6, 0.6)
    with pytest.raises(BudgetExceeded):
        await asyncio.wait_for(second, timeout=5)


async def test_a_limit_of_nothing_lets_nothing_through() -> None:
    with pytest.raises(BudgetExceeded, match=r"^max_calls is 0, so no request may be sent to a model$"):
        await Budget(max_calls=0).reserve(0.0)
    with pytest.raises(BudgetExceeded):
        await Budget(max_cost=0.0).reserve(0.001)


def test_a_limit_on_cost_refuses_to_start_with_an_unknown_price() -> None:
    with pytest.raises(ConfigurationError, match="price of somebody/else is not known; give it under prices"):
        Budget(max_cost=1.0).require_price("somebody/else")
    assert Budget(max_calls=1).require_price("somebody/else") is None
    with pytest.raises(ConfigurationError, match="max_calls is -1"):
        Budget(max_calls=-1)
