"""One loaded encoder: texts in, unit vectors out. Synchronous; `worker.py` decides in which thread."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from famulus.knowledge.embed.prepare import prepared_folder, question_graph
from famulus.knowledge.embed.runtime import Input, Session, open_session
from famulus.knowledge.embed.table import Table
from famulus.knowledge.embed.tokens import Tokens, read_tokens
from famulus.knowledge.embed.weights import DIM

# Larger batches are not faster on a CPU, and one of 2,048 takes 75 MB more.
BATCH_TOKENS = 512


def load(cache: Path, threads: int) -> Engine:
    """A ready engine; prepares its files on first use. Takes 1-2 s of CPU time, and 390-510 MB while it lives."""
    folder = prepared_folder(cache)
    tokens, table = read_tokens(folder), Table(folder)
    return Engine(folder, threads, tokens, table, open_session(question_graph(folder, tokens, table), 1))


class Engine:
    """Usable from several threads at once. `threads` are for passages: a question is too short to gain by a second one."""

    def __init__(self, folder: Path, threads: int, tokens: Tokens, table: Table, questions: Session) -> None:
        self._folder = folder
        self._threads = threads
        self._tokens = tokens
        self._table = table
        self._questions = questions
        self._passages: Session | None = None
        self._opening = threading.Lock()

    def embed_questions(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """float32 (texts, 384), rows L2-normalised, in their order."""
        result = np.empty((len(texts), DIM), np.float32)
        for row, text in enumerate(texts):
            result[row] = self._question(self._tokens.ids(text))
        return result

    def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As `embed_questions`, for long and many texts, and as exact as the packaged weights."""
        result = np.empty((len(texts), DIM), np.float32)
        for rows, ids in self._batches(texts):
            result[rows] = self._embed(ids)
        return result

    def _question(self, ids: Sequence[int]) -> NDArray[np.float32]:
        size = len(ids)
        inputs: dict[str, Input] = {
            "embeddings": self._table.rows([ids]),
            "ones": np.ones(size, np.float32),
            "zeros": np.zeros(size, np.float32),
            "pool": np.full((1, 1, size), 1 / size, np.float32),
        }
        return _normalised(self._questions.run(None, inputs)[0][:, 0, :])[0]

    def _batches(self, texts: Sequence[str]) -> Iterator[tuple[list[int], list[list[int]]]]:
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

    def _embed(self, ids: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        mask = np.zeros((len(ids), max(map(len, ids))), np.int32)
        for row, text in enumerate(ids):
            mask[row, : len(text)] = 1
        pool = (mask / mask.sum(axis=1, keepdims=True)).astype(np.float32)[:, None, :]
        inputs: dict[str, Input] = {"embeddings": self._table.rows(ids), "mask": mask, "pool": pool}
        return _normalised(self._session().run(None, inputs)[0][:, 0, :])

    def _session(self) -> Session:
        """The graph for passages, opened when the first one comes: with threads of the caller's priority."""
        with self._opening:
            if self._passages is None:
                self._passages = open_session(self._folder / "model.onnx", self._threads)
            return self._passages


def _normalised(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)
