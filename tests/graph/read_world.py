"""Writes small worlds for the tests of reading: turns, entities, facts, events and decisions, through the product's own rows and ledger."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from graphmem.graph.batch import Batch
from graphmem.graph.connection import Graph
from graphmem.graph.rows_named import add_alias, add_entity, add_property, entity_id
from graphmem.graph.rows_said import add_session, add_turn
from graphmem.graph.rows_stated import add_event, add_fact
from graphmem.graph.write import append, read_head
from graphmem.ids import digest
from graphmem.records import EventDraft, FactDraft, Interval, Mention, Participant, Quote, Session, TimeNote, Turn

NO_VECTOR: tuple[float, ...] = ()


def at(text: str) -> datetime:
    """An instant from a date or a date and time, UTC where no offset stands."""
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


class Scribe:
    """Gathers what a test says of its world; ``commit`` appends it and returns the transaction time."""

    def __init__(self, graph: Graph, namespace: str) -> None:
        self.graph = graph
        self.namespace = namespace
        self.batch = Batch(namespace)
        self.turns = 0
        self.statements = 0

    async def commit(self) -> datetime:
        """Appends what was gathered since the last commit; its transaction time."""
        committed = await append(self.graph, self.batch, await read_head(self.graph, self.namespace))
        self.batch = Batch(self.namespace)
        assert committed.head.created_at is not None
        return committed.head.created_at

    def quote(self, text: str, said: datetime, speaker: str = "Ana") -> Quote:
        """A turn of a session of its own, and all of it as a quotation."""
        self.turns += 1
        session = digest("session", self.namespace, f"s{self.turns}")
        turn = digest("turn", session, f"s{self.turns}:1")
        spoken = Turn(turn, self.namespace, session, f"s{self.turns}:1", 0, speaker, text, said)
        add_session(self.batch, Session(session, self.namespace, f"s{self.turns}", "test", said, (spoken,)))
        add_turn(self.batch, spoken, text, NO_VECTOR)
        return Quote(turn, 0, len(text), text)

    def entity(self, name: str, type_: str = "Person", *aliases: str, apart: str = "") -> str:
        """An entity with its names."""
        identifier = entity_id(self.namespace, name, type_, apart)
        add_entity(self.batch, identifier, name, type_)
        for alias in (name, *aliases):
            add_alias(self.batch, identifier, alias, type_, NO_VECTOR)
        return identifier

    def fact(
        self,
        subject: str,
        property_: str,
        value: str,
        said: str | datetime,
        since: str | datetime | None = None,
        until: str | datetime | None = None,
        *,
        single: bool = True,
        polarity: str = "holds",
        confidence: float = 0.5,
        granularity: str = "day",
        value_entity: str | None = None,
        corrects: Sequence[str] = (),
        retracts: Sequence[str] = (),
        replaces: Sequence[str] = (),
        quote: Quote | None = None,
    ) -> str:
        """A statement; ``since`` None is a start that nobody stated. Returns its identifier."""
        asserted = at(said) if isinstance(said, str) else said
        start = at(since) if isinstance(since, str) else since
        end = at(until) if isinstance(until, str) else until
        self.statements += 1
        quote = quote or self.quote(f"{subject[:4]} {property_} {value} {polarity} ({self.statements})", asserted)
        begins = start or (min(asserted, end) if end is not None else asserted)
        draft = FactDraft(
            Mention("x", "Person", quote),
            property_,
            value,
            quote,
            cardinality="one" if single else "many",
            polarity=polarity,  # type: ignore[arg-type]
            confidence=confidence,
        )
        valid = Interval(begins, end, granularity, start_stated=start is not None, end_stated=end is not None)
        add_property(self.batch, property_, draft.cardinality, "string", NO_VECTOR)
        identifier = add_fact(
            self.batch, draft, subject, valid, f"test {self.statements}", asserted, value, NO_VECTOR, value_entity
        )
        if value == "" and value_entity is None:
            self.batch.nodes["Fact"][identifier]["value_key"] = ""
        for kind, targets in (("CORRECTS", corrects), ("RETRACTS", retracts), ("REPLACES", replaces)):
            for target in targets:
                self.batch.edge("Fact", identifier, kind, "Fact", target)
        return identifier

    def event(
        self,
        who: Sequence[str],
        verb: str,
        object_: str,
        said: str,
        start: str | None = None,
        end: str | None = None,
        *,
        granularity: str = "day",
        confidence: float = 0.5,
        kind: str = "action",
        subject: str = "Ana",
    ) -> str:
        """An event that these entities take part in. Returns its identifier."""
        self.statements += 1
        text = f"{subject} {verb} {object_} ({self.statements})"
        quote = self.quote(text, at(said))
        mention = Mention(subject, "Person", quote)
        draft = EventDraft(kind, subject, verb, object_, text, quote, (Participant(mention, "Agent"),), confidence=0.5)
        time = TimeNote(
            "",
            "test",
            "",
            granularity,
            confidence,
            at(start) if start is not None else None,
            at(end) if end is not None else None,
        )
        identifier = add_event(self.batch, draft, time, f"test {self.statements}", at(said), text, NO_VECTOR)
        for entity in who:
            self.batch.edge("Event", identifier, "INVOLVES", "Entity", entity, key="Agent", role="Agent")
        return identifier

    def extraction(self, name: str, produced: Sequence[str], kind: str = "Fact", replaces: Sequence[str] = ()) -> str:
        """An extraction that gave these facts or events, and may replace others. Returns its identifier."""
        identifier = digest("extraction", self.namespace, name)
        session = digest("session", self.namespace, f"s{self.turns}")
        self.batch.node("Extraction", identifier, session_id=session, window=[name], extractor="test", version=name)
        for statement in produced:
            self.batch.edge("Extraction", identifier, "PRODUCED", kind, statement)
        for earlier in replaces:
            self.batch.edge(
                "Extraction", identifier, "REPLACES", "Extraction", digest("extraction", self.namespace, earlier)
            )
        return identifier

    def decide(self, a: str, b: str, kind: str, decided_at: str, label: str = "Entity") -> None:
        """That two entities (or tellings of events) are the same or distinct."""
        self.batch.edge(
            label, a, kind, label, b, key=decided_at, decided_at=decided_at, decided_by="person", reason="test"
        )
