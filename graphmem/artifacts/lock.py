"""The lock of artifacts: which files, of what size and digest."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath

from graphmem.errors import ArtifactError


@dataclass(frozen=True, slots=True)
class Artifact:
    """One locked file: its path in a Maven repository, its size in bytes, its SHA-256 in lower-case hex."""

    path: str
    size: int
    sha256: str

    @property
    def name(self) -> str:
        """The file's name, such as ``neo4j-2026.08.1.jar``."""
        return PurePosixPath(self.path).name

    @property
    def coordinates(self) -> tuple[str, str, str]:
        """Maven's group, artifact and version, read off the repository path."""
        *group, artifact, version, _ = PurePosixPath(self.path).parts
        return ".".join(group), artifact, version


@cache
def _groups() -> dict[str, tuple[Artifact, ...]]:
    text = files("graphmem.artifacts").joinpath("lock.json").read_text(encoding="utf-8")
    return {name: tuple(Artifact(**row) for row in rows) for name, rows in json.loads(text).items()}


def locked(group: str) -> tuple[Artifact, ...]:
    """The artifacts of a group, in the order of the lock.

    Raises:
        ArtifactError: the lock has no such group.
    """
    try:
        return _groups()[group]
    except KeyError:
        known = ", ".join(sorted(_groups()))
        raise ArtifactError(f"The artifact lock has no group {group!r}. It has: {known}.") from None


def group_digest(group: str) -> str:
    """Twelve hex digits that change whenever a file of the group does."""
    lines = (f"{artifact.path} {artifact.sha256}\n" for artifact in locked(group))
    return hashlib.sha256("".join(lines).encode()).hexdigest()[:12]
