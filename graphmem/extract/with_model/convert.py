"""From a typed reply to drafts: every quotation grounded, every name a mention, every time read; what does not hold is refused and counted.

Pure. The counts go into ``Extracted.usage`` beside what the calls cost:

    events_refused        without all of subject, verb and object, or with a bare pronoun as subject
    facts_refused         without a subject or a value
    quotes_refused        events and facts whose quotation is in no new turn, nor anything like it
    quotes_aligned        quotations that stand in the turn in other letters (see ``graphmem.extract.grounding``)
    turns_mistaken        quotations that stand in another new turn than the reply says
    properties_refused    facts with a name of a property that cannot be made canonical; their words are kept as an utterance event
    times_differ          times that the model reads otherwise than the rule table
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import datetime

from graphmem.extract.grounding import Grounded, ground
from graphmem.extract.with_model.names import Names
from graphmem.extract.with_model.reply import EventReply, ExtractReply, FactReply
from graphmem.extract.with_model.times import ReadTime, read_time
from graphmem.extract.with_model.values import property_name, value_of
from graphmem.ids import normalise_name
from graphmem.records import (
    EventDraft,
    Extracted,
    FactDraft,
    Interval,
    Mention,
    Participant,
    Polarity,
    Quote,
    TimeNote,
    Turn,
    Window,
)
from graphmem.temporal import Policy

KINDS = frozenset({"event", "plan", "state", "denied"})
UTTERANCE = "utterance"
ROLES = {"agent": "Agent", "speaker": "Speaker", "listener": "Listener"}
_POLARITIES: dict[str, Polarity] = {"holds": "holds", "ended": "ended", "denied": "denied"}
_UNSURE = 0.9
"""Factor on the confidence of a statement whose quotation was aligned by similarity."""

_REFUSED = ("events_refused", "facts_refused", "quotes_refused", "properties_refused")


def convert(
    reply: ExtractReply, window: Window, extractor: str, version: str, policy: Policy | None = None
) -> Extracted:
    """The drafts of a window's reply, in order of text. Context turns are never quoted: what stands only there is refused."""
    return _Conversion(reply, window, policy).run(extractor, version)


