"""The HTTP server of `famulus serve`: a stop does not wait for those who follow a run; they come back and go on."""

from __future__ import annotations

import socket
from collections.abc import Callable

import uvicorn


class Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, leaving: Callable[[], None]) -> None:
        super().__init__(config)
        self._leaving = leaving

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._leaving()
        await super().shutdown(sockets)
