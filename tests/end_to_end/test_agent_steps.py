"""The steps of an answer with a model as a person sees them: shown as they come, kept in the JSON, saved and replayed without a model."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graphmem.answer.agent import load_trace, replay, save
from tests.conftest import TestServer
from tests.end_to_end.agent_fixture import world
from tests.end_to_end.agent_world import World, answers, plan, scripted
from tests.end_to_end.command import environment_of
from tests.service import calls_tools

__all__ = ["world"]
PROMPTS = Path(__file__).parents[2] / "docs" / "prompts.md"
ASK = ("ask", "Where does Mara live?", "--asked-at", "2023-12-01T09:00:00+00:00", "--said-by", "2023-04-01")


def run(server: TestServer, world: World, *arguments: object, model: bool = True) -> subprocess.CompletedProcess[str]:
    """Runs a command on the world's namespace, with the scripted model or without one."""
    environment = environment_of(server) | {
        "GRAPHMEM_NAMESPACE": world.namespace,
        "GRAPHMEM_EXTRACTOR": "rules",
    }
    if model:
        environment |= {
            "GRAPHMEM_CHAT_MODEL": "scripted",
            "GRAPHMEM_CHAT_URL": world.service.base_url,
            "GRAPHMEM_CHAT_KEY": "none",
        }
        calls = calls_tools(("entity_lookup", {"name": "Mara", "properties": ["lives_in"]}))
        world.service.script = scripted([], plan(), calls, answers("Bergen", "I live in Bergen now"))
    command = [sys.executable, "-m", "graphmem", *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)


def test_steps_are_shown_beside_the_answer(neo4j_server: TestServer, world: World) -> None:
    done = run(neo4j_server, world, *ASK, "--steps")
    assert done.returncode == 0, done.stderr
    assert "Find what the question names" in done.stderr
    assert "1. entity_lookup" in done.stderr
    assert " rows, " in done.stderr
    assert done.stdout.startswith("Bergen")
    assert "Mara lives in Bergen  by 2023-01-10 → " in done.stdout
    assert "entity_lookup" not in done.stdout


async def test_json_keeps_the_trace_and_a_saved_one_is_replayed_without_a_model(
    neo4j_server: TestServer, world: World, tmp_path: Path
) -> None:
    saved = tmp_path / "trace.json"
    done = run(neo4j_server, world, *ASK, "--json", "--save-trace", saved)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    answer = json.loads(done.stdout)
    assert [each["kind"] for each in answer["details"]["trace"]["entries"]] == [
        "planned", "seeded", "replied", "observed", "replied", "concluded",
    ]  # fmt: skip
    assert answer["details"]["coverage"]["turns"] == 12
    again, drifted = await replay(world.graph, world.embedder, load_trace(saved))
    assert again.text == answer["text"]
    assert drifted == ()


async def test_the_documented_replay_says_what_was_done_and_whether_it_would_be_done_again(
    neo4j_server: TestServer,
    world: World,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    calls = calls_tools(("entity_lookup", {"name": "Mara", "properties": ["lives_in"]}))
    answer = await world.ask("Where does Mara live?", plan(), calls, answers("Tromsø", "Mara moved to Tromsø"))
    trace = answer.details["trace"]
    save(trace, tmp_path / "trace.json")
    changed = replace(trace, question="Where does Mara live now?")
    save(changed, tmp_path / "changed.json")
    [code] = re.findall(r"```python\n(.*?)```", PROMPTS.read_text(encoding="utf-8"), re.DOTALL)
    documented: dict[str, Any] = {}
    exec(code, documented)
    for name in ("uri", "user", "password"):
        monkeypatch.setenv(f"GRAPHMEM_NEO4J_{name.upper()}", getattr(neo4j_server, name))
    await documented["again"](str(tmp_path / "trace.json"))
    shown = capsys.readouterr().out
    assert shown.startswith("1 rounds: entity_lookup\n")
    assert answer.text in shown
    assert shown.endswith("as it was\n")
    await documented["again"](str(tmp_path / "changed.json"))
    assert capsys.readouterr().out.endswith("the model would now be sent something else at step 0\n")


def test_a_person_sees_the_rows_and_which_arrow_was_turned(neo4j_server: TestServer, world: World) -> None:
    query = "MATCH (f:Fact {property: 'has_pet'})-[:HAS_FACT]->(e:Entity {name: 'Mara'}) RETURN f.value AS pet"
    done = run(neo4j_server, world, "cypher", query, model=False)
    assert done.returncode == 0, done.stderr
    assert "Biscuit" in done.stdout
    assert "An arrow was turned (line 1, column 37): it is (:Entity)-[:HAS_FACT]->(:Fact)." in done.stderr


def test_without_a_model_the_plan_of_the_rules_is_the_step_and_there_is_no_trace(
    neo4j_server: TestServer, world: World, tmp_path: Path
) -> None:
    done = run(neo4j_server, world, *ASK, "--steps", model=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("plan:\n  - ")
    refused = run(neo4j_server, world, *ASK, "--save-trace", tmp_path / "no.json", model=False)
    assert refused.returncode == 1
    assert "without a chat model there is no trace" in refused.stderr
