"""How far each session bears on a question, from 0 to 1: what decides which of them are read before it is answered."""

from __future__ import annotations

import math
from datetime import datetime

from graphmem.graph.connection import Graph
from graphmem.providers.protocols import Embedder
from graphmem.search.settings import SearchSettings
from graphmem.search.turns import DEFAULT, search_turns

ALL = 10_000
"""More turns than a search can have candidates, so that none is cut off."""

MIDDLE, STEEPNESS = 0.692, 9.04
"""Fitted to 191 questions on LoCoMo conversations 1 to 4 with their 99 sessions; see ``relevance_of_sessions``."""

_FUSED = ("meaning", "words", "fused")


async def relevance_of_sessions(
    graph: Graph,
    embedder: Embedder,
    question: str,
    *,
    namespace: str,
    until: datetime | None = None,
    asked_at: datetime | None = None,
    settings: SearchSettings = DEFAULT,
) -> dict[str, float]:
    """By session (the source's own identifier) how likely it is to hold what answers the question, for all that a search looks at.

    The score of a session is that of its best turn, words and meaning fused (``fusion.convex``), as a share of the best session's; what a
    search adds to order turns (session, speaker, time) is left out. It is calibrated by a logistic curve (Platt, "Probabilistic Outputs
    for Support Vector Machines", 1999), fitted so that sessions with and without evidence weigh the same, for how many there are without
    depends on the size of the memory. The best session has 0.94. At 0.2 (a share of 0.54) 42 % of the sessions were kept, and with them
    91 % of those with evidence. A session with no turn among the candidates is not in the result. Raises what ``search_turns`` raises.
    """
    hits = await search_turns(
        graph, embedder, question, namespace=namespace, limit=ALL, until=until, asked_at=asked_at, settings=settings
    )
    found: dict[str, float] = {}
    for hit in hits:
        score = sum(hit.parts.get(name, 0.0) for name in _FUSED)
        found[hit.session_id] = max(found.get(hit.session_id, 0.0), score)
    best = max(
        found.values(), default=0.0
    )  # 0 where all candidates are alike, as where there is one only: then each is the best
    return {session: calibrated(score / best if best else 1.0) for session, score in found.items()}


def calibrated(share: float) -> float:
    """A share of the best session's score as a probability."""
    return 1.0 / (1.0 + math.exp(-STEEPNESS * (share - MIDDLE)))
