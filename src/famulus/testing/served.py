"""A real server on loopback for tests, and a client that speaks to it as one person."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import uvicorn
from starlette.types import ASGIApp

from famulus.app.famulus import Famulus
from famulus.messages.values import Principal

ADMIN_TOKEN = "owner-token-" + "o" * 40


@dataclass
class Answer:
    status: int
    headers: Any
    body: Any
    text: str


@dataclass
class Client:
    """Speaks HTTP to the server as one person. `anonymous` sends no credential."""

    base: str
    session: aiohttp.ClientSession
    token: str | None = None
    headers: dict[str, str] = field(default_factory=lambda: dict[str, str]())

    async def call(self, method: str, path: str, **options: Any) -> Answer:
        headers = {**self.headers, **options.pop("headers", {})}
        if self.token is not None:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        async with self.session.request(
            method, self.base + path, headers=headers, allow_redirects=False, **options
        ) as response:
            text = await response.text(errors="replace")
            body = (
                await response.json(content_type=None) if "json" in response.headers.get("Content-Type", "") else None
            )
            return Answer(response.status, response.headers, body, text)

    async def get(self, path: str, **options: Any) -> Answer:
        return await self.call("GET", path, **options)

    async def post(self, path: str, body: Any = None, **options: Any) -> Answer:
        return await self.call("POST", path, **({"json": body} if body is not None else {}), **options)

    async def upload(self, base_id: str, files: dict[str, bytes], **values: str) -> Answer:
        form = aiohttp.FormData()
        for name, value in values.items():
            form.add_field(name, value)
        for name, content in files.items():
            form.add_field("file", content, filename=name)
        return await self.call("POST", f"/api/v1/knowledge-bases/{base_id}/documents", data=form)


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
