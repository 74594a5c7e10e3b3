"""Commands that search: ``search``, ``search-turns``, ``search-events``, ``grep-turns``, ``grep-events``, ``context``, ``profile``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from graphmem.cli.app import AsJson, AsOf, Namespace, SaidBy, app, opened_to_ask
from graphmem.cli.show import as_json, err, happened, line, moment, nothing, out, rerank_problem, shown
from graphmem.records import Hit
from graphmem.search import Context, EventHit, Everything, Hits

Query = Annotated[str, typer.Argument(help="A question or a few words, in any script.", show_default=False)]
Words = Annotated[str, typer.Argument(help="The very words, or with --regular an expression.", show_default=False)]
Since = Annotated[
    str | None, typer.Option("--since", help="Only what was said, or events that overlap, from then on: an ISO time.")
]
Until = Annotated[str | None, typer.Option("--until", help="Only before then.")]
Speaker = Annotated[str | None, typer.Option("--speaker", help="Only turns of this speaker.")]
Session = Annotated[str | None, typer.Option("--session", help="Only turns of this session.")]
AskedAt = Annotated[str | None, typer.Option("--asked-at", help="When it is asked, for words such as 'last month'.")]
Limit = Annotated[int, typer.Option("--limit", "-k", min=1, help="How many at most.")]
Explain = Annotated[bool, typer.Option("--explain", help="Show the parts of each score.")]
Regular = Annotated[bool, typer.Option("--regular", "-E", help="The text is a regular expression.")]
Case = Annotated[bool, typer.Option("--case", help="Upper and lower case differ.")]
Budget = Annotated[int, typer.Option("--budget", min=50, help="How many tokens at most.")]


@app.command(epilog='Example: graphmem search "pottery class" --namespace ana --explain')
def search(
    query: Query,
    namespace: Namespace = None,
    limit: Limit = 10,
    since: Since = None,
    until: Until = None,
    asked_at: AskedAt = None,
    explain: Explain = False,
    json: AsJson = False,
) -> None:
    """Find entities, properties, events and turns that bear on a question."""
    with opened_to_ask(namespace) as memory:
        found = memory.search(query, limit, since=since, until=until, asked_at=asked_at)
    _reranked(found, explain)
    if json:
        as_json(found)
        return
    if found.entities:
        line("entities  " + ", ".join(f"{hit.entity.name} ({hit.entity.type})" for hit in found.entities))
    if found.properties:
        line("properties  " + ", ".join(hit.name for hit in found.properties))
    for event in found.events:
        _event(event, explain)
    _turns(found.turns, explain)


@app.command("search-turns", epilog='Example: graphmem search-turns "pottery class" --namespace ana --since 2023-05-01')
def search_turns(
    query: Query,
    namespace: Namespace = None,
    limit: Limit = 10,
    since: Since = None,
    until: Until = None,
    speaker: Speaker = None,
    session: Session = None,
    said_by: SaidBy = None,
    asked_at: AskedAt = None,
    explain: Explain = False,
    json: AsJson = False,
) -> None:
    """Find the turns that bear on a question."""
    with opened_to_ask(namespace) as memory:
        hits = memory.search_turns(
            query, limit, since=since, until=until, speaker=speaker, session=session, said_by=said_by, asked_at=asked_at
        )
    _reranked(hits, explain)
    if json:
        as_json(hits)
    else:
        _turns(hits, explain)


@app.command("search-events", epilog='Example: graphmem search-events "moving house" --namespace ana')
def search_events(
    query: Query,
    namespace: Namespace = None,
    limit: Limit = 10,
    since: Since = None,
    until: Until = None,
    explain: Explain = False,
    json: AsJson = False,
) -> None:
    """Find the events that bear on a question, with the words they rest on."""
    with opened_to_ask(namespace) as memory:
        hits = memory.search_events(query, limit, since=since, until=until)
    if json:
        as_json(hits)
        return
    for hit in hits:
        _event(hit, explain)
    if not hits:
        line("nothing found", "yellow")


@app.command("grep-turns", epilog='Example: graphmem grep-turns "a bottle of .* wine" -E --namespace ana')
def grep_turns(
    words: Words,
    namespace: Namespace = None,
    limit: Limit = 50,
    regular: Regular = False,
    case: Case = False,
    since: Since = None,
    until: Until = None,
    speaker: Speaker = None,
    json: AsJson = False,
) -> None:
    """Find turns word for word, oldest first."""
    with opened_to_ask(namespace) as memory:
        found = memory.grep_turns(words, limit, regular=regular, case=case, since=since, until=until, speaker=speaker)
    nothing(found.matches, "no turn has these words")
    if json:
        as_json(found)
        return
    for match in found.matches:
        line(f"{match.turn.turn_id}  {match.turn.speaker}  {moment(match.turn.said_at)}", "bold")
        text = shown("       " + match.turn.text)
        for start, end in match.spans:
            text.stylize("reverse", start + 7, end + 7)
        out.print(text, soft_wrap=True)
    _incomplete(found.complete)


@app.command("grep-events", epilog="Example: graphmem grep-events Berlin --namespace ana")
def grep_events(
    words: Words,
    namespace: Namespace = None,
    limit: Limit = 50,
    regular: Regular = False,
    case: Case = False,
    since: Since = None,
    until: Until = None,
    json: AsJson = False,
) -> None:
    """Find events whose summary or quotation holds these very words."""
    with opened_to_ask(namespace) as memory:
        found = memory.grep_events(words, limit, regular=regular, case=case, since=since, until=until)
    if json:
        as_json(found)
        return
    happened(found.events, json)
    _incomplete(found.complete)


@app.command(epilog='Example: graphmem context "What should I know before I call Ana?" --budget 800 --namespace ana')
def context(
    query: Query,
    namespace: Namespace = None,
    budget: Budget = 1200,
    since: Since = None,
    until: Until = None,
    asked_at: AskedAt = None,
    json: AsJson = False,
) -> None:
    """Print a block of turns for the prompt of an agent of your own, within a budget of tokens."""
    with opened_to_ask(namespace) as memory:
        found = memory.context(query, budget, since=since, until=until, asked_at=asked_at)
    _reranked(found)
    if json:
        as_json(found)
    else:
        line(found.text)


@app.command(epilog="Example: graphmem profile Ana --budget 800 --namespace ana")
def profile(
    entity: Annotated[str, typer.Argument(help="Whom or what.", show_default=False)],
    namespace: Namespace = None,
    budget: Budget = 1200,
    as_of: AsOf = None,
    json: AsJson = False,
) -> None:
    """Print what is known of somebody or something, ready for a prompt: facts with dates, changes, events, quotations."""
    with opened_to_ask(namespace) as memory:
        found = memory.profile(entity, budget, as_of=as_of)
    if json:
        as_json(found)
    else:
        line(found.text)


def _reranked(found: Hits | Everything | Context, explain: bool = False) -> None:
    """Says on standard error what a reranker did: always where it failed, else where an explanation is asked for."""
    rerank_problem(found.rerank_problem)
    if explain and found.reranked_by is not None:
        err.print(shown(f"put in order by {found.reranked_by}", "dim"), soft_wrap=True)


def _turns(hits: Sequence[Hit], explain: bool) -> None:
    for hit in hits:
        line(f"{hit.score:.3f}  {hit.turn_id}  {hit.speaker}  {moment(hit.said_at)}", "bold")
        line(f"       {hit.text}")
        if explain:
            line("       " + "  ".join(f"{name} {value:.3f}" for name, value in hit.parts.items()), "dim")
    if not hits:
        line("no turn found", "yellow")


def _event(hit: EventHit, explain: bool) -> None:
    line(f"{hit.score:.3f}  event", "dim")
    happened([hit.event], json=False)
    if explain:
        line("       " + "  ".join(f"{name} {value:.3f}" for name, value in hit.parts.items()), "dim")


def _incomplete(complete: bool) -> None:
    if not complete:
        line("there are more, or not all could be looked at; narrow it by time or speaker", "yellow")
