"""The candidates of one search, as arrays: everything that ranking needs, and nothing of a database."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphmem.search.fusion import Flags, Places, Scores
from graphmem.search.statements import asking_share, names_time


@dataclass(frozen=True, slots=True)
class Pool:
    """Candidates and their neighbours, one entry each in every array.

    meaning: the cosine to the question.
    told: the nearness of the events that rest on the turn, from 0 to 1.
    linked: whether the graph links it to what the question names.
    happened: whether an event that rests on it falls into the time asked about.
    said_at: seconds since 1970.
    timed: whether it names a time. asking: how much of it asks, from 0 to 1.
    allowed: False for what the filter leaves out: such a turn lends its neighbours its score, and is no result itself.
    before, after: the places of the adjacent turns of the session, -1 where they are not in the pool.
    """

    ids: tuple[str, ...]
    texts: tuple[str, ...]
    speakers: tuple[str, ...]
    roles: tuple[str | None, ...]
    meaning: Scores
    told: Scores
    linked: Flags
    happened: Flags
    said_at: Scores
    asking: Scores
    timed: Flags
    allowed: Flags
    sessions: Places
    before: Places
    after: Places

    def __len__(self) -> int:
        return len(self.ids)


def pool_of(rows: Sequence[Mapping[str, Any]], events: Mapping[str, float], linked: Collection[str]) -> Pool:
    """The pool of these turns (rows of ``search/turns_around``), in order of session and position.

    ``events`` are the scores of the events that rest on turns, by the turn's identifier; ``linked`` the identifiers of linked turns.
    """
    rows = sorted(rows, key=lambda row: (row["session_id"], row["position"], row["id"]))
    at = {(row["session_id"], row["position"]): place for place, row in enumerate(rows)}
    numbers = {session: number for number, session in enumerate(dict.fromkeys(row["session_id"] for row in rows))}

    def beside(step: int) -> Places:
        return np.array([at.get((row["session_id"], row["position"] + step), -1) for row in rows], dtype=np.int64)

    return Pool(
        ids=tuple(row["id"] for row in rows),
        texts=tuple(row["searchable"] for row in rows),
        speakers=tuple(row["speaker"] for row in rows),
        roles=tuple(row["role"] for row in rows),
        meaning=np.array([row["meaning"] for row in rows], dtype=np.float64),
        told=_stretched(np.array([events.get(row["id"], 0.0) for row in rows], dtype=np.float64)),
        linked=np.array([row["id"] in linked for row in rows], dtype=np.bool_),
        happened=np.array([bool(row["happened"]) for row in rows], dtype=np.bool_),
        said_at=np.array([row["said_at"].timestamp() for row in rows], dtype=np.float64),
        asking=np.array([asking_share(row["text"]) for row in rows], dtype=np.float64),
        timed=np.array([bool(row["timed"]) or names_time(row["text"]) for row in rows], dtype=np.bool_),
        allowed=np.array([bool(row["allowed"]) for row in rows], dtype=np.bool_),
        sessions=np.array([numbers[row["session_id"]] for row in rows], dtype=np.int64),
        before=beside(-1),
        after=beside(1),
    )


def _stretched(scores: Scores) -> Scores:
    """Scores above 0 stretched so that the best is 1 and the least 0; what has no score stays 0."""
    above = scores[scores > 0]
    if above.size == 0 or float(above.max()) == float(above.min()):
        return (scores > 0).astype(np.float64)
    found: Scores = np.maximum(0.0, (scores - above.min()) / (above.max() - above.min()))
    return found
