"""Values between this process and one it has started: eight bytes of length, then one MessagePack value."""

from __future__ import annotations

from typing import BinaryIO

import msgspec

LENGTH_BYTES = 8
_encoder = msgspec.msgpack.Encoder()


def encode(value: msgspec.Struct) -> bytes:
    body = _encoder.encode(value)
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


def read_body(stream: BinaryIO) -> bytes | None:
    """The next value, not yet decoded; None when the other side closed its end."""
    head = stream.read(LENGTH_BYTES)
    if len(head) < LENGTH_BYTES:
        return None
    return stream.read(int.from_bytes(head, "big"))
