"""A scripted tool server on a free loopback port: counts and records calls, answers as told, with faults. Plain HTTP and OpenAPI."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from aiohttp import web


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """How one path answers. `chunk_bytes` with `chunks` streams that much (None: without end); `close` drops the connection unanswered."""

    body: Any = None
    status: int = 200
    delay_s: float = 0.0
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    chunk_bytes: int = 0
    chunks: int | None = 0
    close: bool = False


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """One request as it came; `target` is the raw request line's path with its query."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body) if self.body else None


class ToolServer:
    """`async with ToolServer({"GET /items": ToolAnswer([1, 2])}, openapi={...}) as server:` then `server.requests`.

    A path that is not scripted answers 404. `openapi` is served at `/openapi.json` with this server as its only address.
    """

    def __init__(self, answers: Mapping[str, ToolAnswer], openapi: Mapping[str, Any] | None = None) -> None:
        self.answers = dict(answers)
        self.openapi = openapi
        self.requests: list[ToolRequest] = []
        self.open_requests = 0
        self.port = 0
        self.runner: web.AppRunner | None = None

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def calls(self, operation: str) -> list[ToolRequest]:
        """The requests of one operation, for example `POST /orders`, in order of arrival."""
        method, _, path = operation.partition(" ")
        return [
            request for request in self.requests if request.method == method and request.target.split("?")[0] == path
        ]

    async def __aenter__(self) -> ToolServer:
        app = web.Application(client_max_size=64 << 20)
        app.router.add_route("*", "/{path:.*}", self.answer)
        self.runner = web.AppRunner(app, access_log=None, handler_cancellation=True, shutdown_timeout=0.05)
        await self.runner.setup()
        await web.TCPSite(self.runner, "127.0.0.1", 0).start()
        self.port = int(self.runner.addresses[0][1])
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.runner is not None:
            await self.runner.cleanup()

    async def answer(self, request: web.Request) -> web.StreamResponse:
        if self.openapi is not None and request.path == "/openapi.json":
            return json_response({**self.openapi, "servers": [{"url": self.base_url}]})
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.requests.append(ToolRequest(request.method, request.raw_path, headers, await request.read()))
        scripted = self.answers.get(f"{request.method} {request.path}", ToolAnswer({"error": "not found"}, 404))
        self.open_requests += 1
        try:
            return await self.play(request, scripted)
        finally:
            self.open_requests -= 1

    async def play(self, request: web.Request, scripted: ToolAnswer) -> web.StreamResponse:
        await asyncio.sleep(scripted.delay_s)
        if scripted.close and request.transport is not None:
            request.transport.close()
            return web.Response()
        if scripted.chunk_bytes:
            return await self.flood(request, scripted)
        return json_response(scripted.body, scripted.status, scripted.headers)

    async def flood(self, request: web.Request, scripted: ToolAnswer) -> web.StreamResponse:
        response = web.StreamResponse(status=scripted.status, headers=dict(scripted.headers))
        await response.prepare(request)
        sent = 0
        while scripted.chunks is None or sent < scripted.chunks:
            await response.write(b"x" * scripted.chunk_bytes)
            sent += 1
        return response


def json_response(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> web.Response:
    """Text is sent as it is, anything else as JSON."""
    data = body if isinstance(body, bytes) else body.encode() if isinstance(body, str) else json.dumps(body).encode()
    return web.Response(status=status, body=data, headers={"Content-Type": "application/json"} | dict(headers or {}))
