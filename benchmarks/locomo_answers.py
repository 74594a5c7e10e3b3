"""Answers without a model on LoCoMo, through a real Neo4j.

    python benchmarks/locomo_answers.py PATH/locomo10.json [--conversations 6-10] [--every 3] [--show]

Ingests the conversations by rules where they are not there yet, asks every question, and prints: for categories 1 to 4 the token F1 of the
short answer (of the quotation, where only words could be quoted), the share whose first citation is an evidence turn (of all, and of those
answered), the same with what is named as nearest where the memory does not say, the share whose first search hit is one, and the share
refused; for category 5, which cannot be answered, the share refused. The server is the one that
GRAPHMEM_NEO4J_URI names, with GRAPHMEM_NEO4J_USER and GRAPHMEM_NEO4J_PASSWORD. LoCoMo is not part of this project; its licence
(CC BY-NC 4.0) allows measuring.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import string
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from graphmem import settings as configuration
from graphmem import transcripts
from graphmem.answer import ask
from graphmem.extract.with_rules import RuleExtractor
from graphmem.graph.connection import Graph
from graphmem.graph.schema import open_store
from graphmem.ingest import Ingestion
from graphmem.providers.local_embedder import LocalEmbedder
from graphmem.records import Answer
from graphmem.search import search_turns

NAMES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "unanswerable"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of the data set with what came back."""

    category: int
    question: str
    wanted: str
    evidence: tuple[str, ...]
    answer: Answer
    first_hit: str | None

    @property
    def short(self) -> str:
        """What is compared with the wanted answer."""
        if not self.answer.found:
            return ""
        return str(
            self.answer.details.get("short") or (self.answer.citations[0].quote if self.answer.citations else "")
        )

    @property
    def cites(self) -> bool:
        return bool(self.answer.citations) and self.answer.citations[0].turn_id in self.evidence

    @property
    def shows(self) -> bool:
        """Whether the first turn shown is evidence, be it cited or, where the memory does not say, named as the nearest."""
        shown = self.answer.citations or self.answer.details.get("nearest", ())
        return bool(shown) and shown[0].turn_id in self.evidence


def tokens(text: str) -> list[str]:
    """Words as the SQuAD scorer compares them: lower case, without articles and punctuation."""
    plain = "".join(ch for ch in text.lower() if ch not in string.punctuation)
    return [word for word in plain.split() if word not in ("a", "an", "the", "and")]


def f1(given: str, wanted: str) -> float:
    """Harmonic mean of the precision and recall of words (Rajpurkar et al., SQuAD, EMNLP 2016, section 6.1)."""
    mine, theirs = tokens(given), tokens(wanted)
    common = sum((Counter(mine) & Counter(theirs)).values())
    if common == 0:
        return 0.0
    precision, recall = common / len(mine), common / len(theirs)
    return 2 * precision * recall / (precision + recall)


def evidence_ids(raw: list[str] | None) -> tuple[str, ...]:
    """Turn ids, malformed ones mended as the recall scorer does."""
    found = []
    for text in raw or []:
        found += [f"D{int(a)}:{int(b)}" for a, b in re.findall(r"D(\d+):(\d+)", re.sub(r"D:(\d+:\d+)", r"D\1", text))]
    return tuple(found)


def samples(path: Path, first: int, last: int) -> Iterator[dict[str, Any]]:
    """The conversations by position."""
    for position, sample in enumerate(json.loads(path.read_text(encoding="utf-8")), 1):
        if first <= position <= last:
            yield sample


async def ask_all(given: argparse.Namespace) -> list[Asked]:
    """Ingests what is missing and asks."""
    settings = configuration.from_environment()
    if settings.neo4j_uri is None:
        raise SystemExit("set GRAPHMEM_NEO4J_URI (and GRAPHMEM_NEO4J_PASSWORD)")
    embedder = LocalEmbedder(settings.cache)
    graph = await Graph.connect(settings.neo4j_uri, settings.neo4j_user, settings.neo4j_password or "")
    first, last = (int(x) for x in given.conversations.split("-"))
    try:
        await open_store(graph, embedder.name, embedder.dimensions)
        read = transcripts.read(given.data, namespace=given.namespace)
        chosen = {f"{given.namespace}-{sample['sample_id']}" for sample in samples(given.data, first, last)}
        sessions = [session for session in read.sessions if session.namespace in chosen]
        await Ingestion(graph, embedder, RuleExtractor(), settings).run(sessions, read.problems)
        found = []
        for sample in samples(given.data, first, last):
            namespace = f"{given.namespace}-{sample['sample_id']}"
            end = max(turn.said_at for session in sessions if session.namespace == namespace for turn in session.turns)
            for question in sample["qa"][:: given.every]:
                found.append(await _ask(graph, embedder, namespace, question, end + timedelta(minutes=1)))
        return found
    finally:
        await graph.close()


async def _ask(
    graph: Graph, embedder: LocalEmbedder, namespace: str, question: dict[str, Any], asked_at: datetime
) -> Asked:
    text = question["question"].strip()
    answer = await ask(graph, embedder, text, namespace=namespace, asked_at=asked_at)
    hits = await search_turns(graph, embedder, text, namespace=namespace, limit=1)
    return Asked(
        question["category"],
        text,
        str(question.get("answer", "")),
        evidence_ids(question.get("evidence")),
        answer,
        hits[0].turn_id if hits else None,
    )


def table(found: list[Asked]) -> str:
    """The figures, in percent."""
    groups: dict[str, list[Asked]] = defaultdict(list)
    for each in sorted(found, key=lambda one: one.category):
        groups[NAMES[each.category]].append(each)
        if each.category != 5:
            groups["1-4"].append(each)
    lines = [
        "| group | n | F1 | first citation | of those answered | first turn shown | first hit | refused |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, inside in groups.items():
        lines.append(
            f"| {name} | {len(inside)} | {_mean([f1(one.short, one.wanted) for one in inside])}"
            f" | {_mean([one.cites for one in inside])} | {_mean([one.cites for one in inside if one.answer.found])}"
            f" | {_mean([one.shows for one in inside])} | {_mean([one.first_hit in one.evidence for one in inside])}"
            f" | {_mean([not one.answer.found for one in inside])} |"
        )
    return "\n".join(lines)


def _mean(values: list[float] | list[bool]) -> str:
    return f"{100 * sum(values) / len(values):.1f}" if values else "-"


def shown(one: Asked) -> str:
    """A question and its answer, for reading."""
    cited = ", ".join(c.turn_id for c in one.answer.citations)
    return (
        f"{one.category} {one.question}\n   wanted {one.wanted!r} from {list(one.evidence)}; first hit {one.first_hit}\n"
        f"   {one.answer.form} {'' if one.answer.found else 'REFUSED '}{one.short!r} citing {cited}\n   {'; '.join(one.answer.searched)}"
    )


def main() -> None:
    """Asks and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="locomo10.json")
    parser.add_argument("--conversations", default="1-10", help="by position, such as 6-10")
    parser.add_argument("--namespace", default="answers-locomo", help="prefix of the namespaces")
    parser.add_argument("--every", type=int, default=1, help="ask every n-th question only")
    parser.add_argument("--show", action="store_true", help="every question with its answer")
    given = parser.parse_args()
    began = time.perf_counter()
    found = asyncio.run(ask_all(given))
    if given.show:
        for one in found:
            sys.stdout.write(shown(one) + "\n")
    sys.stdout.write(table(found) + "\n")
    sys.stdout.write(f"{len(found)} questions in {time.perf_counter() - began:.0f} s, ingestion included\n")


if __name__ == "__main__":
    main()
