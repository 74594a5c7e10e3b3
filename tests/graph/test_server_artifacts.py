"""Locked artifacts: fetched once, verified, reused without a network. A small repository on the loopback address stands for Maven's."""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from graphmem.artifacts import Artifact, ensure, fetch, locked
from graphmem.errors import ArtifactError

FILES = {
    "org/example/one/1.0/one-1.0.jar": b"the first" * 10_000,
    "org/example/two/2.1-beta3/two-2.1-beta3.jar": b"the second" * 500,
    "org/example/deep/three/3/three-3.jar": b"3",
}


@dataclass
class Repository:
    """A Maven repository over HTTP: what it serves may be changed, and it counts what it was asked for."""

    address: str
    files: dict[str, bytes]
    asked: Counter[str] = field(default_factory=Counter)
    failures: int = 0
    """How many answers are 503 before it serves."""


@pytest.fixture
def repository() -> Iterator[Repository]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.removeprefix("/")
            repository.asked[path] += 1
            body = repository.files.get(path)
            if repository.failures > 0:
                repository.failures -= 1
                self.send_error(503)
                return
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        repository = Repository(f"http://127.0.0.1:{server.server_address[1]}", dict(FILES))
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield repository
        server.shutdown()


@pytest.fixture(autouse=True)
def small_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every group holds the three small files."""
    artifacts = tuple(Artifact(path, len(body), hashlib.sha256(body).hexdigest()) for path, body in FILES.items())
    monkeypatch.setattr(fetch, "locked", lambda _group: artifacts)


@pytest.fixture
def nothing_local(tmp_path: Path) -> Path:
    return tmp_path / "no local Maven repository"


def contents(paths: list[Path]) -> list[bytes]:
    return [path.read_bytes() for path in paths]


def test_what_is_missing_is_fetched_and_given_in_the_order_of_the_lock(
    repository: Repository, tmp_path: Path, nothing_local: Path
) -> None:
    told: list[tuple[int, int]] = []
    (tmp_path / ".incoming-any-killed").mkdir()
    paths = ensure(
        "any",
        tmp_path,
        lambda done, total: told.append((done, total)),
        mirror=repository.address,
        maven_repository=nothing_local,
    )
    assert contents(paths) == list(FILES.values())
    total = sum(map(len, FILES.values()))
    assert told[-1] == (total, total)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert not list(tmp_path.glob(".incoming-*"))


def test_what_is_there_is_reused_without_a_network(repository: Repository, tmp_path: Path, nothing_local: Path) -> None:
    ensure("any", tmp_path, mirror=repository.address, maven_repository=nothing_local)
    asked = repository.asked.total()
    paths = ensure("any", tmp_path, mirror="http://127.0.0.1:9", maven_repository=nothing_local)
    assert contents(paths) == list(FILES.values())
    assert contents(ensure("any", tmp_path, offline=True, maven_repository=nothing_local)) == list(FILES.values())
    assert repository.asked.total() == asked


def test_a_file_with_another_digest_is_refused_and_not_kept(
    repository: Repository, tmp_path: Path, nothing_local: Path
) -> None:
    path = "org/example/one/1.0/one-1.0.jar"
    repository.files[path] = b"THE FIRST" * 10_000
    with pytest.raises(ArtifactError, match=r"one-1\.0\.jar .* is not what the lock says") as caught:
        ensure("any", tmp_path, mirror=repository.address, maven_repository=nothing_local)
    assert hashlib.sha256(FILES[path]).hexdigest() in str(caught.value)
    assert not (tmp_path / path).exists()

    repository.files[path] = FILES[path]
    assert contents(ensure("any", tmp_path, mirror=repository.address, maven_repository=nothing_local)) == list(
        FILES.values()
    )


def test_a_download_cut_short_is_not_taken_for_the_file(
    repository: Repository, tmp_path: Path, nothing_local: Path
) -> None:
    repository.files["org/example/one/1.0/one-1.0.jar"] = FILES["org/example/one/1.0/one-1.0.jar"][:-1]
    with pytest.raises(ArtifactError, match="89999 bytes"):
        ensure("any", tmp_path, mirror=repository.address, maven_repository=nothing_local)


def test_a_file_that_is_nowhere_is_named_with_what_to_do(
    repository: Repository, tmp_path: Path, nothing_local: Path
) -> None:
    del repository.files["org/example/deep/three/3/three-3.jar"]
    with pytest.raises(ArtifactError, match=r"three-3\.jar could not be fetched .* what is already here is kept"):
        ensure("any", tmp_path, mirror=repository.address, maven_repository=nothing_local)
    asked = repository.asked["org/example/one/1.0/one-1.0.jar"]
    repository.files.update(FILES)
    ensure("any", tmp_path, mirror=repository.address, maven_repository=nothing_local)
    assert repository.asked["org/example/one/1.0/one-1.0.jar"] == max(asked, 1)


def test_a_repository_that_fails_once_is_asked_again(
    repository: Repository, tmp_path: Path, nothing_local: Path
) -> None:
    repository.failures = 1
    assert contents(ensure("any", tmp_path, mirror=repository.address, maven_repository=nothing_local)) == list(
        FILES.values()
    )


def test_without_a_network_and_without_the_files_the_error_says_so(tmp_path: Path, nothing_local: Path) -> None:
    with pytest.raises(ArtifactError, match="Check the network or set a mirror"):
        ensure("any", tmp_path, mirror="http://127.0.0.1:9", maven_repository=nothing_local)
    with pytest.raises(ArtifactError, match="fetching is switched off"):
        ensure("any", tmp_path, offline=True, maven_repository=nothing_local)


def test_the_local_maven_repository_comes_first_unless_its_file_differs(repository: Repository, tmp_path: Path) -> None:
    local = tmp_path / "m2"
    for path, body in FILES.items():
        (local / path).parent.mkdir(parents=True)
        (local / path).write_bytes(body)
    damaged = "org/example/deep/three/3/three-3.jar"
    (local / damaged).write_bytes(b"4")
    paths = ensure("any", tmp_path / "cache", mirror=repository.address, maven_repository=local)
    assert contents(paths) == list(FILES.values())
    assert {path for path in repository.asked if path.endswith(".jar")} == {damaged}


def test_verify_finds_and_mends_a_file_damaged_in_place(
    repository: Repository, tmp_path: Path, nothing_local: Path
) -> None:
    paths = ensure("any", tmp_path, mirror=repository.address, maven_repository=nothing_local)
    paths[0].write_bytes(b"x" * paths[0].stat().st_size)
    ensure("any", tmp_path, mirror=repository.address, maven_repository=nothing_local, verify=True)
    assert contents(paths) == list(FILES.values())


def test_several_that_fetch_at_once_fetch_each_file_once(
    repository: Repository, tmp_path: Path, nothing_local: Path
) -> None:
    def get(_: int) -> list[bytes]:
        return contents(ensure("any", tmp_path, mirror=repository.address, maven_repository=nothing_local))

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(get, range(4))) == [list(FILES.values())] * 4
    assert {path: count for path, count in repository.asked.items() if path.endswith(".jar")} == dict.fromkeys(FILES, 1)


def test_a_folder_that_cannot_be_written_is_reported(tmp_path: Path, nothing_local: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ArtifactError, match="cannot be kept in"):
        ensure("any", tmp_path / "file", offline=True, maven_repository=nothing_local)


def test_the_lock_names_every_file_once_and_knows_its_groups() -> None:
    for group in ("neo4j", "embedder"):
        artifacts = locked(group)
        assert len({artifact.path for artifact in artifacts}) == len(artifacts) > 0
        for artifact in artifacts:
            name, version = artifact.coordinates[1:]
            assert artifact.name == f"{name}-{version}.jar"
            assert len(artifact.sha256) == 64
    with pytest.raises(ArtifactError, match="no group 'nonsense'"):
        locked("nonsense")
