"""What commands say beside their result: of a namespace that holds nothing, of a library's warnings, of how to go on."""

from __future__ import annotations

import errno
import json
import logging
import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
import typer

import graphmem.cli
from graphmem.cli import wants_json
from graphmem.cli.app import AsJson, of_empty
from graphmem.cli.demo import started_as
from graphmem.cli.show import Told, as_json, line, problems, rerank_problem, table, visible
from graphmem.errors import ConfigurationError, ProviderUnavailable
from graphmem.ingest.report import Tally
from graphmem.records import Problem
from graphmem.settings import Settings, from_environment
from tests.unit.extract_model.windows import window_of


def test_of_an_empty_namespace_the_filled_ones_are_named_the_most_alike_first() -> None:
    filled = ["archive", "ida-2023", "ida-2024", "otto", "pine", "tar", "yard"]
    told = of_empty("ida-2042", filled)
    assert told.startswith("namespace 'ida-2042' holds nothing; give --namespace one that does: ida-2024, ida-2023, ")
    assert told.count(", ") == 4
    assert told.endswith(" and 2 more (`graphmem namespaces`)")
    assert of_empty("x", ["otto"]).endswith("one that does: otto")


def test_where_no_namespace_holds_anything_it_is_said_how_to_fill_one() -> None:
    assert "`graphmem ingest PATH --namespace 'my trips'`" in of_empty("my trips", [])


def test_a_warning_is_shown_once_however_many_tasks_give_it(capsys: pytest.CaptureFixture[str]) -> None:
    logger, handler = logging.getLogger("graphmem.tests.told"), Told()
    logger.addHandler(handler)
    for address in ("http://pine", "http://pine", "http://tar"):
        logger.warning("%s is tried again", address)
    logger.removeHandler(handler)
    assert capsys.readouterr().err.splitlines() == ["http://pine is tried again", "http://tar is tried again"]


def test_sentences_of_a_service_are_joined_without_a_full_stop_before_the_semicolon(
    capsys: pytest.CaptureFixture[str],
) -> None:
    failure = ProviderUnavailable("it does not answer. Given up after 6 failed attempts.")
    rerank_problem(f"pine did not rerank: {failure}")
    tally = Tally((), None)
    tally.window_failed(window_of("I live in Lund."), failure)
    tally.stopped(window_of("I live in Lund."), failure)
    for told in (capsys.readouterr().err, *(each.what for each in tally.report().failed)):
        assert "failed attempts; " in told


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [(["ask", "--json", "x"], True), (["ask", "x"], False), (["ask", "--", "--json"], False), ([], False)],
)
def test_json_is_wanted_where_the_option_is_given(arguments: list[str], wanted: bool) -> None:
    assert wants_json(arguments) == wanted


def test_a_command_is_named_as_it_was_started(tmp_path: Path) -> None:
    program = tmp_path / "tools" / "graphmem"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    on_path = {"PATH": os.pathsep.join(("/nowhere", str(program.parent)))}
    assert started_as(str(program), on_path, tmp_path) == "graphmem"
    assert started_as(str(program), {"PATH": "/nowhere"}, tmp_path) == str(Path("tools/graphmem"))
    assert started_as(str(program), {}, tmp_path / "elsewhere") == str(program)
    assert started_as(str(program), on_path | {"UV_RUN_RECURSION_DEPTH": "1"}, tmp_path) == "uv run graphmem"
    assert started_as(str(program), {"STARTED_AS": "python3 dev.py run"}, tmp_path) == "python3 dev.py run"


def test_a_module_is_named_with_the_python_that_ran_it(tmp_path: Path) -> None:
    python = Path(sys.executable)
    assert started_as("/x/graphmem/__main__.py", {}, tmp_path).endswith(f"{python} -m graphmem")
    assert started_as("/x/graphmem/__main__.py", {"PATH": str(python.parent)}, tmp_path) == f"{python.name} -m graphmem"


ORDERS = (
    ("\x1b]0;owned\x07", "␛]0;owned␇"),
    ("\x1b[2J", "␛[2J"),
    ("a\x9b31m", "a�31m"),
    ("back\x7f\x08", "back␡␈"),
    ("\u202eolleh", "�olleh"),
)


