"""Commands about how things came about, and about changing one's mind: ``changed``, ``conflicts``, ``denials``, ``diff``, ``gaps``,
``how-long``, ``entities``, ``properties``, ``correct``, ``retract``."""

from __future__ import annotations

from typing import Annotated

import typer

from graphmem.cli.app import AsJson, AsOf, KnownAt, Namespace, SaidBy, app, opened, opened_to_ask
from graphmem.cli.show import as_json, line, moment, nothing, quotation, show_fact, stated, table
from graphmem.graph.correct import Correction
from graphmem.records import FactView

Subject = Annotated[str | None, typer.Argument(help="Whose; everyone's without it.", show_default=False)]
Property = Annotated[str | None, typer.Argument(help="Which property; all without it.", show_default=False)]
FactId = Annotated[
    str, typer.Argument(help="The fact's identifier, as `graphmem facts --json` shows it.", show_default=False)
]
Says = Annotated[str, typer.Option("--says", help="The words the change rests on; they are stored as a turn.")]
By = Annotated[str, typer.Option("--by", help="Who says so.")]
SaidAt = Annotated[str | None, typer.Option("--said-at", help="When it was said; now without it.")]


@app.command(epilog="Example: graphmem changed Ana lives_in --namespace ana")
def changed(
    subject: Subject = None,
    property: Property = None,
    since: Annotated[str | None, typer.Option("--since", help="Only changes from then on.")] = None,
    until: Annotated[str | None, typer.Option("--until", help="Only changes before then.")] = None,
    namespace: Namespace = None,
    said_by: SaidBy = None,
    known_at: KnownAt = None,
    json: AsJson = False,
) -> None:
    """Show when something changed, from what to what."""
    with opened_to_ask(namespace) as memory:
        found = memory.changed(subject, property, since=since, until=until, said_by=said_by, known_at=known_at)
    nothing(found, "nothing changed")
    if json:
        as_json(found)
        return
    for each in found:
        fact = each.after or each.before
        if fact is None:
            continue
        values = f"{_value(each.before)} → {_value(each.after)}"
        where = fact.evidence[0].said_at.tzinfo if fact.evidence else None
        line(f"{moment(each.at.astimezone(where))}  {fact.subject} {stated(fact.property)}: {values}", "bold")
        for citation in fact.evidence[:1]:
            quotation(citation)


@app.command(epilog="Example: graphmem conflicts Ana --namespace ana")
def conflicts(
    subject: Subject = None,
    property: Property = None,
    namespace: Namespace = None,
    said_by: SaidBy = None,
    known_at: KnownAt = None,
    json: AsJson = False,
) -> None:
    """Show statements that overlap and disagree, with the words of both, and which one the order of trust prefers."""
    with opened_to_ask(namespace) as memory:
        found = memory.conflicts(subject, property, said_by=said_by, known_at=known_at)
    nothing(found, "no statements disagree")
    if json:
        as_json(found)
        return
    for each in found:
        line(
            f"{each.preferred.subject} {stated(each.preferred.property)}: {each.preferred.value}, because of {each.because}",
            "bold",
        )
        for citation in each.preferred.evidence:
            quotation(citation)
        line(f"  against {each.other.value}", "yellow")
        for citation in each.other.evidence:
            quotation(citation)


@app.command(epilog="Example: graphmem denials Ana --namespace ana")
def denials(
    subject: Subject = None,
    property: Property = None,
    namespace: Namespace = None,
    as_of: AsOf = None,
    said_by: SaidBy = None,
    known_at: KnownAt = None,
    json: AsJson = False,
) -> None:
    """Show what is said not to hold, or not any more, with the words that say so."""
    with opened_to_ask(namespace) as memory:
        found = memory.denials(subject, property, as_of=as_of, said_by=said_by, known_at=known_at)
    if json:
        as_json(found)
        return
    for fact in found:
        show_fact(fact)
    if not found:
        line("nothing is denied", "yellow")


@app.command(epilog="Example: graphmem diff 2026-01-01 2026-02-01 --namespace ana")
def diff(
    earlier: Annotated[str, typer.Argument(help="A time of the memory: an ISO date or time.", show_default=False)],
    later: Annotated[str, typer.Argument(help="A later one.", show_default=False)],
    namespace: Namespace = None,
    said_by: SaidBy = None,
    json: AsJson = False,
) -> None:
    """Show what the memory learned between two of its own times."""
    with opened_to_ask(namespace) as memory:
        found = memory.diff(earlier, later, said_by=said_by)
    if json:
        as_json(found)
        return
    line(
        f"{found.turns} turns, {len(found.events)} events, {len(found.facts)} facts, {len(found.undone)} undone", "bold"
    )
    for fact in found.facts:
        show_fact(fact)
    for event in found.events:
        line(event.summary)
    for each in found.undone:
        what = each.fact.value if each.fact is not None else each.event.summary if each.event is not None else ""
        line(f"no longer stands: {what}", "yellow")


