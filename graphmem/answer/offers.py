"""What a statement offers of the kind that a question wants: a place, a name, a number, a time. The short answer is cut from its words.

Nothing is made up here: what is offered is a stretch of the statement, or the name of who said it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from graphmem.answer import quantities
from graphmem.answer.offer import Offer
from graphmem.answer.plan import Plan
from graphmem.answer.reading import parsed, sentences_of
from graphmem.answer.statements import Statement
from graphmem.answer.words import stem, stem_set, stems_of
from graphmem.extract.with_rules.lexicon import kin
from graphmem.extract.with_rules.people import FIRST
from graphmem.ids import normalise_name

if TYPE_CHECKING:
    from graphmem.extract.with_rules.parse import Span, Token

_PLACES = frozenset({"GPE", "LOC", "FAC"})
_THINGS = frozenset(
    {"GPE", "LOC", "FAC", "ORG", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW", "LANGUAGE", "NORP", "MONEY", "CARDINAL"}
)


def offer_of(statement: Statement, plan: Plan) -> Offer | None:
    """The stretch of a statement that is of the kind the question wants, or None.

    Where the sentence itself has none, the sentences after it that go on about the same thing ("It's called …") are looked at.
    """
    own = {normalise_name(name) for name in plan.subjects}
    for position, span in enumerate(_continuations(statement)):
        if position > 0 and plan.want == "age" and normalise_name(statement.hit.speaker) in own:
            break  # "My cat is asleep. She turned six." tells no age of who says it
        found = _in_span(span, statement, plan)
        if found is not None:
            return found
    return None


def _continuations(statement: Statement) -> Iterable[Span]:
    spans = sentences_of(parsed(statement.hit.text))
    at = next((i for i, span in enumerate(spans) if span.start_char <= statement.start < span.end_char), None)
    if at is None:
        return
    yield spans[at]
    for span in spans[at + 1 : at + 4]:
        first = next((token.lower_ for token in span if token.is_alpha), "")
        if first in ("it", "he", "she", "they", "his", "her", "its", "their", "that", "this", "which"):
            yield span


def _in_span(span: Span, statement: Statement, plan: Plan) -> Offer | None:
    known = _known_stems(plan)
    want = plan.want
    if want == "amount":
        return quantities.amount(span, plan)
    if want == "duration":
        return quantities.duration(span, plan)
    if want == "age":
        return quantities.age(span, plan)
    if want == "frequency":
        return quantities.frequency(span, plan)
    if want == "count":
        return quantities.count(span, plan)
    if want == "place":
        return _place(span, statement, known, _FROM.search(plan.question) is not None)
    if want == "person":
        return _person(span, statement, plan, known)
    if want == "name":
        return _surname(span, plan) if plan.asked == "surname" else _name(span, known)
    if want == "thing":
        return _thing(span, plan, known)
    return None


def _known_stems(plan: Plan) -> frozenset[str]:
    own = {each for term in (*plan.terms, *plan.excluded) for each in term.stems}
    if plan.anchor is not None:
        own |= {each for term in plan.anchor.terms for each in term.stems}
    return frozenset(own | {each for name in plan.subjects for each in stems_of(name)})


_PLACE_WORDS = frozenset("in at to near under behind beside on inside into from by outside above below around".split())


_TOWARDS = frozenset({"in", "to", "into"})
"""After these a name is a place's, even where it is taken for somebody's: "I moved back to Porto"."""


_FROM = re.compile(r"\bfrom\b\W*$", re.IGNORECASE)
"""How it is asked where somebody comes from."""


def _place(span: Span, statement: Statement, known: frozenset[str], origin: bool = False) -> Offer | None:
    """A place that the question does not have; with ``origin`` one that stands after "from"."""
    for entity in span.ents:
        placed = entity.label_ in _PLACES or (entity.label_ == "ORG" and entity.root.head.lower_ in _PLACE_WORDS)
        if origin and (entity.start == span.start or entity.doc[entity.start - 1].lower_ != "from"):
            continue
        if placed and entity.text[:1].isupper() and not set(stems_of(entity.text)) <= known:
            return Offer(entity.text, entity.start_char, entity.end_char)
    for token in span:
        if token.dep_ != "prep" or token.lower_ not in _PLACE_WORDS or (origin and token.lower_ != "from"):
            continue
        for child in token.children:
            named = child.ent_type_ == "PERSON" and token.lower_ not in _TOWARDS
            if (
                child.dep_ == "pobj"
                and child.pos_ in ("NOUN", "PROPN")
                and not named
                and _can_be_place(child, statement, known)
            ):
                phrase = span.doc[token.i : _right(child) + 1]
                return Offer(phrase.text, phrase.start_char, phrase.end_char)
    found = _name(span, known, people=False)
    return found if found is not None and found.text[:1].isupper() else None


def _can_be_place(noun: Token, statement: Statement, known: frozenset[str]) -> bool:
    if any(time.start <= noun.idx < time.end for time in statement.times):
        return False
    if noun.ent_type_ in ("DATE", "TIME", "MONEY", "PERCENT", "CARDINAL"):
        return False
    return stem(noun.text) not in known and stem(noun.text) not in stem_set("no_places")


def _right(token: Token) -> int:
    keep = token.i
    for child in token.subtree:
        if child.i > token.i and any(a.dep_ in ("relcl", "advcl", "acl") for a in _path(child, token)):
            break
        keep = max(keep, child.i)
    return keep


def _path(token: Token, top: Token) -> list[Token]:
    found = []
    while token != top and token.head != token:
        found.append(token)
        token = token.head
    return found


def _person(span: Span, statement: Statement, plan: Plan, known: frozenset[str]) -> Offer | None:
    """Somebody whom the question does not name: the speaker for "I", else a name that is no place, firm or thing."""
    subject = next((t for t in span if t.dep_ in ("nsubj", "nsubjpass")), None)
    excluded = plan.named | {normalise_name(term.text) for term in plan.excluded if term.kind == "name"}
    speaker = statement.hit.speaker
    mine = subject is not None and subject.lower_ in FIRST and normalise_name(speaker) not in excluded
    if mine and not plan.subjects:
        return Offer(speaker, statement.start, statement.end)
    for entity in span.ents:
        crying = set(stems_of(entity.text)) <= stem_set("exclamations")
        if entity.label_ == "PERSON" and not set(stems_of(entity.text)) & known and not _called(entity) and not crying:
            return Offer(entity.text, entity.start_char, entity.end_char)
    found = _relation(span, known) or _name(span, known, things=False)
    if found is not None:
        return found
    return Offer(speaker, statement.start, statement.end) if mine else None


_CALLED = re.compile(r"\s+(?:is|was)(?: called| named)?\s+([A-Z][\w-]+)")
"""How somebody is called after what they are: "her fiancé is called Otto"."""
LEAD = 4
"""So many words before a role its owner may stand: "my former night shift mate"."""


def _relation(span: Span, known: frozenset[str]) -> Offer | None:
    """The name beside a word of kin or of a role ("my cousin Inês"), or where it has none that itself ("my mum", "two other customers")."""
    unnamed = None
    for token in span:
        if (token.lemma_.lower() not in kin() and stem(token.text) not in stem_set("roles")) or stem(
            token.text
        ) in known:
            continue
        after = token.nbor() if token.i + 1 < span.end else None
        if after is not None and after.text[:1].isupper() and stem(after.text) not in known:
            return Offer(after.text, after.idx, after.idx + len(after.text))
        lead = range(token.i - 1, max(token.i - LEAD - 1, span.start - 1), -1)
        owner = next(
            (
                i
                for i in lead
                if span.doc[i].tag_ == "PRP$" or span.doc[i].like_num or span.doc[i].lower_ in ("a", "an")
            ),
            None,
        )
        called = _CALLED.match(span.doc.text[token.idx + len(token.text) : span.end_char])
        if called is not None:
            start = token.idx + len(token.text) + called.start(1)
            return Offer(called.group(1), start, start + len(called.group(1)))
        if owner is not None and unnamed is None:
            phrase = span.doc[owner : token.i + 1]
            unnamed = Offer(phrase.text, phrase.start_char, phrase.end_char)
    return unnamed


def _name(span: Span, known: frozenset[str], people: bool = True, things: bool = True) -> Offer | None:
    """A proper name that the question does not have; one that is said to be a name ("called Biscuit") before others."""
    runs: list[Span] = []
    run: list[Token] = []
    for token in [*span, None]:
        if token is not None and (
            token.pos_ == "PROPN"
            or (token.ent_type_ == "PERSON" and token.text[:1].isupper() and token.pos_ == "NOUN")
            or (run and token.lower_ in ("&", "of") and token.i + 1 < span.end and token.nbor().pos_ == "PROPN")
        ):
            run.append(token)
            continue
        if run:
            runs.append(span.doc[run[0].i : run[-1].i + 1])
        run = []
    own = [
        each
        for each in runs
        if not set(stems_of(each.text)) <= known
        and len(each.text) > 2
        and (things or _can_be_person(each, known))
        and each.root.ent_type_ not in ("DATE", "TIME")
        and not _called(each)
        and not set(stems_of(each.text)) <= stem_set("exclamations")
        and (people or (each.root.ent_type_ != "PERSON" and not _vocative(each)))
    ]
    if not own:
        return None
    called = [
        each
        for each in own
        if each.start > span.start and each[0].nbor(-1).lower_ in ("called", "named", "is", "'s", "’s")
    ]
    chosen = (called or own)[0]
    return Offer(chosen.text, chosen.start_char, chosen.end_char)


def _can_be_person(name: Span, known: frozenset[str]) -> bool:
    """Whether a name may be somebody's: "a Quillmark" is a thing."""
    if name.root.ent_type_ in _THINGS or set(stems_of(name.text)) & known:
        return False
    return not any(child.dep_ == "det" or child.pos_ == "NUM" for child in name.root.children)


