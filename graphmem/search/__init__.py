"""Search: from a question to the turns and events that bear on it, with no model but the embedder."""

from __future__ import annotations

from graphmem.search.context import Context, build_context
from graphmem.search.events import EventHit, search_events
from graphmem.search.everything import EntityHit, Everything, PropertyHit, search_everything
from graphmem.search.grep import EventMatches, TurnMatch, TurnMatches, grep_events, grep_turns
from graphmem.search.profile import Profile, build_profile
from graphmem.search.reranking import Hits, rerank
from graphmem.search.settings import SearchSettings
from graphmem.search.turns import search_turns

__all__ = [
    "Context",
    "EntityHit",
    "EventHit",
    "EventMatches",
    "Everything",
    "Hits",
    "Profile",
    "PropertyHit",
    "SearchSettings",
    "TurnMatch",
    "TurnMatches",
    "build_context",
    "build_profile",
    "grep_events",
    "grep_turns",
    "rerank",
    "search_events",
    "search_everything",
    "search_turns",
]
