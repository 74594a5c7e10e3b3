"""Commands about the managed local Neo4j: ``up``, ``down``, ``status``, ``browse``."""

from __future__ import annotations

import webbrowser
from typing import Annotated

import typer

from graphmem import server
from graphmem.cli.app import AsJson, app
from graphmem.cli.show import Waiting, as_json, line
from graphmem.errors import ConfigurationError
from graphmem.graph.queries import load_all
from graphmem.settings import Settings, from_environment


@app.command(epilog="Example: graphmem up")
def up(json: AsJson = False) -> None:
    """Start the managed local Neo4j, or attach to it if it runs."""
    settings = from_environment()
    _refuse_elsewhere(settings)
    with Waiting() as waiting:
        info = server.up(
            settings.home,
            server.ServerSettings(heap_mb=settings.heap_mb),
            cache=settings.cache,
            progress=waiting.bytes("fetching Neo4j"),
        )
    if json:
        as_json({"uri": info.uri, "user": info.user, "http_url": info.http_url, "pid": info.pid, "home": info.home})
        return
    line(f"Neo4j {server.NEO4J_VERSION} runs at {info.uri}, process {info.pid}, data in {info.home}")
    line("`graphmem browse` opens it in Neo4j Browser, `graphmem down` stops it")


@app.command(epilog="Example: graphmem down")
def down(json: AsJson = False) -> None:
    """Stop the managed local Neo4j."""
    settings = from_environment()
    _refuse_elsewhere(settings)
    stopped = server.down(settings.home)
    if json:
        as_json({"stopped": stopped, "home": settings.home})
    else:
        line("stopped" if stopped else f"there is no server running in {settings.home}")


@app.command(epilog="Example: graphmem status --json")
def status(json: AsJson = False) -> None:
    """Say whether the managed local Neo4j runs, and where."""
    settings = from_environment()
    if settings.neo4j_uri is not None:
        if json:
            as_json({"state": "configured", "uri": settings.neo4j_uri})
        else:
            line(f"configured: {settings.neo4j_uri} (GRAPHMEM_NEO4J_URI); the managed Neo4j is not used")
        return
    found = server.status(settings.home)
    if json:
        info = found.info
        as_json(
            {
                "state": found.state,
                "home": found.home,
                "uri": info and info.uri,
                "http_url": info and info.http_url,
                "pid": info and info.pid,
                "resident_mb": found.resident_mb,
            }
        )
        return
    where = f" at {found.info.uri}, process {found.info.pid}, {found.resident_mb} MB" if found.info else ""
    line(f"{found.state}{where}; data in {found.home}")


@app.command(epilog="Example: graphmem browse --query explore/changes")
def browse(
    query: Annotated[
        str | None,
        typer.Option("--query", "-q", help="A query file of cypher/explore to open, such as explore/changes."),
    ] = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Only print the address.")] = False,
    json: AsJson = False,
) -> None:
    """Print the address of Neo4j Browser and open it. The managed Neo4j is started if it does not run."""
    settings = from_environment()
    _refuse_elsewhere(settings)
    text = None
    if query is not None:
        queries = {name: each.text for name, each in load_all().items() if name.startswith("explore/")}
        if query not in queries:
            raise ConfigurationError(f"there is no query {query!r}; there are: " + ", ".join(sorted(queries)))
        text = queries[query]
    info = server.up(settings.home, server.ServerSettings(heap_mb=settings.heap_mb), cache=settings.cache)
    url = server.browse_url(info, text)
    if json:
        as_json({"url": url, "user": info.user, "password_file": server.password_file(settings.home)})
    else:
        line(url)
        line(f"user {info.user}, password in {server.password_file(settings.home)}", "dim")
    if not no_open:
        webbrowser.open(url)


def _refuse_elsewhere(settings: Settings) -> None:
    if settings.neo4j_uri is not None:
        raise ConfigurationError(
            f"GRAPHMEM_NEO4J_URI is {settings.neo4j_uri}, a server that graphmem does not manage; unset it to use the local one"
        )
