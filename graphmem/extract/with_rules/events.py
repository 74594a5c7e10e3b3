"""Events: what somebody did, does or means to do, clause by clause.

Kinds: ``event`` (it happened), ``plan`` (it is meant to), ``state`` (it goes on or is done in general), ``denied`` (it did not
happen), ``utterance`` (only said: a dated sentence without a clause that states an event). Questions, conditions, modals and
commands make none.
"""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.extract.with_rules.clauses import Clause
from graphmem.extract.with_rules.lexicon import kin, synonyms, words
from graphmem.extract.with_rules.names import mention_of, person_of
from graphmem.extract.with_rules.parse import Span, Token
from graphmem.extract.with_rules.people import BARE, FIRST, SECOND, Speech
from graphmem.extract.with_rules.phrases import object_tokens, sentence_of, told_by
from graphmem.extract.with_rules.times import Timed
from graphmem.records import EventDraft, Mention, Participant


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
    quote = speech.quote_of(clause.sentence)
    who = _subject(clause, speech)
    if who is None:
        return None
    subject, agent = who
    tokens = object_tokens(clause, timed)
    own = _dated(times)
    kind = _kind(clause, own)
    if kind is None or not _says_something(clause, tokens, own):
        return None
    chosen = own or (borrowed if kind == "event" else None)
    text = told_by(tokens, speech, subject)
    bare = _without_preposition(tokens)
    object_text = told_by(bare, speech, subject)
    if _bare(bare):
        if own is None:
            return None
    participants = _participants(clause, agent, tokens, speech)
    return EventDraft(
        kind=kind,
        subject=subject,
        verb=_verb(clause),
        object=object_text,
        summary=sentence_of(clause, subject, text),
        quote=quote,
        participants=participants,
        place=_place(clause, participants),
        aliases=_aliases(clause, subject, text, object_text),
        time=None if chosen is None else chosen.note,
        confidence=_confidence(clause, kind, own, borrowed),
    )


def _subject(clause: Clause, speech: Speech) -> tuple[str, Mention | None] | None:
    token = clause.subject
    quote = speech.quote_of(clause.sentence)
    if token is None:
        if clause.tense in ("past", "perfect") or (clause.mood == "planned" and clause.chain[0].dep_ == "ROOT"):
            return speech.speaker, speech.self_mention(quote)
        return None
    mention = person_of(token, speech, quote)
    if mention is not None:
        return mention.name, mention
    if token.lower_ in BARE or token.lower_ in SECOND:
        return None
    phrase = [
        t for t in token.subtree if t.i >= token.left_edge.i and not any(a.dep_ == "relcl" for a in _up_to(t, token))
    ]
    text = told_by(phrase[:8], speech, "")
    return (text, None) if any(ch.isalnum() for ch in text) else None


def _up_to(token: Token, top: Token) -> list[Token]:
    path = []
    while token != top and token.head != token:
        path.append(token)
        token = token.head
    return path


def _dated(times: tuple[Timed, ...]) -> Timed | None:
    """The first time with an interval, else the first of any kind."""
    for timed in times:
        if timed.interval is not None:
            return timed
    return times[0] if times else None


def _kind(clause: Clause, own: Timed | None) -> str | None:
    if clause.negated:
        return "denied" if clause.tense in ("past", "perfect") and clause.mood == "stated" else None
    if clause.mood == "planned":
        return "plan" if clause.tense != "past" or own is not None else None
    if clause.tense in ("past", "perfect"):
        return "event"
    if clause.tense == "none":
        return None
    if own is not None and own.interval is not None and own.interval.start is not None:
        said = clause.sentence.doc.user_data["said_at"]
        start = own.interval.start
        if start.replace(tzinfo=None) > said.replace(tzinfo=None):
            return "plan"
    if clause.tense == "progressive":
        return "state"
    return "state" if clause.head.lemma_.lower() not in words("mental") or own is not None else None


def _says_something(clause: Clause, tokens: list[Token], own: Timed | None) -> bool:
    lemma = clause.head.lemma_.lower()
    if lemma in ("let", "thank"):
        return False
    if own is not None:
        return True
    if lemma == "be":
        return False
    return bool(tokens) or lemma not in words("light")


def _bare(tokens: list[Token]) -> bool:
    content = [
        token for token in tokens if token.pos_ not in ("ADP", "PUNCT", "DET", "PART", "CCONJ") or token.lower_ in BARE
    ]
    return bool(content) and all(token.lower_ in BARE for token in content)


