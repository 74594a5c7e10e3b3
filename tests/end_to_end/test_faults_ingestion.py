"""The faults that users of such memories report, where they touch ingestion: over a real socket, into the real Neo4j. One test a row; what
is tested in another file stands here with its place.

success reported before the write is durable
    ``test_success_reported_…`` here, for every kind of failure; ``test_the_command_…`` for the exit code
no resume
    ``test_no_resume_…`` here, with a model; by rules: tests/graph/test_ingest.py, ``test_killed_at_any_moment_…``
duplicates on re-ingest
    tests/graph/test_ingest.py, ``test_the_same_file_twice_…``, ``test_a_renamed_file_…``, ``test_a_file_grown_…``; with a model
    ``test_duplicates_…`` here
two names, one entity; two entities, one name
    tests/end_to_end/test_model_ingest_names.py, the first four tests; many writers at once: tests/graph/test_ingest_model.py
a true fact retired
    ``test_a_true_fact_retired`` here; how facts follow one another: tests/graph/test_read_facts.py
a stale fact returned
    ``test_a_stale_fact_returned`` here; what holds when: tests/graph/test_effective_history.py
wrong anchor for relative time
    ``test_wrong_anchor_…`` here; the machine's own zone: tests/graph/test_ingest.py, ``test_the_time_zone_…``
false precision
    ``test_false_precision`` here; expressions: tests/unit/temporal
model text used as an identifier
    ``test_model_text_…`` here
embedding model changed
    tests/graph/test_reembed.py
unusable model replies
    ``test_unusable_replies_…`` and ``test_success_reported_…`` here; told apart and counted: tests/end_to_end/test_providers_chat.py
rate limits and cost
    ``test_rate_limits_…`` and ``test_cost_…`` here; limits on calls: tests/end_to_end/test_ingest_cost.py
text that is not English
    ``test_text_that_is_not_english_…`` here; full text: tests/graph/test_search_turns.py and test_search_grep.py
a namespace seen from another
    ``test_a_namespace_seen_…`` here; by reads: tests/graph/test_read_facts.py, ``test_nothing_of_another_…``
feeding on its own output
    ``test_feeding_…`` here

Rows on questions, generated Cypher and size touch no ingestion.
"""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
import unicodedata
import uuid
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from graphmem import AsyncMemory, Settings
from graphmem.extract.with_model import ModelExtractor
from graphmem.extract.with_model.reply import ExtractReply
from graphmem.graph.batch import NODE_LABELS
from graphmem.graph.connection import Graph
from graphmem.graph.queries import load_all
from graphmem.graph.verify import verify
from graphmem.graph.write import read_head
from graphmem.ingest import Ingestion, IngestReport
from graphmem.providers.local_embedder import LocalEmbedder
from graphmem.providers.openai_chat import ChatSettings, OpenAIChat
from graphmem.providers.service import ServiceSettings
from graphmem.transcripts import read
from tests.conftest import TestServer
from tests.end_to_end.command import environment_of
from tests.end_to_end.test_model_ingest import ingest, is_resolution, moved, new_all, of, town_of, with_model, write
from tests.graph.shape import everything, shape
from tests.service import Received, Reply, Service, error, says, serve

__all__ = ["with_model"]

TOWNS = (
    "Porto Leeds Graz Turin Oslo Ghent Krakow Bergen Malaga Basel Tartu Split Vilnius Cork Aarhus Lyon Bremen Padua Zadar Delft"
).split()
SEVENTH = TOWNS[6]
LATE = frozenset({"Extraction", "Resolution"})
"""What a window that was read late may say otherwise: the candidates that it saw depend on what was there before it."""

Make = Callable[..., Settings]


def towns_talk(folder: Path, count: int = 20) -> Path:
    """One turn a session, and so a window; each is about a town of its own."""
    return write(
        folder, *((f"session-{n}", "Ana", f"I moved to {town} last week.") for n, town in enumerate(TOWNS[:count], 1))
    )


