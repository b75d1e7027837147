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

    __slots__ = ("data", "held")

    def __init__(self) -> None:
        self.held = b""
        self.data: list[bytes] = []

    def feed(self, chunk: bytes) -> list[bytes]:
        lines = (self.held + chunk).split(b"\n")
        self.held = lines.pop()
        if len(self.held) > MAX_FRAME:
            raise FrameTooLong(f"a frame is longer than {MAX_FRAME} bytes")
        found: list[bytes] = []
        data = self.data
        for line in lines:
            if line.endswith(b"\r"):
                line = line[:-1]
            if not line:
                if data:
                    found.append(data[0] if len(data) == 1 else b"\n".join(data))
                    data.clear()
            elif line.startswith(b"data:"):
                data.append(line[6:] if line[5:6] == b" " else line[5:])
        return found

    def rest(self) -> list[bytes]:
        return self.feed(b"\n\n")


def frames(framing: Framing) -> Frames:
    return SseData() if framing == "sse" else Lines()
