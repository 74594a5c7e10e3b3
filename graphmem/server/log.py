"""Reading from what a server printed why it did not start. Pure: text in, a sentence out."""

from __future__ import annotations

import re

DISK_FULL = "The disk is full. Free some space and run the command again; what was committed is kept."
PORT_TAKEN = "Another program took the port. Stop it, or leave the port settings empty so that a free one is chosen."
_CAUSES = (
    (r"No space left on device|not enough space|Disk quota exceeded|Could not preallocate", DISK_FULL),
    (
        r"has been locked by another process|FileLockException",
        "Another process has the database files open. Stop that one, or choose another home folder.",
    ),
    (r"Address already in use|BindException", PORT_TAKEN),
    (
        r"AccessDeniedException|Permission denied",
        "A file in its folder belongs to another user. Correct its owner, or choose another home folder.",
    ),
    (
        r"OutOfMemoryError|Could not reserve enough space|insufficient memory",
        "There is not enough memory for it. Make the heap setting smaller, or close other programs.",
    ),
    (r"UnsupportedClassVersionError", "The Java is too old: Neo4j needs 21 or newer."),
)
_LINES_SHOWN = 4
_LONGEST_LINE = 300
_STACK_FRAME = re.compile(r"(^\s+(at |\.\.\. \d+ more))|(WARN\s+at )")
_WRAPPER = re.compile(r"^Optional\[(.*)\]$")
_TELLING = re.compile(r"\bERROR\b|Failed to|Caused by|Exception|\bError\b")
_STARTED_IN_VAIN = re.compile(r"Failed to start Neo4j|Neo4j cannot be started", re.IGNORECASE)


def cause(printed: str) -> str | None:
    """What to tell the user if the log shows one of the usual causes, else None."""
    return next((advice for pattern, advice in _CAUSES if re.search(pattern, printed)), None)


def has_failed(printed: str) -> bool:
    """Whether the log says that the start failed. The process may go on for minutes after that, for instance on a full disk."""
    return _STARTED_IN_VAIN.search(printed) is not None or cause(printed) == DISK_FULL


def useful_lines(printed: str) -> str:
    """The last lines that say what went wrong: errors and causes, without stack frames; if there are none, the last lines as they are."""
    lines = [line.rstrip() for line in printed.splitlines() if line.strip() and not _STACK_FRAME.search(line)]
    telling = [line for line in lines if _TELLING.search(line)]
    shown = list(dict.fromkeys(_WRAPPER.sub(r"\1", line.strip())[:_LONGEST_LINE] for line in (telling or lines)))
    return "\n".join(f"  {line}" for line in shown[-_LINES_SHOWN:])