def _surname(span: Span, plan: Plan) -> Offer | None:
    """The name of the one asked about with more of it than the question has: "Ana Beltrão"."""
    for subject in plan.subjects:
        for token in span:
            after = token.nbor() if token.i + 1 < span.end else None
            if token.text.casefold() == subject.casefold() and after is not None and after.pos_ == "PROPN":
                phrase = span.doc[token.i : after.i + 1]
                return Offer(phrase.text, phrase.start_char, phrase.end_char)
    return None


def _called(name: Span) -> bool:
    """Whether somebody is greeted or thanked by a name: "Hey Ana, …"."""
    before = [token for token in name.doc[max(name.start - 2, 0) : name.start] if not token.is_punct][-1:]
    return bool(before) and before[0].lower_ in _GREETING and (name.end == len(name.doc) or name.doc[name.end].is_punct)


_GREETING = frozenset("hey hi hello thanks thank oh wow yes no morning you dear sorry congrats bye".split())


def _vocative(name: Span) -> bool:
    """Whether a name only calls somebody: set off by marks or the edge of the sentence."""
    sentence = name.sent
    before = name.start == sentence.start or name.doc[name.start - 1].is_punct
    after = name.end == sentence.end or name.doc[name.end].is_punct
    return before and after


def _thing(span: Span, plan: Plan, known: frozenset[str]) -> Offer | None:
    asked = stem(plan.asked) if plan.asked is not None else None
    if asked in stem_set("hues"):
        return _colour(span, known)
    if asked in stem_set("coded"):
        return quantities.code(span, plan, known)
    if asked is not None:
        named = _name_beside(span, asked, known)
        if named is not None:
            return named
    return _object(span, plan, known)