def answer(request: Received) -> Reply:
    """What a good service answers."""
    return new_all(request) if is_resolution(request) else says(moved(town_of(request)))


def stating(*facts: tuple[str, str, str], **more: Any) -> Callable[[Received], Reply]:
    """A service that finds a fact, a property and its value, in each new turn that has the words."""

    def reply(request: Received) -> Reply:
        if is_resolution(request):
            return new_all(request)
        changing = request.body["messages"][1]["content"]
        turns = re.findall(r"^\[(\d+)\] .*?\d\d:\d\d [^:\n]+: (.+)$", changing, re.M)
        found = [
            {"turn": int(number), "quote": words, "subject": "Ana", "property": name, "value": value} | more
            for number, text in turns
            for words, name, value in facts
            if words in text
        ]
        return says({"facts": found})

    return reply


@pytest.fixture
async def impatient(graph: Graph, embedder: LocalEmbedder, service: Service) -> AsyncIterator[Callable[..., Any]]:
    """Ingests with a client that gives a service half a second, three attempts, and no time to recover."""
    at = ServiceSettings(service.base_url, "none", timeout=0.5, attempts=3, first_wait=0.01, failures_to_open=1000)
    chat = OpenAIChat(ChatSettings(at, "scripted"))

    async def run(path: Path, namespace: str) -> IngestReport:
        found = read(path, namespace)
        ingestion = Ingestion(graph, embedder, ModelExtractor(chat, "scripted"), Settings(), chat)
        return await ingestion.run(found.sessions, found.problems)

    yield run
    await chat.close()


