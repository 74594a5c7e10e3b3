"""A local model service for tests and measurements: real sockets on loopback, replies as scripted. See ``server``."""

from __future__ import annotations

from tests.service.replies import (
    Cut,
    Received,
    Reply,
    calls_tools,
    error,
    ranks,
    says,
    vector_of,
    vectors,
)
from tests.service.server import Script, Service, serve

__all__ = [
    "Cut",
    "Received",
    "Reply",
    "Script",
    "Service",
    "calls_tools",
    "error",
    "ranks",
    "says",
    "serve",
    "vector_of",
    "vectors",
]
