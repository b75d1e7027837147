"""In-process signals: small messages on named channels. They wake; they never carry the truth (that is in the database)."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import Final

from famulus.messages.values import JsonObject

_BACKLOG: Final = 1_000

Handler = Callable[[JsonObject], None]


class Signals:
    """Fans messages out to whoever listens. Belongs to one event loop."""

    def __init__(self) -> None:
        self._handlers: dict[str, list[Handler]] = {}

    def emit(self, channel: str, payload: JsonObject) -> None:
        for handler in tuple(self._handlers.get(channel, ())):
            handler(payload)

    def subscribe(self, channel: str, handler: Handler) -> Callable[[], None]:
        """Calls `handler` in the event loop for each message; returns the function that ends it."""
        self._handlers.setdefault(channel, []).append(handler)

        def leave() -> None:
            handlers = self._handlers.get(channel, [])
            if handler in handlers:
                handlers.remove(handler)

        return leave

    async def listen(self, channel: str) -> AsyncIterator[JsonObject]:
        """Messages from now on, oldest first. A listener that is slower than 1,000 messages loses the oldest."""
        backlog: deque[JsonObject] = deque(maxlen=_BACKLOG)
        arrived = asyncio.Event()

        def put(payload: JsonObject) -> None:
            backlog.append(payload)
            arrived.set()

        leave = self.subscribe(channel, put)
        try:
            while True:
                await arrived.wait()
                arrived.clear()
                while backlog:
                    yield backlog.popleft()
        finally:
            leave()
