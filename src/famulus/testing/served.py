"""A real server on loopback inside the test's own process; `server.py` starts processes of their own."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncGenerator
from dataclasses import dataclass

import uvicorn
from starlette.types import ASGIApp

from famulus.app.famulus import Famulus
from famulus.messages.values import Principal
from famulus.testing.client import ADMIN_TOKEN, Answer, Client

__all__ = ["ADMIN_TOKEN", "Answer", "Client", "Server", "serving"]


@dataclass
class Server:
    address: str
    famulus: Famulus
    owner: Client
    anonymous: Client
    stranger: Client
    stranger_principal: Principal


@contextlib.asynccontextmanager
async def serving(app: ASGIApp) -> AsyncGenerator[str]:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(100)
        config = uvicorn.Config(app, log_config=None, lifespan="off", timeout_graceful_shutdown=1, access_log=False)
        running = uvicorn.Server(config)
        task = asyncio.create_task(running.serve([listening]))
        async with asyncio.timeout(10):
            while not running.started:  # noqa: ASYNC110 (uvicorn offers a flag and nothing to wait for)
                await asyncio.sleep(0.005)
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            running.should_exit = True
            await task
