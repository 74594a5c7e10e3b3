"""Names and descriptions that stand for entities, and of which type they are."""

from __future__ import annotations

import re

from graphmem.extract.with_rules.lexicon import kin, species, type_of_noun, words
from graphmem.extract.with_rules.parse import Doc, Span, Token
from graphmem.extract.with_rules.people import BARE, FIRST, SECOND, Speech, described, name_of
from graphmem.records import Mention, Quote

_LABELS = {
    "PERSON": "Person", "ORG": "Organization", "GPE": "Place", "LOC": "Place", "FAC": "Building", "EVENT": "Event", "PRODUCT": "Product",
    "WORK_OF_ART": "CreativeWork", "NORP": "Group", "LANGUAGE": "Language", "LAW": "Law",
}  # fmt: skip
_CODE = re.compile(r"\b(?=[A-Z0-9-]*\d)[A-Z]{1,6}(?:-[A-Z0-9]{1,8}){1,4}\b|#\d{3,}\b")
_ADDRESS = re.compile(r"\b(?:https?://|www\.)[^\s<>\"')\]]+", re.IGNORECASE)


def mentions_of(doc: Doc, speech: Speech) -> tuple[Mention, ...]:
    """The named entities of a turn, in order of text, each name once."""
    found: dict[tuple[int, int], Mention] = {}
    for match in _CODE.finditer(doc.text):
        found[match.span()] = Mention(
            match.group(),
            "Task" if match.group()[0] == "#" else _code_type(doc, match.start()),
            speech.quote(*match.span()),
        )
    for match in _ADDRESS.finditer(doc.text):
        found[match.span()] = Mention(
            match.group().rstrip(".,;!?"),
            "Website",
            speech.quote(match.start(), match.start() + len(match.group().rstrip(".,;!?"))),
        )
    for span in _name_spans(doc):
        start, end = span.start_char, span.end_char
        if any(start < b and a < end for a, b in found):
            continue
        found[start, end] = _named(span, speech)
    unique: dict[tuple[str, str], Mention] = {}
    for _, mention in sorted(found.items()):
        unique.setdefault((mention.name, mention.type), mention)
    return tuple(unique.values())


def _code_type(doc: Doc, at: int) -> str:
    for token in doc:
        if token.idx <= at < token.idx + len(token) and token.i > 0:
            return type_of_noun().get(doc[token.i - 1].lemma_.lower(), "Document")
    return "Document"


def _name_spans(doc: Doc) -> list[Span]:
    """Runs of proper nouns, and the model's entities where they hold one; openers, dates and numbers left out."""
    spans = []
    for entity in doc.ents:
        if entity.label_ in _LABELS:
            spans.append(_trimmed(entity))
    covered = {token.i for span in spans if span is not None for token in span}
    run: list[Token] = []
    for token in [*doc, None]:
        if (
            token is not None
            and token.pos_ == "PROPN"
            and token.i not in covered
            and token.ent_type_ not in ("DATE", "TIME")
        ):
            run.append(token)
            continue
        if run:
            spans.append(_trimmed(doc[run[0].i : run[-1].i + 1]))
        run = []
    return [span for span in spans if span is not None and _is_name(span)]


def _trimmed(span: Span) -> Span | None:
    """Without openers, articles, possessives and marks at its ends."""
    start, end = span.start, span.end
    doc = span.doc
    while start < end and (
        doc[start].lower_ in words("not_names") or doc[start].pos_ in ("DET", "PUNCT", "PRON", "SYM", "SPACE", "INTJ")
    ):
        start += 1
    while end > start and (
        doc[end - 1].tag_ == "POS"
        or doc[end - 1].pos_ in ("PUNCT", "SPACE", "SYM", "INTJ")
        or doc[end - 1].lower_ in words("not_names")
    ):
        end -= 1
    return doc[start:end] if end > start else None


def _is_name(span: Span) -> bool:
    text = span.text.strip()
    if not any(ch.isalpha() for ch in text) or len(text) < 2 or len(text) > 80 or "\n" in text:
        return False
    if not any(ch.isupper() for ch in text):
        return not text.isascii()
    if all(token.lower_ in words("not_names") for token in span):
        return False
    if len(span) == 1 and span[0].i == span[0].sent.start and span[0].pos_ not in ("PROPN", "NOUN"):
        return False
    return not (
        len(span) == 1
        and span[0].is_sent_start
        and span.root.ent_type_ == ""
        and span[0].lower_ + "s" == span[0].lemma_
    )


