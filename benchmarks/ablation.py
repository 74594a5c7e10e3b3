"""What each stage of search adds on LoCoMo: each turned off in turn, the paired difference and its 95 % interval.

    python benchmarks/ablation.py PATH/locomo10.json PATH/locomo_recall.py [--conversations 1-10] [--namespace NAME] [--only STAGE ...]

Searches what benchmarks/recall.py has ingested. A question's candidates are fetched once, since ranking is a pure function of them; only
what changes the candidates fetches them anew. Figures are percent: the share of a question's evidence among the first ten (R@10), all of it
there (A@10), among the first fifty (R@50), the reciprocal rank of the first (MRR), all over categories 1 to 4, and R@10 of a few
categories. Differences are against the full search, over the same questions; intervals by bootstrap over questions (10,000 samples, fixed
seed). The server is chosen as in benchmarks/recall.py.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent))

from recall import NAMESPACE, connect

from graphmem import settings as configuration
from graphmem.graph.connection import Graph
from graphmem.providers import LocalEmbedder
from graphmem.search.candidates import candidates
from graphmem.search.filters import Filter
from graphmem.search.ranking import rank
from graphmem.search.settings import SearchSettings
from graphmem.search.turns import in_order

FULL = SearchSettings()
STAGES: Mapping[str, SearchSettings] = {
    "all stages": FULL,
    "no words": replace(FULL, text_weight=0.0),
    "no meaning": replace(FULL, text_weight=1.0),
    "ranks fused, not scores": replace(FULL, fusion="reciprocal_rank"),
    "no neighbours' words": replace(FULL, neighbour_words=0.0),
    "no neighbours' meaning": replace(FULL, neighbour_meaning=0.0),
    "no session prior": replace(FULL, session_weight=0.0),
    "no events": replace(FULL, event_weight=0.0),
    "no links of the graph": replace(FULL, link_weight=0.0),
    "no time asked about": replace(FULL, dated_weight=0.0),
    "no speaker boost": replace(FULL, speaker_weight=0.0),
    "questions count like statements": replace(FULL, question_weight=0.0),
    "times count like other words": replace(FULL, time_weight=0.0, asked_time_weight=0.0),
    "name not put in first person": replace(FULL, first_person=False),
}
FETCHED_ANEW = {"no events", "name not put in first person"}
"""The candidates of links and of the time asked about are few; without their weight they count by words and meaning."""
FIGURES = ("R@10", "A@10", "R@50", "MRR")
GROUPS = {"multi-hop": {1}, "temporal": {2}, "unanswerable": {5}}
SAMPLES = 10_000

Rows = dict[str, list[dict[str, float]]]


def load_scorer(path: Path) -> ModuleType:
    """The scorer as a module, for its reading of the data and its figures."""
    spec = importlib.util.spec_from_file_location("scorer", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


async def score(
    args: argparse.Namespace, scorer: ModuleType, stages: Mapping[str, SearchSettings]
) -> tuple[Rows, list[int]]:
    """The figures of every question under every setting, and the questions' categories."""
    settings = configuration.from_environment()
    embedder = LocalEmbedder(settings.cache)
    graph = await connect(settings, embedder)
    first, last = (int(part) for part in args.conversations.split("-"))
    rows: Rows = {name: [] for name in stages}
    categories: list[int] = []
    for position, (conversation, _, questions) in enumerate(scorer.load(args.data), 1):
        if not first <= position <= last:
            continue
        names = await sources(graph, f"{args.namespace}-{conversation}")
        for question, category, evidence in questions:
            if not evidence:
                continue
            categories.append(category)
            asked = Filter(f"{args.namespace}-{conversation}")
            usual = await candidates(graph, embedder, question, asked, FULL)
            for name, chosen in stages.items():
                found = await candidates(graph, embedder, question, asked, chosen) if name in FETCHED_ANEW else usual
                order = in_order(found.pool, rank(found.pool, found.reading, found.counts, chosen))
                rows[name].append(scorer.row([names[found.pool.ids[place]] for place in order[:50]], evidence))
        print(f"{conversation}: {len(categories)} questions so far", file=sys.stderr, flush=True)
    await graph.close()
    return rows, categories


async def sources(graph: Graph, namespace: str) -> dict[str, str]:
    """The turns' names in the source by their identifiers."""
    from graphmem.graph.queries import parse

    query = parse(
        "turn_names",
        "// Names of turns.\n// Parameters: $namespace\nCYPHER 25\n"
        "MATCH (t:Turn) WHERE t.namespace = $namespace RETURN t.id AS id, t.source_id AS name",
    )
    return {row["id"]: row["name"] for row in await graph.read(query, namespace=namespace)}


def interval(differences: NDArray[np.float64]) -> tuple[float, float]:
    """The 95 % interval of a mean by bootstrap over its members."""
    rng = np.random.default_rng(5)
    means = [rng.choice(differences, len(differences)).mean() for _ in range(SAMPLES)]
    return float(np.percentile(means, 2.5)), float(np.percentile(means, 97.5))


def show(rows: Rows, categories: list[int]) -> None:
    """Prints the table."""
    kinds = np.array(categories)
    answerable = kinds != 5
    print(
        "| stages | "
        + " | ".join(FIGURES)
        + " | "
        + " | ".join(GROUPS)
        + " | R@10 against all stages, with 95 % interval |"
    )
    print("|" + "---|" * (len(FIGURES) + len(GROUPS) + 2))
    full = np.array([row["R@10"] for row in rows["all stages"]])[answerable]
    for name, own in rows.items():
        figures = [np.mean(np.array([row[f] for row in own])[answerable]) for f in FIGURES]
        figures += [
            np.mean(np.array([row["R@10"] for row in own])[np.isin(kinds, list(each))]) for each in GROUPS.values()
        ]
        difference = np.array([row["R@10"] for row in own])[answerable] - full
        low, high = interval(difference)
        shown = (
            "" if name == "all stages" else f"{difference.mean() * 100:+.1f} ({low * 100:+.1f} to {high * 100:+.1f})"
        )
        print(f"| {name} | " + " | ".join(f"{figure * 100:.1f}" for figure in figures) + f" | {shown} |")


def main() -> None:
    """Scores and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="locomo10.json")
    parser.add_argument("scorer", type=Path, help="locomo_recall.py")
    parser.add_argument("--conversations", default="1-10", help="by position, such as 1-5")
    parser.add_argument("--namespace", default=NAMESPACE)
    parser.add_argument("--only", nargs="*", help="stages of the table; all without it")
    args = parser.parse_args()
    stages = {
        name: chosen for name, chosen in STAGES.items() if name == "all stages" or not args.only or name in args.only
    }
    rows, categories = asyncio.run(score(args, load_scorer(args.scorer), stages))
    show(rows, categories)


if __name__ == "__main__":
    main()
