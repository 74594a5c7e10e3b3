"""Moving a database to another embedding model, on a real Neo4j of its own, since a database has one model: stopped at every step, and used
all the while."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from graphmem import AsyncMemory, Memory, Settings
from graphmem.errors import ConfigurationError, ProviderUnavailable, StoreMismatch
from graphmem.graph.batch import Batch
from graphmem.graph.connection import Graph
from graphmem.graph.queries import Query, load
from graphmem.graph.rows_named import add_alias, add_entity
from graphmem.graph.schema import open_store, read_meta
from graphmem.graph.verify import verify
from graphmem.graph.write import append, read_head
from graphmem.ingest import reembed
from graphmem.server import ServerInfo, ServerSettings, down, up
from tests.service import Service
from tests.service.replies import vector_of

TEXTS = ["Ana", "Bram", "Chiara", "the old mill", "Porto"]


class Words:
    """An embedder whose vectors depend on its name; counts what it embeds, and may fail after so many texts."""

    def __init__(self, name: str, dimensions: int, most: int | None = None) -> None:
        self.name = name
        self.dimensions = dimensions
        self.most = most
        self.embedded: list[str] = []

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector a text."""
        if self.most is not None and len(self.embedded) + len(texts) > self.most:
            raise ProviderUnavailable("the service is down")
        self.embedded += texts
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """The vector of one text."""
        return [value / 3 for value in vector_of(f"{self.name} {text}", self.dimensions)]


OLD = Words("old", 8)


class Stopped(BaseException):
    """The run is killed."""


class Halting:
    """A graph on which the run is killed before its n-th change."""

    def __init__(self, graph: Graph, steps: int) -> None:
        self._graph = graph
        self._left = steps

    def __getattr__(self, name: str) -> Any:
        return getattr(self._graph, name)

    async def write(self, work: Any) -> Any:
        """As of a graph."""
        self._step()
        return await self._graph.write(work)

    async def define(self, statement: str, **parameters: Any) -> None:
        """As of a graph."""
        self._step()
        await self._graph.define(statement, **parameters)

    def _step(self) -> None:
        if self._left == 0:
            raise Stopped
        self._left -= 1


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerInfo]:
    """A server whose only database is this module's."""
    home = tmp_path_factory.mktemp("reembed") / "neo4j"
    yield up(home, ServerSettings(heap_mb=512, page_cache_mb=32))
    down(home)


@pytest.fixture
async def store(own_server: ServerInfo) -> AsyncIterator[Graph]:
    """A connection, the store open with OLD."""
    graph = await Graph.connect(own_server.uri, own_server.user, own_server.password)
    meta = await read_meta(graph)
    if meta is not None and meta.coming is not None:
        await reembed(graph, Words(meta.coming.name, meta.coming.dimensions))
    await reembed(graph, OLD)
    await open_store(graph, OLD.name, OLD.dimensions)
    yield graph
    await graph.close()


@pytest.fixture
async def filled(store: Graph, namespace: str) -> str:
    """A namespace with names."""
    await write_names(store, namespace, TEXTS)
    return namespace


async def write_names(graph: Graph, namespace: str, names: Sequence[str], embedder: Words = OLD) -> None:
    """Entities of these names."""
    batch = Batch(namespace)
    for name in names:
        add_entity(batch, f"{namespace} {name}", name, "Person")
        add_alias(batch, f"{namespace} {name}", name, "Person", embedder.embed_query(name))
    await append(graph, batch, await read_head(graph, namespace))


async def nearest(graph: Graph, namespace: str, embedder: Words, text: str) -> str:
    """The name that the vector index finds nearest."""
    vector = embedder.embed_query(text)
    rows = await graph.read(load("search/names_near"), namespace=namespace, vector=vector, limit=3)
    assert rows[0]["score"] > 0.999
    return str(rows[0]["text"])


async def assert_moved(graph: Graph, namespace: str, to: Words) -> None:
    """All is as if it had been written with this embedder from the start."""
    await open_store(graph, to.name, to.dimensions)
    for text in TEXTS:
        assert await nearest(graph, namespace, to, text) == text
    meta = await read_meta(graph)
    assert meta is not None
    assert (meta.coming, meta.switching) == (None, False)
    assert await left_over(graph) == 0
    assert (await verify(graph, namespace)).ok


async def left_over(graph: Graph) -> int:
    """How many vectors of a coming model are stored."""

    async def work(transaction: Any) -> list[dict[str, Any]]:
        query = Query("left", "", frozenset(), "MATCH (n) WHERE n.embedding_next IS NOT NULL RETURN count(n) AS left")
        return list(await transaction.run(query))

    [row] = await graph.write(work)
    return int(row["left"])


@pytest.mark.parametrize("dimensions", [8, 12], ids=["the same length", "another length"])
async def test_all_vectors_are_made_anew_and_the_other_model_is_then_refused(
    store: Graph, filled: str, dimensions: int
) -> None:
    new = Words("new", dimensions)
    with pytest.raises(
        StoreMismatch, match=rf"old \(8 dimensions\).*new \({dimensions} dimensions\).*graphmem reembed"
    ):
        await open_store(store, new.name, new.dimensions)
    moved = await reembed(store, new)
    assert (moved.before, moved.model, moved.vectors) == ("old", "new", len(new.embedded))
    assert set(TEXTS) <= set(new.embedded)
    await assert_moved(store, filled, new)
    with pytest.raises(StoreMismatch, match="graphmem reembed"):
        await open_store(store, OLD.name, OLD.dimensions)
    assert (await reembed(store, new)).vectors == 0


