"""Context: the turns that bear on a question with what stands beside them, by session and date, within a budget, ready for a prompt.

The found turns are taken in order of rank as long as they fit, then their neighbours in the same order: an answer stands beside its
question, and "it" beside what it stands for. Everything is shown once, in the order in which it was said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from graphmem.errors import QuestionError
from graphmem.graph.connection import Graph, Row
from graphmem.graph.queries import load
from graphmem.providers.protocols import Embedder, Reranker
from graphmem.records import Hit
from graphmem.search.budget import estimated_tokens, excerpt, one_line
from graphmem.search.hits import hit_of
from graphmem.search.settings import SearchSettings
from graphmem.search.turns import DEFAULT, search_turns

GAP = "…"
_LARGEST_SHARE = 3
"""No turn takes more than this part of the budget (a third); a longer one is cut to the stretch that matters."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A turn in its place: what is shown of it, and where it stands in its session."""

    turn: Hit
    title: str | None
    started_at: datetime
    position: int


@dataclass(frozen=True, slots=True)
class Context:
    """A block of text for a prompt; ``str`` gives the text.

    ``turns`` are what it shows, in order of time; ``left_out`` counts the found turns that did not fit. ``reranked_by`` and
    ``rerank_problem`` as in ``Hits``.
    """

    text: str
    turns: tuple[Hit, ...]
    tokens: int
    left_out: int = 0
    reranked_by: str | None = None
    rerank_problem: str | None = None

    def __str__(self) -> str:
        return self.text


async def build_context(
    graph: Graph,
    embedder: Embedder,
    query: str,
    *,
    namespace: str,
    budget: int = 1200,
    limit: int = 15,
    reach: int = 1,
    since: datetime | None = None,
    until: datetime | None = None,
    speaker: str | None = None,
    session: str | None = None,
    asked_at: datetime | None = None,
    settings: SearchSettings = DEFAULT,
    reranker: Reranker | None = None,
    count: Callable[[str], int] = estimated_tokens,
) -> Context:
    """The best turns for a question with their neighbours, as text within a budget of tokens.

    Args:
        query: The question.
        namespace: The memory to search.
        budget: Tokens that the text may take, as ``count`` counts them.
        limit: How many found turns at most; ``reach`` turns on each side come with each.
        since, until, speaker, session: The filter of what is found, as for ``search_turns``; neighbours need not pass it.
        asked_at, reranker: As for ``search_turns``.
        count: How many tokens a text takes; an estimate if not given.

    Raises:
        QuestionError: the question is empty, a filter cannot be used, or the budget is below 1. StoreError, ProviderError.
    """
    if budget < 1:
        raise QuestionError(f"budget is {budget}; it must be at least 1 token")
    hits = await search_turns(
        graph, embedder, query, namespace=namespace, limit=limit, since=since, until=until, speaker=speaker, session=session,
        asked_at=asked_at, settings=settings, reranker=reranker,
    )  # fmt: skip
    rows = await graph.read(load("search/turns_beside"), ids=[hit.id for hit in hits], reach=reach) if hits else []
    made = assemble(query, hits, passages(rows), budget, count)
    return replace(made, reranked_by=hits.reranked_by, rerank_problem=hits.rerank_problem)


def passages(rows: Iterable[Row]) -> dict[str, list[Passage]]:
    """Rows of ``search/turns_beside``: by the identifier of a found turn, that turn and its neighbours in order."""
    found: dict[str, list[Passage]] = {}
    for row in rows:
        passage = Passage(hit_of(row), row["title"], row["started_at"], row["position"])
        found.setdefault(row["beside"], []).append(passage)
    return found


def assemble(
    query: str, hits: Sequence[Hit], beside: Mapping[str, Sequence[Passage]], budget: int, count: Callable[[str], int]
) -> Context:
    """Chooses what fits the budget, best first, and writes it in order of time."""
    chosen: dict[str, Passage] = {}
    lines: dict[str, str] = {}
    sessions: set[str] = set()
    spent, left_out = 0, 0
    longest = max(1, budget // _LARGEST_SHARE)

    def cost(passage: Passage) -> int:
        line = _line(passage.turn, query, longest, count)
        heading = 0 if passage.turn.session_id in sessions else count(_heading(passage) + "\n")
        return heading + count(f"{GAP}\n0000-00-00 {line}\n")

    def take(passage: Passage) -> bool:
        nonlocal spent
        if passage.turn.id in chosen:
            return True
        needed = cost(passage)
        if spent + needed > budget:
            return False
        spent += needed
        sessions.add(passage.turn.session_id)
        chosen[passage.turn.id] = passage
        lines[passage.turn.id] = _line(passage.turn, query, longest, count)
        return True

    kept = []
    for hit in hits:
        own = [passage for passage in beside.get(hit.id, ()) if passage.turn.id == hit.id]
        if own and take(own[0]):
            kept.append(own[0])
        else:
            left_out += 1
    for found in kept:
        for passage in sorted(beside[found.turn.id], key=lambda each: abs(each.position - found.position)):
            take(passage)
    shown = sorted(chosen.values(), key=lambda p: (p.started_at, p.turn.session_id, p.position, p.turn.said_at))
    text = _written(shown, lines)
    return Context(text, tuple(passage.turn for passage in shown), count(text), left_out)


def _written(shown: Sequence[Passage], lines: Mapping[str, str]) -> str:
    written: list[str] = []
    before: Passage | None = None
    day = None
    for passage in shown:
        if before is None or before.turn.session_id != passage.turn.session_id:
            written.append(_heading(passage))
            day = passage.turn.said_at.date()
        elif passage.position > before.position + 1:
            written.append(GAP)
        line = lines[passage.turn.id]
        if passage.turn.said_at.date() != day:
            # A session that goes past midnight, or speakers a zone apart: the heading's day does not hold for this turn.
            line = line.replace("] ", f"] {passage.turn.said_at:%Y-%m-%d} ", 1)
        written.append(line)
        before = passage
    return "\n".join(written)


def _heading(passage: Passage) -> str:
    title = f", {passage.title}" if passage.title else ""
    return one_line(f"## {passage.turn.said_at:%Y-%m-%d %a}, {passage.turn.session_id}{title}")


def _line(turn: Hit, query: str, longest: int, count: Callable[[str], int]) -> str:
    shared = "".join(f" [{item.kind}: {item.caption or item.address}]" for item in turn.attachments)
    whole = words = one_line(turn.text + shared)
    size = len(words)
    while count(words) > longest and size > 1:
        size = max(1, size * longest // count(words) - 1)
        words = excerpt(whole, query, size)
    return one_line(f"[{turn.turn_id}] {turn.said_at:%H:%M} {turn.speaker}: {words}")
