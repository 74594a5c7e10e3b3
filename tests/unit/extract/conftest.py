"""One turn, said by Ana to Ben unless told otherwise, on Thursday 25 May 2023."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from graphmem.extract import RuleExtractor
from graphmem.records import EventDraft, Extracted, FactDraft, Session, Turn, Window

SAID_AT = datetime(2023, 5, 25, 13, 14, tzinfo=UTC)

Reader = Callable[..., Extracted]


def window_of(
    *texts: str, speaker: str = "Ana", speakers: tuple[str, ...] = ("Ana", "Ben"), addressee: str | None = None
) -> Window:
    """A window of new turns, all by one speaker."""
    turns = tuple(
        Turn(f"t{n}", "test", "s1", f"s1:{n}", n, speaker, text, SAID_AT, addressee=addressee)
        for n, text in enumerate(texts)
    )
    return Window("test", Session("s1", "test", "s1", "test", SAID_AT, turns), (), turns, speakers)


@pytest.fixture(scope="session")
def extractor() -> RuleExtractor:
    return RuleExtractor()


@pytest.fixture
def read(extractor: RuleExtractor) -> Reader:
    """What the rules find in a text."""

    def _read(text: str, **kwargs: object) -> Extracted:
        return extractor.read(window_of(text, **kwargs))  # type: ignore[arg-type]

    return _read


@pytest.fixture
def events(read: Reader) -> Callable[..., tuple[EventDraft, ...]]:
    """The events of a text."""
    return lambda text, **kwargs: read(text, **kwargs).events


@pytest.fixture
def facts(read: Reader) -> Callable[..., list[tuple[str, str, str, str]]]:
    """The facts of a text as (subject, property, value, polarity)."""

    def _facts(text: str, **kwargs: object) -> list[tuple[str, str, str, str]]:
        return [(f.subject.name, f.property, f.value, f.polarity) for f in read(text, **kwargs).facts]

    return _facts


@pytest.fixture
def fact(read: Reader) -> Callable[..., FactDraft]:
    """The only fact of a text with this property."""

    def _fact(text: str, name: str, **kwargs: object) -> FactDraft:
        found = [f for f in read(text, **kwargs).facts if f.property == name]
        assert len(found) == 1, found
        return found[0]

    return _fact
