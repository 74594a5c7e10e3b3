"""The local service: speaks OpenAI's ``/chat/completions`` and ``/embeddings`` and Cohere's ``/v2/rerank`` over loopback.

A script says how it answers chat requests: a list of replies, given out in order of arrival, or a function of the request. Embeddings and
rankings are made up from the texts, unless ``faults`` (replies given out first, whatever the path) says otherwise. All requests are kept.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.service.replies import Received, Reply, error, ranks, vectors

Script = Sequence[Reply] | Callable[[Received], Reply]


class Service:
    """A running service.

    ``script`` and ``faults`` may be set between requests. ``requests`` are all that came, ``most_at_once`` how many were in flight together
    at most.
    """

    def __init__(self, script: Script = ()) -> None:
        self._lock = threading.Lock()
        self._in_flight = 0
        self.requests: list[Received] = []
        self.most_at_once = 0
        self.faults: deque[Reply] = deque()
        self.script = script
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.service = self
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.05,), name="model-service", daemon=True
        )
        self._thread.start()

    @property
    def address(self) -> str:
        """``http://127.0.0.1:<port>``: the base URL for Cohere's client."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def base_url(self) -> str:
        """The base URL for OpenAI's client."""
        return f"{self.address}/v1"

    @property
    def script(self) -> Script:
        """How chat requests are answered."""
        return self._script

    @script.setter
    def script(self, script: Script) -> None:
        self._script = script
        self._left: deque[Reply] = deque() if callable(script) else deque(script)

    @property
    def chats(self) -> list[Received]:
        """The chat requests."""
        return [request for request in self.requests if request.path.endswith("/chat/completions")]

    @property
    def unused(self) -> int:
        """How many replies of a list are left."""
        return len(self._left)

    def close(self) -> None:
        """Stops it; requests under way are broken off."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)

    def receive(self, path: str, headers: dict[str, str], body: Any) -> Received:
        """Keeps a request. Called by the handler."""
        with self._lock:
            request = Received(len(self.requests), path, headers, body)
            self.requests.append(request)
            self._in_flight += 1
            self.most_at_once = max(self.most_at_once, self._in_flight)
            return request

    def done(self) -> None:
        """A request is answered. Called by the handler."""
        with self._lock:
            self._in_flight -= 1

    def answer(self, request: Received) -> Reply:
        """The scripted reply to a request."""
        with self._lock:
            if self.faults:
                return self.faults.popleft()
            if request.path.endswith("/chat/completions") and not callable(self._script):
                return self._left.popleft() if self._left else error(400, "the script of this test has no more replies")
        if request.path.endswith("/chat/completions"):
            assert callable(self._script)
            return self._script(request)
        if request.path.endswith("/embeddings"):
            return vectors(request)
        if request.path.endswith("/v2/rerank"):
            return ranks(request)
        return error(404, f"no such path: {request.path}")


@contextmanager
def serve(script: Script = ()) -> Iterator[Service]:
    """A service for the length of the block."""
    service = Service(script)
    try:
        yield service
    finally:
        service.close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
    service: Service

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away (a timeout under test) is no error of the server."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def setup(self) -> None:
        super().setup()
        # Headers and body go out as two writes; without this each answer would wait 40 ms for an acknowledgement.
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        service = self.server.service
        request = service.receive(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
        try:
            reply = service.answer(request)
            if reply.delay:
                time.sleep(reply.delay)
        finally:
            service.done()
        self._send(reply)

    def _send(self, reply: Reply) -> None:
        if reply.cut == "before":
            self._break_off()
            return
        sent = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body, ensure_ascii=False).encode()
        self.send_response(reply.status)
        for name, value in {"content-type": "application/json", **reply.headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(sent)))
        self.end_headers()
        if reply.cut == "inside":
            self.wfile.write(sent[: len(sent) // 2])
            self.wfile.flush()
            self._break_off()
            return
        step = max(len(sent) // 10, 1) if reply.drip else max(len(sent), 1)
        for start in range(0, len(sent), step):
            time.sleep(reply.drip)
            self.wfile.write(sent[start : start + step])

    def _break_off(self) -> None:
        """Ends the connection with a reset, as a crashed server or a proxy does."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""