@pytest.fixture(scope="module")
async def undisturbed(graph: Graph, embedder: LocalEmbedder, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The namespace that all of the towns were ingested into with nothing in the way."""
    namespace = f"test-undisturbed-{uuid.uuid4().hex[:12]}"
    found = read(towns_talk(tmp_path_factory.mktemp("undisturbed")), namespace)
    with serve(answer) as service:
        chat = OpenAIChat(ChatSettings(ServiceSettings(service.base_url, "none"), "scripted"))
        report = await Ingestion(graph, embedder, ModelExtractor(chat, "scripted"), Settings(), chat).run(
            found.sessions, found.problems
        )
        await chat.close()
    assert report.ok, report.failed
    return namespace


NEVER_RIGHT = {
    "400": error(400),
    "429 for ever": error(429, headers={"retry-after": "0"}),
    "500 for ever": error(500),
    "no answer in time": Reply({}, delay=1.0),
    "cut in mid-body": Reply({"choices": []}, cut="inside"),
    "cut before it answers": Reply(cut="before"),
    "words instead of JSON": says("I would rather talk about something else."),
    "always empty": says(""),
    "always cut at the length limit": says('{"facts": [', finish="length"),
    "declined": says(None, refusal="I cannot help with that."),
}


@pytest.mark.parametrize("kind", NEVER_RIGHT)
async def test_success_reported_before_the_write_is_durable(
    graph: Graph,
    service: Service,
    impatient: Callable[..., Any],
    undisturbed: str,
    namespace: str,
    tmp_path: Path,
    kind: str,
) -> None:
    """Window 7 of 20 never gets right: the others are stored, it is reported, the next run repairs it and repeats no paid call."""
    path = towns_talk(tmp_path)
    service.script = lambda request: NEVER_RIGHT[kind] if town_of(request) == SEVENTH else answer(request)
    report = await impatient(path, namespace)
    assert not report.ok
    assert (report.total("windows_added"), report.total("windows_failed")) == (19, 1)
    [failed] = report.failed
    assert "session session-7" in failed.where
    assert "the next run tries again" in failed.what
    found = await everything(graph, namespace)
    assert (len(of(found, "Turn")), len(of(found, "Attempt")), len(of(found, "Extraction"))) == (20, 1, 19)
    service.script, asked = answer, len(service.requests)
    assert (await impatient(path, namespace)).ok
    assert [town_of(request) for request in service.requests[asked:]] == [SEVENTH, SEVENTH], (
        "nothing else is paid again"
    )
    assert await shape(graph, namespace, LATE) == await shape(graph, undisturbed, LATE)
    assert (await verify(graph, namespace)).ok


@pytest.fixture
def environment(neo4j_server: TestServer, service: Service) -> dict[str, str]:
    """The environment of a command that reads with the service's model."""
    return environment_of(neo4j_server) | {
        "GRAPHMEM_CHAT_MODEL": "scripted",
        "GRAPHMEM_CHAT_URL": service.base_url,
        "GRAPHMEM_CHAT_KEY": "none",
    }


def command(path: Path, namespace: str, *more: str) -> list[str]:
    """The command line of an ingestion."""
    return [sys.executable, "-m", "graphmem", "ingest", str(path), "-n", namespace, *more]


async def test_the_command_says_which_window_failed_and_its_exit_code_says_so(
    service: Service, environment: dict[str, str], namespace: str, tmp_path: Path
) -> None:
    path = towns_talk(tmp_path, 8)
    service.script = lambda request: error(400) if town_of(request) == SEVENTH else answer(request)

    async def run() -> subprocess.CompletedProcess[str]:
        arguments = command(path, namespace)
        return await asyncio.to_thread(
            subprocess.run, arguments, env=environment, capture_output=True, text=True, timeout=120, check=False
        )

    done = await run()
    assert done.returncode == 1
    assert "session-7" in done.stderr
    assert "Traceback" not in done.stderr
    service.script = answer
    assert (await run()).returncode == 0


async def test_no_resume_after_a_kill_in_the_middle(
    graph: Graph,
    service: Service,
    environment: dict[str, str],
    with_model: Make,
    undisturbed: str,
    namespace: str,
    tmp_path: Path,
) -> None:
    """kill -9, then again: no call is repeated for a committed window, and the graph is that of an undisturbed run."""
    path = towns_talk(tmp_path)

    def slow(request: Received) -> Reply:
        made = answer(request)
        return Reply(made.body, delay=0.05)

    service.script = slow
    process = subprocess.Popen(
        command(path, namespace), env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    while (await read_head(graph, namespace)).sequence < 6:
        assert process.poll() is None, process.communicate()[1]
        await asyncio.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    found = await everything(graph, namespace)
    committed = {town for town in TOWNS if any(fact["value"] == town for fact in of(found, "Fact"))}
    assert 5 <= len(committed) < 20
    service.script, asked = answer, len(service.requests)
    assert (await ingest(with_model(), path, namespace)).ok
    assert {town_of(request) for request in service.requests[asked:]} == set(TOWNS) - committed
    assert await shape(graph, namespace) == await shape(graph, undisturbed)
    assert (await verify(graph, namespace)).ok


async def test_duplicates_on_re_ingest_of_a_file_that_has_grown(
    graph: Graph, service: Service, with_model: Make, namespace: str, tmp_path: Path
) -> None:
    service.script = answer
    await ingest(with_model(), towns_talk(tmp_path, 3), namespace)
    asked = len(service.requests)
    report = await ingest(with_model(), towns_talk(tmp_path, 4), namespace)
    assert (report.added("Turn"), report.added("Fact"), report.added("Event")) == (1, 1, 1)
    assert {town_of(request) for request in service.requests[asked:]} == {TOWNS[3]}


async def test_a_true_fact_retired(service: Service, with_model: Make, namespace: str, tmp_path: Path) -> None:
    """Only a property with one value at a time is succeeded: the employer and both dogs stay."""
    service.script = stating(
        ("I work at Acme", "works_at", "Acme"),
        ("I administer Acme's GitHub", "administers", "Acme's GitHub"),
        ("I have a dog called Rex", "has_dog", "Rex"),
        ("I got a second dog, Bo", "has_dog", "Bo"),
    )
    path = write(
        tmp_path,
        ("s1", "Ana", "I work at Acme."),
        ("s2", "Ana", "I administer Acme's GitHub."),
        ("s3", "Ana", "I have a dog called Rex."),
        ("s4", "Ana", "I got a second dog, Bo."),
    )
    async with AsyncMemory.open(settings=with_model(), namespace=namespace) as memory:
        assert (await memory.ingest(path)).ok
        held = {(fact.property, fact.value) for fact in (await memory.facts("Ana")).facts}
    assert {("works_at", "Acme"), ("has_dog", "Rex"), ("has_dog", "Bo")} <= held


async def test_a_stale_fact_returned(service: Service, with_model: Make, namespace: str, tmp_path: Path) -> None:
    """Three moves, told in one order and ingested in another: the town is the one of the time asked about."""
    service.script = stating(*((f"I live in {town} now", "lives_in", town) for town in TOWNS[:3]))
    path = write(tmp_path, *((f"s{n}", "Ana", f"I live in {town} now.") for n, town in enumerate(TOWNS[:3])))
    async with AsyncMemory.open(settings=with_model(), namespace=namespace) as memory:
        sessions = read(path, namespace).sessions
        for session in reversed(sessions):
            assert (await memory.ingest([session])).ok
        now = await memory.facts("Ana", "lives_in")
        then = await memory.facts("Ana", "lives_in", as_of="2023-05-02T12:00:00+00:00")
    assert [fact.value for fact in now.facts] == [TOWNS[2]]
    assert [fact.value for fact in then.facts] == [TOWNS[1]]


async def events_of(
    settings: Settings, graph: Graph, namespace: str, folder: Path, *texts: str
) -> dict[str, dict[str, Any]]:
    """What rules make of turns said at half past midnight in Lisbon on 10 May 2023, by the words that say when."""
    lines = [
        {"session": f"s{n}", "speaker": "Ana", "said_at": "2023-05-10T00:30:00+01:00", "text": text}
        for n, text in enumerate(texts)
    ]
    path = folder / "then.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    async with AsyncMemory.open(settings=settings, namespace=namespace) as memory:
        assert (await memory.ingest(path)).ok
    events = of(await everything(graph, namespace), "Event")
    return {str(each["time_expression"]): each for each in events if each.get("time_expression")}


async def test_wrong_anchor_for_relative_time(settings: Settings, graph: Graph, namespace: str, tmp_path: Path) -> None:
    """Anchored at the turn's own time in the speaker's zone, where it is the 10th: never at the clock, nor in UTC, where it is the 9th."""
    texts = ("I adopted a dog last Friday.", "I bought a car yesterday.", "I am going to move to Porto next year.")
    found = await events_of(settings, graph, namespace, tmp_path, *texts)
    assert found["last Friday"]["starts_at"] == datetime(2023, 5, 4, 23, tzinfo=UTC), "the 5th in Lisbon"
    assert found["yesterday"]["starts_at"] == datetime(2023, 5, 8, 23, tzinfo=UTC), "the 9th in Lisbon"
    assert found["next year"]["starts_at"] == datetime(2023, 12, 31, 23, tzinfo=UTC)


async def test_false_precision(settings: Settings, graph: Graph, namespace: str, tmp_path: Path) -> None:
    """A month is a month and some years are some years, never the 1st."""
    found = await events_of(
        settings, graph, namespace, tmp_path, "I adopted a dog in April.", "I bought a car a few years ago."
    )
    april, years = found["April"], found["a few years ago"]
    assert april["granularity"] == "month"
    assert (april["ends_at"] - april["starts_at"]).days in (30, 31)
    assert (years["ends_at"] - years["starts_at"]).days > 365
    assert years["granularity"] not in ("day", "month")


OURS = {kind for query in load_all().values() for kind in re.findall(r"MERGE \(a\)-\[r:(\w+)", query.text)}
"""The relationship types that there are queries to write."""

NAMES = ["Person`) DETACH DELETE n //", "best-friend's", "喜欢", "", "$scope", "N_000000000000 {id: 'x'}"]


@pytest.mark.parametrize("name", NAMES)
async def test_model_text_used_as_an_identifier(
    graph: Graph, service: Service, with_model: Make, namespace: str, tmp_path: Path, name: str
) -> None:
    """A type, a property, a role or a kind that a model makes up is data at most; labels and relationship types are ours."""

    def reply(request: Received) -> Reply:
        if is_resolution(request):
            mentions = re.findall(r"^\[M(\d+)\]", request.body["messages"][1]["content"], re.M)
            proposed = {"decision": "propose_new", "type": name, "name": name, "aliases": [name], "reason": name}
            return says(
                {"mentions": [{"m": int(n)} | proposed for n in mentions], "new_properties": [{"p": 1, "name": name}]}
            )
        found = moved("Porto")
        found["entities"][0]["type"] = name
        found["events"][0] |= {"kind": name, "participants": [{"name": "Ana", "role": name}]}
        found["facts"][0] |= {"property": name or "lives_in", "type": name, "unit": name}
        return says(found)

    service.script = reply
    before = await graph_types(graph)
    assert len(OURS) > 10
    assert (await ingest(with_model(), towns_talk(tmp_path, 1), namespace)).ok
    assert await graph_types(graph) - before <= {"N", *NODE_LABELS, *OURS}
    found = await everything(graph, namespace)
    assert {kind for kind, _ in found.values()} <= {*NODE_LABELS, "Commit"} | {
        kind for kind in before if kind.isupper()
    }
    assert len(of(found, "Turn")) == 1
    assert (await verify(graph, namespace)).ok


async def graph_types(graph: Graph) -> set[str]:
    """The labels and relationship types of the database; labels of namespaces are one, "N"."""
    names: list[str] = []

    def take(row: list[Any]) -> bool:
        names.append(str(row[0]))
        return True

    for text in ("CALL db.labels() YIELD label", "CALL db.relationshipTypes() YIELD relationshipType"):
        await graph.read_text(text, {}, 10.0, 100_000, take)
    return {"N" if re.fullmatch(r"N_[0-9a-f]{12}", name) else name for name in names}


def once(*bad: Reply) -> Callable[[Received], Reply]:
    """A service that answers badly first, once for each, where it is asked to read of the first town, and well in all else."""
    left = list(bad)

    def reply(request: Received) -> Reply:
        first = not is_resolution(request) and town_of(request) == TOWNS[0]
        return left.pop(0) if left and first else answer(request)

    return reply


GOOD = json.dumps(moved("Porto"))
UNUSABLE = {
    "the schema echoed": says(ExtractReply.model_json_schema()),
    "a preamble of thoughts": says(f"<think>Where does she live? {{}}</think>{GOOD}"),
    "a code fence": says(f"Here it is:\n```json\n{GOOD}\n```"),
    "an empty body": says(""),
    "an empty HTTP body": Reply(b""),
    "broken escapes": says(GOOD[:-1] + r', "note": "a\d"}'),
    "not JSON": says("facts: none"),
    "a gateway that rejects the schema": error(
        400, "response_format of type json_schema is not supported", param="response_format"
    ),
    "cut at the length limit": says('{"entities": [{"name": "Por'),
}


@pytest.mark.parametrize("kind", UNUSABLE)
async def test_unusable_replies_are_mended_or_asked_for_again_and_the_graph_is_the_same(
    graph: Graph, service: Service, impatient: Callable[..., Any], namespace: str, tmp_path: Path, kind: str
) -> None:
    path = towns_talk(tmp_path, 2)
    service.script = once(UNUSABLE[kind])
    report = await impatient(path, namespace)
    assert report.ok, report.failed
    assert report.added("Fact") == 2, "never taken for no memories"
    service.script = answer
    assert (await impatient(path, f"{namespace}-whole")).ok
    assert await shape(graph, namespace, LATE) == await shape(graph, f"{namespace}-whole", LATE)


async def test_the_order_in_which_files_are_given_changes_nothing(
    graph: Graph, service: Service, with_model: Make, namespace: str, tmp_path: Path
) -> None:
    """Eight sessions, a file each, named so that a folder gives them in their order and in the reverse."""
    service.script = answer
    lines = towns_talk(tmp_path, 8).read_text(encoding="utf-8").splitlines()
    for given, order in (("one", lines), ("other", lines[::-1])):
        folder = tmp_path / given
        folder.mkdir()
        for number, line in enumerate(order):
            (folder / f"{number}.jsonl").write_text(line, encoding="utf-8")
        report = await ingest(with_model(), folder, f"{namespace}-{given}")
        assert report.ok, report.failed
        assert report.added("Fact") == 8
    assert await shape(graph, f"{namespace}-one") == await shape(graph, f"{namespace}-other")


async def test_rate_limits_are_waited_for_within_the_concurrency(
    service: Service, with_model: Make, namespace: str, tmp_path: Path
) -> None:
    """Every request is first answered 429: each is made again no sooner than asked, and no more run at once than the settings allow."""
    refused: set[str] = set()

    def busy(request: Received) -> Reply:
        asked = json.dumps(request.body, sort_keys=True)
        if asked in refused:
            return answer(request)
        refused.add(asked)
        return error(429, headers={"retry-after": "0.2"})

    service.script = busy
    report = await ingest(with_model(chat_parallel=4), towns_talk(tmp_path, 8), namespace)
    assert report.ok
    assert (report.usage["calls"], report.usage["retries"]) == (32, 16)
    assert service.most_at_once <= 4


async def test_cost_stops_a_run_cleanly_and_the_next_goes_on(
    graph: Graph, service: Service, with_model: Make, namespace: str, tmp_path: Path
) -> None:
    def dear(request: Received) -> Reply:
        made = answer(request)
        made.body["usage"]["prompt_tokens"] = 20_000
        return made

    service.script = dear
    path = towns_talk(tmp_path)
    limited = with_model(max_cost=0.10).with_changes(chat_model="gpt-4.1-mini")
    stopped = await ingest(limited, path, namespace)
    assert not stopped.ok
    assert 0 < stopped.total("windows_added") < 20
    assert "the next run goes on" in stopped.failed[0].what
    while not (report := await ingest(limited, path, namespace)).ok:
        assert report.total("windows_added"), "each run gets further"
    assert (await ingest(limited, path, f"{namespace}-whole")).total("windows_added")
    facts = {fact["value"] for fact in of(await everything(graph, namespace), "Fact")}
    assert facts == set(TOWNS)


WORDS = {
    "Chinese": "我上个星期搬到了广州。",
    "Japanese": "先週、京都に引っ越しました。",
    "Arabic": "انتقلت إلى القاهرة الأسبوع الماضي.",
    "emoji": "I moved 🚚🇵🇹 to Porto 👩‍👩‍👧 last week.",
    "combining": "Vim para o Cafe\u0301 da Joa\u0303o.",
}


@pytest.mark.parametrize("kind", WORDS)
async def test_text_that_is_not_english_is_stored_found_and_quoted_exactly(
    graph: Graph, service: Service, with_model: Make, namespace: str, tmp_path: Path, kind: str
) -> None:
    """The model quotes in NFC; the evidence is the turn's own code points."""
    text = WORDS[kind]
    quoted = unicodedata.normalize("NFC", text[2:-2])
    service.script = lambda request: (
        new_all(request)
        if is_resolution(request)
        else says({"facts": [{"turn": 1, "quote": quoted, "subject": "Ana", "property": "says", "value": quoted}]})
    )
    path = tmp_path / "t.jsonl"
    line = {"session": "s", "speaker": "Ana", "said_at": "2023-05-08T13:56:00+02:00", "text": text}
    path.write_text(json.dumps(line, ensure_ascii=False), encoding="utf-8")
    async with AsyncMemory.open(settings=with_model(), namespace=namespace) as memory:
        report = await memory.ingest(path)
        assert report.ok
        assert report.added("Fact") == 1
        found = await everything(graph, namespace)
        [turn] = of(found, "Turn")
        assert turn["text"] == text
        evidence = [each for each in of(found, "Evidence") if len(str(each["quote"])) > 5]
        assert evidence
        assert all(each["quote"] == text[each["start"] : each["end"]] for each in evidence)
        assert text[2:-2] in {each["quote"] for each in evidence}
        assert (await memory.grep_turns(text[3:8])).matches
        assert (await memory.search_turns(text))[0].text == text


async def test_a_namespace_seen_from_another(
    graph: Graph, service: Service, with_model: Make, namespace: str, tmp_path: Path
) -> None:
    """Two namespaces are filled at once, with the same people and other towns; a name with a quote and an OR is a name."""
    service.script = answer
    names = [f"{namespace}-a", f'{namespace}" OR "{namespace}-a']
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder, (begin, end) in zip(folders, ((0, 4), (4, 8)), strict=True):
        folder.mkdir()
        write(folder, *((f"s{n}", "Ana", f"I moved to {town} last week.") for n, town in enumerate(TOWNS[begin:end])))
    await asyncio.gather(*(ingest(with_model(), folder, name) for folder, name in zip(folders, names, strict=True)))
    for name, expected in zip(names, (TOWNS[0:4], TOWNS[4:8]), strict=True):
        found = await everything(graph, name)
        assert {each["value"] for each in of(found, "Fact")} == set(expected)
        assert {each["name"] for each in of(found, "Entity")} == {"Ana", *expected}
        assert {properties["namespace"] for kind, properties in found.values() if kind in NODE_LABELS} == {name}
        async with AsyncMemory.open(settings=with_model(), namespace=name) as memory:
            told = [hit.text for hit in await memory.search_turns("Where did Ana move?", limit=50)]
        assert {text.split()[3] for text in told} == set(expected)


async def test_feeding_on_its_own_output(service: Service, with_model: Make, namespace: str, tmp_path: Path) -> None:
    """50 paraphrases of one fact, and the assistant that recalls it, are one fact with more evidence."""
    said = [f"I live in Porto, as I said {n} times." for n in range(50)]
    recalled = "I remember: Ana lives in Porto."
    service.script = stating(
        ("live in Porto, as I said", "lives_in", "Porto"), ("Ana lives in Porto", "lives_in", "Porto")
    )
    lines = [
        {
            "session": f"s{n // 10}",
            "id": str(n),
            "speaker": "Ana",
            "said_at": f"2023-05-{1 + n // 10:02}T10:{n % 10:02}:00+00:00",
            "text": text,
        }
        for n, text in enumerate(said)
    ]
    lines.append(
        {
            "session": "s9",
            "id": "r",
            "speaker": "Assistant",
            "role": "assistant",
            "said_at": "2023-05-20T10:00:00+00:00",
            "text": recalled,
        }
    )
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    async with AsyncMemory.open(settings=with_model(), namespace=namespace) as memory:
        assert (await memory.ingest(path)).ok
        [fact] = (await memory.facts("Ana", "lives_in")).facts
        assert (fact.value, len(fact.evidence), fact.conflicts) == ("Porto", 51, ())
        assert fact.valid.start == datetime(2023, 5, 1, 10, tzinfo=UTC), "it holds since it was first said"
        [period] = await memory.history("Ana", "lives_in")
        assert len(period.evidence) == 51
