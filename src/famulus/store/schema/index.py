"""Tables of the indexes over chunks. Only `knowledge/index` reads or writes them.

An index is a set of segments. What a segment holds never changes, so it may be cached by its id; a removal is noted beside it
(`gone`), and small segments are merged into new ones. The rows that are searched are in `index_block`, by number: block -1 is
the segment's head, the others are word postings or bit codes.
"""

from __future__ import annotations

import sqlalchemy as sa

from famulus.store.schema import metadata

# Byte order on both engines: prefix search walks the index of this column.
_WORD = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")

index_segment = sa.Table(
    "index_segment",
    metadata,
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("rows", sa.Integer, nullable=False),
    sa.Column("gone", sa.LargeBinary),
)

index_block = sa.Table(
    "index_block",
    metadata,
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("segment", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("block", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("data", sa.LargeBinary, nullable=False),
)

index_word = sa.Table(
    "index_word",
    metadata,
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("hash", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("word", _WORD, nullable=False),
    sa.Column("reversed", _WORD, nullable=False),
)
sa.Index(None, index_word.c.tenant, index_word.c.word)
sa.Index(None, index_word.c.tenant, index_word.c.reversed)

vector_model = sa.Table(
    "vector_model",
    metadata,
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("model", sa.Text, primary_key=True),
    sa.Column("id", sa.BigInteger, nullable=False, unique=True),
    sa.Column("dim", sa.Integer, nullable=False),
    sa.Column("count", sa.BigInteger, nullable=False),
    sa.Column("total", sa.LargeBinary, nullable=False),
)

vector_row = sa.Table(
    "vector_row",
    metadata,
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("model", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("vector", sa.LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
