"""Names and descriptions that stand for entities, and of which type they are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from graphmem.extract.with_rules.lexicon import kin, type_of_noun, words
from graphmem.extract.with_rules.parse import is_everyday
from graphmem.extract.with_rules.people import BARE, FIRST, SECOND, Speech, described, is_parent_by_name, label_of
from graphmem.extract.with_rules.types import he_or_she_follows, type_of_common, type_of_name
from graphmem.records import Mention, Quote

if TYPE_CHECKING:
    from graphmem.extract.with_rules.parse import Doc, Span, Token

_NAMED = frozenset(
    {"PERSON", "ORG", "GPE", "LOC", "FAC", "EVENT", "PRODUCT", "WORK_OF_ART", "NORP", "LANGUAGE", "LAW"}
)  # fmt: skip
_CODE = re.compile(r"\b(?=[A-Z0-9-]*\d)[A-Z]{1,6}\d?(?:-[A-Z0-9]{1,8}){1,4}\b|#\d{3,}\b")
_ADDRESS = re.compile(r"\b(?:https?://|www\.)[^\s<>\"')\]]*[^\s<>\"')\].,;!?]", re.IGNORECASE)
_NAMES = "graphmem_names"
SPEAKERS = "graphmem_speakers"
"""Where a document keeps the names of those who speak and listen: names, however common the word."""
_OUTSIDE_START = frozenset({"DET", "PUNCT", "PRON", "SYM", "SPACE", "INTJ", "NUM"})
_OUTSIDE_END = frozenset({"PUNCT", "SPACE", "SYM", "INTJ"})
_WHEN = frozenset({"DATE", "TIME"})


def mentions_of(doc: Doc, speech: Speech) -> tuple[Mention, ...]:
    """The named entities of a turn, in order of text, each name once."""
    found: dict[tuple[int, int], Mention] = {}
    for match in _CODE.finditer(doc.text):
        kind = "Task" if match.group()[0] == "#" else _type_of_code(doc, match.start())
        found[match.span()] = Mention(match.group(), kind, speech.quote(*match.span()))
    for match in _ADDRESS.finditer(doc.text):
        found[match.span()] = Mention(match.group(), "Website", speech.quote(*match.span()))
    for span in name_spans(doc):
        start, end = span.start_char, span.end_char
        if not any(start < b and a < end for a, b in found):
            found[start, end] = _mention(span, speech)
    unique: dict[tuple[str, str], Mention] = {}
    for _, mention in sorted(found.items()):
        unique.setdefault((mention.name, mention.type), mention)
    return tuple(unique.values())


def _type_of_code(doc: Doc, at: int) -> str:
    before = [token for token in doc if token.idx < at][-3:]
    known = [type_of_noun()[token.lemma_.lower()] for token in before if token.lemma_.lower() in type_of_noun()]
    return known[-1] if known else "Document"


def name_spans(doc: Doc) -> list[Span]:
    """Runs of proper nouns, and the model's entities where they hold one; openers, dates and numbers left out."""
    known: list[Span] | None = doc.user_data.get(_NAMES)
    if known is None:
        known = doc.user_data[_NAMES] = _find_names(doc)
    return known


def name_span_at(token: Token) -> Span | None:
    """The name that a proper noun is part of, None where it is part of none."""
    if token.pos_ != "PROPN":
        return None
    return next((span for span in name_spans(token.doc) if span.start <= token.i < span.end), None)


def _find_names(doc: Doc) -> list[Span]:
    spans = [_trimmed(entity) for entity in doc.ents if entity.label_ in _NAMED]
    covered = {token.i for span in spans if span is not None for token in span}
    run: list[Token] = []
    for token in doc:
        proper = token.pos_ == "PROPN" and token.i not in covered and token.ent_type_ not in _WHEN
        if proper and not _breaks(run, token):
            run.append(token)
            continue
        if run and _is_hyphen(token):
            continue
        if run:
            spans.append(_trimmed(doc[run[0].i : run[-1].i + 1]))
        run = [token] if proper else []
    if run:
        spans.append(_trimmed(doc[run[0].i : run[-1].i + 1]))
    return sorted((span for span in spans if span is not None and _is_name(span)), key=lambda span: span.start)