def _named(span: Span, speech: Speech) -> Mention:
    name = " ".join(span.text.split())
    quote = speech.quote(span.start_char, span.end_char)
    for known in (speech.speaker, speech.addressee):
        if known is not None and name.casefold() in (known.casefold(), known.casefold().split()[0]):
            return Mention(known, "Person", quote, speaker=known)
    return Mention(name, type_of(span), quote)


def type_of(span: Span) -> str:
    """The type of a name: what the noun beside it says, then what the model says, then Topic."""
    root = span.root
    neighbours = [
        child
        for child in root.children
        if child.dep_ in ("compound", "appos") and child.i not in range(span.start, span.end)
    ]
    if root.dep_ in ("appos", "oprd", "attr"):
        neighbours += (
            [root.head] if root.dep_ == "appos" else [up for up in root.head.children if up.dep_ in ("nsubj", "dobj")]
        )
        if root.dep_ == "oprd" and root.head.dep_ == "acl":
            neighbours.append(root.head.head)
    if root.dep_ == "compound":
        neighbours.append(root.head)
    for neighbour in neighbours:
        lemma = neighbour.lemma_.lower()
        if lemma in kin():
            return "Person"
        if lemma in species():
            return "Animal"
        if lemma in type_of_noun() and root.dep_ != "compound":
            return type_of_noun()[lemma]
    label = root.ent_type_ or span[-1].ent_type_
    return _LABELS.get(label, "Topic")


def mention_of(token: Token, speech: Speech) -> Mention | None:
    """The mention of a noun phrase's head: a name, a relation by its name, or a thing by its owner; None for what is neither."""
    lemma = token.lemma_.lower()
    quote = speech.quote(token.idx, token.idx + len(token))
    if token.lower_ in FIRST:
        return speech.self_mention(quote)
    if token.lower_ in SECOND:
        return speech.other_mention(quote)
    label = described(token, speech)
    if label is not None and token.pos_ != "PROPN":
        kind = "Person" if lemma in kin() else "Animal" if lemma in species() else type_of_noun().get(lemma, "Topic")
        given = given_name(token)
        if given is not None:
            speech.names[label] = given.text
            return Mention(
                given.text, kind, speech.quote(given.start_char, given.end_char), attributes=(("described_as", label),)
            )
        if kind == "Topic":
            return None
        attributes = () if label.endswith(token.text.lower()) else (("described_as", lemma),)
        return Mention(label, kind, quote, attributes=attributes)
    if token.pos_ == "PROPN":
        name = name_of(token)
        span = next((s for s in _name_spans(token.doc) if s.start <= token.i < s.end), None)
        if span is None:
            return None
        return _named(span, speech) if span.text != name else _named(span, speech)
    return None


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
    if word in BARE:
        return None
    return mention_of(token, speech)


def given_name(noun: Token) -> Span | None:
    """The name that a noun is given beside it: "my sister Clara", "a dog called Rex", "our cat, Milo"."""
    doc = noun.doc
    for child in noun.children:
        if child.dep_ == "appos" and child.pos_ == "PROPN" and child.i > noun.i and child.i - noun.i <= 3:
            return named(child)
        if child.dep_ in ("acl", "relcl") and child.lower_ in ("called", "named"):
            for grand in child.children:
                if grand.i > child.i and grand.pos_ in ("PROPN", "NOUN") and grand.text[:1].isupper():
                    return named(grand)
    after = noun.i + 1
    if after < noun.sent.end and doc[after].pos_ == "PROPN" and doc[after].text[:1].isupper():
        return named(doc[after])
    return None


def named(token: Token) -> Span:
    """The whole proper name whose head is this token."""
    doc = token.doc
    first = last = token.i
    while first > token.sent.start and doc[first - 1].pos_ == "PROPN" and doc[first - 1].dep_ == "compound":
        first -= 1
    while last + 1 < token.sent.end and doc[last + 1].pos_ == "PROPN" and doc[last].dep_ == "compound":
        last += 1
    return doc[first : last + 1]
