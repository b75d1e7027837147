"""The wire between the pool and a worker: the values that `knowledge/wire.py` carries."""

from __future__ import annotations

from typing import BinaryIO

import msgspec

from famulus.knowledge.extract.base import Extracted, Limits, Rect
from famulus.knowledge.wire import read_body

# Text is at most 4 bytes a character; blocks and the document itself fit in the rest.
MAX_FRAME_BYTES = 1 << 30


class ExtractJob(msgspec.Struct, tag="extract"):
    data: bytes
    name: str
    media_type: str | None
    limits: Limits
    only: str | None = None


class LocateJob(msgspec.Struct, tag="locate"):
    data: bytes
    name: str
    page: int
    quote: str
    limits: Limits


class Done(msgspec.Struct, tag="done"):
    extracted: Extracted


class Located(msgspec.Struct, tag="located"):
    rectangles: list[Rect]


class Failed(msgspec.Struct, tag="failed"):
    code: str
    message: str


Job = ExtractJob | LocateJob
Answer = Done | Located | Failed

_jobs = msgspec.msgpack.Decoder(Job)
_answers = msgspec.msgpack.Decoder(Answer)


def decode_answer(body: bytes) -> Answer:
    """Raises `msgspec.MsgspecError` when the worker sent anything else."""
    return _answers.decode(body)


def read_job(stream: BinaryIO) -> Job | None:
    """The next job; None when the pool closed its end."""
    body = read_body(stream)
    return None if body is None else _jobs.decode(body)
