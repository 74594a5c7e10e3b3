"""Who is meant: the speaker behind "I", the addressee behind "you", the owner behind "my"."""

from __future__ import annotations

from dataclasses import dataclass, field

from graphmem.extract.with_rules.lexicon import kin, species
from graphmem.extract.with_rules.parse import Span, Token
from graphmem.records import Mention, Quote, Turn, Window

FIRST = frozenset({"i", "me", "myself", "mine", "my", "we", "us", "our", "ours", "ourselves"})
SECOND = frozenset({"you", "your", "yours", "yourself", "u", "ya", "ur"})
THIRD_PERSON = frozenset({"he", "she", "him", "her", "his", "hers", "they", "them", "their"})
BARE = frozenset(
    {"it", "this", "that", "these", "those", "they", "them", "he", "she", "him", "her", "one", "something", "anything", "everything",
     "nothing", "someone", "somebody", "everyone", "everybody", "anyone", "who", "which", "what", "there", "some", "all", "mine", "yours",
     "its", "such", "so", "both", "none", "others", "whatever", "another", "stuff", "things", "thing", "lot", "ton", "bunch", "itself"}
)  # fmt: skip


@dataclass(slots=True)
class Speech:
    """A turn with those who speak and listen; what the rules need to know whom its words mean.

    ``names`` grows with the turn: a relation that was named ("my sister Clara") is known by that name for the rest of the turn.
    """

    turn: Turn
    addressee: str | None
    names: dict[str, str] = field(default_factory=dict)
    last_person: Mention | None = None
    topic: str | None = None

    @property
    def speaker(self) -> str:
        return self.turn.speaker

    def quote(self, start: int, end: int) -> Quote:
        """The words of the turn from ``start`` to ``end``, code points, with outer white space off."""
        text = self.turn.text
        while start < end and text[start].isspace():
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        return Quote(self.turn.id, start, end, text[start:end])

    def quote_of(self, sentence: Span) -> Quote:
        """The sentence as a quotation."""
        return self.quote(sentence.start_char, sentence.end_char)

    def self_mention(self, quote: Quote) -> Mention:
        """The speaker."""
        return Mention(self.speaker, "Person", quote, speaker=self.speaker)

    def other_mention(self, quote: Quote) -> Mention | None:
        """The addressee, where there is one."""
        return None if self.addressee is None else Mention(self.addressee, "Person", quote, speaker=self.addressee)


def speech_of(turn: Turn, window: Window) -> Speech:
    """Whom the turn is said to: as stated, else the only other speaker of the session, else nobody."""
    others = [name for name in window.speakers if name != turn.speaker]
    addressee = turn.addressee or (others[0] if len(others) == 1 else None)
    return Speech(turn, addressee)


def owner(token: Token, speech: Speech) -> str | None:
    """The name behind the possessive of a noun: the speaker's for "my", a person's for "Clara's"; None where there is none."""
    for child in token.children:
        if child.dep_ != "poss":
            continue
        word = child.lower_
        if word in ("my", "our"):
            return speech.speaker
        if word in ("your", "ur"):
            return speech.addressee
        if word in ("his", "her", "their"):
            return speech.last_person.name if speech.last_person is not None else None
        if child.pos_ == "PROPN":
            return name_of(child)
        if child.lemma_.lower() in kin() or child.lemma_.lower() in species():
            return described(child, speech)
    return None


def described(token: Token, speech: Speech) -> str | None:
    """A possessed noun by its owner: "Ana's sister"; the name instead where the turn has given one."""
    possessor = owner(token, speech)
    if possessor is None:
        return None
    modifiers = [
        child.text
        for child in token.children
        if child.dep_ in ("amod", "compound") and child.i < token.i and child.lower_ not in _EMPTY
    ]
    label = f"{possessor}'s {' '.join([*modifiers, token.text]).lower()}"
    return speech.names.get(label, label)


_EMPTY = frozenset(
    {
        "new",
        "dear",
        "own",
        "little",
        "beloved",
        "wonderful",
        "amazing",
        "lovely",
        "sweet",
        "good",
        "great",
        "awesome",
        "adorable",
        "cute",
    }
)


def name_of(token: Token) -> str:
    """The whole proper name around a token."""
    first = last = token.i
    doc = token.doc
    while first > token.sent.start and doc[first - 1].pos_ == "PROPN" and doc[first - 1].whitespace_ == " ":
        first -= 1
    while last + 1 < token.sent.end and doc[last + 1].pos_ == "PROPN" and doc[last].whitespace_ == " ":
        last += 1
    return str(doc[first : last + 1].text)
