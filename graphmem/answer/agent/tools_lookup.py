"""``entity_lookup``: from a name to the candidates that bear it, and of the best one its facts, their history, conflicts and events."""

from __future__ import annotations

import asyncio
import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.answer.agent.arguments import LookupArguments
from graphmem.answer.agent.lines import conflict_row, denied_row, event_row, fact_row
from graphmem.answer.agent.observing import Found, Mistake, RowText, heading
from graphmem.answer.agent.rows import day, name, quoted
from graphmem.answer.agent.scope import Scope
from graphmem.answer.agent.sources import Sources
from graphmem.answer.words import alike, content, stem_set, stems_of, witnesses, words_of
from graphmem.graph import read, read_changes, read_events
from graphmem.graph.read import EntityView, FactsResult
from graphmem.graph.read_changes import Conflict
from graphmem.records import EventView, FactView

MOST_EVENTS = 12
MOST_OTHERS = 4
MOST_EARLIER = 12
MANY_EVENTS = 300
"""So many events of an entity are read at most."""
FIRST_FACTS = 8
"""So many of the facts that hold come before the history."""
NEAR = 0.6
"""Least likeness (as the index gives it, from 0 to 1) at which another name is offered as meant."""
MOST_NAMED = 60
"""A list of properties this long may be cut; then no name is called unknown."""


@dataclass(frozen=True, slots=True)
class _Known:
    """All that is known of an entity at the times asked for."""

    now: FactsResult
    earlier: tuple[FactView, ...]
    denied: tuple[FactView, ...]
    conflicts: tuple[Conflict, ...]
    events: tuple[EventView, ...]


async def lookup(asked: LookupArguments, scope: Scope, sources: Sources) -> Found:
    """Runs the tool."""
    known = sources.find(asked.name)
    ids = [known.id] if known is not None and known.kind == "entity" else []
    names = [] if ids else [asked.name]
    views = await read.entities(scope.graph, scope.namespace, names, ids=ids, known_at=scope.known_at)
    if not views:
        return await _nearest(asked.name, scope)
    await _check_properties(asked.properties, scope)
    as_of = scope.moment(asked.as_of, "as_of") or scope.as_of
    return _shown(views, await _read(views[0], asked.properties, as_of, scope), asked.properties, as_of, scope, sources)


async def _read(view: EntityView, properties: Sequence[str], as_of: datetime | None, scope: Scope) -> _Known:
    graph, space, said_by, known_at = scope.graph, scope.namespace, scope.until, scope.known_at
    precision = "day" if as_of is not None else "instant"
    now, periods, denied, conflicts, events = await asyncio.gather(
        read.facts(
            graph, space, view.ids, properties, as_of=as_of, said_by=said_by, known_at=known_at, precision=precision
        ),
        read.history(graph, space, view.ids, properties, said_by=said_by, known_at=known_at),
        read_changes.denials(graph, space, view.ids, properties, as_of=as_of, said_by=said_by, known_at=known_at),
        read_changes.conflicts(graph, space, view.ids, properties, said_by=said_by, known_at=known_at),
        _events(view, scope),
    )
    holding = {fact.id for fact in now.facts}
    return _Known(now, tuple(fact for fact in periods if fact.id not in holding), denied, conflicts, events)


async def _events(view: EntityView, scope: Scope) -> tuple[EventView, ...]:
    """The entity's events; of one that is everywhere only the last, since a search finds the others better."""
    graph, space, said_by, known_at = scope.graph, scope.namespace, scope.until, scope.known_at
    if view.events <= MANY_EVENTS:
        return await read_events.events(graph, space, view.ids, said_by=said_by, known_at=known_at)
    last = await read_events.last(graph, space, view.ids, said_by=said_by, known_at=known_at, limit=MANY_EVENTS)
    return last[::-1]


def _shown(
    views: Sequence[EntityView],
    known: _Known,
    properties: Sequence[str],
    as_of: datetime | None,
    scope: Scope,
    sources: Sources,
) -> Found:
    """The reply: what bears on the question first."""
    view, longest, wanted = views[0], scope.settings.quote_characters, question_stems(scope.question)
    holding = [fact_row(each, longest) for each in _ranked_facts(known.now.facts, wanted)]
    when = "" if as_of is None else f" on {as_of.date().isoformat()}"
    rows: list[RowText] = [_other(each) for each in views[1:MOST_OTHERS]]
    rows += _group(f"Holds{when}:", holding[:FIRST_FACTS])
    rows += _group("Conflicts:", [conflict_row(each, longest) for each in known.conflicts[:MOST_OTHERS]])
    rows += _group(
        "Held before or after:",
        [fact_row(each, longest) for each in _in_time(_ranked_facts(known.earlier, wanted)[:MOST_EARLIER])],
    )
    rows += _group("Said not to be so (any more):", [denied_row(each, longest) for each in known.denied[:MOST_OTHERS]])
    later = [
        heading(f"{name(each.property)} {quoted(each.value)}, known from {day(each.since)}")
        for each in known.now.not_known_before[:MOST_OTHERS]
    ]
    rows += _group("Not known at that time, only later:", later)
    rows += _group("Holds too:", holding[FIRST_FACTS:])
    rows += _group("Events:", [event_row(each, longest) for each in _ranked_events(known.events, wanted)])
    facts = len(known.now.facts) + len(known.earlier) + len(known.denied)
    # When a name was said is not kept, so where that counts only the first is shown.
    names = () if scope.confined else view.aliases
    also = "".join(f", {quoted(each)}" for each in names if each != view.name)
    kind = f"{name(view.type)}{'; also' + also[1:] if also else ''}"
    events = view.events if len(known.events) >= MANY_EVENTS else len(known.events)
    head = (
        f"{sources.entity(view.id)} {quoted(view.name)} ({kind}); "
        f"{len(known.now.facts)} facts hold{when}, {events} events{_anchors(known.events)}"
    )
    hint = "It has no such property; leave properties out, or search." if properties and not facts else None
    return Found(head, tuple(rows), facts + len(known.events), hint, "give properties, or search_events with words")


