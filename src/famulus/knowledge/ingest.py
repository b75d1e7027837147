"""Reading documents into the index, as two kinds of background job that can be killed at any moment and begin again.

`read` extracts and chunks one revision and switches the document to it in one transaction (found by keywords from then on);
a large one is analysed outside the writer and put into the index in parts that no search sees before that transaction;
`embed` gives the passages of one base their vectors, a small batch in each transaction, until none is without.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import asdict
from functools import partial
from typing import Protocol

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from famulus.errors import ExtractionFailed, FamulusError, NotFound
from famulus.knowledge import replace as rows
from famulus.knowledge.base import Embedder
from famulus.knowledge.chunk import chunk as split
from famulus.knowledge.chunks import to_indexed
from famulus.knowledge.documents import Document, fail_abandoned, read_document, set_status
from famulus.knowledge.embed.texts import passage_text
from famulus.knowledge.extract.base import Extracted
from famulus.knowledge.index.base import IndexedChunk, KeywordIndex, VectorIndex
from famulus.knowledge.index.prepared import Prepared, prepare
from famulus.knowledge.index.segments import MAX_ROWS
from famulus.knowledge.pending import EMBED_JOB, Enqueue, chunks_to_embed, mark_embedded, mark_vectors_ready
from famulus.knowledge.revision import Reading, owner_of, store_text, structure_of
from famulus.messages.ids import new_id
from famulus.messages.values import JsonObject
from famulus.store.database import Database

READ_JOB = "document.read"
EMBED_BATCH = 32
# Up to so many passages are indexed in one transaction; it keeps other writers waiting for less than half a second.
AT_ONCE = 500
# Full segments, which are never merged again.
STAGED_ROWS = MAX_ROWS
STAGED_WORDS = 5_000
BROKEN: Mapping[str, object] = {
    "status": "failed",
    "error_code": "internal",
    "error": "The file could not be read because of a fault in the server; its log has the details. Read it again later.",
}


class Extraction(Protocol):
    """Raises ExtractionFailed, whose code and message are shown to the person who put the document in."""

    async def extract(self, data: bytes, name: str, media_type: str | None) -> Extracted: ...


class Originals(Protocol):
    async def read(self, sha256: str) -> bytes: ...


class Ingest:
    def __init__(
        self,
        database: Database,
        originals: Originals,
        extraction: Extraction,
        keywords: KeywordIndex,
        vectors: VectorIndex,
        embedder: Embedder | None,
        enqueue: Enqueue,
    ) -> None:
        self._database = database
        self._originals = originals
        self._extraction = extraction
        self._keywords = keywords
        self._vectors = vectors
        self._embedder = embedder
        self._enqueue = enqueue

    async def read(self, tenant: str, payload: JsonObject) -> None:
        """The job `document.read`: `{"document": id, "revision": n}`. A revision that is no longer the newest is skipped."""
        document_id, revision = str(payload["document"]), int(str(payload["revision"]))
        current = await self._begin(tenant, document_id, revision)
        if current is None:
            return
        try:
            reading = await self._extract(current)
        except ExtractionFailed as failure:
            failed = {"status": "failed", "error_code": failure.code, "error": str(failure)}
            await self._database.write(lambda c: set_status(c, tenant, document_id, revision, failed))
            return
        await self._database.write(lambda c: set_status(c, tenant, document_id, revision, {"status": "indexing"}))
        if len(reading.chunks) <= AT_ONCE:
            await self._database.write(lambda c: self._switch(c, tenant, current, reading))
        else:
            await self._switch_staged(tenant, current, reading)

    async def give_up(self, tenant: str, payload: JsonObject) -> None:
        """After the last attempt: the document says that it could not be read, instead of waiting for ever."""
        document_id, revision = str(payload["document"]), int(str(payload["revision"]))

        def end(connection: sa.Connection) -> None:
            self._keywords.discard(connection, tenant, document_id)
            set_status(connection, tenant, document_id, revision, BROKEN)

        await self._database.write(end)

    def fail_abandoned(self, connection: sa.Connection, booked: Collection[tuple[str, str]]) -> int:
        """As `documents.fail_abandoned`, together with what was staged for these documents; how many there were."""
        abandoned = fail_abandoned(connection, booked)
        for tenant, document_id in abandoned:
            self._keywords.discard(connection, tenant, document_id)
        return len(abandoned)

    async def embed(self, tenant: str, payload: JsonObject) -> None:
        """The job `base.embed`: `{"knowledge_base": id}`. Ends when every passage of the base has a vector."""
        base_id = str(payload["knowledge_base"])
        embedder = self._embedder
        if embedder is None:
            return
        while batch := await self._waiting(tenant, base_id, embedder.identity):
            vectors = await embedder.embed_passages([passage_text(item) for item in batch])
            await self._database.write(partial(self._store_vectors, tenant, embedder.identity, batch, vectors))
            await self._database.write(lambda c: mark_vectors_ready(c, tenant, base_id, embedder.identity))
        await self._database.write(lambda c: mark_vectors_ready(c, tenant, base_id, embedder.identity))

    def forget(self, connection: sa.Connection, tenant: str, numbers: list[int]) -> None:
        """Takes chunk numbers out of both indexes, in the caller's transaction."""
        if numbers:
            self._keywords.remove(connection, tenant, numbers)
            self._vectors.remove(connection, tenant, numbers)

    def index(self, connection: sa.Connection, tenant: str, base_id: str, replaced: rows.Replaced) -> None:
        """Applies what `replace_chunks` said to the keyword index and books the vectors, in the caller's transaction."""
        self.forget(connection, tenant, replaced.removed)
        if replaced.added:
            self._keywords.add(connection, replaced.added)
            if self._embedder is not None:
                self._enqueue(connection, tenant, EMBED_JOB, base_id, {"knowledge_base": base_id})

    async def _waiting(self, tenant: str, base_id: str, identity: str) -> list[IndexedChunk]:
        return await self._database.read(lambda c: chunks_to_embed(c, tenant, base_id, identity, EMBED_BATCH))

    def _store_vectors(
        self,
        tenant: str,
        identity: str,
        batch: list[IndexedChunk],
        vectors: NDArray[np.float32],
        connection: sa.Connection,
    ) -> None:
        """Passages that were deleted while their vectors were made are left out."""
        numbers = [item.number for item in batch]
        alive = set(mark_embedded(connection, tenant, numbers, identity))
        at = [i for i, number in enumerate(numbers) if number in alive]
        if at:
            self._vectors.remove(connection, tenant, [numbers[i] for i in at])
            self._vectors.add(connection, identity, [batch[i] for i in at], vectors[at])

    async def _begin(self, tenant: str, document_id: str, revision: int) -> Document | None:
        """The document, marked as being read; None when it is gone or a newer revision waits."""

        def begin(connection: sa.Connection) -> Document | None:
            # What an attempt left that was killed.
            self._keywords.discard(connection, tenant, document_id)
            try:
                current = read_document(connection, tenant, document_id)
            except NotFound:
                return None
            alive = set_status(connection, tenant, document_id, revision, {"status": "extracting"})
            return current if alive else None

        return await self._database.write(begin)

    async def _extract(self, current: Document) -> Reading:
        data = await self._originals.read(current.sha256)
        extracted = await self._extraction.extract(data, current.name, current.media_type)
        cut = await asyncio.to_thread(split, extracted)
        chunks = [
            rows.NewChunk(at, item.start, item.end, item.text, item.context, item.page, item.section)
            for at, item in enumerate(cut)
        ]
        if not chunks:
            raise ExtractionFailed(
                "The file holds no text that could be searched; check that it is the right file.", code="empty"
            )
        return Reading(extracted, chunks, structure_of(extracted))

    async def _switch_staged(self, tenant: str, current: Document, reading: Reading) -> None:
        """As `_switch`, for many passages: what takes long is done outside the writer or in small transactions nobody sees."""
        owner, name = owner_of(tenant, current, reading), f"{current.id} {new_id()}"
        plan = await self._database.read(lambda c: rows.plan_chunks(c, owner, reading.chunks))
        first = await self._database.write(lambda c: rows.take_numbers(c, len(plan.fresh))) if plan.fresh else 0
        fresh = rows.chunk_rows(owner, plan.fresh, first)
        # Nobody reads a revision's text before the document is switched to it.
        await self._database.write(lambda c: store_text(c, tenant, current, reading))
        for start in range(0, len(fresh), STAGED_ROWS):
            part = [to_indexed(row) for row in fresh[start : start + STAGED_ROWS]]
            segment = await asyncio.to_thread(prepare, part)
            await self._database.write(partial(self._stage, tenant, name, segment))
            words = sorted(segment.keys)
            for at in range(0, len(words), STAGED_WORDS):
                await self._database.write(partial(self._stage_words, tenant, words[at : at + STAGED_WORDS]))

        def switch(connection: sa.Connection) -> None:
            if not self._say_ready(connection, tenant, current, reading):
                self._keywords.discard(connection, tenant, name)
                return
            if not rows.still_holds(connection, owner, plan):
                raise FamulusError(f"The passages of {current.name!r} were changed while it was read; read it again.")
            rows.apply_plan(connection, owner, plan, fresh)
            self.forget(connection, tenant, plan.removed)
            if self._keywords.reveal(connection, tenant, name) != len(fresh):
                raise FamulusError(f"Another worker reads {current.name!r} as well; what this one had read is void.")
            self._book_vectors(connection, tenant, current.knowledge_base_id, bool(fresh))

        await self._database.write(switch)

    def _stage(self, tenant: str, name: str, segment: Prepared, connection: sa.Connection) -> None:
        self._keywords.stage(connection, tenant, name, segment)

    def _stage_words(self, tenant: str, words: list[str], connection: sa.Connection) -> None:
        self._keywords.stage_words(connection, tenant, words)

    def _switch(self, connection: sa.Connection, tenant: str, current: Document, reading: Reading) -> None:
        if not self._say_ready(connection, tenant, current, reading):
            return
        store_text(connection, tenant, current, reading)
        replaced = rows.replace_chunks(connection, owner_of(tenant, current, reading), reading.chunks)
        self.forget(connection, tenant, replaced.removed)
        if replaced.added:
            self._keywords.add(connection, replaced.added)
        self._book_vectors(connection, tenant, current.knowledge_base_id, bool(replaced.added))

    def _book_vectors(self, connection: sa.Connection, tenant: str, base_id: str, fresh: bool) -> None:
        """Fresh passages wait for their vectors; without any, the old ones are all there is to wait for."""
        if self._embedder is None:
            return
        if fresh:
            self._enqueue(connection, tenant, EMBED_JOB, base_id, {"knowledge_base": base_id})
        else:
            mark_vectors_ready(connection, tenant, base_id, self._embedder.identity)

    def _say_ready(self, connection: sa.Connection, tenant: str, current: Document, reading: Reading) -> bool:
        """The document's new state; False when it is gone or has moved on, then nothing may be written for it."""
        extracted, revision = reading.extracted, current.revision
        done: dict[str, object] = {
            "status": "ready",
            "error": None,
            "error_code": None,
            "media_type": extracted.media_type,
            "pages": extracted.page_count,
            "chunk_count": len(reading.chunks),
            "vectors": "off" if self._embedder is None else "pending",
            "warnings": [asdict(warning) for warning in extracted.warnings],
            "language": extracted.language,
            "indexed_revision": revision,
        }
        return set_status(connection, tenant, current.id, revision, done)
