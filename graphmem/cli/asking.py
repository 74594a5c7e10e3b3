"""Commands that ask: ``ask``, ``facts``, ``timeline``, ``cypher``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, TypedDict

import typer

from graphmem.answer.agent import AgentStep, Concluded, Observed, Planned, Seeded, Told, save
from graphmem.cli.app import AsJson, AsOf, KnownAt, Namespace, SaidBy, app, opened_to_ask
from graphmem.cli.cells import cell
from graphmem.cli.show import (
    as_json,
    entries,
    err,
    line,
    moment,
    note,
    out,
    period,
    quotation,
    rerank_problem,
    shortened,
    show_fact,
    stated,
    table,
    zone_of,
)
from graphmem.errors import ConfigurationError
from graphmem.records import Answer


class Times(TypedDict):
    """The times that a question is about, as a person gives them."""

    as_of: str | None
    said_by: str | None
    known_at: str | None
    asked_at: str | None


@app.command(epilog='Example: graphmem ask "Where did Ana live before Lisbon?" --namespace ana')
def ask(
    question: Annotated[str, typer.Argument(help="The question, in plain words.", show_default=False)],
    namespace: Namespace = None,
    as_of: AsOf = None,
    said_by: SaidBy = None,
    known_at: KnownAt = None,
    asked_at: Annotated[
        str | None, typer.Option("--asked-at", help="When the question is asked, for 'a year ago'; now without it.")
    ] = None,
    steps: Annotated[
        bool, typer.Option("--steps", help="Show the plan and each call of the model, also where this is no terminal.")
    ] = False,
    save_trace: Annotated[
        Path | None, typer.Option("--save-trace", help="Write all that the model planned, called and saw to this file.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Answer a question, with the words the answer rests on. Exit code 0 also when the memory does not say.

    With a chat model its steps are shown on standard error as they come, on a terminal or with --steps.
    """
    times = Times(as_of=as_of, said_by=said_by, known_at=known_at, asked_at=asked_at)
    shown = steps or (err.is_terminal and not json)
    with opened_to_ask(namespace) as memory:
        if memory.settings.chat_model is None:
            if save_trace is not None:
                raise ConfigurationError(
                    "--save-trace: without a chat model there is no trace; set GRAPHMEM_CHAT_MODEL"
                )
            answer = memory.ask(question, **times)
            if steps:
                planned(answer.details["plan"])
        else:
            answer = followed(memory.ask_steps(question, **times), shown)
    if save_trace is not None:
        save(answer.details["trace"], save_trace)
    rerank_problem(answer.details.get("rerank_problem"))
    if json:
        as_json(answer)
    else:
        show_answer(answer)


def followed(steps: Iterable[AgentStep], shown: bool) -> Answer:
    """The answer at the end of the steps, each of which is shown on standard error as it comes."""
    answer = None
    for step in steps:
        if isinstance(step, Concluded):
            answer = step.answer
        elif shown:
            show_step(step)
    assert answer is not None
    return answer


def show_step(step: AgentStep) -> None:
    """Prints a step in a line or a few: the plan, what was called and found, what the model was told."""
    if isinstance(step, Planned):
        planned(step.plan.bullets)
    elif isinstance(step, Seeded):
        note(f"first retrieval: {step.rows} rows")
    elif isinstance(step, Observed):
        found = f"{step.rows} rows" if step.outcome == "rows" else step.outcome
        note(f"{step.number}. {step.call.tool} {shortened(step.call.arguments)}: {found}, {step.seconds:.1f} s")
    elif isinstance(step, Told):
        note(f"told ({step.why}): {shortened(step.text)}")


def planned(bullets: Sequence[str]) -> None:
    """Prints a plan."""
    note("plan:")
    for each in bullets:
        note(f"  - {each}")


