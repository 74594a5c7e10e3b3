"""What a database must hold before anything is stored in it: constraints, indexes, and Meta, which says what it was written with.

``open_store`` is called at every opening. On a new database it applies the schema files and writes Meta; on one that is there it compares
Meta and refuses a store written with another schema version or another embedding model, since vectors of two models do not compare, or
one that is between two models (``graphmem/ingest/reembed.py``); then it makes what indexes have been declared since.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from graphmem.errors import StoreMismatch
from graphmem.graph.connection import Graph, Row
from graphmem.graph.queries import load, load_all

SCHEMA_VERSION = 1
ANALYZER = "english"
_VECTORS = "schema/004_vector_indexes"


@dataclass(frozen=True, slots=True)
class StoreModel:
    """An embedding model by its name, and the length of its vectors."""

    name: str
    dimensions: int

    def __str__(self) -> str:
        return f"{self.name} ({self.dimensions} dimensions)"


@dataclass(frozen=True, slots=True)
class Meta:
    """What a database was written with; ``coming`` is the model that it is being moved to, ``switching`` once that is put in use."""

    schema_version: int
    model: StoreModel
    coming: StoreModel | None
    switching: bool


async def open_store(graph: Graph, embedding_model: str, dimensions: int) -> None:
    """Applies the schema where it is missing and checks Meta. Raises StoreMismatch naming both sides and the way out."""
    wanted = StoreModel(embedding_model, dimensions)
    meta = await read_meta(graph)
    if meta is None:
        await _apply(graph, dimensions)
        [row] = await graph.write(
            lambda transaction: transaction.run(
                load("write/meta"),
                schema_version=SCHEMA_VERSION,
                embedding_model=embedding_model,
                dimensions=dimensions,
                analyzer=ANALYZER,
                now=datetime.now(UTC),
            )
        )
        meta = _meta(row)
    check_version(graph, meta)
    if meta.switching:
        raise StoreMismatch(
            f"{graph.uri} (database {graph.database!r}) is half way from {meta.model} to {meta.coming}: run `graphmem reembed` with "
            f"{meta.coming} to finish"
        )
    if meta.model != wanted:
        raise StoreMismatch(
            f"{graph.uri} (database {graph.database!r}) holds vectors of {meta.model}, and this memory embeds with {wanted}: open it "
            "with the model that it was written with, or run `graphmem reembed`, which makes its vectors anew with this one"
        )
    await _complete(graph, dimensions)
    graph.embedding_model = embedding_model


async def read_meta(graph: Graph) -> Meta | None:
    """What a database was written with; None for a new one."""
    rows = await graph.read(load("read/meta"))
    return _meta(rows[0]) if rows else None


def check_version(graph: Graph, meta: Meta) -> None:
    """Raises StoreMismatch for a database of another schema version."""
    if meta.schema_version != SCHEMA_VERSION:
        raise StoreMismatch(
            f"{graph.uri} (database {graph.database!r}) was written with schema version {meta.schema_version}, and this graphmem "
            f"has version {SCHEMA_VERSION}: use the graphmem that wrote it, or ingest the transcripts into a new database"
        )


async def write_model(
    graph: Graph, model: StoreModel, coming: StoreModel | None = None, *, switching: bool = False
) -> None:
    """Writes down in Meta which model the vectors are of, which is to come, and whether it is being put in use."""
    await graph.write(
        lambda transaction: transaction.run(
            load("derived/meta"),
            embedding_model=model.name,
            dimensions=model.dimensions,
            next_model=None if coming is None else coming.name,
            next_dimensions=None if coming is None else coming.dimensions,
            switching=switching or None,
        )
    )


async def make_vector_indexes(graph: Graph, dimensions: int) -> None:
    """Makes the vector indexes that are missing, for vectors of this length, and waits until they are filled."""
    config = {
        "vector.dimensions": dimensions,
        "vector.similarity_function": "cosine",
        # A server without the SEARCH clause knows one quantisation and a switch for it.
        **({"vector.quantization.type": "NONE"} if graph.has_search_clause else {"vector.quantization.enabled": False}),
    }
    for statement in load(_VECTORS).statements:
        await graph.define(statement, index_config=config)
    await graph.read(load("read/indexes_online"), seconds=300)


async def drop_vector_indexes(graph: Graph) -> None:
    """Takes the vector indexes away, to be made anew."""
    for name in re.findall(r"CREATE VECTOR INDEX (\w+)", load(_VECTORS).text):
        await graph.define(load("derived/vector_index_drop").text, name=name)


async def _complete(graph: Graph, dimensions: int) -> None:
    """Makes the indexes that a database lacks that was written before they were declared. Reads are right without them, only slow."""
    [row] = await graph.read(load("read/index_names"))
    declared = {
        name
        for query in load_all().values()
        if query.name.startswith("schema/")
        for name in re.findall(r"CREATE (?:\w+ )*?(?:INDEX|CONSTRAINT) (\w+)", query.text)
    }
    if not declared <= set(row["names"]):
        await _apply(graph, dimensions)


async def _apply(graph: Graph, dimensions: int) -> None:
    for name, query in sorted(load_all().items()):
        if name.startswith("schema/") and name != _VECTORS:
            for statement in query.statements:
                await graph.define(statement)
    await make_vector_indexes(graph, dimensions)


def _meta(row: Row) -> Meta:
    coming = None if row.get("next_model") is None else StoreModel(row["next_model"], row["next_dimensions"])
    model = StoreModel(row["embedding_model"], row["dimensions"])
    return Meta(row["schema_version"], model, coming, bool(row.get("switching")))
