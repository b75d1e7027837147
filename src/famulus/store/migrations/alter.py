"""Alembic's operations, imported only by a migration that needs them: the import costs more than most starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from alembic.operations import Operations
    from sqlalchemy import Connection


def operations(connection: Connection) -> Operations:
    """`add_column`, `batch_alter_table` and the like, inside the transaction of `connection`."""
    from alembic.operations import Operations
    from alembic.runtime.migration import MigrationContext

    return Operations(MigrationContext.configure(connection))
