"""Reading why a server did not start from what it printed. Pure: text in, a sentence out."""

from __future__ import annotations

import re

_LINES_SHOWN = 8
_CAUSES: tuple[tuple[str, str], ...] = (
    (
        r"No space left on device|not enough space|Disk quota exceeded",
        "The disk is full. Free some space and start it again; what was committed is kept.",
    ),
    (
        r"has been locked by another process|FileLockException|OverlappingFileLockException",
        "Another process has the database files open. Stop that one, or choose another home folder.",
    ),
    (
        r"Address already in use|BindException|PortBindException",
        "Another program took the port. Stop it, or leave the port settings empty so that a free one is chosen.",
    ),
    (r"AccessDeniedException|Permission denied", "A file in its folder belongs to another user. Correct its owner or choose another home folder."),
    (
        r"OutOfMemoryError|Could not reserve enough space|insufficient memory",
        "There is not enough memory for it. Make the heap setting smaller, or close other programs.",
    ),
    (r"UnsupportedClassVersionError", "The Java is too old: Neo4j needs 21 or newer."),
)
PORT_TAKEN = _CAUSES[2][1]


def cause(log: str) -> str | None:
    """What to tell the user if the log shows one of the usual causes, else None."""
    return next((advice for pattern, advice in _CAUSES if re.search(pattern, log)), None)


def useful_lines(log: str) -> str:
    """The last lines that say what went wrong: errors and causes without stack frames; without any, the last lines as they are."""
    lines = [line.rstrip() for line in log.splitlines() if line.strip() and not re.match(r"\s+(at |\.\.\. \d+ more)", line)]
    telling = [line for line in lines if re.search(r"\bERROR\b|\bWARN\b|Caused by|Exception|\bError\b", line)]
    return "\n".join(f"  {line[:300]}" for line in (telling or lines)[-_LINES_SHOWN:])
