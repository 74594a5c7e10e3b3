"""Moving a database from one embedding model to another. Vectors are derived data: they may be made anew and are no part of the ledger.

The new vectors are stored beside those in use (``embedding_next``), page by page, while the database goes on working with the old ones.
Only when all are there are they put in their place. ``Meta`` says how far it is:

    next_model               the new vectors are being made; the database is opened with the old model as before
    next_model, switching    they are being put in use; the database is refused to everybody, and appends of whoever had it open fail
    neither                  done, but for what may be left of ``embedding_next``, which the next run takes away

Each step can be repeated, so a run that was stopped at any moment is finished by the next: what is embedded already is not embedded, or
paid for, again. A run for a third model drops what was made for the second; once switching has begun, only the second can be finished.
Whoever searched when it was switched has to open the memory anew.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from graphmem.errors import StoreMismatch
from graphmem.graph.connection import Graph
from graphmem.graph.queries import load
from graphmem.graph.schema import (
    StoreModel,
    check_version,
    drop_vector_indexes,
    make_vector_indexes,
    open_store,
    read_meta,
    write_model,
)
from graphmem.ingest.report import Progress
from graphmem.providers.protocols import Embedder

PAGE = 512
"""Vectors that are made and stored together, a ``page``: what a run that is stopped loses at most."""


@dataclass(frozen=True, slots=True)
class Reembedded:
    """From which model to which a database was moved, and how many vectors this run made."""

    before: str
    model: str
    dimensions: int
    vectors: int


async def reembed(
    graph: Graph, embedder: Embedder, progress: Progress | None = None, *, page: int = PAGE
) -> Reembedded:
    """Moves a database to this embedder; safe to stop and to repeat. With the model that is in use, a move begun is given up.

    Raises StoreMismatch for a database of another schema version, or one whose vectors of yet another model are being put in use;
    ProviderError if the embedder fails: what was embedded until then stays.
    """
    meta = await read_meta(graph)
    target = StoreModel(embedder.name, embedder.dimensions)
    if meta is None:
        await open_store(graph, target.name, target.dimensions)
        return Reembedded(target.name, target.name, target.dimensions, 0)
    check_version(graph, meta)
    if meta.switching and meta.coming is not None and meta.coming != target:
        raise StoreMismatch(
            f"{graph.uri} (database {graph.database!r}) is half way from {meta.model} to {meta.coming}: run `graphmem reembed` with "
            f"{meta.coming} to finish, then move it to {target}"
        )
    if meta.coming != target:
        await _run(graph, "derived/vectors_forget")
        if meta.model == target:
            await write_model(graph, target)
            return Reembedded(target.name, target.name, target.dimensions, 0)
        await write_model(graph, meta.model, target)
    vectors = 0
    if not meta.switching:
        vectors += await _renew(graph, embedder, progress, page)
        await write_model(graph, meta.model, target, switching=True)
    while True:
        # Writers that began before it was announced may have appended since; those that begin now are refused.
        vectors += await _renew(graph, embedder, None, page)
        await drop_vector_indexes(graph)
        await _run(graph, "derived/vectors_switch")
        if not await _left(graph):
            break
    await make_vector_indexes(graph, target.dimensions)
    await write_model(graph, target)
    await _run(graph, "derived/vectors_forget")
    return Reembedded(meta.model.name, target.name, target.dimensions, vectors)


async def _renew(graph: Graph, embedder: Embedder, progress: Progress | None, size: int) -> int:
    """Makes the vectors that are missing, until none is; returns how many."""
    made = 0
    while left := await _left(graph):
        after = ""
        while page := await graph.read(load("read/vectors_to_renew"), after=after, limit=size):
            vectors = await asyncio.to_thread(embedder.embed_documents, [row["text"] or "" for row in page])
            rows = [
                {"element": row["element"], "id": row["id"], "embedding": vector}
                for row, vector in zip(page, vectors, strict=True)
            ]
            await graph.write(lambda transaction, rows=rows: transaction.run(load("derived/vectors_renew"), rows=rows))  # type: ignore[misc]
            made += len(page)
            after = page[-1]["id"]
            if progress is not None:
                progress("vectors", made, max(left, made))
    return made


async def _left(graph: Graph) -> int:
    [row] = await graph.read(load("read/vectors_count"))
    return int(row["vectors"])


async def _run(graph: Graph, name: str) -> None:
    await graph.define(load(name).text)
