"""All tables of the product on one `MetaData`, one file per room. A table is read and written by its own room only.

This is what the code reads and writes; what makes the tables are the steps in `store/migrations`, and a test keeps both equal.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Final

import sqlalchemy as sa

metadata: Final = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def load_tables() -> sa.MetaData:
    """The complete `MetaData`: every file of this package is imported first."""
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
    return metadata
