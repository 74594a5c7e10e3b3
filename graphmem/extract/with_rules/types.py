"""The type of a name, from what stands around it: the small model's own label is right too seldom to be taken as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphmem.extract.with_rules.lexicon import kin, listed, species, type_of_noun, words

if TYPE_CHECKING:
    from graphmem.extract.with_rules.parse import Span, Token

_LABELS = {
    "PERSON": "Person", "ORG": "Organization", "GPE": "Place", "LOC": "Place", "FAC": "Building", "EVENT": "Event", "PRODUCT": "Product",
    "WORK_OF_ART": "CreativeWork", "NORP": "Group", "LANGUAGE": "Language", "LAW": "Law",
}  # fmt: skip
_WITHIN = frozenset({"in", "near", "around", "outside", "across", "throughout"})
_MOVING = frozenset(
    {
        "move",
        "go",
        "come",
        "fly",
        "travel",
        "drive",
        "return",
        "relocate",
        "trip",
        "visit",
        "get",
        "head",
        "back",
        "be",
        "flight",
    }
)
_COMPANY = frozenset({"with", "without"})


def type_of_name(span: Span) -> str:
    """What the noun beside a name says, then its place in the sentence, then the model's label, then Topic."""
    told = _by_noun(span) or _by_first_word(span)
    if told is not None:
        return told
    root = span.root
    if root.dep_ == "conj" and root.head.dep_ in ("appos", "oprd") and root.head.pos_ == "PROPN":
        return type_of_name(root.doc[root.head.i : root.head.i + 1])
    label = root.ent_type_ or span[-1].ent_type_
    placed = _by_place(span, label)
    if placed is not None:
        return placed
    return _LABELS.get(label, "Topic")


def _by_first_word(span: Span) -> str | None:
    """The type that a name opens with: "Hotel Lipa"."""
    kind = type_of_noun().get(span[0].lower_) if len(span) > 1 else None
    return kind if kind in ("Building", "Organization") else None


def type_of_common(token: Token) -> str:
    """The type that a common noun tells, Topic where it tells none."""
    lemma = token.lemma_.lower()
    if lemma in kin() or token.lower_ in kin():
        return "Group" if token.tag_ in ("NNS", "NNPS") else "Person"
    if lemma in species():
        return "Animal"
    return type_of_noun().get(lemma, "Topic")


def _by_noun(span: Span) -> str | None:
    """The type that a noun in apposition, a compound or a predicate gives: "my sister Clara", "Biscuit is my dog"."""
    root = span.root
    beside = [
        child for child in root.children if child.dep_ in ("compound", "appos") and not span.start <= child.i < span.end
    ]
    if root.dep_ in ("appos", "compound"):
        beside.append(root.head)
    if root.dep_ == "attr" or (root.dep_ == "oprd" and root.head.dep_ not in ("acl", "relcl")):
        beside += [up for up in root.head.children if up.dep_ in ("nsubj", "nsubjpass")]
    if root.dep_ == "oprd" and root.head.dep_ in ("acl", "relcl"):
        beside.append(root.head.head)
    if root.dep_ == "nsubj":
        beside += [child for child in root.head.children if child.dep_ == "attr"]
    for neighbour in beside:
        lemma = neighbour.lemma_.lower()
        if neighbour.pos_ not in ("NOUN", "PROPN") or neighbour.dep_ == "poss":
            continue
        if lemma in kin():
            return "Person"
        if lemma in species():
            return "Animal"
        if lemma in type_of_noun() and root.dep_ != "compound":
            return type_of_noun()[lemma]
        if lemma in listed("occupations") and neighbour.dep_ == "attr":
            return "Person"
    if span.text.lower() in listed("languages") and root.dep_ in ("dobj", "conj") and root.head.lemma_ in _SPEAKING:
        return "Language"
    return None


_SPEAKING = frozenset({"speak", "learn", "study", "teach", "understand", "practice", "practise"})


def _by_place(span: Span, label: str) -> str | None:
    """The type that the place in the sentence gives where the label is doubtful."""
    root = span.root
    single = len(span) == 1
    if root.dep_ == "pobj" and label in ("PERSON", "", "NORP"):
        prep = root.head
        if prep.lower_ in _WITHIN and not _abstract(prep):
            return "Place"
        if prep.lower_ == "at":
            return "Organization"
    if root.dep_ == "pobj" and label in ("PERSON", "", "NORP", "ORG") and (label != "ORG" or single):
        prep = root.head
        if prep.lower_ in ("to", "from") and prep.head.lemma_.lower() in _MOVING:
            return "Place" if not span.text.isupper() else None
    if not single or span.text.isupper() or (span[0].is_sent_start and label == "" and span[0].pos_ != "PROPN"):
        return None
    spoken_of_person = label in ("", "ORG", "NORP") and root.dep_ in ("pobj", "nsubj", "conj")
    if spoken_of_person and he_or_she_follows(root):
        return "Person"
    if label == "ORG" and root.dep_ == "nsubj" and root.head.lemma_.lower() in words("personal_verbs"):
        return "Person"
    doubtful = label in ("", "GPE", "NORP", "LOC", "FAC", "PRODUCT", "WORK_OF_ART")
    if root.dep_ == "pobj" and root.head.lower_ in _COMPANY and doubtful and label != "PRODUCT":
        return "Person"
    spoken_of = ("nsubj", "nsubjpass", "poss", "ROOT", "npadvmod", "dobj", "attr")
    if doubtful and root.dep_ in spoken_of and he_or_she_follows(root):
        return "Person"
    if root.dep_ in ("nsubj", "nsubjpass") and doubtful:
        if root.head.lemma_.lower() in words("human_verbs") or he_or_she_follows(root):
            return "Person"
        if label == "" and root.head.pos_ in ("VERB", "AUX"):
            return "Person"
    if root.dep_ == "poss" and label in ("", "NORP"):
        return "Person"
    return None


def _abstract(prep: Token) -> bool:
    return prep.head.pos_ == "ADJ" or prep.head.lemma_.lower() in (
        "interest",
        "believe",
        "invest",
        "major",
        "confidence",
        "faith",
        "trust",
    )


def he_or_she_follows(name: Token) -> bool:
    """Whether the next clause speaks of "he" or "she" before it names anybody else."""
    for token in name.doc[name.i + 1 : name.i + 16]:
        if token.pos_ == "PROPN" and token.dep_ in ("nsubj", "nsubjpass"):
            return False
        if token.lower_ in ("he", "she") and token.dep_ in ("nsubj", "nsubjpass"):
            return True
    return False
