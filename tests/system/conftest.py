"""Real `famulus serve` processes, forked from one warm process, on loopback with fresh data folders."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from famulus.testing.server import Forks


@pytest.fixture(scope="session")
async def forks(anyio_backend: str) -> AsyncIterator[Forks]:
    async with Forks() as forks:
        yield forks
