"""The wire between the pool and a worker: eight bytes of length, then one MessagePack value of a known type."""

from __future__ import annotations

from typing import BinaryIO

import msgspec

from famulus.knowledge.extract.base import Extracted, Limits, Rect

LENGTH_BYTES = 8
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

_encoder = msgspec.msgpack.Encoder()
_jobs = msgspec.msgpack.Decoder(Job)
_answers = msgspec.msgpack.Decoder(Answer)


def encode(value: Job | Answer) -> bytes:
    body = _encoder.encode(value)
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


def decode_answer(body: bytes) -> Answer:
    """Raises `msgspec.MsgspecError` when the worker sent anything else."""
    return _answers.decode(body)


def read_job(stream: BinaryIO) -> Job | None:
    """The next job; None when the pool closed its end."""
    head = stream.read(LENGTH_BYTES)
    if len(head) < LENGTH_BYTES:
        return None
    body = stream.read(int.from_bytes(head, "big"))
    return _jobs.decode(body)
