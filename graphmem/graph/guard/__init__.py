"""The guard: read-only Cypher of a person or a model, run inside one namespace or refused with the reason."""

from __future__ import annotations

from graphmem.graph.guard.run import DEFAULT_LIMITS, GuardedResult, GuardLimits, confine, run_guarded

__all__ = ["DEFAULT_LIMITS", "GuardLimits", "GuardedResult", "confine", "run_guarded"]
