"""Names of a reply as mentions: speakers are known by name and by pronoun, everything else has the type that the reply gives it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphmem.extract.grounding import locate
from graphmem.extract.vocabulary import entity_types
from graphmem.extract.with_model.reply import EntityReply
from graphmem.ids import normalise_name
from graphmem.records import Mention, Quote, Turn, Window

PERSON = "Person"
DEFAULT_TYPE = "Topic"
_FIRST = frozenset({"i", "me", "my", "mine", "myself", "we", "us", "our", "ourselves", "speaker", "the speaker"})
_SECOND = frozenset({"you", "your", "yours", "yourself"})
_NOBODY = frozenset(
    "he she it they him her them his hers its their this that these those someone somebody everyone everybody anyone nobody something "
    "anything everything nothing one who which none null".split()
)
_OTHER_WORDS = {
    "human": PERSON, "individual": PERSON, "man": PERSON, "woman": PERSON, "people": "Group", "family": "Group", "team": "Organization",
    "company": "Organization", "organisation": "Organization", "institution": "Organization", "school": "Organization",
    "brand": "Organization", "location": "Place", "city": "Place", "country": "Place", "region": "Place", "address": "Place",
    "pet": "Animal", "dog": "Animal", "cat": "Animal", "date": "Time", "period": "Time", "object": "Product", "item": "Product",
    "thing": "Product", "app": "Software", "application": "Software", "program": "Software", "book": "CreativeWork",
    "film": "CreativeWork", "movie": "CreativeWork", "song": "CreativeWork", "artwork": "CreativeWork", "dish": "Food", "drink": "Food",
    "drug": "Medication", "illness": "Disease", "condition": "Disease", "job": "Occupation", "profession": "Occupation",
    "hobby": "Activity", "sport": "Activity", "car": "Vehicle", "house": "Building", "restaurant": "Building", "hotel": "Building",
    "concept": "Topic", "subject": "Topic", "url": "Website",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Named:
    name: str
    type: str
    about: str


class Names:
    """Who and what the names of one reply stand for. Types are those of the vocabulary; another word becomes the nearest, else Topic."""

    def __init__(self, window: Window, entities: Sequence[EntityReply]) -> None:
        self._window = window
        self._table: dict[str, _Named] = {}
        for each in entities:
            key = normalise_name(each.name)
            if key and key not in _NOBODY:
                self._table.setdefault(key, _Named(each.name.strip(), type_of(each.type), each.about.strip()))
        self._speakers = _speakers(window)

    def mention(self, name: str, turn: Turn, quote: Quote, otherwise: str = DEFAULT_TYPE) -> Mention | None:
        """A name in a statement of a turn, None for a bare pronoun. ``otherwise`` is the type of a name that the reply does not list.

        The mention quotes the name where the quotation, or else the turn, has it; else the whole quotation.
        """
        speaker = self.speaker(name, turn)
        if speaker is not None:
            return Mention(speaker, PERSON, _own_quote(speaker, turn, quote), speaker=speaker)
        key = normalise_name(name)
        if not key or key in _NOBODY | _SECOND:
            return None
        known = self._table.get(key, _Named(name.strip(), otherwise, ""))
        return Mention(known.name, known.type, _own_quote(name, turn, quote), attributes=_attributes(known))

    def is_listed(self, name: str) -> bool:
        """Whether the reply lists it as an entity."""
        return normalise_name(name) in self._table

    def speaker(self, name: str, turn: Turn) -> str | None:
        """The speaker whom a name or a pronoun in a turn stands for, None where it stands for none."""
        key = normalise_name(name)
        if key in _FIRST:
            return turn.speaker
        if key in _SECOND:
            others = [each for each in self._window.speakers if each != turn.speaker]
            return turn.addressee or (others[0] if len(others) == 1 else None)
        listed = self._table.get(key)
        if listed is not None and listed.type != PERSON:
            return None
        return self._speakers.get(key)

    def unused(self, used: set[str]) -> list[Mention]:
        """Mentions of listed entities that no statement names and that a new turn has word for word, in order of the reply."""
        found = []
        for key, named in self._table.items():
            if key in used or key in self._speakers:
                continue
            for turn in self._window.turns:
                place = locate(named.name, turn.text)
                if place is not None:
                    quote = Quote(turn.id, *place, turn.text[place[0] : place[1]])
                    found.append(Mention(named.name, named.type, quote, attributes=_attributes(named)))
                    break
        return found


def type_of(given: str) -> str:
    """An entity type of the vocabulary: as given whatever its case, else the nearest, else Topic."""
    plain = given.strip().casefold().replace(" ", "").replace("_", "")
    return _types().get(plain) or _OTHER_WORDS.get(plain, DEFAULT_TYPE)


def _types() -> Mapping[str, str]:
    return {name.casefold(): name for name in entity_types()}


def _speakers(window: Window) -> dict[str, str]:
    """Speakers by whole name, and by first name where only one has it."""
    names = list(dict.fromkeys((*window.speakers, *(turn.speaker for turn in window.turns))))
    found = {normalise_name(name): name for name in names}
    firsts = [key.split()[0] for key in list(found) if key]
    for key, name in list(found.items()):
        if key and firsts.count(key.split()[0]) == 1:
            found.setdefault(key.split()[0], name)
    return found


def _own_quote(name: str, turn: Turn, quote: Quote) -> Quote:
    for begin, text in ((quote.start, quote.text), (0, turn.text)):
        place = locate(name, text)
        if place is not None:
            start, end = place[0] + begin, place[1] + begin
            return Quote(turn.id, start, end, turn.text[start:end])
    return quote


def _attributes(named: _Named) -> tuple[tuple[str, str], ...]:
    if not named.about or normalise_name(named.about) == normalise_name(named.name):
        return ()
    return (("relation" if named.type == PERSON else "described_as", named.about),)
