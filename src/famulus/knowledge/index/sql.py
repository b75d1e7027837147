"""Plain SQL for the searching path, where building a statement would cost more than running it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import TypeAlias, cast

from sqlalchemy import Connection

Value: TypeAlias = "str | int | bytes | None"
Row: TypeAlias = "tuple[Value, ...]"

# SQLite takes 32,766 parameters in one statement, PostgreSQL 65,535.
MOST_VALUES = 10_000


def fetch(connection: Connection, statement: str, values: Sequence[Value]) -> list[Row]:
    """All rows. Parameters are written `?`; the statement is ours, never text of a user.

    On SQLite the driver is asked directly: there a look-up takes less time than SQLAlchemy's wrapping of its result.
    """
    if connection.dialect.name == "sqlite":
        driver = cast(sqlite3.Connection, connection.connection.driver_connection)
        return cast("list[Row]", driver.execute(statement, tuple(values)).fetchall())
    result = connection.exec_driver_sql(_for_dialect(connection, statement), tuple(values))
    return cast("list[Row]", [tuple(row) for row in result.fetchall()])


def execute(connection: Connection, statement: str, values: Sequence[Value]) -> None:
    connection.exec_driver_sql(_for_dialect(connection, statement), tuple(values))


def execute_many(connection: Connection, statement: str, rows: Sequence[Sequence[Value]]) -> None:
    if rows:
        connection.exec_driver_sql(_for_dialect(connection, statement), [tuple(row) for row in rows])


def marks(count: int) -> str:
    """`?, ?, …` for an `IN (…)` of `count` values."""
    return ", ".join("?" * count)


def lock_index(connection: Connection, tenant: str) -> None:
    """Until the transaction ends, no other one changes this tenant's indexes. SQLite has one writer anyway."""
    if connection.dialect.name == "postgresql":
        execute(connection, "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", ["famulus index " + tenant])


def _for_dialect(connection: Connection, statement: str) -> str:
    return statement if connection.dialect.name == "sqlite" else statement.replace("?", "%s")
