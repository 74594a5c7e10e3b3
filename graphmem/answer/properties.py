"""Which known properties the words of a question ask for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from graphmem.answer.targets import Form, Term, Want
from graphmem.answer.words import lexicon, stem, stems_of
from graphmem.extract.vocabulary import properties


def properties_asked(terms: Sequence[Term], want: Want, form: Form) -> tuple[str, ...]:
    """The known properties that the words of a question ask for, in the order of the data file, then those whose names it has."""
    stems = {each for term in terms for each in term.stems}
    found: list[str] = []
    for name, entries in lexicon()["property"].items():
        for entry in entries:
            if "wants" in entry and want not in entry["wants"]:
                continue
            if all(any(stem(choice) in stems for choice in words.split("|")) for words in entry["words"]):
                found.append(name)
                break
    if want == "age" and "age" not in found:
        found.append("age")
    found += [name for name in properties() if name not in found and set(stems_of(name.replace("_", " "))) <= stems]
    return tuple(found)


@cache
def trigger_stems(name: str) -> frozenset[str]:
    """The stems by which a question asks for a property."""
    entries = lexicon()["property"].get(name, ())
    words = {stem(choice) for entry in entries for words in entry["words"] for choice in words.split("|")}
    return frozenset(words | set(stems_of(name.replace("_", " "))))
