"""``resolve`` and ``reextract`` as commands: the dialogue at a terminal, JSON, unknown identifiers, and a kill between two windows."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from graphmem.graph import read
from graphmem.graph.connection import Graph
from graphmem.graph.verify import verify
from graphmem.graph.write import read_head
from graphmem.providers.local_embedder import LocalEmbedder
from tests.end_to_end.command import graphmem
from tests.end_to_end.test_faults_ingestion import TOWNS, answer, environment, towns_talk
from tests.end_to_end.test_model_ingest import is_resolution, town_of, write
from tests.graph.shape import everything
from tests.graph.test_resolve import World
from tests.service import Received, Reply, Service, error

__all__ = ["environment"]


class Command:
    """Runs the command on one namespace."""

    def __init__(self, environment: dict[str, str], namespace: str) -> None:
        self._environment = environment
        self._namespace = namespace

    def line(self, *arguments: str) -> list[str]:
        """The command line."""
        return [sys.executable, "-m", "graphmem", *arguments, "-n", self._namespace]

    async def __call__(self, *arguments: str, typed: str | None = None) -> subprocess.CompletedProcess[str]:
        """What came of it; with ``typed``, in a process whose input is a terminal at which that is typed."""
        if typed is None:
            return await asyncio.to_thread(graphmem, self._environment, *arguments, "-n", self._namespace)
        return await asyncio.to_thread(self._at_a_terminal, arguments, typed)

    async def json(self, *arguments: str) -> Any:
        """What the command writes for a program."""
        done = await self(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def _at_a_terminal(self, arguments: tuple[str, ...], typed: str) -> subprocess.CompletedProcess[str]:
        kept: dict[str, Any] = {"env": self._environment, "capture_output": True, "text": True, "timeout": 120}
        ours, theirs = pty.openpty()
        try:
            os.write(ours, typed.encode())
            return subprocess.run(self.line(*arguments), stdin=theirs, check=False, **kept)
        finally:
            os.close(ours)
            os.close(theirs)


@pytest.fixture
def command(environment: dict[str, str], namespace: str) -> Command:
    """The command on the test's namespace."""
    return Command(environment, namespace)


@pytest.fixture
def world(graph: Graph, namespace: str, embedder: LocalEmbedder) -> World:
    """Writes into the test's own namespace."""
    return World(graph, namespace, embedder)


async def decisions(graph: Graph, namespace: str) -> list[str]:
    """The kinds of the decisions that were appended."""
    found = await everything(graph, namespace)
    return sorted(kind for kind, _ in found.values() if kind in ("SAME_AS", "DISTINCT_FROM"))


async def test_at_a_terminal_each_pair_is_asked_about(graph: Graph, world: World, command: Command) -> None:
    """What is skipped is asked again; yes and no are appended and are not. Nothing is asked where there is no terminal."""
    for name in ("Liz", "Elizabeth"):
        world.named(name)
    for name in ("RWT", "Riverside Wildlife Trust"):
        world.named(name, type_="Organization")
    await world.commit()
    shown = await command("resolve")
    assert shown.returncode == 0, shown.stderr
    assert "Elizabeth" in shown.stdout
    assert "one and the same?" not in shown.stdout
    skipped = await command("resolve", typed="skip\n\n")
    assert skipped.returncode == 0, skipped.stderr
    assert skipped.stdout.count("one and the same?") == 2
    assert await decisions(graph, world.namespace) == []
    assert len(await command.json("resolve")) == 2
    decided = await command("resolve", typed="y\nn\n")
    assert decided.returncode == 0, decided.stderr
    assert await decisions(graph, world.namespace) == ["DISTINCT_FROM", "SAME_AS"]
    assert "no two entities look like one" in (await command("resolve")).stdout


async def test_same_distinct_and_split_are_options(graph: Graph, world: World, command: Command) -> None:
    liz, elizabeth, alex = (world.named(name) for name in ("Liz", "Elizabeth", "Alex"))
    world.fact(alex, "works_at", "the bank", "2023-01-03")
    await world.commit()
    [fact] = (await read.facts(graph, world.namespace, [alex])).facts
    pairs = await command.json("resolve")
    assert {side["entity"]["id"] for pair in pairs for side in (pair["one"], pair["other"])} == {liz, elizabeth}
    same = await command("resolve", "--same", liz, elizabeth, "--because", "Liz is short.", "--by", "Ana")
    assert same.returncode == 0, same.stderr
    assert "are one" in same.stdout
    assert len((await read.entities(graph, world.namespace, ["Liz"]))[0].ids) == 2
    await command.json("resolve", "--distinct", liz, elizabeth)
    assert len((await read.entities(graph, world.namespace, ["Liz"]))[0].ids) == 1
    place = fact.evidence[0].evidence_id
    made = await command.json("resolve", "--split", alex, "--evidence", place, "--as", "Alex Reyes")
    assert len(made["restated"]) == 1
    [moved] = (await read.facts(graph, world.namespace, [made["entity"]])).facts
    assert moved.value == "the bank"
    assert (await verify(graph, world.namespace)).ok


