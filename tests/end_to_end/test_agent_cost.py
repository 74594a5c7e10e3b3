"""What answering with a model may cost at most, for each form of question, on a sample story with a reference script as the model."""

from __future__ import annotations

from benchmarks.agent_cost import (
    MOST_FIXED,
    MOST_OBSERVATION,
    MOST_PROMPT,
    MOST_ROUNDS,
    SCRIPTS,
    STORY,
    ask,
    fixed_part,
)
from graphmem import transcripts
from graphmem.extract.with_rules import RuleExtractor
from graphmem.graph.connection import Graph
from graphmem.ingest import Ingestion
from graphmem.providers.local_embedder import LocalEmbedder
from graphmem.settings import Settings
from tests.end_to_end.agent_world import trace_of


async def test_each_form_of_question_stays_within_its_tokens_and_rounds(
    graph: Graph, embedder: LocalEmbedder, namespace: str
) -> None:
    read = transcripts.read(STORY, namespace)
    await Ingestion(graph, embedder, RuleExtractor(), Settings()).run(read.sessions, read.problems)
    last = max(turn.said_at for session in read.sessions for turn in session.turns)
    assert len(SCRIPTS) >= 14
    for script in SCRIPTS:
        answer, wire = await ask(graph, embedder, namespace, last, script)
        trace = trace_of(answer)
        assert answer.found == bool(script.quotes), script.form
        assert trace.rounds <= MOST_ROUNDS, script.form
        assert max(trace.prompt_tokens, wire) <= MOST_PROMPT, script.form
        assert fixed_part(trace) <= MOST_FIXED, script.form
        assert trace.mean_observation <= MOST_OBSERVATION, script.form
