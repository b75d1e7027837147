"""Events of a run as a `text/event-stream`, written as a plain ASGI response.

The framework's own class costs several times as much for each event. Source: HTML Living Standard, "Server-sent events".
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Final

import msgspec
from fastapi import Response
from starlette.types import Receive, Scope, Send

from famulus.events.types import Delta, Event
from famulus.messages.values import JsonObject

KEEP_ALIVE_S: Final = 15.0
# A reader that takes nothing for so long is let go; it comes back with the id of the last event it had.
STALLED_S: Final = 60.0
_encode: Final = msgspec.json.Encoder().encode


def event_json(item: Event | Delta) -> JsonObject:
    """An event as clients see it: without what the log keeps for the server alone."""
    if isinstance(item, Delta):
        data: JsonObject = {"delta": item.delta, "offset": item.offset}
        return {
            "seq": item.seq,
            "run_id": item.run_id,
            "type": item.type,
            "time": _text(datetime.now(UTC)),
            "data": data,
        }
    return {"seq": item.seq, "run_id": item.run_id, "type": item.type, "time": _text(item.time), "data": item.data}


def encode(item: Event | Delta) -> bytes:
    """One message of the stream. The id of a delta is `SEQ.OFFSET`: a client that comes back with it gets that piece again."""
    place = f"{item.seq}.{item.offset}" if isinstance(item, Delta) else f"{item.seq}"
    return b"id: %b\nevent: %b\ndata: %b\n\n" % (place.encode(), item.type.encode(), _encode(event_json(item)))


def _text(time: datetime) -> str:
    return time.isoformat(timespec="microseconds").replace("+00:00", "Z")


class EventStream(Response):
    """Sends items until they end or the client is gone; a comment line keeps silent connections open."""

    media_type = "text/event-stream"

    def __init__(self, items: AsyncIterator[Event | Delta], *, keep_alive_s: float = KEEP_ALIVE_S) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._items = items
        self._keep_alive_s = keep_alive_s
        self._silent = True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        tasks = [
            asyncio.create_task(self._write(send)),
            asyncio.create_task(self._stay_alive(send)),
            asyncio.create_task(_gone(receive)),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if tasks[0].done():
                tasks[0].result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            closing = getattr(self._items, "aclose", None)
            if closing is not None:
                await closing()

    async def _write(self, send: Send) -> None:
        # The head goes out at once: a client knows that it is connected before the first event.
        await send({"type": "http.response.body", "body": b": connected\n\n", "more_body": True})
        async for item in self._items:
            self._silent = False
            message = {"type": "http.response.body", "body": encode(item), "more_body": True}
            await send(message)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _stay_alive(self, send: Send) -> None:
        with contextlib.suppress(TimeoutError):
            while True:
                self._silent = True
                await asyncio.sleep(self._keep_alive_s)
                if self._silent:
                    async with asyncio.timeout(STALLED_S):
                        await send({"type": "http.response.body", "body": b": still here\n\n", "more_body": True})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