@pytest.mark.parametrize(("said", "seen"), ORDERS, ids=[seen for _, seen in ORDERS])
def test_what_would_steer_a_terminal_is_only_shown(said: str, seen: str, capsys: pytest.CaptureFixture[str]) -> None:
    line(said)
    table(("said",), [(said,)])
    problems("problems", [Problem("k1:1", said)])
    told = capsys.readouterr()
    assert told.out.count(seen) == 2
    assert seen in told.err
    assert said not in told.out + told.err


def test_lines_and_tabs_of_a_text_are_kept() -> None:
    assert visible("one\n\ttwo 🐶 é") == "one\n\ttwo 🐶 é"


def test_json_has_no_control_that_steers_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    as_json({"text": "\x1b[2J\x9b31m é"})
    told = capsys.readouterr().out
    assert json.loads(told) == {"text": "\x1b[2J\x9b31m é"}
    assert "\x1b" not in told
    assert "\x9b" not in told
    assert "é" in told


@pytest.mark.parametrize("for_program", [False, True])
def test_who_stops_a_command_is_told_what_stays(
    for_program: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stopping = typer.Typer()

    @stopping.command()
    def ingest(json: AsJson = False) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(graphmem.cli, "app", stopping)
    monkeypatch.setattr(sys, "argv", ["graphmem", *(["--json"] if for_program else [])])
    with pytest.raises(SystemExit) as ended:
        graphmem.cli.main()
    assert ended.value.code == 130
    [told] = capsys.readouterr().err.splitlines()
    message = "stopped; what was appended until now stays, and the next run goes on from there"
    assert told == message if not for_program else json.loads(told) == {"error": message, "kind": "KeyboardInterrupt"}


def test_a_length_of_time_is_seconds_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    as_json({"length": timedelta(days=1, seconds=1.5)})
    assert json.loads(capsys.readouterr().out) == {"length": 86401.5}


FULL = Path("/dev/full")
PRINTING = "from graphmem.cli import app, main\n@app.command()\ndef fill(json: bool = False):\n    print('x' * {size})\n    {more}\nmain()"


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("size", [10, 100_000])
@pytest.mark.parametrize("more", ["", "from graphmem.cli.show import line; line('y')"])
def test_output_that_cannot_be_written_is_one_message_and_exit_code_1(
    size: int, more: str, unbuffered: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    code = PRINTING.format(size=size, more=more)
    for option in ((), ("--json",)):
        with FULL.open("w") as full:
            command = [sys.executable, "-X", "dev", "-W", "ignore", "-c", code, "fill", *option]
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
        [told] = done.stderr.splitlines()
        assert done.returncode == 1
        if option:
            assert json.loads(told)["kind"] == "OSError"
            told = f"error: {json.loads(told)['error']}"
        assert told.startswith("error: the output cannot be written: No space left on device; ")


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("option", [(), ("--json",)])
def test_a_reader_who_goes_away_is_told_nothing(
    option: tuple[str, ...], unbuffered: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    code = PRINTING.format(size=10, more="")
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-c", code, "fill", *option]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (1, "")


def test_an_error_of_the_system_that_is_not_of_the_output_is_not_taken_for_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    failing = typer.Typer()

    @failing.command()
    def ingest() -> None:
        raise OSError(errno.ECONNRESET, "Connection reset by peer")

    monkeypatch.setattr(graphmem.cli, "app", failing)
    monkeypatch.setattr(sys, "argv", ["graphmem"])
    with pytest.raises(OSError, match="Connection reset"):
        graphmem.cli.main()


@pytest.mark.parametrize("name", ["max_calls", "max_cost"])
def test_a_limit_below_nothing_is_refused_also_where_no_model_is_asked(name: str) -> None:
    with pytest.raises(ConfigurationError, match=f"{name} is -1.*at least 0"):
        from_environment({f"GRAPHMEM_{name.upper()}": "-1"})
    with pytest.raises(ConfigurationError, match=f"{name} is -1"):
        Settings().with_changes(**{name: -1})
    assert getattr(from_environment({f"GRAPHMEM_{name.upper()}": "0"}), name) == 0


def test_a_cost_that_is_no_number_is_no_limit() -> None:
    with pytest.raises(ConfigurationError, match="max_cost is nan"):
        from_environment({"GRAPHMEM_MAX_COST": "nan"})
