from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection

from famulus.store.database import open_database
from famulus.store.errors import StoreUnavailable


def _write(connection: Connection) -> None:
    connection.exec_driver_sql("INSERT INTO worker VALUES ('w', 'i', 1)")


async def test_database_locked_by_another_program_is_reported_after_a_bounded_wait(tmp_path: Path):
    async with await open_database(tmp_path, busy_timeout_s=0.05) as database:
        with closing(sqlite3.connect(tmp_path / "famulus.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreUnavailable, match="locked"):
                await database.write(_write)
            other.execute("ROLLBACK")
        await database.write(_write)


async def test_full_disk_is_reported_and_passes(tmp_path: Path):
    async with await open_database(tmp_path) as database:

        def limit(pages: int):
            return lambda connection: connection.exec_driver_sql(f"PRAGMA max_page_count={pages}") and None

        def fill(connection: Connection) -> None:
            connection.exec_driver_sql("CREATE TABLE heap (b BLOB)")
            connection.exec_driver_sql("INSERT INTO heap VALUES (zeroblob(4000000))")

        await database.write(limit(1))
        with pytest.raises(StoreUnavailable, match="full"):
            await database.write(fill)
        await database.write(limit(1_000_000))
        await database.write(fill)


@pytest.mark.parametrize("url", ["mysql://x", "sqlite:///x", "://"])
async def test_unknown_database_urls_are_refused(url: str):
    with pytest.raises(Exception, match="not supported"):
        await open_database(url)


async def test_durable_settings_hold(tmp_path: Path):
    async with await open_database(tmp_path) as database:

        def pragma(name: str):
            return lambda connection: connection.exec_driver_sql(f"PRAGMA {name}").scalar()

        assert await database.write(pragma("synchronous")) == 2
        assert await database.read(pragma("journal_mode")) == "wal"
        assert await database.write(pragma("foreign_keys")) == 1
