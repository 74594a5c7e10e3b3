"""How commands show things: JSON for programs, tables and quotations for people, progress on anything that takes a while."""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Callable, Iterable, Sequence, Sized
from dataclasses import fields, is_dataclass
from datetime import date, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any, Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from graphmem.graph.read import TimelineEntry
from graphmem.records import Citation, EventView, FactView, Interval, Problem

out = Console()
err = Console(stderr=True)

PATIENCE = 2.0
"""Seconds before progress is shown: what is over sooner needs none."""


def as_json(value: object) -> None:
    """Prints a value, records included, as JSON. Times are ISO text with their offset, lengths of time seconds."""
    text = json.dumps(plain(value), ensure_ascii=False, indent=None if out.is_terminal else 2)
    text = re.sub(
        r"[\x7f-\x9f]", lambda found: f"\\u{ord(found.group()):04x}", text
    )  # JSON leaves these controls as they are
    if out.is_terminal:
        out.print_json(text, highlight=False, ensure_ascii=False)
    else:
        print(text)


def plain(value: Any) -> Any:
    """Records, times and paths as what JSON knows; a length of time as its seconds."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict) or hasattr(value, "keys"):
        return {str(key): plain(value[key]) for key in value}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, Path):
        return str(value)
    return value


_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""What moves a terminal's cursor, writes its title or clipboard, or turns the order of letters round; lines and tabs are left."""


def visible(text: str) -> str:
    """A text that a terminal only shows: what would steer it stands as a picture of itself, such as ␛."""
    return _CONTROLS.sub(lambda found: _picture(ord(found.group())), text)


def _picture(code: int) -> str:
    return chr(0x2400 + code) if code < 0x20 else "␡" if code == 0x7F else "�"


def shown(text: str, style: str = "") -> Text:
    """A text as it is printed: words of a transcript are never taken for markup or for orders to the terminal."""
    return Text(visible(text), style=style)


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Prints a table. Cells are plain text, whatever brackets they hold."""
    grid = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        grid.add_column(column, overflow="fold")
    for row in rows:
        grid.add_row(
            *(shown(moment(cell) if isinstance(cell, datetime) else str("" if cell is None else cell)) for cell in row)
        )
    out.print(grid)


def line(text: str, style: str = "") -> None:
    """Prints one line of plain text."""
    out.print(shown(text, style), soft_wrap=True)


def note(text: str) -> None:
    """Prints one line on the way to a result, on standard error."""
    err.print(shown(text, "dim"), soft_wrap=True)


def nothing(found: Sized, text: str) -> None:
    """Says on standard error that there is nothing to show, where that is so; standard output stays as it is for programs."""
    if not found:
        note(text)


def shortened(text: str, most: int = 160) -> str:
    """A text in one line of at most so many characters."""
    joined = " ".join(text.split())
    return joined if len(joined) <= most else f"{joined[: most - 1]}…"


def rerank_problem(problem: str | None) -> None:
    """Says on standard error that found turns could not be reranked, where that is so."""
    if problem is not None:
        err.print(shown(f"{problem.rstrip('.')}; the order is that of the search without it", "yellow"), soft_wrap=True)


def moment(value: datetime | None) -> str:
    """A time as a person reads it: to the minute, with its offset unless that is UTC's."""
    if value is None:
        return ""
    text = value.strftime("%Y-%m-%d %H:%M")
    return text if not value.utcoffset() else f"{text} {value.strftime('%z')}"


def period(interval: Interval, where: tzinfo | None) -> str:
    """An effective interval by the dates of where it was told: since when, until when, and what of it nobody stated."""
    start = "?" if interval.start is None else interval.start.astimezone(where).date().isoformat()
    end = "now" if interval.end is None else interval.end.astimezone(where).date().isoformat()
    return f"{start if interval.start_stated else f'by {start}'} → {end}"


def quotation(citation: Citation) -> None:
    """Prints the words that something rests on, and where they stand."""
    where = f"{citation.turn_id}, {citation.speaker}, {moment(citation.said_at)}"
    out.print(
        Text.assemble(("  “", "dim"), (visible(citation.quote), "italic"), ("”  ", "dim"), (visible(where), "dim")),
        soft_wrap=True,
    )


