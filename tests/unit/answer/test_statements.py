"""Turns are read sentence by sentence: of whom a sentence speaks, in which mood, and what it leans on."""

from __future__ import annotations

from datetime import datetime

import pytest

from graphmem.answer.reading import statements_of
from graphmem.answer.statements import Statement
from graphmem.answer.words import stem
from graphmem.records import Hit

SAID_AT = datetime.fromisoformat("2023-05-10T12:00:00+02:00")


def hit(text: str, speaker: str = "Noor", number: int = 1) -> Hit:
    return Hit(f"t{number}", f"k1:{number}", "k1", speaker, SAID_AT, text, 1.0)


def one(text: str, speaker: str = "Noor") -> Statement:
    [found] = statements_of([hit(text, speaker)])
    return found


def spoken(*turns: tuple[str, str]) -> tuple[Statement, ...]:
    hits = [hit(text, speaker, number) for number, (speaker, text) in enumerate(turns)]
    return statements_of(hits, {each.id: ("k1", number) for number, each in enumerate(hits)})


MOODS = (
    ("I moved to Malmö last week.", "move", "stated"),
    ("I'm moving to Malmö on 1 July.", "move", "planned"),
    ("I'm going to visit you in July.", "visit", "planned"),
    ("If I ever leave, I'll move to Oslo, I think.", "move", "imagined"),
    ("I might move to Oslo.", "move", "imagined"),
    ("Did you move to Oslo?", "move", "asked"),
    ("I didn't move to Oslo.", "move", "denied"),
    ("And I love choirs now, can you believe it?", "love", "stated"),
)


@pytest.mark.parametrize(("text", "verb", "mood"), MOODS, ids=[text for text, _, _ in MOODS])
def test_a_sentence_is_stated_planned_imagined_asked_or_denied(text: str, verb: str, mood: str) -> None:
    assert one(text).mood(frozenset({stem(verb)})) == mood


def test_i_is_the_speaker_and_you_the_only_other_who_speaks() -> None:
    first, second = spoken(("Noor", "I sold my kayak."), ("Elias", "You sold it!"))
    assert first.subjects == {"noor"}
    assert second.subjects == {"noor"}


def test_you_is_whoever_is_called_by_name_among_several() -> None:
    *_, last = spoken(("Noor", "Hello."), ("Viola", "Hello."), ("Elias", "But listen, Viola, I found your phone."))
    assert "viola" in last.about
    assert "noor" not in last.about


def test_she_is_the_person_named_last() -> None:
    statements = spoken(("Elias", "How is Salma doing?"), ("Noor", "Fine. She works as a nurse."))
    assert "salma" in statements[-1].subjects


def test_what_goes_on_about_the_turn_before_leans_on_it() -> None:
    *_, last = spoken(("Elias", "Did the parcel come?"), ("Noor", "It arrived on Monday."))
    assert last.leaning
    assert stem("parcel") in last.before_stems


def test_sentences_stand_where_they_say() -> None:
    text = "Hi!  I bought a kayak. It's red."
    for statement in statements_of([hit(text)]):
        assert text[statement.start : statement.end] == statement.text
