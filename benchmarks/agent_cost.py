"""What answering with a model costs: prompt tokens of each form of question, asked by a reference script on a sample story.

    python benchmarks/agent_cost.py --uri bolt://… --password … [--show FORM]

A scripted model on loopback plays the part of a careful one: it plans, makes the calls that the form asks for in at most three rounds
(several at once), and answers with words that it was shown. So the figures are those of the program (prompt, tools, schema, plan, first
retrieval, observations), not of a model's habits. Tokens are estimates, a quarter of the ASCII characters and one for each other character;
beside them stands a quarter of all characters that went over the wire, JSON and all.

Limits: all prompts of a question together 20,000, the fixed part 3,000, an observation on average 600. Exit code 1 if one is passed or an
answer is not found, or found where the story does not say.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import sys
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from graphmem import transcripts  # noqa: E402
from graphmem.answer.agent import AgentSettings, Trace, ask_with_model  # noqa: E402
from graphmem.extract.with_rules import RuleExtractor  # noqa: E402
from graphmem.graph.connection import Graph  # noqa: E402
from graphmem.graph.schema import open_store  # noqa: E402
from graphmem.ingest import Ingestion  # noqa: E402
from graphmem.providers.local_embedder import LocalEmbedder  # noqa: E402
from graphmem.providers.openai_chat import ChatSettings, OpenAIChat  # noqa: E402
from graphmem.providers.service import ServiceSettings  # noqa: E402
from graphmem.records import Answer  # noqa: E402
from graphmem.settings import Settings  # noqa: E402
from tests.service import Received, Reply, calls_tools, says, serve  # noqa: E402

MOST_PROMPT, MOST_FIXED, MOST_OBSERVATION, MOST_ROUNDS = 20_000, 3_000, 600, 3
STORY = ROOT / "tests" / "stories" / "ana.jsonl"

Calls = Sequence[tuple[str, dict[str, Any]]]


@dataclass(frozen=True)
class Script:
    """A question, the rounds of calls that answer it, and the answer with the words to quote (none: the story does not say)."""

    form: str
    question: str
    operations: tuple[str, ...]
    rounds: tuple[Calls, ...]
    answer: str
    quotes: tuple[str, ...] = ()


def lookup(name: str, *properties: str, as_of: str | None = None) -> tuple[str, dict[str, Any]]:
    """A call of entity_lookup."""
    given: dict[str, Any] = {"name": name}
    if properties:
        given["properties"] = list(properties)
    return ("entity_lookup", given if as_of is None else {**given, "as_of": as_of})


def search(query: str, **more: Any) -> tuple[str, dict[str, Any]]:
    """A call of search."""
    return ("search", {"query": query, **more})


def cypher(query: str) -> tuple[str, dict[str, Any]]:
    """A call of cypher."""
    return ("cypher", {"query": query})


EVENTS = (
    "MATCH (v:Event)-[:INVOLVES]->(:Entity {{name: 'Ana'}}) WHERE v.starts_at >= datetime('{0}') AND v.starts_at < datetime('{1}') "
    "RETURN v.id, v.summary, v.starts_at ORDER BY v.starts_at"
)
WORK = (
    "MATCH (:Entity {name: 'Ana'})-[:HAS_FACT]->(f:Fact)-[:SUPPORTED_BY]->(q:Evidence) WHERE f.property IN ['works_at', 'works_as'] "
    "RETURN f.property, f.value, f.polarity, f.valid_from, f.valid_to, q.id ORDER BY f.valid_from"
)
MONTHS = (
    "MATCH (f:Fact {property: 'works_at'}) WHERE f.valid_to < datetime('9999-01-01') "
    "RETURN f.id, f.value, duration.inMonths(f.valid_from, f.valid_to).months AS months"
)

SCRIPTS = (
    Script(
        "single fact",
        "What is the name of Ana's dog?",
        ("latest",),
        ((lookup("Ana", "has_pet"), search("Ana's dog")),),
        "Biscuit",
        ("Biscuit",),
    ),
    Script(
        "current value",
        "Where does Ana live now?",
        ("latest",),
        ((lookup("Ana", "lives_in"), search("where Ana lives now", since="2024-01-01")),),
        "Porto",
        ("Porto",),
    ),
    Script(
        "value at a time",
        "Where did Ana live a year ago?",
        ("latest",),
        ((lookup("Ana", "lives_in", as_of="2023-07-01"), search("where Ana lives", until="2023-07-01")),),
        "Berlin",
        ("Berlin",),
    ),
    Script(
        "history",
        "Where has Ana worked?",
        ("list", "order"),
        ((lookup("Ana", "works_at"), cypher(WORK)), (search("Ana started a new job"),)),
        "At Kestrel & Thorn, and before that elsewhere",
        ("Kestrel",),
    ),
    Script(
        "before an event",
        "Where did Ana live before Lisbon?",
        ("order",),
        ((lookup("Ana", "lives_in"), search("Ana moved to Lisbon")), (("search_events", {"query": "Ana moved", "until": "2023-12-31"}),)),
        "Berlin",
        ("Berlin",),
    ),
    Script(
        "after an event",
        "Where did Ana work after Kestrel & Thorn?",
        ("order",),
        ((lookup("Ana", "works_at"), search("left Kestrel & Thorn, new job")), (("search_turns", {"query": "Bluefern"}),)),
        "Bluefern",
        ("Bluefern",),
    ),
    Script(
        "first",
        "Where did Ana work first?",
        ("order",),
        ((cypher(WORK), search("Ana's job at the front desk")),),
        "Hotel Alecrim",
        ("Hotel Alecrim",),
    ),
    Script(
        "count in a period",
        "How many times did Ana move between 2022 and 2024?",
        ("count",),
        ((cypher(EVENTS.format("2022-01-01", "2025-01-01")), search("Ana moved to another city")), (("grep_turns", {"text": "moved"}),)),
        "2",
        ("moved",),
    ),
    Script(
        "duration between events",
        "How long did Ana work at Kestrel & Thorn?",
        ("duration",),
        (
            (lookup("Ana", "works_at"), search("Kestrel & Thorn")),
            (cypher(MONTHS),),
        ),
        "8 months",
        ("Kestrel",),
    ),
    Script(
        "two hops",
        "When was the daughter of Ana's friend Tom born?",
        ("order",),
        ((lookup("Tom", "has_daughter", "has_child"), lookup("Tom")), (lookup("Maya"), search("Maya was born"))),
        "29 July 2023",
        ("Maya",),
    ),
    Script(
        "changed",
        "How has Ana's opinion of running changed?",
        ("compare", "order"),
        ((lookup("Ana", "likes", "dislikes"), search("running")), (("grep_turns", {"text": "running"}),)),
        "She came to love running",
        ("running",),
    ),
    Script(
        "who else",
        "Who else is a vegetarian besides Ana?",
        ("list",),
        ((search("vegetarian"), ("grep_turns", {"text": "vegetarian"})),),
        "Nina",
        ("a vegetarian since New Year's Day, like Nina",),
    ),
    Script(
        "open",
        "How did Ana really break her wrist?",
        ("open",),
        ((search("Ana broke her wrist"), ("grep_turns", {"text": "wrist"})),),
        "She slipped on the ice",
        ("wrist",),
    ),
    Script(
        "unanswerable",
        "What is the name of Tom's dog?",
        ("latest",),
        ((lookup("Tom", "has_pet"), search("Tom's dog")), (("grep_turns", {"text": "dog"}), ("search_events", {"query": "Tom dog"}))),
        "No dog of Tom's is spoken of.",
    ),
)  # fmt: skip


class Careful:
    """The reference model of one question: gives the rounds in turn, then the answer, reading handles off what it was sent."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self._rounds = list(script.rounds)

    def __call__(self, request: Received) -> Reply:
        script = self.script
        if request.mode != "text":
            bullets = [
                f"Targets: {script.question}",
                f"Operations: {', '.join(script.operations)}",
                "Evidence: the words that say it",
            ]
            return says({"bullets": bullets, "targets": ["Ana"], "operations": list(script.operations)})
        if self._rounds:
            return calls_tools(*self._rounds.pop(0))
        cited = [{"source": handle_of(request, words), "quote": words} for words in script.quotes]
        return calls_tools(("answer", {"found": bool(script.quotes), "answer": script.answer, "citations": cited}))


