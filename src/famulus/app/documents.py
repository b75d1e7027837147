"""Use cases of documents: put in, look at, read again, take out. Bytes go to the blob store before the rows name them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

import sqlalchemy as sa

from famulus.app.removal import Removal
from famulus.errors import FamulusError, NotFound
from famulus.knowledge.bases import Bases, read_base, require_writable
from famulus.knowledge.chunks import ChunkView, count_embedded
from famulus.knowledge.documents import (
    Document,
    Revision,
    list_documents,
    list_revisions,
    read_document,
    set_status,
)
from famulus.knowledge.extract.base import Rect
from famulus.knowledge.ingest import READ_JOB
from famulus.knowledge.pending import Enqueue
from famulus.knowledge.reader import Reader, TextWindow, read_structure
from famulus.knowledge.uploads import UNNAMED, Added, OnConflict, Upload, add_document, clean_upload_name
from famulus.messages.values import JsonObject, Passage, Principal
from famulus.store.blobs import BlobStore
from famulus.store.database import Database


@dataclass(frozen=True, slots=True)
class Incoming:
    """One file of an upload: a local temporary file (or the person's own, for the command line), with its label.

    `refused`: why its bytes did not arrive; it is reported among the others.
    """

    name: str
    source: Path
    path: str | None = None
    refused: str | None = None


@dataclass(frozen=True, slots=True)
class UploadResult:
    """What became of one file of a batch; `error` is set where it was not taken."""

    name: str
    document_id: str | None
    status: str
    duplicate_of: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a passage stands: for highlighting. `boxes` only for PDF, normalised 0..1 from the top left."""

    view: ChunkView
    boxes: Sequence[Rect]


class Locator(Protocol):
    async def locate(self, pdf_bytes: bytes, page: int, quote: str, name: str = ...) -> list[Rect]: ...


class Documents:
    def __init__(
        self,
        database: Database,
        blobs: BlobStore,
        bases: Bases,
        reader: Reader,
        removal: Removal,
        locate: Locator,
        enqueue: Enqueue,
    ) -> None:
        self._database = database
        self._blobs = blobs
        self._bases = bases
        self._reader = reader
        self._removal = removal
        self._locate = locate
        self._enqueue = enqueue

    async def add(
        self, principal: Principal, base_id: str, files: Sequence[Incoming], on_conflict: OnConflict = "replace"
    ) -> list[UploadResult]:
        """Takes each file by itself: one that fails is reported and the rest go on. Raises NotFound for the base."""
        require_writable(principal, await self._bases.get(principal, base_id))
        results: list[UploadResult] = []
        for file in files:
            name, path = clean_upload_name(file.name, file.path)
            # A file without a name of its own says nothing about which other one it should replace.
            conflict = "keep_both" if name == UNNAMED else on_conflict
            if file.refused is not None:
                results.append(UploadResult(name, None, "failed", error=file.refused))
                continue
            try:
                added = await self._add_one(principal, base_id, file, name, path, conflict)
            except (FamulusError, OSError) as error:
                results.append(UploadResult(name, None, "failed", error=str(error)))
            else:
                results.append(UploadResult(added.name, added.document_id, added.status, added.duplicate_of))
        return results

    async def get(self, principal: Principal, document_id: str) -> Document:
        """Raises NotFound."""
        return await self._database.read(lambda c: _visible(c, principal, document_id))

    async def list(
        self, principal: Principal, base_id: str, *, after: str = "", limit: int = 100, newest_first: bool = False
    ) -> list[Document]:
        """The base's documents, oldest first unless asked otherwise, from the id behind `after`. Raises NotFound."""
        await self._bases.get(principal, base_id)
        return await self._database.read(
            lambda c: list_documents(
                c, principal.tenant, (base_id,), after=after, limit=limit, newest_first=newest_first
            )
        )

    async def revisions(self, principal: Principal, document_id: str) -> Sequence[Revision]:
        """All uploads of this document, oldest first. Raises NotFound."""
        await self.get(principal, document_id)
        return await self._database.read(lambda c: list_revisions(c, principal.tenant, document_id))

    async def content(self, principal: Principal, document_id: str, offset: int, length: int) -> TextWindow:
        """A window of the text that search finds. Raises NotFound."""
        document = await self.get(principal, document_id)
        scope = await self._bases.scope(principal, (document.knowledge_base_id,))
        return await self._reader.text(scope, document_id, offset, length)

    async def structure(self, principal: Principal, document_id: str) -> JsonObject:
        """Headings, tables and pages with offsets. Raises NotFound."""
        document = await self.get(principal, document_id)
        return await self._database.read(lambda c: read_structure(c, principal.tenant, document))

    async def original(self, principal: Principal, document_id: str) -> tuple[Document, bytes]:
        """The file as it was put in. Raises NotFound."""
        document = await self.get(principal, document_id)
        return document, await self._blobs.read(document.sha256)

    async def chunk(self, principal: Principal, chunk_id: str) -> Place:
        """A passage with its neighbours and, in a PDF, its boxes. Raises NotFound."""
        view = await self._reader.chunk(await self._bases.scope(principal, None), chunk_id)
        return Place(view, await self._boxes(principal, view.passage))

    async def reindex(self, principal: Principal, document_id: str) -> Document:
        """Reads the document again; until that is done the old passages are found. Raises NotFound."""

        def requeue(connection: sa.Connection) -> None:
            document = _writable(connection, principal, document_id)
            values = {"status": "queued", "error": None, "error_code": None}
            set_status(connection, principal.tenant, document_id, document.revision, values)
            self._book(connection, principal.tenant, document_id, document.revision)

        await self._database.write(requeue)
        return await self.get(principal, document_id)

    async def delete(self, principal: Principal, document_id: str) -> None:
        """Removes the document, its passages, vectors and bytes; it is found no more at once. Raises NotFound."""

        def remove(connection: sa.Connection) -> list[str]:
            _writable(connection, principal, document_id)
            return self._removal.document(connection, principal.tenant, document_id)

        await self._removal.free(await self._database.write(remove))

    async def embedded(self, principal: Principal, base_ids: tuple[str, ...] | None) -> tuple[int, int]:
        """How many passages of these bases have a vector, and how many there are; None: all visible bases. Raises NotFound."""
        scope = await self._bases.scope(principal, base_ids)
        return await self._database.read(lambda c: count_embedded(c, scope))

    async def _add_one(
        self, principal: Principal, base_id: str, file: Incoming, name: str, path: str, on_conflict: OnConflict
    ) -> Added:
        """Bytes first, then the row that names them; begins again when a deletion took the same bytes in between."""
        size = (await asyncio.to_thread(file.source.stat)).st_size
        while True:
            with await asyncio.to_thread(file.source.open, "rb") as content:
                sha256 = await self._blobs.put(content)
            upload = Upload(name, path, size, sha256)
            added = await self._database.write(partial(self._take, principal, base_id, upload, on_conflict))
            if added is not None:
                return added

    def _take(
        self, principal: Principal, base_id: str, upload: Upload, on_conflict: OnConflict, connection: sa.Connection
    ) -> Added | None:
        """Books the upload and the job that reads it; None when its bytes are gone."""
        require_writable(principal, read_base(connection, principal, base_id))
        if not self._blobs.hold_in(connection, upload.sha256):
            return None
        added = add_document(connection, principal.tenant, base_id, upload, on_conflict)
        if added.enqueue:
            self._book(connection, principal.tenant, added.document_id, added.revision)
        return added

    def _book(self, connection: sa.Connection, tenant: str, document_id: str, revision: int) -> None:
        payload: JsonObject = {"document": document_id, "revision": revision}
        self._enqueue(connection, tenant, READ_JOB, f"{document_id}/{revision}", payload)

    async def _boxes(self, principal: Principal, passage: Passage) -> Sequence[Rect]:
        if passage.page is None or passage.document_id is None:
            return ()
        document = await self.get(principal, passage.document_id)
        if document.media_type != "application/pdf" or document.indexed_revision != document.revision:
            return ()
        data = await self._blobs.read(document.sha256)
        return await self._locate.locate(data, passage.page, passage.text, document.name)


def _visible(connection: sa.Connection, principal: Principal, document_id: str) -> Document:
    """Raises NotFound in the same words whether the document is absent or in a base that the caller may not see."""
    document = read_document(connection, principal.tenant, document_id)
    try:
        read_base(connection, principal, document.knowledge_base_id)
    except NotFound as error:
        raise NotFound(f"There is no document {document_id!r}; it may have been deleted.") from error
    return document


def _writable(connection: sa.Connection, principal: Principal, document_id: str) -> Document:
    document = _visible(connection, principal, document_id)
    require_writable(principal, read_base(connection, principal, document.knowledge_base_id))
    return document
