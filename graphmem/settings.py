"""Settings: one frozen object, made once and passed in. ``from_environment`` is the only reader of the environment.

Every field has an environment variable of the same name in capitals with ``GRAPHMEM_`` before it (``GRAPHMEM_NEO4J_URI``).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import platformdirs

from graphmem.errors import ConfigurationError

_BOOLEANS = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True)
class Settings:
    """What a memory runs with.

    ``neo4j_uri`` None means the managed local Neo4j. ``zone`` is the time zone of transcript times that state no offset.
    ``time_policy`` is how times are read on which people differ ("week_start=sunday,day_month_order=day_first"; see
    ``graphmem.temporal.Policy``).
    ``window_turns`` counts the turns of a window with its ``window_overlap``. ``entity_threshold`` is the cosine from which a vector
    candidate counts as the same entity when no model decides. Sizes in mebibytes.

    ``reranker`` says what puts found turns in their final order: ``cohere``, ``local``, ``none``, or ``auto``, which is Cohere where
    ``cohere_key`` is set, a local model where ``rerank_model`` names one (a folder, or a name that fastembed knows), none otherwise.
    ``rerank_timeout`` is in seconds, for one try and for all waits between tries.

    ``embedder`` is ``local``, or a model of the OpenAI-compatible service at ``embed_url`` (``chat_url`` and ``chat_key`` where it has none
    of its own), which gives vectors of ``embed_dimensions``. A database keeps the model it was made with; ``graphmem reembed`` moves it.

    ``chat_model`` names a model of the OpenAI-compatible service at ``chat_url``; without one, everything works by rules. ``chat_models``
    names others for single roles ("extract=small,answer=large"). ``extractor`` is ``rules``, ``model``, or ``auto``: the model where there
    is one. ``max_calls`` and ``max_cost`` (US dollars) end a run cleanly; the next one goes on from there.

    ``agent`` are switches and limits of a model that answers ("plan=none,rerank=false,tools=schema_viewer+entity_lookup"; see
    ``graphmem.answer.agent.AgentSettings``).

    ``online``: a question first reads what ``ingest --lazy`` has left unread of the sessions that bear on it by at least
    ``online_threshold``, from 0 to 1.
    """

    neo4j_uri: str | None = None
    neo4j_user: str = "neo4j"
    neo4j_password: str | None = None
    neo4j_database: str = "neo4j"
    home: Path = Path(platformdirs.user_data_dir("graphmem", appauthor=False)) / "neo4j"
    cache: Path = Path(platformdirs.user_cache_dir("graphmem", appauthor=False)) / "artifacts"
    heap_mb: int = 1024
    namespace: str = "default"
    zone: str = "UTC"
    time_policy: str = ""
    embedder: str = "local"
    embed_url: str | None = None
    embed_key: str | None = field(default=None, repr=False)
    embed_dimensions: int = 1024
    embed_workers: int = 2
    window_turns: int = 25
    window_overlap: int = 5
    write_batch: int = 500
    entity_threshold: float = 0.92
    search_candidates: int = 100
    search_limit: int = 15
    reranker: str = "auto"
    rerank_model: str | None = None
    rerank_timeout: float = 10.0
    cohere_key: str | None = field(default=None, repr=False)
    cohere_url: str = "https://api.cohere.com"
    cohere_model: str = "rerank-v3.5"
    extractor: str = "auto"
    chat_model: str | None = None
    chat_models: str = ""
    chat_url: str = "https://api.openai.com/v1"
    chat_key: str | None = field(default=None, repr=False)
    chat_organisation: str | None = None
    chat_parallel: int = 8
    max_calls: int | None = None
    max_cost: float | None = None
    agent: str = ""
    online: bool = True
    online_threshold: float = 0.2

    def __post_init__(self) -> None:
        try:
            ZoneInfo(self.zone)
        except (ZoneInfoNotFoundError, ValueError, OSError) as exc:
            raise ConfigurationError(
                f"zone is {self.zone!r}, which names no time zone; give an IANA name such as Europe/Lisbon or UTC"
            ) from exc
        if not 0 <= self.window_overlap < self.window_turns:
            raise ConfigurationError(
                f"window_overlap is {self.window_overlap} and window_turns {self.window_turns}; the overlap must be smaller"
            )
        for name in (
            "heap_mb",
            "embed_dimensions",
            "embed_workers",
            "write_batch",
            "search_candidates",
            "search_limit",
        ):
            if getattr(self, name) < 1:
                raise ConfigurationError(f"{name} is {getattr(self, name)}; it must be at least 1")
        if not 0.0 <= self.entity_threshold <= 1.0:
            raise ConfigurationError(f"entity_threshold is {self.entity_threshold}; it must lie in [0, 1]")
        if not 0.0 <= self.online_threshold <= 1.0:
            raise ConfigurationError(f"online_threshold is {self.online_threshold}; it must lie in [0, 1]")
        if not self.namespace.strip():
            raise ConfigurationError("namespace is empty; give it a name")
        if self.reranker not in ("auto", "none", "cohere", "local"):
            raise ConfigurationError(f"reranker is {self.reranker!r}; it must be auto, none, cohere or local")
        for kind, needed in (("cohere", "cohere_key"), ("local", "rerank_model")):
            if self.reranker == kind and not getattr(self, needed):
                raise ConfigurationError(f"reranker is {kind!r}, but {needed} is not set; set it, or reranker to none")
        for name in ("max_calls", "max_cost"):
            limit = getattr(self, name)
            if limit is not None and not limit >= 0:  # NaN is no limit either
                raise ConfigurationError(f"{name} is {limit}; it must be at least 0, or unset for no limit")
        if self.rerank_timeout <= 0:
            raise ConfigurationError(f"rerank_timeout is {self.rerank_timeout}; it must be more than 0 seconds")
        if self.extractor not in ("auto", "rules", "model"):
            raise ConfigurationError(f"extractor is {self.extractor!r}; it must be auto, rules or model")
        if self.extractor == "model" and self.chat_model is None:
            raise ConfigurationError(
                "extractor is 'model', but chat_model names none; name a model, or extract by rules"
            )

    @property
    def tzinfo(self) -> ZoneInfo:
        """The zone for times without an offset."""
        return ZoneInfo(self.zone)

    def with_changes(self, **changes: Any) -> Settings:
        """A copy with these fields changed; fields given as None are left as they are."""
        return replace(self, **{name: value for name, value in changes.items() if value is not None})


def from_environment(environment: Mapping[str, str] | None = None) -> Settings:
    """Settings from ``GRAPHMEM_*`` variables over the defaults. Raises ConfigurationError for an unreadable or unknown one."""
    environment = os.environ if environment is None else environment
    given: dict[str, Any] = {}
    known = {each.name: each for each in fields(Settings)}
    for variable, text in environment.items():
        if not variable.startswith("GRAPHMEM_") or variable.startswith("GRAPHMEM_TEST_") or text == "":
            continue
        name = variable.removeprefix("GRAPHMEM_").lower()
        if name not in known:
            raise ConfigurationError(
                f"{variable} is set, but there is no such setting; known are: " + ", ".join(sorted(known))
            )
        given[name] = value_of(variable, str(known[name].type), text)
    return Settings(**given)


def value_of(variable: str, kind: str, text: str) -> Any:
    """The value that a text states for a field of this type, as annotated ("bool", "int | None"). Raises ConfigurationError."""
    if kind == "bool":
        if text.lower() not in _BOOLEANS:
            raise ConfigurationError(f"{variable} is {text!r}; it must be true or false")
        return _BOOLEANS[text.lower()]
    try:
        if kind.startswith("int"):
            return int(text)
        if kind.startswith("float"):
            return float(text)
    except ValueError as exc:
        raise ConfigurationError(f"{variable} is {text!r}; it must be a number") from exc
    if kind == "Path":
        return Path(text).expanduser()
    return text
