"""A call is tried again while the database cannot be reached, and only then; a mistake of the model is none of ours."""

from __future__ import annotations

import pytest

from graphmem.answer.agent import toolbox
from graphmem.answer.agent.observing import Found
from graphmem.errors import StoreError, StoreUnavailable


@pytest.fixture(autouse=True)
def without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolbox, "FIRST_WAIT", 0.0)


class Failing:
    """Fails some times, then finds something."""

    def __init__(self, times: int, error: type[StoreError]) -> None:
        self.left = times
        self.error = error
        self.tried = 0

    async def __call__(self) -> Found:
        self.tried += 1
        if self.left:
            self.left -= 1
            raise self.error("gone")
        return Found("here")


async def test_a_call_is_tried_again_while_the_database_cannot_be_reached() -> None:
    run = Failing(2, StoreUnavailable)
    assert (await toolbox.tried(run, 3)).head == "here"
    assert run.tried == 3


async def test_after_the_last_attempt_the_error_is_raised() -> None:
    run = Failing(9, StoreUnavailable)
    with pytest.raises(StoreUnavailable):
        await toolbox.tried(run, 3)
    assert run.tried == 3


async def test_any_other_failure_of_the_database_is_raised_at_once() -> None:
    run = Failing(1, StoreError)
    with pytest.raises(StoreError):
        await toolbox.tried(run, 3)
    assert run.tried == 1
