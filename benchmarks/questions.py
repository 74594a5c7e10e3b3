"""The sixty questions on the sample stories: how many are answered rightly with a right citation, by story and by form.

Reads the stories and questions of tests/, ingests each story into a namespace of its own (made new, unless --namespace names one that
was filled before) and asks. Usage: python benchmarks/questions.py --uri bolt://… --password … [--held] [--show]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import sys
import uuid
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from graphmem import transcripts
from graphmem.answer import ask
from graphmem.extract.with_rules import RuleExtractor
from graphmem.graph.connection import Graph
from graphmem.graph.schema import open_store
from graphmem.ingest import Ingestion
from graphmem.providers.local_embedder import LocalEmbedder
from graphmem.records import Answer
from graphmem.settings import Settings

TESTS = Path(__file__).resolve().parent.parent / "tests"
STORIES = ("ana", "trip", "support")


@dataclass(frozen=True, slots=True)
class Outcome:
    """A question with its answer: whether the wording is right, and whether a right turn is cited."""

    question: dict[str, Any]
    answer: Answer
    worded: bool
    cited: bool

    @property
    def right(self) -> bool:
        return self.worded and self.cited


def questions(held: bool) -> list[dict[str, Any]]:
    """The questions; those that are held back only if asked for."""
    lines = (TESTS / "questions" / "stories.jsonl").read_text(encoding="utf-8").splitlines()
    return [each for each in map(json.loads, lines) if held or not each.get("held")]


def judge(question: dict[str, Any], answer: Answer) -> Outcome:
    """Whether an answer is right: it has one of the wordings as whole words, and cites a turn of the evidence."""
    if not question["answers"]:
        return Outcome(question, answer, not answer.found, not answer.found)
    worded = answer.found and any(has_words(answer.text, wording) for wording in question["answers"])
    cited = any(citation.turn_id in question["evidence"] for citation in answer.citations)
    return Outcome(question, answer, worded, cited)


def has_words(text: str, wording: str) -> bool:
    """Whether a wording occurs as whole words, upper or lower case alike."""
    return re.search(rf"(?<!\w){re.escape(wording)}(?!\w)", text, re.IGNORECASE) is not None


def asked_at(question: dict[str, Any], last: datetime) -> datetime:
    """The moment of asking: as stated, else just after the story's last turn."""
    return datetime.fromisoformat(question["asked_at"]) if "asked_at" in question else last + timedelta(minutes=1)


async def fill(graph: Graph, embedder: LocalEmbedder, story: str, namespace: str) -> datetime:
    """Ingests a story; returns the time of its last turn."""
    read = transcripts.read(TESTS / "stories" / f"{story}.jsonl", namespace)
    report = await Ingestion(graph, embedder, RuleExtractor(), Settings()).run(read.sessions, read.problems)
    if report.failed:
        raise SystemExit(f"{story}: {report.failed}")
    return max(turn.said_at for session in read.sessions for turn in session.turns)


async def run(graph: Graph, embedder: LocalEmbedder, prefix: str, *, held: bool) -> list[Outcome]:
    """Asks all questions of all stories, each in the namespace ``prefix-story``."""
    last = {story: await fill(graph, embedder, story, f"{prefix}-{story}") for story in STORIES}
    outcomes = []
    for question in questions(held):
        said_by = datetime.fromisoformat(question["said_by"]) if "said_by" in question else None
        answer = await ask(
            graph,
            embedder,
            question["question"],
            namespace=f"{prefix}-{question['story']}",
            asked_at=asked_at(question, last[question["story"]]),
            said_by=said_by,
        )
        outcomes.append(judge(question, answer))
    return outcomes


def table(outcomes: list[Outcome]) -> str:
    """Right answers by story, by form, and by whether the question was held back."""
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        groups["all"].append(outcome)
        groups["held" if outcome.question.get("held") else "open"].append(outcome)
        groups[f"story {outcome.question['story']}"].append(outcome)
        groups[f"form {outcome.question['form']}"].append(outcome)
        if outcome.question.get("held"):
            groups[f"held, {outcome.question['form']}"].append(outcome)
            groups[f"held, {outcome.question['story']}"].append(outcome)
    lines = [f"{'':24}{'right':>7}{'worded':>8}{'cited':>7}{'of':>5}"]
    for name, inside in groups.items():
        lines.append(
            f"{name:24}{sum(o.right for o in inside):7}{sum(o.worded for o in inside):8}{sum(o.cited for o in inside):7}{len(inside):5}"
        )
    return "\n".join(lines)


def shown(outcome: Outcome) -> str:
    """A question with its answer and its citations, for reading."""
    mark = "right" if outcome.right else "worded" if outcome.worded else "cited" if outcome.cited else "wrong"
    cited = ", ".join(citation.turn_id for citation in outcome.answer.citations)
    lines = [
        f"{mark:7}{outcome.question['id']}: {outcome.question['question']}",
        f"       wanted {outcome.question['answers'] or 'nothing'} from {outcome.question['evidence']}",
        f"       {outcome.answer.form}: {outcome.answer.text}",
        f"       cites {cited or 'nothing'}; plan: {'; '.join(outcome.answer.searched)}",
    ]
    return "\n".join(lines)


async def main() -> int:
    """Prints the table and what went wrong; 0 if at least nine of ten are right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--uri", default=os.environ.get("GRAPHMEM_NEO4J_URI", "bolt://localhost:7687"))
    parser.add_argument("--user", default="neo4j")
    parser.add_argument("--password", default=os.environ.get("GRAPHMEM_NEO4J_PASSWORD", ""))
    parser.add_argument(
        "--namespace", default=f"questions-{uuid.uuid4().hex[:8]}", help="prefix of the three namespaces"
    )
    parser.add_argument("--held", action="store_true", help="the questions held back too")
    parser.add_argument("--show", action="store_true", help="every answer, not only the wrong ones")
    parser.add_argument("--table", action="store_true", help="the table alone: nobody reads what is held back")
    given = parser.parse_args()
    embedder = LocalEmbedder()
    graph = await Graph.connect(given.uri, given.user, given.password)
    try:
        await open_store(graph, embedder.name, embedder.dimensions)
        outcomes = await run(graph, embedder, given.namespace, held=given.held)
    finally:
        await graph.close()
    for outcome in outcomes:
        if not given.table and (given.show or not outcome.right):
            sys.stdout.write(shown(outcome) + "\n")
    sys.stdout.write(table(outcomes) + "\n")
    return 0 if sum(o.right for o in outcomes) >= 0.9 * len(outcomes) else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
