"""The candidates of one search, as arrays: everything that ranking needs, and nothing from a database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphmem.search.fusion import Places, Scores


@dataclass(frozen=True, slots=True)
class Pool:
    """Candidates and their neighbours, one entry each in every array.

    ``dense`` is the cosine to the question, ``text`` the full-text score (0 where the query did not find it), ``before`` and ``after``
    the places of the adjacent turns of the session, -1 where they are not in the pool. ``allowed`` is False for a neighbour that the
    filter leaves out: it may lend its score, and is not a result.
    """

    ids: tuple[str, ...]
    speakers: tuple[str, ...]
    roles: tuple[str | None, ...]
    texts: tuple[str, ...]
    vectors: NDArray[np.float32]
    dense: Scores
    text: Scores
    sessions: Places
    before: Places
    after: Places

    def __len__(self) -> int:
        return len(self.ids)


def pool_of(rows: Sequence[Mapping[str, Any]], query: Sequence[float], text: Mapping[str, float]) -> Pool:
    """The pool of these turns (rows of ``search/turns_around``), in order of identifier, for a query vector and full-text scores by id."""
    rows = sorted(rows, key=lambda row: str(row["id"]))
    vectors = np.array([row["embedding"] for row in rows], dtype=np.float32).reshape(len(rows), len(query))
    at = {(row["session_id"], row["position"]): place for place, row in enumerate(rows)}
    numbers = {session: number for number, session in enumerate(sorted({row["session_id"] for row in rows}))}

    def beside(step: int) -> Places:
        return np.array([at.get((row["session_id"], row["position"] + step), -1) for row in rows], dtype=np.int64)

    return Pool(
        ids=tuple(row["id"] for row in rows),
        speakers=tuple(row["speaker"] for row in rows),
        roles=tuple(row["role"] for row in rows),
        texts=tuple(row["searchable"] for row in rows),
        vectors=vectors,
        dense=(vectors @ np.array(query, dtype=np.float32)).astype(np.float64),
        text=np.array([text.get(row["id"], 0.0) for row in rows], dtype=np.float64),
        sessions=np.array([numbers[row["session_id"]] for row in rows], dtype=np.int64),
        before=beside(-1),
        after=beside(1),
    )