def _without_preposition(tokens: list[Token]) -> list[Token]:
    return tokens[1:] if len(tokens) > 1 and tokens[0].dep_ in ("prep", "agent") else tokens


def _verb(clause: Clause) -> str:
    verb = clause.lemma
    if clause.passive and not any(child.lower_ in ("got", "get") for child in clause.head.children):
        return f"be {clause.head.lower_}"
    return "go" if verb == "gon" else verb


def _participants(
    clause: Clause, agent: Mention | None, tokens: list[Token], speech: Speech
) -> tuple[Participant, ...]:
    found: list[Participant] = []
    if agent is not None:
        found.append(Participant(agent, "Agent"))
    if clause.subject is not None:
        for other in clause.subject.conjuncts:
            mention = person_of(other, speech, speech.quote_of(clause.sentence))
            if mention is not None:
                found.append(Participant(mention, "Agent"))
    for token in tokens:
        if token.pos_ not in ("PROPN", "NOUN", "PRON") or token.dep_ == "compound":
            continue
        mention = mention_of(token, speech)
        if mention is not None and all(mention.name != other.mention.name for other in found):
            found.append(Participant(mention, "Mentioned"))
    return tuple(found)


def _place(clause: Clause, participants: tuple[Participant, ...]) -> Mention | None:
    places = [
        part.mention for part in participants if part.role == "Mentioned" and part.mention.type in ("Place", "Building")
    ]
    return places[0] if places else None


def _aliases(clause: Clause, subject: str, text: str, object_text: str) -> tuple[str, ...]:
    """Other wordings: the bare verb with its object, synonyms of the verb, and the object alone."""
    verb = _verb(clause)
    wordings = [f"{verb} {text}".strip()]
    wordings += [f"{other} {object_text}".strip() for other in synonyms().get(verb, ())[:2]]
    particles = [child.lower_ for child in clause.head.children if child.dep_ == "prt"]
    if particles and object_text:
        wordings.append(f"{clause.head.lemma_.lower()} {object_text} {particles[0]}")
    if clause.head.tag_ == "VBG" and clause.chain[0].lemma_.lower() == "go" and len(clause.chain) > 1:
        wordings.append(f"{clause.head.lower_} trip")
    if len(object_text.split()) > 1:
        wordings.append(object_text)
    return tuple(dict.fromkeys(wording for wording in wordings if wording))[:4]


def _confidence(clause: Clause, kind: str, own: Timed | None, borrowed: Timed | None) -> float:
    base = {"event": 0.8, "plan": 0.7, "state": 0.6, "denied": 0.7}.get(kind, 0.3)
    if clause.told:
        base -= 0.1
    if clause.subject is not None and clause.subject.lower_ not in FIRST and clause.subject.lemma_.lower() not in kin():
        base -= 0.1
    if own is None and borrowed is not None:
        base -= 0.1
    return round(base, 2)


def noted(sentence: Span, times: tuple[Timed, ...], timed: frozenset[int], speech: Speech) -> EventDraft | None:
    """The low-confidence event of a dated sentence that states none: the speaker mentions what the time stands beside."""
    dated = [item for item in times if item.interval is not None]
    if not dated or sentence.text.rstrip().endswith("?"):
        return None
    chosen = dated[0]
    tokens = [token for token in sentence if token.i not in timed]
    verb = "mention"
    anchor = _anchor(chosen.root)
    if anchor is not None:
        tokens = [token for token in anchor.subtree if token.i not in timed and token.dep_ != "punct"]
    text = told_by(tokens[:16], speech, speech.speaker) or told_by(list(sentence)[:16], speech, speech.speaker)
    quote = speech.quote_of(sentence)
    return EventDraft(
        kind="utterance",
        subject=speech.speaker,
        verb=verb,
        object=text,
        summary=f"{speech.speaker} mentioned {text}",
        quote=quote,
        participants=(Participant(speech.self_mention(quote), "Speaker"),),
        time=chosen.note,
        confidence=0.3,
    )


def _anchor(root: Token) -> Token | None:
    """The noun that a time stands beside: "my school event last week"."""
    current = root
    while current.head != current:
        current = current.head
        if current.pos_ in ("NOUN", "PROPN") and current.dep_ != "compound":
            return current
        if current.pos_ in ("VERB", "AUX"):
            return None
    return current if current.pos_ in ("NOUN", "PROPN") else None
