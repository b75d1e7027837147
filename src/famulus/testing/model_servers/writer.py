"""Writes the frames of one answer; dies where the script says `Cut`, in pieces where it says `Split`."""

from __future__ import annotations

import asyncio

from aiohttp import web

from famulus.testing.model_servers.script import Cut, Item, Split


class Writer:
    """`begin`, `frames` are False once the connection was dropped."""

    def __init__(self, request: web.Request, response: web.StreamResponse, items: list[Item]) -> None:
        self.request = request
        self.response = response
        cuts = [item.after for item in items if isinstance(item, Cut)]
        self.left: int | None = cuts[0] if cuts else None
        sizes = [item.size for item in items if isinstance(item, Split)]
        self.size: int | None = sizes[0] if sizes else None

    async def begin(self) -> bool:
        if self.left == 0:
            self.drop()
            return False
        await self.response.prepare(self.request)
        return True

    async def frames(self, frames: list[bytes]) -> bool:
        for frame in frames:
            if self.left == 0:
                self.drop()
                return False
            await self.write(frame)
            if self.left is not None:
                self.left -= 1
        if self.left == 0:
            self.drop()
            return False
        return True

    async def write(self, frame: bytes) -> None:
        if self.size is None:
            await self.response.write(frame)
            return
        for i in range(0, len(frame), self.size):
            await self.response.write(frame[i : i + self.size])
            await asyncio.sleep(0)

    async def finish(self) -> None:
        await self.response.write_eof()

    def drop(self) -> None:
        if self.request.transport is not None:
            self.request.transport.close()
