"""Commands about what happened: ``events``, ``count``, ``first``, ``last``, ``between``, ``before``, ``after``, ``overlapping``."""

from __future__ import annotations

from typing import Annotated

import typer

from graphmem.cli.app import AsJson, KnownAt, Namespace, SaidBy, app, opened_to_ask
from graphmem.cli.show import as_json, entries, happened, line

Subject = Annotated[str | None, typer.Argument(help="Whose; everyone's without it.", show_default=False)]
Of = Annotated[str | None, typer.Option("--subject", help="Whose; everyone's without it.")]
Verb = Annotated[list[str] | None, typer.Option("--verb", help="Only events with this verb. Repeatable.")]
Word = Annotated[list[str] | None, typer.Option("--word", help="Only events with this word. Repeatable.")]
Since = Annotated[str | None, typer.Option("--since", help="Only what overlaps the time from then on.")]
Until = Annotated[str | None, typer.Option("--until", help="Only what overlaps the time before then.")]
Limit = Annotated[int, typer.Option("--limit", "-k", min=1, help="How many at most.")]
When = Annotated[
    str, typer.Argument(help="An ISO time, an event's identifier, or words that describe an event.", show_default=False)
]


@app.command(epilog="Example: graphmem events Ana --verb move --namespace ana")
def events(
    subject: Subject = None,
    verb: Verb = None,
    word: Word = None,
    since: Since = None,
    until: Until = None,
    namespace: Namespace = None,
    said_by: SaidBy = None,
    known_at: KnownAt = None,
    json: AsJson = False,
) -> None:
    """Show events in the order in which they began, those without a time last."""
    with opened_to_ask(namespace) as memory:
        found = memory.events(
            subject, verbs=verb or (), words=word or (), since=since, until=until, said_by=said_by, known_at=known_at
        )
    happened(found, json)


@app.command(epilog="Example: graphmem count Ana --verb run --since 2023-01-01 --until 2024-01-01 --namespace ana")
def count(
    subject: Subject = None,
    verb: Verb = None,
    word: Word = None,
    since: Since = None,
    until: Until = None,
    namespace: Namespace = None,
    said_by: SaidBy = None,
    known_at: KnownAt = None,
    json: AsJson = False,
) -> None:
    """Count events; one that was told twice counts once."""
    with opened_to_ask(namespace) as memory:
        number = memory.count(
            subject, verbs=verb or (), words=word or (), since=since, until=until, said_by=said_by, known_at=known_at
        )
    if json:
        as_json({"count": number})
    else:
        line(str(number))


@app.command(epilog="Example: graphmem first Ana --verb visit --namespace ana")
def first(
    subject: Subject = None,
    verb: Verb = None,
    word: Word = None,
    since: Since = None,
    until: Until = None,
    limit: Limit = 1,
    namespace: Namespace = None,
    said_by: SaidBy = None,
    known_at: KnownAt = None,
    json: AsJson = False,
) -> None:
    """Show the first event that fits."""
    with opened_to_ask(namespace) as memory:
        found = memory.first(
            subject,
            verbs=verb or (),
            words=word or (),
            since=since,
            until=until,
            limit=limit,
            said_by=said_by,
            known_at=known_at,
        )
    happened(found, json)


@app.command(epilog="Example: graphmem last Ana --word doctor --namespace ana")
def last(
    subject: Subject = None,
    verb: Verb = None,
    word: Word = None,
    since: Since = None,
    until: Until = None,
    limit: Limit = 1,
    namespace: Namespace = None,
    said_by: SaidBy = None,
    known_at: KnownAt = None,
    json: AsJson = False,
) -> None:
    """Show the last event that fits."""
    with opened_to_ask(namespace) as memory:
        found = memory.last(
            subject,
            verbs=verb or (),
            words=word or (),
            since=since,
            until=until,
            limit=limit,
            said_by=said_by,
            known_at=known_at,
        )
    happened(found, json)


@app.command(epilog="Example: graphmem between 2023-03-01 2023-06-01 --subject Ana --namespace ana")
def between(
    since: Annotated[str, typer.Argument(help="From when: an ISO date or time.", show_default=False)],
    until: Annotated[str, typer.Argument(help="Until before when.", show_default=False)],
    subject: Of = None,
    namespace: Namespace = None,
    said_by: SaidBy = None,
    known_at: KnownAt = None,
    json: AsJson = False,
) -> None:
    """Show facts that held and events that happened at some time between two times."""
    with opened_to_ask(namespace) as memory:
        found = memory.between(since, until, subject, said_by=said_by, known_at=known_at)
    entries(found, json)


@app.command(epilog='Example: graphmem before "Ana moved to Lisbon" --subject Ana --namespace ana')
def before(
    when: When,
    subject: Of = None,
    limit: Limit = 20,
    namespace: Namespace = None,
    said_by: SaidBy = None,
    known_at: KnownAt = None,
    json: AsJson = False,
) -> None:
    """Show what was so and what had happened before a time or an event, the nearest first."""
    with opened_to_ask(namespace) as memory:
        found = memory.before(when, subject, limit=limit, said_by=said_by, known_at=known_at)
    entries(found, json)


@app.command(epilog='Example: graphmem after "Ana moved to Lisbon" --subject Ana --namespace ana')
def after(
    when: When,
    subject: Of = None,
    limit: Limit = 20,
    namespace: Namespace = None,
    said_by: SaidBy = None,
    known_at: KnownAt = None,
    json: AsJson = False,
) -> None:
    """Show what was so and what happened after a time or an event, the nearest first."""
    with opened_to_ask(namespace) as memory:
        found = memory.after(when, subject, limit=limit, said_by=said_by, known_at=known_at)
    entries(found, json)


@app.command(epilog='Example: graphmem overlapping "the week in Slovenia" --namespace trip')
def overlapping(
    event: Annotated[str, typer.Argument(help="An event's identifier, or words that describe it.", show_default=False)],
    subject: Of = None,
    namespace: Namespace = None,
    said_by: SaidBy = None,
    known_at: KnownAt = None,
    json: AsJson = False,
) -> None:
    """Show what was so and what else happened while an event lasted."""
    with opened_to_ask(namespace) as memory:
        found = memory.overlapping(event, subject, said_by=said_by, known_at=known_at)
    entries(found, json)