def _breaks(run: list[Token], token: Token) -> bool:
    if not run:
        return False
    hyphenated = run[-1].i == token.i - 2 and _is_hyphen(token.nbor(-1))
    apart = run[-1].i != token.i - 1 and not hyphenated
    return bool(token.is_sent_start) or apart or run[-1].lower_ in words("not_names")


def _is_hyphen(token: Token) -> bool:
    """Whether the token joins two names without a gap: "Wi-Fi"."""
    return token.text == "-" and not token.whitespace_ and token.i > 0 and not token.nbor(-1).whitespace_


def _trimmed(span: Span) -> Span | None:
    """Without openers, articles, possessives and marks at its ends."""
    doc, start, end = span.doc, span.start, span.end
    while start < end and (doc[start].lower_ in words("not_names") or doc[start].pos_ in _OUTSIDE_START):
        start += 1
    while end > start and (
        doc[end - 1].tag_ == "POS" or doc[end - 1].pos_ in _OUTSIDE_END or doc[end - 1].lower_ in words("not_names")
    ):
        end -= 1
    return doc[start:end] if end > start else None


def _is_name(span: Span) -> bool:
    text = span.text.strip()
    if not any(ch.isalpha() for ch in text) or len(text) < 2 or len(text) > 80 or "\n" in text:
        return False
    if not any(ch.isupper() for ch in text):
        return not text.isascii()
    if "`" in text or not text[0].isalnum():
        return False
    if len(span) > 1:
        return True
    if span[0].text in span.doc.user_data.get(SPEAKERS, ()):
        return True
    return span[0].pos_ in ("PROPN", "NOUN", "ADJ", "X") and not is_parent_by_name(span[0]) and not _is_opener(span[0])


def _is_opener(token: Token) -> bool:
    """Whether a capital is only that of a sentence's first word: an everyday word that does nothing a name does."""
    before = token.nbor(-1) if token.i > token.sent.start else None
    first = before is None or before.pos_ in ("PUNCT", "SYM", "SPACE", "INTJ") or before.lower_ in words("not_names")
    if not first or any(other.text == token.text and other.i != token.i for other in token.doc):
        return False
    if token.dep_ == "ROOT" and all(other == token or not other.is_alpha for other in token.sent):
        return True
    if token.ent_type_ in ("GPE", "LOC", "NORP", "LANGUAGE") and token.dep_ != "ROOT":
        return False
    if he_or_she_follows(token):
        return False
    acting = token.dep_ in ("nsubj", "nsubjpass") and token.head.lemma_.lower() in words("human_verbs")
    return not acting and token.dep_ != "poss" and is_everyday(token)


def _mention(span: Span, speech: Speech) -> Mention:
    name = " ".join(span.text.split())
    quote = speech.quote(span.start_char, span.end_char)
    if _is_nickname(span, speech) and speech.addressee is not None:
        return Mention(speech.addressee, "Person", quote, speaker=speech.addressee)
    for known in (speech.speaker, speech.addressee, *speech.people):
        if known is not None and name.casefold() in (known.casefold(), known.casefold().split()[0]):
            return Mention(known, "Person", quote, speaker=known)
    return Mention(name, speech.types.get(span.text) or type_of_name(span), quote)


def _is_nickname(span: Span, speech: Speech) -> bool:
    """Whether the addressee is called by the first letters of the name: "Thanks, Mel!"."""
    name, other = span.text, speech.addressee
    if other is None or len(span) != 1 or not 2 <= len(name) < len(other) or not other.startswith(name):
        return False
    doc, token = span.doc, span[0]
    following = token.nbor() if token.i + 1 < len(doc) else None
    return token.dep_ in ("intj", "npadvmod", "appos", "dep", "ROOT") or following is None or following.is_punct


def mention_of(token: Token, speech: Speech) -> Mention | None:
    """The mention of a noun phrase's head: a name, a relation by its name, or a thing by its owner; None for what is neither."""
    quote = speech.quote(token.idx, token.idx + len(token))
    if token.lower_ in FIRST:
        return speech.self_mention(quote)
    if token.lower_ in SECOND:
        return speech.other_mention(quote)
    label = label_of(token, speech)
    if label is not None and (token.pos_ != "PROPN" or token.lemma_.lower() in kin()):
        return _possessed(token, label, speech, quote)
    if token.pos_ == "PROPN":
        span = name_span_at(token)
        return None if span is None else _mention(span, speech)
    return None


