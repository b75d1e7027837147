"""The process that reads documents: `python -m famulus.knowledge.extract.worker`, jobs on stdin, answers on stdout.

It shuts itself in before the first job, answers one job after the other, and leaves by `os._exit`: one of the native
libraries crashes at an ordinary end of the interpreter.
"""

from __future__ import annotations

import os
from typing import BinaryIO

from famulus.errors import ExtractionFailed
from famulus.knowledge import wire
from famulus.knowledge.extract import frames, sandbox


def main() -> None:
    code = 1
    try:
        jobs, answers = _private_streams()
        sandbox.close_network()
        sandbox.refuse_effects()
        _serve(jobs, answers)
        code = 0
    finally:
        os._exit(code)


def _private_streams() -> tuple[BinaryIO, BinaryIO]:
    """Our ends of the pipes, moved away from 0 and 1: native code that prints must not speak into the protocol."""
    jobs = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    with open(os.devnull, "r+b") as nothing:
        os.dup2(nothing.fileno(), 0)
        os.dup2(nothing.fileno(), 1)
    return jobs, answers


def _serve(jobs: BinaryIO, answers: BinaryIO) -> None:
    limited = False
    while (job := frames.read_job(jobs)) is not None:
        if not limited:
            sandbox.limit_memory(job.limits.memory_bytes)
            limited = True
        sandbox.limit_cpu(job.limits.cpu_s)
        _write(answers, wire.encode(_answer(job)))


def _answer(job: frames.Job) -> frames.Answer:
    # Imported after the limits stand, and only here, so that the pool may import `frames` without any parser.
    from famulus.knowledge.extract.document import read_document
    from famulus.knowledge.extract.locate import rectangles

    try:
        if isinstance(job, frames.LocateJob):
            return frames.Located(rectangles(job.data, job.page, job.quote, job.name))
        return frames.Done(read_document(job.data, job.name, job.media_type, job.limits, only=job.only))
    except ExtractionFailed as error:
        return frames.Failed(error.code, str(error))
    except MemoryError:
        size = f"{job.limits.memory_bytes >> 20} MB"
        message = f"{job.name!r} needs more memory than {size} to be read. Split it and upload the parts."
        return frames.Failed("too_complex", message)


def _write(answers: BinaryIO, frame: bytes) -> None:
    view = memoryview(frame)
    while view:
        view = view[answers.write(view) :]


if __name__ == "__main__":
    main()
