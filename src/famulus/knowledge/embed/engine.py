"""One loaded encoder: token batches in, unit vectors out. Synchronous; `worker.py` decides in which thread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from famulus.knowledge.embed.graph import unpack
from famulus.knowledge.embed.prepare import prepared_folder
from famulus.knowledge.embed.tokens import PAD, Tokens, read_tokens
from famulus.knowledge.embed.weights import BLOCK, BLOCK_BYTES, DIM

# Larger batches are not faster on a CPU, and a query waits behind at most one of them.
BATCH_TOKENS = 2048

Array = NDArray[np.float32] | NDArray[np.int32]


class _Session(Protocol):
    def run(self, output_names: None, inputs: dict[str, Array]) -> list[NDArray[np.float32]]: ...


class _Options(Protocol):
    intra_op_num_threads: int
    inter_op_num_threads: int
    log_severity_level: int

    def add_session_config_entry(self, key: str, value: str) -> None: ...


class _Runtime(Protocol):
    """The part of `onnxruntime`, which has no type information, that is used here."""

    def SessionOptions(self) -> _Options: ...

    def disable_telemetry_events(self) -> None: ...

    def InferenceSession(self, path: str, options: _Options, *, providers: list[str]) -> _Session: ...


def load(cache: Path, threads: int) -> Engine:
    """A ready engine; prepares its files on first use. Takes 1-2 s of CPU time, and 340-490 MB while it lives."""
    folder = prepared_folder(cache)
    words = np.memmap(folder / "words.q4", np.uint8, "r").reshape(-1, DIM // BLOCK, BLOCK_BYTES)
    positions = np.asarray(np.load(folder / "positions.npy"), np.float32)
    return Engine(_session(folder / "model.onnx", threads), read_tokens(folder), words, positions)


def _session(path: Path, threads: int) -> _Session:
    runtime = cast(_Runtime, import_module("onnxruntime"))
    runtime.disable_telemetry_events()
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Waiting threads sleep instead of burning a core between batches.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    return runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


class Engine:
    """Usable from several threads at once."""

    def __init__(
        self, session: _Session, tokens: Tokens, words: NDArray[np.uint8], positions: NDArray[np.float32]
    ) -> None:
        self._session = session
        self._tokens = tokens
        self._words = words
        self._positions = positions

    def batches(self, texts: Sequence[str]) -> Iterator[tuple[list[int], list[list[int]]]]:
        """Groups texts of like length: pairs of positions in `texts` and their token ids."""
        encoded = [self._tokens.ids(text) for text in texts]
        order = sorted(range(len(encoded)), key=lambda index: len(encoded[index]))
        batch: list[int] = []
        for index in order:
            if batch and len(encoded[index]) * (len(batch) + 1) > BATCH_TOKENS:
                yield batch, [encoded[member] for member in batch]
                batch = []
            batch.append(index)
        if batch:
            yield batch, [encoded[member] for member in batch]

    def embed(self, ids: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        """float32 (texts, 384), rows L2-normalised."""
        longest = max(map(len, ids))
        tokens = np.full((len(ids), longest), PAD, np.int64)
        mask = np.zeros((len(ids), longest), np.int32)
        for row, text in enumerate(ids):
            tokens[row, : len(text)] = text
            mask[row, : len(text)] = 1
        words = unpack(self._words[tokens.reshape(-1)]).reshape(len(ids), longest, DIM)
        pool = (mask / mask.sum(axis=1, keepdims=True)).astype(np.float32)[:, None, :]
        inputs: dict[str, Array] = {"embeddings": words + self._positions[:longest], "mask": mask, "pool": pool}
        pooled = self._session.run(None, inputs)[0][:, 0, :]
        return pooled / np.linalg.norm(pooled, axis=1, keepdims=True)

    def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Like `embed`, from texts, in their order."""
        result = np.empty((len(texts), DIM), np.float32)
        for rows, ids in self.batches(texts):
            result[rows] = self.embed(ids)
        return result
