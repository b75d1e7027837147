"""The wire between the embedder and its process: four bytes of length, then one MessagePack value of a known type."""

from __future__ import annotations

from typing import BinaryIO

import msgspec

LENGTH_BYTES = 4


class EmbedJob(msgspec.Struct):
    """`urgent` jobs (questions) run beside the batches of a long job, never behind them."""

    number: int
    texts: list[str]
    urgent: bool


class EmbedAnswer(msgspec.Struct):
    """`rows` are float32 values, row by row; `error` is set where there are none."""

    number: int
    rows: bytes = b""
    error: str | None = None


_encoder = msgspec.msgpack.Encoder()
_jobs = msgspec.msgpack.Decoder(EmbedJob)
_answers = msgspec.msgpack.Decoder(EmbedAnswer)


def encode(value: EmbedJob | EmbedAnswer) -> bytes:
    body = _encoder.encode(value)
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


def decode_answer(body: bytes) -> EmbedAnswer:
    return _answers.decode(body)


def read_job(stream: BinaryIO) -> EmbedJob | None:
    """The next job; None when the other side closed its end."""
    head = stream.read(LENGTH_BYTES)
    if len(head) < LENGTH_BYTES:
        return None
    return _jobs.decode(stream.read(int.from_bytes(head, "big")))
