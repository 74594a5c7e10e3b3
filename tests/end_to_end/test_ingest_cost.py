"""What ingestion costs: estimated before, counted by role on every commit, and limited so that each run gets further or says why not."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from graphmem import AsyncMemory, Settings
from graphmem.graph.connection import Graph
from tests.end_to_end.command import graphmem
from tests.end_to_end.test_faults_ingestion import answer, environment, towns_talk
from tests.end_to_end.test_model_ingest import ingest, is_resolution, moved, new_all, of, town_of, with_model, write
from tests.graph.shape import everything
from tests.service import Received, Reply, Service, says

__all__ = ["environment", "with_model"]

Make = Callable[..., Settings]


def by_commit(found: dict[str, tuple[str, dict[str, Any]]]) -> Counter[str]:
    """What all commits together say that they have cost."""
    counts: Counter[str] = Counter()
    for commit in of(found, "Commit"):
        counts.update(json.loads(commit.get("usage") or "{}"))
    return counts


async def test_a_dry_run_asks_and_writes_nothing_and_what_is_done_stays_below_it(
    graph: Graph, service: Service, with_model: Make, namespace: str, tmp_path: Path
) -> None:
    service.script = answer
    path = towns_talk(tmp_path, 6)
    async with AsyncMemory.open(
        settings=with_model().with_changes(chat_model="gpt-4.1-mini"), namespace=namespace
    ) as memory:
        estimate = await memory.estimate(path)
        assert service.requests == []
        assert await everything(graph, namespace) == {}
        assert (estimate.turns_new, estimate.turns_to_read, estimate.windows, estimate.calls) == (6, 6, 6, 12)
        assert estimate.cost is not None
        assert 0.001 < estimate.cost < 1
        report = await memory.ingest(path)
        assert (report.total("windows_added"), report.usage["calls"]) == (estimate.windows, estimate.calls)
        sent = sum(len(json.dumps(request.body, ensure_ascii=False)) for request in service.requests)
        assert sent / 4 < estimate.prompt_tokens < sent, "from above, and not out of all proportion"
        again = await memory.estimate(path)
        assert (again.turns_new, again.windows, again.calls, again.cost) == (0, 0, 0, 0.0)
        grown = await memory.estimate(towns_talk(tmp_path, 8))
        assert (grown.turns, grown.turns_new, grown.windows) == (8, 2, 2)


async def test_the_price_of_an_unknown_model_is_not_guessed_and_rules_cost_nothing(
    settings: Settings, with_model: Make, namespace: str, tmp_path: Path
) -> None:
    path = towns_talk(tmp_path, 2)
    async with AsyncMemory.open(settings=with_model(), namespace=namespace) as memory:
        assert (await memory.estimate(path)).cost is None
    async with AsyncMemory.open(settings=settings, namespace=namespace) as memory:
        by_rules = await memory.estimate(path)
    assert (by_rules.windows, by_rules.calls, by_rules.cost) == (2, 0, 0.0)
    assert by_rules.seconds is not None


async def test_every_commit_says_what_it_has_cost_by_role_also_for_what_failed_or_was_halved(
    graph: Graph, service: Service, with_model: Make, namespace: str, tmp_path: Path
) -> None:
    def script(request: Received) -> Reply:
        changing = request.body["messages"][1]["content"]
        if "moved to Graz" in changing and is_resolution(request):
            return says("rather not", prompt_tokens=7)
        if "moved to Leeds" in changing and not is_resolution(request):
            return says("rather not", prompt_tokens=70)
        if "[2]" in changing and not is_resolution(request):
            return says('{"facts": [', finish="length", prompt_tokens=700)
        return new_all(request) if is_resolution(request) else says(moved(town_of(request)), prompt_tokens=7000)

    service.script = script
    texts = [f"I moved to {town} last week." for town in ("Porto", "Leeds", "Graz")]
    path = write(
        tmp_path,
        ("s1", "Ana", texts[0]),
        ("s1", "Ana", "And I moved to Oslo last week."),
        ("s2", "Ana", texts[1]),
        ("s3", "Ana", texts[2]),
    )
    report = await ingest(with_model(), path, namespace)
    assert (report.total("windows_added"), report.total("windows_failed")) == (1, 2)
    counts = by_commit(await everything(graph, namespace))
    assert counts["extract_prompt_tokens"] == 700 + 2 * 7000 + 2 * 70 + 7000
    assert counts["resolve_prompt_tokens"] == 100 + 2 * 7
    for name in (
        "extract_calls",
        "resolve_calls",
        "extract_prompt_tokens",
        "resolve_prompt_tokens",
        "extract_completion_tokens",
    ):
        assert counts[name] == report.usage[name], f"{name}: the ledger and the service's own account agree"


async def test_a_limit_that_no_window_fits_in_is_refused_before_anything_is_paid(
    service: Service, environment: dict[str, str], namespace: str, tmp_path: Path
) -> None:
    service.script = answer
    done = graphmem(environment, "ingest", towns_talk(tmp_path, 2), "-n", namespace, "--max-calls", 1)
    assert done.returncode == 1
    assert "max_calls is 1, and reading a window takes 2 calls" in " ".join(done.stderr.split())
    assert service.requests == []


async def test_a_limit_that_was_too_low_after_all_is_said_to_be(
    service: Service, with_model: Make, namespace: str, tmp_path: Path
) -> None:
    service.script = lambda request: says("rather not") if request.number % 2 == 0 else answer(request)
    report = await ingest(with_model(max_calls=2), towns_talk(tmp_path, 2), namespace)
    assert report.total("windows_added") == 0
    assert "needs a higher limit" in report.failed[0].what


async def test_runs_within_a_limit_end_with_exit_code_1_and_each_gets_further_until_all_is_read(
    graph: Graph, service: Service, environment: dict[str, str], namespace: str, tmp_path: Path
) -> None:
    service.script = answer
    path = towns_talk(tmp_path, 3)
    codes = [graphmem(environment, "ingest", path, "-n", namespace, "--max-calls", 3).returncode for _ in range(3)]
    assert codes == [1, 1, 0]
    assert len(of(await everything(graph, namespace), "Extraction")) == 3
    assert len(service.requests) == 8, "what was extracted when the limit came was paid for once more, and no more"


async def test_the_command_shows_the_estimate_the_calls_and_how_much_an_answer_has_seen(
    service: Service, environment: dict[str, str], namespace: str, tmp_path: Path
) -> None:
    service.script = answer
    path = towns_talk(tmp_path, 2)
    shown = graphmem(environment, "ingest", path, "-n", namespace, "--dry-run")
    assert shown.returncode == 0, shown.stderr
    assert "2 of 2 turns are new; 2 are to be read, in 2 windows" in shown.stdout
    assert "at most 4 calls" in shown.stdout
    assert service.requests == []
    done = graphmem(environment, "ingest", path, "-n", namespace, "--lazy", "--json")
    assert json.loads(done.stdout)["report"]["namespaces"][0]["windows_added"] == 0
    assert service.requests == []
    by_rules = {name: value for name, value in environment.items() if not name.startswith("GRAPHMEM_CHAT")}
    asked = graphmem(by_rules | {"GRAPHMEM_ONLINE": "false"}, "ask", "Where does Ana live?", "-n", namespace)
    assert "0 of 2 turns are read; the rest is found by its words only" in " ".join(asked.stdout.split())
    wrong = graphmem(by_rules | {"GRAPHMEM_ONLINE": "maybe"}, "ask", "Where does Ana live?", "-n", namespace)
    assert wrong.returncode == 1
    assert "GRAPHMEM_ONLINE is 'maybe'; it must be true or false" in wrong.stderr
    asked = graphmem(by_rules, "ask", "How many towns has Ana lived in?", "-n", namespace)
    assert "2 of 2 turns are read, 2 of them for this question" in " ".join(asked.stdout.split())
    done = graphmem(environment, "ingest", towns_talk(tmp_path, 4), "-n", namespace)
    assert "4 calls (extract 2, resolve 2), 0 of them repeated; 400 prompt" in " ".join(done.stdout.split())
