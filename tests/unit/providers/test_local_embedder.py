"""The local embedder, for real: what a vector depends on, and what it does not."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmem.artifacts import locked
from graphmem.errors import ProviderError
from graphmem.providers import Embedder, LocalEmbedder
from graphmem.providers.local_embedder import MAX_TOKENS, QUERY_PREFIX

TEXTS = [
    "8 May 2023, Ana: I moved to the coast last month.",
    "ok",
    "9 May 2023, Bo: The printer of the third floor is out of toner again, " * 6,
    "",
    "你好，世界",
    "8 May 2023, Ana: Look at him! [image: a dog on a sofa]",
]

GOLDEN = [0.0138, -0.0156, 0.0397, -0.0281]


@pytest.fixture(scope="module")
def embedder() -> Iterator[LocalEmbedder]:
    with LocalEmbedder() as opened:
        yield opened


def cosine(a: list[float], b: list[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def test_it_is_an_embedder_and_says_which_model_it_is(embedder: LocalEmbedder) -> None:
    assert isinstance(embedder, Embedder)
    assert (embedder.name, embedder.dimensions) == ("bge-small-en-v1.5-q", 384)


def test_vectors_have_length_one_and_the_dimensions_announced(embedder: LocalEmbedder) -> None:
    for vector in [*embedder.embed_documents(TEXTS), embedder.embed_query("Where?")]:
        assert len(vector) == embedder.dimensions
        assert math.isclose(cosine(vector, vector), 1.0, abs_tol=1e-5)


def test_a_vector_depends_on_its_text_alone(embedder: LocalEmbedder) -> None:
    together = embedder.embed_documents(TEXTS)
    assert together == [embedder.embed_documents([text])[0] for text in TEXTS]
    assert embedder.embed_documents(TEXTS[::-1]) == together[::-1]
    with LocalEmbedder(workers=5) as other:
        assert other.embed_documents(TEXTS * 3) == together * 3


def test_calls_from_several_tasks_at_once_give_the_same_vectors(embedder: LocalEmbedder) -> None:
    async def at_once() -> list[list[list[float]]]:
        return await asyncio.gather(*(asyncio.to_thread(embedder.embed_documents, TEXTS) for _ in range(4)))

    expected = embedder.embed_documents(TEXTS)
    assert asyncio.run(at_once()) == [expected] * 4


def test_a_question_is_nearest_to_what_answers_it(embedder: LocalEmbedder) -> None:
    question = embedder.embed_query("Which pet did Ana show?")
    scores = [cosine(question, vector) for vector in embedder.embed_documents(TEXTS)]
    assert max(range(len(TEXTS)), key=scores.__getitem__) == 5


def test_a_query_carries_the_instruction_and_a_document_does_not(embedder: LocalEmbedder) -> None:
    (plain, instructed) = embedder.embed_documents(["Where?", QUERY_PREFIX + "Where?"])
    assert embedder.embed_query("Where?") == instructed != plain


def test_the_vectors_are_those_of_this_model(embedder: LocalEmbedder) -> None:
    """Another model, pooling or normalisation gives other numbers; the last digits may differ from one processor to another."""
    (vector,) = embedder.embed_documents(["I moved to the coast."])
    assert vector[:4] == pytest.approx(GOLDEN, abs=0.01)


def test_what_stands_after_512_tokens_is_not_in_the_vector(embedder: LocalEmbedder) -> None:
    filled = "word " * (MAX_TOKENS - 2)
    (cut, longer, shorter) = embedder.embed_documents([filled + "cats", filled + "printers " * 50, filled[:-10]])
    assert cut == longer != shorter


@pytest.mark.parametrize(
    "text",
    ["half \ud83d pair", "nul \x00 byte", "a" * 10_000_000, " \n\t", "\U0001f469\u200d\U0001f469", "word " * 400_000],
)
def test_any_text_has_a_vector(embedder: LocalEmbedder, text: str) -> None:
    (vector,) = embedder.embed_documents([text])
    assert math.isclose(cosine(vector, vector), 1.0, abs_tol=1e-5)


def test_no_texts_have_no_vectors(embedder: LocalEmbedder) -> None:
    assert embedder.embed_documents([]) == []


def test_a_damaged_model_file_is_named(tmp_path: Path) -> None:
    (artifact,) = locked("embedder")
    jar = tmp_path / artifact.path
    jar.parent.mkdir(parents=True)
    with jar.open("wb") as file:
        file.truncate(artifact.size)
    with pytest.raises(ProviderError, match=artifact.name):
        LocalEmbedder(tmp_path)
