"""The service by itself, for measurements and for trying things out: ``python -m tests.service replies.jsonl``.

Each line of the file is the JSON of one chat reply's content; they are given out in order, again from the start after the last. Without a
file each chat request is answered with ``{}``. Prints the base URL, and at the end (Ctrl-C) how many requests came.
"""

from __future__ import annotations

import itertools
import sys
import threading
from pathlib import Path

from tests.service import Received, Reply, says, serve


def main(files: list[str]) -> None:
    """Serves until it is interrupted."""
    lines = [line for file in files for line in Path(file).read_text(encoding="utf-8").splitlines() if line.strip()]
    replies = itertools.cycle(lines or ["{}"])
    lock = threading.Lock()

    def answer(_: Received) -> Reply:
        with lock:
            return says(next(replies))

    with serve(answer) as service:
        print(service.base_url, flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print(f"{len(service.requests)} requests, {service.most_at_once} at once at most")


if __name__ == "__main__":
    main(sys.argv[1:])
