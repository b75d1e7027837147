"""A tiny deterministic embedder: texts that share words lie near each other. No weights, no threads."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from famulus.text.stem import stem
from famulus.text.words import words


class HashEmbedder:
    """An `Embedder`. Counts what it was asked, and fails while `broken` is set, for tests of the ways around it."""

    def __init__(self, dim: int = 128, identity: str = "hash-embedder/1") -> None:
        self.dim = dim
        self.identity = identity
        self.queries: list[str] = []
        self.passages: list[str] = []
        self.broken: Exception | None = None

    async def embed_queries(self, texts: list[str]) -> NDArray[np.float32]:
        self.queries += texts
        return self._embed(texts)

    async def embed_passages(self, texts: list[str]) -> NDArray[np.float32]:
        self.passages += texts
        return self._embed(texts)

    def _embed(self, texts: list[str]) -> NDArray[np.float32]:
        if self.broken is not None:
            raise self.broken
        rows = np.zeros((len(texts), self.dim), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in words(text):
                digest = hashlib.blake2b(stem(word.key, "en").encode(), digest_size=8).digest()
                row[int.from_bytes(digest[:4], "little") % self.dim] += 1 if digest[4] & 1 else -1
            if not row.any():
                row[0] = 1
            row /= np.linalg.norm(row)
        return rows
