"""Starting, finding and stopping the managed server.

The server runs on its own, detached from the process that started it, so that it outlives a notebook or a command; the next one
attaches. Only one process at a time starts or stops the server of a home (a file lock, which the operating system frees if that process
is killed).
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from graphmem import artifacts
from graphmem.errors import ServerError
from graphmem.server import log
from graphmem.server.config import HOST, java_options
from graphmem.server.home import (
    Home,
    State,
    find_process,
    has_database,
    make_password,
    prepare,
    printed,
    read_password,
    read_state,
    write_state,
)
from graphmem.server.java import choose_java
from graphmem.server.launch import POLL_S, is_alive, launch, set_password, stop
from graphmem.server.probe import Answer, free_port, is_free, probe
from graphmem.server.settings import ServerInfo, ServerSettings

USER = "neo4j"
_PORT_TRIES = 4
_PORT_PATIENCE_S = 2.0
_LEAST_FREE_MB = 64
_DEFAULTS = ServerSettings()


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """What is known of a home's server: ``stopped``, ``starting`` (a process that does not answer) or ``running``."""

    state: str
    home: Path
    info: ServerInfo | None
    resident_mb: int | None
    """Memory that the process holds, in MiB."""


def up(
    home: Path,
    settings: ServerSettings = _DEFAULTS,
    *,
    cache: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ServerInfo:
    """Start the server of a home, or attach to it if it runs, and return when it answers.

    Args:
        home: Folder of the server: database, logs, password. Made if it is not there.
        settings: Used when the server is started; a running server keeps what it was started with.
        cache: Folder of the artifacts; the user's cache folder if None.
        progress: Told (bytes done, bytes in total) while artifacts are fetched.

    Raises:
        ArtifactError: the server's files cannot be fetched.
        ServerError: it does not start, or does not answer in time; the message holds the cause or the last lines of its log.
    """
    place = prepare(home)
    running = _attach(place, settings)
    if running is not None:
        return running
    jars = artifacts.ensure("neo4j", cache, progress, mirror=settings.mirror, offline=settings.offline)
    with _turn(place, settings.start_timeout_s + settings.stop_timeout_s):
        running = _attach(place, settings)
        return _start(place, settings, jars) if running is None else running


def down(home: Path, *, timeout_s: int = _DEFAULTS.stop_timeout_s) -> bool:
    """Stop the server of a home and wait until it is gone. True if there was one.

    Raises:
        ServerError: it cannot be stopped.
    """
    place = Home(home.expanduser().resolve())
    if read_state(place) is None:
        return False
    with _turn(place, timeout_s + _DEFAULTS.start_timeout_s):
        process = find_process(place, read_state(place))
        if process is None:
            return False
        stop(process, timeout_s)
        return True


def status(home: Path) -> ServerStatus:
    """What the server of a home is doing, without starting or changing anything."""
    place = Home(home.expanduser().resolve())
    state = read_state(place)
    process = find_process(place, state)
    if process is None or state is None:
        return ServerStatus("stopped", place.root, None, None)
    info = _info(place, state, process.pid, read_password(place) or "")
    answer = probe(state.bolt_port, state.http_port, info.user, info.password)
    try:
        resident = process.memory_info().rss // 2**20
    except psutil.Error:
        resident = None
    return ServerStatus("running" if answer is Answer.READY else "starting", place.root, info, resident)


@contextmanager
def _turn(home: Home, timeout_s: int) -> Iterator[None]:
    """The right to start or stop the server of a home."""
    try:
        lock = FileLock(home.turn_file)
        lock.acquire(timeout=timeout_s)
    except Timeout as exc:
        raise ServerError(
            f"Another process has been starting or stopping the server in {home.root} for {timeout_s} s. "
            "See whether it hangs, end it, and run the command again."
        ) from exc
    except OSError as exc:
        raise ServerError(
            f"The lock file {home.turn_file} cannot be written: {exc}. Look at that folder's owner."
        ) from exc
    try:
        yield
    finally:
        lock.release()


def _attach(home: Home, settings: ServerSettings) -> ServerInfo | None:
    state = read_state(home)
    process = find_process(home, state)
    if process is None or state is None:
        return None
    password = read_password(home)
    if password is None:
        raise _no_password(home)
    if not _wait(home, process, state, password, settings.start_timeout_s):
        return None
    return _info(home, state, process.pid, password)


def _start(home: Home, settings: ServerSettings, jars: Sequence[Path]) -> ServerInfo:
    free_mb = shutil.disk_usage(home.root).free // 2**20
    if free_mb < _LEAST_FREE_MB:
        raise ServerError(
            f"The managed Neo4j in {home.root} cannot be started: {free_mb} MiB are free there. {log.DISK_FULL}"
        )
    leftover = find_process(home, read_state(home))
    if leftover is not None:  # it was not attached to because its start failed
        stop(leftover, settings.stop_timeout_s)
    java = choose_java(settings.java)
    options = java_options(java, settings.heap_mb, jars)
    try:
        for _ in range(_PORT_TRIES):
            state = _choose_ports(home, settings)
            password = read_password(home)
            if not has_database(home):
                # Made anew even if there is one: a start that was killed may have left it unset.
                password = make_password(home)
                set_password(home, settings, java, options, state)
            if password is None:
                raise _no_password(home)
            # Before the process: whoever comes after a kill between the two finds the process by its command line, its ports here.
            write_state(home, state)
            process = launch(home, settings, java, options, state)
            try:
                write_state(home, replace(state, pid=process.pid))
                if _wait(home, process, state, password, settings.start_timeout_s):
                    return _info(home, state, process.pid, password)
            except BaseException:
                stop(process, settings.stop_timeout_s)
                raise
            stop(process, settings.stop_timeout_s)
            # If the reason is a port that was taken in the meantime, choose again.
            if log.cause(printed(home, state)) != log.PORT_TAKEN:
                break
    except OSError as exc:
        raise ServerError(
            f"The managed Neo4j in {home.root} cannot be started: {exc}. Look at that folder's free space and owner."
        ) from exc
    raise _failure(home, state, "did not start")


def _choose_ports(home: Home, settings: ServerSettings) -> State:
    last = read_state(home)

    def choose(name: str, wanted: int | None, before: int | None, *taken: int) -> int:
        if wanted is not None:
            if not is_free(wanted):
                raise ServerError(
                    f"Port {wanted}, set as {name} of the managed Neo4j, is taken by another program. "
                    "Stop that program, set another port, or leave the setting empty so that a free one is chosen."
                )
            return wanted
        # A server that was just killed may hold its port a moment longer.
        if before is not None and before not in taken and _becomes_free(before, _PORT_PATIENCE_S):
            return before
        return free_port(*taken)

    bolt = choose("bolt_port", settings.bolt_port, None if last is None else last.bolt_port)
    http = choose("http_port", settings.http_port, None if last is None else last.http_port, bolt)
    offset = home.neo4j_log.stat().st_size if home.neo4j_log.exists() else 0
    return State(bolt, http, log_offset=offset)


def _becomes_free(port: int, timeout_s: float) -> bool:
    deadline = time.monotonic() + timeout_s
    while not is_free(port):
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_S)
    return True


