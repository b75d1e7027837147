"""An embedder that keeps what the real one made in files, so that a second measurement takes seconds instead of an hour."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from famulus.knowledge.embed.e5 import E5Embedder
from famulus.knowledge.embed.prepare import QUESTIONS

STEP = 256


class CachedEmbedder:
    """An `Embedder` over files in `folder`; texts must come from `learn` first. Resumes where it was stopped."""

    dim = E5Embedder.dim
    identity = E5Embedder.identity

    def __init__(self, folder: Path, threads: int) -> None:
        self._folder = folder
        self._real = E5Embedder(folder / "models", threads=threads)
        self._queries: dict[str, NDArray[np.float32]] = {}
        self._passages: dict[str, NDArray[np.float32]] = {}

    async def learn(self, name: str, texts: list[str], *, queries: bool) -> None:
        """Makes sure of the vectors of `texts`."""
        made_by = [self.identity, QUESTIONS] if queries else [self.identity]
        digest = hashlib.sha256("\0".join([*made_by, *texts]).encode()).hexdigest()[:12]
        file = self._folder / f"{name}-{'q' if queries else 'p'}-{digest}.npy"
        known = self._queries if queries else self._passages
        rows = np.load(file) if file.exists() else await self._embed(file, texts, queries)
        known.update(zip(texts, rows, strict=True))

    async def _embed(self, file: Path, texts: list[str], queries: bool) -> NDArray[np.float32]:
        partial = file.with_suffix(".part.npy")
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        done = np.load(partial) if partial.exists() else np.empty((0, self.dim), np.float32)
        started, first = time.perf_counter(), len(done)
        while len(done) < len(texts):
            batch = [texts[index] for index in order[len(done) : len(done) + STEP]]
            rows = await (self._real.embed_queries(batch) if queries else self._real.embed_passages(batch))
            done = np.concatenate([done, rows])
            np.save(partial, done)
            speed = (len(done) - first) / (time.perf_counter() - started)
            print(f"  {file.stem}: {len(done)} of {len(texts)}, {speed:.1f} texts/s", flush=True)
        result = np.empty_like(done)
        result[order] = done
        np.save(file, result)
        partial.unlink(missing_ok=True)
        return result

    async def embed_queries(self, texts: list[str]) -> NDArray[np.float32]:
        return np.stack([self._queries[text] for text in texts])

    async def embed_passages(self, texts: list[str]) -> NDArray[np.float32]:
        return np.stack([self._passages[text] for text in texts])

    async def aclose(self) -> None:
        await self._real.aclose()
