"""What a run of the ingestion did: counted while it runs, handed over as a frozen report."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from graphmem.providers.chat import Usage
from graphmem.records import Extracted, Problem, Window

_ROLES = ("extract", "resolve")
_PAID = ("calls", "prompt_tokens", "completion_tokens", "retries")


def by_role(extract: Mapping[str, int], resolve: Mapping[str, int]) -> dict[str, int]:
    """What a window has cost, as a Commit says it: ``extract_calls``, ``resolve_prompt_tokens`` and so on, where they are not 0."""
    costs = zip(_ROLES, (extract, resolve), strict=True)
    return {f"{role}_{name}": cost[name] for role, cost in costs for name in _PAID if cost.get(name)}


class Progress(Protocol):
    """Called as a stage goes on: its name ("turns", "windows"), how many are done, of how many."""

    def __call__(self, stage: str, done: int, total: int) -> None: ...


@dataclass(frozen=True, slots=True)
class NamespaceReport:
    """What happened in one namespace. ``added`` counts new nodes by label; turns that were there already are ``turns_known``, and
    ``turns_read_by_others`` those of the given that another extractor, or another version, has read: they are left as read, and
    ``graphmem reextract`` reads them again."""

    namespace: str
    turns_new: int
    turns_known: int
    turns_revised: int
    windows_added: int
    windows_known: int
    windows_failed: int
    added: Mapping[str, int]
    refused: int
    turns_read_by_others: int


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What a run added, skipped and failed. ``seconds`` by stage: embed and store turns, extract, resolve, embed and append memories.

    Stages overlap (extraction runs ahead), so they may add up to more than the whole. ``usage`` counts what was refused and mended in
    the windows that were added, and what the run has paid, also for windows that failed: ``calls``, ``prompt_tokens``,
    ``completion_tokens`` and ``retries`` in all, and by role as ``extract_calls``, ``resolve_calls`` and so on.
    """

    namespaces: tuple[NamespaceReport, ...]
    skipped: tuple[Problem, ...]
    failed: tuple[Problem, ...]
    revised: tuple[Problem, ...]
    seconds: Mapping[str, float]
    usage: Mapping[str, int]

    @property
    def ok(self) -> bool:
        """Whether all that was given is now in the memory."""
        return not self.skipped and not self.failed

    def total(self, field_name: str) -> int:
        """The sum of a count over the namespaces."""
        return sum(getattr(each, field_name) for each in self.namespaces)

    def added(self, label: str) -> int:
        """How many nodes of a label are new."""
        return sum(each.added.get(label, 0) for each in self.namespaces)


@dataclass(slots=True)
class _Counts:
    numbers: Counter[str] = field(default_factory=Counter)
    added: Counter[str] = field(default_factory=Counter)


class Tally:
    """Counts a run as it goes. Not shared between runs."""

    def __init__(self, problems: Sequence[Problem], listener: Progress | None) -> None:
        self._skipped = tuple(problems)
        self._listener = listener
        self._namespaces: dict[str, _Counts] = {}
        self._failed: list[Problem] = []
        self._revised: list[Problem] = []
        self._seconds: dict[str, float] = {}
        self._usage: Counter[str] = Counter()
        self._done: Counter[str] = Counter()
        self._total: dict[str, int] = {}
        self._began = time.perf_counter()

    def expect(self, stage: str, total: int) -> None:
        """A stage begins that has this many parts."""
        self._total[stage] = total
        self.progress(stage, 0)

    def progress(self, stage: str, more: int = 1) -> None:
        """So many more parts of a stage are done."""
        self._done[stage] += more
        if self._listener is not None and self._total[stage]:
            self._listener(stage, self._done[stage], self._total[stage])

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Counts the time of the block towards a stage."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self._seconds[stage] = self._seconds.get(stage, 0.0) + time.perf_counter() - began

    def turns(self, namespace: str, new: int, known: int, added: Mapping[str, int], revised: Sequence[Problem]) -> None:
        """Turns were stored."""
        counts = self._of(namespace)
        counts.numbers.update(turns_new=new, turns_known=known, turns_revised=len(revised))
        counts.added.update(added)
        self._revised.extend(revised)

    def read_by_others(self, namespace: str, turns: int) -> None:
        """So many of the turns given were read by another extractor or version, and are left so."""
        self._of(namespace).numbers["turns_read_by_others"] += turns

    def window_known(self, namespace: str) -> None:
        """A window turned out to be extracted already, by another writer."""
        self._of(namespace).numbers["windows_known"] += 1

    def window_added(self, namespace: str, extracted: Extracted, added: Mapping[str, int]) -> None:
        """A window was appended."""
        counts = self._of(namespace)
        counts.numbers.update(windows_added=1, refused=extracted.refused)
        counts.added.update(added)
        self._usage.update(extracted.usage)

    def window_failed(self, window: Window, error: Exception) -> None:
        """A window was set aside."""
        self._of(window.namespace).numbers["windows_failed"] += 1
        first, last = window.turns[0], window.turns[-1]
        where = f"{window.namespace}, session {window.session.source_id}, turns {first.source_id} to {last.source_id}"
        self._failed.append(
            Problem(where, f"{str(error).rstrip('.')}; its turns are stored, and the next run tries again")
        )

    @property
    def windows(self) -> int:
        """How many windows have been appended."""
        return sum(counts.numbers["windows_added"] for counts in self._namespaces.values())

    def stopped(self, window: Window, error: Exception, again: bool = False) -> None:
        """A limit that the caller set is reached before this window. ``again``: whether the same limit once more gets further."""
        where = f"{window.namespace}, session {window.session.source_id}, from turn {window.turns[0].source_id} on"
        next_run = "the next run goes on from here"
        if not again:
            next_run = "not one window could be finished, so the next run needs a higher limit"
        self._failed.append(Problem(where, f"{str(error).rstrip('.')}; all turns are stored, and {next_run}"))

    def spent(self, before: Mapping[str, Usage], after: Mapping[str, Usage]) -> None:
        """What the service's own account says that the run has cost. It takes the place of the sums over windows, which leave out those
        that failed."""
        nothing = Usage()
        for name in _PAID:
            by_role = {
                role: getattr(after.get(role, nothing), name) - getattr(before.get(role, nothing), name)
                for role in _ROLES
            }
            self._usage[name] = sum(by_role.values())
            for role, count in by_role.items():
                self._usage[f"{role}_{name}"] = count

    def report(self) -> IngestReport:
        """What was counted."""
        self._seconds["total"] = time.perf_counter() - self._began
        return IngestReport(
            namespaces=tuple(_frozen(name, counts) for name, counts in sorted(self._namespaces.items())),
            skipped=self._skipped,
            failed=tuple(self._failed),
            revised=tuple(self._revised),
            seconds={stage: round(seconds, 3) for stage, seconds in self._seconds.items()},
            usage=dict(self._usage),
        )

    def _of(self, namespace: str) -> _Counts:
        return self._namespaces.setdefault(namespace, _Counts())


def _frozen(namespace: str, counts: _Counts) -> NamespaceReport:
    names = (
        *("turns_new", "turns_known", "turns_revised", "turns_read_by_others"),
        *("windows_added", "windows_known", "windows_failed", "refused"),
    )
    return NamespaceReport(
        namespace=namespace, added=dict(counts.added), **{name: counts.numbers[name] for name in names}
    )
