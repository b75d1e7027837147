"""The process that holds the encoder: `python -m famulus.knowledge.embed.worker CACHE THREADS`, jobs on stdin, answers on stdout.

It has no network: the runtime that computes carries a reporting client of its maker, which is switched off and could not
speak if it were not. A process of its own, because loading the tokenizer holds the interpreter for a second or more, in which a server would stand
still, and because its end gives all memory back.
"""

from __future__ import annotations

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import BinaryIO

from famulus.knowledge import wire
from famulus.knowledge.embed import frames
from famulus.knowledge.embed.engine import Engine, load
from famulus.knowledge.extract import sandbox

PASSAGES_NICE = 10


def main(cache: str, threads: str) -> None:
    jobs, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    with open(os.devnull, "r+b") as nothing:
        # Native code that prints must not speak into the protocol.
        os.dup2(nothing.fileno(), 0)
        os.dup2(nothing.fileno(), 1)
    sandbox.close_network()
    work = _Work(Path(cache), int(threads), answers)
    batches = ThreadPoolExecutor(1, initializer=_yield_to_others)
    while (job := frames.read_job(jobs)) is not None:
        if job.questions:
            # Here and now: to wake another thread takes time, and passages can wait until the next job is read.
            work.answer(job)
        else:
            batches.submit(work.answer, job)
    os._exit(0)


def _yield_to_others() -> None:
    """Passages can wait: this thread, and those that the runtime starts from it, run when questions and the server do not."""
    os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), PASSAGES_NICE)


class _Work:
    def __init__(self, cache: Path, threads: int, answers: BinaryIO) -> None:
        self._cache = cache
        self._threads = threads
        self._answers = answers
        self._engine: Engine | None = None
        self._loading = threading.Lock()
        self._writing = threading.Lock()

    def answer(self, job: frames.EmbedJob) -> None:
        try:
            engine = self._loaded()
            rows = engine.embed_questions(job.texts) if job.questions else engine.embed_texts(job.texts)
            answer = frames.EmbedAnswer(job.number, rows.tobytes())
        except Exception as error:  # the border of this process: the asking side turns it into its own error
            answer = frames.EmbedAnswer(job.number, error=f"{type(error).__name__}: {error}")
        data = wire.encode(answer)
        with self._writing:
            while data:
                data = data[self._answers.write(data) :]

    def _loaded(self) -> Engine:
        with self._loading:
            if self._engine is None:
                self._engine = load(self._cache, self._threads)
            return self._engine


if __name__ == "__main__":
    main(*sys.argv[1:])