def _wait(home: Home, process: psutil.Process, state: State, password: str, timeout_s: int) -> bool:
    """Wait until the server answers; False if it ended or its log says that the start failed."""
    deadline = time.monotonic() + timeout_s
    while True:
        answer = probe(state.bolt_port, state.http_port, USER, password)
        if answer is Answer.READY:
            return True
        if answer is Answer.WRONG_PASSWORD:
            raise ServerError(
                f"The managed Neo4j in {home.root} does not accept the password in {home.password_file}. "
                "If it was changed in Browser, write the new one into that file."
            )
        if not is_alive(process) or log.has_failed(printed(home, state)):
            return False
        if time.monotonic() > deadline:
            raise _failure(home, state, f"did not answer within {timeout_s} s")
        time.sleep(POLL_S)


def _info(home: Home, state: State, pid: int, password: str) -> ServerInfo:
    return ServerInfo(
        uri=f"bolt://{HOST}:{state.bolt_port}",
        user=USER,
        password=password,
        http_url=f"http://{HOST}:{state.http_port}",
        pid=pid,
        home=home.root,
    )


def _failure(home: Home, state: State, what: str) -> ServerError:
    text = printed(home, state)
    advice = log.cause(text) or "The lines below may say why."
    return ServerError(
        f"The managed Neo4j in {home.root} {what}. {advice}\nFrom {home.log_file.parent}:\n{log.useful_lines(text)}"
    )


def _no_password(home: Home) -> ServerError:
    return ServerError(
        f"The database in {home.root} has a password, but the file {home.password_file} is gone. "
        "Restore that file, or move the folder away to start with an empty memory."
    )
