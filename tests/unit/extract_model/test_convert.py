"""Raw replies become drafts: grounded, with mentions, in order of text; what does not hold is refused and counted."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graphmem.extract import entity_types
from graphmem.extract.with_model.names import type_of
from tests.unit.extract_model.windows import converted, event, fact, window_of

KITTEN = "I adopted a kitten last Friday at the shelter in Sintra!"


def test_an_event_carries_its_parts_its_participants_and_the_time_of_the_table() -> None:
    found = converted(
        window_of(KITTEN),
        entities=[{"name": "Sintra", "type": "Place"}, {"name": "kitten", "type": "Animal"}],
        events=[
            event(
                quote="I adopted a kitten last Friday",
                participants=[{"name": "I", "role": "Agent"}, {"name": "kitten", "role": "Mentioned"}],
                place="Sintra",
                aliases=["got a cat", "pet adoption", "got a cat", "a", "b", "c"],
                time="last Friday",
                start="2023-05-19",
                end="2023-05-19",
                summary="Ana adopted a kitten.",
            )
        ],
    )
    [draft] = found.events
    assert (draft.kind, draft.subject, draft.verb, draft.object) == ("event", "Ana", "adopt", "a kitten")
    assert [(part.mention.name, part.mention.speaker, part.role) for part in draft.participants] == [
        ("Ana", "Ana", "Agent"),
        ("kitten", None, "Mentioned"),
    ]
    assert draft.participants[1].mention.quote.text == "kitten"
    assert draft.place is not None
    assert (draft.place.type, KITTEN[draft.place.quote.start : draft.place.quote.end]) == ("Place", "Sintra")
    assert draft.aliases == ("got a cat", "pet adoption", "a", "b")
    assert draft.time is not None
    assert (draft.time.expression, draft.time.rule) == ("last Friday", "en.weekday.shift")
    assert draft.time.start == datetime(2023, 5, 18, 23, tzinfo=UTC)
    assert (found.refused, found.usage.get("times_differ", 0)) == (0, 0)


@pytest.mark.parametrize("missing", ["subject", "verb", "object"])
@pytest.mark.parametrize("value", ["", "  ", "?", None])
def test_an_event_without_all_of_subject_verb_and_object_is_refused(missing: str, value: str | None) -> None:
    found = converted(window_of(KITTEN), events=[event(quote="I adopted a kitten", **{missing: value})])
    assert (found.events, found.refused, found.usage["events_refused"]) == ((), 1, 1)


def test_a_pronoun_is_no_subject() -> None:
    found = converted(window_of("She left for Porto."), events=[event(quote="She left", subject="she")])
    assert found.usage["events_refused"] == 1


def test_a_quotation_that_is_nowhere_is_refused_and_counted() -> None:
    found = converted(
        window_of(KITTEN), events=[event(quote="I bought a parrot")], facts=[fact(quote="I live in Rome")]
    )
    assert (found.events, found.facts, found.refused, found.usage["quotes_refused"]) == ((), (), 2, 2)


def test_what_only_a_turn_of_the_context_says_is_not_extracted_again() -> None:
    window = window_of(("Ben", "How sweet!"), context=[KITTEN])
    found = converted(window, events=[event(quote="I adopted a kitten")])
    assert (found.events, found.usage["quotes_refused"]) == ((), 1)


def test_a_quotation_in_another_new_turn_than_stated_is_found_there() -> None:
    found = converted(window_of("Hi!", KITTEN), events=[event(turn=1, quote="I adopted a kitten")])
    assert (found.events[0].quote.turn_id, found.usage["turns_mistaken"]) == ("t1", 1)


def test_an_aligned_quotation_is_counted_and_stored_in_the_words_of_the_turn() -> None:
    found = converted(window_of(KITTEN), events=[event(quote="i adopted  a kitten")])
    assert (found.events[0].quote.text, found.usage["quotes_aligned"]) == ("I adopted a kitten", 1)


def test_a_state_without_an_event_gets_an_utterance() -> None:
    found = converted(
        window_of(("Ben", "Ana lives in Lisbon, by the way.")),
        entities=[{"name": "Lisbon", "type": "Place"}],
        facts=[fact(quote="Ana lives in Lisbon")],
    )
    [draft], [said] = found.facts, found.events
    assert (said.kind, said.subject, said.verb, said.object) == ("utterance", "Ana", "lives in", "Lisbon")
    assert [(part.mention.name, part.role) for part in said.participants] == [
        ("Ana", "Agent"),
        ("Lisbon", "Mentioned"),
        ("Ben", "Speaker"),
    ]
    assert draft.event == 0
    assert (draft.subject.speaker, draft.cardinality, draft.value_mention and draft.value_mention.type) == (
        "Ana",
        "one",
        "Place",
    )


def test_facts_point_to_their_events_after_some_were_refused_and_all_were_put_in_order() -> None:
    found = converted(
        window_of("I live in Lisbon now.", "I moved here from Porto in 2019.", ("Ben", "I sold my car.")),
        events=[
            event(turn=3, quote="I sold my car", subject="Ben", verb="sell", object="car"),
            event(quote="nowhere", verb="x", object="y"),
            event(turn=2, quote="I moved here from Porto", verb="move to", object="Lisbon"),
        ],
        facts=[
            fact(turn=3, quote="I sold my car", subject="Ben", property="owns", value="car", polarity="ended", event=1),
            fact(turn=1, quote="I live in Lisbon now", event=3),
            fact(turn=2, quote="moved here from Porto", property="lived_in", value="Porto", event=2),
        ],
    )
    assert [each.verb for each in found.events] == ["move to", "lived in", "sell"]
    pointed = {each.property: found.events[each.event].verb for each in found.facts if each.event is not None}
    assert pointed == {"lives_in": "move to", "lived_in": "lived in", "owns": "sell"}
    assert [each.quote.turn_id for each in found.facts] == ["t0", "t1", "t2"]


def test_names_of_speakers_and_their_pronouns_are_the_speakers() -> None:
    window = window_of(("Ana Silva", "You and I should talk to Ben's sister."), ("Ben", "Sure."))
    window = type(window)(window.namespace, window.session, (), window.turns, ("Ana Silva", "Ben"))
    found = converted(
        window,
        entities=[{"name": "Ben's sister", "type": "person", "about": "Ben's sister"}],
        events=[
            event(
                quote="You and I should talk",
                kind="plan",
                subject="Ana",
                verb="talk to",
                object="Ben's sister",
                participants=[{"name": "you", "role": "agent"}, {"name": "Ben's sister", "role": "listener"}],
            )
        ],
    )
    parts = [(part.mention.name, part.mention.speaker, part.role) for part in found.events[0].participants]
    assert parts == [("Ana Silva", "Ana Silva", "Agent"), ("Ben", "Ben", "Agent"), ("Ben's sister", None, "Listener")]
    assert found.events[0].subject == "Ana Silva"


def test_a_pet_with_the_name_of_a_speaker_is_not_the_speaker() -> None:
    found = converted(
        window_of(("Ben", "My cat Ana sleeps all day.")),
        entities=[{"name": "Ana", "type": "Animal", "about": "Ben's cat"}],
        facts=[fact(quote="My cat Ana", subject="Ben", property="has_pet", value="Ana")],
    )
    mention = found.facts[0].value_mention
    assert mention is not None
    assert (mention.speaker, mention.type, mention.attributes) == (None, "Animal", (("described_as", "Ben's cat"),))


def test_entities_that_no_statement_names_are_mentions_where_a_turn_has_them() -> None:
    found = converted(
        window_of("Nice shop, that Polar Bikes."),
        entities=[{"name": "Polar Bikes", "type": "Organization"}, {"name": "Yeti Bikes", "type": "Organization"}],
    )
    assert [(each.name, each.quote.text) for each in found.mentions] == [("Polar Bikes", "Polar Bikes")]


@pytest.mark.parametrize(
    ("given", "known"),
    [("person", "Person"), ("creative work", "CreativeWork"), ("Company", "Organization"), ("Person`) DETACH DELETE n //", "Topic"),
     ("", "Topic")],
)  # fmt: skip
def test_a_type_is_one_of_the_vocabulary_whatever_the_model_says(given: str, known: str) -> None:
    assert type_of(given) == known
    assert known in entity_types()


@pytest.mark.parametrize("name", ["喜欢", "", "9lives", "__"])
def test_a_property_without_a_canonical_name_is_refused_and_its_words_are_kept_as_an_utterance(name: str) -> None:
    found = converted(window_of("我喜欢茶"), facts=[fact(quote="我喜欢茶", property=name, value="茶")])
    assert (found.facts, found.usage["properties_refused"], found.refused) == ((), 1, 1)
    assert (found.events[0].kind, found.events[0].object) == ("utterance", "茶")


def test_a_fact_without_a_value_or_subject_is_refused() -> None:
    window = window_of("I live in Lisbon.")
    found = converted(
        window,
        facts=[fact(quote="I live", value=""), fact(quote="I live", subject=""), fact(quote="I live", subject="it")],
    )
    assert (found.facts, found.events, found.usage["facts_refused"]) == ((), (), 3)


def test_a_reply_that_says_a_thing_twice_says_it_once() -> None:
    window = window_of("I live in Lisbon.")
    twice = [fact(quote="I live in Lisbon"), fact(quote="live in Lisbon", confidence=0.4)]
    found = converted(window, events=[event(quote="I live in Lisbon")] * 2, facts=twice)
    assert (len(found.events), len(found.facts), found.facts[0].confidence) == (2, 1, 0.9)


def test_confidence_and_lists_outside_what_is_allowed_are_brought_inside() -> None:
    found = converted(
        window_of(KITTEN),
        events=[event(quote="I adopted a kitten", kind="happening", confidence=7)],
        facts=[
            fact(
                quote="I adopted a kitten", polarity="maybe", type="thing", property="pet_count", value=1, confidence=-1
            )
        ],
    )
    assert (found.events[0].kind, found.events[0].confidence) == ("event", 1.0)
    assert (found.facts[0].polarity, found.facts[0].value_type, found.facts[0].value, found.facts[0].confidence) == (
        "holds",
        "string",
        "1",
        0.0,
    )
