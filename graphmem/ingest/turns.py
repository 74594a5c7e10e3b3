"""Turns first: every turn is stored and embedded before anything is read out of it. This alone makes it findable."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graphmem.errors import CommitConflict, InputError, TranscriptError
from graphmem.graph.batch import Batch
from graphmem.graph.connection import Graph, Row
from graphmem.graph.queries import Query, load
from graphmem.graph.rows_named import add_alias, add_entity, entity_id
from graphmem.graph.rows_said import add_session, add_turn, attachments_text
from graphmem.graph.write import append, read_head
from graphmem.ids import digest
from graphmem.ingest.report import Tally
from graphmem.providers.protocols import Embedder
from graphmem.records import Problem, Session, Turn
from graphmem.resolve.decide import PERSON
from graphmem.transcripts import searchable_text
from graphmem.transcripts.moments import within_reach


@dataclass(frozen=True, slots=True)
class Incoming:
    """A turn that is not stored yet, and the stored one that it revises, if any."""

    turn: Turn
    replaces: str | None = None


async def store_turns(
    graph: Graph,
    embedder: Embedder,
    namespace: str,
    sessions: Sequence[Session],
    batch_turns: int,
    tally: Tally,
    growing: bool = False,
) -> None:
    """Stores what is new of these sessions, some hundred turns a transaction, with their speakers as entities.

    ``growing``: the sessions are given in part, and what is new of them comes after all that is stored. Raises InputError, before anything
    is stored, for a turn of a time that cannot be computed with: it would stay, and fail whoever reads or asks.
    """
    for session in sessions:
        for turn in session.turns:
            _check_time(session, turn)
    vectors: dict[str, list[float]] = {}
    for group in _groups(sessions, batch_turns):
        while True:
            head = await read_head(graph, namespace)
            stored = await graph.read(load("read/turns_of_sessions"), session_ids=[session.id for session in group])
            incoming = {
                session.id: new_turns(session, [r for r in stored if r["session_id"] == session.id], growing)
                for session in group
            }
            flat = [each for session in group for each in incoming[session.id]]
            with tally.timed("embed turns"):
                await _embed(embedder, _texts(group, flat), vectors)
            batch = _batch(namespace, group, incoming, vectors)
            try:
                with tally.timed("store turns"):
                    committed = await append(graph, batch, head, derived=_next(group, stored, incoming))
            except CommitConflict:
                continue
            break
        revised = [
            Problem(f"{namespace}, turn {each.turn.source_id}", "its text has changed; stored as a revision")
            for each in flat
            if each.replaces is not None
        ]
        given = sum(len(session.turns) for session in group)
        tally.turns(namespace, len(flat), given - len(flat), committed.counts, revised)
        tally.progress("turns", given)


def _check_time(session: Session, turn: Turn) -> None:
    try:
        within_reach(turn.said_at)
    except TranscriptError as exc:
        raise InputError(f"turn {turn.source_id} of session {session.source_id!r}: said_at {exc}") from exc


def new_turns(session: Session, stored: Sequence[Row], growing: bool = False) -> list[Incoming]:
    """What of a session is not stored yet, in order. A stored turn that comes with other words becomes a revision of the latest version.

    ``growing`` puts new turns after all that is stored, else they stand where they stand in the session as it is given.
    """
    behind = itertools.count(1 + max((row["position"] for row in stored), default=-1))
    known: dict[str, list[Row]] = {}
    replaced = {row["replaces"] for row in stored if row["replaces"] is not None}
    for row in stored:
        known.setdefault(row["source_id"], []).append(row)
    found = []
    for turn in session.turns:
        versions = known.get(turn.source_id, [])
        if not versions:
            found.append(Incoming(replace(turn, position=next(behind)) if growing else turn))
        elif not any(_same_words(turn, row) for row in versions):
            [latest] = [row for row in versions if row["id"] not in replaced][-1:]
            identifier = digest("revision", latest["id"], turn.speaker, turn.text, attachments_text(turn.attachments))
            found.append(Incoming(replace(turn, id=identifier, position=latest["position"]), latest["id"]))
    return found


def _same_words(turn: Turn, row: Row) -> bool:
    return (turn.speaker, turn.text, attachments_text(turn.attachments)) == (
        row["speaker"],
        row["text"],
        row["attachments"],
    )


def _groups(sessions: Sequence[Session], size: int) -> Iterator[list[Session]]:
    """Whole sessions together up to about ``size`` turns, so that small sessions do not cost a transaction each."""
    group: list[Session] = []
    for session in sessions:
        if group and sum(len(each.turns) for each in group) + len(session.turns) > size:
            yield group
            group = []
        group.append(session)
    if group:
        yield group


def _texts(group: Sequence[Session], flat: Sequence[Incoming]) -> list[str]:
    names = {turn.speaker for session in group for turn in session.turns} if flat else set()
    return [searchable_text(each.turn) for each in flat] + sorted(names)


async def _embed(embedder: Embedder, texts: Sequence[str], vectors: dict[str, list[float]]) -> None:
    missing = [text for text in dict.fromkeys(texts) if text not in vectors]
    if missing:
        vectors.update(zip(missing, await asyncio.to_thread(embedder.embed_documents, missing), strict=True))


def _batch(
    namespace: str,
    group: Sequence[Session],
    incoming: Mapping[str, Sequence[Incoming]],
    vectors: Mapping[str, list[float]],
) -> Batch:
    batch = Batch(namespace)
    for session in group:
        if not incoming[session.id]:
            continue
        add_session(batch, session)
        for each in incoming[session.id]:
            turn = each.turn
            text = searchable_text(turn)
            add_turn(batch, turn, text, vectors[text], each.replaces)
            entity = speaker_entity(namespace, turn.speaker, turn.speaker_id)
            add_entity(batch, entity, turn.speaker, PERSON, turn.speaker_id)
            add_alias(batch, entity, turn.speaker, PERSON, vectors[turn.speaker])
    return batch


def _next(
    group: Sequence[Session], stored: Sequence[Row], incoming: Mapping[str, Sequence[Incoming]]
) -> list[tuple[Query, dict[str, Any]]]:
    """The queries that bring NEXT up to date, to run in the transaction that stores the turns."""
    queries: list[tuple[Query, dict[str, Any]]] = []
    wanted: list[dict[str, str]] = []
    for session in group:
        if not incoming[session.id]:
            continue
        pairs, broken = chain([row for row in stored if row["session_id"] == session.id], incoming[session.id])
        wanted += [{"start": one, "end": other} for one, other in pairs]
        if broken:
            queries.append((load("derived/next_forget"), {"session_id": session.id}))
    if wanted:
        queries.append((load("derived/next"), {"pairs": wanted}))
    return queries


def speaker_entity(namespace: str, name: str, speaker_id: str | None) -> str:
    """The identifier of the entity that a speaker is: by id where the source gives one, else by name."""
    return entity_id(namespace, name, PERSON, "" if speaker_id is None else f"speaker {speaker_id}")


def chain(stored: Sequence[Row], incoming: Sequence[Incoming]) -> tuple[list[tuple[str, str]], bool]:
    """Which turns of a session follow one another, as pairs of identifiers, and whether pairs stored earlier no longer hold.

    A revision stands where the turn that it replaces stood.
    """
    replaced = {row["replaces"] for row in stored} | {each.replaces for each in incoming}
    before = [(row["position"], row["id"]) for row in stored if row["id"] not in replaced]
    after = sorted([*before, *((each.turn.position, each.turn.id) for each in incoming)])
    order = [identifier for _, identifier in after]
    pairs = list(itertools.pairwise(order))
    was = [identifier for _, identifier in sorted((row["position"], row["id"]) for row in stored)]
    broken = bool(was) and order[: len(was)] != was
    return pairs, broken
