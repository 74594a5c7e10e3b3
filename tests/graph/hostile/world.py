"""Two small namespaces for the guard's tests: one may be seen, and another, the same but for a canary in every text, never."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from graphmem.graph import rows_named, rows_said, rows_stated
from graphmem.graph.batch import Batch
from graphmem.graph.connection import Graph
from graphmem.graph.write import append, read_head
from graphmem.ids import digest
from graphmem.records import EventDraft, FactDraft, Interval, Mention, Quote, Session, TimeNote, Turn

CANARY = "CANARY"
DIMENSIONS = 384

_START = datetime(2023, 5, 1, 14, 0, tzinfo=timezone(timedelta(hours=1)))
_TALK = (
    ("Ana", "I moved to Lisbon last week."),
    ("Bo", "Great! I still live in Porto."),
    ("Ana", "I work at Acme now, as an engineer."),
    ("Bo", "My dog Rex is sick again."),
    ("Ana", "In May I moved on to Madrid."),
    ("Bo", "I like chess and old films."),
)
_PLACES = ("Lisbon", "Porto", "Madrid")
_FACTS = (
    ("Ana", "lives_in", "Lisbon", "one", None, 0, datetime(2023, 4, 24, tzinfo=UTC)),
    ("Ana", "lives_in", "Madrid", "one", None, 4, datetime(2023, 5, 21, tzinfo=UTC)),
    ("Bo", "lives_in", "Porto", "one", None, 1, datetime(2023, 5, 1, tzinfo=UTC)),
    ("Bo", "likes", "chess", "many", None, 5, None),
    ("Bo", "likes", "old films", "many", None, 5, None),
    ("Ana", "age", "31", "one", 31, 2, None),
)
_EVENTS = (("Ana", "moved to", "Lisbon", 0, 4), ("Ana", "moved to", "Madrid", 4, 5), ("Bo", "visited", "Porto", 1, 5))


async def build(graph: Graph, namespace: str, mark: str = "") -> None:
    """Appends the world to a namespace; ``mark`` goes into every name and text of it."""
    batch = Batch(namespace)
    vector = [1.0, *[0.0] * (DIMENSIONS - 1)]
    entities = {}
    for name, kind in [("Ana", "Person"), ("Bo", "Person"), *((place, "Place") for place in _PLACES)]:
        entities[name] = rows_named.entity_id(namespace, name + mark, kind)
        rows_named.add_entity(batch, entities[name], name + mark, kind)
        rows_named.add_alias(batch, entities[name], name + mark, kind, vector)
    turns = _sessions(batch, mark, vector)
    for name, cardinality, kind in (
        ("lives_in", "one", "string"),
        ("likes", "many", "string"),
        ("age", "one", "integer"),
    ):
        rows_named.add_property(batch, name, cardinality, kind, vector)
    for who, name, value, cardinality, typed, place, start in _FACTS:
        turn = turns[place]
        quote = Quote(turn.id, 2, 12, turn.text[2:12])
        subject = Mention(who + mark, "Person", quote)
        draft = FactDraft(subject, name, value + mark, quote, cardinality=cardinality, typed=typed, confidence=0.6)  # type: ignore[arg-type]
        valid = Interval(start, None)
        text = f"{who} {name} {value}{mark}"
        rows_stated.add_fact(
            batch, draft, entities[who], valid, "test/1", turn.said_at, text, vector, entities.get(value)
        )
    for who, verb, value, place, month in _EVENTS:
        turn = turns[place]
        quote = Quote(turn.id, 0, 15, turn.text[:15])
        day = datetime(2023, month, 2, tzinfo=UTC)
        time = TimeNote("then", "test", "default", "day", 0.9, day, day + timedelta(days=1))
        summary = f"{who} {verb} {value}{mark}"
        aliases = (f"relocated{mark}", f"went{mark}")
        draft_event = EventDraft(
            "movement", who + mark, verb, value + mark, summary, quote, aliases=aliases, confidence=0.7
        )
        event = rows_stated.add_event(batch, draft_event, time, "test/1", turn.said_at, summary, vector)
        batch.edge("Event", event, "INVOLVES", "Entity", entities[who], "Agent", role="Agent")
        batch.edge("Event", event, "AT", "Entity", entities[value])
    await append(graph, batch, await read_head(graph, namespace), [turn.id for turn in turns])


def _sessions(batch: Batch, mark: str, vector: list[float]) -> list[Turn]:
    turns = []
    for number in range(2):
        identifier = digest("session", batch.namespace, number)
        start = _START + timedelta(days=30 * number)
        rows_said.add_session(
            batch, Session(identifier, batch.namespace, f"s{number}{mark}", "jsonl", start, (), f"Talk {number}{mark}")
        )
        for position, (speaker, text) in enumerate(_TALK[3 * number : 3 * number + 3]):
            turn = Turn(
                digest("turn", identifier, position),
                batch.namespace,
                identifier,
                f"D{number}:{position}{mark}",
                position,
                speaker + mark,
                text + mark,
                start + timedelta(minutes=position),
            )
            turns.append(turn)
            rows_said.add_turn(batch, turn, turn.text, vector)
    return turns
