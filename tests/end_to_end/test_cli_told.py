"""What the command line says to a person beside the result, on standard error, and what it shows of raw values; programs get JSON."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from tests.conftest import TestServer
from tests.end_to_end.agent_world import refuses
from tests.end_to_end.command import environment_of, graphmem
from tests.service import Service, error

ROOT = Path(__file__).resolve().parent.parent.parent
FENCED = re.compile(r"^```\w*\n(.*?)^```", re.DOTALL | re.MULTILINE)
TURNS = (
    ("k1:1", "Ida", "I live in Malmö, and my brother Otto works as a carpenter."),
    ("k1:2", "Otto", "I moved to Lund on 3 April 2024."),
)


@pytest.fixture(scope="module")
def environment(neo4j_server: TestServer) -> dict[str, str]:
    """The environment of a command that is to use this run's server."""
    return environment_of(neo4j_server)


@pytest.fixture(scope="module")
def talk(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> str:
    """The namespace of what Ida and Otto said."""
    namespace = f"leftover-{uuid.uuid4().hex[:12]}"
    path = tmp_path_factory.mktemp("talk") / "talk.jsonl"
    turns = [
        {"session": "k1", "id": name, "speaker": speaker, "said_at": "2024-05-01T10:00:00+02:00", "text": text}
        for name, speaker, text in TURNS
    ]
    path.write_text("\n".join(map(json.dumps, turns)), encoding="utf-8")
    done = graphmem(environment, "ingest", path, "-n", namespace)
    assert done.returncode == 0, done.stderr
    return namespace


@pytest.fixture
def with_model(environment: dict[str, str], service: Service) -> dict[str, str]:
    """The environment of a command that asks the model of the service, which answers that the memory does not say."""
    service.script = lambda _: refuses("nothing was found")
    return environment | {
        "GRAPHMEM_CHAT_MODEL": "gpt-4o-mini",
        "GRAPHMEM_CHAT_URL": service.base_url,
        "GRAPHMEM_CHAT_KEY": "none",
        "GRAPHMEM_AGENT": "plan=none",
    }


@pytest.mark.parametrize(
    ("returned", "shown"),
    [
        ("e", r"Entity\(Otto, id [0-9a-f]{8}…\)"),
        ("r", "HAS_FACT"),
        ("f", r"Fact\(lives_in, Lund, id [0-9a-f]{8}…\)"),
        ("[e.name, f.value, 3]", "Otto, Lund, 3"),
        ("{name: e.name, places: [f.value]}", r"name: Otto, places: \[Lund\]"),
        ("f.valid_from", r"2024-04-0\dT\d\d:00:00\+00:00"),
        ("null", ""),
    ],
)
def test_a_table_shows_values_as_a_person_reads_them(
    environment: dict[str, str], talk: str, returned: str, shown: str
) -> None:
    query = f"MATCH (e:Entity {{name: 'Otto'}})-[r:HAS_FACT]->(f:Fact {{property: 'lives_in'}}) RETURN {returned} AS x"
    done = graphmem(environment, "cypher", query, "-n", talk)
    head, row = done.stdout.splitlines()
    assert (done.returncode, done.stderr, head.strip()) == (0, "", "x")
    assert re.fullmatch(shown, row.strip()), row
    [given] = json.loads(graphmem(environment, "cypher", query, "-n", talk, "--json").stdout)["rows"]
    assert returned != "e" or given["x"]["properties"]["name"] == "Otto", "programs get all of a node"


@pytest.mark.parametrize(
    "arguments",
    [
        ("ask", "Where does Ida live?"),
        ("search", "harbour"),
        ("search-turns", "harbour"),
        ("grep-turns", "harbour"),
        ("grep-events", "harbour"),
        ("conflicts",),
        ("facts",),
        ("timeline",),
        ("cypher", "MATCH (t:Turn) RETURN count(t) AS turns"),
        ("count",),
        ("verify",),
    ],
)
def test_of_a_namespace_that_holds_nothing_standard_error_says_so_and_names_others(
    environment: dict[str, str], talk: str, arguments: tuple[str, ...]
) -> None:
    done = graphmem(environment, *arguments, "-n", f"{talk}-x", "--json")
    assert done.returncode == 0
    json.loads(done.stdout)
    [told] = [line for line in done.stderr.splitlines() if "holds nothing" in line]
    assert told.startswith(f"namespace '{talk}-x' holds nothing; give --namespace one that does: {talk}")
    assert "holds nothing" not in graphmem(environment, *arguments, "-n", talk, "--json").stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("conflicts",), "no statements disagree"),
        (("grep-turns", "zeppelin"), "no turn has these words"),
        (("gaps",), "there is no gap"),
    ],
)
def test_that_there_is_nothing_to_show_is_said_on_standard_error(
    environment: dict[str, str], talk: str, arguments: tuple[str, ...], told: str
) -> None:
    for more in ((), ("--json",)):
        done = graphmem(environment, *arguments, "-n", talk, *more)
        assert (done.returncode, done.stderr.splitlines()) == (0, [told])
        assert told not in done.stdout
        assert not more or json.loads(done.stdout) in ([], {"matches": [], "complete": True})


