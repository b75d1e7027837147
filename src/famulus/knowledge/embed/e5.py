"""The built-in `Embedder`: multilingual-e5-small, loaded when first needed, given back when idle.

Passages and questions run in two threads on one engine, so that a question never waits for a long job, only beside it.
"""

from __future__ import annotations

import asyncio
import ctypes
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from famulus.knowledge.embed.engine import DIM, Engine, load
from famulus.knowledge.embed.tokens import MAX_TOKENS
from famulus.knowledge.embed.weights import SHA256

# The words that the model was trained with in front of every text. Source: model card of multilingual-e5-small.
QUERY_PREFIX = "query: "
PASSAGE_PREFIX = "passage: "


class E5Embedder:
    """An `Embedder`. `cache` is where the prepared files live; `threads` bounds the cores used by one batch."""

    dim = DIM
    identity = f"multilingual-e5-small/{SHA256[:12]}/{QUERY_PREFIX}{PASSAGE_PREFIX}{MAX_TOKENS}"

    def __init__(self, cache: Path, *, threads: int = 2, idle_release_s: float = 120.0) -> None:
        self._cache = cache
        self._threads = threads
        self._idle_release_s = idle_release_s
        self._engine: Engine | None = None
        self._loading = threading.Lock()
        self._last_use = 0.0
        self._busy = 0
        self._passages = ThreadPoolExecutor(1, "embed-passages")
        self._queries = ThreadPoolExecutor(1, "embed-queries")
        self._release: asyncio.TimerHandle | None = None

    @property
    def loaded(self) -> bool:
        return self._engine is not None

    async def prepare(self) -> None:
        """Loads the engine; the first time on a data folder this also writes its files (about 2 s)."""
        await self._run(self._queries, [])

    async def embed_queries(self, texts: list[str]) -> NDArray[np.float32]:
        return await self._run(self._queries, [QUERY_PREFIX + text for text in texts])

    async def embed_passages(self, texts: list[str]) -> NDArray[np.float32]:
        return await self._run(self._passages, [PASSAGE_PREFIX + text for text in texts])

    async def aclose(self) -> None:
        """Gives the memory back; a batch that is running is finished first. The embedder can be used again."""
        if self._release is not None:
            self._release.cancel()
        await asyncio.get_running_loop().run_in_executor(self._passages, self._drop)

    async def _run(self, pool: ThreadPoolExecutor, texts: Sequence[str]) -> NDArray[np.float32]:
        loop = asyncio.get_running_loop()
        self._busy += 1
        try:
            return await loop.run_in_executor(pool, self._embed, texts)
        finally:
            self._busy -= 1
            self._last_use = time.monotonic()
            if self._release is None or self._release.cancelled():
                self._release = loop.call_later(self._idle_release_s, self._when_idle, loop)

    def _embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._loaded().embed_texts(texts)

    def _loaded(self) -> Engine:
        with self._loading:
            if self._engine is None:
                self._engine = load(self._cache, self._threads)
            return self._engine

    def _when_idle(self, loop: asyncio.AbstractEventLoop) -> None:
        """Drops the engine when nothing used it for the whole time; else looks again later."""
        left = self._last_use + self._idle_release_s - time.monotonic()
        self._release = None
        if self._busy or left > 0.001:
            self._release = loop.call_later(max(left, 0.05), self._when_idle, loop)
        else:
            self._drop()

    def _drop(self) -> None:
        with self._loading:
            self._engine = None
        _return_memory()


def _return_memory() -> None:
    """Asks the C library to give freed memory back to the system; where it cannot, nothing is lost."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)