class _Conversion:
    def __init__(self, reply: ExtractReply, window: Window, policy: Policy | None) -> None:
        self._policy = policy
        self._reply = reply
        self._window = window
        self._names = Names(window, reply.entities)
        self._order = {turn.id: position for position, turn in enumerate(window.turns)}
        self._counts: Counter[str] = Counter()

    def run(self, extractor: str, version: str) -> Extracted:
        events: list[EventDraft] = []
        positions: dict[int, int] = {}
        for number, given in enumerate(self._reply.events, start=1):
            event = self._event(given)
            if event is not None:
                positions[number] = _position(event, events)
        facts: list[FactDraft] = []
        for fact, number in _once([pair for each in self._reply.facts if (pair := self._fact(each)) is not None]):
            at = positions.get(number)
            if at is None:
                at = _position(self._utterance(fact), events)
            if property_name(fact.property) is not None:
                facts.append(replace(fact, event=at))
        used = {normalise_name(mention.name) for mention in _mentions(events, facts)}
        order = sorted(range(len(events)), key=lambda at: (*self._place(events[at].quote), at))
        places = {at: place for place, at in enumerate(order)}
        facts = [replace(fact, event=places[fact.event]) for fact in facts if fact.event is not None]
        return Extracted(
            extractor,
            version,
            tuple(events[at] for at in order),
            tuple(sorted(facts, key=lambda fact: self._place(fact.quote))),
            tuple(self._names.unused(used)),
            sum(self._counts[name] for name in _REFUSED),
            dict(sorted(self._counts.items())),
        )

    def _event(self, given: EventReply) -> EventDraft | None:
        subject, verb, object_ = (part.strip() for part in (given.subject, given.verb, given.object))
        if not all(any(char.isalnum() for char in part) for part in (subject, verb, object_)):
            self._counts["events_refused"] += 1
            return None
        found = self._ground(given.turn, given.quote)
        if found is None:
            return None
        turn, grounded = found
        quote = grounded.quote
        agent = self._names.mention(subject, turn, quote, "Person")
        if agent is None:
            self._counts["events_refused"] += 1
            return None
        subject = agent.speaker or subject
        participants = self._participants(given, agent, turn, grounded)
        place = self._names.mention(given.place, turn, quote, "Place") if given.place.strip() else None
        time = self._time(given.time, given.start, given.end, turn, grounded)
        kind = given.kind.strip().lower()
        return EventDraft(
            kind=kind if kind in KINDS else "event",
            subject=subject,
            verb=verb,
            object=object_,
            summary=given.summary.strip() or f"{subject} {verb} {object_}",
            quote=quote,
            participants=participants,
            place=place,
            aliases=_wordings(given.aliases),
            time=None if time is None else time.note,
            confidence=_confidence(given.confidence, grounded),
        )

    def _participants(
        self, given: EventReply, agent: Mention, turn: Turn, grounded: Grounded
    ) -> tuple[Participant, ...]:
        """As given, without repetitions; the subject takes part as Agent where it is an entity or a speaker and the reply forgot it."""
        parts = []
        if agent.speaker is not None or self._names.is_listed(given.subject):
            parts.append(Participant(agent, "Agent"))
        for each in given.participants:
            mention = self._names.mention(
                each.name, turn, grounded.quote, "Person" if each.role.lower() in ROLES else "Topic"
            )
            if mention is not None:
                parts.append(Participant(mention, ROLES.get(each.role.strip().lower(), "Mentioned")))
        return _distinct(parts)

    def _fact(self, given: FactReply) -> tuple[FactDraft, int] | None:
        found = self._ground(given.turn, given.quote)
        if found is None:
            return None
        turn, grounded = found
        quote, words = grounded.quote, given.value.strip()
        subject = self._names.mention(given.subject, turn, quote, "Person") if given.subject.strip() else None
        if subject is None or not any(char.isalnum() for char in words):
            self._counts["facts_refused"] += 1
            return None
        name = property_name(given.property)
        if name is None:
            self._counts["properties_refused"] += 1
        value = value_of(name or "", words, given.type, given.unit, turn)
        speaker = self._names.speaker(words, turn)
        is_entity = value.typed is None and (speaker is not None or self._names.is_listed(words))
        mention = self._names.mention(words, turn, quote) if is_entity else None
        time = self._time(given.time, given.start, given.end, turn, grounded)
        polarity = _POLARITIES.get(given.polarity.strip().lower(), "holds")
        draft = FactDraft(
            subject=subject,
            property=name or given.property.strip(),
            value=speaker or words,
            quote=quote,
            value_type=value.value_type,
            cardinality=value.cardinality,
            value_mention=mention,
            typed=value.typed,
            unit=value.unit,
            polarity=polarity,
            inferred=given.inferred,
            confidence=_confidence(given.confidence, grounded),
            valid=None if time is None else _validity(time, given, polarity),
            time=None if time is None else _dated(time, given, polarity),
        )
        return draft, given.event

    def _ground(self, number: int, quoted: str) -> tuple[Turn, Grounded] | None:
        """The quotation in the turn that the reply names; else in the one new turn that has it, where only one does."""
        turns = self._window.turns
        if 1 <= number <= len(turns):
            found = ground(quoted, turns[number - 1])
            if found is not None:
                self._counts["quotes_aligned"] += found.aligned
                return turns[number - 1], found
        others = [
            (turn, found) for turn in turns if (found := ground(quoted, turn)) is not None and found.how != "fuzzy"
        ]
        if len(others) == 1:
            self._counts["turns_mistaken"] += 1
            self._counts["quotes_aligned"] += others[0][1].aligned
            return others[0]
        self._counts["quotes_refused"] += 1
        return None

    def _time(self, words: str, start: str, end: str, turn: Turn, grounded: Grounded) -> ReadTime | None:
        read = read_time(words, start, end, turn, grounded.quote, self._policy)
        self._counts["times_differ"] += read is not None and read.differs
        return read

    def _utterance(self, fact: FactDraft) -> EventDraft:
        """The event of a state that no event brought about: that it was said."""
        turn = self._window.turns[self._order[fact.quote.turn_id]]
        negation = {"holds": "", "denied": "not ", "ended": "no longer "}[fact.polarity]
        verb = negation + (fact.property.replace("_", " ").strip() or "be")
        subject = fact.subject.speaker or fact.subject.name
        parts = [Participant(fact.subject, "Agent")]
        if fact.value_mention is not None:
            parts.append(Participant(fact.value_mention, "Mentioned"))
        speaker = self._names.mention(turn.speaker, turn, fact.quote)
        if speaker is not None:
            parts.append(Participant(speaker, "Speaker"))
        return EventDraft(
            UTTERANCE,
            subject,
            verb,
            fact.value,
            f"{turn.speaker} said: {subject} {verb} {fact.value}",
            fact.quote,
            _distinct(parts),
            confidence=fact.confidence,
        )

    def _place(self, quote: Quote) -> tuple[int, int]:
        return self._order[quote.turn_id], quote.start


