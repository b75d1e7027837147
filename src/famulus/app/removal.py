"""Taking things out for good: rows, index entries and the bytes that nobody else needs.

The rows go in one transaction, the bytes after it. A job booked in the same transaction frees the bytes where the process
ended in between; it finds nothing left to do otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, cast

import sqlalchemy as sa

from famulus.events.artifacts import artifact_uses
from famulus.knowledge.documents import blob_is_used, delete_document_rows
from famulus.knowledge.ingest import Ingest
from famulus.knowledge.pending import Enqueue
from famulus.messages.values import JsonObject
from famulus.store.blobs import BlobStore
from famulus.store.database import Database
from famulus.store.schema.knowledge import chunk, document, fact

FREE_JOB: Final = "blobs.free"


class Removal:
    def __init__(self, database: Database, blobs: BlobStore, ingest: Ingest, enqueue: Enqueue) -> None:
        self._database = database
        self._blobs = blobs
        self._ingest = ingest
        self._enqueue = enqueue

    def document(self, connection: sa.Connection, tenant: str, document_id: str) -> list[str]:
        """Removes one document inside the caller's transaction; names of blobs to `free` after the commit."""
        blobs = self._rows(connection, tenant, document_id)
        self._book(connection, tenant, document_id, blobs)
        return blobs

    def everything_in(self, connection: sa.Connection, tenant: str, base_id: str) -> list[str]:
        """Removes all documents and facts of a base inside the caller's transaction; blobs to `free` after the commit."""
        blobs: list[str] = []
        documents = sa.select(document.c.id).where(document.c.tenant == tenant, document.c.kb == base_id)
        for document_id in list(connection.scalars(documents)):
            blobs += self._rows(connection, tenant, document_id)
        rest = chunk.c.tenant == tenant, chunk.c.kb == base_id
        self._ingest.forget(connection, tenant, list(connection.scalars(sa.select(chunk.c.number).where(*rest))))
        connection.execute(sa.delete(chunk).where(*rest))
        connection.execute(sa.delete(fact).where(fact.c.tenant == tenant, fact.c.kb == base_id))
        self._book(connection, tenant, base_id, blobs)
        return blobs

    async def free(self, blobs: Iterable[str]) -> None:
        """Deletes bytes that no revision needs any more.

        The check and the deletion are one transaction that holds the blob, so an upload of the same bytes is booked before
        it (and the bytes stay) or after it (and the upload finds them missing and stores them again).
        """

        def free(connection: sa.Connection) -> None:
            for name in dict.fromkeys(blobs):
                if self._blobs.hold_in(connection, name) and not _is_used(connection, name):
                    self._blobs.remove_in(connection, name)

        await self._database.write(free)

    async def free_booked(self, payload: JsonObject) -> None:
        """The job `blobs.free`: `{"blobs": [names]}`."""
        await self.free(str(name) for name in cast("list[object]", payload["blobs"]))

    def _rows(self, connection: sa.Connection, tenant: str, document_id: str) -> list[str]:
        numbers, blobs = delete_document_rows(connection, tenant, document_id)
        self._ingest.forget(connection, tenant, numbers)
        return blobs

    def _book(self, connection: sa.Connection, tenant: str, key: str, blobs: list[str]) -> None:
        if blobs:
            self._enqueue(connection, tenant, FREE_JOB, key, {"blobs": [*dict.fromkeys(blobs)]})


def _is_used(connection: sa.Connection, name: str) -> bool:
    return blob_is_used(connection, name) or artifact_uses(connection, name)