@app.command(epilog="Example: graphmem gaps Ana works_at --namespace ana")
def gaps(
    subject: Subject = None,
    property: Property = None,
    namespace: Namespace = None,
    said_by: SaidBy = None,
    known_at: KnownAt = None,
    json: AsJson = False,
) -> None:
    """Show stretches between two values in which none is known to have held."""
    with opened_to_ask(namespace) as memory:
        found = memory.gaps(subject, property, said_by=said_by, known_at=known_at)
    nothing(found, "there is no gap")
    if json:
        as_json(found)
        return
    table(
        ("from", "to", "whose", "what", "before", "after"),
        [(g.since, g.until, g.before.subject, stated(g.before.property), g.before.value, g.after.value) for g in found],
    )


@app.command("how-long", epilog="Example: graphmem how-long Ana lives_in --as-of 2024-01-01 --namespace ana")
def how_long(
    subject: Subject = None,
    property: Property = None,
    namespace: Namespace = None,
    as_of: AsOf = None,
    said_by: SaidBy = None,
    known_at: KnownAt = None,
    json: AsJson = False,
) -> None:
    """Show how long each value held: in days, with --json in seconds."""
    with opened_to_ask(namespace) as memory:
        found = memory.how_long(subject, property, as_of=as_of, said_by=said_by, known_at=known_at)
    nothing(found, "nothing is known to have held")
    if json:
        as_json(found)
        return
    for each in found:
        days = each.length.total_seconds() / 86400
        least = "at least " if each.at_least else ""
        line(f"{each.fact.subject} {stated(each.fact.property)} {each.fact.value}: {least}{days:.0f} days", "bold")
        for citation in each.fact.evidence[:1]:
            quotation(citation)


@app.command(epilog="Example: graphmem entities Clara --namespace ana")
def entities(
    name: Annotated[
        str | None, typer.Argument(help="One of its names; all entities without it.", show_default=False)
    ] = None,
    namespace: Namespace = None,
    json: AsJson = False,
) -> None:
    """Show entities with their names, the most mentioned first."""
    with opened_to_ask(namespace) as memory:
        found = memory.entities(name)
    if json:
        as_json(found)
        return
    table(
        ("name", "type", "facts", "events", "names"),
        [(each.name, each.type, each.facts, each.events, ", ".join(each.aliases)) for each in found],
    )


@app.command(epilog="Example: graphmem properties Ana --namespace ana")
def properties(subject: Subject = None, namespace: Namespace = None, json: AsJson = False) -> None:
    """Show of which properties something is known, the most used first."""
    with opened_to_ask(namespace) as memory:
        found = memory.properties(subject)
    if json:
        as_json(found)
        return
    table(
        ("property", "values", "type", "facts", "subjects"),
        [
            (p.name, "one at a time" if p.cardinality == "one" else "many", p.value_type, p.facts, p.subjects)
            for p in found
        ],
    )


@app.command(epilog='Example: graphmem correct 4f0c… Porto --says "No, I never left Porto." --by Ana --namespace ana')
def correct(
    fact: FactId,
    value: Annotated[str, typer.Argument(help="The right value.", show_default=False)],
    says: Says,
    by: By = "user",
    said_at: SaidAt = None,
    since: Annotated[str | None, typer.Option("--since", help="Since when the right value holds.")] = None,
    until: Annotated[str | None, typer.Option("--until", help="Until when it held.")] = None,
    namespace: Namespace = None,
    json: AsJson = False,
) -> None:
    """Append a person's correction of a fact. What was corrected stays, and no longer counts."""
    with opened(namespace) as memory:
        made = memory.correct(fact, value, says=says, by=by, said_at=said_at, since=since, until=until)
    _corrected(made, json)


@app.command(epilog='Example: graphmem retract 4f0c… --says "That was a joke." --by Ana --namespace ana')
def retract(
    fact: FactId, says: Says, by: By = "user", said_at: SaidAt = None, namespace: Namespace = None, json: AsJson = False
) -> None:
    """Append that a fact was wrong. It stays, and no longer counts."""
    with opened(namespace) as memory:
        made = memory.retract(fact, says=says, by=by, said_at=said_at)
    _corrected(made, json)


def _corrected(made: Correction, json: bool) -> None:
    if json:
        as_json({"fact_id": made.fact_id, "undone": made.undone, "added": made.committed.counts})
    else:
        line(f"appended as {made.fact_id}; {len(made.undone)} statements no longer count")


def _value(fact: FactView | None) -> str:
    return "nothing known" if fact is None else fact.value
