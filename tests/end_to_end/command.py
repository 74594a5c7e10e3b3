"""The command line in a test: within the test's own process, where importing and warming up are paid for once, or in one of its own."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from threading import Thread
from unittest import mock

from graphmem.cli import main
from tests.conftest import TestServer

Done = subprocess.CompletedProcess[str]


def environment_of(server: TestServer) -> dict[str, str]:
    """The environment of a command that is to use this server."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GRAPHMEM_")}
    return kept | {
        "GRAPHMEM_NEO4J_URI": server.uri,
        "GRAPHMEM_NEO4J_USER": server.user,
        "GRAPHMEM_NEO4J_PASSWORD": server.password,
    }


def graphmem(environment: Mapping[str, str], *arguments: object) -> Done:
    """Runs a command from its entry point, in a thread: the caller's may have a loop running. What it raises is raised here."""
    line = ["graphmem", *map(str, arguments)]
    out, err = io.StringIO(), io.StringIO()
    ended: list[BaseException] = []

    def run() -> None:
        try:
            main()
        except BaseException as exc:
            ended.append(exc)

    with (
        redirect_stdout(out),
        redirect_stderr(err),
        mock.patch.object(sys, "argv", line),
        mock.patch.object(sys, "stdin", io.StringIO()),
        mock.patch.dict(os.environ, environment, clear=True),
    ):
        thread = Thread(target=run, name="command")
        thread.start()
        thread.join()
    code: str | int | None = 0
    for end in ended:
        if not isinstance(end, SystemExit):
            raise end
        code = end.code
    return Done(line, code if isinstance(code, int) else int(code is not None), out.getvalue(), err.getvalue())


def graphmem_process(environment: Mapping[str, str], *arguments: object) -> Done:
    """Runs a command in a process of its own."""
    command = [sys.executable, "-m", "graphmem", *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
