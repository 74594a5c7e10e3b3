"""No test can reach a paid service: while a test runs, connections leave this machine only to the Neo4j that the run was given, and no
key is in the environment, so that programs that a test starts have none either.

Fixtures of the session (which may fetch artifacts) are set up before, and are free.
"""

from __future__ import annotations

import ipaddress
import os
import socket
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import pytest


class LeftTheMachine(AssertionError):
    """A test tried to connect to another machine."""


@cache
def allowed_addresses() -> frozenset[str]:
    """The addresses of the Neo4j given by GRAPHMEM_TEST_NEO4J_URI, if one is."""
    host = urlsplit(os.environ.get("GRAPHMEM_TEST_NEO4J_URI", "")).hostname
    return frozenset(str(found[4][0]) for found in socket.getaddrinfo(host, None)) if host else frozenset()


def stays_here(address: Any) -> bool:
    """Whether a socket address is on this machine (loopback, or a socket in the file system) or is the Neo4j that was given."""
    if not isinstance(address, tuple):
        return True
    host = str(address[0])
    if host in ("", "localhost") or host in allowed_addresses():
        return True
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False


@pytest.fixture(autouse=True)
def only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections to other machines fail, and keys are taken out of the environment."""
    for name in [name for name in os.environ if name.endswith(("_API_KEY", "_API_TOKEN"))]:
        monkeypatch.delenv(name)
    for method in ("connect", "connect_ex"):
        original = getattr(socket.socket, method)

        def guarded(self: socket.socket, address: Any, original: Any = original) -> Any:
            if not stays_here(address):
                raise LeftTheMachine(
                    f"a test tried to connect to {address}; tests reach loopback only (tests/service/guard.py)"
                )
            return original(self, address)

        monkeypatch.setattr(socket.socket, method, guarded)
