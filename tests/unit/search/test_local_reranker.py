"""The local cross-encoder: a real model in a real folder, run by the library that the extra brings."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from graphmem.errors import ConfigurationError, ProviderError
from graphmem.providers import local_reranker
from graphmem.providers.local_reranker import LocalReranker
from graphmem.providers.protocols import Reranker
from tests.unit.search.tiny_cross_encoder import build

TEXTS = ["the boat is blue", "Ana sold the boat", "", "nothing of it"]
ASKED = "Who sold the boat"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a model whose scores are the numbers of words in common."""
    return build(tmp_path_factory.mktemp("models") / "overlap", " ".join([ASKED, *TEXTS]))


async def test_each_text_is_read_with_the_question_and_scored_by_position(model: Path, tmp_path: Path) -> None:
    reranker = LocalReranker(str(model), tmp_path)
    assert isinstance(reranker, Reranker)
    assert reranker.name == "overlap"
    scores = await reranker.rerank(ASKED, TEXTS)
    assert scores == [pytest.approx(each) for each in (_logistic(2), _logistic(3), 0.0, _logistic(0))]


async def test_more_texts_than_one_batch_keep_their_places(model: Path, tmp_path: Path) -> None:
    texts = ["Ana sold the boat" if number % 7 == 0 else f"nothing {'of it ' * (number % 5)}" for number in range(40)]
    scores = await LocalReranker(str(model), tmp_path).rerank(ASKED, texts)
    assert [place for place, score in enumerate(scores) if score > 0.9] == [0, 7, 14, 21, 28, 35]


async def test_a_text_longer_than_the_window_is_cut_and_scored(model: Path, tmp_path: Path) -> None:
    [score] = await LocalReranker(str(model), tmp_path).rerank(ASKED, ["boat " * 500])
    assert score > 0.9


async def test_two_rerankers_of_one_folder_stand_beside_each_other(model: Path, tmp_path: Path) -> None:
    for _ in range(2):
        assert (await LocalReranker(str(model), tmp_path).rerank(ASKED, ["boat"]))[0] == pytest.approx(_logistic(1))


async def test_a_file_that_is_no_model_is_a_failure_of_the_model(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"no model at all")
    reranker = LocalReranker(str(tmp_path), tmp_path)
    for _ in range(2):
        with pytest.raises(ProviderError, match="cannot be loaded"):
            await reranker.rerank(ASKED, TEXTS)


def test_a_folder_without_a_model_is_refused_naming_what_is_looked_for(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"model\.onnx"):
        LocalReranker(str(tmp_path), tmp_path)


def test_an_unknown_name_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigurationError, match=r"neither a folder nor a name that fastembed knows; it knows .*MiniLM"
    ):
        LocalReranker("no-such/model", tmp_path)


def test_without_the_extra_the_message_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_reranker, "find_spec", lambda name: None)
    with pytest.raises(ConfigurationError, match=r"graphmem\[rerank\]"):
        LocalReranker("Xenova/ms-marco-MiniLM-L-6-v2", tmp_path)


def _logistic(value: float) -> float:
    return 1.0 / (1.0 + math.exp(-value))
