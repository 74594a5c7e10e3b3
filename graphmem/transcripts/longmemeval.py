"""LongMemEval (Wu et al., "LongMemEval: Benchmarking Chat Assistants on Long-Term Interactive Memory", 2024): a list of questions, each
with the sessions ("haystack") in which its answer lies.

A question's ``question_id`` names the conversation. Its ``haystack_sessions`` are lists of ``{"role", "content"}``, dated and named by
the lists ``haystack_dates`` ("2023/05/20 (Sat) 02:21") and ``haystack_session_ids`` beside them. The roles, user and assistant, are the
speakers; a turn's id is its session's and its place in it, from 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, tzinfo
from typing import Any

from graphmem.errors import TranscriptError
from graphmem.transcripts.drafts import Report, SessionDraft, TurnDraft
from graphmem.transcripts.fields import Fields, shown
from graphmem.transcripts.json_documents import Cut, begins, objects

NAME = "longmemeval"
_SIGNS = re.compile(r'"haystack_(?:sessions|dates|session_ids)"\s*:')


def looks_like(text: str) -> bool:
    """Whether a JSON document has haystacks."""
    return begins(text) and _SIGNS.search(text) is not None


def read(text: str, where: str, zone: tzinfo, report: Report) -> Iterator[SessionDraft]:
    """The sessions of every question, in the order of the file. What cannot be read is reported with question, session and turn."""
    for number, question in enumerate(objects(text, where, _is_question, report), 1):
        place = f"{where}, question {number}"
        sessions = question.get("haystack_sessions")
        if not isinstance(sessions, list):
            report(
                place,
                f"haystack_sessions must be a list, but is {shown(sessions)}; the question's sessions are left out",
            )
            continue
        name = Fields(question, place, report).optional_label("question_id")
        if name is None:
            name = f"question-{number}"
            report(place, f"it has no question_id; its turns are read as conversation {name!r}")
        yield from _sessions(question, sessions, name, f"{where}, {name}", zone, report)


def _is_question(value: dict[str, Any]) -> bool:
    return "haystack_sessions" in value


def _sessions(
    question: dict[str, Any], sessions: list[Any], name: str, place: str, zone: tzinfo, report: Report
) -> Iterator[SessionDraft]:
    dates, ids = (
        _beside(question, "haystack_dates", place, report),
        _beside(question, "haystack_session_ids", place, report),
    )
    counted = len(sessions) == len(dates)
    for position, listed in enumerate(sessions):
        where = f"{place}, session {position + 1}"
        own = {
            "haystack_date": dates[position] if position < len(dates) else None,
            "haystack_session_id": ids[position] if position < len(ids) else None,
        }
        fields = Fields(own, where, report)
        own_id = fields.optional_label("haystack_session_id")
        if not isinstance(listed, list):
            report(where, f"a session must be a list of turns, but is {shown(listed)}; it is left out")
            continue
        try:
            said_at = fields.moment("haystack_date", zone)
        except TranscriptError as exc:
            report(where, f"{exc}; its {len(listed)} turns are left out")
            continue
        turns = []
        for n, value in enumerate(listed, 1):
            try:
                turn_id = None if own_id is None else f"{own_id}:{n}"
                turns.append(_turn(value, f"{where}, turn {n}", turn_id, said_at, report))
            except TranscriptError as exc:
                report(f"{where}, turn {n}", str(exc))
            if isinstance(value, Cut) and not counted:
                # The end of a session may lie in the damage: what follows may belong to another session, of another date.
                report(
                    where,
                    "what follows the broken turn in this question is left out, because its session is not certain",
                )
                yield SessionDraft(NAME, name, own_id, tuple(turns))
                return
        yield SessionDraft(NAME, name, own_id, tuple(turns))


def _beside(question: dict[str, Any], name: str, place: str, report: Report) -> list[Any]:
    listed = question.get(name)
    if isinstance(listed, list):
        return listed
    report(place, f"{name} must be a list, but is {shown(listed)}")
    return []


def _turn(value: object, where: str, own_id: str | None, said_at: datetime, report: Report) -> TurnDraft:
    if not isinstance(value, dict):
        raise TranscriptError(f"a turn must be an object, but is {shown(value)}")
    if isinstance(value, Cut):
        raise TranscriptError("the turn is cut off or broken; it is left out")
    fields = Fields(value, where, report)
    role = fields.label("role")
    return TurnDraft(where=where, own_id=own_id, speaker=role, text=fields.text("content"), said_at=said_at, role=role)
