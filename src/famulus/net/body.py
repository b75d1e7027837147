"""Bounds on what comes in: bytes counted while they arrive, compressed bodies unpacked only up to the limit."""

from __future__ import annotations

import zlib

from famulus.net.errors import NetError


class BodyReader:
    """Takes raw chunks, gives plain ones; raises `NetError` `too_large` at the limit and `encoding` for any coding but gzip."""

    def __init__(self, encoding: str, limit_bytes: int) -> None:
        self.left = limit_bytes
        self.limit = limit_bytes
        self.inflate = None
        coding = encoding.strip().lower()
        if coding in ("gzip", "x-gzip"):
            self.inflate = zlib.decompressobj(16 + zlib.MAX_WBITS)
        elif coding not in ("", "identity"):
            raise NetError("encoding", f"the answer is encoded as {coding[:40]!r}; only gzip is accepted")

    def feed(self, chunk: bytes) -> bytes:
        plain = chunk if self.inflate is None else self.unpack(chunk)
        self.left -= len(plain)
        if self.left < 0:
            raise NetError("too_large", f"the answer is larger than the limit of {self.limit} bytes")
        return plain

    def unpack(self, chunk: bytes) -> bytes:
        assert self.inflate is not None
        try:
            return self.inflate.decompress(chunk, self.left + 1)
        except zlib.error as error:
            raise NetError("encoding", f"the compressed answer is broken: {error}") from None

    def finish(self) -> None:
        """Raises `NetError` when a compressed body ended too early."""
        if self.inflate is not None and not self.inflate.eof:
            raise NetError("closed", "the compressed answer ended before its end mark")
