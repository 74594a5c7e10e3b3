"""The managed Neo4j on the real thing: started, shared, killed, stopped. One home serves the module, since each start takes seconds."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

from graphmem.artifacts import ensure
from graphmem.errors import ServerError
from graphmem.graph.connection import Graph
from graphmem.graph.schema import SCHEMA_VERSION, Meta, StoreModel, open_store, read_meta
from graphmem.server import ServerInfo, ServerSettings, browse_url, down, status, up
from graphmem.server.config import java_options
from graphmem.server.home import Home
from graphmem.server.java import choose_java
from graphmem.server.launch import administer

SMALL = ServerSettings(heap_mb=512, page_cache_mb=32)
UP = """
import json, sys
from pathlib import Path
from graphmem.server import ServerSettings, up
info = up(Path(sys.argv[1]), ServerSettings(heap_mb=512, page_cache_mb=32))
print(json.dumps({"pid": info.pid, "uri": info.uri}))
"""
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="file modes and signals of POSIX")


@pytest.fixture(scope="module", autouse=True)
def quick_starts() -> Iterator[None]:
    """Servers that live for seconds never earn back Java's optimising compiler."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1")
        yield


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("server") / "home with a space"
    yield folder
    down(folder)


@pytest.fixture(scope="module")
def started_twice(home: Path) -> list[dict[str, Any]]:
    """What two processes got that called ``up`` on a fresh home at the same moment. Both have ended by now."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", UP, str(home)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    answers = []
    for process in processes:
        out, err = process.communicate(timeout=240)
        assert process.returncode == 0, err
        answers.append(json.loads(out))
    return answers


@pytest.fixture
def server(home: Path, started_twice: list[dict[str, Any]]) -> ServerInfo:
    return up(home, SMALL)


def query(info: ServerInfo, statement: str, *, password: str | None = None, **parameters: Any) -> list[list[Any]]:
    """The rows of a query, over HTTP; raises AssertionError with the server's message if it refuses."""
    login = base64.b64encode(f"{info.user}:{info.password if password is None else password}".encode()).decode()
    request = urllib.request.Request(
        f"{info.http_url}/db/neo4j/query/v2",
        data=json.dumps({"statement": statement, "parameters": parameters}).encode(),
        headers={"Authorization": f"Basic {login}", "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            reply = json.load(response)
            # An error in the course of a query comes after the status line, so that stays 202.
            assert not reply.get("errors"), reply["errors"]
            rows: list[list[Any]] = reply["data"]["values"]
            return rows
    except urllib.error.HTTPError as exc:
        with exc:
            raise AssertionError(f"{exc.code}: {exc.read().decode()}") from None


def test_two_that_start_it_at_once_share_one_server(started_twice: list[dict[str, Any]]) -> None:
    assert started_twice[0] == started_twice[1]


def test_it_outlives_the_process_that_started_it_and_the_next_attaches(
    started_twice: list[dict[str, Any]], server: ServerInfo, home: Path
) -> None:
    assert server.pid == started_twice[0]["pid"]
    assert status(home).state == "running"
    assert status(home).info == server


def test_it_listens_on_the_loopback_address_only(server: ServerInfo) -> None:
    listening = {
        (connection.laddr.ip, connection.laddr.port)
        for connection in psutil.Process(server.pid).net_connections()
        if connection.status == psutil.CONN_LISTEN
    }
    ports = {int(address.rsplit(":", 1)[1]) for address in (server.uri, server.http_url)}
    assert {port for _, port in listening} == ports
    assert {ip.removeprefix("::ffff:") for ip, _ in listening} == {"127.0.0.1"}


@posix_only
def test_only_its_owner_may_read_the_password_and_the_data(server: ServerInfo, home: Path) -> None:
    assert (home / "password").stat().st_mode & 0o777 == 0o600
    assert home.stat().st_mode & 0o777 == 0o700
    assert (home / "password").read_text().strip() == server.password


def test_the_password_is_generated_and_needed(server: ServerInfo) -> None:
    assert len(server.password) >= 24
    with pytest.raises(AssertionError, match="401"):
        query(server, "RETURN 1", password="neo4j")
    assert server.password not in repr(server)
    assert not any(server.password in argument for argument in psutil.Process(server.pid).cmdline())


def test_browser_is_served_and_other_web_pages_are_kept_out(server: ServerInfo) -> None:
    request = urllib.request.Request(browse_url(server, "MATCH (n) RETURN n"), headers={"Origin": "http://example.com"})
    with urllib.request.urlopen(request, timeout=30) as response:
        page = response.read().decode()
        assert response.headers["Access-Control-Allow-Origin"] == server.http_url
    assert "<title>Neo4j Browser</title>" in page
    assert server.password not in browse_url(server)


def test_vector_and_full_text_indexes_work(server: ServerInfo) -> None:
    query(
        server,
        "CREATE VECTOR INDEX probe_vector FOR (p:Probe) ON p.embedding WITH [p.namespace] "
        "OPTIONS {indexConfig: {`vector.dimensions`: 3, `vector.similarity_function`: 'cosine'}}",
    )
    query(
        server,
        "CREATE FULLTEXT INDEX probe_text FOR (p:Probe) ON EACH [p.text] OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}",
    )
    query(
        server,
        "UNWIND $rows AS row CREATE (:Probe {text: row[0], namespace: row[1], embedding: row[2]})",
        rows=[["running home", "a", [1, 0, 0]], ["a lake", "a", [0, 1, 0]], ["the lakes", "b", [0, 1, 0]]],
    )
    query(server, "CALL db.awaitIndexes(60)")
    nearest = "MATCH (p) SEARCH p IN (VECTOR INDEX probe_vector FOR $v WHERE p.namespace = 'a' LIMIT 1) SCORE AS score RETURN p.text"
    assert query(server, nearest, v=[0, 1, 0]) == [["a lake"]]
    found = query(
        server, "CALL db.index.fulltext.queryNodes('probe_text', 'lake') YIELD node RETURN node.text ORDER BY node.text"
    )
    assert found == [["a lake"], ["the lakes"]]


def test_a_batch_of_500_embedded_turns_fits_in_one_transaction_and_a_runaway_collect_fails_alone(
    server: ServerInfo,
) -> None:
    rows = [[i, [i / 500 + k for k in range(384)], "word " * 100] for i in range(500)]
    query(server, "UNWIND $rows AS row CREATE (:Batch {n: row[0], embedding: row[1], text: row[2]})", rows=rows)
    assert query(server, "MATCH (b:Batch) RETURN count(b)") == [[500]]
    with pytest.raises(AssertionError, match=r"db\.memory\.transaction\.max"):
        query(server, "MATCH (a:Batch), (b:Batch), (c:Batch) RETURN size(collect(a.n + b.n * c.n))")
    assert query(server, "RETURN 1") == [[1]]


async def test_many_that_open_a_new_database_at_once_all_find_it_ready(server: ServerInfo) -> None:
    graphs = [await Graph.connect(server.uri, server.user, server.password) for _ in range(4)]
    try:
        await asyncio.gather(*(open_store(graph, "a model", 8) for graph in graphs))
        metas = [await read_meta(graph) for graph in graphs]
    finally:
        await asyncio.gather(*(graph.close() for graph in graphs))
    assert metas == [Meta(SCHEMA_VERSION, StoreModel("a model", 8), None, False)] * 4


@pytest.mark.parametrize("source", ["file:///etc/hostname", "{http}/"])
def test_a_query_cannot_read_this_machines_files_or_network(server: ServerInfo, source: str) -> None:
    with pytest.raises(AssertionError, match=r"allow_csv_import_from_file_urls|cypher_ip_blocklist"):
        query(server, "LOAD CSV FROM $source AS line RETURN line", source=source.format(http=server.http_url))


def test_a_lost_or_damaged_lock_file_does_not_lose_the_server(server: ServerInfo, home: Path) -> None:
    lock = home / "run" / "server.json"
    kept = lock.read_text()
    try:
        lock.unlink()
        assert up(home, SMALL) == server
        lock.write_text('{"bolt_po')
        assert status(home).info == server
    finally:
        lock.write_text(kept)


def test_another_process_with_the_same_database_is_named_as_the_reason(
    server: ServerInfo, home: Path, tmp_path: Path
) -> None:
    second = tmp_path / "second"
    second.mkdir()
    (second / "data").symlink_to(home / "data", target_is_directory=True)
    (second / "password").write_text(server.password)
    with pytest.raises(ServerError, match="Another process has the database files open"):
        up(second, SMALL)
    assert status(second).state == "stopped"
    assert query(server, "RETURN 1") == [[1]]


def test_a_taken_port_that_was_asked_for_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ServerError, match=f"Port {port}, set as http_port .* is taken by another program"):
            up(tmp_path / "home", ServerSettings(http_port=port))


@posix_only
def test_kill_9_loses_nothing_committed_and_a_lock_file_with_a_reused_pid_is_seen_through(
    server: ServerInfo, home: Path
) -> None:
    query(server, "CREATE (:Kept {text: 'before the kill'})")
    killed = psutil.Process(server.pid)
    killed.kill()
    psutil.wait_procs([killed], timeout=60)  # its memory takes a moment to be given back
    lock = home / "run" / "server.json"
    # The pid now belongs to another program: this one.
    lock.write_text(json.dumps({**json.loads(lock.read_text()), "pid": os.getpid()}))
    assert status(home).state == "stopped"

    again = up(home, SMALL)

    assert again.pid not in (server.pid, os.getpid())
    assert again.uri == server.uri, "the same ports again, if they are free"
    assert query(again, "MATCH (k:Kept) RETURN k.text") == [["before the kill"]]


def test_a_server_that_does_not_take_the_password_file_is_reported(server: ServerInfo, home: Path) -> None:
    file = home / "password"
    file.write_text("something else")
    try:
        with pytest.raises(ServerError, match="does not accept the password"):
            up(home, SMALL)
    finally:
        file.write_text(server.password)
    assert up(home, SMALL) == server


def test_a_stopped_database_can_be_dumped_and_loaded_with_the_locked_jars(
    server: ServerInfo, home: Path, tmp_path: Path
) -> None:
    query(server, "MERGE (:Dumped {text: 'kept'})")
    down(home)
    java = choose_java()
    tool = partial(administer, Home(home), java, java_options(java, 512, ensure("neo4j")), "database")
    tool("dump", "neo4j", f"--to-path={tmp_path}")
    tool("load", "neo4j", f"--from-path={tmp_path}", "--overwrite-destination=true")
    assert query(up(home, SMALL), "MATCH (d:Dumped) RETURN d.text") == [["kept"]]


def test_down_leaves_no_process_and_says_whether_there_was_one(server: ServerInfo, home: Path) -> None:
    assert down(home) is True
    assert not psutil.pid_exists(server.pid) or psutil.Process(server.pid).status() == psutil.STATUS_ZOMBIE
    assert status(home).state == "stopped"
    assert down(home) is False
    assert down(home / "never used") is False


def test_a_database_whose_password_file_is_gone_is_not_opened_with_a_new_one(
    home: Path, started_twice: list[dict[str, Any]]
) -> None:
    down(home)
    file = home / "password"
    kept = file.read_text()
    file.unlink()
    try:
        with pytest.raises(ServerError, match="Restore that file"):
            up(home, SMALL)
    finally:
        file.write_text(kept)
        file.chmod(0o600)
