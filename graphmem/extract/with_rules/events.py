"""Events: what somebody did, does or means to do, clause by clause.

Kinds: ``event`` (it happened), ``plan`` (it is meant to), ``state`` (it goes on or is done in general), ``denied`` (it did not
happen), ``utterance`` (only said: a dated sentence without a clause that states an event). Questions, conditions, modals and
commands make none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphmem.extract.with_rules.clauses import Clause
from graphmem.extract.with_rules.lexicon import kin, synonyms, words
from graphmem.extract.with_rules.moods import auxiliaries
from graphmem.extract.with_rules.names import mention_of, person_of
from graphmem.extract.with_rules.parse import opens_in_the_past
from graphmem.extract.with_rules.people import BARE, FIRST, SECOND, Speech
from graphmem.extract.with_rules.phrases import object_tokens, phrase_of, told_by, with_joints
from graphmem.extract.with_rules.sentences import sentence_of
from graphmem.extract.with_rules.times import Timed
from graphmem.records import EventDraft, Mention, Participant

if TYPE_CHECKING:
    from graphmem.extract.with_rules.parse import Span, Token


@dataclass(frozen=True, slots=True)
class Found:
    """A clause with the event it states (None where it states none) and its times, the nearest first."""

    clause: Clause | None
    event: EventDraft | None
    times: tuple[Timed, ...]


def event_of(
    clause: Clause, times: tuple[Timed, ...], timed: frozenset[int], speech: Speech, borrowed: Timed | None
) -> EventDraft | None:
    """The event that a clause states, or None. ``borrowed`` is the time of an earlier clause of the sentence, used if it has none."""
    if clause.mood not in ("stated", "planned"):
        return None
    own = first_dated(times)
    if not clause.finite and (own is None or own.interval is None):
        return None
    who = _subject(clause, speech, timed)
    if who is None:
        return None
    subject, agents = who
    kind = _kind(clause, own, bool(agents))
    tokens = object_tokens(clause, timed)
    if clause.head.lemma_ == "be" and clause.head.i - 1 in timed and clause.head.i > clause.sentence.start:
        return None  # "last week was wild": the time is the subject, whatever the parser says
    if kind is None or not _says_something(clause, tokens, own):
        return None
    bare = _without_preposition(tokens)
    if own is None and _is_bare(bare):
        return None
    chosen = own or (borrowed if kind == "event" else None)
    text = told_by(tokens, speech, subject)
    object_text = told_by(bare, speech, subject)
    participants = _participants(agents, tokens, speech)
    return EventDraft(
        kind=kind,
        subject=subject,
        verb=_verb(clause),
        object=object_text,
        summary=sentence_of(clause, subject, text),
        quote=speech.quote_of(clause.sentence),
        participants=participants,
        place=_place(participants),
        aliases=_aliases(clause, text, object_text),
        time=None if chosen is None else chosen.note,
        confidence=_confidence(clause, kind, own, borrowed),
    )


def first_dated(times: tuple[Timed, ...]) -> Timed | None:
    """The first time with an interval, else the first of any kind."""
    return next((timed for timed in times if timed.interval is not None), times[0] if times else None)


def _subject(clause: Clause, speech: Speech, timed: frozenset[int]) -> tuple[str, tuple[Mention, ...]] | None:
    """What the subject is called, and the entities in it, the speaker first; None for a bare pronoun."""
    token = clause.subject
    quote = speech.quote_of(clause.sentence)
    if token is None:
        if clause.outer.tag_ == "VBN" and not opens_in_the_past(clause.outer) and not auxiliaries(clause.outer):
            return None
        alone = clause.tense in ("past", "perfect", "progressive") or clause.mood == "planned"
        return (speech.speaker, (speech.self_mention(quote),)) if alone and clause.finite else None
    parts = [token, *(other for other in token.conjuncts if other.i < clause.head.i)]
    agents = [mention for part in parts if (mention := person_of(part, speech, quote)) is not None]
    if clause.by_speaker:
        agents.sort(key=lambda mention: mention.speaker != speech.speaker)
        return speech.speaker, tuple(agents)
    if agents:
        return agents[0].name, tuple(agents)
    if token.lower_ in BARE or token.lower_ in SECOND:
        return None
    told = any(child.dep_ in ("det", "poss", "amod", "compound", "nummod") for child in token.children)
    done_to = any(child.dep_ in ("dobj", "prep", "attr") for child in clause.head.children)
    if token.pos_ == "NOUN" and not told and not done_to:
        return None  # "fingers crossed", "people change": nothing in particular
    text = told_by(with_joints(phrase_of(token, timed, relatives=False))[:8], speech, "")
    return (text, ()) if any(ch.isalnum() for ch in text) else None


def _kind(clause: Clause, own: Timed | None, has_agent: bool) -> str | None:
    if clause.negated:
        return "denied" if clause.tense in ("past", "perfect") and clause.mood == "stated" else None
    if clause.mood == "planned":
        meant = clause.tense != "future" or own is not None or clause.by_speaker
        return "plan" if meant and (clause.tense != "past" or own is not None) else None
    if clause.tense in ("past", "perfect"):
        return "event"
    if clause.tense in ("none", "future"):
        return None
    if own is not None and own.ahead:
        return "plan"
    if own is not None:
        return "state"
    lasting = clause.head.lemma_.lower() not in words("mental") and clause.outer.dep_ not in ("advcl", "relcl", "ccomp")
    return "state" if has_agent and lasting else None


def _says_something(clause: Clause, tokens: list[Token], own: Timed | None) -> bool:
    lemma = clause.head.lemma_.lower()
    if lemma in ("let", "thank") or (own is None and lemma in _MUSING):
        return False
    if own is not None:
        return True
    if lemma == "be" and not clause.passive:
        return False
    if any(child.tag_ in ("WP", "WRB", "WDT") and child.dep_ == "dobj" for child in clause.head.children):
        return False
    if clause.subject is None and not tokens:
        return False
    return bool(tokens) or lemma not in words("light")


_MUSING = frozenset(
    {
        "think",
        "know",
        "hope",
        "guess",
        "mean",
        "believe",
        "seem",
        "sound",
        "suppose",
        "wonder",
        "matter",
        "agree",
        "bet",
    }
)


def _is_bare(tokens: list[Token]) -> bool:
    content = [
        token for token in tokens if token.pos_ not in ("ADP", "PUNCT", "DET", "PART", "CCONJ") or token.lower_ in BARE
    ]
    return bool(content) and all(token.lower_ in BARE for token in content)


def _without_preposition(tokens: list[Token]) -> list[Token]:
    return tokens[1:] if len(tokens) > 1 and tokens[0].dep_ in ("prep", "agent") else tokens


def _verb(clause: Clause) -> str:
    if clause.passive:
        return f"be {clause.head.lower_}"
    before = [link for link in clause.chain[:-1] if link.lemma_.lower() in words("ceasing") | words("deciding")]
    if before and clause.mood == "stated":
        joint = clause.head.lower_ if clause.head.tag_ == "VBG" else f"to {clause.lemma}"
        return f"{before[0].lemma_.lower()} {joint}"
    return clause.lemma


def _participants(agents: tuple[Mention, ...], tokens: list[Token], speech: Speech) -> tuple[Participant, ...]:
    found = [Participant(agent, "Agent") for agent in agents]
    for token in tokens:
        if token.pos_ not in ("PROPN", "NOUN", "PRON") or token.dep_ == "compound":
            continue
        mention = mention_of(token, speech)
        if mention is not None and all(mention.name != other.mention.name for other in found):
            found.append(Participant(mention, "Mentioned"))
    return tuple(found)


def _place(participants: tuple[Participant, ...]) -> Mention | None:
    places = (part.mention for part in participants if part.role == "Mentioned")
    return next((place for place in places if place.type in ("Place", "Building")), None)


def _aliases(clause: Clause, text: str, object_text: str) -> tuple[str, ...]:
    """Other wordings: the bare verb with its object, synonyms of the verb, and the object alone."""
    verb = _verb(clause)
    wordings = [f"{verb} {text}".strip()]
    if clause.head.tag_ == "VBG" and clause.outer.lemma_.lower() == "go" and len(clause.chain) > 1:
        wordings.append(f"{clause.head.lower_} trip")
    wordings += [f"{other} {object_text}".strip() for other in synonyms().get(verb, ())[:2]]
    if len(object_text.split()) > 1:
        wordings.append(object_text)
    return tuple(dict.fromkeys(wording for wording in wordings if wording))[:4]


def _confidence(clause: Clause, kind: str, own: Timed | None, borrowed: Timed | None) -> float:
    base = {"event": 0.8, "plan": 0.7, "state": 0.6, "denied": 0.7}[kind]
    if clause.told:
        base -= 0.1
    if clause.tense == "future" and own is None:
        base -= 0.2
    if not clause.by_speaker and clause.subject is not None and clause.subject.lemma_.lower() not in kin():
        base -= 0.1
    if not clause.finite:
        base -= 0.2
    if own is None and borrowed is not None:
        base -= 0.1
    return round(max(base, 0.3), 2)


def noted(sentence: Span, times: tuple[Timed, ...], timed: frozenset[int], speech: Speech) -> EventDraft | None:
    """The low-confidence event of a dated sentence that states none: the speaker mentions what the time stands beside."""
    chosen = next((item for item in times if item.interval is not None), None)
    if chosen is None:
        return None
    anchor = _anchor(chosen.root)
    around = list(anchor.subtree) if anchor is not None else list(sentence)
    tokens = [token for token in around if token.i not in timed]
    while (
        anchor is not None
        and tokens
        and (tokens[0].pos_ in ("ADP", "AUX", "PART", "PUNCT", "CCONJ", "INTJ") or tokens[0].lower_ in BARE)
    ):
        tokens = tokens[1:]
    text = told_by(tokens[:16], speech, speech.speaker) or told_by(list(sentence)[:16], speech, speech.speaker)
    quote = speech.quote_of(sentence)
    return EventDraft(
        kind="utterance",
        subject=speech.speaker,
        verb="mention",
        object=text,
        summary=f"{speech.speaker} mentioned {text}",
        quote=quote,
        participants=(Participant(speech.self_mention(quote), "Speaker"),),
        time=chosen.note,
        confidence=0.3,
    )


def _anchor(root: Token) -> Token | None:
    """The noun that a time stands beside: "our choir concert last week"."""
    current = root
    while current.head != current:
        current = current.head
        if current.pos_ in ("NOUN", "PROPN") and current.dep_ != "compound" and current.text.isalpha():
            return current
        if current.pos_ in ("VERB", "AUX"):
            break
    return current if current.pos_ in ("NOUN", "PROPN") else _own_object(current)


def _own_object(verb: Token) -> Token | None:
    """The object of a verb in another mood, where it has one of its own: "can't wait for the opening tomorrow"."""
    for child in verb.children:
        if child.dep_ == "dobj" and child.lower_ not in BARE | FIRST | SECOND:
            return child
        if child.dep_ == "prep":
            inner = next((grand for grand in child.children if grand.dep_ == "pobj" and grand.lower_ not in BARE), None)
            if inner is not None and inner.i > verb.i:
                return inner
    return None
