"""Tables of the knowledge room: bases, documents with their revisions and texts, facts, and the chunks that search finds.

A chunk has two names: `id`, opaque and public, and `number`, a dense integer that the indexes use as row id; numbers come
from `counter` and are never used twice. Only chunks of a document's current revision exist, so what search finds is current.
"""

from __future__ import annotations

import sqlalchemy as sa

from famulus.store.columns import JsonText, UtcTime
from famulus.store.schema import metadata

knowledge_base = sa.Table(
    "knowledge_base",
    metadata,
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("owner", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("description", sa.Text, nullable=False, server_default=""),
    sa.Column("scope", sa.Text, nullable=False, server_default="personal"),
    sa.Column("sensitivity", sa.Text, nullable=False, server_default="normal"),
    sa.Column("neutralize", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("created_at", UtcTime, nullable=False),
    sa.Column("updated_at", UtcTime, nullable=False),
    sa.UniqueConstraint("tenant", "owner", "name"),
)

document = sa.Table(
    "document",
    metadata,
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("kb", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("path", sa.Text, nullable=False),
    sa.Column("media_type", sa.Text, nullable=False),
    sa.Column("size", sa.BigInteger, nullable=False),
    sa.Column("sha256", sa.Text, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("error_code", sa.Text),
    sa.Column("error", sa.Text),
    sa.Column("pages", sa.Integer),
    sa.Column("chunk_count", sa.Integer, nullable=False, server_default="0"),
    sa.Column("vectors", sa.Text, nullable=False, server_default="pending"),
    sa.Column("warnings", JsonText, nullable=False),
    sa.Column("language", sa.Text),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("indexed_revision", sa.Integer),
    sa.Column("created_at", UtcTime, nullable=False),
    sa.Column("updated_at", UtcTime, nullable=False),
    sa.UniqueConstraint("tenant", "kb", "path"),
    sa.UniqueConstraint("tenant", "kb", "sha256"),
)

document_revision = sa.Table(
    "document_revision",
    metadata,
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("document", sa.Text, primary_key=True),
    sa.Column("revision", sa.Integer, primary_key=True),
    sa.Column("sha256", sa.Text, nullable=False),
    sa.Column("size", sa.BigInteger, nullable=False),
    sa.Column("media_type", sa.Text, nullable=False),
    sa.Column("created_at", UtcTime, nullable=False),
    sa.Column("text", sa.Text),
    sa.Column("structure", JsonText),
)
sa.Index("document_revision_blob", document_revision.c.sha256)

chunk = sa.Table(
    "chunk",
    metadata,
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("number", sa.BigInteger, nullable=False, unique=True),
    sa.Column("kb", sa.Text, nullable=False),
    sa.Column("document", sa.Text),
    sa.Column("fact", sa.Text),
    sa.Column("ord", sa.Integer, nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("context", sa.Text, nullable=False, server_default=""),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("page", sa.Integer),
    sa.Column("section", JsonText, nullable=False),
    sa.Column("start", sa.Integer, nullable=False),
    sa.Column("end", sa.Integer, nullable=False),
    sa.Column("category", sa.Text),
    sa.Column("media_type", sa.Text),
    sa.Column("created_at", UtcTime, nullable=False),
    sa.Column("embedding", sa.Text),
)
sa.Index("chunk_document", chunk.c.tenant, chunk.c.document, chunk.c.ord)
sa.Index("chunk_fact", chunk.c.tenant, chunk.c.fact)
sa.Index("chunk_waiting", chunk.c.tenant, chunk.c.kb, chunk.c.embedding, chunk.c.number)

fact = sa.Table(
    "fact",
    metadata,
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("kb", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("category", sa.Text),
    sa.Column("tags", JsonText, nullable=False),
    sa.Column("sensitive", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("created_by", sa.Text, nullable=False),
    sa.Column("created_at", UtcTime, nullable=False),
    sa.Column("updated_at", UtcTime, nullable=False),
)
sa.Index("fact_kb", fact.c.tenant, fact.c.kb, fact.c.created_at)

counter = sa.Table(
    "counter",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.BigInteger, nullable=False),
)
