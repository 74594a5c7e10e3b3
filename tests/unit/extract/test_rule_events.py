"""Events by rules: who did what, when, and what is no event."""

from __future__ import annotations

from datetime import datetime

import pytest


def summaries(found):
    return [(event.kind, event.summary) for event in found]


def day(text: str) -> datetime:
    return datetime.fromisoformat(text + "T00:00:00+00:00")


def test_a_past_sentence_is_an_event_of_its_speaker_with_the_time_beside_it(events):
    (event,) = events("I cycled a sponsored tour for the animal shelter last Saturday – my legs are still sore.")
    assert (event.kind, event.subject, event.verb) == ("event", "Ana", "cycle")
    assert event.object == "a sponsored tour for the animal shelter"
    assert event.summary == "Ana cycled a sponsored tour for the animal shelter"
    assert event.time is not None
    assert (event.time.start, event.time.end) == (day("2023-05-20"), day("2023-05-21"))
    assert [(p.role, p.mention.name, p.mention.speaker) for p in event.participants] == [("Agent", "Ana", "Ana")]


@pytest.mark.parametrize(
    "text",
    [
        "Did you go to Rome last week?",
        "Have you been to the new museum?",
        "If I moved to Rome, I would learn Italian.",
        "I might visit Japan in May.",
        "I would like to see the museum.",
        "You should visit the museum.",
        "I wish I had bought that house.",
        "Take the second street on the left!",
        "It was awesome!",
        "They loved it.",
        "Fingers crossed!",
    ],
)
def test_questions_conditions_modals_wishes_commands_and_bare_pronouns_make_no_event(events, text):
    assert [event for event in events(text) if event.kind in ("event", "plan", "denied")] == []


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("Lost my job at Acme.", "Ana lost their job at Acme"),
        ("Just got back from Rome!", "Ana got back from Rome"),
        ("Twisted my knee and it's really painful.", "Ana twisted their knee"),
        ("Visited the old castle with Sam.", "Ana visited the old castle with Sam"),
    ],
)
def test_a_past_without_a_subject_is_the_speakers(events, text, summary):
    assert ("event", summary) in summaries(events(text))


@pytest.mark.parametrize("text", ["Excited about the trip!", "Surrounded by trees and birds.", "Noted.", "Take care!"])
def test_feelings_and_commands_without_a_subject_are_not_taken_for_deeds(events, text):
    assert events(text) == ()


@pytest.mark.parametrize(
    ("text", "kind", "summary"),
    [
        ("I started looking into adoption agencies.", "event", "Ana started looking into adoption agencies"),
        ("I decided to go to the park.", "event", "Ana decided to go to the park"),
        ("I stopped eating meat.", "event", "Ana stopped eating meat"),
        ("We ended up watching a film.", "event", "Ana ended up watching a film"),
        ("We're thinking about renting a boat next month.", "plan", "Ana is thinking about renting a boat"),
        ("I'm gonna start a new job at Initech on Monday.", "plan", "Ana is going to start a new job at Initech"),
    ],
)
def test_chains_of_verbs_are_one_event(events, text, kind, summary):
    assert summaries(events(text)) == [(kind, summary)]


@pytest.mark.parametrize(
    "text",
    [
        "I'm moving to Lisbon next month.",
        "I'll visit my aunt on 3 June.",
        "I'm going to run a marathon in October.",
        "The course starts on 3 June.",
    ],
)
def test_what_is_to_come_is_a_plan(events, text):
    assert [event.kind for event in events(text)] == ["plan"]


def test_what_did_not_happen_is_denied(events):
    (event,) = events("I didn't go to the party on Friday.")
    assert (event.kind, event.summary) == ("denied", "Ana did not go to the party")


def test_two_who_did_it_are_both_agents_and_the_speaker_comes_first(events):
    (event,) = events("My mom and I baked a cake on Sunday.")
    assert event.subject == "Ana"
    assert [p.mention.name for p in event.participants if p.role == "Agent"] == ["Ana", "Ana's mother"]


def test_you_is_the_only_other_speaker_or_the_stated_addressee_or_nobody(events):
    text = "You moved to Leeds in June."
    assert events(text)[0].subject == "Ben"
    assert events(text, speakers=("Ana", "Ben", "Cleo"), addressee="Cleo")[0].subject == "Cleo"
    assert [e for e in events(text, speakers=("Ana", "Ben", "Cleo")) if e.kind == "event"] == []


def test_each_time_goes_to_its_own_clause(events):
    found = events("I sold my car in March and on Monday I bought a bike.")
    times = {event.verb: event.time.start for event in found if event.time is not None}
    assert times == {"sell": day("2023-03-01"), "buy": day("2023-05-22")}


def test_a_later_clause_without_a_time_takes_that_of_the_sentence_with_less_confidence(events):
    first, second = events("Yesterday I went to the gym and lifted weights.")
    assert first.time == second.time
    assert second.confidence < first.confidence


def test_a_dated_sentence_without_an_event_is_an_utterance_of_low_confidence(events):
    (event,) = events("I meant to show you our choir concert last week.")
    assert (event.kind, event.object) == ("utterance", "their choir concert")
    assert event.confidence <= 0.3


def test_a_question_with_a_date_leaves_the_statement_before_it(events):
    assert summaries(events("I went to Paris yesterday, have you been?")) == [("event", "Ana went to Paris")]


def test_a_relative_clause_tells_what_was_done_to_its_noun(events):
    found = events("The dog that I adopted last week is asleep.")
    assert ("event", "Ana adopted the dog") in summaries(found)


def test_a_lasting_state_tells_when_it_began(events):
    lasting, began = events("I've been playing the violin for four months now.")
    assert lasting.summary == "Ana has been playing the violin"
    assert began.summary == "Ana started playing the violin"
    assert began.time is not None
    assert began.time.start == day("2023-01-01")
    assert began.confidence < lasting.confidence


def test_a_name_that_is_only_called_is_not_the_subject(events):
    assert all(
        event.subject == "Ana" for event in events("Hey Ben, since we last talked, I've had a busy week at work.")
    )


def test_the_place_is_among_the_participants(events):
    (event,) = events("I went to Kyoto with my friend Julia last week.")
    assert event.place is not None
    assert event.place.name == "Kyoto"
    assert {(p.role, p.mention.name) for p in event.participants} >= {("Mentioned", "Kyoto"), ("Mentioned", "Julia")}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I've never seen a better film.", "event"),
        ("I've never eaten so well.", "event"),
        ("I've never seen such a view.", "event"),
        ("I've never met that nice guy.", "denied"),
        ("I never got better.", "denied"),
        ("I never drank more than two beers.", "denied"),
        ("I've never had so much as a cold.", "denied"),
    ],
)
def test_never_with_a_degree_denies_only_a_higher_one(events, text, kind):
    (event,) = events(text)
    assert event.kind == kind
