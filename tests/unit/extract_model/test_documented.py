"""The worked examples of docs/prompts.md are what the code does."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from graphmem.extract.with_model.convert import convert
from graphmem.extract.with_model.render import window_part
from graphmem.extract.with_model.reply import ExtractReply
from graphmem.records import FactDraft, Mention, Quote, Session, Turn, Window
from graphmem.resolve import Candidate, Group, Known, decide
from graphmem.resolve.events import Coreference, Telling
from graphmem.resolve.questions import KnownProperty, OpenMention, OpenProperty, Questions, show
from graphmem.resolve.reply import ResolveReply
from graphmem.resolve.with_model import judge

TEXT = (Path(__file__).parents[3] / "docs" / "prompts.md").read_text(encoding="utf-8")
EXTRACT, RESOLVE = re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)
ZONE = timezone(timedelta(hours=1))


def block(kind: str) -> str:
    """The documented block of this kind."""
    found = re.search(rf"```{kind}\n(.*?)\n```", TEXT, re.DOTALL)
    assert found is not None
    return found[1]


def window() -> Window:
    """The documented window."""
    turns = []
    for line in block("turns").splitlines():
        found = re.fullmatch(r"[(\[].*?(\d\d):(\d\d) (\w+): (.*?)\)?", line)
        assert found is not None
        said_at = datetime(2023, 5, 25, int(found[1]), int(found[2]), tzinfo=ZONE)
        turns.append(Turn(f"t{len(turns)}", "n", "s", f"s:{len(turns)}", len(turns), found[3], found[4], said_at))
    session = Session("s", "n", "s", "x", turns[0].said_at, tuple(turns))
    return Window("n", session, tuple(turns[:1]), tuple(turns[1:]), ("Ben", "Ana"))


def test_the_documented_turns_are_shown_as_documented() -> None:
    assert window_part(window()) == "Speakers: Ben, Ana\n" + block("turns")


def test_the_documented_reply_becomes_the_documented_graph() -> None:
    found = convert(ExtractReply.model_validate(json.loads(EXTRACT)), window(), "model", "x")
    counts = ("events_refused", "quotes_refused", "quotes_aligned", "times_differ")
    assert {name: found.usage[name] for name in counts} == dict.fromkeys(counts, 1)
    assert [(each.kind, each.verb, each.object) for each in found.events] == [
        ("event", "move to", "Porto"),
        ("utterance", "weight", "2.2 lb"),
        ("event", "adopt", "a kitten"),
    ]
    facts: dict[str, FactDraft] = {each.property: each for each in found.facts}
    starts = {name: fact.valid and fact.valid.start for name, fact in facts.items()}
    assert starts == {
        "lives_in": datetime(2023, 3, 1, tzinfo=ZONE),
        "has_pet": datetime(2023, 5, 19, tzinfo=ZONE),
        "weight": None,
    }
    assert facts["has_pet"].quote.text == "I adopted her last Friday"
    assert (facts["weight"].typed, facts["weight"].unit) == (pytest.approx(0.9979, abs=1e-4), "kg")
    assert {each.property: found.events[each.event].verb for each in found.facts if each.event is not None} == {
        "lives_in": "move to",
        "weight": "weight",
        "has_pet": "adopt",
    }


def test_the_documented_questions_and_decisions() -> None:
    liz = Known("e1", "Elizabeth Moore", "Person", ("Elizabeth Moore", "Beth"))
    lisbon = Known("e2", "Lisbon", "Place", ("Lisbon",))

    def mention(name: str, type_: str, sentence: str, *offered: tuple[Known, float]) -> OpenMention:
        group = Group(name, type_, None, None, (Mention(name, type_, Quote("t1", 0, len(name), name)),))
        candidates = tuple(Candidate(known, known.aliases[-1], score) for known, score in offered)
        return OpenMention(group, decide(group, {}, candidates, 0.95), candidates, sentence, "Ana, 2023-05-25")

    def telling(identifier: str, text: str) -> Telling:
        moment = datetime(2023, 5, 19, tzinfo=UTC)
        return Telling(identifier, identifier, "event", "adopt", "kitten", text, frozenset({"a"}), starts_at=moment)

    lives_in = KnownProperty("lives_in", "one", "string")
    tellings = telling("a", "Ana adopted a kitten from the shelter in Gaia."), telling("b", "Ana got a cat.")
    shelter = "I adopted her last Friday, from the shelter in Gaia."
    questions = Questions(
        (
            mention("Liz", "Person", "Liz called from the ward again.", (liz, 0.81), (lisbon, 0.78)),
            mention("the shelter", "Organization", shelter, (lisbon, 0.71)),
        ),
        (OpenProperty("resides", "string", "Ana – resides – Porto", (lives_in,)),),
        (Coreference(*tellings, "unsure", 0.5, "x"),),
        ("Person", "Organization", "Place"),
        {"e1": ("lives_in Leeds", "works_as nurse")},
    )
    shown = show(questions)
    assert shown.text == block("questions")
    found = judge(ResolveReply.model_validate(json.loads(RESOLVE)), questions, shown)
    assert [(each.resolved.decision, each.resolved.entity, each.name) for each in found.mentions] == [
        ("choose_existing", "e1", "Liz"),
        ("propose_new", None, "the shelter in Gaia"),
    ]
    assert found.properties["resides"].property == lives_in
    assert [each.reason for each in found.same_events] == ["one kitten, one day"]
    assert found.counts == {}
