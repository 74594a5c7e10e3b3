"""Who is meant: the speaker behind "I", the addressee behind "you", the owner behind "my"."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from graphmem.extract.with_rules.lexicon import canonical_kin, kin, species, words
from graphmem.records import Mention, Quote, Turn, Window
from graphmem.temporal import Policy

if TYPE_CHECKING:
    from graphmem.extract.with_rules.parse import Span, Token

FIRST = frozenset({"i", "me", "myself", "mine", "my", "we", "us", "our", "ours", "ourselves"})
SECOND = frozenset({"you", "your", "yours", "yourself", "u", "ya", "ur"})
BARE = frozenset(
    {"it", "this", "that", "these", "those", "they", "them", "he", "she", "him", "her", "one", "something", "anything", "everything",
     "nothing", "someone", "somebody", "everyone", "everybody", "anyone", "who", "which", "what", "there", "some", "all", "mine", "yours",
     "its", "such", "so", "both", "none", "others", "whatever", "another", "stuff", "things", "thing", "lot", "ton", "bunch", "itself",
     "lots", "tons", "more", "much", "many", "few", "whom", "each", "ones", "themselves", "himself", "herself"}
)  # fmt: skip
_PARENTS = frozenset(
    {"mom", "mum", "mama", "dad", "papa", "grandma", "grandpa", "granny", "nana", "grandmother", "grandfather"}
)


@dataclass(slots=True)
class Speech:
    """A turn with those who speak and listen; what the rules need to know whom its words mean. ``policy`` is how times are read.

    ``names``, ``types``, ``last_person`` and ``topic`` grow with the turn: a relation that was named ("my sister Clara") is known by
    that name for the rest of the turn, and so on.
    """

    turn: Turn
    addressee: str | None
    people: tuple[str, ...] = ()
    policy: Policy | None = None
    names: dict[str, str] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    last_person: Mention | None = None
    last_group: Mention | None = None
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

    def is_called(self, name: str) -> bool:
        """Whether a name is the speaker's or the addressee's, whole or by its first letters."""
        people = [who for who in (self.speaker, self.addressee) if who is not None]
        return any(who == name or who.split()[0] == name or (len(name) > 1 and who.startswith(name)) for who in people)

    def mention_by_name(self, name: str, quote: Quote) -> Mention:
        """Somebody who owns or has something, by name; a speaker is marked as one."""
        return Mention(
            name, "Person", quote, speaker=name if name in (self.speaker, self.addressee, *self.people) else None
        )


def speech_of(turn: Turn, window: Window, policy: Policy | None = None) -> Speech:
    """Whom the turn is said to: as stated, else the only other speaker of the session, else nobody."""
    others = [name for name in window.speakers if name != turn.speaker]
    addressee = turn.addressee or (others[0] if len(others) == 1 else None)
    return Speech(turn, addressee, tuple(dict.fromkeys((turn.speaker, *window.speakers, *others))), policy)


def owner(token: Token, speech: Speech) -> str | None:
    """The name behind the possessive of a noun: the speaker's for "my", a person's for "Clara's"; None where there is none.

    "Mum" and "Dad" as names are the speaker's.
    """
    for child in token.children:
        if child.dep_ != "poss":
            continue
        word = child.lower_
        if word in ("my", "our"):
            return speech.speaker
        if word in ("your", "ur"):
            return speech.addressee
        if word in ("his", "her"):
            last = speech.last_person
            return None if last is None or "'s " in last.name else last.name
        if child.lemma_.lower() in kin() or child.lemma_.lower() in species():
            return described(child, speech)
        return name_of(child) if child.pos_ == "PROPN" else None
    return speech.speaker if is_parent_by_name(token) else None


def is_parent_by_name(token: Token) -> bool:
    """Whether "Mum", "Dad" and the like stands for a name, which makes it the speaker's."""
    if token.lower_ not in _PARENTS or not token.text[0].isupper() or token.dep_ in ("intj", "npadvmod"):
        return False
    return not any(child.dep_ in ("poss", "det") for child in token.children)


def described(token: Token, speech: Speech) -> str | None:
    """A possessed noun as the turn knows it: the name that it gave to it, else "Ana's sister"; None where nobody possesses it."""
    label = label_of(token, speech)
    return None if label is None else speech.names.get(label, label)


def label_of(token: Token, speech: Speech) -> str | None:
    """A possessed noun by its owner and what tells it from others of its kind: "Ana's younger sister", "Ana's mother" for "mum"."""
    possessor = owner(token, speech)
    if possessor is None:
        return None
    telling = [child.lower_ for child in token.children if child.i < token.i and child.lower_ in words("telling_apart")]
    noun = canonical_kin().get(token.lower_, token.lower_)
    return f"{possessor}'s {' '.join([*telling, noun])}"


def name_of(token: Token) -> str:
    """The whole proper name around a token."""
    first = last = token.i
    doc = token.doc
    while first > token.sent.start and doc[first - 1].pos_ == "PROPN" and doc[first - 1].whitespace_ == " ":
        first -= 1
    while last + 1 < token.sent.end and doc[last + 1].pos_ == "PROPN" and doc[last].whitespace_ == " ":
        last += 1
    while first < last and doc[first].lower_ in words("not_names"):
        first += 1
    return str(doc[first : last + 1].text)
