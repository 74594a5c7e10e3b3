"""Ingestion with a model over a real socket into the real Neo4j: what becomes of replies good and bad, and what a second run repeats."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from graphmem import AsyncMemory, Settings
from graphmem.graph.connection import Graph
from graphmem.graph.verify import verify
from tests.graph.shape import everything, shape
from tests.service import Received, Reply, Service, error, says

BAD = "session-2"
"""The session that a failing service fails on."""


def write(folder: Path, *turns: tuple[str, str, str], name: str = "talk") -> Path:
    """A transcript: for each turn its session, its speaker and what is said, an hour apart."""
    path = folder / f"{name}.jsonl"
    lines = [
        {
            "session": session,
            "id": f"{session}:{number}",
            "speaker": speaker,
            "said_at": f"2023-05-{1 + number:02}T10:00:00+00:00",
            "text": text,
        }
        for number, (session, speaker, text) in enumerate(turns)
    ]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


def talk(folder: Path, sessions: int = 3) -> Path:
    """One turn a session: each moves to a town of its own, so that each window leaves that town open."""
    towns = ["Porto", "Leeds", "Graz", "Turin", "Oslo"]
    return write(
        folder, *((f"session-{n}", "Ana", f"I moved to {towns[n - 1]} last week.") for n in range(1, sessions + 1))
    )


def moved(town: str) -> dict[str, Any]:
    """The extraction of "I moved to … last week."."""
    quote = f"I moved to {town} last week"
    return {
        "entities": [{"name": town, "type": "Place"}],
        "events": [
            {
                "turn": 1, "quote": quote, "subject": "Ana", "verb": "move to", "object": town, "summary": f"Ana moved to {town}.",
                "participants": [{"name": "Ana", "role": "Agent"}], "place": town, "aliases": ["relocated"], "time": "last week",
            }
        ],
        "facts": [{"turn": 1, "quote": quote, "subject": "Ana", "property": "lives_in", "value": town, "event": 1}],
    }  # fmt: skip


def new_all(request: Received) -> Reply:
    """Every mention of a resolution is somebody or something new, every property new, no event told twice."""
    numbers = re.findall(r"^\[M(\d+)\]", request.body["messages"][-1]["content"], re.M)
    return says({"mentions": [{"m": int(n), "decision": "propose_new", "reason": "not known yet"} for n in numbers]})


def is_resolution(request: Received) -> bool:
    """Whether a request asks to resolve, not to extract."""
    changing = request.body["messages"][1]["content"]
    return changing.startswith(("Known entities", "Mentions", "New properties", "Told twice?"))


def town_of(request: Received) -> str:
    """The town of the turn that a request is about."""
    found = re.search(r"moved to (\w+)", request.body["messages"][1]["content"])
    assert found is not None
    return found[1]


def answer(request: Received) -> Reply:
    """What a good service answers on ``talk``."""
    return new_all(request) if is_resolution(request) else says(moved(town_of(request)))


@pytest.fixture
def with_model(settings: Settings, service: Service) -> Callable[..., Settings]:
    """Settings for a memory that reads with the service's model."""

    def make(**more: Any) -> Settings:
        return settings.with_changes(chat_model="scripted", chat_url=service.base_url, chat_key="none", **more)

    return make


async def ingest(settings: Settings, path: Path, namespace: str) -> Any:
    """Ingests a file with a memory of its own, as a run of the command does."""
    async with AsyncMemory.open(settings=settings, namespace=namespace) as memory:
        return await memory.ingest(path)


def of(found: Mapping[str, tuple[str, dict[str, Any]]], label: str) -> list[dict[str, Any]]:
    """The nodes or relationships of a label or type."""
    return [properties for kind, properties in found.values() if kind == label]