def _colour(span: Span, known: frozenset[str]) -> Offer | None:
    for token in span:
        if stem(token.text) in stem_set("colours") and stem(token.text) not in known:
            start = token.nbor(-1) if token.i > span.start and token.nbor(-1).dep_ in ("advmod", "amod") else token
            phrase = span.doc[start.i : token.i + 1]
            return Offer(phrase.text, phrase.start_char, phrase.end_char)
    return None


def _name_beside(span: Span, asked: str, known: frozenset[str]) -> Offer | None:
    """What stands before the noun asked for ("a blue car"), else a name that is nobody's."""
    for token in span:
        if stem(token.text) != asked:
            continue
        phrase = span.doc[token.left_edge.i : token.i + 1]
        own = [t for t in phrase if t.pos_ in ("PROPN", "ADJ", "NOUN") and t != token]
        if any(_says(stem(t.text), known) for t in own):
            return Offer(phrase.text, phrase.start_char, phrase.end_char)
    if asked in stem_set("abstract"):
        return None
    return _name(span, known, people=False)


def _object(span: Span, plan: Plan, known: frozenset[str]) -> Offer | None:
    """What the verb of the question is done to, or what stands after its adjective ("allergic to shellfish")."""
    return _object_after(span, {each for term in plan.terms for each in term.stems}, known)


def object_of(statement: Statement, verbs: frozenset[str]) -> Offer | None:
    """What one of these verbs is done to in a statement."""
    span = next(iter(_continuations(statement)), None)
    return None if span is None else _object_after(span, verbs, frozenset())


_POINTING = frozenset({"this", "that", "these", "those"})
"""What only points: "this place" names none."""


def _says(word: str, known: AbstractSet[str]) -> bool:
    """Whether a stem says more than what the question has."""
    return word not in known and word not in stem_set("function_words") and word not in stem_set("vague")


def _object_after(span: Span, stems: AbstractSet[str], known: frozenset[str]) -> Offer | None:
    heads = [token for token in span if stem(token.text) in stems or stem(token.lemma_) in stems]
    for head in heads:
        for child in head.children:
            if child.i < head.i or child.dep_ not in ("dobj", "attr", "prep", "acomp", "oprd", "xcomp"):
                continue
            phrase = span.doc[child.left_edge.i : _right(child) + 1]
            pointing = child.pos_ == "NOUN" and all(t.dep_ == "det" and t.lower_ in _POINTING for t in child.children)
            if any(_says(each, known) for each in stems_of(phrase.text)) and not (pointing and child.n_lefts):
                if child.dep_ == "prep":
                    phrase = span.doc[child.i + 1 : phrase.end]
                return Offer(phrase.text, phrase.start_char, phrase.end_char)
    return None
