"""``AsyncMemory``: all that a memory can do, by await. Wiring only; each method hands over to the part that does the work."""

from __future__ import annotations

from graphmem.memory.asking import Asking
from graphmem.memory.events import Events
from graphmem.memory.facts import Facts
from graphmem.memory.maintaining import Maintaining
from graphmem.memory.searching import Searching
from graphmem.memory.writing import Writing


class AsyncMemory(Writing, Asking, Searching, Facts, Events, Maintaining):
    """A memory on a Neo4j database.

        async with AsyncMemory.open() as memory:        # or: memory = await AsyncMemory.open()
            await memory.ingest("transcripts/")
            answer = await memory.ask("Where does Ana live?")

    Raises StoreUnavailable, StoreMismatch or ServerError on opening.
    """
