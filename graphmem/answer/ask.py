"""A question is answered: plan, reads, choice, wording. The one place of this package that waits for a database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from graphmem.answer.anchors import anchor_moment
from graphmem.answer.biography import RELATIONS, biography_asked, doings, introduced, portrait
from graphmem.answer.choice import Choice
from graphmem.answer.choose import choose
from graphmem.answer.compose import answer_text, citation_of, unknown_text
from graphmem.answer.corrections import taken_back
from graphmem.answer.from_facts import from_facts
from graphmem.answer.hops import hopped, links
from graphmem.answer.linking import with_links
from graphmem.answer.meaning import with_meaning
from graphmem.answer.plan import Plan, plan
from graphmem.answer.quoting import NEAREST_NOTE
from graphmem.answer.reading import statements_of
from graphmem.answer.reads import Reads
from graphmem.answer.relevance import nearest_of, rate
from graphmem.answer.statements import Statement
from graphmem.answer.updates import denied, ended_since, updated
from graphmem.errors import QuestionError
from graphmem.graph.connection import Graph
from graphmem.graph.read import Period
from graphmem.providers.protocols import Embedder, Reranker
from graphmem.records import Answer, Citation, Hit
from graphmem.settings import Settings
from graphmem.temporal import Policy

_DEFAULT = Settings()
LONGEST_QUESTION = 5_000
"""Characters of a question; what is longer is no question that rules can read."""


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
    reranker: Reranker | None = None,
    policy: Policy | None = None,
) -> Answer:
    """Answers a question from one namespace, with citations, or says that the memory does not say.

    Args:
        question: One question in English; any text is taken, and searched for if it has no form that is known.
        asked_at: The moment of asking, from which "now" and "last year" are read; aware. The present if not given.
        as_of: The moment in the world that the answer should speak for, where the question names none.
        said_by: Only what had been said by then counts.
        known_at: Only what the memory had learned by then counts.
        reranker: Puts the turns that are read in order. If it fails, ``details["rerank_problem"]`` says why, and the order is search's.
        policy: How times are read that can be read in several ways, in the question as in the turns.

    Raises:
        QuestionError: the question is empty, too long or no UTF-8, or a time has no offset.
        StoreError: the database failed. ProviderError: the embedder or the parser did.
    """
    moment = _checked(question, asked_at, as_of, said_by, known_at)
    until = moment if said_by is None else min(said_by, moment)
    reads = Reads(graph, embedder, namespace, until, known_at, reranker, question)
    made = plan(question, moment, await reads.names(question), policy)
    chosen, near = await _chosen(reads, made, as_of or moment)
    details = {"plan": made.bullets, "short": None if chosen is None else chosen.short, **reads.reranked.report}
    if chosen is None:
        text = unknown_text(made, near)
        return Answer(question, text, False, made.form, searched=made.bullets, details={**details, "nearest": near})
    return Answer(
        question,
        answer_text(chosen),
        True,
        made.form,
        citations=chosen.citations,
        facts=chosen.facts,
        time=chosen.time,
        searched=made.bullets,
        details=details,
    )


async def _chosen(reads: Reads, made: Plan, moment: datetime) -> tuple[Choice | None, tuple[Citation, ...]]:
    """Facts first, where they cover what is asked; statements otherwise. Where neither answers, what comes nearest."""
    if (told := await _biography(reads, made, moment)) is not None:
        return told, ()
    periods, species = await reads.periods(made)
    if links(made):
        further = hopped(made, periods, species, moment)
        if further is not None:
            await reads.names(" and ".join(further.subjects))
            reached, near = await _of(reads, further, moment, *await reads.periods(further))
            if reached is not None and reached.facts:
                return reached, near
            straight, _ = await _of(reads, made, moment, periods, species)
            return (reached if _says_it(reached) and not _says_it(straight) else straight or reached), near
    return await _of(reads, made, moment, periods, species)


async def _biography(reads: Reads, made: Plan, moment: datetime) -> Choice | None:
    """What is known of somebody as a whole, where that is asked and known."""
    asked = biography_asked(made, reads.known.values())
    if asked is None:
        return None
    kind, view = asked
    if kind == "doings":
        assert made.time is not None
        return doings(made, view, await reads.timeline_of(view, made.time.start, made.time.end))
    found = portrait(made, kind, view, *await reads.portrait_of(view, RELATIONS), moment)
    if found is not None:
        return found
    return introduced(made, view, await _read(reads, made, await reads.turns(made)))


def _says_it(found: Choice | None) -> bool:
    """Whether an answer is more than what comes nearest."""
    return found is not None and NEAREST_NOTE not in found.notes


async def _of(
    reads: Reads, made: Plan, moment: datetime, periods: Sequence[Period], species: Mapping[str, str]
) -> tuple[Choice | None, tuple[Citation, ...]]:
    read = await _read(reads, made, await reads.turns(made), reach=2 if made.want == "reason" else 1)
    statements = with_links(made, await with_meaning(made.question, read, reads.embedder))
    endings = await reads.endings(made, periods)
    found = from_facts(made, periods, species, moment, anchor_moment(made, statements), endings)
    if found is not None:
        told = choose(made, statements, moment) if made.want == "yes_no" or found.unknown else None
        if found.unknown and told is not None:
            return told, ()
        if made.form in ("first", "last"):
            found = farther(made, found, choose(made, statements, moment))
        found = ended_since(made, denied(found, told), statements)
        return updated(made, found, statements, moment), ()
    found = choose(made, statements, moment)
    if found is not None:
        return await _checked_later(reads, made, found), ()
    rated = [rate(each, made) for each in statements]
    return None, tuple(citation_of(m.statement) for m in nearest_of(rated, made))


def farther(made: Plan, found: Choice, told: Choice | None) -> Choice:
    """Of what facts and what statements say came first or last, the one farther out: rules read fewer facts than people tell."""
    if told is None or NEAREST_NOTE in told.notes or not told.citations or not found.citations:
        return found
    fact, statement = found.citations[0].said_at, told.citations[0].said_at
    return told if (statement < fact if made.form == "first" else statement > fact) else found


async def _checked_later(reads: Reads, made: Plan, found: Choice) -> Choice:
    """A quoted answer is looked up once more by its own words: whoever takes it back repeats them."""
    if found.short is not None or not found.citations:
        return found
    return taken_back(made, found, await _read(reads, made, await reads.said_again(found.citations[0])))


async def _read(reads: Reads, made: Plan, hits: Sequence[Hit], reach: int = 1) -> tuple[Statement, ...]:
    """The statements of turns and of those beside them."""
    beside, places = await reads.around(hits, reach=reach)
    return statements_of([*hits, *beside], places, made.policy)


def _checked(question: str, asked_at: datetime | None, *others: datetime | None) -> datetime:
    if not question.strip():
        raise QuestionError("the question is empty; ask something, such as: Where does Ana live?")
    if len(question) > LONGEST_QUESTION:
        raise QuestionError(
            f"the question has {len(question):,} characters; ask one of at most {LONGEST_QUESTION:,}, "
            "or give long texts to the search"
        )
    if any("\ud800" <= ch <= "\udfff" for ch in question):
        raise QuestionError("the question has bytes that are no UTF-8; give it in UTF-8")
    moment = datetime.now(UTC) if asked_at is None else asked_at
    for each in (moment, *others):
        if each is not None and each.tzinfo is None:
            raise QuestionError(
                f"{each.isoformat()} has no offset; give an aware datetime, such as {each.isoformat()}+00:00"
            )
    return moment
