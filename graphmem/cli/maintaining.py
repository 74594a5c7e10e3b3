"""Commands that keep a memory in order: ``reextract``, ``reembed``."""

from __future__ import annotations

from typing import Annotated

import typer

from graphmem.cli.app import AsJson, Namespace, app, failed, opened
from graphmem.cli.reading import show_report
from graphmem.cli.show import Waiting, as_json, line
from graphmem.ingest import IngestReport
from graphmem.memory import Memory


@app.command(epilog="Example: graphmem reextract --model --namespace ana")
def reextract(
    sessions: Annotated[
        list[str] | None,
        typer.Argument(help="Sessions, by their source's identifiers; all without.", show_default=False),
    ] = None,
    rules: Annotated[bool, typer.Option("--rules", help="Read by the rules.")] = False,
    model: Annotated[bool, typer.Option("--model", help="Read with the chat model of the settings.")] = False,
    namespace: Namespace = None,
    json: AsJson = False,
) -> None:
    """Read again what another extractor, or another version, has read; the new reading replaces the old, and --known-at shows it still.

    Corrections and retractions are carried over. Safe to stop and to repeat. Exit code 1 when anything failed.
    """
    if rules and model:
        raise typer.BadParameter("give --rules or --model, not both")
    with opened(namespace) as memory, Waiting() as waiting:
        extractor = "rules" if rules else "model" if model else None
        report = memory.reextract(extractor, sessions=sessions or (), progress=waiting.counts)
        waiting.done()
        if json:
            as_json({"ok": report.ok, "report": report})
        else:
            _show(report)
    if not report.ok:
        raise failed()


@app.command(epilog="Example: GRAPHMEM_EMBEDDER=text-embedding-3-large graphmem reembed")
def reembed(json: AsJson = False) -> None:
    """Move the database, all its namespaces, to the embedding model of the settings (GRAPHMEM_EMBEDDER).

    The old vectors are in use until all new ones are made. Safe to stop and to repeat: what is embedded already is not embedded again.
    """
    with Waiting() as waiting:
        fetching = waiting.bytes("fetching Neo4j and the model")
        moved = Memory.reembed(progress=waiting.counts, fetching=fetching)
        waiting.done()
    if json:
        as_json(moved)
    elif moved.before == moved.model:
        line(f"the database has vectors of {moved.model}; there is nothing to do")
    else:
        line(f"moved from {moved.before} to {moved.model}: {moved.vectors} vectors made")


def _show(report: IngestReport) -> None:
    if report.namespaces:
        show_report(report)
    else:
        line("nothing to read again: every extraction is this extractor's")
