"""The whole product in the test's own process behind a real server on loopback, with a scripted model.

Real store, extraction processes, indexes, worker and door. Vectors are off unless an embedder is given; the clock is the system's
unless `frozen`.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import sqlite3
from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from famulus.api.app import create_app
from famulus.app import build as building
from famulus.app.famulus import Famulus
from famulus.config import load_settings
from famulus.messages.clock import SystemClock
from famulus.messages.ids import new_id
from famulus.messages.values import Principal
from famulus.testing.embedder import HashEmbedder
from famulus.testing.model_servers import Round, ScriptedModel
from famulus.testing.model_servers.server import Mode, State
from famulus.testing.served import ADMIN_TOKEN, Client, serving

BASES = "/api/v1/knowledge-bases"
SCRIPTED = "scripted/test-model"
BUILT_IN = "builtin/extractive"


class TinyEmbedder(HashEmbedder):
    async def aclose(self) -> None:
        """Nothing to give back."""


@dataclass
class Product:
    """The product as one person of a tenant of their own sees it; `newcomer` gives another one."""

    famulus: Famulus
    folder: Path
    client: Client
    principal: Principal
    model: ScriptedModel

    async def newcomer(self) -> Product:
        """The first person of a new tenant: what other tests put in is not seen."""
        principal = await self.famulus.accounts.create_account(f"tenant-{new_id()}", "person", "admin")
        token = (await self.famulus.accounts.issue_token(principal, "test"))[1]
        return replace(self, client=Client(self.client.base, self.client.session, token), principal=principal)

    def script(self, *rounds: Round, mode: Mode = "script", repeat: bool = False) -> None:
        """What the model says from now on."""
        self.model.rounds, self.model.mode, self.model.repeat, self.model.state = rounds, mode, repeat, State()

    @property
    def asked(self) -> list[dict[str, Any]]:
        """The bodies that the model was sent since the script began."""
        return self.model.bodies

    async def base(self, *facts: str, name: str = "K", category: str | None = None) -> str:
        """A new knowledge base with these facts."""
        base_id = (await self.client.post(BASES, {"name": name})).body["id"]
        for fact in facts:
            body = {"text": fact} | ({"category": category} if category else {})
            assert (await self.client.post(f"{BASES}/{base_id}/facts", body)).status == 201
        return base_id

    async def put(self, base_id: str, name: str, data: bytes | str, **values: str) -> dict[str, Any]:
        """The document once it is ready or failed."""
        content = data.encode() if isinstance(data, str) else data
        answer = await self.client.upload(base_id, {name: io.BytesIO(content)}, **values)
        assert answer.status == 202, answer.text
        return await self.read(answer.body["items"][0]["document_id"])

    async def read(self, document_id: str) -> dict[str, Any]:
        path = f"/api/v1/documents/{document_id}"
        return await self.client.until(path, lambda body: body["status"] in ("ready", "failed"))

    async def search(self, base_id: str, query: str, **more: Any) -> list[dict[str, Any]]:
        answer = await self.client.post("/api/v1/search", {"query": query, "knowledge_base_ids": [base_id], **more})
        assert answer.status == 200, answer.text
        return answer.body["hits"]

    async def ask(
        self, message: str, *bases: str, headers: dict[str, str] | None = None, **more: Any
    ) -> dict[str, Any]:
        """The finished run."""
        body = {"message": message, "knowledge_base_ids": list(bases), **more}
        answer = await self.client.post("/api/v1/runs?wait=true", body, headers=headers or {})
        assert answer.status == 200, answer.text
        return answer.body

    async def events(self, run: dict[str, Any]) -> list[dict[str, Any]]:
        headers = {"Accept": "application/json"}
        return (await self.client.get(f"/api/v1/runs/{run['id']}/events", headers=headers)).body["items"]

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Straight from the database file."""
        with contextlib.closing(sqlite3.connect(self.folder / "famulus.db")) as connection:
            return connection.execute(query).fetchall()

    async def serves(self) -> None:
        """What every case ends with: the server lives, and a plain second run works."""
        assert (await self.client.get("/api/v1/health")).status == 200
        run = await self.ask("What is 2 + 3?", model="builtin/extractive")
        assert run["status"] == "completed"


@contextlib.asynccontextmanager
async def product(
    folder: Path,
    *,
    embedder: TinyEmbedder | None = None,
    frozen: datetime | None = None,
    config: str = "",
    default: str = SCRIPTED,
) -> AsyncGenerator[Product]:
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    environ = {"FAMULUS_ADMIN_TOKEN": ADMIN_TOKEN, "SCRIPTED_KEY": "key"}
    if embedder is None:
        environ["FAMULUS_EMBEDDING__MODEL"] = "off"
    async with ScriptedModel("openai") as model, aiohttp.ClientSession() as session:
        (folder / "famulus.toml").write_text(provider(model, default) + config)
        settings = load_settings(folder, environ=environ)
        with pytest.MonkeyPatch.context() as patch:
            if embedder is not None:
                patch.setattr(building, "_embedder", partial(_given, embedder))
            if frozen is not None:
                patch.setattr(SystemClock, "now", lambda _: frozen)
            async with building.build(settings) as famulus:
                owner, _ = await famulus.accounts.ensure_owner(ADMIN_TOKEN)
                async with serving(create_app(famulus, settings)) as address:
                    yield Product(famulus, folder, Client(address, session, ADMIN_TOKEN), owner, model)


def _given(embedder: TinyEmbedder, *_: object) -> TinyEmbedder:
    return embedder


def provider(model: ScriptedModel, default: str = SCRIPTED) -> str:
    """The settings that connect a scripted model."""
    return f"""
[[providers]]
name = "scripted"
kind = "{model.kind}"
base_url = "{model.base_url}"
api_key = "env:SCRIPTED_KEY"

[agent]
model = "{default}"
"""


def results(body: dict[str, Any]) -> list[Any]:
    """The tool results in a Chat Completions request, oldest first."""
    return [json.loads(message["content"]) for message in body["messages"] if message["role"] == "tool"]
