"""The command line: thin commands over ``Memory``. ``main`` is the entry point."""

from __future__ import annotations

import sys

from graphmem.cli.app import app
from graphmem.errors import GraphmemError

# Each module registers its commands on the app.
from graphmem.cli import asking, changes, demo, events, maintaining, reading, searching, serving, timing  # noqa: F401  isort: skip

__all__ = ["app", "main"]


def main() -> None:
    """Runs a command. An error of ours becomes one message on standard error and exit code 1."""
    try:
        app(standalone_mode=True)
    except GraphmemError as exc:
        print(f"error: {exc}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        print("stopped; what was appended until now stays, and the next run goes on from there", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(1)
