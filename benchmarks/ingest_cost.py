"""What ingestion with a model costs, apart from the model: chat calls, prompt tokens and milliseconds a turn.

    python -m benchmarks.ingest_cost PATH/locomo10.json [--conversation 1] [--turns 400] [--runs 8]

A local service answers at once, over a real socket, from a process of its own: for each turn two mentions, one fact and half an event, a
third of the mentions left open. Tokens are counted as a quarter of the characters of all that is sent, schema included. The conversation is
ingested several times, each into a namespace of its own. All but the first take their embeddings from it, so that embedding is left out of
the times. A server that was just started compiles what it runs for the first few hundred transactions, which shows in the processor time of
the first runs; each is printed, the last in full. The server is the one that GRAPHMEM_NEO4J_URI names, else the managed one, whose
processor time is then given as well.
Aims: 0.12 calls, 400 tokens and 15 ms a turn. LoCoMo is not part of this project; its licence (CC BY-NC 4.0) allows measuring.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import multiprocessing
import re
import threading
import time
import uuid
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import psutil

from graphmem import settings as configuration
from graphmem import transcripts
from graphmem.extract.with_model import ModelExtractor
from graphmem.graph.connection import Graph
from graphmem.graph.schema import open_store
from graphmem.ingest import Ingestion, IngestReport
from graphmem.providers import LocalEmbedder
from graphmem.providers.openai_chat import ChatSettings, OpenAIChat
from graphmem.providers.service import ServiceSettings
from graphmem.records import Session
from tests.service import Received, Reply, says, serve

SYLLABLES = "ba ko lu mi ra te so ni va du pe go".split()
OFTEN = ["Zorin", "Welka", "Quint", "Yarrow", "Hespa"]
"""Names that return, so that only the first mention of each is open."""


class Remembering:
    """An embedder that computes each text once."""

    def __init__(self, inner: LocalEmbedder) -> None:
        self._inner = inner
        self._known: dict[str, list[float]] = {}
        self.name = inner.name
        self.dimensions = inner.dimensions

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """Vectors of texts."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known.update(zip(missing, self._inner.embed_documents(missing), strict=True) if missing else ())
        return [self._known[text] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question."""
        return self._inner.embed_query(text)


def invented(text: str) -> str:
    """A name that no other turn has, without digits."""
    return "".join(SYLLABLES[byte % len(SYLLABLES)] for byte in hashlib.sha256(text.encode()).digest()[:5]).capitalize()


def answer(request: Received) -> Reply:
    """For each new turn a fact, whose value is a name (two out of three are new), and for every second turn an event."""
    tokens = len(json.dumps(request.body, ensure_ascii=False)) // 4
    changing = request.body["messages"][1]["content"]
    open_mentions = re.findall(r"^\[M(\d+)\]", changing, re.M)
    pairs = re.findall(r"^\[T(\d+)\]", changing, re.M)
    if open_mentions or pairs:
        mentions = [{"m": int(m), "decision": "propose_new", "reason": "nobody like it"} for m in open_mentions]
        events = [{"t": int(t), "same": False, "reason": "another day"} for t in pairs]
        return says({"mentions": mentions, "events": events}, prompt_tokens=tokens)
    reply: dict[str, list[dict[str, Any]]] = {"entities": [], "events": [], "facts": []}
    for number, speaker, text in re.findall(
        r"^\[(\d+)\] [^A-Z]*(?:\w{3} [\d+-]+ \d\d:\d\d )?([^:\n]+): (.+)$", changing, re.M
    ):
        turn = int(number)
        name = OFTEN[turn % len(OFTEN)] if turn % 3 == 0 else invented(changing[:80] + number + text)
        quote = text.split(" [")[0][:80].strip()
        reply["entities"].append({"name": name, "type": "Topic"})
        reply["facts"].append({"turn": turn, "quote": quote, "subject": speaker, "property": "likes", "value": name})
        if turn % 2 == 0:
            parts = [{"name": speaker, "role": "Agent"}, {"name": name, "role": "Mentioned"}]
            about = {
                "subject": speaker,
                "verb": "see",
                "object": name,
                "summary": f"{speaker} saw {name}.",
                "time": "yesterday",
            }
            reply["events"].append(
                {"turn": turn, "quote": quote, "participants": parts, "aliases": ["came across", "met"], **about}
            )
    for position, event in enumerate(reply["events"], start=1):
        for fact in reply["facts"]:
            if fact["turn"] == event["turn"]:
                fact["event"] = position
    return says(reply, prompt_tokens=tokens)


def run_service(pipe: Connection) -> None:
    """The service in a process of its own; ends with the process that started it."""
    with serve(answer) as service:
        pipe.send(service.base_url)
        threading.Event().wait()


async def measure(path: Path, conversation: int, turns: int, runs: int) -> None:
    """Ingests as often and prints the last."""
    settings = configuration.from_environment()
    uri, user, password, server = settings.neo4j_uri, settings.neo4j_user, settings.neo4j_password, None
    if uri is None:
        from graphmem.server import up

        info = await asyncio.to_thread(up, settings.home)
        uri, user, password, server = info.uri, info.user, info.password, psutil.Process(info.pid)
    graph = await Graph.connect(uri, user, password or "", settings.neo4j_database)
    embedder = Remembering(LocalEmbedder(settings.cache))
    await open_store(graph, embedder.name, embedder.dimensions)
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=run_service, args=(theirs,), daemon=True)
    process.start()
    service = ServiceSettings(await asyncio.to_thread(ours.recv), "none")
    chat = OpenAIChat(ChatSettings(service, "scripted"))
    ingestion = Ingestion(graph, embedder, ModelExtractor(chat, "scripted"), settings, chat)
    own = psutil.Process()
    for number in range(1, max(2, runs) + 1):
        sessions = some(path, conversation, turns)
        before = own.cpu_times(), server.cpu_times() if server else None
        began = time.perf_counter()
        report = await ingestion.run(sessions)
        wall = time.perf_counter() - began
        after = own.cpu_times(), server.cpu_times() if server else None
        client = sum(after[0][:2]) - sum(before[0][:2])
        database = sum(after[1][:2]) - sum(before[1][:2]) if after[1] and before[1] else None
        of_server = "" if database is None else f", server {1000 * database / report.total('turns_new'):.1f}"
        print(f"run {number}: client {1000 * client / report.total('turns_new'):.1f}{of_server} ms of CPU a turn")
    show(report, wall, client, database)
    await chat.close()
    await graph.close()
    process.terminate()


def some(path: Path, conversation: int, turns: int) -> list[Session]:
    """Whole sessions of one conversation up to about so many turns, in a fresh namespace."""
    found = transcripts.read(path, f"cost-{uuid.uuid4().hex[:8]}").sessions
    names = list(dict.fromkeys(session.namespace for session in found))
    chosen: list[Session] = []
    for session in found:
        if session.namespace == names[conversation - 1] and sum(len(each.turns) for each in chosen) < turns:
            chosen.append(replace(session))
    return chosen


def show(report: IngestReport, wall: float, client: float, database: float | None) -> None:
    """The figures by turn."""
    turns = report.total("turns_new")
    usage = report.usage
    print(f"{turns} turns, {report.total('windows_added')} windows, failed {len(report.failed)}")
    print({label: report.added(label) for label in ("Entity", "Fact", "Event", "Resolution")})
    asked, fine = usage["calls"] - usage["retries"], ("resolve_calls", "resolve_prompt_tokens")
    print(f"chat calls a turn     {asked / turns:.3f}   (aim 0.12)")
    print(
        f"prompt tokens a turn  {usage['prompt_tokens'] / turns:.0f}   (aim 400)   { ({name: usage[name] for name in fine}) }"
    )
    print(f"wall ms a turn        {1000 * wall / turns:.1f}   {dict(report.seconds)}")
    print(f"client CPU ms a turn  {1000 * client / turns:.1f}")
    if database is not None:
        print(f"server CPU ms a turn  {1000 * database / turns:.1f}")
        print(f"together              {1000 * (client + database) / turns:.1f}   (aim 15)")


def main() -> None:
    """Reads the arguments."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("path", type=Path)
    parser.add_argument("--conversation", type=int, default=1)
    parser.add_argument("--turns", type=int, default=400)
    parser.add_argument("--runs", type=int, default=8)
    given = parser.parse_args()
    asyncio.run(measure(given.path, given.conversation, given.turns, given.runs))


if __name__ == "__main__":
    main()