@pytest.mark.parametrize("option", ["--same", "--distinct", "--split"])
async def test_an_unknown_identifier_is_one_message_and_exit_code_1(
    graph: Graph, world: World, command: Command, option: str
) -> None:
    liz = world.named("Liz")
    await world.commit()
    head = await read_head(graph, world.namespace)
    rest = ["nobody", "--turns", "s1:1", "--as", "Alex"] if option == "--split" else [liz, "nobody"]
    done = await command("resolve", option, *rest)
    assert done.returncode == 1
    assert "there is no entity 'nobody'" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert await read_head(graph, world.namespace) == head, "nothing was appended"


async def test_reextract_killed_between_windows_is_finished_by_the_next_run(
    graph: Graph, service: Service, environment: dict[str, str], command: Command, namespace: str, tmp_path: Path
) -> None:
    """kill -9, a run in which a window fails (exit code 1), and a third: each window is paid for once, and known_at has the old reading."""
    path = towns_talk(tmp_path, 12)
    rules = {name: value for name, value in environment.items() if not name.startswith("GRAPHMEM_CHAT")}
    first = await Command(rules, namespace)("ingest", str(path))
    assert first.returncode == 0, first.stderr
    began = await read_head(graph, namespace)
    assert began.created_at is not None
    old = {fact.id for fact in (await read.facts(graph, namespace)).facts}
    assert not service.requests

    def slow(request: Received) -> Reply:
        return Reply(answer(request).body, delay=0.1)

    service.script = slow
    process = subprocess.Popen(
        command.line("reextract", "--model"), env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    while (await read_head(graph, namespace)).sequence < began.sequence + 2:
        assert process.poll() is None, process.communicate()[1]
        await asyncio.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    done = await read_again(graph, namespace)
    assert 2 <= len(done) < 12
    asked = len(service.requests)
    expected = set(TOWNS[:12]) - done
    bad = min(expected)
    service.script = lambda request: error(400) if town_of(request) == bad else answer(request)
    failed = await command("reextract", "--model")
    assert {town_of(request) for request in service.requests[asked:]} == expected
    assert failed.returncode == 1
    assert f"session-{TOWNS.index(bad) + 1}" in failed.stderr
    asked = len(service.requests)
    service.script = answer
    mended = await command("reextract", "--model")
    assert mended.returncode == 0, mended.stderr
    assert {town_of(request) for request in service.requests[asked:]} == {bad}
    assert await read_again(graph, namespace) == set(TOWNS[:12])
    found = await everything(graph, namespace)
    assert sum(kind == "Extraction" for kind, _ in found.values()) == 24, "each window once by rules, once by the model"
    before = await read.facts(graph, namespace, known_at=began.created_at)
    assert {fact.id for fact in before.facts} == old
    assert (await verify(graph, namespace)).ok


async def read_again(graph: Graph, namespace: str) -> set[str]:
    """The towns of the turns that the model has read."""
    found = await everything(graph, namespace)
    texts = {key: each["text"] for key, (kind, each) in found.items() if kind == "Turn"}
    windows = [each["window"] for kind, each in found.values() if kind == "Extraction" and each["extractor"] == "model"]
    said = " ".join(texts[turn] for window in windows for turn in window)
    return {town for town in TOWNS if town in said}


async def test_those_decided_to_be_one_are_one_namesake_at_ingestion(
    graph: Graph, world: World, service: Service, command: Command, tmp_path: Path
) -> None:
    """Two places of one name that a person joined: a mention is settled without asking; once they are distinct again, it is open."""
    one, other = world.named("Porto", type_="Place", apart="1"), world.named("Porto", type_="Place", apart="2")
    await world.commit()
    asked: list[bool] = []
    service.script = answer
    for same in (True, False):
        await command.json("resolve", "--same" if same else "--distinct", one, other)
        at, path = len(service.requests), tmp_path / f"{same}"
        path.mkdir()
        turn = ("one" if same else "two", "Ana", "I moved to Porto last week.")
        done = await command("ingest", str(write(path, turn)))
        assert done.returncode == 0, done.stderr
        shown = [request.body["messages"][1]["content"] for request in service.requests[at:] if is_resolution(request)]
        asked.append(any("] Porto (Place" in text for text in shown))
    assert asked == [False, True]
