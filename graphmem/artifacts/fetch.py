"""Fetching locked artifacts once, and finding them again without a network.

Sources, in this order: our cache, the local Maven repository, the mirror if one is given, else the repository that jgo (a Maven resolver
written in Python) knows. Each file is fetched on its own, by its coordinates, with no transitive resolution: what belongs together was
decided when the lock was made. jgo only warns about a wrong checksum and writes in place, so a download goes to a staging folder, is
compared with the lock, and is moved into the cache by one rename. The only importer of jgo.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import platformdirs
from filelock import FileLock

from graphmem.artifacts.lock import Artifact, locked
from graphmem.errors import ArtifactError

Progress = Callable[[int, int], None]
"""Called with (bytes done, bytes in total) of a group, from any thread, one call at a time; never called when nothing is to be fetched."""

_DOWNLOADS_AT_ONCE = 6
_SILENCE_S = 20
_TRIES = 3
_PAUSE_S = 0.5


def default_cache() -> Path:
    """The user's cache folder for artifacts, as the platform has it."""
    return Path(platformdirs.user_cache_dir("graphmem")) / "artifacts"


def ensure(
    group: str,
    cache: Path | None = None,
    progress: Progress | None = None,
    *,
    mirror: str | None = None,
    maven_repository: Path | None = None,
    offline: bool = False,
    verify: bool = False,
) -> list[Path]:
    """The local files of a group, in the order of the lock; what is missing is fetched, verified and kept.

    Files that are there already are trusted by their size, so that a start costs no hashing and no network; ``verify`` hashes them again
    and fetches anew what differs. Safe in several processes at once: the second waits and then finds the files.

    Args:
        group: A group of the lock: ``neo4j`` or ``embedder``.
        cache: Folder to keep the files in; the user's cache folder if None.
        progress: Told how many bytes are done, of how many.
        mirror: Address of a Maven repository to use instead of the default one.
        maven_repository: Local Maven repository to copy from; Maven's own default place if None.
        offline: Fetch nothing; raise if something is missing.
        verify: Compare the SHA-256 of files that are there already, too.

    Raises:
        ArtifactError: an artifact cannot be fetched or kept, or is not what the lock says.
    """
    artifacts = locked(group)
    folder = default_cache() if cache is None else cache
    if _missing(artifacts, folder, verify):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with FileLock(folder / f".{group}.lock"):
                missing = _missing(artifacts, folder, verify)
                _fetch_all(group, artifacts, missing, folder, progress, mirror, maven_repository, offline)
        except OSError as exc:
            raise ArtifactError(
                f"The artifacts of {group!r} cannot be kept in {folder}: {exc}. "
                "Free some space, or choose another cache folder, and run the command again."
            ) from exc
    return [folder / artifact.path for artifact in artifacts]


def _missing(artifacts: Sequence[Artifact], folder: Path, verify: bool) -> list[Artifact]:
    return [artifact for artifact in artifacts if not _is_there(artifact, folder, verify)]


def _is_there(artifact: Artifact, folder: Path, verify: bool) -> bool:
    path = folder / artifact.path
    try:
        if path.stat().st_size != artifact.size:
            return False
    except OSError:
        return False
    return not verify or _sha256(path) == artifact.sha256


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _fetch_all(
    group: str,
    artifacts: Sequence[Artifact],
    missing: Sequence[Artifact],
    folder: Path,
    progress: Progress | None,
    mirror: str | None,
    maven_repository: Path | None,
    offline: bool,
) -> None:
    if not missing:
        return
    total = sum(artifact.size for artifact in artifacts)
    meter = _Meter(total - sum(artifact.size for artifact in missing), total, progress)
    for leftover in folder.glob(f".incoming-{group}-*"):  # of a process that was killed: the group's lock is ours
        shutil.rmtree(leftover, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=f".incoming-{group}-", dir=folder) as staging:
        fetcher = _Fetcher(Path(staging), meter, mirror, maven_repository, offline)

        def bring(artifact: Artifact) -> None:
            fetched = fetcher.fetch(artifact)
            target = folder / artifact.path
            target.parent.mkdir(parents=True, exist_ok=True)
            fetched.replace(target)

        with ThreadPoolExecutor(_DOWNLOADS_AT_ONCE, thread_name_prefix=f"fetch-{group}") as pool:
            # The largest first, so that the last seconds are not one thread's.
            futures = [pool.submit(bring, artifact) for artifact in sorted(missing, key=lambda a: -a.size)]
            try:
                for future in futures:
                    future.result()
            except BaseException:
                pool.shutdown(wait=True, cancel_futures=True)
                raise


