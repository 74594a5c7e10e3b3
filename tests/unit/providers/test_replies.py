"""Reading raw replies: what is mended, what is told apart, and that nothing unreadable is taken for an empty result."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from graphmem.providers.chat import Fault
from graphmem.providers.replies import Readable, Unreadable, read_reply, without_thoughts


class Fact(BaseModel):
    subject: str
    count: int = 0


class Found(BaseModel):
    """All fields have defaults: the shape for which an echoed schema would pass as "nothing found"."""

    facts: list[Fact] = []
    note: str = ""


GOOD = '{"facts": [{"subject": "Ana", "count": 2}], "note": ""}'
EXPECTED = Found(facts=[Fact(subject="Ana", count=2)])


@pytest.mark.parametrize(
    ("raw", "mended"),
    [
        (GOOD, ()),
        ("\ufeff  \n" + GOOD + "\n", ()),
        ('<think>maybe {} or {"facts": []}</think>\n' + GOOD, ("preamble",)),
        ("<think>one</think><think>two</think>" + GOOD, ("preamble",)),
        ("first I look, then I answer</think>\n" + GOOD, ("preamble",)),
        ("<thinking>\n" + GOOD, ("preamble",)),
        ("```json\n" + GOOD + "\n```", ("fenced",)),
        ("```\n" + GOOD + "\n```\n", ("fenced",)),
        ("<think>x</think>\n```json\n" + GOOD + "\n```", ("preamble", "fenced")),
        ("As {x} and {} say:\n" + GOOD + "\nI hope this helps.", ("preamble",)),
        (GOOD + "\n" + GOOD, ("preamble",)),
        (GOOD.replace("2}", "2,}").replace('""}', '"",\n}'), ("not_json",)),
    ],
)
def test_what_takes_no_guess_is_mended_and_counted(raw: str, mended: tuple[Fault, ...]) -> None:
    assert read_reply(raw, Found) == Readable(EXPECTED, mended)


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (r'{"note": "C:\data\new \_ok\_ \u12"}', "C:\\data\new \\_ok\\_ \\u12"),
        ('{"note": "two\nlines\tand a tab"}', "two\nlines\tand a tab"),
        (r'{"note": "half a pair \ud83d here"}', "half a pair \ufffd here"),
        (r'{"note": "a\d, }",}', "a\\d, }"),
    ],
)
def test_broken_escapes_are_mended_without_losing_text(raw: str, text: str) -> None:
    outcome = read_reply(raw, Found)
    assert isinstance(outcome, Readable)
    assert outcome.reply.note == text
    assert "broken_escape" in outcome.mended


@pytest.mark.parametrize(
    ("raw", "finish", "fault", "said"),
    [
        ("", "stop", "empty", "empty"),
        (None, None, "empty", "empty"),
        ("", "length", "cut_off", "first character"),
        ("   ", "content_filter", "refused", "declined"),
        (json.dumps(Found.model_json_schema()), "stop", "echoed_schema", "schema itself"),
        (json.dumps({"type": "object", "properties": {"facts": []}}), "stop", "echoed_schema", "schema itself"),
        (GOOD[:-20], "stop", "cut_off", "ends inside"),
        (GOOD[:-20], "length", "cut_off", "ends inside"),
        ("Let me see what there is", "length", "cut_off", "before its JSON object"),
        ("<think>a draft: " + GOOD, "length", "cut_off", "before its JSON object"),
        ('{"note": "a draft"}\nand now really: ' + GOOD[:-5], "stop", "cut_off", "ends inside"),
        ("I found nothing.", "stop", "not_json", "I found nothing."),
        ("{'facts': []}", "stop", "not_json", "no JSON object"),
        ('{"facts": [{"subject" "Ana"}]}', "stop", "not_json", "column"),
        ('{"facts": [{"subject": "Ana", "count": NaN}]}', "stop", "not_json", "NaN"),
        ('{"facts": []} or {"facts": [], "note": "x"}', "stop", "not_json", "2 different"),
        ("[]", "stop", "not_json", "no JSON object"),
        ("{}", "stop", "wrong_shape", "none of the fields facts, note"),
        ('{"result": ' + GOOD + "}", "stop", "wrong_shape", "it has result"),
        ('{"error": "overloaded"}', "stop", "wrong_shape", "it has error"),
        ('{"facts": [{"count": "many"}]}', "stop", "wrong_shape", "facts.0.subject: Field required; facts.0.count"),
    ],
)
def test_what_cannot_be_read_is_told_apart(raw: str | None, finish: str | None, fault: Fault, said: str) -> None:
    outcome = read_reply(raw, Found, finish=finish)
    assert isinstance(outcome, Unreadable)
    assert outcome.fault == fault
    assert said in outcome.why


def test_a_refusal_beside_an_empty_message_is_a_refusal() -> None:
    assert read_reply(None, Found, refusal="I can't help with that").__class__ is Unreadable
    assert read_reply(GOOD, Found, refusal="I can't help with that") == Unreadable(
        "refused", "The model declined: I can't help with that"
    )


def test_a_whole_object_counts_although_the_length_limit_was_reached() -> None:
    assert read_reply(GOOD + "   ", Found, finish="length") == Readable(EXPECTED)


def test_a_reply_about_schemas_is_no_echo_when_the_model_has_such_a_field() -> None:
    class Described(BaseModel):
        properties: dict[str, str]
        title: str

    raw = '{"properties": {"a": "b"}, "title": "t"}'
    assert isinstance(read_reply(raw, Described), Readable)


def test_fields_are_known_by_their_aliases_too() -> None:
    class Named(BaseModel):
        name: str = Field(default="", alias="fullName")

    outcome = read_reply('{"fullName": "Ana"}', Named)
    assert isinstance(outcome, Readable)
    assert outcome.reply.name == "Ana"


def test_many_errors_are_summarised_in_a_short_text() -> None:
    raw = json.dumps({"facts": [{"subject": 1, "count": "x" * 500}] * 40})
    outcome = read_reply(raw, Found)
    assert isinstance(outcome, Unreadable)
    assert outcome.why.endswith("and 75 more")
    assert len(outcome.why) < 1000


@given(st.text(max_size=200), st.sampled_from(["stop", "length", None]))
def test_no_text_makes_it_fail_or_give_an_empty_result(raw: str, finish: str | None) -> None:
    outcome = read_reply(raw, Found, finish=finish)
    assert isinstance(outcome, Unreadable) or "facts" in raw or "note" in raw


@given(st.text(), st.text())
def test_any_json_that_a_service_writes_comes_back_word_for_word(subject: str, note: str) -> None:
    storable = [text.encode("utf-8", "replace").decode("utf-8") for text in (subject, note)]
    found = Found(facts=[Fact(subject=storable[0])], note=storable[1])
    for raw in (
        found.model_dump_json(),
        json.dumps(found.model_dump()),
        "```json\n" + found.model_dump_json() + "\n```",
    ):
        outcome = read_reply(raw, Found)
        assert isinstance(outcome, Readable)
        assert outcome.reply == found


@given(st.data())
def test_a_reply_cut_anywhere_is_never_taken_for_a_whole_one(data: st.DataObject) -> None:
    text = data.draw(st.text(max_size=30)).encode("utf-8", "replace").decode()
    whole = Found(facts=[Fact(subject="Ana")] * 2, note=text).model_dump_json()
    at = data.draw(st.integers(0, len(whole) - 1))
    assert isinstance(read_reply(whole[:at], Found, finish="length"), Unreadable)


def test_a_step_loses_its_thoughts_only() -> None:
    assert without_thoughts("<think>hm</think> I will look.") == ("I will look.", True)
    assert without_thoughts("I will look.") == ("I will look.", False)
    assert without_thoughts("<think>I never end") == ("", True)
