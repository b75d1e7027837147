"""The tables of version 0.1.0, as the statements that made them: later changes of `store/schema` do not change this step."""

from __future__ import annotations

from importlib.resources import files

import sqlalchemy as sa


def upgrade(connection: sa.Connection) -> None:
    text = (
        files("famulus.store.migrations").joinpath(f"r0001_{connection.dialect.name}.sql").read_text(encoding="utf-8")
    )
    for statement in text.split(";\n\n"):
        connection.exec_driver_sql(statement.strip().removesuffix(";"))
