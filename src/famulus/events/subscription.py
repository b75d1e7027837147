"""One reader of one run: the events after its position, the text so far of a streaming response, then both live."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final, Literal

from famulus.events.bus import Bus, Channel, Closed, LiveText
from famulus.events.records import Position, RunRecord
from famulus.events.types import REASONING_DELTA, RUN_RESPONSE, RUN_SUMMARY, TEXT_DELTA, Delta, Event

PAGE: Final = 200
Item = Event | Delta


class Subscription(AsyncIterator[Item]):
    """Ends after `run.summary.v1`, or when this process lets its readers go. A cancelled `anext` loses nothing, so it may be awaited with a timeout.

    Deltas of a run that another process works on come several times a second, of one in this process every 40 ms.
    """

    def __init__(
        self,
        bus: Bus,
        channel: Channel,
        after: Position,
        record: Callable[[], Awaitable[RunRecord]],
        read: Callable[[int], Awaitable[list[Event]]],
    ) -> None:
        self._bus = bus
        self._channel = channel
        self._after = after
        self._record = record
        self._read = read
        self._seq = after.seq
        self._text = _Cursor(TEXT_DELTA)
        self._reasoning = _Cursor(REASONING_DELTA)
        self._items: deque[Item] = deque()
        self._wake = asyncio.Event()
        self._started = self._ended = False
        channel.wakers.add(self._wake)

    def __aiter__(self) -> Subscription:
        return self

    async def __anext__(self) -> Item:
        if not self._started:
            await self.start()
        while not self._items:
            if self._ended or self._bus.closed:
                await self.aclose()
                raise StopAsyncIteration
            self._wake.clear()
            await self._collect()
            if not self._items and not self._ended and not self._bus.closed:
                await self._wake.wait()
        return self._items.popleft()

    async def aclose(self) -> None:
        """Leaves; also happens by itself when the subscription is dropped."""
        self._ended = True
        self._channel.wakers.discard(self._wake)
        self._bus.forget(self._channel)

    async def start(self) -> Subscription:
        """Looks the run up; the first `anext` does it otherwise. Raises `NotFound` when the tenant has no such run."""
        try:
            record = await self._record()
        except BaseException:
            await self.aclose()
            raise
        self._started = True
        self._channel.advance(record.last_seq)
        self._ended = record.ended and self._seq >= record.last_seq
        return self

    async def _collect(self) -> None:
        """Takes what is new: a page of events, or the live text once all events are taken."""
        channel = self._channel
        if self._seq < channel.known_seq:
            remembered = channel.since(self._seq)
            entries = remembered or [(event, None) for event in await self._read(self._seq)]
            for event, closed in entries:
                self._take(event, closed)
        else:
            self._take_live()

    def _take(self, event: Event, closed: Closed | None) -> None:
        if closed is not None:
            self._rest(self._reasoning, closed.reasoning_start, closed.reasoning, closed.reasoning_rewinds)
            self._rest(self._text, closed.text_start, closed.text, closed.text_rewinds)
        if event.type == RUN_RESPONSE:
            self._text.offset = self._reasoning.offset = None
            self._channel.passed(event)
        self._items.append(event)
        self._seq = event.seq
        self._ended = event.type == RUN_SUMMARY

    def _take_live(self) -> None:
        channel = self._channel
        if channel.live_seq > self._seq:
            return
        if (
            self._after.offset is not None
            and self._after.seq == self._seq
            and channel.reasoning.end == channel.reasoning.start
        ):
            # The offset belongs to text for certain only while no reasoning streamed after the same event.
            self._text.offset = self._after.offset
        self._after = Position(self._after.seq)
        for cursor, live in ((self._reasoning, channel.reasoning), (self._text, channel.text)):
            offset = cursor.place(live)
            if offset < live.end:
                self._items.append(Delta(channel.run_id, self._seq, cursor.kind, live.since(offset), offset))
                cursor.offset = live.end

    def _rest(self, cursor: _Cursor, start: int, text: str, rewinds: int) -> None:
        """What the subscriber has not had of a text that is complete now."""
        offset = cursor.going_on(start, start + len(text), rewinds)
        if offset < start + len(text):
            self._items.append(Delta(self._channel.run_id, self._seq, cursor.kind, text[offset - start :], offset))


class _Cursor:
    """How much of a live text the subscriber has; None = nothing of the response that streams now."""

    def __init__(self, kind: Literal["chat.stream.v1", "chat.reasoning.v1"]) -> None:
        self.kind: Final = kind
        self.offset: int | None = None
        self._rewinds = -1

    def place(self, live: LiveText) -> int:
        """The offset to go on from: the start of the response when it is not known or the response was begun again."""
        self.offset = self.going_on(live.start, live.end, live.rewinds)
        self._rewinds = live.rewinds
        return self.offset

    def going_on(self, start: int, end: int, rewinds: int) -> int:
        """The cursor's own offset while it lies in this text and the text was not begun again since; else its start."""
        if self.offset is None or not start <= self.offset <= end or self._rewinds not in (-1, rewinds):
            return start
        return self.offset
