"""All tables of the product on one `MetaData`, one file per room. A table is read and written by its own room only.

Statements that SQLAlchemy cannot say (virtual tables, extensions, triggers) go into `dialect_ddl` (run after the tables are made)
or `dialect_ddl_before` (run before them), as `("sqlite" | "postgresql", sql)`.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Final, Literal

import sqlalchemy as sa

Dialect = Literal["sqlite", "postgresql"]

metadata: Final = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)
dialect_ddl: Final[list[tuple[Dialect, str]]] = []
dialect_ddl_before: Final[list[tuple[Dialect, str]]] = []


def load_tables() -> sa.MetaData:
    """The complete `MetaData`: every file of this package is imported first."""
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
    return metadata