async def test_what_a_model_finds_becomes_entities_facts_events_and_evidence(
    graph: Graph, service: Service, with_model: Callable[..., Settings], namespace: str, tmp_path: Path
) -> None:
    service.script = answer
    report = await ingest(with_model(), talk(tmp_path, 1), namespace)
    assert report.ok
    found = await everything(graph, namespace)
    assert {(each["name"], each["type"]) for each in of(found, "Entity")} == {("Ana", "Person"), ("Porto", "Place")}
    [fact] = of(found, "Fact")
    assert (fact["property"], fact["value"], fact["cardinality"]) == ("lives_in", "Porto", "one")
    [event] = of(found, "Event")
    assert (event["verb"], event["object"], event["time_expression"]) == ("move to", "Porto", "last week")
    assert "I moved to Porto last week" in {each["quote"] for each in of(found, "Evidence")}
    assert {"PRODUCED", "ESTABLISHES", "VALUE", "AT", "INVOLVES", "SUPPORTED_BY"} <= {
        kind for kind, _ in found.values()
    }
    assert {(each["mention"], each["decided_by"]) for each in of(found, "Resolution")} == {
        ("Ana", "rule"),
        ("Porto", "model"),
    }
    [extraction] = of(found, "Extraction")
    assert (extraction["prompt"], extraction["model"]) == ("extract.v1", "scripted")
    assert (extraction["resolve_prompt"], extraction["resolve_model"]) == ("resolve.v1", "scripted")
    assert json.loads(extraction["usage"])["calls"] == 2
    assert (report.usage["calls"], report.usage["extract_calls"], report.usage["resolve_calls"]) == (2, 1, 1)
    assert report.usage["prompt_tokens"] == 200
    assert (await verify(graph, namespace)).ok


async def test_the_same_file_again_asks_nothing_and_adds_nothing(
    graph: Graph, service: Service, with_model: Callable[..., Settings], namespace: str, tmp_path: Path
) -> None:
    service.script = answer
    path = talk(tmp_path, 2)
    await ingest(with_model(), path, namespace)
    before, asked = await everything(graph, namespace), len(service.requests)
    report = await ingest(with_model(), path, namespace)
    assert report.ok
    assert len(service.requests) == asked
    assert await everything(graph, namespace) == before


@pytest.mark.parametrize("stage", ["extraction", "resolution"])
async def test_a_window_whose_reply_never_gets_right_is_reported_and_repaired_by_the_next_run(
    graph: Graph, service: Service, with_model: Callable[..., Settings], namespace: str, tmp_path: Path, stage: str
) -> None:
    def broken(request: Received) -> Reply:
        fails = town_of(request) == "Leeds" and is_resolution(request) == (stage == "resolution")
        return says("I would rather talk about something else.") if fails else answer(request)

    path = talk(tmp_path)
    service.script = broken
    report = await ingest(with_model(), path, namespace)
    assert not report.ok
    assert (report.total("windows_added"), report.total("windows_failed")) == (2, 1)
    assert BAD in report.failed[0].where
    assert len(of(await everything(graph, namespace), "Turn")) == 3, "its turns are stored all the same"
    assert len(of(await everything(graph, namespace), "Attempt")) == 1
    service.script, asked = answer, len(service.requests)
    again = await ingest(with_model(), path, namespace)
    assert again.ok
    assert [town_of(request) for request in service.requests[asked:]] == ["Leeds", "Leeds"], "no other is paid again"
    await ingest(with_model(), path, f"{namespace}-whole")
    late = frozenset(
        {"Extraction", "Resolution"}
    )  # the candidates that a window sees depend on what was there before it
    assert await shape(graph, namespace, late) == await shape(graph, f"{namespace}-whole", late)


@pytest.mark.parametrize(
    "fault",
    [error(429, headers={"retry-after": "0"}), error(500), Reply(b""), Reply(cut="inside", body={"choices": []})],
    ids=["429", "500", "empty body", "connection cut"],
)
async def test_a_fault_that_passes_leaves_no_trace_in_the_graph(
    graph: Graph,
    service: Service,
    with_model: Callable[..., Settings],
    namespace: str,
    tmp_path: Path,
    fault: Reply,
) -> None:
    service.script = answer
    path = talk(tmp_path, 1)
    service.faults.append(fault)
    report = await ingest(with_model(), path, namespace)
    assert report.ok
    assert len(service.requests) == 3, "one more than the two that are needed"
    assert len(of(await everything(graph, namespace), "Fact")) == 1


async def test_a_limit_on_calls_stops_cleanly_and_the_next_run_goes_on(
    graph: Graph, service: Service, with_model: Callable[..., Settings], namespace: str, tmp_path: Path
) -> None:
    service.script = answer
    path = talk(tmp_path, 4)
    stopped = await ingest(with_model(max_calls=5), path, namespace)
    assert not stopped.ok
    assert (stopped.total("windows_added"), stopped.usage["calls"]) == (2, 5)
    assert "the next run goes on" in stopped.failed[0].what
    assert not of(await everything(graph, namespace), "Attempt"), "a limit is no failure of the window"
    asked = len(service.requests)
    report = await ingest(with_model(), path, namespace)
    assert report.ok
    assert {town_of(request) for request in service.requests[asked:]} == {"Graz", "Turin"}
    await ingest(with_model(), path, f"{namespace}-whole")
    assert await shape(graph, namespace) == await shape(graph, f"{namespace}-whole")
