"""``demo``: the bundled stories become a graph, and a few questions show what can be asked of it."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from graphmem import server
from graphmem.cli.app import AsJson, app, failed, opened
from graphmem.cli.asking import show_answer
from graphmem.cli.reading import show_report
from graphmem.cli.show import Waiting, as_json, line, out
from graphmem.errors import InputError
from graphmem.records import Answer

_PACKAGED = Path(__file__).resolve().parent.parent / "_stories"
_SIBLING = Path(__file__).resolve().parent.parent.parent / "tests" / "stories"

STORIES = {
    "ana": (
        "Ana moves, changes jobs and tastes",
        "2024-07-01",
        ("Where did Ana live before Lisbon?", "Where does Ana live now?", "When was Clara's wedding?"),
    ),
    "trip": (
        "Three friends plan a trip",
        "2024-09-10",
        (
            "Where was the group going to stay on 1 February 2024?",
            "Where is the group going to stay?",
            "Who else booked a flight besides Leah?",
        ),
    ),
    "support": (
        "A support case",
        "2024-03-05",
        (
            "How long is the warranty on the L2?",
            "Which firmware is on the printers now?",
            "What is the price of a Quillmark L2 printer?",
        ),
    ),
}
"""Namespace: what the story is, when its questions are asked, and the questions."""


def stories_folder() -> Path:
    """Where the sample stories are: in the installed package, else in the checkout. Raises InputError if in neither."""
    for folder in (_PACKAGED, _SIBLING):
        if folder.is_dir():
            return folder
    raise InputError(f"the sample stories are not at {_PACKAGED}; install graphmem again")


def started_as(script: str, environment: Mapping[str, str], here: Path) -> str:
    """How a command was started whose program is ``script``, so that it can be typed again: as it is found on the PATH, else by its path.

    ``environment`` has STARTED_AS where ``dev.py`` started it. ``uv run`` puts its own folder on the PATH, which is not there afterwards.
    """
    if "STARTED_AS" in environment:
        return environment["STARTED_AS"]
    if "UV_RUN_RECURSION_DEPTH" in environment:
        return "uv run graphmem"
    as_module = Path(script).name == "__main__.py"
    program = Path(os.path.abspath(sys.executable if as_module else script))
    found = shutil.which(program.name, path=environment.get("PATH", ""))
    if found is not None and os.path.abspath(found) == str(program):
        shown = program.name
    else:
        shown = shlex.quote(str(program.relative_to(here) if program.is_relative_to(here) else program))
    return f"{shown} -m graphmem" if as_module else shown


@app.command(epilog="Example: graphmem demo")
def demo(json: AsJson = False) -> None:
    """Ingest three sample stories, ask each a few questions, and say where to look at the graph."""
    folder = stories_folder()
    ok = True
    answers: dict[str, list[Answer]] = {}
    with opened() as memory, Waiting() as waiting:
        for name, (title, asked_at, questions) in STORIES.items():
            namespace = f"demo-{name}"
            report = memory.ingest(folder / f"{name}.jsonl", namespace=namespace, progress=waiting.counts)
            waiting.done()
            ok = ok and report.ok
            if not json:
                out.rule(title)
                show_report(report)
            for question in questions:
                answer = memory.ask(question, namespace=namespace, asked_at=asked_at)
                answers.setdefault(name, []).append(answer)
                if not json:
                    line("")
                    line(question, "cyan")
                    show_answer(answer)
        url = server.browse_url(memory.server) if memory.server is not None else None
    if json:
        as_json({"ok": ok, "answers": answers, "browser": url})
    else:
        command = started_as(sys.argv[0], os.environ, Path.cwd())
        line("")
        line(f'Ask more: {command} ask "What changed for Ana in 2023?" --namespace demo-ana')
        if url is None:
            line("See the graph: open your server in Neo4j Browser")
        else:
            line(f"See the graph in Neo4j Browser: {url} (`{command} browse` shows user and password)")
    if not ok:
        raise failed()
