"""The records that graphmem hands from step to step and to its users. All are frozen.

Times are aware datetimes; the offset is the speaker's own, and the graph stores the instant in UTC beside that offset. Intervals are
half-open, ``[start, end)``. Offsets into a text count Unicode code points. Property names in the graph are these field names.

In order: what was said (Attachment, Turn, Session), when (Interval), what was meant, before it is resolved (Mention, and the Draft
records that an extractor returns), and what a question gets back (Citation, FactView, EventView, Hit, Answer).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Literal

OPEN_END = datetime(9999, 12, 31, tzinfo=UTC)
"""Stored as the end of a fact that nobody ended (an index filter allows no OR). No arithmetic is done on it; Python shows None."""

Polarity = Literal["holds", "ended", "denied"]
Cardinality = Literal["one", "many"]
ValueType = Literal["string", "integer", "float", "boolean", "date", "datetime", "enum", "url", "list"]
Decision = Literal["choose_existing", "propose_new", "none"]


# What was said ----------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attachment:
    """Something shared in a turn. ``caption`` is indexed with the turn's text; ``address`` is where it can be found."""

    kind: str
    caption: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """One utterance, word for word.

    ``source_id`` is the turn's own name in its source (such as D3:12), unique within its session, made from a digest when the source
    gives none. ``said_at`` carries the speaker's offset. ``position`` counts from 0 within the session. ``speaker_id`` tells speakers
    of one name apart where the source has such an id.
    """

    id: str
    namespace: str
    session_id: str
    source_id: str
    position: int
    speaker: str
    text: str
    said_at: datetime
    role: str | None = None
    addressee: str | None = None
    attachments: tuple[Attachment, ...] = ()
    speaker_id: str | None = None


