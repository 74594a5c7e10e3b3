"""Who else somebody talks with is seen from who speaks in their conversations, whether or not anybody says so."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from graphmem.answer.choice import Choice
from graphmem.answer.in_touch import in_touch
from graphmem.answer.plan import Name, plan
from graphmem.answer.reading import statements_of
from graphmem.records import Hit

NAMES = tuple(Name(name, name, "Person") for name in ("Rika", "Pavo", "Senna", "Ivo"))
START = datetime.fromisoformat("2024-03-04T12:00:00+01:00")
MONTH = timedelta(days=30)

Session = tuple[tuple[str, str], ...]

WITH_PAVO: Session = (("Rika", "The boiler drips again."), ("Pavo", "Please close the valve."))
WITH_SENNA: Session = (("Senna", "The new valve is here."), ("Rika", "Lovely, thank you."))
WITH_IVO: Session = (("Rika", "The valve whistles."), ("Ivo", "Turn it to the left."))
WITHOUT_RIKA: Session = (("Ivo", "The van needs fuel."), ("Pavo", "Take the red card."))


def found(question: str, *sessions: Session) -> Choice | None:
    """The choice among sessions that are held 30 days apart: on 4 March, 3 April and 3 May 2024."""
    hits = [
        Hit(f"t{s}-{n}", f"k{s}:{n}", f"k{s}", speaker, START + MONTH * s + timedelta(minutes=n), text, 1.0)
        for s, session in enumerate(sessions)
        for n, (speaker, text) in enumerate(session)
    ]
    asked_at = START + MONTH * 10
    named = [name for name in NAMES if name.text in question]
    return in_touch(plan(question, asked_at, named, None), statements_of(hits))


def short(question: str, *sessions: Session) -> str | None:
    choice = found(question, *sessions)
    return None if choice is None else choice.short


ELSE = "Who else talked to Rika besides Pavo?"


def test_who_else_talks_with_somebody_is_whoever_speaks_in_their_sessions() -> None:
    assert short(ELSE, WITH_PAVO, WITH_SENNA) == "Senna"


def test_several_are_named_in_the_order_in_which_they_first_spoke() -> None:
    assert short(ELSE, WITH_PAVO, WITH_SENNA, WITH_IVO, WITH_SENNA) == "Senna and Ivo"
    assert short(ELSE, WITH_PAVO, WITH_IVO, WITH_SENNA) == "Ivo and Senna"


def test_the_first_words_of_each_are_cited() -> None:
    choice = found(ELSE, WITH_PAVO, WITH_SENNA, (("Senna", "Is it warm now?"), ("Rika", "It is.")))
    assert choice is not None
    assert [(each.speaker, each.quote) for each in choice.citations] == [("Senna", "The new valve is here.")]


def test_whoever_only_talks_with_others_does_not_count() -> None:
    assert short(ELSE, WITH_PAVO, WITH_SENNA, WITHOUT_RIKA) == "Senna"


def test_nobody_else_is_no_answer() -> None:
    assert found(ELSE, WITH_PAVO, WITHOUT_RIKA) is None


def test_at_a_time_only_those_count_who_spoke_then() -> None:
    sessions = (WITH_PAVO, WITH_SENNA, WITH_IVO)
    assert short("Who did Rika talk to in March 2024?", *sessions) == "Pavo"
    assert short("Who did Rika talk to in April 2024?", *sessions) == "Senna"
    assert found("Who did Rika talk to in June 2024?", *sessions) is None


def test_at_a_time_whoever_is_excluded_does_not_count_and_need_not_have_spoken() -> None:
    sessions = (WITH_PAVO, WITH_SENNA, WITH_IVO)
    assert short("Who else talked to Rika in April 2024 besides Pavo?", *sessions) == "Senna"
    assert found("Who else talked to Rika in March 2024 besides Pavo?", *sessions) is None


def test_where_the_one_named_never_talks_with_them_there_is_nobody_to_compare() -> None:
    assert found(ELSE, WITH_SENNA, WITH_IVO, WITHOUT_RIKA) is None


def test_where_the_one_asked_about_never_speaks_nothing_is_seen() -> None:
    assert found(ELSE, WITHOUT_RIKA) is None


NOT_ASKED = (
    "Who else likes Rika besides Pavo?",
    "Who visited Rika in April 2024?",
    "What did Rika talk about in April 2024?",
    "Who talked to Rika?",
)


@pytest.mark.parametrize("question", NOT_ASKED)
def test_where_it_is_not_asked_who_is_in_touch_the_conversation_is_no_answer(question: str) -> None:
    assert found(question, WITH_PAVO, WITH_SENNA) is None


@pytest.mark.parametrize("word", ["talked to", "helped", "wrote to", "advised"])
def test_any_word_of_contact_asks_for_it(word: str) -> None:
    assert short(f"Who else {word} Rika besides Pavo?", WITH_PAVO, WITH_SENNA) == "Senna"
