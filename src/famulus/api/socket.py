"""One WebSocket with the events of all of the caller's runs.

The server sends the same event objects as the streams. A client may say `{"after": {"RUN_ID": SEQ, …}}` first, to go on where
it was; runs that it does not name begin at their first event.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

import msgspec
from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from famulus.api.shapes import App, Caller
from famulus.api.stream import event_json
from famulus.app.famulus import Famulus
from famulus.errors import FamulusError
from famulus.events.records import Position
from famulus.messages.values import Principal

router = APIRouter()
# OpenAPI has no place for a WebSocket of its own; this stands at the head of the document and of its page.
DESCRIPTION: Final = """
`WS /api/v1/ws`, with the same session or token as any call: the events of all of the caller's runs on one socket, as JSON text, in
the form of `GET /api/v1/runs/{id}/events`. A client may first send `{"after": {"RUN_ID": SEQ}}` to go on where it was in those runs
(`SEQ` or `SEQ.OFFSET`); a run that it does not name begins at its first event. Runs that begin later are followed by themselves.
""".strip()
_LOOK_S: Final = 0.5
_MOST_RUNS: Final = 50


class _Resume(msgspec.Struct, forbid_unknown_fields=True):
    """What a client says: how far it had come in each run."""

    after: dict[str, int | str]


@router.websocket("/api/v1/ws")
async def socket(websocket: WebSocket, famulus: App, caller: Caller) -> None:
    await websocket.accept()
    feed = _Feed(websocket, famulus, caller)
    try:
        await feed.run()
    except (WebSocketDisconnect, RuntimeError):
        # The client is gone; sending after that is what raises RuntimeError.
        pass
    finally:
        await feed.close()


class _Feed:
    """Follows each run of the caller that is going, and those that begin later."""

    def __init__(self, websocket: WebSocket, famulus: Famulus, caller: Principal) -> None:
        self._websocket = websocket
        self._famulus = famulus
        self._caller = caller
        self._after: dict[str, Position] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._seen: set[str] = set()
        self._wake = asyncio.Event()
        self._first = True

    async def run(self) -> None:
        reader = asyncio.create_task(self._read())
        self._tasks[""] = reader
        while not reader.done():
            await self._follow_new()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_S):
                    await self._wake.wait()
            self._wake.clear()
        reader.result()

    async def close(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _follow_new(self) -> None:
        for view in await self._famulus.runs.list(self._caller, limit=_MOST_RUNS):
            # What had ended before this socket was opened is history, unless the client says where it was in it.
            history = self._first and view.finished_at is not None and view.id not in self._after
            if view.id not in self._seen and not history:
                self._tasks[view.id] = asyncio.create_task(self._follow(view.id))
            self._seen.add(view.id)
        self._first = False

    async def _follow(self, run_id: str) -> None:
        after = self._after.get(run_id, Position())
        async for item in await self._famulus.runs.subscribe(self._caller, run_id, after):
            await self._websocket.send_text(msgspec.json.encode(event_json(item)).decode())
        self._tasks.pop(run_id, None)

    async def _read(self) -> None:
        while True:
            text = await self._websocket.receive_text()
            try:
                resume = msgspec.json.decode(text, type=_Resume)
                self._after |= {run_id: Position.parse(str(place)) for run_id, place in resume.after.items()}
            except (ValueError, FamulusError):
                await self._websocket.close(4400)
                return
            self._seen -= set(self._after)
            self._wake.set()
