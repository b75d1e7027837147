"""A client that speaks HTTP to the product as one person, for tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import aiohttp

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

    async def until(self, path: str, good: Callable[[Any], bool], timeout_s: float = 30.0) -> Any:
        """The body of a GET once it is as wished. Raises AssertionError with the last one after `timeout_s`."""
        body: Any = None
        try:
            async with asyncio.timeout(timeout_s):
                while not good(body := (await self.get(path)).body):  # noqa: ASYNC110 (the server tells nobody)
                    await asyncio.sleep(0.05)
        except TimeoutError:
            raise AssertionError(f"{path} stayed as {body!r}") from None
        return body
