"""A managed local Neo4j Community, without Docker: fetched once, started on demand, reachable from this machine only.

    info = up(default_home())       # starts it, or attaches to it; seconds
    ... connect to info.uri as info.user with info.password ...
    down(default_home())            # it survives the process that started it, so it is stopped on purpose

Nothing here speaks Bolt: a server is ready when it answers a query over HTTP.
"""

from __future__ import annotations

from graphmem.server.browse import browse_url
from graphmem.server.config import NEO4J_VERSION
from graphmem.server.home import default_home, password_file
from graphmem.server.process import ServerStatus, down, status, up
from graphmem.server.settings import ServerInfo, ServerSettings

__all__ = [
    "NEO4J_VERSION",
    "ServerInfo",
    "ServerSettings",
    "ServerStatus",
    "browse_url",
    "default_home",
    "down",
    "password_file",
    "status",
    "up",
]
