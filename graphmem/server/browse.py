"""The address of Neo4j Browser, opened on a server and, if wanted, with a query in its editor."""

from __future__ import annotations

from urllib.parse import quote, urlencode

from graphmem.server.settings import ServerInfo


def browse_url(info: ServerInfo, query: str | None = None) -> str:
    """The Browser page of a running server, with the connection filled in; the password is not part of it."""
    fields = {"dbms": f"bolt://{info.user}@{info.uri.removeprefix('bolt://')}", "db": "neo4j"}
    if query is not None:
        fields |= {"cmd": "edit", "arg": query}
    return f"{info.http_url}/browser/?{urlencode(fields, quote_via=quote)}"
