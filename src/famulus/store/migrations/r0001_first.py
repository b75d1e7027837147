"""The first tables."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from famulus.store.schema import dialect_ddl, dialect_ddl_before, load_tables


def upgrade(connection: sa.Connection) -> None:
    tables = load_tables()
    _run(connection, dialect_ddl_before)
    tables.create_all(connection, checkfirst=False)
    _run(connection, dialect_ddl)


def _run(connection: sa.Connection, statements: Sequence[tuple[str, str]]) -> None:
    for dialect, sql in statements:
        if dialect == connection.dialect.name:
            connection.exec_driver_sql(sql)