@pytest.mark.parametrize(
    ("arguments", "code", "kind", "told"),
    [
        (("facts", "Nobody at all"), 1, "QuestionError", "Nobody at all"),
        (("cypher", "MATCH (n) DETACH DELETE n"), 1, "CypherRefused", "only read"),
        (("ask", " "), 1, "QuestionError", "question is empty"),
        (("ingest", "/there/is/no/such/path"), 1, "TranscriptError", "/there/is/no/such/path"),
        (("search", "x", "--no-such-option"), 2, "NoSuchOption", "--no-such-option"),
        (("facts", "Ida", "--history", "--as-of", "2023-01-01"), 2, "BadParameter", "--as-of"),
        (("ingest", "tests/stories", "--max-calls", "-1"), 1, "ConfigurationError", "max_calls is -1"),
    ],
)
def test_for_a_program_an_error_is_one_line_of_json(
    environment: dict[str, str], talk: str, arguments: tuple[str, ...], code: int, kind: str, told: str
) -> None:
    done = graphmem(environment, *arguments, "-n", talk, "--json")
    assert (done.returncode, done.stdout) == (code, "")
    [line] = done.stderr.splitlines()
    problem = json.loads(line)
    assert problem["kind"] == kind
    assert told in problem["error"]


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("MATCH (e:Entity)-[:VALUE]->(t:Turn) RETURN t.text", "(:Fact)-[:VALUE]->(:Entity)"),
        ("MATCH (e:Entity)-[:VALUE]-(t:Turn) RETURN count(t)", "(:Fact)-[:VALUE]->(:Entity)"),
        ("MATCH (n) WHERE 'Entty' IN labels(n) RETURN n", "the nearest: Entity"),
        ("MATCH (e:Entity) RETURN e.nmae", "the nearest: name"),
    ],
)
def test_of_a_query_that_finds_nothing_because_the_graph_has_no_such_thing_it_is_said_what_there_is(
    environment: dict[str, str], talk: str, query: str, told: str
) -> None:
    done = graphmem(environment, "cypher", query, "-n", talk)
    assert done.returncode == 0
    [line] = done.stderr.splitlines()
    assert told in line


def test_lengths_are_of_every_period_of_the_history_and_in_seconds_for_a_program(
    environment: dict[str, str], talk: str
) -> None:
    lengths = json.loads(graphmem(environment, "how-long", "-n", talk, "--json").stdout)
    history = json.loads(graphmem(environment, "facts", "--history", "-n", talk, "--json").stdout)["facts"]
    assert len(history) > 2
    assert [each["fact"] for each in lengths] == history
    [lund] = [each for each in lengths if each["fact"]["value"] == "Lund"]
    assert lund["length"] > 27 * 86400
    shown = graphmem(environment, "how-long", "Otto", "lives_in", "-n", talk).stdout
    assert shown.startswith("Otto lives in Lund: at least 28 days")


