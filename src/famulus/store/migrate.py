"""Brings a database to this version: numbered forward steps in one transaction, a copy of the SQLite file before.

A current database costs one SELECT; Alembic is imported only by a step that alters something.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Final, cast

import sqlalchemy as sa

from famulus.errors import NeedsUpgrade
from famulus.messages.ids import new_id
from famulus.store import migrations
from famulus.store.errors import Unreachable
from famulus.store.folder import DataFolder
from famulus.store.migrations import HEAD

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

_TABLE: Final = "schema_revision"
_STEP: Final = re.compile(r"r(\d{4})_\w+")
_LOCK: Final = 0x46414D55  # any fixed number: the processes on one PostgreSQL database migrate one after another


def migrate_sqlite(engine: Engine, folder: DataFolder) -> None:
    """Raises `NeedsUpgrade` when a newer version wrote the file."""
    fresh = not folder.database.exists()
    with engine.connect() as connection:
        found = None if fresh else revision(connection)
        connection.rollback()
        if found == HEAD:
            return
        if found is not None:
            check_known(found)
            backup_sqlite(folder.database, folder.backups / f"famulus-{found}-{new_id()}.db")
        with connection.begin():
            upgrade(connection, found)
    folder.database.chmod(0o600)


def require_current(engine: Engine, folder: DataFolder) -> None:
    """Raises Unreachable unless the file has this version's tables: only the process that holds the folder may change them."""
    found = None
    if folder.database.exists():
        with engine.connect() as connection:
            found = revision(connection)
    if found != HEAD:
        raise Unreachable(
            f"the data folder {str(folder.path)!r} is held by another version of Famulus; stop that one, or use it"
        )


def migrate_postgres(engine: Engine) -> None:
    """Raises `NeedsUpgrade` when a newer version migrated the database."""
    with engine.begin() as connection:
        if revision(connection) == HEAD:
            return
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        found = revision(connection)
        if found != HEAD:
            upgrade(connection, found)


def revision(connection: Connection) -> str | None:
    """The revision of the database; None when it holds no tables of ours yet."""
    if not sa.inspect(connection).has_table(_TABLE):
        return None
    return connection.exec_driver_sql(f"SELECT revision FROM {_TABLE}").scalar()


def steps() -> dict[str, str]:
    """All steps, oldest first: number to module name."""
    found = (_STEP.fullmatch(module.name) for module in iter_modules(migrations.__path__))
    return {
        match[1]: f"{migrations.__name__}.{match[0]}" for match in sorted(filter(None, found), key=lambda step: step[1])
    }


def upgrade(connection: Connection, found: str | None) -> None:
    """Runs the steps after `found` inside the open transaction of `connection`."""
    if found is None:
        connection.exec_driver_sql(f"CREATE TABLE {_TABLE} (revision TEXT NOT NULL)")
        connection.exec_driver_sql(f"INSERT INTO {_TABLE} VALUES ('')")
    else:
        check_known(found)
    for number, module in steps().items():
        if number > (found or ""):
            cast("Callable[[Connection], None]", import_module(module).upgrade)(connection)
            connection.execute(sa.text(f"UPDATE {_TABLE} SET revision = :number"), {"number": number})


def check_known(found: str) -> None:
    """Raises `NeedsUpgrade` for a revision that this version does not have."""
    if found not in steps():
        raise NeedsUpgrade(
            f"the database has revision {found!r}, this version knows up to {HEAD!r}; install a newer Famulus, "
            "or restore the backup that was made before the upgrade"
        )


def backup_sqlite(source: Path, target: Path) -> None:
    """A consistent copy of a SQLite file, also while it is open."""
    target.parent.mkdir(mode=0o700, exist_ok=True)
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as copy:
        old.backup(copy)
    target.chmod(0o600)
