"""The server's process: starting it detached, setting its first password, ending it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence

import psutil

from graphmem.errors import ServerError
from graphmem.server import log
from graphmem.server.config import ADMIN_CLASS, MAIN_CLASS, argument_file, configuration_file
from graphmem.server.home import Home, State
from graphmem.server.java import Java
from graphmem.server.settings import ServerSettings

POLL_S = 0.05
# Servers started by this very process. Holding the object lets the operating system forget them once they end, and keeps Python from
# warning that they still run.
_children: list[subprocess.Popen[bytes]] = []


def launch(home: Home, settings: ServerSettings, java: Java, options: Sequence[str], state: State) -> psutil.Process:
    """Write the configuration and start the server in a session of its own, so that it outlives this process.

    Raises:
        OSError: a file cannot be written or Java not started.
    """
    _configure(home, settings, state)
    home.arguments.write_text(argument_file(options), encoding="utf-8")
    command = [
        str(java.executable),
        f"@{home.arguments}",
        MAIN_CLASS,
        f"--home-dir={home.root}",
        f"--config-dir={home.conf}",
    ]
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


def set_password(home: Home, settings: ServerSettings, java: Java, options: Sequence[str], state: State) -> None:
    """Set the first password, the one in the password file, before the database's first start.

    Neo4j's tool reads its argument from that file, so that the password is in no list of processes.

    Raises:
        OSError: a file cannot be written or Java not started.
        ServerError: the tool failed.
    """
    _configure(home, settings, state)
    administer(home, java, options, "dbms", "set-initial-password", f"@{home.password_file}")


def administer(home: Home, java: Java, options: Sequence[str], *arguments: str) -> str:
    """Run Neo4j's administration tool on a home whose server is stopped; what it printed.

    Raises:
        OSError: a file cannot be written or Java not started.
        ServerError: the tool failed.
    """
    file = home.arguments.with_name("admin.args")
    file.write_text(argument_file(["-XX:TieredStopAtLevel=1", *options]), encoding="utf-8")
    done = subprocess.run(
        [java.executable, f"@{file}", ADMIN_CLASS, *arguments],
        cwd=home.root,
        env={**os.environ, "NEO4J_HOME": str(home.root), "NEO4J_CONF": str(home.conf)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    printed = done.stdout + done.stderr
    if done.returncode != 0:
        advice = log.cause(printed) or f"It ended with exit code {done.returncode}."
        raise ServerError(
            f"Neo4j's `{' '.join(arguments[:2])}` failed in {home.root}. {advice}\n{log.useful_lines(printed)}"
        )
    return printed


def stop(process: psutil.Process, timeout_s: float) -> None:
    """Ask a server to stop and wait; if it does not, end it, which loses nothing that was committed.

    Raises:
        ServerError: it is another user's, or does not end at all.
    """
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
        raise ServerError(
            f"The server's process {process.pid} belongs to another user; only that user can stop it."
        ) from exc
    raise ServerError(f"The server's process {process.pid} does not end, although it was killed. Look at the machine.")


def is_alive(process: psutil.Process) -> bool:
    """Whether a server's process still runs."""
    for child in _children[:]:
        if child.poll() is not None:
            _children.remove(child)
    try:
        return process.is_running() and bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def _gone(process: psutil.Process, timeout_s: float) -> bool:
    deadline = time.monotonic() + timeout_s
    while is_alive(process):
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_S)
    return True


def _configure(home: Home, settings: ServerSettings, state: State) -> None:
    text = configuration_file(settings, state.bolt_port, state.http_port)
    (home.conf / "neo4j.conf").write_text(text, encoding="utf-8")


def _detached() -> int:
    if sys.platform == "win32":
        return subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.DETACHED_PROCESS
    return 0
