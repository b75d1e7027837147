"""Bytes of a stream as frames: server-sent events and lines of JSON. Pure; a frame may be split anywhere, also inside a character."""

from __future__ import annotations

from typing import Literal, Protocol

MAX_FRAME = 8 << 20
Framing = Literal["sse", "ndjson"]


class FrameTooLong(ValueError):
    pass


class Frames(Protocol):
    def feed(self, chunk: bytes) -> list[bytes]:
        """The data of the frames that this chunk completes."""
        ...

    def rest(self) -> list[bytes]:
        """What a stream that ended without its last separator leaves."""
        ...


class Lines:
    """One JSON value a line."""

    __slots__ = ("held",)

    def __init__(self) -> None:
        self.held = b""

    def feed(self, chunk: bytes) -> list[bytes]:
        lines = (self.held + chunk).split(b"\n")
        self.held = lines.pop()
        if len(self.held) > MAX_FRAME:
            raise FrameTooLong(f"a frame is longer than {MAX_FRAME} bytes")
        return [line for line in lines if line.strip()]

    def rest(self) -> list[bytes]:
        return [self.held] if self.held.strip() else []


class SseData:
    """The `data` of server-sent events; event names, ids and comments are of no use here: every wire repeats its type in the data."""

    __slots__ = ("held",)

    def __init__(self) -> None:
        self.held = b""

    def feed(self, chunk: bytes) -> list[bytes]:
        come = self.held + chunk
        if b"\r" in come:
            come = come.replace(b"\r\n", b"\n")
        whole, _, self.held = come.rpartition(b"\n\n")
        if len(self.held) > MAX_FRAME:
            raise FrameTooLong(f"a frame is longer than {MAX_FRAME} bytes")
        return plain_data(whole) or [data for event in whole.split(b"\n\n") if (data := data_of(event))]

    def rest(self) -> list[bytes]:
        return self.feed(b"\n\n")


def plain_data(events: bytes) -> list[bytes]:
    """The data of events that are one line of data each, as most wires write them; empty when any is more than that."""
    if not events.startswith(b"data: "):
        return []
    data = events[6:].split(b"\n\ndata: ")
    return data if events.count(b"\n") == 2 * (len(data) - 1) and b"" not in data else []


def data_of(event: bytes) -> bytes:
    """The data of one event; its lines are joined. Empty when it has none."""
    if event.startswith(b"data: ") and b"\n" not in event:
        return event[6:]
    lines = [line[5:].removeprefix(b" ") for line in event.split(b"\n") if line.startswith(b"data:")]
    return b"\n".join(lines)


def frames(framing: Framing) -> Frames:
    return SseData() if framing == "sse" else Lines()
