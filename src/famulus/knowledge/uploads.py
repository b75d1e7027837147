"""Booking an uploaded file as a new document, a new revision of one, or the same that is there already. Rows only."""

from __future__ import annotations

import mimetypes
import re
import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

import sqlalchemy as sa

from famulus.errors import NotFound
from famulus.knowledge.documents import Document, Status, set_status, to_document
from famulus.messages.ids import new_id
from famulus.store.schema.knowledge import document, document_revision, knowledge_base

OnConflict = Literal["skip", "replace", "keep_both"]
MAX_PATH = 1_000
UNNAMED = "unnamed"


@dataclass(frozen=True, slots=True)
class Added:
    """What became of one uploaded file. `enqueue` says that there is something to read."""

    document_id: str
    name: str
    status: Status
    revision: int
    enqueue: bool
    duplicate_of: str | None = None


@dataclass(frozen=True, slots=True)
class Upload:
    """One file whose bytes are already in the blob store; `name` and `path` are labels, never file-system paths."""

    name: str
    path: str
    size: int
    sha256: str

    @property
    def media_type(self) -> str:
        return mimetypes.guess_type(self.name)[0] or "application/octet-stream"


def clean_upload_name(name: str, path: str | None = None) -> tuple[str, str]:
    """(name, path) as shown labels: NFC, no control characters, no directory parts in the name, bounded."""
    whole = unicodedata.normalize("NFC", path or name)
    whole = "".join(c for c in whole if unicodedata.category(c) not in ("Cc", "Cs"))
    parts = [part.strip() for part in re.split(r"[\\/]+", whole)]
    parts = [part for part in parts if part not in ("", ".", "..")] or [UNNAMED]
    cleaned = "/".join(parts)
    return parts[-1][-MAX_PATH:], cleaned[-MAX_PATH:]


def add_document(
    connection: sa.Connection, tenant: str, base_id: str, upload: Upload, on_conflict: OnConflict
) -> Added:
    """Books one upload. The same bytes in one base are one document; the same path is a conflict decided by `on_conflict`."""
    _lock_base(connection, tenant, base_id)
    twin = _where(connection, tenant, base_id, document.c.sha256 == upload.sha256)
    if twin is not None:
        return _twin(connection, tenant, twin)
    same_path = _where(connection, tenant, base_id, document.c.path == upload.path)
    if same_path is None:
        return _insert(connection, tenant, base_id, upload)
    if on_conflict == "skip":
        return Added(same_path.id, same_path.name, same_path.status, same_path.revision, False, same_path.id)
    if on_conflict == "keep_both":
        return _insert(connection, tenant, base_id, _renamed(connection, tenant, base_id, upload))
    return _revise(connection, tenant, same_path, upload)


def _lock_base(connection: sa.Connection, tenant: str, base_id: str) -> None:
    """Uploads into one base are booked one after another (SQLite has one writer anyway). Raises NotFound."""
    table = knowledge_base.c
    query = sa.select(table.id).where(table.tenant == tenant, table.id == base_id).with_for_update()
    if connection.execute(query).first() is None:
        raise NotFound(f"There is no knowledge base {base_id!r}; it may have been deleted.")


def _where(connection: sa.Connection, tenant: str, base_id: str, clause: sa.ColumnElement[bool]) -> Document | None:
    query = sa.select(document).where(document.c.tenant == tenant, document.c.kb == base_id, clause)
    row = connection.execute(query).mappings().first()
    return None if row is None else to_document(row)


def _twin(connection: sa.Connection, tenant: str, twin: Document) -> Added:
    """The same bytes are here already; a failed reading of them is tried again."""
    retry = twin.status == "failed"
    if retry:
        set_status(connection, tenant, twin.id, twin.revision, {"status": "queued", "error": None, "error_code": None})
    return Added(twin.id, twin.name, "queued" if retry else twin.status, twin.revision, retry, twin.id)


def _insert(connection: sa.Connection, tenant: str, base_id: str, upload: Upload) -> Added:
    now, document_id = datetime.now(UTC), new_id()
    connection.execute(
        sa.insert(document),
        {
            "tenant": tenant,
            "id": document_id,
            "kb": base_id,
            "name": upload.name,
            "path": upload.path,
            "media_type": upload.media_type,
            "size": upload.size,
            "sha256": upload.sha256,
            "status": "queued",
            "warnings": [],
            "revision": 1,
            "created_at": now,
            "updated_at": now,
        },
    )
    _insert_revision(connection, tenant, document_id, 1, upload, now)
    return Added(document_id, upload.name, "queued", 1, True)


def _revise(connection: sa.Connection, tenant: str, old: Document, upload: Upload) -> Added:
    now, revision = datetime.now(UTC), old.revision + 1
    connection.execute(
        sa.update(document)
        .where(document.c.tenant == tenant, document.c.id == old.id)
        .values(
            name=upload.name,
            media_type=upload.media_type,
            size=upload.size,
            sha256=upload.sha256,
            status="queued",
            error=None,
            error_code=None,
            revision=revision,
            updated_at=now,
        )
    )
    _insert_revision(connection, tenant, old.id, revision, upload, now)
    return Added(old.id, upload.name, "queued", revision, True)


def _insert_revision(
    connection: sa.Connection, tenant: str, document_id: str, revision: int, upload: Upload, now: datetime
) -> None:
    connection.execute(
        sa.insert(document_revision),
        {
            "tenant": tenant,
            "document": document_id,
            "revision": revision,
            "sha256": upload.sha256,
            "size": upload.size,
            "media_type": upload.media_type,
            "created_at": now,
        },
    )


def _renamed(connection: sa.Connection, tenant: str, base_id: str, upload: Upload) -> Upload:
    """The upload under the first free name of the form `report (2).pdf`."""
    stem, dot, ending = upload.path.rpartition(".")
    if not dot or "/" in ending:
        stem, dot, ending = upload.path, "", ""
    number = 2
    while _where(connection, tenant, base_id, document.c.path == f"{stem} ({number}){dot}{ending}") is not None:
        number += 1
    path = f"{stem} ({number}){dot}{ending}"
    return Upload(path.rpartition("/")[2], path, upload.size, upload.sha256)