def show_answer(answer: Answer) -> None:
    """Prints an answer and its quotations, and how much of the memory it has not seen."""
    line(answer.text, "bold" if answer.found else "yellow")
    for citation in answer.citations:
        quotation(citation)
    for fact in answer.facts:
        if "trace" in answer.details:  # rules say it in the text already
            line(f"  {fact.subject} {stated(fact.property)} {fact.value}  {period(fact.valid, zone_of(fact))}", "dim")
        for lost in fact.conflicts:
            line(
                f"  against: {lost.property.replace('_', ' ')} {lost.value}, said {moment(lost.asserted_at)}", "yellow"
            )
    read = answer.details.get("coverage", {})
    if read and (read["read"] < read["turns"] or read["read_now"]):
        now = f", {read['read_now']} of them for this question" if read["read_now"] else ""
        rest = "; the rest is found by its words only" if read["read"] < read["turns"] else ""
        line(f"  {read['read']} of {read['turns']} turns are read{now}{rest}", "dim")
    for problem in read.get("problems", ()):
        line(f"  could not be read: {problem}", "yellow")


@app.command(epilog="Example: graphmem facts Ana lives_in --as-of 2023-05-01 --namespace ana")
def facts(
    subject: Annotated[str | None, typer.Argument(help="Whose; everyone's without it.", show_default=False)] = None,
    property: Annotated[str | None, typer.Argument(help="Which property; all without it.", show_default=False)] = None,
    namespace: Namespace = None,
    as_of: AsOf = None,
    said_by: SaidBy = None,
    known_at: KnownAt = None,
    history: Annotated[
        bool, typer.Option("--history", help="Every period of every value, not only what holds.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Show what holds of somebody or something, at the times asked for, with the words it rests on."""
    if history and as_of is not None:
        raise typer.BadParameter("give --history for every period, or --as-of for what held at a time, not both")
    with opened_to_ask(namespace) as memory:
        if history:
            found = memory.history(subject, property, said_by=said_by, known_at=known_at)
            unknown: tuple[str, ...] = ()
        else:
            result = memory.facts(subject, property, as_of=as_of, said_by=said_by, known_at=known_at)
            found = result.facts
            unknown = tuple(
                f"{each.subject} {each.property} {each.value}: not known before {moment(each.since)}"
                for each in result.not_known_before
            )
    if json:
        as_json({"facts": found, "not_known_before": unknown})
        return
    for fact in found:
        show_fact(fact)
    for text in unknown:
        line(text, "yellow")
    if not found and not unknown:
        line("nothing is known", "yellow")


@app.command(epilog="Example: graphmem timeline Ana --since 2023-01-01 --until 2024-01-01 --namespace ana")
def timeline(
    subject: Annotated[str | None, typer.Argument(help="Whose; everyone's without it.", show_default=False)] = None,
    namespace: Namespace = None,
    since: Annotated[str | None, typer.Option("--since", help="Only what overlaps the time from then on.")] = None,
    until: Annotated[str | None, typer.Option("--until", help="Only what overlaps the time before then.")] = None,
    said_by: SaidBy = None,
    known_at: KnownAt = None,
    json: AsJson = False,
) -> None:
    """Show facts and events in order of when they held or happened."""
    with opened_to_ask(namespace) as memory:
        found = memory.timeline(subject, since=since, until=until, said_by=said_by, known_at=known_at)
    entries(found, json)


@app.command(epilog='Example: graphmem cypher "MATCH (e:Entity) RETURN e.name, e.type LIMIT 5" --namespace ana')
def cypher(
    query: Annotated[
        str, typer.Argument(help="A reading Cypher query over the documented labels.", show_default=False)
    ],
    namespace: Namespace = None,
    json: AsJson = False,
) -> None:
    """Run a read-only Cypher query within one namespace. Exit code 1, with the reason, when it is refused.

    Arrows that run against the schema are turned, and standard error says which; and, where nothing was found, what the graph does not
    have of that which the query names.
    """
    with opened_to_ask(namespace) as memory:
        result = memory.cypher(query)
    if json:
        rows = [dict(zip(result.columns, row, strict=True)) for row in result.rows]
        as_json({"columns": result.columns, "rows": rows, "truncated": result.truncated, "notices": result.notices})
        return
    for each in result.notices:
        note(each)
    table(result.columns, ([cell(value) for value in row] for row in result.rows))
    if result.truncated:
        out.print("… cut at the limit of rows or bytes; ask for less", style="yellow")
