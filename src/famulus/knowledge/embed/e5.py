"""The built-in `Embedder`: multilingual-e5-small in a process of its own, started when first needed, ended when idle."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from famulus.errors import FamulusError
from famulus.knowledge import wire
from famulus.knowledge.embed import frames
from famulus.knowledge.embed.texts import PASSAGE_PREFIX, QUERY_PREFIX
from famulus.knowledge.embed.tokens import MAX_TOKENS
from famulus.knowledge.embed.weights import DIM, SHA256
from famulus.knowledge.extract import sandbox


class EmbedderFailed(FamulusError):
    """The embedder's process could not answer; the next call starts a new one."""

    code = "embedder_failed"


class E5Embedder:
    """An `Embedder`. `cache` is where the prepared files live; `threads` bounds the cores used by one batch."""

    dim = DIM
    identity = f"multilingual-e5-small/{SHA256[:12]}/{QUERY_PREFIX}{PASSAGE_PREFIX}{MAX_TOKENS}"

    def __init__(self, cache: Path, *, threads: int = 2, idle_release_s: float = 120.0) -> None:
        self._cache = cache
        self._threads = threads
        self._idle_release_s = idle_release_s
        self._process: _Process | None = None
        self._starting = asyncio.Lock()
        self._last_use = 0.0
        self._busy = 0
        self._release: asyncio.TimerHandle | None = None
        self._ending: asyncio.Task[None] | None = None

    @property
    def loaded(self) -> bool:
        return self._process is not None

    async def prepare(self) -> None:
        """Starts the process and loads the encoder; the first time on a data folder this also writes its files (about 4 s)."""
        await self._run([], questions=True)

    async def embed_queries(self, texts: list[str]) -> NDArray[np.float32]:
        return await self._run([QUERY_PREFIX + text for text in texts], questions=True)

    async def embed_passages(self, texts: list[str]) -> NDArray[np.float32]:
        return await self._run([PASSAGE_PREFIX + text for text in texts], questions=False)

    async def embed_sentences(self, texts: list[str]) -> NDArray[np.float32]:
        """As passages, for few and short texts that somebody waits for: beside questions, never behind documents."""
        return await self._run([PASSAGE_PREFIX + text for text in texts], questions=True)

    async def aclose(self) -> None:
        """Ends the process. The embedder can be used again."""
        if self._release is not None:
            self._release.cancel()
            self._release = None
        if self._ending is not None:
            await self._ending
        await self._end()

    async def _run(self, texts: list[str], *, questions: bool) -> NDArray[np.float32]:
        loop = asyncio.get_running_loop()
        self._busy += 1
        try:
            process = await self._running()
            return await process.embed(texts, questions)
        finally:
            self._busy -= 1
            self._last_use = time.monotonic()
            if self._release is None:
                self._release = loop.call_later(self._idle_release_s, self._when_idle, loop)

    async def _running(self) -> _Process:
        async with self._starting:
            if self._process is None or not self._process.alive:
                await self._end()
                self._process = await _Process.start(self._cache, self._threads)
            return self._process

    def _when_idle(self, loop: asyncio.AbstractEventLoop) -> None:
        """Ends the process when nothing used it for the whole time; else looks again later."""
        left = self._last_use + self._idle_release_s - time.monotonic()
        self._release = None
        if self._busy or left > 0.001:
            self._release = loop.call_later(max(left, 0.05), self._when_idle, loop)
        else:
            self._ending = loop.create_task(self._end())

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            await process.end()


class _Process:
    """One running process and the questions that wait for its answers."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._waiting: dict[int, asyncio.Future[NDArray[np.float32]]] = {}
        self._number = 0
        self._reading = asyncio.ensure_future(self._read())

    @classmethod
    async def start(cls, cache: Path, threads: int) -> _Process:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-X", "utf8", "-m", "famulus.knowledge.embed.worker", str(cache), str(threads)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=_environment(),
            start_new_session=True,
        )
        return cls(process)

    @property
    def alive(self) -> bool:
        return not self._reading.done()

    async def embed(self, texts: list[str], questions: bool) -> NDArray[np.float32]:
        """float32 (texts, DIM). Raises EmbedderFailed."""
        self._number += 1
        number = self._number
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            if self._process.stdin is None or not self.alive:
                raise EmbedderFailed("the embedder's process ended; the next call starts a new one")
            self._process.stdin.write(wire.encode(frames.EmbedJob(number, texts, questions)))
            with contextlib.suppress(ConnectionError):
                await self._process.stdin.drain()
            return await answer
        finally:
            self._waiting.pop(number, None)

    async def end(self) -> None:
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
        await self._process.wait()
        await self._reading
        if self._process.stdin is not None:
            self._process.stdin.close()
            with contextlib.suppress(OSError):
                await self._process.stdin.wait_closed()

    async def _read(self) -> None:
        """Hands out answers until the process is gone, then tells all that still wait."""
        stream = self._process.stdout
        with contextlib.suppress(asyncio.IncompleteReadError, OSError):
            while stream is not None:
                size = int.from_bytes(await stream.readexactly(wire.LENGTH_BYTES), "big")
                self._settle(frames.decode_answer(await stream.readexactly(size)))
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(
                    EmbedderFailed("the embedder's process ended before it answered; it is started anew")
                )

    def _settle(self, answer: frames.EmbedAnswer) -> None:
        waiting = self._waiting.get(answer.number)
        if waiting is None or waiting.done():
            return
        if answer.error is not None:
            waiting.set_exception(EmbedderFailed(f"the embedder could not read a text: {answer.error}"))
        else:
            waiting.set_result(np.frombuffer(answer.rows, np.float32).reshape(-1, DIM))


def _environment() -> dict[str, str]:
    """No secrets and no proxies; the tokenizer library carries the client of a model hub, which stays offline."""
    # A home that cannot be written: the runtime would keep notes for its maker there.
    home = {"HOME": os.devnull, "XDG_CACHE_HOME": os.devnull}
    return (
        sandbox.kept_environment()
        | home
        # Each question reads all weights: in large pages of memory, where the system has them, that takes some 5 % less.
        | {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
        | {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false", "LC_ALL": "C.UTF-8"}
    )
