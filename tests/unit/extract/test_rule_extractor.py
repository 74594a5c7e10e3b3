"""What holds of extraction by rules whatever the text: quotations, determinism, and that windows do not matter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmem.extract import Extractor, RuleExtractor, entity_types, properties
from graphmem.extract.with_rules.parse import LONGEST_TEXT, parse
from graphmem.records import Extracted, Quote
from tests.unit.extract.conftest import window_of

SENTENCES = [
    "I moved to Berlin last Thursday.",
    "Lost my job at Acme yesterday 😭",
    "My sister Clara works at Novacorp — she's 34.",
    "我昨天搬到了北京。",
    "مرحبا، كيف حالك؟",
    "I love cafe\u0301s and nai\u0308ve art.",
    "👩‍👩‍👧‍👦 We adopted a puppy named Bo!!!",
    "The serial number is L2-77410 :-)",
    "   \t Got a new dog, Bo.\n\nDid you see it?",
    "\u200bI'm planning to run a marathon in October\u200b",
    "See https://example.org/a?b=c and ring +351 912 345 678.",
]


def quotes_of(found: Extracted) -> Iterator[Quote]:
    for event in found.events:
        yield event.quote
        yield from (part.mention.quote for part in event.participants)
        if event.place is not None:
            yield event.place.quote
    for fact in found.facts:
        yield fact.quote
        yield fact.subject.quote
        if fact.value_mention is not None:
            yield fact.value_mention.quote
    yield from (mention.quote for mention in found.mentions)


texts = st.one_of(
    st.text(max_size=120),
    st.lists(st.sampled_from(SENTENCES) | st.text(max_size=20), min_size=1, max_size=5).map(" ".join),
    st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=4).map("".join),
)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts)
def test_each_quotation_stands_where_it_says_in_code_points(extractor, text):
    window = window_of(text)
    found = extractor.read(window)
    for quote in quotes_of(found):
        assert quote.turn_id == window.turns[0].id
        assert text[quote.start : quote.end] == quote.text
        assert quote.text.strip()
    assert all(fact.event is None or 0 <= fact.event < len(found.events) for fact in found.facts)
    assert {fact.property for fact in found.facts} <= properties().keys()
    assert {mention.type for mention in found.mentions} <= entity_types().keys()
    assert all(0.0 < statement.confidence <= 1.0 for statement in (*found.events, *found.facts))


def test_it_is_an_extractor(extractor):
    assert isinstance(extractor, Extractor)
    assert (extractor.name, extractor.read(window_of("Hi!")).extractor) == ("rules", "rules")


def test_what_a_turn_gives_does_not_depend_on_the_window_it_stands_in(extractor):
    together = extractor.read(window_of(*SENTENCES))
    events, facts, mentions = [], [], []
    whole = window_of(*SENTENCES)
    for turn in whole.turns:
        alone = extractor.read(replace(whole, context=whole.turns[: turn.position][-5:], turns=(turn,)))
        facts += [f if f.event is None else replace(f, event=f.event + len(events)) for f in alone.facts]
        events += alone.events
        mentions += alone.mentions
    assert (together.events, together.facts, together.mentions) == (tuple(events), tuple(facts), tuple(mentions))


def test_two_extractors_agree():
    window = window_of(*SENTENCES)
    assert RuleExtractor().read(window) == RuleExtractor().read(window)


def test_an_empty_window_gives_nothing(extractor):
    found = extractor.read(window_of())
    assert (found.events, found.facts, found.mentions) == ((), (), ())


@pytest.mark.parametrize(
    "text", ["Lost my job. Got a dog.", "  Finally visited Rome!\n\nWorking on a song.", "Been there 😀 Joined a club."]
)
def test_a_parse_with_missing_subjects_keeps_the_text(text):
    doc = parse(text)
    assert doc.text == text
    assert [text[token.idx : token.idx + len(token)] for token in doc] == [token.text for token in doc]


def test_the_tail_of_a_huge_turn_is_left_to_search(extractor):
    found = extractor.read(window_of("I moved to Rome. " + "la " * LONGEST_TEXT))
    assert [fact.value for fact in found.facts] == ["Rome"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Hey Ben! Wow, congrats! Thanks so much.", {"Ben"}),
        ("Awesome! Totally agree. Sounds good 😄", set()),
        ("I met Anna on Sunday in March.", {"Anna"}),
        ("The report SR-2023-052 is not SR-2023-053.", {"SR-2023-052", "SR-2023-053"}),
        ("Nature is great. Dancing helps.", set()),
    ],
)
def test_names_are_mentions_and_openers_dates_and_exclamations_are_not(read, text, names):
    assert {mention.name for mention in read(text).mentions} == names


def test_the_addressee_may_be_called_by_the_first_letters_of_the_name(read):
    (mention,) = read("Thanks, Mel!", speakers=("Ana", "Melanie")).mentions
    assert (mention.name, mention.speaker) == ("Melanie", "Melanie")


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("I moved to Oslo.", "Oslo", "Place"),
        ("I left Acme in May.", "Acme", "Organization"),
        ("My cat Pixel is asleep.", "Pixel", "Animal"),
        ("I have a cousin named Florence.", "Florence", "Person"),
        ("I speak Portuguese.", "Portuguese", "Language"),
        ("My favourite book is Dune.", "Dune", "CreativeWork"),
        ("I've opened ticket QM-48213.", "QM-48213", "Task"),
    ],
)
def test_a_name_has_the_type_that_its_sentence_tells(read, text, name, kind):
    assert (name, kind) in {(mention.name, mention.type) for mention in read(text).mentions}
