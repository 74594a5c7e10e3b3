"""How near each statement comes to the question in meaning: what is said in other words has none of the question's.

A sentence is embedded with the name of who said it. The store has vectors of turns only, and a turn of several sentences is near to a
question by any of them; so the sentences at hand are embedded when somebody asks, and the last few thousand vectors are kept.
"""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from graphmem.answer.statements import Statement
from graphmem.providers.protocols import Embedder

SHORT = 6
"""Words of a sentence that says little by itself."""
KEPT = 8192
"""Vectors that are kept, 1.5 kB each for 384 dimensions."""

Vector = npt.NDArray[np.float32]
_kept: OrderedDict[tuple[str, str], Vector] = OrderedDict()


async def with_meaning(question: str, statements: Sequence[Statement], embedder: Embedder) -> tuple[Statement, ...]:
    """The statements with their ``meaning``: cosine of sentence and question, less that of the nearest, so that the nearest has 0;
    and with the ``cosine`` itself.

    Raises:
        ProviderError: the embedder failed.
    """
    if not statements:
        return ()
    texts = [_shown(each) for each in statements]
    asked, vectors = await asyncio.to_thread(_embedded, embedder, question, texts)
    cosines = vectors @ asked / (np.linalg.norm(vectors, axis=1) * np.linalg.norm(asked) + 1e-9)
    best = float(cosines.max())
    return tuple(
        replace(each, meaning=float(cosine) - best, cosine=float(cosine))
        for each, cosine in zip(statements, cosines, strict=True)
    )


def _shown(statement: Statement) -> str:
    """A sentence with who says it, and after what it goes on about: "It came on Monday" alone is near to nothing."""
    before = (
        statement.hit.text[: statement.start].rstrip()
        if statement.leaning or len(statement.text.split()) <= SHORT
        else ""
    )
    lead = re.split(r"(?<=[.!?])\s+", before)[-1]
    return f"{statement.hit.speaker}: {lead} {statement.text}" if lead else f"{statement.hit.speaker}: {statement.text}"


def _embedded(embedder: Embedder, question: str, texts: Sequence[str]) -> tuple[Vector, Vector]:
    found = {text: _kept[embedder.name, text] for text in texts if (embedder.name, text) in _kept}
    missing = [text for text in dict.fromkeys(texts) if text not in found]
    for text, vector in zip(missing, embedder.embed_documents(missing) if missing else (), strict=True):
        found[text] = _kept[embedder.name, text] = np.asarray(vector, np.float32)
    while len(_kept) > KEPT:
        _kept.popitem(last=False)
    return np.asarray(embedder.embed_query(question), np.float32), np.stack([found[text] for text in texts])
