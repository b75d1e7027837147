"""Fixtures shared by all tests: databases of both kinds, and a guard that fails any test that leaves this machine."""

from __future__ import annotations

import asyncio
import ipaddress
import sys
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from famulus.store.database import Database, open_database
from famulus.testing.postgres import TemporaryPostgres, database_name, temporary_postgres

_NAMES = frozenset({"", "localhost", "localhost.localdomain"})


def _stays_here(host: object) -> bool:
    if host is None:
        return True
    text = host.decode() if isinstance(host, bytes) else str(host)
    try:
        return text in _NAMES or ipaddress.ip_address(text.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _guard(event: str, arguments: tuple[object, ...]) -> None:
    if event in ("socket.connect", "socket.sendto"):
        address = arguments[1]
        if isinstance(address, tuple) and not _stays_here(address[0]):
            raise PermissionError(f"a test tried to reach {address!r}; tests stay on loopback")
    elif event == "socket.getaddrinfo" and not _stays_here(arguments[0]):
        try:
            ipaddress.ip_address(str(arguments[0]))
        except ValueError:
            raise PermissionError(f"a test tried to resolve {arguments[0]!r}; tests stay on loopback") from None


sys.addaudithook(_guard)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[TemporaryPostgres]:
    with temporary_postgres() as server:
        yield server


@pytest.fixture(scope="session")
def postgres_template(postgres_server: TemporaryPostgres) -> str:
    """A migrated database that each test copies."""
    url = postgres_server.create_database()

    async def migrate() -> None:
        await (await open_database(url, pool_size=1)).aclose()

    # In a thread of its own, so that tests without an event loop can use it too.
    with ThreadPoolExecutor(1) as threads:
        threads.submit(asyncio.run, migrate()).result()
    return database_name(url)


@pytest.fixture
def postgres_url(postgres_server: TemporaryPostgres, postgres_template: str) -> Iterator[str]:
    """A fresh, migrated database of the test's own."""
    url = postgres_server.create_database(postgres_template)
    yield url
    postgres_server.drop_database(url)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def database_target(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """What `open_database` takes: a new data folder, or the URL of a fresh PostgreSQL database."""
    if request.param == "sqlite":
        return str(tmp_path / "data")
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture
async def database(database_target: str) -> AsyncIterator[Database]:
    """An open database; every contract suite runs on both kinds."""
    database = await open_database(database_target, pool_size=4)
    yield database
    await database.aclose()
