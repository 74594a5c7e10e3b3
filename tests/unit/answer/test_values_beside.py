"""A value told beside the one that replaced it, a name that is only greeted, and words that keep one stem."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from graphmem.answer.choice import Choice
from graphmem.answer.choose import choose
from graphmem.answer.plan import Name, plan
from graphmem.answer.reading import statements_of
from graphmem.answer.words import stem
from graphmem.records import Hit

NAMES = tuple(Name(name, name, "Person") for name in ("Ida", "Otto"))
START = datetime.fromisoformat("2023-05-10T12:00:00+02:00")

Turn = tuple[str, str]


def chosen(question: str, *turns: Turn) -> Choice | None:
    """The choice among turns that are said a week apart, each in a session of its own."""
    hits = [
        Hit(f"t{n}", f"k{n}:1", f"k{n}", speaker, START + timedelta(weeks=n), text, 1.0)
        for n, (speaker, text) in enumerate(turns)
    ]
    at = START + timedelta(weeks=len(turns) + 1)
    named = [name for name in NAMES if name.text in question]
    return choose(plan(question, at, named), statements_of(hits), at)


def short(question: str, *turns: Turn) -> str | None:
    found = chosen(question, *turns)
    return None if found is None else found.short


CROOKED = ("Ida", "The labels come out crooked.")
WIDTH = "Which paper width was set before it was changed to 80 mm?"
SWAPPED = (
    (WIDTH, "Set the paper width to 80 mm instead of 90 mm.", "90 mm"),
    (WIDTH, "We set the paper width to 80 mm rather than 90 mm.", "90 mm"),
    ("What was the paper width before it was changed?", "I changed the paper width from 90 mm to 80 mm.", "90 mm"),
)


@pytest.mark.parametrize(("question", "said", "wanted"), SWAPPED, ids=[said for _, said, _ in SWAPPED])
def test_the_value_before_is_cut_from_the_sentence_that_tells_of_the_change(
    question: str, said: str, wanted: str
) -> None:
    found = chosen(question, CROOKED, ("Otto", said))
    assert found is not None
    assert found.short == wanted
    assert [citation.turn_id for citation in found.citations] == ["k1:1"]


def test_the_new_value_alone_tells_nothing_of_the_one_before() -> None:
    assert short(WIDTH, CROOKED, ("Otto", "Set the paper width to 80 mm.")) is None


def test_the_value_before_of_something_else_is_not_taken() -> None:
    assert short(WIDTH, ("Otto", "Set the drum speed to 80 mm instead of 90 mm.")) is None


YOGA = "Who did Otto start yoga with?"
GREETED = (
    "Hey Ida, I started yoga with a colleague",
    "Hi Ida, I started yoga with a colleague.",
    "Thanks, Ida! I started yoga with a colleague.",
)


@pytest.mark.parametrize("said", GREETED)
def test_whoever_is_greeted_or_thanked_is_not_the_person_asked_for(said: str) -> None:
    assert short(YOGA, ("Otto", said)) != "Ida"


def test_kin_that_is_told_of_is_taken_before_whoever_is_greeted() -> None:
    assert short(YOGA, ("Otto", "Hey Ida, I started yoga with my cousin.")) == "my cousin"


def test_the_same_name_where_it_is_told_of_is_the_person_asked_for() -> None:
    assert short(YOGA, ("Otto", "I started yoga with Ida.")) == "Ida"


STEMS = (
    ("change", "changed", "changes", "changing"),
    ("dance", "danced", "dances", "dancing"),
    ("serve", "served", "serves", "serving"),
    ("settle", "settled", "settles", "settling"),
    ("agree", "agreed", "agrees", "agreeing"),
    ("rescue", "rescued", "rescues"),
    ("juggle", "juggled", "juggling"),
)


@pytest.mark.parametrize("forms", STEMS, ids=[forms[0] for forms in STEMS])
def test_verbs_that_end_in_a_silent_e_keep_one_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize(("form", "base"), [("planted", "plant"), ("needed", "need"), ("asked", "ask")])
def test_verbs_without_an_e_get_none(form: str, base: str) -> None:
    assert stem(form) == stem(base)
