"""The door of extraction: documents go to worker processes, so that no document can hurt the server.

A worker that crashes, hangs or eats memory is killed; that fails one document and nothing else.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import signal
import sys
from pathlib import Path
from types import TracebackType

import msgspec

from famulus.errors import ExtractionFailed
from famulus.knowledge import wire
from famulus.knowledge.extract import frames, sandbox
from famulus.knowledge.extract.base import Extracted, Limits, Rect, failed
from famulus.knowledge.extract.scratch import Scratch

_OUT_OF_TIME = (-signal.SIGXCPU, -signal.SIGALRM)


class _Worker:
    """One process and its private empty folder."""

    def __init__(self, process: asyncio.subprocess.Process, folder: str) -> None:
        self._process = process
        self._folder = folder
        self.documents = 0

    @classmethod
    async def start(cls, folder: str) -> _Worker:
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-X", "utf8", "-m", "famulus.knowledge.extract.worker"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                cwd=folder,
                env=sandbox.environment(folder),
                start_new_session=True,
            )
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return cls(process, folder)

    @property
    def alive(self) -> bool:
        return self._process.returncode is None

    async def ask(self, job: frames.Job) -> frames.Answer:
        """The worker's answer. Raises `OSError` or `IncompleteReadError` when it died, MsgspecError when it lies."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.documents += 1
        self._process.stdin.write(wire.encode(job))
        await self._process.stdin.drain()
        head = await self._process.stdout.readexactly(wire.LENGTH_BYTES)
        size = int.from_bytes(head, "big")
        if size > frames.MAX_FRAME_BYTES:
            raise msgspec.ValidationError("the answer is too long")
        return frames.decode_answer(await self._process.stdout.readexactly(size))

    async def end(self) -> int:
        """Kills the process if it still runs, and removes its folder; returns the exit code."""
        if self.alive:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
        code = await self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()
            with contextlib.suppress(OSError):
                await self._process.stdin.wait_closed()
        await asyncio.to_thread(shutil.rmtree, self._folder, True)
        return code

    async def exit_code(self) -> int:
        """The exit code of a worker that closed its pipe by itself; it gets a moment to be gone."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1.0):
                await self._process.wait()
        return await self.end()


class ExtractionPool:
    """Up to `size` documents at once, each in its own process; a process is renewed after `documents_per_worker`.

    Owned by who made it: `aclose()` (or `async with`) ends all processes, whatever they are doing. Their folders lie inside
    `scratch`, from which entering removes those of killed owners; None: among the system's temporary files.
    """

    def __init__(
        self,
        size: int = 2,
        *,
        limits: Limits | None = None,
        documents_per_worker: int = 50,
        scratch: Path | None = None,
    ) -> None:
        self._parent = scratch
        self._scratch: Scratch | None = None
        self._opening = asyncio.Lock()
        self._limits = limits or Limits()
        self._documents_per_worker = documents_per_worker
        self._slots = asyncio.Semaphore(size)
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self._closed = False

    async def extract(
        self, data: bytes, name: str, media_type: str | None = None, *, only: str | None = None
    ) -> Extracted:
        """The text of one document. `name` is shown and read for its extension, never used as a path.

        `media_type` is a claim of the sender, a last hint. `only` names one extractor (`xberg`, `plain`) to compare them.

        Raises `ExtractionFailed` with code empty, no_text, unsupported, unreadable, encrypted, too_large, too_complex,
        timeout or crashed.
        """
        if len(data) > self._limits.document_bytes:
            size = f"{self._limits.document_bytes >> 20} MB"
            raise failed("too_large", f"{name!r} is larger than {size}. Split it and upload the parts.")
        answer = await self._run(frames.ExtractJob(data, name, media_type, self._limits, only), name)
        if isinstance(answer, frames.Done) and _sound(answer.extracted):
            return answer.extracted
        raise _lied(name)

    async def locate(self, pdf_bytes: bytes, page: int, quote: str, name: str = "document.pdf") -> list[Rect]:
        """Rectangles of `quote` on a page (see `locate.rectangles`); empty when it is not found."""
        answer = await self._run(frames.LocateJob(pdf_bytes, name, page, quote, self._limits), name)
        if isinstance(answer, frames.Located):
            return answer.rectangles
        raise _lied(name)

    async def aclose(self) -> None:
        self._closed = True
        workers = [*self._idle, *self._busy]
        self._idle.clear()
        await asyncio.gather(*(worker.end() for worker in workers))
        async with self._opening:
            scratch, self._scratch = self._scratch, None
            if scratch is not None:
                await asyncio.to_thread(scratch.close)

    async def __aenter__(self) -> ExtractionPool:
        if self._parent is not None:
            await self._opened()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def _run(self, job: frames.Job, name: str) -> frames.Answer:
        async with self._slots:
            worker = await self._take()
            self._busy.add(worker)
            try:
                answer = await self._ask(worker, job, name)
            except BaseException:
                # Cancelled, timed out or dead: whatever the process still does is of no use to anybody.
                await asyncio.shield(worker.end())
                raise
            finally:
                self._busy.discard(worker)
            await self._give_back(worker)
        if isinstance(answer, frames.Failed):
            raise ExtractionFailed(answer.message, code=answer.code)
        return answer

    async def _ask(self, worker: _Worker, job: frames.Job, name: str) -> frames.Answer:
        try:
            async with asyncio.timeout(self._limits.wall_s):
                return await worker.ask(job)
        except TimeoutError as error:
            raise _too_slow(name) from error
        except (OSError, asyncio.IncompleteReadError) as error:
            code = await worker.exit_code()
            raise (_too_slow(name) if code in _OUT_OF_TIME else _crashed(name, code)) from error
        except msgspec.MsgspecError as error:
            raise _lied(name) from error

    async def _take(self) -> _Worker:
        if self._closed:
            raise failed("crashed", "The readers of documents are shut down. Try again after the restart.")
        while self._idle:
            worker = self._idle.pop()
            if worker.alive:
                return worker
            await worker.end()
        return await _Worker.start((await self._opened()).folder())

    async def _opened(self) -> Scratch:
        async with self._opening:
            if self._scratch is None:
                self._scratch = await asyncio.to_thread(Scratch, self._parent)
            return self._scratch

    async def _give_back(self, worker: _Worker) -> None:
        if self._closed or worker.documents >= self._documents_per_worker:
            await worker.end()
        else:
            self._idle.append(worker)


def _sound(extracted: Extracted) -> bool:
    """A worker that a document took over must not get offsets past us that break those who use them."""
    size = len(extracted.text)
    position = 0
    for block in extracted.blocks:
        if not position <= block.start <= block.end <= size:
            return False
        position = block.end
    return all(0 <= span.start <= span.end <= size for span in extracted.pages)


def _too_slow(name: str) -> ExtractionFailed:
    return failed("timeout", f"{name!r} took too long to read. Split it, or save it again in a simpler form.")


def _crashed(name: str, exit_code: int) -> ExtractionFailed:
    message = f"The reader broke down on {name!r} (exit {exit_code}). Save it again or in another format."
    return failed("crashed", message)


def _lied(name: str) -> ExtractionFailed:
    return failed("crashed", f"The reader gave no usable answer for {name!r}. Save it again or in another format.")
