"""Starting, finding and stopping the managed server.

The server runs on its own, detached from the process that started it, so that it outlives a notebook or a command; the next one attaches. Only
one process at a time starts or stops the server of a home (a file lock, which the operating system frees if that process is killed).
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from graphmem import artifacts
from graphmem.errors import ServerError
from graphmem.server import log
from graphmem.server.config import ADMIN_CLASS, HOST, MAIN_CLASS, argument_file, configuration_file, java_options
from graphmem.server.home import (
    Home,
    State,
    find_process,
    has_database,
    make_password,
    prepare,
    read_password,
    read_state,
    write_state,
)
from graphmem.server.java import Java, choose_java
from graphmem.server.probe import Answer, free_port, is_free, probe
from graphmem.server.settings import ServerInfo, ServerSettings

USER = "neo4j"
_PORT_TRIES = 4
_POLL_S = 0.05
_DEFAULTS = ServerSettings()
# Servers started by this very process. Holding the object lets the operating system forget them once they end, and keeps Python from
# warning that they still run.
_children: list[subprocess.Popen[bytes]] = []


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """What is known of a home's server: ``stopped``, ``starting`` (a process that does not answer yet) or ``running``."""

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
    java = choose_java(settings.java)
    with _turn(place, settings.start_timeout_s + settings.stop_timeout_s):
        running = _attach(place, settings)
        return _start(place, settings, java, jars) if running is None else running


def down(home: Path, *, timeout_s: int = _DEFAULTS.stop_timeout_s) -> bool:
    """Stop the server of a home and wait until it is gone; whether there was one.

    Raises:
        ServerError: it cannot be stopped.
    """
    place = Home(home.expanduser().resolve())
    if not place.state_file.exists():
        return False
    with _turn(place, timeout_s + _DEFAULTS.start_timeout_s):
        state = read_state(place)
        process = find_process(place, state)
        if process is None or state is None:
            return False
        _stop(process, timeout_s)
        write_state(place, State(state.bolt_port, state.http_port))
        return True


def status(home: Path) -> ServerStatus:
    """What the server of a home is doing, without starting or changing anything."""
    place = Home(home.expanduser().resolve())
    state = read_state(place)
    process = find_process(place, state)
    if process is None or state is None:
        return ServerStatus("stopped", place.root, None, None)
    password = read_password(place) or ""
    answer = probe(state.bolt_port, state.http_port, USER, password)
    try:
        resident = process.memory_info().rss // 2**20
    except psutil.Error:
        resident = None
    return ServerStatus(
        "running" if answer is Answer.READY else "starting",
        place.root,
        _info(place, state, process.pid, password),
        resident,
    )


def _turn(home: Home, timeout_s: int) -> _Turn:
    return _Turn(home, timeout_s)


class _Turn:
    """The right to start or stop the server of a home."""

    def __init__(self, home: Home, timeout_s: int) -> None:
        self._home, self._timeout_s = home, timeout_s
        self._lock = FileLock(home.turn_file, timeout=timeout_s)

    def __enter__(self) -> None:
        try:
            self._lock.acquire()
        except Timeout as exc:
            raise ServerError(
                f"Another process has been starting or stopping the server in {self._home.root} for {self._timeout_s} s. "
                "Look whether it hangs, end it, and run the command again."
            ) from exc

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def _info(home: Home, state: State, pid: int, password: str) -> ServerInfo:
    return ServerInfo(
        uri=f"bolt://{HOST}:{state.bolt_port}",
        user=USER,
        password=password,
        http_url=f"http://{HOST}:{state.http_port}",
        pid=pid,
        home=home.root,
    )


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


def _start(home: Home, settings: ServerSettings, java: Java, jars: list[Path]) -> ServerInfo:
    try:
        options = java_options(java, settings.heap_mb, jars)
        password = read_password(home)
        if has_database(home):
            if password is None:
                raise _no_password(home)
        elif password is None or not (home.data / "dbms" / "auth.ini").exists():
            password = make_password(home)
            _set_password(home, settings, java, options, password)
        for _ in range(_PORT_TRIES):
            state = _choose_ports(home, settings)
            process = _launch(home, settings, java, options, state)
            started = State(state.bolt_port, state.http_port, process.pid)
            write_state(home, started)
            try:
                if _wait(home, process, started, password, settings.start_timeout_s):
                    return _info(home, started, process.pid, password)
            except BaseException:
                _stop(process, settings.stop_timeout_s)
                raise
            # It ended. If the reason is a port that was taken meanwhile and was ours to choose, choose again.
            printed = _printed(home)
            if log.cause(printed) != log.PORT_TAKEN or (settings.bolt_port is not None and settings.http_port is not None):
                break
    except OSError as exc:
        raise ServerError(
            f"The managed Neo4j in {home.root} cannot be started: {exc}. Look at that folder's space and permissions."
        ) from exc
    raise _failure(home, "ended while starting")


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
        if before is not None and before not in taken and is_free(before):
            return before
        return free_port(*taken)

    bolt = choose("bolt_port", settings.bolt_port, None if last is None else last.bolt_port)
    http = choose("http_port", settings.http_port, None if last is None else last.http_port, bolt)
    return State(bolt, http)


