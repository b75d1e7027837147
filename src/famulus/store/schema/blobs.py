"""Blobs kept in the database, for servers that share no folder. Content-addressed, so they carry no tenant: whoever refers to
a blob by its hash (a document, an artifact) does."""

from __future__ import annotations

import sqlalchemy as sa

from famulus.store.schema import metadata

blob = sa.Table(
    "blob",
    metadata,
    sa.Column("sha256", sa.Text, primary_key=True),
    sa.Column("size", sa.BigInteger, nullable=False),
    sa.Column("created_us", sa.BigInteger, nullable=False),
)

blob_part = sa.Table(
    "blob_part",
    metadata,
    sa.Column("sha256", sa.Text, primary_key=True),
    sa.Column("ord", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("data", sa.LargeBinary, nullable=False),
)
