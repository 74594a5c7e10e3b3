"""Search: from a question to the turns and events that bear on it, with no model but the embedder."""

from __future__ import annotations

from graphmem.search.events import EventHit, search_events
from graphmem.search.grep import EventMatches, TurnMatch, TurnMatches, grep_events, grep_turns
from graphmem.search.settings import SearchSettings
from graphmem.search.turns import search_turns

__all__ = [
    "EventHit",
    "EventMatches",
    "SearchSettings",
    "TurnMatch",
    "TurnMatches",
    "grep_events",
    "grep_turns",
    "search_events",
    "search_turns",
]
