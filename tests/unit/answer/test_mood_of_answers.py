"""What was asked for, told beside a question, or can be done: the mood that an answer takes it in, whom "you" means, and how long."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from graphmem.answer.offers import offer_of
from graphmem.answer.plan import Name, plan
from graphmem.answer.reading import statements_of
from graphmem.answer.statements import Statement
from graphmem.answer.words import stem
from graphmem.records import Hit

SAID_AT = datetime.fromisoformat("2023-05-10T12:00:00+02:00")
IDA = Name("Ida", "Ida", "Person")


def hit(text: str, speaker: str = "Ida", number: int = 1, addressee: str | None = None) -> Hit:
    return Hit(f"t{number}", f"k1:{number}", "k1", speaker, SAID_AT, text, 1.0, addressee=addressee)


def one(text: str, speaker: str = "Ida") -> Statement:
    [found] = statements_of([hit(text, speaker)])
    return found


def last_of(*hits: Hit) -> Statement:
    return statements_of(hits, {each.id: ("k1", number) for number, each in enumerate(hits)})[-1]


def mood_of(text: str, verb: str) -> str:
    return one(text).mood(frozenset({stem(verb)}))


REQUESTS = (
    ("Could you hold the button for five seconds?", "hold"),
    ("Would you please water the ferns?", "water"),
    ("Can you please close the valve?", "close"),
)


@pytest.mark.parametrize(("text", "verb"), REQUESTS, ids=[text for text, _ in REQUESTS])
def test_a_request_to_do_something_is_planned(text: str, verb: str) -> None:
    assert mood_of(text, verb) == "planned"


QUESTIONS = (
    ("Could you tell me the price?", "tell"),
    ("Could you explain the invoice?", "explain"),
    ("Did you hold the button for five seconds?", "hold"),
)


@pytest.mark.parametrize(("text", "verb"), QUESTIONS, ids=[text for text, _ in QUESTIONS])
def test_a_question_for_information_stays_asked(text: str, verb: str) -> None:
    assert mood_of(text, verb) == "asked"


TOLD_FIRST = (
    ("I paid 12 euros for the parcel, is that normal?", "pay"),
    ("I planted the leeks in March, was that too early?", "plant"),
)


@pytest.mark.parametrize(("text", "verb"), TOLD_FIRST, ids=[text for text, _ in TOLD_FIRST])
def test_what_a_question_is_asked_about_is_stated_in_its_first_clause(text: str, verb: str) -> None:
    told, asked = one(text).clauses
    assert mood_of(text, verb) == "stated"
    assert (told.mood, told.subject) == ("stated", "ida")
    assert asked.mood == "asked"


def test_a_question_that_tells_nothing_first_is_asked_throughout() -> None:
    assert mood_of("Did I pay 12 euros for the parcel?", "pay") == "asked"


ABLE = (
    ("Pelle can sign for it.", "stated"),
    ("Pelle could sign for it.", "imagined"),
    ("If Pelle can sign for it, we leave early.", "imagined"),
    ("Can Pelle sign for it?", "asked"),
)


@pytest.mark.parametrize(("text", "mood"), ABLE, ids=[text for text, _ in ABLE])
def test_what_somebody_can_do_is_so_unless_it_is_only_thought_of(text: str, mood: str) -> None:
    assert mood_of(text, "sign") == mood


CAKE = (hit("The plum cake is gone.", "Ida", 0), hit("Don't look at me.", "Otto", 1))


def test_you_both_are_the_two_others_who_speak() -> None:
    found = last_of(*CAKE, hit("You both ate it.", "Mette", 2))
    assert found.about == {"ida", "otto"}
    assert found.subjects == {"ida", "otto"}


def test_you_alone_is_whoever_spoke_right_before() -> None:
    assert last_of(*CAKE, hit("You ate it.", "Mette", 2)).about == {"otto"}


def test_you_is_whom_the_transcript_says_is_addressed() -> None:
    found = last_of(*CAKE, hit("You ate it.", "Mette", 2, addressee="Ida"))
    assert found.about == {"ida"}
    assert found.subjects == {"ida"}


LENGTHS = (
    ("How long has Ida heard nothing?", "I haven't heard from them for two weeks.", "two weeks"),
    ("How long has Ida heard nothing from the bank?", "I haven't heard from the bank for ten days.", "ten days"),
)


@pytest.mark.parametrize(("question", "said", "wanted"), LENGTHS, ids=[q for q, _, _ in LENGTHS])
def test_how_long_something_was_not_done_is_a_length(question: str, said: str, wanted: str) -> None:
    offer = offer_of(one(said), plan(question, SAID_AT + timedelta(days=2), [IDA]))
    assert offer is not None
    assert offer.text == wanted
    assert said[offer.start : offer.end] == wanted


def test_a_length_that_is_denied_is_none() -> None:
    asked = plan("How long did the paint take?", SAID_AT + timedelta(days=2))
    assert offer_of(one("It didn't take two weeks."), asked) is None


LIKED = (
    ("I loved reading comics as a child.", "stated"),
    ("We love reading together.", "stated"),
    ("I'd love reading comics.", "imagined"),
    ("I'd love to read comics.", "imagined"),
    ("I want to read comics.", "imagined"),
)


@pytest.mark.parametrize(("text", "mood"), LIKED, ids=[text for text, _ in LIKED])
def test_who_likes_doing_something_does_it_and_who_would_like_to_does_not_yet(text: str, mood: str) -> None:
    assert mood_of(text, "read") == mood


TAGGED = (
    ("Ferns need shade, right?", "need", "stated"),
    ("The ferns need shade, don't they?", "need", "stated"),
    ("We are repotting the ferns next Sunday, want to join?", "repot", "planned"),
    ("Do the ferns need shade, Otto?", "need", "asked"),
)


@pytest.mark.parametrize(("text", "verb", "mood"), TAGGED, ids=[text for text, _, _ in TAGGED])
def test_a_tag_makes_no_question_of_what_was_told(text: str, verb: str, mood: str) -> None:
    assert mood_of(text, verb) == mood


def test_a_clause_is_not_denied_by_the_one_it_is_joined_to() -> None:
    said = one("We are not engaged but we have lived together since the fair.")
    assert said.mood(frozenset({stem("engaged"), stem("together")})) == "stated"


def test_lets_is_said_of_both_who_talk() -> None:
    assert last_of(*CAKE, hit("Let's bake another.", "Ida", 2, addressee="Otto")).about >= {"ida", "otto"}
