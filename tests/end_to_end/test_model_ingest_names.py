"""Names with a model that decides as scripted: what one is becomes one, what are two stay two, and each decision has its reason."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphmem import Settings
from graphmem.graph.connection import Graph
from graphmem.graph.queries import load
from tests.end_to_end.test_model_ingest import ingest, is_resolution, of, with_model, write
from tests.graph.shape import everything
from tests.service import Received, Reply, Service, says

__all__ = ["with_model"]

Decide = Callable[[str, dict[str, int]], dict[str, Any]]


def reading(named: dict[str, tuple[str, str]], decide: Decide) -> Callable[[Received], Reply]:
    """A service that finds the names of ``named`` (each with a type and what is said of it) and decides on each mention with ``decide``,
    which is given the mention and the numbers of the candidates by name."""

    def answer(request: Received) -> Reply:
        changing = request.body["messages"][1]["content"]
        if is_resolution(request):
            known = {name: int(number) for number, name in re.findall(r"^E(\d+) (.+?) \(", changing, re.M)}
            mentions = re.findall(r"^\[M(\d+)\] (.+?) \(", changing, re.M)
            return says({"mentions": [{"m": int(number)} | decide(name, known) for number, name in mentions]})
        turn = changing.rsplit("[1]", 1)[-1]
        names = [name for name in named if re.search(rf"\b{re.escape(name)}\b", turn)]
        listed = [{"name": name, "type": named[name][0], "about": named[name][1]} for name in names]
        text = turn.split(": ", 1)[1].strip()
        facts = [
            {"turn": 1, "quote": text, "subject": name, "property": "likes", "value": "long walks"} for name in names
        ]
        return says({"entities": listed, "facts": facts})

    return answer


def new(reason: str, **more: Any) -> dict[str, Any]:
    """A new entity."""
    return {"decision": "propose_new", "reason": reason} | more


def same(number: int, reason: str) -> dict[str, Any]:
    """One of the candidates."""
    return {"decision": "choose_existing", "entity": number, "confidence": 0.9, "reason": reason}


async def named(graph: Graph, namespace: str, name: str) -> set[str]:
    """The identifiers of the entities of this name."""
    rows = await graph.read(load("resolve/exact_aliases"), namespace=namespace, names=[name.casefold()])
    return {row["id"] for row in rows}


async def test_an_acronym_in_four_contexts_is_one_and_is_asked_about_once(
    graph: Graph, service: Service, with_model: Callable[..., Settings], namespace: str, tmp_path: Path
) -> None:
    name = "Riverside Wildlife Trust"
    service.script = reading(
        {name: ("Organization", ""), "RWT": ("Organization", "")},
        lambda mention, known: same(known[name], "its initials") if mention == "RWT" else new("not known yet"),
    )
    texts = [f"I joined the {name}.", "RWT sent me a badge.", "We met at RWT.", "RWT is moving.", "I left RWT today."]
    path = write(tmp_path, *((f"s{n}", "Ana", text) for n, text in enumerate(texts)))
    assert (await ingest(with_model(), path, namespace)).ok
    assert len(await named(graph, namespace, "RWT")) == 1
    assert await named(graph, namespace, "RWT") == await named(graph, namespace, name)
    assert sum(map(is_resolution, service.requests)) == 2
    decided = [each for each in of(await everything(graph, namespace), "Resolution") if each["mention"] == "RWT"]
    assert len(decided) == 4
    assert {each["decided_by"] for each in decided} == {"model", "rule"}
    assert "its initials" in {each["reason"] for each in decided}


async def test_a_nickname_is_the_same_person(
    graph: Graph, service: Service, with_model: Callable[..., Settings], namespace: str, tmp_path: Path
) -> None:
    service.script = reading(
        {"Elizabeth": ("Person", "Ana's aunt"), "Liz": ("Person", "")},
        lambda mention, known: same(known["Elizabeth"], "short for it") if mention == "Liz" else new("not known yet"),
    )
    path = write(tmp_path, ("s1", "Ana", "My aunt Elizabeth called."), ("s2", "Ana", "Liz is coming on Sunday."))
    assert (await ingest(with_model(), path, namespace)).ok
    assert len(await named(graph, namespace, "Liz")) == 1
    assert await named(graph, namespace, "Liz") == await named(graph, namespace, "Elizabeth")


@pytest.mark.parametrize("says_same", [False, True], ids=["the model says new", "the model says the same"])
async def test_two_people_of_one_name_stay_two(
    graph: Graph, service: Service, with_model: Callable[..., Settings], namespace: str, tmp_path: Path, says_same: bool
) -> None:
    about = {"brother": "Ana's brother", "colleague": "a colleague of Ana"}

    def answer(request: Received) -> Reply:
        word = next((word for word in about if word in request.body["messages"][1]["content"]), "brother")
        return reading(
            {"Alex": ("Person", about[word])},
            lambda name, known: same(known[name], "so called") if says_same and name in known else new("another"),
        )(request)

    service.script = answer
    path = write(tmp_path, ("s1", "Ana", "My brother Alex called."), ("s2", "Ana", "Alex, a colleague, is ill."))
    assert (await ingest(with_model(), path, namespace)).ok
    assert len(await named(graph, namespace, "Alex")) == 2


async def test_codes_that_differ_in_digits_stay_apart_even_if_the_model_says_that_they_are_one(
    graph: Graph, service: Service, with_model: Callable[..., Settings], namespace: str, tmp_path: Path
) -> None:
    codes = ["SR-2023-052", "SR-2023-053"]
    service.script = reading(
        dict.fromkeys(codes, ("Task", "")), lambda _, known: same(1, "alike") if known else new("not known yet")
    )
    path = write(tmp_path, *((f"s{n}", "Ana", f"{code} is still open.") for n, code in enumerate(codes)))
    assert (await ingest(with_model(), path, namespace)).ok
    one, other = [await named(graph, namespace, code) for code in codes]
    assert len(one) == len(other) == 1
    assert one != other
    usages = [json.loads(each["usage"]) for each in of(await everything(graph, namespace), "Extraction")]
    assert sum(usage.get("choices_refused", 0) for usage in usages) == 1


async def test_a_mention_that_is_nothing_leaves_no_entity_and_its_decision_is_kept(
    graph: Graph, service: Service, with_model: Callable[..., Settings], namespace: str, tmp_path: Path
) -> None:
    def answer(request: Received) -> Reply:
        if is_resolution(request):
            return says({"mentions": [{"m": 1, "decision": "none", "reason": "a manner of speaking"}]})
        quote = "I saw heaven"
        event = {"turn": 1, "quote": quote, "subject": "Ana", "verb": "see", "object": "heaven", "summary": quote}
        parts = [{"name": "Ana", "role": "Agent"}, {"name": "heaven", "role": "Mentioned"}]
        return says(
            {
                "entities": [{"name": "heaven", "type": "Place"}],
                "events": [event | {"participants": parts, "place": "heaven"}],
            }
        )

    service.script = answer
    assert (await ingest(with_model(), write(tmp_path, ("s", "Ana", "I saw heaven today.")), namespace)).ok
    found = await everything(graph, namespace)
    assert [each["name"] for each in of(found, "Entity")] == ["Ana"]
    assert len(of(found, "Event")) == 1
    assert ("none", "a manner of speaking") in {(each["decision"], each["reason"]) for each in of(found, "Resolution")}


async def test_a_new_property_that_is_one_there_is_becomes_that_one_with_its_type(
    graph: Graph, service: Service, with_model: Callable[..., Settings], namespace: str, tmp_path: Path
) -> None:
    def answer(request: Received) -> Reply:
        if is_resolution(request):
            return says({"new_properties": [{"p": 1, "name": "lives_in", "cardinality": "many"}]})
        fact = {"turn": 1, "quote": "I reside in Porto", "subject": "Ana", "property": "resides", "value": "Porto"}
        return says({"facts": [fact]})

    service.script = answer
    assert (await ingest(with_model(), write(tmp_path, ("s", "Ana", "I reside in Porto.")), namespace)).ok
    found = await everything(graph, namespace)
    assert [(each["property"], each["cardinality"]) for each in of(found, "Fact")] == [("lives_in", "one")]
    assert [each["name"] for each in of(found, "Property")] == ["lives_in"]
    assert ("resides", "choose_existing", "model") in {
        (each["mention"], each["decision"], each["decided_by"]) for each in of(found, "Resolution")
    }


async def test_an_event_told_again_is_joined_by_the_model_where_rules_are_unsure(
    graph: Graph, service: Service, with_model: Callable[..., Settings], namespace: str, tmp_path: Path
) -> None:
    def answer(request: Received) -> Reply:
        if is_resolution(request):
            return says({"events": [{"t": 1, "same": True, "confidence": 0.9, "reason": "one kitten"}]})
        quote = "I adopted a kitten"
        event = {
            "turn": 1,
            "quote": quote,
            "subject": "Ana",
            "verb": "adopt",
            "object": "a kitten",
            "summary": "Ana adopted a kitten.",
        }
        return says({"events": [event | {"participants": [{"name": "Ana", "role": "Agent"}]}]})

    service.script = answer
    path = write(tmp_path, ("s1", "Ana", "I adopted a kitten!"), ("s2", "Ana", "As I said, I adopted a kitten."))
    assert (await ingest(with_model(), path, namespace)).ok
    [joined] = of(await everything(graph, namespace), "SAME_AS")
    assert (joined["decided_by"], joined["reason"]) == ("model", "one kitten")
    assert joined["decided_at"].startswith("2023-05-02T10:00"), "dated by the later telling"


async def test_a_description_is_offered_what_was_last_spoken_of_though_no_name_is_near(
    graph: Graph, service: Service, with_model: Callable[..., Settings], namespace: str, tmp_path: Path
) -> None:
    """Nine places have names nearer to the words than the restaurant's own; it was spoken of last."""
    near = [f"Restaurant {word}" for word in "Aldo Bruno Carla Dante Elio Fabio Gino Hugo Ivo".split()]
    words = "the restaurant from last time"
    names = dict.fromkeys([*near, "Quo Vadis", words], ("Place", ""))
    service.script = reading(
        names,
        lambda mention, known: same(known["Quo Vadis"], "spoken of last") if mention == words else new("not known yet"),
    )
    texts = [*(f"We ate at {name}." for name in near), "Quo Vadis was full.", f"We went to {words} again."]
    path = write(tmp_path, *((f"s{n:02}", "Ana", text) for n, text in enumerate(texts)))
    assert (await ingest(with_model(), path, namespace)).ok
    assert await named(graph, namespace, words) == await named(graph, namespace, "Quo Vadis")
