"""Request bodies by stream: how large, how slow. Nothing is read before the caller is known."""

from __future__ import annotations

import asyncio
import time

from starlette.types import Message, Receive

from famulus.errors import TooLarge, UsageError

# A sender may be slow at the beginning; afterwards it has to be faster than this on average.
_GRACE_S = 60.0
_LEAST_BYTES_PER_S = 1_000.0


class SlowBody(UsageError):
    """The body came too slowly (HTTP 408)."""

    code = "request_timeout"


class UnsupportedBody(UsageError):
    """The body has a form that the server does not take (HTTP 415)."""

    code = "unsupported_body"


class BoundedBody:
    """A `receive` that counts. Raises TooLarge beyond `limit` bytes and SlowBody when the sender stalls or drips."""

    def __init__(self, receive: Receive, limit: int, idle_s: float) -> None:
        self._receive = receive
        self._limit = limit
        self._idle_s = idle_s
        self._started = time.monotonic()
        self._count = 0
        self._complete = False

    async def __call__(self) -> Message:
        if self._complete:
            return await self._receive()
        try:
            async with asyncio.timeout(self._idle_s):
                message = await self._receive()
        except TimeoutError:
            raise SlowBody(f"No byte of the body came for {self._idle_s:g} s; send it again.") from None
        if message["type"] == "http.request":
            self._take(len(message.get("body", b"")))
            self._complete = not message.get("more_body", False)
        return message

    def _take(self, size: int) -> None:
        self._count += size
        if self._count > self._limit:
            raise TooLarge(f"The body is larger than the limit of {self._limit:,} bytes.")
        elapsed = time.monotonic() - self._started
        if elapsed > _GRACE_S and self._count / elapsed < _LEAST_BYTES_PER_S:
            raise SlowBody("The body comes too slowly; send it again over a faster connection.")


async def read_body(receive: Receive) -> bytes | None:
    """The whole body; None when the client went away."""
    pieces: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        pieces.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(pieces)


def replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives `body` once and then what the connection says (its end)."""
    sent = False

    async def again() -> Message:
        nonlocal sent
        if not sent:
            sent = True
            return {"type": "http.request", "body": body, "more_body": False}
        return await receive()

    return again
