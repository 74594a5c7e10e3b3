"""Ingestion on the real Neo4j: what is repeated, grown, revised, interrupted or doubled ends in the graph it should."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from graphmem.errors import ReplyError
from graphmem.extract.with_rules import RuleExtractor
from graphmem.graph.connection import Graph
from graphmem.graph.queries import load
from graphmem.graph.verify import verify
from graphmem.graph.write import read_head
from graphmem.ingest import Ingestion, IngestReport
from graphmem.providers.local_embedder import LocalEmbedder
from graphmem.records import Extracted, Window
from graphmem.settings import Settings
from graphmem.transcripts import read
from tests.conftest import TestServer
from tests.graph.shape import everything, shape

STORIES = Path(__file__).resolve().parent.parent / "stories"
ANA = STORIES / "ana.jsonl"
SUPPORT = STORIES / "support.jsonl"

RUN = """
import sys
from graphmem.memory import Memory
from graphmem.settings import Settings
uri, user, password, namespace, *paths = sys.argv[1:]
with Memory.open(settings=Settings(neo4j_uri=uri, neo4j_user=user, neo4j_password=password)) as memory:
    for path in paths:
        print(memory.ingest(path, namespace=namespace).ok)
"""


def start(server: TestServer, namespace: str, *paths: Path, zone: str = "UTC") -> subprocess.Popen[str]:
    """Starts an ingestion in a process of its own, under a time zone of the machine."""
    command = [sys.executable, "-c", RUN, server.uri, server.user, server.password, namespace, *map(str, paths)]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GRAPHMEM_")} | {"TZ": zone}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process: subprocess.Popen[str]) -> None:
    """Waits for an ingestion and checks that it says all is well."""
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert set(out.split()) == {"True"}, out


@pytest.fixture
def ingest(graph: Graph, embedder: LocalEmbedder):
    """Ingests a path into a namespace in this process."""

    async def run(path: Path, namespace: str, extractor: object = None) -> IngestReport:
        found = read(path, namespace)
        ingestion = Ingestion(graph, embedder, extractor or RuleExtractor(), Settings())
        return await ingestion.run(found.sessions, found.problems)

    return run


@pytest.fixture(scope="module")
async def undisturbed(graph: Graph, embedder: LocalEmbedder) -> str:
    """The namespace that Ana's story was ingested into with nothing in the way."""
    namespace = f"test-undisturbed-{uuid.uuid4().hex[:12]}"
    found = read(ANA, namespace)
    report = await Ingestion(graph, embedder, RuleExtractor(), Settings()).run(found.sessions, found.problems)
    assert report.ok, report.failed
    return namespace


async def test_the_same_file_twice_adds_nothing(graph: Graph, ingest, namespace: str) -> None:
    first = await ingest(SUPPORT, namespace)
    assert first.ok
    assert first.added("Turn") == 89
    assert first.added("Event") > 20
    before = await everything(graph, namespace)
    second = await ingest(SUPPORT, namespace)
    assert second.ok
    assert second.total("turns_known") == 89
    assert sum(sum(each.added.values()) for each in second.namespaces) == 0
    assert await everything(graph, namespace) == before


async def test_a_renamed_file_adds_nothing(graph: Graph, ingest, namespace: str, tmp_path: Path) -> None:
    await ingest(SUPPORT, namespace)
    before = await everything(graph, namespace)
    renamed = tmp_path / "quite another name.txt"
    renamed.write_bytes(SUPPORT.read_bytes())
    await ingest(renamed, namespace)
    assert await everything(graph, namespace) == before


async def test_a_file_grown_by_a_turn_adds_that_turn_and_its_memories_and_leaves_the_rest_untouched(
    graph: Graph, ingest, namespace: str, tmp_path: Path
) -> None:
    lines = SUPPORT.read_text(encoding="utf-8").splitlines()
    grown = tmp_path / "grown.jsonl"
    grown.write_text("\n".join(lines[:-1]), encoding="utf-8")
    await ingest(grown, namespace)
    before = await everything(graph, namespace)
    grown.write_text("\n".join(lines), encoding="utf-8")
    report = await ingest(grown, namespace)
    after = await everything(graph, namespace)
    assert report.added("Turn") == 1
    assert report.total("windows_added") == 1
    assert {key: after[key] for key in before} == before, "what was there is there unchanged, property by property"
    last = json.loads(lines[-1])["id"]
    new_turns = [value[1]["source_id"] for key, value in after.items() if key not in before and value[0] == "Turn"]
    assert new_turns == [last]


async def test_everything_stored_stays_unchanged_through_further_ingestion(
    graph: Graph, ingest, namespace: str
) -> None:
    await ingest(SUPPORT, namespace)
    before = await everything(graph, namespace)
    await ingest(ANA, namespace)
    after = await everything(graph, namespace)
    assert len(after) > len(before) + 500
    assert {key: after.get(key) for key in before} == before
    assert (await verify(graph, namespace)).ok


