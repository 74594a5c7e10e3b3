"""A profile: what the memory holds about somebody or something, as text within a budget, ready for a prompt.

Current facts come first, then what happened last, then what changed, each with the turns it rests on; the quotations follow as far as they
fit. What holds is decided by ``graphmem.graph.read``; this module chooses and writes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.errors import QuestionError
from graphmem.graph import read
from graphmem.graph.connection import Graph
from graphmem.records import Citation, EventView, FactView, Interval
from graphmem.search.budget import estimated_tokens, excerpt, one_line

LONGEST_QUOTE = 240
"""Characters of a quotation that are shown."""
_TURNS_NAMED = 3
"""Turns that are named with one statement; the others are counted."""

_FORMATS = {"year": "%Y", "decade": "%Y", "month": "%Y-%m", "quarter": "%Y-%m", "season": "%Y-%m"}


@dataclass(frozen=True, slots=True)
class Profile:
    """A block of text for a prompt about one entity, which ``str`` gives, and what it is made of, in the order in which it stands there."""

    text: str
    name: str
    type: str
    facts: tuple[FactView, ...]
    events: tuple[EventView, ...]
    changes: tuple[FactView, ...]
    quotations: tuple[Citation, ...]
    tokens: int

    def __str__(self) -> str:
        return self.text


async def build_profile(
    graph: Graph,
    entity: str,
    *,
    namespace: str,
    budget: int = 1200,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
    events: int = 10,
    count: Callable[[str], int] = estimated_tokens,
) -> Profile:
    """What is known about an entity at ``as_of`` (the latest state without it), within a budget of tokens.

    Args:
        entity: A name, in any case, or the identifier of an entity. Of several that bear the name the most mentioned is taken.
        namespace: The memory to look in.
        budget: Tokens that the text may take, as ``count`` counts them.
        as_of, known_at: The time asked about in the world, and the time up to which the memory had learned; aware datetimes.
        events: How many of the last events at most.

    Raises:
        QuestionError: nobody and nothing of that name is known, or the budget is below 1. StoreError: the database failed.
    """
    if budget < 1:
        raise QuestionError(f"budget is {budget}; it must be at least 1 token")
    found = await read.entities(graph, namespace, [entity], known_at=known_at)
    found = found or await read.entities(graph, namespace, ids=[entity], known_at=known_at)
    if not found:
        raise QuestionError(
            f"the memory {namespace!r} knows nothing called {entity!r}; `graphmem search` finds where it is spoken of"
        )
    one = found[0]
    facts, periods, entries = await asyncio.gather(
        read.facts(graph, namespace, one.ids, as_of=as_of, known_at=known_at),
        read.periods(graph, namespace, one.ids, known_at=known_at),
        read.timeline(graph, namespace, one.ids, until=as_of, known_at=known_at),
    )
    past = tuple(
        period.fact
        for period in periods
        if period.fact.valid.end is not None and (as_of is None or period.fact.valid.end <= as_of)
    )
    happened = [entry.event for entry in entries if entry.event is not None and entry.event.starts_at is not None]
    return written(one.name, one.type, one.aliases, facts.facts, happened[-events:], past, budget, count)


def written(
    name: str,
    type_: str,
    aliases: Sequence[str],
    facts: Sequence[FactView],
    events: Sequence[EventView],
    changes: Sequence[FactView],
    budget: int,
    count: Callable[[str], int],
) -> Profile:
    """Writes a profile. Where not all fits, each part gives up its last: the least certain facts, the oldest events, the oldest changes."""
    others = [alias for alias in aliases if alias != name]
    head = one_line(f"# {name} ({type_}{'; also ' + ', '.join(others) if others else ''})")
    sure = sorted(facts, key=lambda fact: -fact.confidence)
    late = sorted(events, key=_when, reverse=True)
    gone = sorted(changes, key=lambda fact: fact.valid.end or fact.asserted_at, reverse=True)
    spent = count(head + "\n")
    parts: list[str] = [head]
    shown: list[list[int]] = []
    for title, lines in (
        ("## Holds", [_fact_line(fact) for fact in sure]),
        ("## Happened", [_event_line(event) for event in late]),
        ("## Held before", [_fact_line(fact) for fact in gone]),
    ):
        kept: list[int] = []
        for place, line in enumerate(lines):
            cost = count(line + "\n") + (0 if kept else count(title + "\n"))
            if spent + cost > budget:
                break
            spent += cost
            kept.append(place)
        parts += [title, *(lines[place] for place in kept)] if kept else []
        shown.append(kept)
    stated = [*(sure[place] for place in shown[0]), *(gone[place] for place in shown[2])]
    told = [late[place] for place in shown[1]]
    quotations = _quotations((*stated, *told))
    lines, quoted = [], []
    for citation in quotations:
        words = excerpt(one_line(citation.quote), name, LONGEST_QUOTE)
        line = one_line(f'[{citation.turn_id}] {citation.said_at:%Y-%m-%d} {citation.speaker}: "{words}"')
        cost = count(line + "\n") + (0 if lines else count("## Said\n"))
        if spent + cost > budget:
            continue
        spent += cost
        lines.append(line)
        quoted.append(citation)
    parts += ["## Said", *lines] if lines else []
    text = "\n".join(parts)
    while count(text) > budget:  # not even the name fits
        text = text[: len(text) * budget // (count(text) + 1)]
    return Profile(
        text, name, type_, tuple(sure[place] for place in shown[0]), tuple(told), tuple(gone[place] for place in shown[2]), tuple(quoted),
        count(text),
    )  # fmt: skip


def _fact_line(fact: FactView) -> str:
    unit = f" {fact.unit}" if fact.unit else ""
    time = _interval(fact.valid)
    doubt = "".join(f"; {word}" for word, holds in (("possibly", fact.possibly), ("inferred", fact.inferred)) if holds)
    against = "".join(f"; but also said: {lost.value}{_turns(lost.evidence)}" for lost in fact.conflicts)
    negated = "" if fact.polarity == "holds" else "not " if fact.polarity == "denied" else "no longer "
    return one_line(f"- {fact.property}: {negated}{fact.value}{unit} ({time}{doubt}){_turns(fact.evidence)}{against}")


def _event_line(event: EventView) -> str:
    when = "" if event.starts_at is None else f"{event.starts_at:{_FORMATS.get(event.granularity, '%Y-%m-%d')}} "
    return one_line(f"- {when}{event.summary}{_turns(event.evidence)}")


def _interval(valid: Interval) -> str:
    form = _FORMATS.get(valid.granularity, "%Y-%m-%d")
    start = "" if valid.start is None else f"{'since' if valid.start_stated else 'known since'} {valid.start:{form}}"
    return (start + ("" if valid.end is None else f"{' ' if start else ''}until {valid.end:{form}}")) or "no time given"


def _turns(evidence: Sequence[Citation]) -> str:
    names = list(dict.fromkeys(citation.turn_id for citation in evidence))
    more = f" +{len(names) - _TURNS_NAMED}" if len(names) > _TURNS_NAMED else ""
    return f" [{', '.join(names[:_TURNS_NAMED])}{more}]" if names else ""


def _when(event: EventView) -> float:
    return 0.0 if event.starts_at is None else event.starts_at.timestamp()


def _quotations(statements: Iterable[FactView | EventView]) -> list[Citation]:
    """One quotation of each statement, then the others, each once."""
    rows = [statement.evidence for statement in statements]
    first = [evidence[0] for evidence in rows if evidence]
    rest = [citation for evidence in rows for citation in evidence[1:]]
    unique = {
        (citation.turn_id, citation.session_id, citation.start, citation.end): citation for citation in (*first, *rest)
    }
    return list(unique.values())
