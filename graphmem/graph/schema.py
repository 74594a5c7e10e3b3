"""What a database must hold before anything is stored in it: constraints, indexes, and Meta, which says what it was written with.

``open_store`` is called at every opening. On a new database it applies the schema files and writes Meta; on one that is there it compares
Meta and refuses a store written with another schema version or another embedding model, since vectors of two models do not compare.
"""

from __future__ import annotations

from datetime import UTC, datetime

from graphmem.errors import StoreMismatch
from graphmem.graph.connection import Graph
from graphmem.graph.queries import load, load_all

SCHEMA_VERSION = 1
ANALYZER = "english"


async def open_store(graph: Graph, embedding_model: str, dimensions: int) -> None:
    """Applies the schema where it is missing and checks Meta. Raises StoreMismatch naming both sides and the way out."""
    rows = await graph.read(load("read/meta"))
    if not rows:
        await _apply(graph, dimensions)
        rows = await graph.write(
            lambda transaction: transaction.run(
                load("write/meta"),
                schema_version=SCHEMA_VERSION,
                embedding_model=embedding_model,
                dimensions=dimensions,
                analyzer=ANALYZER,
                now=datetime.now(UTC),
            )
        )
    meta = rows[0]
    if meta["schema_version"] != SCHEMA_VERSION:
        raise StoreMismatch(
            f"{graph.uri} (database {graph.database!r}) was written with schema version {meta['schema_version']}, and this graphmem "
            f"has version {SCHEMA_VERSION}: use the graphmem that wrote it, or ingest the transcripts into a new database"
        )
    if (meta["embedding_model"], meta["dimensions"]) != (embedding_model, dimensions):
        raise StoreMismatch(
            f"{graph.uri} (database {graph.database!r}) holds vectors of {meta['embedding_model']} ({meta['dimensions']} dimensions), "
            f"and this memory embeds with {embedding_model} ({dimensions} dimensions): open it with the model that it was written "
            "with, or ingest the transcripts into a new database"
        )


async def _apply(graph: Graph, dimensions: int) -> None:
    config = {
        "vector.dimensions": dimensions,
        "vector.similarity_function": "cosine",
        # A server without the SEARCH clause knows one quantisation and a switch for it.
        **({"vector.quantization.type": "NONE"} if graph.has_search_clause else {"vector.quantization.enabled": False}),
    }
    for name, query in sorted(load_all().items()):
        if not name.startswith("schema/"):
            continue
        for statement in query.statements:
            await graph.define(statement, **({"index_config": config} if "index_config" in query.parameters else {}))
    await graph.read(load("read/indexes_online"), seconds=300)