async def test_a_run_that_is_killed_before_any_step_is_finished_by_the_next(store: Graph, filled: str) -> None:
    """Until the switch the old model works; from then on nobody gets in, whatever their model; and nothing is embedded twice."""
    [row] = await store.read(load("read/vectors_count"))
    total = row["vectors"]
    for steps in range(100):
        new = Words(f"new-{steps}", 12 if steps % 2 else 8)
        before = await read_meta(store)
        assert before is not None
        old = Words(before.model.name, before.model.dimensions)
        try:
            await reembed(Halting(store, steps), new, page=2)  # type: ignore[arg-type]
        except Stopped:
            meta = await read_meta(store)
            assert meta is not None
            if meta.switching:
                for model in (old, new):
                    with pytest.raises(StoreMismatch, match="graphmem reembed"):
                        await open_store(store, model.name, model.dimensions)
                with pytest.raises(StoreMismatch, match=f"half way.*{new.name}"):
                    await reembed(store, Words("third", 8))
            elif meta.model.name == old.name:
                await open_store(store, old.name, old.dimensions)
                assert await nearest(store, filled, old, "Porto") == "Porto"
                assert (await verify(store, filled)).ok
            again = Words(new.name, new.dimensions)
            await reembed(store, again)
            assert len(new.embedded) + len(again.embedded) <= total + 2, "at most a page is embedded twice"
            await assert_moved(store, filled, again)
        else:
            assert steps > 15
            await assert_moved(store, filled, new)
            return
    raise AssertionError("it never came to an end")


async def test_what_is_written_while_vectors_are_made_is_moved_as_well(store: Graph, filled: str) -> None:
    loop = asyncio.get_running_loop()

    class Meanwhile(Words):
        """Somebody appends just before the last vectors are made."""

        def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
            if texts and "Dorota" not in texts and not written:
                written.append("Dorota")
                asyncio.run_coroutine_threadsafe(write_names(store, filled, ["Dorota"]), loop).result()
            return super().embed_documents(texts)

    new, written = Meanwhile("new", 12), list[str]()
    await reembed(store, new)
    assert written
    await open_store(store, new.name, new.dimensions)
    assert await nearest(store, filled, new, "Dorota") == "Dorota"
    await assert_moved(store, filled, new)


async def test_whoever_has_it_open_with_the_old_model_can_append_no_more(
    store: Graph, filled: str, own_server: ServerInfo
) -> None:
    other = await Graph.connect(own_server.uri, own_server.user, own_server.password)
    await open_store(other, OLD.name, OLD.dimensions)
    await reembed(store, Words("new", 8))
    with pytest.raises(StoreMismatch, match="moved to another embedding model than old"):
        await write_names(other, filled, ["Emre"])
    await other.close()
    assert (await verify(store, filled)).nodes == 2 * len(TEXTS)


async def test_a_move_that_fails_can_be_given_up_or_made_to_a_third_model(store: Graph, filled: str) -> None:
    with pytest.raises(ProviderUnavailable):
        await reembed(store, Words("second", 12, most=3), page=2)
    assert await left_over(store) > 0
    third = Words("third", 8)
    await reembed(store, third)
    await assert_moved(store, filled, third)
    with pytest.raises(ProviderUnavailable):
        await reembed(store, Words("second", 12, most=3), page=2)
    assert (await reembed(store, third)).vectors == 0
    await assert_moved(store, filled, third)


async def test_from_the_local_model_to_a_service_and_its_search_finds(
    store: Graph, own_server: ServerInfo, service: Service, namespace: str, tmp_path: Path
) -> None:
    """The whole way, with the settings of a user: stored with the local model, moved, opened with the service's, refused without."""
    local = Settings(
        neo4j_uri=own_server.uri,
        neo4j_user=own_server.user,
        neo4j_password=own_server.password,
        namespace=namespace,
    )
    await AsyncMemory.open(settings=local).reembed()
    turn = {"session": "a", "speaker": "Ana", "said_at": "2024-05-01T10:00:00+02:00", "text": "I moved to Porto."}
    path = tmp_path / "talk.jsonl"
    path.write_text(json.dumps(turn), encoding="utf-8")
    async with AsyncMemory.open(settings=local) as memory:
        assert (await memory.ingest(path)).ok
        with pytest.raises(ConfigurationError, match="open"):
            await memory.reembed()
    hosted = local.with_changes(
        embedder="scripted-embed", embed_url=service.base_url, embed_key="none", embed_dimensions=16
    )
    with pytest.raises(StoreMismatch, match=r"bge-small.*scripted-embed@16.*graphmem reembed"):
        await AsyncMemory.open(settings=hosted)
    moved = await asyncio.to_thread(Memory.reembed, settings=hosted)
    assert (moved.before, moved.model) == ("bge-small-en-v1.5-q", "scripted-embed@16")
    async with AsyncMemory.open(settings=hosted) as memory:
        assert [hit.text for hit in await memory.search_turns("I moved to Porto")] == ["I moved to Porto."]
        path.write_text(json.dumps(turn | {"session": "b", "text": "I left Porto."}), encoding="utf-8")
        assert (await memory.ingest(path)).ok
        assert (await memory.verify()).ok
    with pytest.raises(StoreMismatch):
        await AsyncMemory.open(settings=local)
