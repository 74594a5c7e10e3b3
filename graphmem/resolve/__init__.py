"""Which entity a mention stands for: pure decisions over what the graph offers. Nothing here asks a database or a model."""

from __future__ import annotations

from graphmem.resolve.decide import Candidate, Group, Known, Resolved, decide, group_mentions, names_to_look_up

__all__ = ["Candidate", "Group", "Known", "Resolved", "decide", "group_mentions", "names_to_look_up"]
