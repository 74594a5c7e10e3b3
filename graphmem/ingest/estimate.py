"""What ingesting would cost, before it is done: what would be new, in how many windows, with how many calls and tokens. Asks no model and
writes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from pydantic import BaseModel

from graphmem.extract.with_model.extractor import PROMPT
from graphmem.extract.with_model.render import static_part, window_part
from graphmem.extract.with_model.reply import ExtractReply
from graphmem.graph.connection import Row
from graphmem.graph.queries import load
from graphmem.graph.rows_said import attachments_text
from graphmem.ingest.run import Ingestion, in_order
from graphmem.ingest.turns import new_turns
from graphmem.ingest.windows import Planned, plan_pending, standing_extractions
from graphmem.providers.pricing import price_of, tokens_about
from graphmem.providers.schemas import modes_for, parameters_for
from graphmem.records import Session
from graphmem.resolve.questions import static_part as resolve_static_part
from graphmem.resolve.reply import ResolveReply

RESOLVE_TOKENS_A_TURN = 120
"""Of the changing part of a call that resolves: what the mentions of a turn and their candidates take, as the cost benchmark counts it."""

REPLY_TOKENS_A_TURN = {"extract": 150, "resolve": 40}
"""About what models write: a fact and half an event, and a decision on what is left open."""

SECONDS_A_TURN = 0.02
"""What rules, a local embedder and the database take to read a turn, on a small machine."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would do. ``calls`` are those for extraction and, at most, as many to resolve; tokens are counted rather too high, retries
    apart. ``cost`` is in US dollars: 0 for rules, None where the price of a model is not known. ``seconds`` is for rules, on this machine's
    own time; None with a model, whose time is the service's."""

    turns: int
    turns_new: int
    windows: int
    turns_to_read: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    seconds: float | None
    models: tuple[str, ...] = ()


async def estimate(
    ingestion: Ingestion, sessions: Sequence[Session], extract_model: str = "", resolve_model: str = ""
) -> Estimate:
    """What ingesting these sessions would cost, given what is stored already. Without names of models, by rules."""
    turns = fresh = 0
    windows: list[Planned] = []
    for namespace, own in in_order(sessions).items():
        ids = [session.id for session in own]
        stored = await ingestion.graph.read(load("read/turns_of_sessions"), session_ids=ids)
        new = [row for session in own for row in _as_rows(session, stored)]
        standing = await standing_extractions(ingestion.graph, ids)
        rows = [*stored, *new]
        windows += plan_pending(namespace, own, rows, standing, ingestion.extractor, ingestion.settings).windows
        turns, fresh = turns + sum(len(session.turns) for session in own), fresh + len(new)
    to_read = sum(len(planned.turn_ids) for planned in windows)
    if not extract_model:
        seconds = round(SECONDS_A_TURN * to_read, 1)
        return Estimate(turns, fresh, len(windows), to_read, 0, 0, 0, 0.0, seconds)
    prompts = {
        "extract": sum(_extract_tokens(planned) for planned in windows),
        "resolve": len(windows) * _fixed_tokens(resolve_static_part(), ResolveReply) + RESOLVE_TOKENS_A_TURN * to_read,
    }
    replies = {role: tokens * to_read for role, tokens in REPLY_TOKENS_A_TURN.items()}
    models = {"extract": extract_model, "resolve": resolve_model}
    prices = {role: price_of(model) for role, model in models.items()}
    costs = [None if (price := prices[role]) is None else price.of(prompts[role], replies[role]) for role in models]
    cost = None if None in costs else sum(each for each in costs if each is not None)
    names = tuple(dict.fromkeys(models.values()))
    calls, read, written = 2 * len(windows), sum(prompts.values()), sum(replies.values())
    return Estimate(turns, fresh, len(windows), to_read, calls, read, written, cost, None, names)


def _as_rows(session: Session, stored: Sequence[Row]) -> list[Row]:
    """The turns of a session that are not stored, as rows of those that are."""
    known = [row for row in stored if row["session_id"] == session.id]
    return [
        {
            "id": each.turn.id,
            "session_id": session.id,
            "source_id": each.turn.source_id,
            "position": each.turn.position,
            "speaker": each.turn.speaker,
            "text": each.turn.text,
            "attachments": attachments_text(each.turn.attachments),
            "replaces": each.replaces,
        }
        for each in new_turns(session, known)
    ]


def _extract_tokens(planned: Planned) -> int:
    return _fixed_tokens(static_part(PROMPT), ExtractReply) + tokens_about(window_part(planned.window))


@cache
def _fixed_tokens(system: str, reply: type[BaseModel]) -> int:
    """What every request of a kind begins with: its system message and the schema of its reply, in the first way that is tried."""
    return tokens_about({"system": system, **parameters_for(modes_for(reply)[0], reply)})
