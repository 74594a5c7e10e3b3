"""What can become of a call to a model service, finer than the error tree tells: what may pass, what is refused, what cannot be read.

ProviderError
├── ProviderUnavailable
│   └── MayPass            this attempt failed; another may not (rate limit, timeout, 5xx, a broken connection)
├── ServiceRefused         the service understood and declines (key, model, parameter, quota); the same call would be declined again
└── ReplyError
    └── UnusableReply      the reply cannot be read, also after the model was told why
        └── TooLong        the prompt or the reply passes a length limit: halve what is asked and ask again
"""

from __future__ import annotations

from graphmem.errors import ProviderError, ProviderUnavailable, ReplyError
from graphmem.providers.chat import Fault


class MayPass(ProviderUnavailable):
    """An attempt failed in a way that may pass.

    ``wait`` is how long the service asks to wait, in seconds, None if it does not say. ``down`` is True when the service itself failed (it
    counts towards opening the circuit) and False when it is up but asks for patience.
    """

    def __init__(self, message: str, *, wait: float | None = None, down: bool = True) -> None:
        super().__init__(message)
        self.wait = wait
        self.down = down


class ServiceRefused(ProviderError):
    """The service declines the request. ``status`` is its HTTP status, ``about`` all it said, in lower case, to be searched."""

    def __init__(self, message: str, *, status: int | None = None, about: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.about = about.lower()


class UnusableReply(ReplyError):
    """A reply that cannot be used. ``fault`` names the kind, ``raw_digest`` is the SHA-256 of the raw text in hex."""

    def __init__(self, message: str, *, fault: Fault, raw_digest: str) -> None:
        super().__init__(message)
        self.fault: Fault = fault
        self.raw_digest = raw_digest


class TooLong(UnusableReply):
    """The reply was cut at the length limit, or the prompt is longer than the model reads. A smaller window may do."""
