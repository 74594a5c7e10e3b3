"""How many dated evidence turns become an event at the right time, through the whole pipeline with rules and a real Neo4j.

    python benchmarks/time_dated_evidence.py PATH/time_locomo_dev.jsonl [--misses]

Each line of the file is a question of when, the turns that answer it (``evidence``: ``turn``, ``said_at`` in the speaker's local time,
``text``) and the answer's intervals (``readings``, half-open dates). The turns are written as a transcript, read, ingested with the rule
extractor into namespaces that nothing else uses, and the events that rest on them are read back. A case counts if one of its events has a
closed interval of which at least half lies within a reading, or the two overlap by at least half of their union. A turn without a time
stands at the time of speaking in the graph; events that are dated by nothing else are counted apart.

The server is the one that GRAPHMEM_NEO4J_URI names, with GRAPHMEM_NEO4J_USER and GRAPHMEM_NEO4J_PASSWORD, else the managed one, which is
started. What is ingested stays there: a memory only grows. The data is not part of this project.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from graphmem import settings as configuration
from graphmem import transcripts
from graphmem.memory import AsyncMemory
from graphmem.records import EventView

Bounds = tuple[datetime, datetime]
GOAL = 0.85


@dataclass(frozen=True, slots=True)
class Case:
    """A question's evidence, as (conversation, turn), and the intervals that answer it, in UTC as the turns are stored."""

    id: str
    conversation: str
    turns: frozenset[str]
    readings: tuple[Bounds, ...]


def cases_of(path: Path) -> tuple[list[Case], list[dict[str, Any]]]:
    """The cases of a file, and their turns as a transcript: each turn once, in a session of its own."""
    cases: list[Case] = []
    turns: dict[tuple[str, str], dict[str, Any]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        raw = json.loads(line)
        if not raw["readings"]:
            continue
        conversation = raw["id"].split("#")[0]
        for told in raw["evidence"]:
            turns[conversation, told["turn"]] = {
                "session": told["turn"],
                "id": told["turn"],
                "conversation": conversation,
                "speaker": "Speaker",
                "said_at": told["said_at"],
                "text": told["text"],
            }
        readings = tuple((_moment(start), _moment(end)) for start, end in raw["readings"])
        cases.append(Case(raw["id"], conversation, frozenset(told["turn"] for told in raw["evidence"]), readings))
    return cases, list(turns.values())


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def _shared(one: Bounds, other: Bounds) -> timedelta:
    return max(min(one[1], other[1]) - max(one[0], other[0]), timedelta(0))


def is_consistent(found: Bounds, readings: tuple[Bounds, ...]) -> bool:
    """Whether half of it lies within a reading, or the two overlap by half of their union."""
    length = found[1] - found[0]
    for reading in readings:
        shared = _shared(found, reading)
        union = length + (reading[1] - reading[0]) - shared
        if shared and (shared / length >= 0.5 or shared / union >= 0.5):
            return True
    return False


def bounds_of(event: EventView) -> Bounds | None:
    """An event's closed interval, None where a bound is open."""
    if event.starts_at is None or event.ends_at is None or event.starts_at >= event.ends_at:
        return None
    return event.starts_at, event.ends_at


async def events_of(turns: list[dict[str, Any]], prefix: str) -> dict[tuple[str, str], list[EventView]]:
    """The events that rest on each turn, by (conversation, turn), after a whole ingestion."""
    settings = configuration.from_environment().with_changes(zone="UTC", namespace=prefix, extractor="rules")
    found: dict[tuple[str, str], list[EventView]] = {}
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "evidence.jsonl"
        written.write_text("".join(json.dumps(turn, ensure_ascii=False) + "\n" for turn in turns), encoding="utf-8")
        sessions = transcripts.read(written, namespace=prefix).sessions
        async with AsyncMemory.open(settings=settings) as memory:
            await memory.ingest(written)
            for namespace in sorted({session.namespace for session in sessions}):
                for event in await memory.events(namespace=namespace):
                    for citation in event.evidence:
                        key = namespace.removeprefix(f"{prefix}-"), citation.turn_id
                        found.setdefault(key, []).append(event)
    return found


def main() -> None:
    """Prints the share of cases with a consistent event."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    arguments.add_argument("path", type=Path)
    arguments.add_argument(
        "--misses", action="store_true", help="print the events of each case that has none consistent"
    )
    chosen = arguments.parse_args()
    cases, turns = cases_of(chosen.path)
    found = asyncio.run(events_of(turns, f"bench-dated-{uuid.uuid4().hex[:8]}"))
    hits = worded = 0
    for case in cases:
        events = [event for turn in sorted(case.turns) for event in found.get((case.conversation, turn), [])]
        right = [event for event in events if (b := bounds_of(event)) is not None and is_consistent(b, case.readings)]
        hits += bool(right)
        worded += any(event.time_expression for event in right)
        if chosen.misses and not right:
            told = [(e.kind, e.summary, e.time_expression, e.starts_at, e.ends_at) for e in events]
            print("miss", case.id, [(str(a.date()), str(b.date())) for a, b in case.readings], told)
    share = hits / len(cases)
    print(
        f"cases {len(cases)}  turns {len(turns)}  consistent event {share:.3f} (goal {GOAL})  dated by words {worded / len(cases):.3f}"
    )


if __name__ == "__main__":
    main()
