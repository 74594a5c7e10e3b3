"""The command line: thin commands over ``Memory``. ``main`` is the entry point."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Sequence

from graphmem.cli.app import app
from graphmem.cli.show import Told, visible
from graphmem.errors import GraphmemError

# Each module registers its commands on the app.
from graphmem.cli import asking, changes, demo, events, maintaining, reading, searching, serving, timing  # noqa: F401  isort: skip

__all__ = ["app", "main"]


INTERRUPTED = 130
"""Exit code of a command that was stopped by Ctrl-C."""


def main() -> None:
    """Runs a command. An error of ours becomes one message on standard error and exit code 1; with --json, one line of JSON.

    A command that is written wrong ends with exit code 2, and under --json with one line of JSON too.
    """
    for_program = wants_json(sys.argv[1:])
    library, told = logging.getLogger("graphmem"), Told()
    library.addHandler(told)
    try:
        sys.exit(app(standalone_mode=not for_program))
    except GraphmemError as exc:
        print(as_object(exc) if for_program else f"error: {visible(str(exc))}", file=sys.stderr)
        sys.exit(1)
    except SystemExit as exc:
        if exc.code == INTERRUPTED:  # typer makes an exit code of Ctrl-C
            print("stopped; what was appended until now stays, and the next run goes on from there", file=sys.stderr)
        raise
    except BrokenPipeError:
        sys.exit(1)
    except Exception as exc:
        # Errors of the command line are typer's own or click's, by typer's version; what both have is a message without decoration.
        if not hasattr(exc, "format_message"):
            raise
        print(as_object(exc, exc.format_message()), file=sys.stderr)
        sys.exit(getattr(exc, "exit_code", 2))
    finally:
        library.removeHandler(told)


def wants_json(arguments: Sequence[str]) -> bool:
    """Whether a command is to answer a program, also where it is written wrong and cannot be parsed."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "--json" in options


def as_object(exc: Exception, message: str | None = None) -> str:
    """An error as JSON in one line: ``error`` is its message, ``kind`` its class, as in ``graphmem.errors``."""
    return json.dumps(
        {"error": str(exc) if message is None else message, "kind": type(exc).__name__}, ensure_ascii=False
    )
