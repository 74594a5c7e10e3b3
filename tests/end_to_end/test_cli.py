"""The command line as a person and a program meet it: every command documented, JSON that parses, one message and exit code 1 on errors."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from graphmem.cli import app
from tests.conftest import TestServer
from tests.end_to_end.command import environment_of, graphmem, graphmem_process

STORIES = Path(__file__).resolve().parent.parent / "stories"
COMMANDS = sorted(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


@pytest.fixture
def environment(neo4j_server: TestServer) -> dict[str, str]:
    """The environment of a command that is to use this run's server."""
    return environment_of(neo4j_server)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_what_it_does_and_shows_an_example(command: str) -> None:
    shown = CliRunner().invoke(app, [command, "--help"])
    assert shown.exit_code == 0
    assert f"Example: graphmem {command}" in shown.output


def test_the_readme_names_every_command() -> None:
    readme = (Path(__file__).resolve().parent.parent.parent / "README.md").read_text(encoding="utf-8")
    missing = [command for command in COMMANDS if f"{command}" not in readme]
    assert not missing


def test_a_story_is_ingested_asked_and_verified_in_json(environment: dict[str, str], namespace: str) -> None:
    done = graphmem_process(environment, "ingest", STORIES / "ana.jsonl", "-n", namespace, "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["ok"] is True
    assert report["report"]["namespaces"][0]["turns_new"] == 150
    asked = graphmem(environment, "ask", "Where did Ana live before Lisbon?", "-n", namespace, "--json")
    answer = json.loads(asked.stdout)
    assert asked.returncode == 0
    assert "Berlin" in answer["text"]
    assert answer["citations"][0]["quote"]
    found = graphmem(environment, "search-turns", "adopted a dog", "-n", namespace, "--json", "-k", "3")
    assert "s11:3" in [hit["turn_id"] for hit in json.loads(found.stdout)]
    everything = json.loads(graphmem(environment, "search", "Where does Ana work?", "-n", namespace, "--json").stdout)
    assert "Ana" in [hit["entity"]["name"] for hit in everything["entities"]]
    assert everything["turns"]
    context = graphmem(
        environment, "context", "What should I know before I call Ana?", "-n", namespace, "--budget", "300"
    )
    assert "Ana" in context.stdout
    matches = json.loads(graphmem(environment, "grep-turns", "BISCUIT", "-n", namespace, "--json").stdout)["matches"]
    assert "s11:3" in [match["turn"]["turn_id"] for match in matches]
    facts = graphmem(environment, "facts", "Ana", "lives_in", "--as-of", "2023-05-01", "-n", namespace, "--json")
    assert [fact["value"] for fact in json.loads(facts.stdout)["facts"]] == ["Berlin"]
    timeline = graphmem(environment, "timeline", "Ana", "--since", "2023-01-01", "-n", namespace, "--json")
    assert len(json.loads(timeline.stdout)) > 10
    query = "MATCH (t:Turn) RETURN count(t) AS turns"
    rows = graphmem(environment, "cypher", query, "-n", namespace, "--json")
    assert json.loads(rows.stdout)["rows"] == [{"turns": 150}]
    checked = graphmem(environment, "verify", "-n", namespace, "--json")
    assert checked.returncode == 0
    assert json.loads(checked.stdout)["ok"] is True
    listed = json.loads(graphmem(environment, "namespaces", "--json").stdout)
    assert [each["turns"] for each in listed if each["namespace"] == namespace] == [150]


def test_malformed_lines_are_named_the_rest_is_read_and_the_exit_code_is_1(
    environment: dict[str, str], namespace: str, tmp_path: Path
) -> None:
    path = tmp_path / "talk.jsonl"
    good = {"session": "a", "speaker": "Ana", "said_at": "2024-05-01T10:00:00+02:00", "text": "I live in Porto."}
    path.write_text(
        json.dumps(good) + "\n{not json\n" + json.dumps(good | {"said_at": "2024-02-30", "text": "x"}) + "\n"
    )
    done = graphmem(environment, "ingest", path, "-n", namespace, "--json")
    assert done.returncode == 1
    report = json.loads(done.stdout)["report"]
    assert report["namespaces"][0]["turns_new"] == 1
    assert [problem["where"].rpartition("/")[2] for problem in report["skipped"]] == ["talk.jsonl:2", "talk.jsonl:3"]
    shown = graphmem_process(environment, "ingest", path, "-n", namespace)
    assert shown.returncode == 1
    assert "talk.jsonl:2" in "".join(shown.stderr.split()), "wherever the line of a long path is broken"


def test_preview_shows_what_would_be_read_without_a_database(tmp_path: Path) -> None:
    nowhere = {"PATH": os.environ["PATH"], "GRAPHMEM_NEO4J_URI": "bolt://127.0.0.1:1", "HOME": str(tmp_path)}
    shown = graphmem_process(nowhere, "ingest", STORIES, "--preview", "--json", "-n", "x")
    assert shown.returncode == 0, shown.stderr
    assert sum(each["turns"] for each in json.loads(shown.stdout)["namespaces"]) == 351


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ingest", "/there/is/no/such/path"], "/there/is/no/such/path"),
        (["search", "x", "--since", "soon"], "since is 'soon'"),
        (["facts", "Nobody at all"], "Nobody at all"),
        (["ask", "  "], "question"),
        (["grep-turns", "(a+)+$", "-E"], "(a+)+$"),
        (["cypher", "MATCH (n) DETACH DELETE n"], "only read"),
        (["cypher", "MATCH (n RETURN n"], "line 1"),
        (["explain-time", "now", "--said-at", "once"], "--said-at is 'once'"),
        (["explain-time", "now", "--said-at", "2024-01-01", "--policy", "x=y"], "'x'"),
        (["browse", "--no-open"], "GRAPHMEM_NEO4J_URI"),
    ],
)
def test_an_error_is_one_message_and_exit_code_1(
    environment: dict[str, str], namespace: str, arguments: list[str], message: str
) -> None:
    rest = ["-n", namespace] if arguments[0] not in ("explain-time", "browse") else []
    done = graphmem(environment, *arguments, *rest)
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("error: ")
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"GRAPHMEM_NEO4J_URI": "bolt://127.0.0.1:1"}, "does not answer"),
        ({"GRAPHMEM_NEO4J_PASSWORD": "wrong"}, "refuses user"),
        ({"GRAPHMEM_NEO4J_URI": "nonsense"}, "Neo4j address"),
        ({"GRAPHMEM_ZONE": "Mars/Olympus"}, "names no time zone"),
        ({"GRAPHMEM_NO_SUCH_THING": "1"}, "no such setting"),
    ],
)
def test_a_wrong_setting_is_one_message_and_exit_code_1(
    environment: dict[str, str], changes: dict[str, str], message: str
) -> None:
    done = graphmem(environment | changes, "namespaces")
    assert done.returncode == 1
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
