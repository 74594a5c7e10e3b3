"""The graph as a model is told of it: what there is, six worked queries, and what this namespace really holds. Under 700 tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.answer.agent.rows import day, fitted, name, quoted, tokens_of

WORKED = {
    "current value": "MATCH (e:Entity {name:'Ana'})-[:HAS_FACT]->(f:Fact {property:'lives_in'})-[:SUPPORTED_BY]->(q:Evidence) "
    "WHERE f.polarity='holds' RETURN f.value, f.valid_from, q.id ORDER BY f.valid_from DESC LIMIT 1",
    "value at a time": "… WHERE f.polarity='holds' AND f.valid_from <= datetime('2023-05-01') AND f.valid_to > datetime('2023-05-01') "
    "RETURN f.value ORDER BY f.valid_from DESC LIMIT 1",
    "what changed": "MATCH (e:Entity {name:'Ana'})-[:HAS_FACT]->(f:Fact {property:'lives_in'}) "
    "RETURN f.value, f.polarity, f.valid_from, f.asserted_at ORDER BY f.valid_from",
    "count in a period": "MATCH (v:Event)-[:INVOLVES]->(:Entity {name:'Ana'}) WHERE toLower(v.summary) CONTAINS 'concert' "
    "AND v.starts_at >= datetime('2023-05-01') AND v.starts_at < datetime('2023-06-01') RETURN count(DISTINCT date(v.starts_at)) AS n",
    "two hops": "MATCH (:Entity {name:'Ana'})-[:HAS_FACT]->(:Fact {property:'has_sister'})-[:VALUE]->(s:Entity)-[:HAS_FACT]->(f:Fact "
    "{property:'works_at'}) RETURN s.name, f.value, f.valid_from ORDER BY f.valid_from DESC",
    "before and after an event": "MATCH (a:Event {id:$v1}), (v:Event)-[:INVOLVES]->(:Entity {id:$n1}) WHERE v.starts_at < a.starts_at "
    "RETURN v.summary, v.starts_at, duration.inDays(v.starts_at, a.starts_at).days AS days ORDER BY v.starts_at DESC LIMIT 5",
}
"""One for each kind of question; the tests run them on a real graph."""

GRAPH = """(Session {source_id, started_at})-[:HAS_TURN]->(Turn {source_id, speaker, text, said_at, position})
(Evidence {quote})-[:QUOTES]->(Turn); (Alias {text})-[:NAMES]->(Entity {name, type})
(Event {kind, subject, verb, object, summary, starts_at, ends_at, granularity, asserted_at}),
 (Event)-[:INVOLVES {role}]->(Entity), -[:AT]->(Entity place), -[:SUPPORTED_BY]->(Evidence), -[:ESTABLISHES]->(Fact)
(Entity)-[:HAS_FACT]->(Fact {property, value, number, unit, valid_from, valid_to, polarity: holds|ended|denied, asserted_at, confidence}),
 (Fact)-[:OF]->(Property {name, cardinality}), -[:VALUE]->(Entity), -[:SUPPORTED_BY]->(Evidence)
Every node has id. Times are UTC datetimes, intervals [start, end); valid_to in 9999 is open. Facts are statements as made:
a later value, an ending, or (Fact)-[:CORRECTS|RETRACTS|REPLACES]->(Fact) is not applied here;
entity_lookup applies them. Read-only; return ids to cite."""  # fmt: skip


@dataclass(frozen=True, slots=True)
class Contents:
    """What a namespace holds: names with their counts, the most frequent first, and the time its turns cover."""

    properties: tuple[tuple[str, int], ...] = ()
    types: tuple[tuple[str, int], ...] = ()
    kinds: tuple[tuple[str, int], ...] = ()
    speakers: tuple[tuple[str, int], ...] = ()
    turns: int = 0
    first: datetime | None = None
    last: datetime | None = None


def schema_text(contents: Contents, budget: int) -> str:
    """The whole view in at most ``budget`` tokens; where the namespace holds too many names, the most frequent are shown."""
    worked = [f"{title}: {query}" for title, query in WORKED.items()]
    head = "\n".join((GRAPH, "Worked queries:", *worked))
    left = budget - tokens_of(head)
    lines = [f"Here: {contents.turns} turns, {day(contents.first)} to {day(contents.last)}"]
    left -= tokens_of(lines[0])
    groups = (
        ("properties", contents.properties, 0.5),
        ("speakers", contents.speakers, 0.2),
        ("entity types", contents.types, 0.6),
        ("event kinds", contents.kinds, 1.0),
    )
    for title, counted, share in groups:
        line = _counted(title, counted, int(left * share))
        left -= tokens_of(line)
        lines.append(line)
    return "\n".join((head, *lines))


def _counted(title: str, counted: Sequence[tuple[str, int]], budget: int) -> str:
    if not counted:
        return f"{title}: none"
    parts = [f"{name(each) if title != 'speakers' else quoted(each)} {count}" for each, count in counted]
    kept, left = fitted(parts, max(budget - tokens_of(title) - 4, 0), always=1)
    return f"{title}: {', '.join(kept)}" + (f", and {left} more" if left else "")
