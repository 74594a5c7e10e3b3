"""Settings of a model service: where it is, and how patiently it is asked. Given by the caller; the environment is not read here."""

from __future__ import annotations

from dataclasses import dataclass, field

from graphmem.errors import ConfigurationError

OPENAI_URL = "https://api.openai.com/v1"
COHERE_URL = "https://api.cohere.com"


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """A service and the manners with it. All times in seconds.

    Attributes:
        base_url: Address of the API, with its version where it has one (``http://localhost:11434/v1``).
        api_key: The key; services that need none take any text.
        organisation: Sent along where the service bills by organisation.
        timeout: For one attempt, from its start to the last byte of its answer.
        concurrency: Requests in flight at once, over the whole process and all who use this ``base_url`` (the smallest that was asked for).
        attempts: Attempts at one request that may fail before it is given up. Waits that the service itself asks for are not counted.
        first_wait: Before the second attempt; doubled before each later one, with a random part up to as much again.
        max_wait: The longest single wait, also where the service asks for one; if it asks for more the request is given up.
        patience: All waits of one request together.
        failures_to_open: Failures of the service in a row after which it is taken for down and requests fail at once.
        open_for: How long until one request is let through to see whether it is back.
    """

    base_url: str = OPENAI_URL
    api_key: str = field(default="", repr=False)
    organisation: str | None = None
    timeout: float = 120.0
    concurrency: int = 8
    attempts: int = 6
    first_wait: float = 0.5
    max_wait: float = 120.0
    patience: float = 600.0
    failures_to_open: int = 10
    open_for: float = 30.0

    def __post_init__(self) -> None:
        if not self.base_url.startswith(("http://", "https://")):
            raise ConfigurationError(f"base_url is {self.base_url!r}; it must begin with http:// or https://")
        if not self.api_key.strip():
            raise ConfigurationError(
                f"api_key for {self.base_url} is empty; give the service's key, or any text where it needs none"
            )
        for name in ("concurrency", "attempts", "failures_to_open"):
            if getattr(self, name) < 1:
                raise ConfigurationError(f"{name} is {getattr(self, name)}; it must be at least 1")
        for name in ("timeout", "first_wait", "max_wait", "patience", "open_for"):
            if not getattr(self, name) > 0:
                raise ConfigurationError(f"{name} is {getattr(self, name)}; it must be more than 0 seconds")
