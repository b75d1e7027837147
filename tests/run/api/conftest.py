"""The product behind a real server on loopback, over a fresh data folder, with clients of two tenants."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from famulus.api.app import create_app
from famulus.app.build import build
from famulus.config import load_settings
from famulus.testing.served import ADMIN_TOKEN, Client, Server, serving


@pytest.fixture
async def server(tmp_path: Path, anyio_backend: str) -> AsyncIterator[Server]:
    """The product with its worker, as `famulus serve` runs it."""
    settings = load_settings(
        tmp_path / "data", environ={"FAMULUS_EMBEDDING__MODEL": "off", "FAMULUS_ADMIN_TOKEN": ADMIN_TOKEN}
    )
    async with build(settings) as famulus, aiohttp.ClientSession() as session:
        await famulus.accounts.ensure_owner(ADMIN_TOKEN)
        principal = await famulus.accounts.create_account("another-tenant", "stranger", "admin")
        token = (await famulus.accounts.issue_token(principal, "test"))[1]
        async with serving(create_app(famulus, settings)) as address:
            yield Server(
                address,
                famulus,
                Client(address, session, ADMIN_TOKEN),
                Client(address, session),
                Client(address, session, token),
                principal,
            )
