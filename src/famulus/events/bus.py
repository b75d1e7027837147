"""Live state of runs in this process: how far each log has come, and the text that is still streaming.

Subscribers pull: they are woken, then take what is new from their own position. So a slow one costs no memory, and finds the
rest in the log.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from weakref import WeakSet

from famulus.events.types import RUN_RESPONSE, TEXT_DELTA, Event

COALESCE_S: Final = 0.04
_TAIL: Final = 32


class LiveText:
    """The text of one response while it streams; `start` is its offset in the whole message."""

    def __init__(self) -> None:
        self.start = 0
        self.end = 0
        self.rewinds = 0
        self._parts: list[str] = []

    def put(self, offset: int, text: str) -> None:
        """Text behind the end is appended; an earlier offset (the response was begun again) replaces what followed it."""
        if offset != self.end:
            kept = self.since(self.start)[: max(0, offset - self.start)] if offset < self.end else ""
            self.reset(offset - len(kept), kept)
        self._parts.append(text)
        self.end += len(text)

    def since(self, offset: int) -> str:
        """The text from `offset` on, empty at the end."""
        if len(self._parts) > 1:
            self._parts = ["".join(self._parts)]
        return self._parts[0][max(0, offset - self.start) :] if self._parts else ""

    def reset(self, start: int, text: str = "") -> None:
        self.rewinds += 1
        self.start = start
        self.end = start + len(text)
        self._parts = [text] if text else []


class Closed(NamedTuple):
    """What had streamed when its response became durable, for a subscriber who has not had all of it."""

    text_start: int
    text: str
    text_rewinds: int
    reasoning_start: int
    reasoning: str
    reasoning_rewinds: int


@dataclass(slots=True, eq=False, weakref_slot=True)
class Channel:
    """One run, as seen here. `local` while this process appends to it; `known_seq` is the newest event known to be durable."""

    tenant: str
    run_id: str
    known_seq: int = 0
    local: bool = False
    live_seq: int = 0
    text: LiveText = field(default_factory=LiveText)
    reasoning: LiveText = field(default_factory=LiveText)
    tail: deque[tuple[Event, Closed | None]] = field(default_factory=lambda: deque(maxlen=_TAIL))
    wakers: WeakSet[asyncio.Event] = field(default_factory=lambda: WeakSet())
    timer: asyncio.TimerHandle | None = None
    woken_at: float = 0.0

    def wake(self) -> None:
        for waker in self.wakers:
            waker.set()

    def advance(self, seq: int) -> None:
        """Somebody saw that the log goes up to `seq`."""
        if seq > self.known_seq:
            self.known_seq = seq
            self.wake()

    def commit(self, events: Iterable[Event]) -> None:
        """Events that this process made durable."""
        followed = bool(self.wakers)
        for event in events:
            closed = self._close_response() if event.type == RUN_RESPONSE else None
            if followed:
                self.tail.append((event, closed))
            self.known_seq = max(self.known_seq, event.seq)
            self.live_seq = event.seq
        if followed:
            self.wake()

    def since(self, seq: int) -> list[tuple[Event, Closed | None]]:
        """The events after `seq` from memory; empty when the first of them is there no longer."""
        found = [entry for entry in self.tail if entry[0].seq > seq]
        return found if found and found[0][0].seq == seq + 1 else []

    def publish(self, kind: str, offset: int, text: str) -> None:
        (self.text if kind == TEXT_DELTA else self.reasoning).put(offset, text)
        if self.wakers and self.timer is None:
            self._schedule()

    def show(self, seq: int, text: tuple[int, str], reasoning: tuple[int, str]) -> None:
        """Text so far as another process left it; `seq` is the event it follows."""
        if seq < self.live_seq:
            return
        self.live_seq = seq
        for live, (start, content) in ((self.text, text), (self.reasoning, reasoning)):
            if live.start == start and content.startswith(live.since(start)):
                live.put(live.end, content[live.end - start :])
            else:
                live.reset(start, content)
        self.wake()

    def passed(self, event: Event) -> None:
        """A subscriber read `event` from the log: text that streamed before it is history."""
        if event.type == RUN_RESPONSE and event.seq > self.live_seq:
            self.live_seq = event.seq
            self._close_response()

    def _close_response(self) -> Closed:
        text, reasoning = self.text, self.reasoning
        closed = Closed(
            *(text.start, text.since(0), text.rewinds),
            *(reasoning.start, reasoning.since(0), reasoning.rewinds),
        )
        self.text.reset(self.text.end)
        self.reasoning.reset(self.reasoning.end)
        return closed

    def _schedule(self) -> None:
        """Wakes at once after a pause, else at most every 40 ms."""
        loop = asyncio.get_running_loop()
        due = self.woken_at + COALESCE_S - loop.time()
        self.timer = loop.call_later(max(0.0, due), self._flush)

    def _flush(self) -> None:
        self.timer = None
        self.woken_at = asyncio.get_running_loop().time()
        self.wake()


class Bus:
    """The channels of this process. One is kept while the run is appended to here or somebody follows it."""

    def __init__(self) -> None:
        self._channels: dict[str, Channel] = {}
        self.closed = False

    def close(self) -> None:
        """Lets everybody who follows a run go, now and from now on."""
        self.closed = True
        for channel in self._channels.values():
            channel.wake()

    def channel(self, tenant: str, run_id: str) -> Channel:
        channel = self._channels.get(run_id)
        if channel is None:
            channel = self._channels[run_id] = Channel(tenant, run_id)
        return channel

    def get(self, run_id: str) -> Channel | None:
        return self._channels.get(run_id)

    def forget(self, channel: Channel) -> None:
        """Drops the channel when nobody needs it."""
        if not channel.local and not channel.wakers and self._channels.get(channel.run_id) is channel:
            del self._channels[channel.run_id]

    def followed_elsewhere(self) -> list[Channel]:
        """The channels that somebody here follows while another process appends."""
        return [channel for channel in self._channels.values() if channel.wakers and not channel.local]

    def local(self) -> list[Channel]:
        return [channel for channel in self._channels.values() if channel.local]
