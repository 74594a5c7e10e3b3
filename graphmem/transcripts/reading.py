"""Reading a file or a folder: finding files, decoding them, picking the reader by what they contain. The package's only I/O."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from graphmem.errors import TranscriptError
from graphmem.records import Problem, Session
from graphmem.transcripts import json_lines, locomo, longmemeval, plain_text
from graphmem.transcripts.assemble import assemble
from graphmem.transcripts.decoding import decode
from graphmem.transcripts.drafts import Report, SessionDraft


@dataclass(frozen=True, slots=True)
class Format:
    """A reader: its name, how it recognises a text as its own, and how it reads it."""

    name: str
    looks_like: Callable[[str], bool]
    read: Callable[[str, str, tzinfo, Report], Iterator[SessionDraft]]


FORMATS = (
    Format(longmemeval.NAME, longmemeval.looks_like, longmemeval.read),
    Format(locomo.NAME, locomo.looks_like, locomo.read),
    Format(json_lines.NAME, json_lines.looks_like, json_lines.read),
    Format(plain_text.NAME, plain_text.looks_like, plain_text.read),
)
"""In the order they are tried; a text is read by the first that recognises it."""


@dataclass(frozen=True, slots=True)
class NamespaceSummary:
    """What was read for one namespace. ``speakers`` in order of first turn; times are the first and the last turn's."""

    namespace: str
    sessions: int
    turns: int
    speakers: tuple[str, ...]
    first: datetime
    last: datetime


@dataclass(frozen=True, slots=True)
class ReadResult:
    """What a file or folder holds.

    ``sessions`` are ordered by namespace in order of first appearance, then by start. ``problems`` are what was skipped or changed, in
    the order met. ``formats`` counts the files read by each reader.
    """

    sessions: tuple[Session, ...]
    problems: tuple[Problem, ...]
    formats: Mapping[str, int] = field(default_factory=dict)

    @property
    def turns(self) -> int:
        """How many turns, all sessions together."""
        return sum(len(session.turns) for session in self.sessions)

    @property
    def namespaces(self) -> tuple[NamespaceSummary, ...]:
        """A summary of each namespace, in order of first appearance: what a preview shows."""
        grouped: dict[str, list[Session]] = {}
        for session in self.sessions:
            grouped.setdefault(session.namespace, []).append(session)
        return tuple(
            NamespaceSummary(
                namespace=namespace,
                sessions=len(sessions),
                turns=sum(len(session.turns) for session in sessions),
                speakers=tuple(dict.fromkeys(turn.speaker for session in sessions for turn in session.turns)),
                first=sessions[0].started_at,
                last=max(session.turns[-1].said_at for session in sessions),
            )
            for namespace, sessions in grouped.items()
        )


def read(path: str | os.PathLike[str], namespace: str = "default", zone: tzinfo = UTC) -> ReadResult:
    """The sessions of a transcript, or of every transcript below a folder.

    Files of a folder are taken in the order of their paths; hidden files and folders are passed over. The reader is picked by content:
    LoCoMo, LongMemEval, JSON Lines or plain text (docs/transcripts.md). A conversation that a file names goes into a namespace of its
    own, ``namespace-conversation``; everything else into ``namespace``.

    Args:
        path: A file or a folder.
        namespace: Where the turns belong.
        zone: The time zone of times that state no offset.

    Raises:
        TranscriptError: there is nothing at the path, or it cannot be opened. Whatever is wrong inside files is reported in ``problems``.
    """
    root = Path(path)
    problems: list[Problem] = []

    def report(where: str, what: str) -> None:
        problems.append(Problem(where, what))

    formats: Counter[str] = Counter()
    drafts = [draft for file in _files(root, report) for draft in _drafts(file, root.is_dir(), zone, formats, report)]
    sessions, merging = assemble(drafts, namespace)
    return ReadResult(sessions, (*problems, *merging), dict(formats))


def _files(root: Path, report: Report) -> list[Path]:
    if root.is_file():
        return [root]
    if not root.is_dir():
        kind = "is neither a file nor a folder" if root.exists() else "does not exist"
        raise TranscriptError(f"{root} {kind}; give the path of a transcript or of a folder of transcripts")
    found: list[Path] = []

    def unreadable(exc: OSError) -> None:
        if exc.filename is not None and Path(exc.filename) == root:
            raise TranscriptError(f"{root} cannot be listed: {exc.strerror}") from exc
        report(str(exc.filename), f"the folder cannot be listed: {exc.strerror}")

    for folder, subfolders, names in os.walk(root, onerror=unreadable):
        subfolders[:] = [name for name in subfolders if not name.startswith(".")]
        found.extend(Path(folder, name) for name in names if not name.startswith("."))
    if not found:
        report(str(root), "the folder holds no files")
    return sorted(found)


def _drafts(file: Path, in_folder: bool, zone: tzinfo, formats: Counter[str], report: Report) -> Iterator[SessionDraft]:
    where = str(file)
    if not file.is_file():
        report(where, "it is no regular file; it is passed over")
        return
    try:
        data = file.read_bytes()
    except OSError as exc:
        if not in_folder:
            raise TranscriptError(f"{file} cannot be read: {exc.strerror}") from exc
        report(where, f"the file cannot be read: {exc.strerror}")
        return
    if not data.strip():
        report(where, "the file is empty")
        return
    decoding: list[tuple[str, str]] = []
    text = decode(data, where, lambda *problem: decoding.append(problem))
    for kind in FORMATS:
        if kind.looks_like(text):
            formats[kind.name] += 1
            for problem in decoding:
                report(*problem)
            yield from kind.read(text, where, zone, report)
            return
    report(
        where,
        f"this is no transcript in a known format ({', '.join(kind.name for kind in FORMATS)}); it is passed over",
    )
