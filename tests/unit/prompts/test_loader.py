"""Prompt files are checked when they are loaded, and what they cost is bounded."""

from __future__ import annotations

import pytest

from graphmem.errors import ConfigurationError
from graphmem.prompts import load, names
from graphmem.prompts.loader import parse

GOOD = "---\npurpose: Greets.\nparameters: who\n---\nHello {{who}}!\n"
EXAMPLE = (
    '[[examples]]\ncase = "c"\nsaid_at = "2023-05-01T10:00+00:00"\nturns = [["A", "Hi."]]\nreply = \'{"facts":[]}\'\n'
)


def test_every_prompt_file_there_is_loads_under_its_name() -> None:
    assert {"extract.v1", "resolve.v1"} <= set(names())
    assert all(load(title).title == title for title in names())


def test_a_prompt_is_filled_in_at_its_parameters() -> None:
    prompt = parse("greet.v1", GOOD)
    assert (prompt.name, prompt.version, prompt.purpose) == ("greet", "v1", "Greets.")
    assert prompt.fill(who="{{you}} and $you") == "Hello {{you}} and $you!"


@pytest.mark.parametrize("given", [{}, {"who": "x", "why": "y"}])
def test_a_parameter_that_is_missing_or_unknown_is_an_error(given: dict[str, str]) -> None:
    with pytest.raises(ConfigurationError, match="who"):
        parse("greet.v1", GOOD).fill(**given)


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("greet.v1", "Hello {{who}}!"),
        ("greet", GOOD),
        ("greet.v1", GOOD.replace("parameters: who", "parameters: none")),
        ("greet.v1", GOOD.replace("parameters: who", "parameters: who, when")),
        ("greet.v1", GOOD.replace("purpose: Greets.\n", "")),
    ],
    ids=["no header", "no version", "undeclared", "unused", "no purpose"],
)
def test_a_malformed_file_is_named_in_the_error(title: str, text: str) -> None:
    with pytest.raises(ConfigurationError, match="greet"):
        parse(title, text)


def test_an_unknown_name_is_answered_with_those_there_are() -> None:
    with pytest.raises(ConfigurationError, match=r"extract\.v1"):
        load("extract.v0")


def test_examples_are_read_as_data() -> None:
    [example] = parse("greet.v1", GOOD, EXAMPLE).examples
    assert (example.case, example.turns, example.reply) == ("c", (("A", "Hi."),), {"facts": []})


@pytest.mark.parametrize("change", [("reply = '{", "reply = '"), ('case = "c"\n', ""), ("turns = [[", "turns = [")])
def test_a_malformed_example_is_told_by_its_number(change: tuple[str, str]) -> None:
    with pytest.raises(ConfigurationError, match="example 1"):
        parse("greet.v1", GOOD, EXAMPLE.replace(*change))


def test_the_digest_changes_with_the_text_and_with_the_examples() -> None:
    digests = {
        parse("greet.v1", GOOD).digest,
        parse("greet.v1", GOOD + "More.").digest,
        parse("greet.v1", GOOD, EXAMPLE).digest,
        parse("greet.v1", GOOD, EXAMPLE.replace("Hi.", "Ho.")).digest,
    }
    assert len(digests) == 4


@pytest.mark.parametrize(("title", "digest"), [("extract.v1", "8027c25d02258df5"), ("resolve.v1", "2826cd6e2a899788")])
def test_a_version_of_a_prompt_stays_as_it_is(title: str, digest: str) -> None:
    """What was read with a version is known by its name: a change of meaning is a new file, and only a slip of the pen may change this."""
    assert load(title).digest[:16] == digest
