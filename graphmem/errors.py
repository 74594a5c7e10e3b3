"""The errors that graphmem raises, one tree.

    GraphmemError
    ├── InputError                what the caller gave cannot be used
    │   ├── TranscriptError       a transcript, or a line of it
    │   ├── QuestionError         a question, a filter or a time in one
    │   └── CypherRefused         a query that the read-only guard does not let through
    ├── ConfigurationError        a setting, or two that do not go together
    ├── StoreError                the database
    │   ├── StoreUnavailable      it cannot be reached, or refuses the credentials
    │   ├── StoreMismatch         it was written with another schema or another embedding model
    │   ├── QueryFileError        a file under cypher/ is malformed (a developer's mistake)
    │   └── CommitConflict        another writer committed first; read again and retry
    ├── ServerError               the managed local Neo4j
    │   └── ArtifactError         an artifact cannot be fetched, or is not what the lock says
    └── ProviderError             a model service
        ├── ProviderUnavailable   it does not answer, or asks to wait longer than allowed
        ├── ReplyError            it answers with what cannot be used
        └── BudgetExceeded        the limit on calls or cost is reached

Each message says what was wrong with which value, where, and what to do. Errors of the libraries underneath are turned into these
at the one place where the library is imported, ``raise … from exc``; an error that is not of this tree is a bug.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


class GraphmemError(Exception):
    """Base of all errors that graphmem raises on purpose."""


class InputError(GraphmemError):
    """What the caller gave cannot be used."""


class TranscriptError(InputError):
    """A transcript cannot be read at all."""


class QuestionError(InputError):
    """A question, a filter or a time expression in one cannot be used."""


class CypherRefused(InputError):
    """A Cypher query that the read-only guard does not let through; the message is the reason."""


class ConfigurationError(GraphmemError):
    """A setting is missing or wrong, or two settings do not go together."""


class StoreError(GraphmemError):
    """The database failed or answered what it should not."""


class StoreUnavailable(StoreError):
    """The database cannot be reached, or refuses the credentials."""


class StoreMismatch(StoreError):
    """The database was written with another schema version or another embedding model."""


class QueryFileError(StoreError):
    """A file under ``cypher/`` is missing or malformed. A developer's mistake, found at load."""


class CommitConflict(StoreError):
    """Another writer committed the next sequence number of this namespace first. Read again and retry."""


class ServerError(GraphmemError):
    """The managed local Neo4j cannot be installed, started or stopped."""


class ArtifactError(ServerError):
    """An artifact cannot be fetched, or its size or SHA-256 is not what the lock says."""


class ProviderError(GraphmemError):
    """A model service or a local model failed. ``spent`` is what the request has cost all the same: calls, prompt_tokens and so on."""

    spent: Mapping[str, int] = MappingProxyType({})


class ProviderUnavailable(ProviderError):
    """The service does not answer, or asks to wait longer than allowed."""


class ReplyError(ProviderError):
    """The service answered, but with what cannot be used."""


class BudgetExceeded(ProviderError):
    """The limit on calls or cost that the caller set is reached."""