class _Meter:
    """Adds up bytes from several threads and tells the caller."""

    def __init__(self, done: int, total: int, progress: Progress | None) -> None:
        self._done, self._total, self._progress = done, total, progress
        self._lock = threading.Lock()

    def add(self, count: int) -> None:
        with self._lock:
            self._done += count
            if self._progress is not None and count:
                self._progress(self._done, self._total)


class _Fetcher:
    """Brings single artifacts into a staging folder, by jgo or from the local Maven repository, and verifies them."""

    def __init__(
        self, staging: Path, meter: _Meter, mirror: str | None, maven_repository: Path | None, offline: bool
    ) -> None:
        # Imported here, not above: it takes 0.2 s, and nothing is fetched on most starts.
        from jgo.constants import default_maven_repo
        from jgo.maven import MavenContext

        self._staging, self._meter, self._offline = staging, meter, offline
        self._given_up = threading.Event()
        self._local = Path(default_maven_repo()) if maven_repository is None else maven_repository
        self._source = "the default Maven repository" if mirror is None else mirror
        self._context = MavenContext(
            repo_cache=staging,
            remote_repos=None if mirror is None else {"mirror": mirror.rstrip("/")},
            timeout=_SILENCE_S,
        )

    def fetch(self, artifact: Artifact) -> Path:
        local = self._local / artifact.path
        if _is_there(artifact, self._local, verify=True):
            target = self._staging / artifact.path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(local, target)
            self._meter.add(artifact.size)
            return target
        if self._offline:
            raise ArtifactError(
                f"{artifact.name} is not in the cache, and fetching is switched off. "
                "Run `graphmem up` once with a network, or copy the cache folder of another machine."
            )
        return self._download(artifact)

    def _download(self, artifact: Artifact) -> Path:
        from jgo.maven import PythonResolver

        failure: Exception | None = None
        for attempt in range(_TRIES):
            # One artifact that cannot be had fails the group: then the others need not wait for their own last try.
            if attempt > 0 and self._given_up.wait(_PAUSE_S * attempt):
                break
            counted = 0

            @contextmanager
            def count(_name: str, _size: int) -> Iterator[Callable[[int], None]]:
                def update(length: int) -> None:
                    nonlocal counted
                    counted += length
                    self._meter.add(length)

                yield update

            group, name, version = artifact.coordinates
            asked = self._context.project(group, name).at_version(version).artifact()
            target = self._staging / artifact.path
            target.unlink(missing_ok=True)
            try:
                fetched = PythonResolver(progress_callback=count).download(asked)
            except OSError as exc:
                # The errors of requests are OSErrors without a number; one with a number is this machine's, such as a full disk.
                if exc.errno is not None:
                    raise
                failure = exc
            except RuntimeError as exc:  # jgo's, for every answer but 200
                failure = exc
            else:
                if fetched is not None and _is_there(artifact, self._staging, verify=True):
                    self._meter.add(artifact.size - counted)
                    return target
                failure = self._wrong(artifact, target)
            self._meter.add(-counted)
        self._given_up.set()
        if isinstance(failure, ArtifactError):
            raise failure
        raise ArtifactError(
            f"{artifact.name} could not be fetched from {self._source}: {type(failure).__name__}: {failure}. "
            "Check the network or set a mirror, and run the command again; what is already here is kept."
        ) from failure

    def _wrong(self, artifact: Artifact, path: Path) -> ArtifactError:
        size, digest = (path.stat().st_size, _sha256(path)) if path.exists() else (0, "nothing")
        return ArtifactError(
            f"{artifact.name} from {self._source} is not what the lock says: {size} bytes with SHA-256 {digest}, "
            f"expected {artifact.size} bytes with {artifact.sha256}. It was thrown away. "
            "Run the command again; if it happens again, use another mirror and report it."
        )
