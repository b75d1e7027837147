"""Real `famulus serve` processes, forked from one warm process, on loopback with fresh data folders."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping

import pytest
from tests.system.following import DATABASE_URL

from famulus.testing.server import Forks


@pytest.fixture(scope="session")
async def forks(anyio_backend: str) -> AsyncIterator[Forks]:
    async with Forks() as forks:
        yield forks


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def store(request: pytest.FixtureRequest) -> Mapping[str, str]:
    """What a `FamulusServer` needs in its environment to keep its data in its folder, or in a fresh PostgreSQL database."""
    if request.param == "sqlite":
        return {}
    return {DATABASE_URL: str(request.getfixturevalue("postgres_url"))}
