"""The migrations make exactly the tables that the code declares."""

from __future__ import annotations

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection

from famulus.store.database import Database
from famulus.store.schema import load_tables


def _differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    declared = load_tables()
    return [
        change
        for change in compare_metadata(context, declared)
        if not (isinstance(change, tuple) and change[0] == "remove_table" and change[1].name not in declared.tables)
    ]


async def test_a_migrated_database_has_the_declared_tables_columns_and_indexes(database: Database) -> None:
    assert await database.read(_differences) == []
