"""A cross-encoder on this machine, run by fastembed (the extra ``graphmem[rerank]``) over onnxruntime. The only importer of fastembed.

The model is a folder with its ONNX file, tokenizer.json and tokenizer_config.json, or a name that fastembed knows, which it fetches once.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from graphmem.errors import ConfigurationError, ProviderError

if TYPE_CHECKING:
    from fastembed.rerank.cross_encoder import TextCrossEncoder

_FILES = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")
"""Where a folder has its model, in the order in which they are looked for."""
_BATCH = 16
"""Texts that are scored at once; each batch is as wide as its longest text, so that wider ones cost more padding than they save."""


class LocalReranker:
    """A :class:`~graphmem.providers.protocols.Reranker`. Loads its model when it is first asked; safe to call from many tasks.

    Scores are the logistic function of the model's own, which keeps their order. What is longer than the model's window is cut there.

    Args:
        model: A folder, or a name that fastembed knows.
        cache: Folder where a model that has a name is kept.
        threads: Threads that one batch is scored with.

    Raises:
        ConfigurationError: the extra is not installed, the folder holds no model, or the name is not known.
    """

    def __init__(self, model: str, cache: Path, *, threads: int | None = None) -> None:
        if find_spec("fastembed") is None:
            raise ConfigurationError(
                f"reranking with the local model {model!r} needs the extra graphmem[rerank]: pip install 'graphmem[rerank]', "
                "or set GRAPHMEM_RERANKER to none"
            )
        folder = Path(model).expanduser()
        self.name = folder.name if folder.is_dir() else model
        self._folder = folder.resolve() if folder.is_dir() else None
        self._file = "" if self._folder is None else _file_of(self._folder)
        self._model = model if self._folder is None else str(self._folder)
        self._cache, self._threads = cache, threads
        self._lock = threading.Lock()
        self._encoder: TextCrossEncoder | None = None
        self._problem: str | None = None
        if self._folder is None:
            _check_name(model)

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """How relevant each text is to the query, in [0, 1], by position. A blank text is not scored and gets 0.

        Raises:
            ProviderError: the model cannot be fetched, loaded or run.
        """
        places = [place for place, text in enumerate(texts) if text.strip()]
        scores = [0.0] * len(texts)
        if query.strip() and places:
            found = await asyncio.to_thread(self._score, query, [texts[place] for place in places])
            for place, score in zip(places, found, strict=True):
                scores[place] = score
        return scores

    async def close(self) -> None:
        """Lets go of the model."""
        self._encoder = None

    def _score(self, query: str, texts: list[str]) -> list[float]:
        with self._lock:
            encoder = self._loaded()
            try:
                raw = np.array(list(encoder.rerank(query, texts, batch_size=_BATCH)), dtype=np.float64)
            except Exception as exc:  # whatever onnxruntime makes of a file that somebody else wrote
                raise ProviderError(f"the model cannot be run: {exc}") from exc
        if not np.isfinite(raw).all():
            raise ProviderError("the model gave scores that are no numbers")
        return [float(score) for score in 1.0 / (1.0 + np.exp(-np.clip(raw, -500.0, 500.0)))]

    def _loaded(self) -> TextCrossEncoder:
        if self._problem is not None:
            raise ProviderError(self._problem)
        if self._encoder is None:
            try:
                self._encoder = self._load()
            except (
                Exception
            ) as exc:  # a hub that cannot be reached, a file that is no model: many kinds, and none of them ours
                # Kept, so that a search without a network does not wait for it again and again.
                self._problem = f"the model {self._model} cannot be loaded: {exc}"
                raise ProviderError(self._problem) from exc
        return self._encoder

    def _load(self) -> TextCrossEncoder:
        from fastembed.common.model_description import ModelSource
        from fastembed.rerank.cross_encoder import TextCrossEncoder

        if self._folder is None:
            return TextCrossEncoder(self._model, cache_dir=str(self._cache), threads=self._threads)
        if all(each["model"] != self._model for each in TextCrossEncoder.list_supported_models()):
            # A source is asked for, and not used: the folder is given.
            TextCrossEncoder.add_custom_model(self._model, ModelSource(hf=self._model), model_file=self._file)
        return TextCrossEncoder(self._model, threads=self._threads, specific_model_path=self._model)


def _file_of(folder: Path) -> str:
    for name in _FILES:
        if (folder / name).is_file():
            return name
    raise ConfigurationError(f"{folder} holds no reranking model; one of {', '.join(_FILES)} must be there")


def _check_name(model: str) -> None:
    from fastembed.rerank.cross_encoder import TextCrossEncoder

    known = [str(each["model"]) for each in TextCrossEncoder.list_supported_models()]
    if model.lower() not in {name.lower() for name in known}:
        raise ConfigurationError(
            f"rerank_model is {model!r}, which is neither a folder nor a name that fastembed knows; it knows {', '.join(known)}"
        )
