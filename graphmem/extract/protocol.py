"""What every extractor is: something that reads a window of turns and returns drafts, each with its quotation."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from graphmem.records import Extracted, Window


@runtime_checkable
class Extractor(Protocol):
    """Reads the new turns of a window.

    ``name`` and ``version`` enter the identity of everything that it returns, so a change of behaviour is a change of ``version``.
    ``extract`` decides from the window alone: no clock, no randomness, no state kept between two calls. ``parallel`` says how many
    windows may be extracted at once: one where the work is this process's own, more where it is a service's.
    """

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    @property
    def parallel(self) -> int: ...

    async def extract(self, window: Window) -> Extracted:
        """Events, facts and mentions of ``window.turns`` in order of text. The context turns are only read, never quoted.

        Raises ProviderError when the window cannot be read; it is then set aside and tried again by the next run.
        """
        ...