def _anchors(events: Sequence[EventView]) -> str:
    """The first and the last day of events, since not all of them are shown."""
    days = sorted(event.starts_at for event in events if event.starts_at is not None)
    return f" from {day(days[0])} to {day(days[-1])}" if len(days) > 1 else ""


async def _nearest(asked: str, scope: Scope) -> Found:
    """No entity of this name: those that may be meant."""
    rows = [row for row in await scope.similar_names(asked) if row["score"] >= NEAR]
    head = f"Nobody and nothing is called {quoted(asked)}."
    if not rows:
        return Found(head, (), 0, "Search for it: it may be spoken of without being an entity.")
    found = tuple(candidate(row["id"], row["entity"], row["type"]) for row in rows)
    return Found(f"{head} Nearest names:", found, 0, "Look one of these up by its handle if it is meant; else search.")


def candidate(identifier: str, text: str, kind: str) -> RowText:
    """An entity as a row: handle, name and type."""
    return lambda sources: f"{sources.entity(identifier)} {quoted(text)} ({name(kind)})"


async def _check_properties(asked: Sequence[str], scope: Scope) -> None:
    """Raises Mistake for properties that the namespace does not have, with the nearest ones."""
    if not asked:
        return
    known = [each for each, _ in (await scope.contents()).properties]
    for each in asked:
        if each not in known and len(known) < MOST_NAMED:
            near = nearest_properties(each, known)
            told = (
                f"the nearest are {', '.join(map(name, near))}"
                if near
                else f"there are {', '.join(map(name, known[:20]))}"
            )
            raise Mistake(f"No fact has the property {quoted(each)}; {told}. Or leave properties out.")


def nearest_properties(asked: str, known: Sequence[str]) -> list[str]:
    """The known properties most like a name: in what its words may stand for, then in letters."""
    own = set(stems_of(asked.replace("_", " ")))
    meant = own | {other for each in own for other in witnesses(each) | alike(each)}
    by_words = [each for each in known if meant & set(stems_of(each.replace("_", " ")))]
    return list(dict.fromkeys((*by_words, *difflib.get_close_matches(asked, known, n=3, cutoff=0.5))))[:3]


def question_stems(question: str) -> frozenset[str]:
    """The stems of a question's content words and of what may stand for them."""
    own = {word.stem for word in content(words_of(question))} - stem_set("function_words")
    return frozenset(own | {other for each in own for other in alike(each) | witnesses(each)})


def _group(title: str, rows: Sequence[RowText]) -> list[RowText]:
    """Rows under a heading, which comes with the first of them."""
    if not rows:
        return []
    first = rows[0]
    return [lambda sources: f"{title}\n{first(sources)}", *rows[1:]]


def _other(view: EntityView) -> RowText:
    return lambda sources: (
        f"another of that name: {sources.entity(view.id)} {quoted(view.name)} ({name(view.type)}), {view.facts} facts"
    )


def _ranked_facts(facts: Sequence[FactView], wanted: frozenset[str]) -> list[FactView]:
    """Facts that share words with the question first, then the latest."""
    return sorted(
        facts,
        key=lambda fact: (-_shared(wanted, fact.property.replace("_", " "), fact.value), -_time(fact.valid.start)),
    )


def _in_time(facts: Sequence[FactView]) -> list[FactView]:
    return sorted(facts, key=lambda fact: (fact.property, _time(fact.valid.start)))


def _ranked_events(events: Sequence[EventView], wanted: frozenset[str]) -> list[EventView]:
    """The events nearest to the question in words, those that share any before the rest, each in the order of time."""
    best = sorted(events, key=lambda event: (-_shared(wanted, event.summary), -_time(event.starts_at)))[:MOST_EVENTS]
    return sorted(best, key=lambda event: (-min(_shared(wanted, event.summary), 1), _time(event.starts_at)))


def _shared(wanted: frozenset[str], *texts: str) -> int:
    return len(wanted & {stem for text in texts for stem in stems_of(text)})


def _time(moment: datetime | None) -> float:
    return 0.0 if moment is None else moment.toordinal() * 86400.0 + moment.hour * 3600 + moment.minute * 60
