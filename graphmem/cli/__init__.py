"""The command line: thin commands over ``Memory``. ``main`` is the entry point."""

from __future__ import annotations

import errno
import json
import logging
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from graphmem.cli.app import app
from graphmem.cli.show import Told, visible
from graphmem.errors import GraphmemError

# Each module registers its commands on the app.
from graphmem.cli import asking, changes, demo, events, maintaining, reading, searching, serving, timing  # noqa: F401  isort: skip

__all__ = ["app", "main"]


INTERRUPTED = 130
"""Exit code of a command that was stopped by Ctrl-C."""

UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What the system says of output that a full disk, a limit or a lost terminal does not take."""

STOPPED = "stopped; what was appended until now stays, and the next run goes on from there"


def main() -> None:
    """Runs a command. An error of ours becomes one message on standard error and exit code 1; with --json, one line of JSON.

    A command that is written wrong ends with exit code 2, and under --json with one line of JSON too.
    """
    for_program = wants_json(sys.argv[1:])
    library, told = logging.getLogger("graphmem"), Told()
    library.addHandler(told)
    try:
        code = run(for_program)
        if code == INTERRUPTED:  # typer makes an exit code of Ctrl-C
            print(as_object(KeyboardInterrupt(STOPPED)) if for_program else STOPPED, file=sys.stderr)
        sys.exit(code)
    except GraphmemError as exc:
        print(as_object(exc) if for_program else f"error: {visible(str(exc))}", file=sys.stderr)
        sys.exit(1)
    except OSError as exc:
        if exc.errno not in (errno.EPIPE, *UNWRITABLE):
            raise
        drop_output()
        if exc.errno != errno.EPIPE:  # else whoever read the output has had enough, and nobody is left to be told
            message = f"the output cannot be written: {exc.strerror}; make room, or send it elsewhere"
            print(as_object(exc, message) if for_program else f"error: {message}", file=sys.stderr)
        sys.exit(1)
    except Exception as exc:
        # Errors of the command line are typer's own or click's, by typer's version; what both have is a message without decoration.
        if not hasattr(exc, "format_message"):
            raise
        print(as_object(exc, exc.format_message()), file=sys.stderr)
        sys.exit(getattr(exc, "exit_code", 2))
    finally:
        library.removeHandler(told)


def run(for_program: bool) -> Any:
    """Runs the command and returns its exit code. What it printed is written out here, where a failure can still be told."""
    try:
        code = app(standalone_mode=not for_program)
    except SystemExit as exc:
        code = exc.code
    if sys.stdout is not None:  # as it is where standard output was closed
        sys.stdout.flush()
    return code


def drop_output() -> None:
    """Drops what is left for standard output, which takes no more: Python would fail at it once more when it ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def wants_json(arguments: Sequence[str]) -> bool:
    """Whether a command is to answer a program, also where it is written wrong and cannot be parsed."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "--json" in options


def as_object(exc: BaseException, message: str | None = None) -> str:
    """An error as JSON in one line: ``error`` is its message, ``kind`` its class, as in ``graphmem.errors``."""
    return json.dumps(
        {"error": str(exc) if message is None else message, "kind": type(exc).__name__}, ensure_ascii=False
    )