def test_a_turn_of_the_end_of_the_calendar_is_refused_and_the_rest_can_be_asked_about(
    environment: dict[str, str], tmp_path: Path
) -> None:
    namespace = f"leftover-{uuid.uuid4().hex[:12]}"
    path = tmp_path / "talk.jsonl"
    days = (
        "0001-01-01T00:00:00Z",
        "1000-01-01T00:00:00Z",
        "1900-03-01T10:00:00Z",
        "9990-12-31T23:59:59Z",
        "9999-12-31T23:59:59Z",
    )
    turns = [
        {
            "session": str(n),
            "id": str(n),
            "speaker": "Bo",
            "said_at": day,
            "text": f"I live in {city}. I met Ana yesterday.",
        }
        for n, (day, city) in enumerate(zip(days, ("Lund", "Rome", "Paris", "Porto", "Berlin"), strict=True))
    ]
    path.write_text("\n".join(map(json.dumps, turns)), encoding="utf-8")
    for more in (("--preview",), ()):
        done = graphmem(environment, "ingest", path, "-n", namespace, *more)
        assert done.returncode == 1
        for line, day in ((1, "0001-01-01T00:00:00+00:00"), (5, "9999-12-31T23:59:59+00:00")):
            refused = f"{path}:{line}: said_at: {day} lies outside the years 1000 to 9990 that can be computed with; correct the year"
            assert "".join(refused.split()) in "".join(done.stderr.split())
    asked = graphmem(environment, "ask", "When did Bo meet Ana?", "-n", namespace)
    assert (asked.returncode, asked.stderr) == (0, "")
    asked = graphmem(environment, "ask", "Where did Bo live in 1900?", "-n", namespace)
    assert (asked.returncode, "Paris" in asked.stdout) == (0, True), asked.stderr
    [fact] = json.loads(graphmem(environment, "facts", "Bo", "lives_in", "-n", namespace, "--json").stdout)["facts"]
    corrected = graphmem(
        environment,
        "correct",
        fact["id"],
        "Rome",
        "--says",
        "No, Rome.",
        "--said-at",
        "9999-12-31",
        "-n",
        namespace,
    )
    assert corrected.returncode == 1
    assert "said_at 9999-12-31T00:00:00+00:00 lies outside the years" in corrected.stderr


def test_that_a_service_is_tried_again_is_said_once(with_model: dict[str, str], service: Service, talk: str) -> None:
    service.faults.extend([error(503), error(503)])
    done = graphmem(with_model, "ask", "Where does Ida live?", "-n", talk)
    assert done.returncode == 0, done.stderr
    told = f"{service.base_url} failed or does not answer; it is tried again, 6 attempts in all"
    assert done.stderr.splitlines() == [told]


def test_a_limit_of_no_calls_is_explained_to_who_asks(with_model: dict[str, str], service: Service, talk: str) -> None:
    done = graphmem(with_model | {"GRAPHMEM_MAX_CALLS": "0"}, "ask", "Where does Ida live?", "-n", talk)
    assert (done.returncode, service.requests) == (1, [])
    assert "max_calls is 0, so no request may be sent to a model; " in done.stderr
    assert "it needs a higher limit or none (GRAPHMEM_MAX_CALLS" in done.stderr


def test_a_wrong_switch_is_one_message(with_model: dict[str, str], talk: str) -> None:
    done = graphmem(with_model | {"GRAPHMEM_AGENT": ","}, "ask", "Where does Ida live?", "-n", talk)
    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert line.startswith("error: GRAPHMEM_AGENT is ',': ")


def test_files_that_snippets_of_the_readme_name_are_there() -> None:
    snippets = "\n".join(FENCED.findall((ROOT / "README.md").read_text(encoding="utf-8")))
    named = re.findall(r"(?<![\w/.:])[\w.-]+/[\w./-]*|\b\w+\.py\b", snippets)
    assert {"tests/stories/ana.jsonl", "dev.py"} <= set(named)
    assert not [path for path in named if not (ROOT / path).exists()]


def test_the_first_snippet_of_the_readme_works_as_it_is_written(environment: dict[str, str]) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    snippet = readme.partition("```python\n")[2].partition("```")[0]
    own = environment | {"GRAPHMEM_NAMESPACE": f"leftover-{uuid.uuid4().hex[:12]}"}
    done = subprocess.run(
        [sys.executable, "-c", snippet], cwd=ROOT, env=own, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Berlin")
