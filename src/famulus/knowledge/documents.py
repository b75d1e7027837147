"""Documents: what was put in, in which state it is, and its revisions. Rows only; reading files is `ingest`, bytes are
blobs, and `uploads` books what comes in.

A document keeps its id when a new version of the file comes; the new revision is indexed beside the old one and the switch
is one transaction, so a search finds the old text or the new one, never both and never none.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, cast

import sqlalchemy as sa

from famulus.errors import NotFound
from famulus.store.schema.knowledge import chunk, document, document_revision

Status = Literal["queued", "extracting", "indexing", "ready", "failed"]
Vectors = Literal["pending", "ready", "off"]
ABANDONED: Mapping[str, object] = {
    "status": "failed",
    "error_code": "interrupted",
    "error": "The server was interrupted each time it read this file. Read it again, or save it in another format.",
}


@dataclass(frozen=True, slots=True)
class DocumentWarning:
    code: str
    message: str
    page: int | None = None

    @property
    def text(self) -> str:
        """As people and models read it."""
        return f"{self.message} (page {self.page})" if self.page else self.message


@dataclass(frozen=True, slots=True)
class Document:
    """One document; `revision` is the newest upload, `indexed_revision` the one that search finds (None: none yet)."""

    id: str
    knowledge_base_id: str
    name: str
    path: str
    media_type: str
    size: int
    sha256: str
    status: Status
    error_code: str | None
    error: str | None
    pages: int | None
    chunk_count: int
    vectors: Vectors
    warnings: tuple[DocumentWarning, ...]
    language: str | None
    revision: int
    indexed_revision: int | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Revision:
    """One upload of a document; only the document's `indexed_revision` is found and cited."""

    revision: int
    sha256: str
    size: int
    media_type: str
    created_at: datetime


def read_document(connection: sa.Connection, tenant: str, document_id: str) -> Document:
    """One document of the tenant. Raises NotFound."""
    query = sa.select(document).where(document.c.tenant == tenant, document.c.id == document_id)
    row = connection.execute(query).mappings().first()
    if row is None:
        raise NotFound(f"There is no document {document_id!r}; it may have been deleted.")
    return to_document(row)


def list_documents(
    connection: sa.Connection,
    tenant: str,
    base_ids: tuple[str, ...],
    *,
    after: str = "",
    limit: int = 100,
    newest_first: bool = False,
) -> list[Document]:
    """Documents of these bases, oldest first unless asked otherwise, from the id behind `after` ("" is the beginning)."""
    id = document.c.id
    query = sa.select(document).where(document.c.tenant == tenant, document.c.kb.in_(base_ids)).limit(limit)
    if after:
        query = query.where(id < after if newest_first else id > after)
    query = query.order_by(id.desc() if newest_first else id)
    return [to_document(row) for row in connection.execute(query).mappings()]


def count_by_status(connection: sa.Connection, tenant: str, base_ids: Collection[str]) -> dict[str, dict[Status, int]]:
    """Base → status → how many documents; what there is none of is absent."""
    table = document.c
    query = (
        sa.select(table.kb, table.status, sa.func.count())
        .where(table.tenant == tenant, table.kb.in_(base_ids))
        .group_by(table.kb, table.status)
    )
    found: dict[str, dict[Status, int]] = {}
    for base_id, status, count in connection.execute(query):
        found.setdefault(base_id, {})[status] = count
    return found


def list_revisions(connection: sa.Connection, tenant: str, document_id: str) -> list[Revision]:
    """All revisions of the document, oldest first."""
    table = document_revision.c
    query = (
        sa.select(table.revision, table.sha256, table.size, table.media_type, table.created_at)
        .where(table.tenant == tenant, table.document == document_id)
        .order_by(table.revision)
    )
    return [Revision(*row) for row in connection.execute(query).all()]


def set_status(
    connection: sa.Connection, tenant: str, document_id: str, revision: int, values: Mapping[str, object]
) -> bool:
    """Writes `values` while `revision` is still the newest one; False when the document is gone or has moved on."""
    table = document.c
    statement = (
        sa.update(document)
        .where(table.tenant == tenant, table.id == document_id, table.revision == revision)
        .values({**values, "updated_at": datetime.now(UTC)})
    )
    return connection.execute(statement).rowcount == 1


def delete_document_rows(connection: sa.Connection, tenant: str, document_id: str) -> tuple[list[int], list[str]]:
    """Removes the document with its revisions and chunks; the chunk numbers (for the indexes) and blob names it held."""
    where = chunk.c.tenant == tenant, chunk.c.document == document_id
    numbers = list(connection.scalars(sa.select(chunk.c.number).where(*where)))
    revisions = document_revision.c.tenant == tenant, document_revision.c.document == document_id
    blobs = list(connection.scalars(sa.select(document_revision.c.sha256).where(*revisions)))
    connection.execute(sa.delete(chunk).where(*where))
    connection.execute(sa.delete(document_revision).where(*revisions))
    connection.execute(sa.delete(document).where(document.c.tenant == tenant, document.c.id == document_id))
    return numbers, blobs


def blob_is_used(connection: sa.Connection, sha256: str) -> bool:
    """Whether any revision of any tenant still needs these bytes."""
    query = sa.select(sa.literal(1)).where(document_revision.c.sha256 == sha256).limit(1)
    return connection.execute(query).first() is not None


def referenced_blobs(connection: sa.Connection) -> set[str]:
    """The names of all bytes that any revision of any tenant needs, for the sweep of orphans."""
    return set(connection.scalars(sa.select(document_revision.c.sha256).distinct()))


def fail_abandoned(connection: sa.Connection, booked: Collection[tuple[str, str]]) -> list[tuple[str, str]]:
    """Marks documents as failed that wait for a reading which nobody will do; `booked` holds (tenant, `ID/REVISION`) of the others.

    So ends a document that took the server down at each attempt. Returns tenant and id of each.
    """
    query = sa.select(document.c.tenant, document.c.id, document.c.revision).where(
        document.c.status.in_(("queued", "extracting", "indexing"))
    )
    waiting = [tuple(row) for row in connection.execute(query)]
    abandoned = [row for row in waiting if (row[0], f"{row[1]}/{row[2]}") not in booked]
    for tenant, document_id, revision in abandoned:
        set_status(connection, tenant, document_id, revision, ABANDONED)
    return [(tenant, document_id) for tenant, document_id, _ in abandoned]


def to_document(row: sa.RowMapping) -> Document:
    warnings = cast("list[dict[str, Any]]", row["warnings"])
    return Document(
        id=row["id"],
        knowledge_base_id=row["kb"],
        name=row["name"],
        path=row["path"],
        media_type=row["media_type"],
        size=row["size"],
        sha256=row["sha256"],
        status=row["status"],
        error_code=row["error_code"],
        error=row["error"],
        pages=row["pages"],
        chunk_count=row["chunk_count"],
        vectors=row["vectors"],
        warnings=tuple(DocumentWarning(w["code"], w["message"], w.get("page")) for w in warnings),
        language=row["language"],
        revision=row["revision"],
        indexed_revision=row["indexed_revision"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )
