"""From drafts to sessions and turns with identities, positions and no duplicates. Pure.

Identity (docs/design.md): a turn is its namespace, session and own id or, without one, its time, speaker, text and how many equal ones
stand before it in the same session of the same file; a session is its own id or, without one, its start and first turn. The file's name
is no part of it, so that a renamed file, a copy beside it, or a file grown by a turn brings nothing or just what is new.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from graphmem.ids import digest, instant
from graphmem.records import Problem, Session, Turn
from graphmem.transcripts.drafts import SessionDraft, TurnDraft


def assemble(drafts: Iterable[SessionDraft], namespace: str) -> tuple[tuple[Session, ...], tuple[Problem, ...]]:
    """Sessions by namespace in order of first appearance, within it by start, and what could not be kept.

    Drafts of the same session are merged: turns in order of time, equal times in the order read. A turn that comes again is one turn; one
    that comes again under its own id but says something else is left out and reported.
    """
    growing: dict[str, _Growing] = {}
    problems: list[Problem] = []
    order: dict[str, int] = {}
    for draft in drafts:
        if not draft.turns:
            continue
        turns = sorted(draft.turns, key=lambda turn: turn.said_at)
        home = namespace if draft.conversation is None else f"{namespace}-{draft.conversation}"
        order.setdefault(home, len(order))
        source_id = draft.own_id if draft.own_id is not None else _name_of_session(turns[0])
        session_id = digest("session", home, source_id)
        session = growing.setdefault(session_id, _Growing(session_id, home, source_id, draft.source))
        session.title = session.title or draft.title
        problems.extend(session.add(turns))
    sessions = [session.finished() for session in growing.values()]
    sessions.sort(key=lambda session: (order[session.namespace], session.started_at))
    return tuple(sessions), tuple(problems)


@dataclass(slots=True)
class _Growing:
    """A session while its drafts are merged."""

    id: str
    namespace: str
    source_id: str
    source: str
    title: str | None = None
    turns: dict[str, Turn] = field(default_factory=dict)

    def add(self, drafts: Iterable[TurnDraft]) -> Iterator[Problem]:
        seen: Counter[str] = Counter()
        for draft in drafts:
            turn = identified(draft, self.namespace, self.id, seen)
            kept = self.turns.setdefault(turn.id, turn)
            if kept is not turn and (differences := _differences(kept, turn)):
                yield Problem(
                    draft.where,
                    f"a turn with the id {turn.source_id!r} was read before in session {self.source_id!r}, with another "
                    f"{' and '.join(differences)}; the first one is kept",
                )

    def finished(self) -> Session:
        turns = sorted(self.turns.values(), key=lambda turn: turn.said_at)
        return Session(
            id=self.id,
            namespace=self.namespace,
            source_id=self.source_id,
            source=self.source,
            started_at=turns[0].said_at,
            turns=tuple(replace(turn, position=position) for position, turn in enumerate(turns)),
            title=self.title,
        )


def identified(draft: TurnDraft, namespace: str, session_id: str, seen: Counter[str], position: int = 0) -> Turn:
    """The turn of a session that a draft is, by its own id or by what it says; ``seen`` counts the equal ones before it, and grows."""
    if draft.own_id is not None:
        source_id, turn_id = draft.own_id, digest("turn", namespace, session_id, draft.own_id)
    else:
        parts = ("turn", namespace, session_id, instant(draft.said_at), draft.speaker, draft.text)
        look = digest(*parts)
        turn_id = digest(*parts, seen[look])
        seen[look] += 1
        source_id = f"t-{turn_id[:12]}"
    return Turn(
        id=turn_id,
        namespace=namespace,
        session_id=session_id,
        source_id=source_id,
        position=position,
        speaker=draft.speaker,
        text=draft.text,
        said_at=draft.said_at,
        role=draft.role,
        addressee=draft.addressee,
        attachments=draft.attachments,
        speaker_id=draft.speaker_id,
    )


def _name_of_session(first: TurnDraft) -> str:
    return "s-" + digest("start", instant(first.said_at), first.speaker, first.text)[:12]


def _differences(kept: Turn, other: Turn) -> list[str]:
    names = {"speaker": "speaker", "text": "text", "said_at": "time"}
    return [shown for name, shown in names.items() if getattr(kept, name) != getattr(other, name)]
