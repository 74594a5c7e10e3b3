"""Whether a server answers: a TCP connection to its Bolt port, then ``RETURN 1`` over its HTTP query API with the password."""

from __future__ import annotations

import base64
import json
import socket
import urllib.error
import urllib.request
from enum import Enum

from graphmem.server.config import HOST

_TIMEOUT_S = 5.0
# Not through a proxy, whatever the environment says: the server is on this machine.
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Answer(Enum):
    """What a server that is asked says."""

    READY = "ready"
    NOT_YET = "not yet"
    WRONG_PASSWORD = "wrong password"


def probe(bolt_port: int, http_port: int, user: str, password: str) -> Answer:
    """Ask once; never raises."""
    try:
        with socket.create_connection((HOST, bolt_port), timeout=_TIMEOUT_S):
            pass
        request = urllib.request.Request(
            f"http://{HOST}:{http_port}/db/neo4j/query/v2",
            data=json.dumps({"statement": "RETURN 1 AS one"}).encode(),
            headers={
                "Authorization": "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode(),
                "Content-Type": "application/json",
                "Accept": "application/json",
            },
        )
        with _OPENER.open(request, timeout=_TIMEOUT_S) as response:
            return Answer.READY if json.load(response)["data"]["values"] == [[1]] else Answer.NOT_YET
    except urllib.error.HTTPError as exc:
        with exc:
            return Answer.WRONG_PASSWORD if exc.code == 401 else Answer.NOT_YET
    except (OSError, ValueError, KeyError, TypeError):
        return Answer.NOT_YET


def is_free(port: int) -> bool:
    """Whether nobody listens on a port of the loopback address."""
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, port))
        except OSError:
            return False
    return True


def free_port(*taken: int) -> int:
    """A port of the loopback address that nobody listens on, other than those given."""
    while True:
        with socket.socket() as listener:
            listener.bind((HOST, 0))
            port = int(listener.getsockname()[1])
        if port not in taken:
            return port
