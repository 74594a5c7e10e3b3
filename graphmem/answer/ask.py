"""A question is answered: plan, reads, choice, wording. The one place of this package that waits for a database."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from graphmem.answer.choose import Choice, choose
from graphmem.answer.compose import citation_of, said_line, time_text, unknown_text
from graphmem.answer.plan import Name, Plan, plan
from graphmem.answer.statements import statements_of
from graphmem.answer.words import words_of
from graphmem.errors import QuestionError
from graphmem.graph.connection import Graph
from graphmem.graph.queries import load
from graphmem.ids import normalise_name
from graphmem.providers.protocols import Embedder
from graphmem.records import Answer, Hit
from graphmem.search import search_turns
from graphmem.settings import Settings

_DEFAULT = Settings()
LONGEST_NAME = 4
"""Words of a name that is looked up."""
CANDIDATES = 40
"""Turns that are read for an answer."""


async def ask(
    graph: Graph,
    embedder: Embedder,
    question: str,
    *,
    namespace: str,
    asked_at: datetime | None = None,
    as_of: datetime | None = None,
    said_by: datetime | None = None,
    known_at: datetime | None = None,
    settings: Settings = _DEFAULT,
) -> Answer:
    """Answers a question from one namespace, with citations, or says that the memory does not say.

    Args:
        question: One question in English; any text is taken, and searched for if it has no form that is known.
        asked_at: The moment of asking, from which "now" and "last year" are read; aware. The present if not given.
        as_of: The moment in the world that the answer should speak for, where the question names none.
        said_by: Only what had been said by then counts.
        known_at: Only what the memory had learned by then counts.

    Raises:
        QuestionError: the question is empty, or a time has no offset.
        StoreError: the database failed. ProviderError: the embedder or the parser did.
    """
    asked_at = _checked(question, asked_at, as_of, said_by, known_at)
    made = plan(question, asked_at, await _names(graph, question, namespace))
    hits = await _hits(graph, embedder, question, namespace, said_by)
    statements = statements_of(hits, {}, {})
    chosen = choose(made, statements, asked_at)
    if chosen is None:
        return Answer(
            question,
            unknown_text(made),
            found=False,
            form=made.form,
            searched=made.bullets,
            details={"plan": made.bullets, "nearest": tuple(hit.turn_id for hit in hits[:3])},
        )
    return _answer(made, chosen)


def _checked(question: str, asked_at: datetime | None, *others: datetime | None) -> datetime:
    if not question.strip():
        raise QuestionError("the question is empty; ask something, such as: Where does Ana live?")
    moment = datetime.now(UTC) if asked_at is None else asked_at
    for each in (moment, *others):
        if each is not None and each.tzinfo is None:
            raise QuestionError(
                f"{each.isoformat()} has no offset; give an aware datetime, such as {each.isoformat()}+00:00"
            )
    return moment


async def _names(graph: Graph, question: str, namespace: str) -> list[Name]:
    """The runs of words of a question that are names in the namespace."""
    words = words_of(question)
    spans = {
        normalise_name(question[words[i].start : words[j].end]): question[words[i].start : words[j].end]
        for i in range(len(words))
        for j in range(i, min(i + LONGEST_NAME, len(words)))
    }
    rows = await graph.read(load("resolve/exact_aliases"), namespace=namespace, names=list(spans))
    return [Name(spans[row["name"]], row["entity"], row["type"]) for row in rows]


async def _hits(graph: Graph, embedder: Embedder, question: str, namespace: str, said_by: datetime | None) -> list[Hit]:
    until = None if said_by is None else said_by + timedelta(microseconds=1)
    return await search_turns(graph, embedder, question, namespace=namespace, limit=CANDIDATES, until=until)


def _answer(made: Plan, chosen: Choice) -> Answer:
    first = chosen.matches[0].statement
    end = None if chosen.offer is None else chosen.offer.end
    citations = tuple(
        citation_of(m.statement, end if position == 0 else None) for position, m in enumerate(chosen.matches)
    )
    parts = []
    if chosen.form == "when" and chosen.time is not None:
        short: str | None = time_text(chosen.time)
    else:
        short = chosen.short
        if chosen.form in ("first", "last") and made.want == "time" and chosen.time is not None:
            short = time_text(chosen.time)
    parts.append(said_line(first, end))
    if chosen.form in ("changed", "who_else"):
        parts += [said_line(m.statement) for m in chosen.matches[1:3]]
    text = " ".join(parts) if short is None else f"{short} — " + " ".join(parts)
    return Answer(
        made.question,
        text,
        found=True,
        form=made.form,
        citations=citations,
        time=chosen.time,
        searched=made.bullets,
        details={"plan": made.bullets, "short": short},
    )