@dataclass(frozen=True, slots=True)
class NewTurn:
    """A turn as an agent hands it over: who says what.

    ``said_at`` is aware; None means now, and then a call that is repeated adds the turn again. ``id`` is a name of the turn's own, unique
    within its session; without one it is known by its time, speaker and text.
    """

    speaker: str
    text: str
    said_at: datetime | None = None
    id: str | None = None
    role: str | None = None
    addressee: str | None = None
    attachments: tuple[Attachment, ...] = ()
    speaker_id: str | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation held in one sitting. ``source`` names the reader's format; the file's name is no part of the identity."""

    id: str
    namespace: str
    source_id: str
    source: str
    started_at: datetime
    turns: tuple[Turn, ...]
    title: str | None = None


# When -------------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Interval:
    """When something held: ``[start, end)`` in aware datetimes, None where open, and whether each bound was stated.

    ``granularity`` is the coarsest unit the words allow ("in May" is a month, not the first of May).
    """

    start: datetime | None
    end: datetime | None
    granularity: str = "instant"
    start_stated: bool = True
    end_stated: bool = True


@dataclass(frozen=True, slots=True)
class TimeNote:
    """How an interval was found: the words, the rule that read them, the policy in force and the other readings.

    ``recurrence`` is an RFC 5545 rule where the words name a set of times. ``life_stage`` is an age where they name one ("in my
    twenties": ``AGE 20/30``; with ``FROM`` or ``UNTIL`` before it where it only begins or ends something); it has no interval until
    somebody knows the birth date.
    """

    expression: str
    rule: str
    policy: str
    granularity: str
    confidence: float
    start: datetime | None
    end: datetime | None
    alternatives: tuple[tuple[datetime | None, datetime | None], ...] = ()
    recurrence: str | None = None
    life_stage: str | None = None

    def bounding(self, side: Literal["FROM", "UNTIL"]) -> TimeNote:
        """The same, its life stage as that from which, or until which, something holds; an age that bounds already stays as it is."""
        if self.life_stage is None or self.life_stage.startswith(("FROM", "UNTIL")):
            return self
        return replace(self, life_stage=f"{side} {self.life_stage}")


# What was meant, before resolution --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Quote:
    """A stretch of a turn's text: ``text == turn.text[start:end]``, code points.

    ``how`` says how it was found: ``verbatim``, or aligned to what was given (``graphmem/extract/grounding.py``).
    """

    turn_id: str
    start: int
    end: int
    text: str
    how: str = field(default="verbatim", compare=False)


@dataclass(frozen=True, slots=True)
class Mention:
    """A name or description in a turn that stands for an entity.

    ``speaker`` is set when the mention is a speaker ("I", or "you" said to that person): it resolves by that name alone.
    ``attributes`` are what the sentence says of it that may tell it from another of the same name.
    """

    name: str
    type: str
    quote: Quote
    speaker: str | None = None
    attributes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Participant:
    """An entity's part in an event. Roles: Agent, Mentioned, Speaker, Listener."""

    mention: Mention
    role: str


@dataclass(frozen=True, slots=True)
class EventDraft:
    """An event as extracted. ``aliases`` are other wordings; ``place`` is one of the participants' mentions."""

    kind: str
    subject: str
    verb: str
    object: str
    summary: str
    quote: Quote
    participants: tuple[Participant, ...] = ()
    place: Mention | None = None
    aliases: tuple[str, ...] = ()
    time: TimeNote | None = None
    confidence: float = 0.5


@dataclass(frozen=True, slots=True)
class FactDraft:
    """A statement about a subject as extracted: ``subject`` – ``property`` – ``value``.

    ``value`` is as said; ``value_mention`` is set when the value is an entity. ``typed`` is the value in its own type (int, float,
    bool, datetime, or a tuple of str) or None when it is text. ``time`` tells since when (or in what period) it holds.
    """

    subject: Mention
    property: str
    value: str
    quote: Quote
    value_type: ValueType = "string"
    cardinality: Cardinality = "many"
    value_mention: Mention | None = None
    typed: int | float | bool | datetime | tuple[str, ...] | None = None
    unit: str | None = None
    polarity: Polarity = "holds"
    inferred: bool = False
    confidence: float = 0.5
    valid: Interval | None = None
    time: TimeNote | None = None
    event: int | None = None
    """Position, in the extraction's events, of the event that establishes it."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """What an extractor found in the new turns of a window, in order of text. ``usage`` counts what it cost (tokens, calls)."""

    extractor: str
    version: str
    events: tuple[EventDraft, ...]
    facts: tuple[FactDraft, ...]
    mentions: tuple[Mention, ...] = ()
    refused: int = 0
    usage: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Window:
    """Turns to extract from: ``turns`` are new, ``context`` are up to five earlier ones that are only read. Never crosses a session."""

    namespace: str
    session: Session
    context: tuple[Turn, ...]
    turns: tuple[Turn, ...]
    speakers: tuple[str, ...]
    """Everyone who speaks in the session, in order of first turn."""


# What a question gets back ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Citation:
    """The words that a statement rests on, and where they stand. ``turn_id`` is the source's own (such as D3:12)."""

    turn_id: str
    session_id: str
    speaker: str
    said_at: datetime
    quote: str
    start: int
    end: int
    evidence_id: str | None = None


@dataclass(frozen=True, slots=True)
class FactView:
    """A fact as it stands at the times asked for.

    ``valid`` is the effective interval: a later value, an ending or a denial has closed it where one was said and known.
    ``possibly`` is true when the granularity is coarser than the question; ``conflicts`` are the facts that lost to this one.
    """

    id: str
    subject: str
    property: str
    value: str
    valid: Interval
    asserted_at: datetime
    known_at: datetime
    polarity: Polarity
    confidence: float
    inferred: bool
    possibly: bool
    evidence: tuple[Citation, ...]
    conflicts: tuple[FactView, ...] = ()
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class EventView:
    """An event with its participants and the words it rests on."""

    id: str
    kind: str
    subject: str
    verb: str
    object: str
    summary: str
    starts_at: datetime | None
    ends_at: datetime | None
    granularity: str
    time_expression: str | None
    time_rule: str | None
    confidence: float
    participants: tuple[str, ...]
    evidence: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """A turn that a search found. ``turn_id`` is the source's own, ``id`` the graph's; ``parts`` are the pieces of the score."""

    id: str
    turn_id: str
    session_id: str
    speaker: str
    said_at: datetime
    text: str
    score: float
    parts: Mapping[str, float] = field(default_factory=dict)
    attachments: tuple[Attachment, ...] = ()
    addressee: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, what it rests on and how it was found.

    ``found`` is False when the memory does not say; ``text`` then names what was looked for. ``form`` is the question form that was
    recognised, ``time`` the time it speaks for.
    """

    question: str
    text: str
    found: bool
    form: str
    citations: tuple[Citation, ...] = ()
    facts: tuple[FactView, ...] = ()
    events: tuple[EventView, ...] = ()
    time: Interval | None = None
    searched: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that was skipped or failed while reading or ingesting: where, and what was wrong."""

    where: str
    what: str
