"""Which passages wait for their vectors, and which documents wait for none any more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import sqlalchemy as sa

from famulus.knowledge.chunks import to_indexed
from famulus.knowledge.index.base import IndexedChunk
from famulus.knowledge.index.sql import execute_many, fetch, marks
from famulus.messages.values import JsonObject
from famulus.store.schema.knowledge import chunk, document

EMBED_JOB = "base.embed"
# The tenant is compared as an expression, as in `chunks.py`.
_ALIVE = "SELECT number FROM chunk WHERE tenant || '' = ? AND number IN"
_EMBEDDED = "UPDATE chunk SET embedding = ? WHERE tenant = ? AND number = ?"

Enqueue = Callable[[sa.Connection, str, str, str, JsonObject], None]
"""(connection, tenant, kind, key, payload): books a job inside the caller's transaction; one waiting job per kind and key."""


def chunks_to_embed(
    connection: sa.Connection, tenant: str, base_id: str, identity: str, limit: int
) -> list[IndexedChunk]:
    """Passages of the base that have no vector of this embedder yet; those without any first, then oldest first."""
    in_base = sa.select(chunk).where(chunk.c.tenant == tenant, chunk.c.kb == base_id)
    first = in_base.order_by(chunk.c.embedding, chunk.c.number).limit(limit)
    # Three questions: each walks an index to its first rows, which "no vector, or another one's" does not.
    for waiting in (chunk.c.embedding.is_(None), chunk.c.embedding < identity, chunk.c.embedding > identity):
        found = connection.execute(first.where(waiting)).mappings().all()
        if found:
            return [to_indexed(row) for row in found]
    return []


def mark_embedded(connection: sa.Connection, tenant: str, numbers: Sequence[int], identity: str) -> list[int]:
    """Notes that these passages have a vector now; the numbers that still exist."""
    execute_many(connection, _EMBEDDED, [(identity, tenant, number) for number in numbers])
    found = fetch(connection, f"{_ALIVE} ({marks(len(numbers))})", [tenant, *numbers])
    return [cast(int, number) for (number,) in found]


def mark_vectors_ready(connection: sa.Connection, tenant: str, base_id: str, identity: str) -> None:
    """Documents of the base whose every passage has a vector of this embedder say so."""
    waiting = sa.select(sa.literal(1)).where(
        chunk.c.tenant == document.c.tenant,
        chunk.c.document == document.c.id,
        sa.or_(chunk.c.embedding.is_(None), chunk.c.embedding != identity),
    )
    statement = (
        sa.update(document)
        .where(
            document.c.tenant == tenant,
            document.c.kb == base_id,
            document.c.status == "ready",
            document.c.vectors != "ready",
            sa.not_(sa.exists(waiting)),
        )
        .values(vectors="ready")
    )
    connection.execute(statement)


def enqueue_stale(connection: sa.Connection, identity: str, enqueue: Enqueue) -> None:
    """Books `base.embed` for every base that holds passages without a vector of this embedder (first start, other embedder)."""
    query = (
        sa.select(chunk.c.tenant, chunk.c.kb)
        .where(sa.or_(chunk.c.embedding.is_(None), chunk.c.embedding != identity))
        .distinct()
    )
    for tenant, base_id in connection.execute(query).all():
        enqueue(connection, tenant, EMBED_JOB, base_id, {"knowledge_base": base_id})