async def test_a_turn_that_returns_with_other_words_is_a_revision_and_is_read_again(
    graph: Graph, ingest, namespace: str, tmp_path: Path
) -> None:
    turns = [
        {"session": "a", "id": "1", "speaker": "Ana", "said_at": "2024-05-01T10:00:00+02:00", "text": "I moved to Porto yesterday."},
        {"session": "a", "id": "2", "speaker": "Tom", "said_at": "2024-05-01T10:01:00+02:00", "text": "I bought a bike last week."},
    ]  # fmt: skip
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join(map(json.dumps, turns)), encoding="utf-8")
    await ingest(path, namespace)
    before = await everything(graph, namespace)
    turns[0]["text"] = "I moved to Braga yesterday."
    path.write_text("\n".join(map(json.dumps, turns)), encoding="utf-8")
    report = await ingest(path, namespace)
    assert report.total("turns_revised") == 1
    assert report.ok
    assert "turn 1" in report.revised[0].where
    after = await everything(graph, namespace)
    assert {key: after.get(key) for key in before} == before
    replaced = [key for key in after if key.startswith("REPLACES")]
    assert len(replaced) == 2, "the turn is replaced by its revision, and the extraction by a newer one"
    again = await ingest(path, namespace)
    assert sum(sum(each.added.values()) for each in again.namespaces) == 0
    assert (await verify(graph, namespace)).ok


async def test_the_order_in_which_files_are_given_changes_nothing(
    graph: Graph, ingest, namespace: str, tmp_path: Path
) -> None:
    lines = [json.loads(line) for line in ANA.read_text(encoding="utf-8").splitlines()]
    for number, names in enumerate((["a", "b"], ["b", "a"])):
        folder = tmp_path / str(number)
        folder.mkdir()
        half = lines[75]["session"]
        parts = {"a": [x for x in lines if x["session"] < half], "b": [x for x in lines if x["session"] >= half]}
        for name, content in zip(names, parts.values(), strict=True):
            (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, content)), encoding="utf-8")
        await ingest(folder, f"{namespace}-{number}")
    assert await shape(graph, f"{namespace}-0") == await shape(graph, f"{namespace}-1")


@pytest.mark.parametrize("commits", [1, 5, 11])
async def test_killed_at_any_moment_a_second_run_gives_the_undisturbed_graph(
    graph: Graph, ingest, neo4j_server: TestServer, undisturbed: str, namespace: str, commits: int
) -> None:
    process = start(neo4j_server, namespace, ANA)
    while (await read_head(graph, namespace)).sequence < commits:
        assert process.poll() is None, process.communicate()[1]
        await asyncio.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    stopped = await read_head(graph, namespace)
    report = await ingest(ANA, namespace)
    assert report.ok
    assert report.total("windows_added") == 15 - stopped.sequence, "nothing that was committed is read again"
    assert await shape(graph, namespace) == await shape(graph, undisturbed)
    assert (await verify(graph, namespace)).ok


async def test_two_ingestions_of_one_namespace_at_once_give_the_graph_of_one(
    graph: Graph, neo4j_server: TestServer, undisturbed: str, namespace: str
) -> None:
    processes = [start(neo4j_server, namespace, ANA) for _ in range(2)]
    for process in processes:
        await asyncio.to_thread(finish, process)
    assert await shape(graph, namespace) == await shape(graph, undisturbed)
    assert (await verify(graph, namespace)).ok


async def test_the_time_zone_of_the_machine_changes_nothing(
    graph: Graph, neo4j_server: TestServer, namespace: str
) -> None:
    names = []
    for zone in ("Asia/Shanghai", "America/Los_Angeles"):
        names.append(f"{namespace}-{zone}")
        await asyncio.to_thread(finish, start(neo4j_server, names[-1], SUPPORT, ANA, zone=zone))
    assert await shape(graph, names[0]) == await shape(graph, names[1])


class Unreliable:
    """Reads by rules, and fails on one window until told otherwise, as a model service does. Counts what it is asked to read."""

    name = "rules"
    version = "1"

    def __init__(self, bad_session: str) -> None:
        self.bad_session = bad_session
        self.read: list[str] = []
        self._rules = RuleExtractor()

    parallel = 1

    async def extract(self, window: Window) -> Extracted:
        """Fails on the bad session."""
        self.read.append(window.session.source_id)
        if window.session.source_id == self.bad_session:
            raise ReplyError("the service answers 400: no such model")
        return self._rules.read(window)


async def test_a_window_that_fails_is_reported_and_taken_up_by_the_next_run(
    graph: Graph, ingest, namespace: str
) -> None:
    unreliable = Unreliable("c3")
    report = await ingest(SUPPORT, namespace, unreliable)
    assert not report.ok
    assert report.total("windows_failed") == 1
    assert report.total("windows_added") == 6
    assert "session c3" in report.failed[0].where
    assert "no such model" in report.failed[0].what
    stored = await graph.read(load("read/turns_of_sessions"), session_ids=[_session(namespace, "c3")])
    assert len(stored) > 5, "its turns are stored all the same"
    mended = Unreliable("")
    report = await ingest(SUPPORT, namespace, mended)
    assert report.ok
    assert mended.read == ["c3"], "no window that was committed is read again"
    await ingest(SUPPORT, f"{namespace}-whole")
    late = frozenset({"Entity", "Alias", "Resolution"})  # the window was resolved after those that follow it in time
    assert await shape(graph, namespace, late) == await shape(graph, f"{namespace}-whole", late)


def _session(namespace: str, source_id: str) -> str:
    return next(s.id for s in read(SUPPORT, namespace).sessions if s.source_id == source_id)
