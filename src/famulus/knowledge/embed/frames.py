"""The wire between the embedder and its process: the values that `knowledge/wire.py` carries."""

from __future__ import annotations

from typing import BinaryIO

import msgspec

from famulus.knowledge.wire import read_body


class EmbedJob(msgspec.Struct):
    """`questions` run beside the batches of passages, never behind them."""

    number: int
    texts: list[str]
    questions: bool


class EmbedAnswer(msgspec.Struct):
    """`rows` are float32 values, row by row; `error` is set where there are none."""

    number: int
    rows: bytes = b""
    error: str | None = None


_jobs = msgspec.msgpack.Decoder(EmbedJob)
_answers = msgspec.msgpack.Decoder(EmbedAnswer)


def decode_answer(body: bytes) -> EmbedAnswer:
    return _answers.decode(body)


def read_job(stream: BinaryIO) -> EmbedJob | None:
    """The next job; None when the other side closed its end."""
    body = read_body(stream)
    return None if body is None else _jobs.decode(body)
