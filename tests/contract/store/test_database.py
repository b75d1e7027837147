"""One contract for SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
import sqlalchemy as sa
from sqlalchemy import Connection

from famulus.store.database import Database, open_database

_TABLE = sa.table("note", sa.column("id"), sa.column("text"))


def _make(connection: Connection) -> None:
    connection.exec_driver_sql("CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)")


def _add(number: int, text: str = "x") -> Callable[[Connection], int]:
    def add(connection: Connection) -> int:
        connection.execute(sa.insert(_TABLE).values(id=number, text=text))
        return number

    return add


def _all(connection: Connection) -> list[int]:
    return list(connection.execute(sa.select(_TABLE.c.id).order_by(_TABLE.c.id)).scalars())


async def test_write_returns_value_and_read_sees_it(database: Database):
    await database.write(_make)
    assert await database.write(_add(1)) == 1
    assert await database.read(_all) == [1]


async def test_failed_function_leaves_nothing_and_neighbours_keep_theirs(database: Database):
    await database.write(_make)

    def fail(connection: Connection) -> None:
        _add(99)(connection)
        raise ValueError("no")

    writes = [database.write(_add(n)) for n in range(20)]
    results = await asyncio.gather(*writes[:10], database.write(fail), *writes[10:], return_exceptions=True)
    assert isinstance(results[10], ValueError)
    assert await database.read(_all) == list(range(20))


async def test_constraint_violation_reaches_only_its_caller(database: Database):
    await database.write(_make)
    results = await asyncio.gather(*(database.write(_add(n % 3)) for n in range(6)), return_exceptions=True)
    assert sum(isinstance(result, sa.exc.IntegrityError) for result in results) == 3
    assert await database.read(_all) == [0, 1, 2]


async def test_read_cannot_write(database: Database):
    await database.write(_make)
    with pytest.raises(sa.exc.DBAPIError):
        await database.read(_add(1))
    assert await database.read(_all) == []


async def test_reopened_database_has_the_data(database: Database, database_target: str):
    await database.write(_make)
    await database.write(_add(1, "über\U0001f600"))
    await database.aclose()
    again = await open_database(database_target, pool_size=1)
    try:
        assert await again.read(lambda c: c.execute(sa.select(_TABLE.c.text)).scalar()) == "über\U0001f600"
    finally:
        await again.aclose()


async def test_signal_of_a_transaction_comes_only_after_its_commit(database: Database):
    got: list[object] = []
    database.on_signal("notes", got.append)

    def fail(connection: Connection) -> None:
        database.notify_in(connection, "notes", {"id": 1})
        raise ValueError("no")

    with pytest.raises(ValueError):
        await database.write(fail)
    await database.write(lambda connection: database.notify_in(connection, "notes", {"id": 2}))
    await database.notify("notes", {"id": 3})
    assert got == [{"id": 2}, {"id": 3}]


async def test_listener_gets_payloads_in_order(database: Database):
    listener = database.listen("channel")
    first = asyncio.ensure_future(anext(listener))
    await asyncio.sleep(0)
    await database.notify("other", {"n": 0})
    await database.notify("channel", {"n": 1})
    await database.notify("channel", {"n": 2})
    assert [await first, await anext(listener)] == [{"n": 1}, {"n": 2}]


async def test_closed_database_says_so(database: Database):
    await database.aclose()
    with pytest.raises(Exception, match="closed"):
        await database.read(_all)
