"""What of a model's answer may be believed: only words that a tool returned, that stand where they are said to, and say what is claimed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem.answer.agent.answering import AnswerArguments, Checked, check, conclude
from graphmem.answer.agent.plan import by_rules
from graphmem.answer.agent.quoting import place
from graphmem.answer.agent.sources import Sources
from graphmem.answer.plan import plan as rule_plan
from graphmem.graph.read_changes import Conflict
from graphmem.records import Answer, Interval
from tests.unit.agent.builders import SAID, a_fact, a_quotation, a_turn

QUESTION = "Where does Mara live?"
UNTIL = datetime(2024, 1, 1, tzinfo=UTC)
TEXT = "Hi! I moved to Oslo on 15 May. The harbour in Bergen was too quiet."


@pytest.fixture
def sources() -> Sources:
    known = Sources()
    known.turn(a_turn(TEXT))
    known.quotation(a_quotation("I moved to Oslo on 15 May", start=4))
    known.turn(a_turn("I adopted a dog called Biscuit.", 2))
    known.entity("a" * 32)
    return known


def answered(
    sources: Sources, answer: str, *citations: tuple[str, str], question: str = QUESTION, **fields: Any
) -> Checked:
    cited = [{"source": source, "quote": quote} for source, quote in citations]
    given = {"found": True, "answer": answer, "citations": cited, **fields}
    return check(AnswerArguments.model_validate(given), sources, question, UNTIL)


def concluded(checked: Checked, sources: Sources, question: str = QUESTION) -> Answer:
    made = by_rules(rule_plan(question, UNTIL), None, ())
    return conclude(checked, sources, made, question, ("search(home)",), UTC, {})


def test_a_citation_becomes_the_exact_words_with_their_place_in_the_turn(sources: Sources) -> None:
    checked = answered(sources, "Oslo", ("t1", "i moved  to oslo"))
    (citation,) = checked.citations
    assert checked.supported
    assert (citation.quote, citation.start, citation.end) == ("I moved to Oslo", 4, 19)
    assert TEXT[citation.start : citation.end] == citation.quote


def test_a_part_of_a_quotation_keeps_its_place_in_the_turn_and_its_evidence(sources: Sources) -> None:
    (citation,) = answered(sources, "Oslo", ("q1", "Oslo on 15 May")).citations
    assert TEXT[citation.start : citation.end] == citation.quote == "Oslo on 15 May"
    assert citation.evidence_id == "e1"


def test_a_source_that_no_tool_returned_is_refused(sources: Sources) -> None:
    checked = answered(sources, "Oslo", ("t9", "I moved to Oslo on 15 May"))
    assert not checked.citations
    assert "t9" in checked.problems[0]


def test_words_that_do_not_stand_in_the_source_are_refused(sources: Sources) -> None:
    checked = answered(sources, "Oslo", ("t1", "I have lived in Oslo all my life"))
    assert not checked.citations
    assert "does not stand in" in checked.problems[0]


def test_right_words_under_a_wrong_handle_are_cited_where_they_stand(sources: Sources) -> None:
    (citation,) = answered(sources, "Oslo", ("t2", "I moved to Oslo on 15 May")).citations
    assert citation.turn_id == "s1:1"


def test_a_quotation_that_has_nothing_to_do_with_the_claim_is_refused(sources: Sources) -> None:
    checked = answered(sources, "Oslo", ("t2", "I adopted a dog called Biscuit"))
    assert not checked.citations
    assert any("does not mention" in problem for problem in checked.problems)


def test_a_name_that_no_quotation_holds_leaves_the_answer_without_citations(sources: Sources) -> None:
    checked = answered(sources, "Atlantis", ("t1", "I moved to Oslo on 15 May"))
    assert not checked.citations
    assert any("Atlantis" in problem for problem in checked.problems)
    answer = concluded(checked, sources)
    assert not answer.found
    assert answer.details["unsupported"] == "Atlantis"
    assert "search(home)" in answer.text


def test_each_name_of_an_answer_must_be_quoted_but_the_word_that_opens_it_may_be_no_name(sources: Sources) -> None:
    assert answered(sources, "First Bergen, then Oslo", ("t1", "harbour in Bergen"), ("q1", "moved to Oslo")).supported
    checked = answered(sources, "Bergen and Oslo", ("q1", "moved to Oslo"), question="Where has she lived?")
    assert not answered(sources, "Now Oslo, before that Bergen", ("q1", "moved to Oslo")).supported
    assert checked.citations


def test_a_name_may_be_in_the_fact_that_was_read_in_the_words(sources: Sources) -> None:
    words = a_quotation("I work there now", 3)
    sources.turn(a_turn("I work there now", 3))
    sources.fact(a_fact("Ponte Azul", words, property="works_at"))
    assert answered(sources, "Ponte Azul", ("t3", "I work there now"), question="Where does Mara work?").supported


@pytest.mark.parametrize("answer", ["Yes", "2", "15 May 2023", "About two months", "She moved there"])
def test_what_is_worked_out_need_not_stand_in_the_words(sources: Sources, answer: str) -> None:
    assert answered(
        sources, answer, ("t1", "I moved to Oslo on 15 May"), question="When did Mara move to Oslo?"
    ).supported


def test_an_answer_in_another_script_is_compared_by_pairs_of_characters() -> None:
    sources = Sources()
    sources.turn(a_turn("我五月搬到了奥斯陆。"))
    sources.turn(a_turn("今天天气很好。", 2))
    assert answered(sources, "奥斯陆", ("t1", "搬到了奥斯陆"), question="她住在哪里？").supported
    assert not answered(sources, "奥斯陆", ("t2", "今天天气"), question="她住在哪里？").citations


def test_no_citation_at_all_is_a_problem_and_becomes_an_abstention(sources: Sources) -> None:
    checked = answered(sources, "Oslo")
    assert not checked.supported
    answer = concluded(checked, sources)
    assert (answer.found, answer.citations) == (False, ())
    assert answer.text.startswith("The memory does not say: Where does Mara live?")


def test_one_bad_citation_is_dropped_and_flagged_and_the_sound_one_stays(sources: Sources) -> None:
    checked = answered(sources, "Oslo", ("t1", "I moved to Oslo"), ("t7", "Oslo is home"))
    answer = concluded(checked, sources)
    assert answer.found
    assert [each.turn_id for each in answer.citations] == ["s1:1"]
    assert len(answer.details["flags"]) == 1


def test_words_said_after_the_time_asked_do_not_count(sources: Sources) -> None:
    sources.turn(a_turn("I moved to Oslo again", 5, said_at=UNTIL + timedelta(days=1)))
    checked = answered(sources, "Oslo", ("t3", "I moved to Oslo again"))
    assert not checked.citations
    assert "after the time" in checked.problems[0]


def test_an_entity_carries_no_words_to_cite(sources: Sources) -> None:
    assert "carries no words" in answered(sources, "Oslo", ("n1", "Mara")).problems[0]


def test_a_source_cited_without_words_gets_the_sentence_that_says_it(sources: Sources) -> None:
    (citation,) = answered(sources, "Oslo", ("t1", "")).citations
    assert citation.quote == TEXT
    sources.turn(a_turn("Filler. " * 60 + "I moved to Oslo. " + "More filler. " * 30, 8))
    (citation,) = answered(sources, "Oslo", ("t3", "")).citations
    assert citation.quote == "I moved to Oslo."


def test_facts_used_bring_their_interval_and_their_conflicts(sources: Sources) -> None:
    won = a_fact("Oslo", a_quotation("I moved to Oslo on 15 May", start=4))
    lost = a_fact("Tromsø", a_quotation("She moved to Tromsø", 6, "Idris"))
    sources.fact(won)
    sources.conflict(Conflict(won, lost, Interval(SAID, None), "later statement"))
    answer = concluded(answered(sources, "Oslo", ("t1", "I moved to Oslo"), facts=["f1"]), sources)
    assert answer.facts == (won,)
    assert answer.time == won.valid
    assert "“Tromsø”, said by Idris on 20 May 2023; “Oslo” counts (because: later statement)" in answer.text


def test_a_fact_that_no_tool_returned_is_flagged_and_left_out(sources: Sources) -> None:
    checked = answered(sources, "Oslo", ("t1", "I moved to Oslo"), facts=["f3"])
    assert "f3" in checked.problems[0]
    assert concluded(checked, sources).facts == ()


def test_a_time_that_cannot_be_read_is_flagged_and_the_answer_stands(sources: Sources) -> None:
    answer = concluded(answered(sources, "Oslo", ("t1", "I moved to Oslo"), start="since spring"), sources)
    assert answer.found
    assert answer.time is None
    assert "since spring" in answer.details["flags"][0]


def test_a_stated_time_is_in_the_askers_zone(sources: Sources) -> None:
    answer = concluded(answered(sources, "Oslo", ("t1", "I moved to Oslo"), start="2023-05-15"), sources)
    assert answer.time == Interval(datetime(2023, 5, 15, tzinfo=UTC), None, "day", True, False)


def test_not_found_says_what_is_missing(sources: Sources) -> None:
    checked = check(AnswerArguments(found=False, answer="Nobody speaks of her shoes."), sources, QUESTION, UNTIL)
    answer = concluded(checked, sources)
    assert not answer.found
    assert "Nobody speaks of her shoes." in answer.text


@pytest.mark.parametrize(
    ("words", "text", "found"),
    [
        ("“I’m here”", "Well, I'm here now", "I'm here"),
        ("cafe", "at the Cafe\u0301 Azul", "Cafe\u0301"),
        ("Café", "at the Cafe\u0301 Azul", "Cafe\u0301"),
        ("left … in May", "We left Oslo in May.", "left Oslo in May"),
        ("straße", "in der STRASSE 5", "STRASSE"),
        ("a  b\nc", "x a b c y", "a b c"),
        ("", "anything", None),
        ("...", "anything", None),
        ("never said", "something else", None),
        ("He said “go”.", 'Then he said "go". Fine.', 'he said "go".'),
        ("He said go!", "He said go. Fine.", "He said go"),
    ],
)
def test_words_are_placed_whatever_the_quotation_marks_accents_and_spaces(
    words: str, text: str, found: str | None
) -> None:
    where = place(words, text)
    assert (None if where is None else text[where[0] : where[1]]) == found
