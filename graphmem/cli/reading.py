"""Commands that bring transcripts in and check what is there: ``ingest``, ``namespaces``, ``verify``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from graphmem import transcripts
from graphmem.cli.app import AsJson, Namespace, app, failed, opened, opened_to_ask
from graphmem.cli.show import Waiting, as_json, line, moment, problems, table
from graphmem.ingest import IngestReport
from graphmem.ingest.estimate import Estimate
from graphmem.settings import from_environment


@app.command(epilog="Example: graphmem ingest transcripts/ --namespace ana")
def ingest(
    path: Annotated[Path, typer.Argument(help="A transcript, or a folder of them.", show_default=False)],
    namespace: Namespace = None,
    preview: Annotated[
        bool, typer.Option("--preview", help="Only show what would be read; needs no database.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only estimate windows, calls, tokens and cost; asks and writes nothing.")
    ] = False,
    lazy: Annotated[
        bool, typer.Option("--lazy", help="Store and embed turns; they are read when a question needs them.")
    ] = False,
    max_calls: Annotated[
        int | None, typer.Option("--max-calls", help="Stop before more calls than this; the next run goes on.")
    ] = None,
    max_cost: Annotated[
        float | None, typer.Option("--max-cost", help="Stop before more US dollars than this; the next run goes on.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Read transcripts and append what is new of them. Safe to repeat. Exit code 1 when anything was skipped or failed, or a limit was
    reached before the end."""
    if preview:
        _preview(path, namespace, json)
        return
    with opened(namespace, max_calls=max_calls, max_cost=max_cost) as memory, Waiting() as waiting:
        if dry_run:
            show_estimate(memory.estimate(path), json)
            return
        report = memory.ingest(path, lazy=lazy, progress=waiting.counts)
        waiting.done()
        if json:
            as_json({"ok": report.ok, "report": report})
        else:
            show_report(report)
    if not report.ok:
        raise failed()


def show_report(report: IngestReport) -> None:
    """Prints what an ingestion added, skipped and failed."""
    columns = ("namespace", "new turns", "known", "revised", "windows", "entities", "events", "facts")
    rows = [
        (
            each.namespace,
            each.turns_new,
            each.turns_known,
            each.turns_revised,
            each.windows_added,
            each.added.get("Entity", 0),
            each.added.get("Event", 0),
            each.added.get("Fact", 0),
        )
        for each in report.namespaces
    ]
    table(columns, rows)
    if report.usage.get("calls"):
        used = report.usage
        roles = ", ".join(f"{role} {used.get(f'{role}_calls', 0)}" for role in ("extract", "resolve"))
        tokens = f"{used.get('prompt_tokens', 0):,} prompt and {used.get('completion_tokens', 0):,} completion tokens"
        line(f"{used['calls']} calls ({roles}), {used.get('retries', 0)} of them repeated; {tokens}", "dim")
    line("; ".join(f"{stage} {seconds:.1f} s" for stage, seconds in report.seconds.items()), "dim")
    others = report.total("turns_read_by_others")
    if others:
        line(
            f"{others} turns were read by another extractor; `graphmem reextract` reads them again by this one",
            "yellow",
        )
    problems("revised", report.revised)
    problems("skipped", report.skipped)
    problems("failed", report.failed)


def show_estimate(found: Estimate, json: bool) -> None:
    """Prints what an ingestion would cost."""
    if json:
        as_json(found)
        return
    line(
        f"{found.turns_new} of {found.turns} turns are new; {found.turns_to_read} are to be read, in {found.windows} windows"
    )
    if found.seconds is not None:
        line(f"read by rules: no calls and no cost, about {found.seconds:.0f} s")
        return
    cost = "at a price that is not known here" if found.cost is None else f"about ${found.cost:.2f}"
    line(
        f"read by {' and '.join(found.models)}: at most {found.calls} calls, about {found.prompt_tokens:,} prompt and "
        f"{found.completion_tokens:,} completion tokens, {cost}"
    )


def _preview(path: Path, namespace: str | None, json: bool) -> None:
    settings = from_environment().with_changes(namespace=namespace)
    read = transcripts.read(path, settings.namespace, settings.tzinfo)
    if json:
        as_json(
            {"ok": not read.problems, "formats": read.formats, "namespaces": read.namespaces, "problems": read.problems}
        )
    else:
        line(
            ", ".join(f"{count} × {name}" for name, count in sorted(read.formats.items()))
            or "nothing that is a transcript"
        )
        table(
            ("namespace", "sessions", "turns", "first", "last", "speakers"),
            [
                (
                    each.namespace,
                    each.sessions,
                    each.turns,
                    moment(each.first),
                    moment(each.last),
                    ", ".join(each.speakers),
                )
                for each in read.namespaces
            ],
        )
        problems("would be skipped", read.problems)
    if read.problems:
        raise failed()


@app.command(epilog="Example: graphmem namespaces --json")
def namespaces(json: AsJson = False) -> None:
    """List the namespaces of the database with their size."""
    with opened() as memory:
        found = memory.namespaces()
    if json:
        as_json(found)
        return
    table(
        ("namespace", "sessions", "turns", "entities", "events", "facts", "first", "last"),
        [
            (n.namespace, n.sessions, n.turns, n.entities, n.events, n.facts, moment(n.first), moment(n.last))
            for n in found
        ],
    )


@app.command(epilog="Example: graphmem verify --namespace ana")
def verify(namespace: Namespace = None, json: AsJson = False) -> None:
    """Re-read every quotation against its turn and the ledger's chain of digests. Exit code 1 when anything is not as it was written."""
    with opened_to_ask(namespace) as memory:
        found = memory.verify()
    if json:
        as_json({"ok": found.ok, "verification": found})
    else:
        line(
            f"{found.namespace}: {found.quotations} quotations, {found.commits} commits, {found.nodes} nodes, "
            f"{found.edges} relationships: " + ("all as written" if found.ok else f"{len(found.problems)} problems")
        )
        problems("problems", found.problems)
    if not found.ok:
        raise failed()