def _possessed(token: Token, label: str, speech: Speech, quote: Quote) -> Mention | None:
    kind = type_of_common(token)
    given = given_name(token) if kind in ("Person", "Animal") else None
    if given is not None:
        name_it(label, given.text, kind, speech)
        return Mention(
            given.text, kind, speech.quote(given.start_char, given.end_char), attributes=(("described_as", label),)
        )
    if kind == "Topic":
        return None
    known = described(token, speech) or label
    return Mention(known, kind, quote, attributes=() if known == label else (("described_as", label),))


def name_it(label: str, name: str, kind: str, speech: Speech) -> None:
    """Remember, for the rest of the turn, the name of what was described."""
    speech.names[label] = name
    speech.types[name] = kind


def person_of(token: Token | None, speech: Speech, quote: Quote) -> Mention | None:
    """The mention that a subject or an object stands for, where it is a person, an animal, or a thing with an owner or a name.

    A missing subject is the speaker's ("Lost my job"). A bare pronoun is nobody, except "he" and "she" right after the only
    person that the turn has named.
    """
    if token is None:
        return speech.self_mention(quote)
    word = token.lower_
    if word in FIRST:
        return speech.self_mention(quote)
    if word in SECOND:
        return speech.other_mention(quote)
    if word in ("he", "she", "him", "her"):
        return speech.last_person
    if word in ("they", "them") and speech.last_group is not None:
        return speech.last_group
    if word in BARE:
        return None
    return mention_of(token, speech)


def given_name(noun: Token) -> Span | None:
    """The name that a noun is given beside it: "my sister Clara", "a dog called Rex", "our cat, Milo"."""
    for child in noun.children:
        if child.dep_ == "appos" and child.pos_ == "PROPN" and 0 < child.i - noun.i <= 3:
            return named(child)
        if child.dep_ in ("acl", "relcl") and child.lower_ in ("called", "named"):
            for grand in child.children:
                if grand.i > child.i and grand.pos_ in ("PROPN", "NOUN") and grand.text[:1].isupper():
                    return named(grand)
    if noun.i + 1 >= noun.sent.end or not noun.whitespace_:
        return None
    following = noun.nbor()
    proper = following.pos_ == "PROPN" and following.text[:1].isupper() and following.ent_type_ not in _WHEN
    return named(following) if proper and following.head in (noun, *noun.ancestors) else None


def named(token: Token) -> Span:
    """The whole proper name whose head is this token."""
    doc = token.doc
    first = last = token.i
    while first > token.sent.start and doc[first - 1].pos_ == "PROPN" and doc[first - 1].dep_ == "compound":
        first -= 1
    while last + 1 < token.sent.end and doc[last + 1].pos_ == "PROPN" and doc[last].dep_ == "compound":
        last += 1
    return doc[first : last + 1]


def note_person(sentence: Span, speech: Speech) -> None:
    """Remember whom "he" or "she" means in the next sentence: the person or animal that this one is about, if it is one."""
    groups = {
        mention.name: mention
        for span in name_spans(sentence.doc)
        if sentence.start <= span.start < sentence.end
        for mention in (_mention(span, speech),)
        if mention.type in ("Organization", "Group", "Building")
    }
    if groups:
        speech.last_group = next(iter(groups.values())) if len(groups) == 1 else None
    named_here: list[tuple[Token, Mention]] = []
    for token in sentence:
        if token.pos_ not in ("PROPN", "NOUN") or token.dep_ == "compound":
            continue
        if token.dep_ == "poss" and token.head.pos_ != "ADJ":
            continue
        mention = mention_of(token, speech)
        if mention is not None and mention.type in ("Person", "Animal") and mention.speaker is None:
            named_here.append((token, mention))
    subjects = [mention for token, mention in named_here if token.dep_ in ("nsubj", "nsubjpass")]
    names = {mention.name for _, mention in named_here}
    if len({mention.name for mention in subjects}) == 1:
        speech.last_person = subjects[0]
    elif len(names) == 1:
        speech.last_person = named_here[0][1]
    elif names:
        speech.last_person = None