def _launch(home: Home, settings: ServerSettings, java: Java, options: list[str], state: State) -> psutil.Process:
    (home.conf / "neo4j.conf").write_text(configuration_file(settings, state.bolt_port, state.http_port), "utf-8")
    home.arguments.write_text(argument_file(options), "utf-8")
    # Before the process: whoever comes after a kill between the two finds the process by its command line, and its ports here.
    write_state(home, state)
    command = [str(java.executable), f"@{home.arguments}", MAIN_CLASS, f"--home-dir={home.root}", f"--config-dir={home.conf}"]
    with home.log_file.open("wb") as output:
        child = subprocess.Popen(
            command,
            cwd=home.root,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            creationflags=_detached(),
        )
    _children.append(child)
    return psutil.Process(child.pid)


def _detached() -> int:
    if sys.platform == "win32":
        return subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.DETACHED_PROCESS
    return 0


def _set_password(home: Home, settings: ServerSettings, java: Java, options: list[str], password: str) -> None:
    """Set the first password with Neo4j's own tool. It reads the arguments from a file, so that the password is in no process list."""
    (home.conf / "neo4j.conf").write_text(configuration_file(settings, 7687, 7474), "utf-8")
    arguments = home.root / "run" / "admin.args"
    arguments.write_text(argument_file(["-XX:TieredStopAtLevel=1", *options]), "utf-8")
    done = subprocess.run(
        [java.executable, f"@{arguments}", ADMIN_CLASS, "dbms", "set-initial-password", f"@{home.password_file}"],
        cwd=home.root,
        env=_environment(home),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        printed = done.stdout + done.stderr
        raise ServerError(
            f"The first password of the managed Neo4j in {home.root} cannot be set. {log.cause(printed) or ''}\n{log.useful_lines(printed)}"
        )


def _wait(home: Home, process: psutil.Process, state: State, password: str, timeout_s: int) -> bool:
    """Wait until the server answers; False if its process ended."""
    deadline = time.monotonic() + timeout_s
    while True:
        answer = probe(state.bolt_port, state.http_port, USER, password)
        if answer is Answer.READY:
            return True
        if answer is Answer.WRONG_PASSWORD:
            raise ServerError(
                f"The managed Neo4j in {home.root} does not accept the password in {home.password_file}. "
                "Was it changed in Browser? Then write the new one into that file."
            )
        if not _is_alive(process):
            return False
        if time.monotonic() > deadline:
            raise _failure(home, f"did not answer within {timeout_s} s")
        time.sleep(_POLL_S)


def _is_alive(process: psutil.Process) -> bool:
    for child in _children[:]:
        if child.poll() is not None:
            _children.remove(child)
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _stop(process: psutil.Process, timeout_s: int) -> None:
    """Ask a server to stop and wait; if it does not, end it, which loses nothing that was committed."""
    try:
        process.terminate()
        if _gone(process, timeout_s):
            return
        process.kill()
        if _gone(process, timeout_s):
            return
    except psutil.NoSuchProcess:
        return
    except psutil.AccessDenied as exc:
        raise ServerError(f"The server's process {process.pid} belongs to another user and cannot be stopped by you.") from exc
    raise ServerError(f"The server's process {process.pid} does not end, although it was killed. Look at the machine.")


def _gone(process: psutil.Process, timeout_s: float) -> bool:
    deadline = time.monotonic() + timeout_s
    while _is_alive(process):
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_S)
    return True


def _printed(home: Home) -> str:
    try:
        return home.log_file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _failure(home: Home, what: str) -> ServerError:
    printed = _printed(home)
    advice = log.cause(printed) or "Its log has the details."
    return ServerError(f"The managed Neo4j in {home.root} {what}. {advice}\nFrom {home.log_file}:\n{log.useful_lines(printed)}")


def _no_password(home: Home) -> ServerError:
    return ServerError(
        f"The database in {home.root} has a password, but the file {home.password_file} is gone. "
        "Restore that file, or move the folder away to start with an empty memory."
    )


def _environment(home: Home) -> dict[str, str]:
    import os

    return {**os.environ, "NEO4J_HOME": str(home.root), "NEO4J_CONF": str(home.conf)}