def _position(event: EventDraft, events: list[EventDraft]) -> int:
    """Where an event stands among those found; an event stated twice in the same words is one."""
    stated = (event.quote, event.kind, event.subject, event.verb, event.object)
    for at, other in enumerate(events):
        if (other.quote, other.kind, other.subject, other.verb, other.object) == stated:
            return at
    events.append(event)
    return len(events) - 1


def _distinct(parts: list[Participant]) -> tuple[Participant, ...]:
    """Each once, in the first role given."""
    found: dict[tuple[str, str], Participant] = {}
    for part in parts:
        found.setdefault((normalise_name(part.mention.name), part.mention.type), part)
    return tuple(found.values())


def _validity(time: ReadTime, given: FactReply, polarity: Polarity) -> Interval | None:
    """When a fact holds. It lasts from the time on, unless the model says that it ended too; what an event brought about and a denial
    always do. An ending is at some moment of its time."""
    if time.since is not None and time.since.start is not None:
        return _from(time.since.start, time.since.granularity)
    interval = time.interval
    if interval is None:
        return None
    if time.until and interval.end is not None:
        if polarity != "holds":
            return _from(interval.end, interval.granularity)
        return Interval(None, interval.end, interval.granularity, False, True)
    if _lasts(given, polarity) and interval.start is not None:
        return _from(interval.start, interval.granularity)
    return replace(interval, start_stated=interval.start is not None, end_stated=interval.end is not None)


def _dated(time: ReadTime, given: FactReply, polarity: Polarity) -> TimeNote:
    """The note of a fact's time; an age bounds the fact as a date would."""
    if polarity == "ended":
        return time.note.bounding("UNTIL")
    return time.note.bounding("FROM") if _lasts(given, polarity) else time.note


def _lasts(given: FactReply, polarity: Polarity) -> bool:
    return polarity == "denied" or (polarity == "holds" and (given.event > 0 or not given.end.strip()))


def _from(start: datetime, granularity: str) -> Interval:
    return Interval(start, None, granularity, True, False)


def _confidence(given: float, grounded: Grounded) -> float:
    factor = _UNSURE * grounded.score if grounded.how == "fuzzy" else 1.0
    return round(min(max(given, 0.0), 1.0) * factor, 2)


def _wordings(aliases: tuple[str, ...]) -> tuple[str, ...]:
    """Up to four other wordings, without repetitions."""
    return tuple(dict.fromkeys(alias.strip() for alias in aliases if alias.strip()))[:4]


def _once(facts: list[tuple[FactDraft, int]]) -> list[tuple[FactDraft, int]]:
    """A turn states a thing once, however often the reply repeats it: the surest statement stays."""
    best: dict[tuple[object, ...], tuple[FactDraft, int]] = {}
    for fact, event in facts:
        key = (fact.quote.turn_id, fact.subject.name, fact.property, fact.value.casefold(), fact.polarity)
        if key not in best or fact.confidence > best[key][0].confidence:
            best[key] = (fact, event)
    return list(best.values())


def _mentions(events: list[EventDraft], facts: list[FactDraft]) -> list[Mention]:
    found = [each.mention for event in events for each in event.participants]
    found += [event.place for event in events if event.place is not None]
    found += [fact.subject for fact in facts]
    return found + [fact.value_mention for fact in facts if fact.value_mention is not None]