def handle_of(request: Received, words: str) -> str:
    """The handle of a line in which these words stand."""
    for line in request.prompt.split("\n"):
        for part in line.split(" | "):
            named = re.match(r"\s*(?:\S+: )?([tq]\d+) ", part)
            if named is not None and words in part:
                return named[1]
    return "t0"


async def ask(
    graph: Graph, embedder: LocalEmbedder, namespace: str, last: datetime, script: Script
) -> tuple[Answer, float]:
    """The answer, and a quarter of the characters that were sent."""
    with serve(Careful(script)) as service:
        chat = OpenAIChat(ChatSettings(ServiceSettings(base_url=service.base_url, api_key="none"), "gpt-4o-mini"))
        answer = await ask_with_model(
            graph, embedder, chat, script.question, namespace=namespace, asked_at=last, agent=AgentSettings()
        )
        await chat.close()
        sent = sum(len(json.dumps(request.body, ensure_ascii=False)) for request in service.chats)
    return answer, sent / 4


def fixed_part(trace: Trace) -> int:
    """Tokens of prompt, tools, schema and plan: the first request without what the first retrieval found."""
    seed = sum(entry.tokens for entry in trace.entries if entry.kind == "seeded")
    return trace.replied[0].tokens.estimated - seed


async def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--uri", default=os.environ.get("GRAPHMEM_NEO4J_URI", "bolt://localhost:7687"))
    parser.add_argument("--user", default=os.environ.get("GRAPHMEM_NEO4J_USER", "neo4j"))
    parser.add_argument("--password", default=os.environ.get("GRAPHMEM_NEO4J_PASSWORD", ""))
    parser.add_argument("--namespace", help="where the story was ingested before; made new if not given")
    parser.add_argument("--show", help="prints what the model is sent and told for one form")
    options = parser.parse_args()
    embedder = LocalEmbedder(Settings().cache)
    graph = await Graph.connect(options.uri, options.user, options.password)
    await open_store(graph, embedder.name, embedder.dimensions)
    namespace = options.namespace or f"agent-cost-{uuid.uuid4().hex[:8]}"
    read = transcripts.read(STORY, namespace)
    await Ingestion(graph, embedder, RuleExtractor(), Settings()).run(read.sessions, read.problems)
    last = max(turn.said_at for session in read.sessions for turn in session.turns)
    passed = True
    print(
        f"{'form':<24} {'rounds':>6} {'calls':>5} {'prompts':>8} {'wire/4':>8} {'fixed':>5} {'seed':>5} "
        f"{'mean obs.':>9} {'worst':>6}  answer"
    )
    for script in SCRIPTS:
        if options.show not in (None, script.form):
            continue
        answer, wire = await ask(graph, embedder, namespace, last, script)
        trace = answer.details["trace"]
        assert isinstance(trace, Trace)
        seed = sum(entry.tokens for entry in trace.entries if entry.kind == "seeded")
        worst = max((entry.tokens for entry in trace.observed), default=0)
        held = (
            trace.prompt_tokens <= MOST_PROMPT
            and trace.mean_observation <= MOST_OBSERVATION
            and fixed_part(trace) <= MOST_FIXED
            and trace.rounds <= MOST_ROUNDS
            and answer.found == bool(script.quotes)
        )
        passed &= held
        print(
            f"{script.form:<24} {trace.rounds:>6} {len(trace.observed):>5} {trace.prompt_tokens:>8} {wire:>8.0f} "
            f"{fixed_part(trace):>5} {seed:>5} "
            f"{trace.mean_observation:>9.0f} {worst:>6}  {'' if held else 'FAILS '}{answer.text[:70]!r}"
        )
        if options.show is not None:
            for entry in trace.entries:
                print(f"--- {entry.kind}\n{getattr(entry, 'text', '')}{getattr(entry, 'plan', '')}")
    await graph.close()
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
