"""Commands that keep a memory in order: ``resolve``, ``reextract``, ``reembed``."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from graphmem.cli.app import AsJson, Namespace, app, failed, opened
from graphmem.cli.reading import show_report
from graphmem.cli.show import Waiting, as_json, line, quotation
from graphmem.ingest import IngestReport
from graphmem.ingest.pairs import LikelyPair
from graphmem.memory import Memory


@app.command(
    epilog='Example: graphmem resolve --same 1f0c… 77ab… --because "Liz is short for Elizabeth." --namespace ana'
)
def resolve(
    same: Annotated[
        tuple[str, str] | None, typer.Option("--same", help="Two entities are one.", metavar="ID ID")
    ] = None,
    distinct: Annotated[
        tuple[str, str] | None, typer.Option("--distinct", help="Two entities are two.", metavar="ID ID")
    ] = None,
    split: Annotated[str | None, typer.Option("--split", help="An entity that stands for two.", metavar="ID")] = None,
    turns: Annotated[
        list[str] | None,
        typer.Option("--turns", help="With --split: a turn that is about the other one; may be repeated."),
    ] = None,
    evidence: Annotated[
        list[str] | None, typer.Option("--evidence", help="With --split: a quotation (evidence_id); may be repeated.")
    ] = None,
    name: Annotated[str, typer.Option("--as", help="With --split: what the other one is called.")] = "",
    because: Annotated[str, typer.Option("--because", help="Why; the words are stored as a turn.")] = "",
    by: Annotated[str, typer.Option("--by", help="Who says so.")] = "user",
    limit: Annotated[int, typer.Option("--limit", help="How many pairs to show.")] = 20,
    namespace: Namespace = None,
    json: AsJson = False,
) -> None:
    """Show entities that could be one, with their evidence, and take decisions: asked for one by one at a terminal, or by an option."""
    if sum(option is not None for option in (same, distinct, split)) > 1:
        raise typer.BadParameter("give one of --same, --distinct and --split")
    with opened(namespace) as memory:
        pair = same or distinct
        if pair is not None:
            made = memory.decide(*pair, same=same is not None, because=because, by=by)
            as_json(made) if json else line(f"appended: {pair[0]} and {pair[1]} are {'one' if same else 'two'}")
        elif split is not None:
            parted = memory.split(split, name, [*(turns or ()), *(evidence or ())], because=because, by=by)
            as_json(parted) if json else line(
                f"{name} is {parted.entity}; {len(parted.restated)} statements are about it now"
            )
        else:
            found = memory.likely_pairs(limit=limit)
            as_json(found) if json else _ask(memory, found, by)


def _ask(memory: Memory, found: list[LikelyPair], by: str) -> None:
    """Shows pairs; at a terminal, asks about each."""
    for pair in found:
        line(f"{pair.one.entity.name} and {pair.other.entity.name}: {pair.because} ({pair.score:.2f})", "bold")
        for side in (pair.one, pair.other):
            line(f"  {side.entity.id}  {', '.join(side.entity.aliases)} ({side.entity.type}): {'; '.join(side.facts)}")
            for citation in side.quotations:
                quotation(citation)
        if sys.stdin.isatty():
            answer = typer.prompt("one and the same? (y, n, anything else to skip)", default="skip").strip().lower()
            if answer in ("y", "yes", "n", "no"):
                memory.decide(pair.one.entity.id, pair.other.entity.id, same=answer.startswith("y"), by=by)
    if not found:
        line("no two entities look like one", "yellow")


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


@app.command(epilog="Example: graphmem reembed (with GRAPHMEM_EMBEDDER=text-embedding-3-large, say)")
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