def stated(property: str) -> str:
    """A property's name in words."""
    return property.replace("_", " ")


def zone_of(fact: FactView) -> tzinfo | None:
    """The zone in which a fact was told."""
    return fact.evidence[0].said_at.tzinfo if fact.evidence else None


def show_fact(fact: FactView) -> None:
    """Prints a fact with its period, the words it rests on, and what lost to it."""
    unit = f" {fact.unit}" if fact.unit else ""
    notes = [
        note
        for note, applies in (
            ("possibly", fact.possibly),
            ("inferred", fact.inferred),
            (fact.polarity, fact.polarity != "holds"),
        )
        if applies
    ]
    where = zone_of(fact)
    what = f"{fact.subject} {stated(fact.property)} {fact.value}{unit}"
    line(f"{what}  {period(fact.valid, where)}" + (f"  ({', '.join(notes)})" if notes else ""), "bold")
    for citation in fact.evidence:
        quotation(citation)
    for lost in fact.conflicts:
        line(f"  against: {lost.value}, said {moment(lost.asserted_at)}", "yellow")


def happened(events: Sequence[EventView], json: bool) -> None:
    """Prints events, each with when it happened and the words it rests on."""
    if json:
        as_json(events)
        return
    for event in events:
        _entry(event.starts_at, event.granularity, event.summary, event.evidence)
    if not events:
        line("no event fits", "yellow")


def entries(found: Sequence[TimelineEntry], json: bool) -> None:
    """Prints facts and events of a timeline."""
    if json:
        as_json(found)
        return
    for each in found:
        if each.fact is not None:
            fact = each.fact
            what = f"{fact.subject} {stated(fact.property)} {fact.value}"
            _entry(each.at, fact.valid.granularity, what, fact.evidence)
        elif each.event is not None:
            _entry(each.at, each.event.granularity, each.event.summary, each.event.evidence)
    if not found:
        line("nothing is known", "yellow")


def _entry(at: datetime | None, granularity: str, what: str, evidence: Sequence[Citation]) -> None:
    where = evidence[0].said_at.tzinfo if evidence else None
    line(f"{moment(at.astimezone(where)) if at is not None else 'undated':22}  {granularity:8}  {what}", "bold")
    for citation in evidence[:1]:
        quotation(citation)


def problems(title: str, found: Sequence[Problem], most: int = 20) -> None:
    """Prints problems on standard error, the first of them one by one."""
    if not found:
        return
    err.print(Text(f"{title}: {len(found)}", style="bold yellow"))
    for each in found[:most]:
        err.print(shown(f"  {each.where}: {each.what}"))
    if len(found) > most:
        err.print(Text(f"  and {len(found) - most} more; --json lists them all"))


class Told(logging.Handler):
    """Shows warnings of the library on standard error, each text once: many tasks may wait for the same service."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._told: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        """Shows a warning that was not shown before."""
        text = record.getMessage()
        if text not in self._told:
            self._told.add(text)
            note(text)


class Waiting:
    """Progress on standard error, with counts and time left. Nothing is shown for what is over within two seconds."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._bars: dict[str, tuple[Progress, TaskID]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.done()

    def done(self) -> None:
        """Takes the bars away."""
        for progress, _ in self._bars.values():
            progress.stop()
        self._bars.clear()

    def counts(self, stage: str, done: int, total: int) -> None:
        """So many parts of a stage are done."""
        self._show(stage, done, total, MofNCompleteColumn())

    def bytes(self, stage: str) -> Callable[[int, int], None]:
        """A listener for a stage that is counted in bytes."""
        return lambda done, total: self._show(stage, done, total, DownloadColumn())

    def _show(self, stage: str, done: int, total: int, column: MofNCompleteColumn | DownloadColumn) -> None:
        if stage not in self._bars:
            if time.monotonic() - self._began < PATIENCE or done >= total or not err.is_terminal:
                return
            self.done()
            columns = (TextColumn("{task.description}"), BarColumn(), column, TimeRemainingColumn())
            progress = Progress(*columns, console=err, transient=True)
            progress.start()
            self._bars[stage] = (progress, progress.add_task(stage, total=total))
        progress, task = self._bars[stage]
        progress.update(task, completed=done, total=total)
